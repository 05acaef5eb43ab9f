#!/bin/sh
# self_contained.sh OBJECT PATTERN: the object needs libc, libm and the loader alone, and shows symbols that match the pattern alone.
set -eu
foreign=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v -x -e 'libc\.so\.6' -e 'libm\.so\.6' -e 'ld-linux-x86-64\.so\.2' || true)
if [ -n "$foreign" ]; then echo "needs $foreign"; exit 1; fi
seen=$(nm -D --defined-only "$1" | awk '{print $NF}')
if [ -z "$seen" ]; then echo "shows no symbols"; exit 1; fi
others=$(echo "$seen" | grep -v -E "$2" || true)
if [ -n "$others" ]; then echo "shows $others"; exit 1; fi
if readelf -d "$1" | grep -q TEXTREL; then echo "is not position independent"; exit 1; fi
echo "$(echo "$seen" | wc -l) symbols"
