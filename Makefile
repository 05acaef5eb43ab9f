# The front door. Everything below goes through the CMake presets; results are in build/<preset>.
#   make         build/release/bin/cardan
#   make demo    install what is missing, build the program alone, drive the Iltis over the stairs: report and table
#   make python  the Python package in build/release/python, for PYTHONPATH
#   make test    install what is missing, build, run every test
#   make test-viewer  only those of the viewer, in a browser
#   make test-sanitized-all  every test with the address and undefined-behaviour sanitizers (long)
#   make fuzz    a million made-up inputs for what reads files and requests (clang, minutes)
#   make bench   the same for the benchmarks;  make bench-peers  beside other engines, which it installs
#   make performance  count instructions, run the peers and what auto chooses, write docs/performance.md (an hour, alone on the machine)
#   make docs    the documentation as a site in build/docs; links are checked
#   make accuracy  run every study and write docs/accuracy.md from what came out (minutes)
#   make pictures  take the pictures of docs/pictures anew, in a browser
#   make format  rewrite the sources with clang-format;  make lint  check them

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc)

# The only list of Debian packages: what the program needs, and what tests and benchmarks need besides.
PACKAGES := g++ make cmake libeigen3-dev libfmt-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libsundials-dev libpng-dev \
            libhdf5-dev libpugixml-dev zlib1g-dev libboost-dev $(if $(shell command -v npm),,nodejs npm)
TEST_PACKAGES := libgtest-dev libbenchmark-dev
MPI_PACKAGES := openmpi-bin
PYTHON_PACKAGES := python3-dev pybind11-dev python3-numpy python3-matplotlib python3-pandas python3-h5py python3-pytest \
                   python3-setuptools python3-wheel python3-pip python3-venv mypy
BROWSER_PACKAGES := chromium
FUZZ_PACKAGES := clang libclang-rt-14-dev
PEER_PACKAGES := libmujoco-dev libsimbody-dev libdart-dev libdart-external-ikfast-dev libqhull-dev
COUNT_PACKAGES := valgrind
LINT_PACKAGES := clang-format clang-tidy

# Debian's, which has the packages above; another one may come first in PATH.
PYTHON ?= /usr/bin/python3

SOURCES = $(shell git ls-files -co --exclude-standard '*.cpp' '*.hpp')

.PHONY: program all configure configure-all demo python python-packages test test-sanitized test-sanitized-all test-viewer bench bench-peers performance docs docs-packages accuracy pictures \
        format lint fuzz packages test-packages mpi-packages fuzz-packages peer-packages count-packages lint-packages browser-packages clean

program: configure
	cmake --build --preset release -j $(JOBS) --target cardan_program

# Program, tests and benchmarks.
all: configure-all
	cmake --build --preset release -j $(JOBS)

configure:
	@cmake --preset release --log-level=WARNING > /dev/null

configure-all:
	@cmake --preset release -D CARDAN_TESTS=ON -D CARDAN_BENCH=ON --log-level=WARNING > /dev/null

demo: packages program
	build/release/bin/cardan run models/iltis.yaml --formulation hybrid --step 0.001 --out build/demo --report build/demo/iltis.html
	build/release/bin/cardan study iltis-vehicle --out build/demo/study
	@echo "To take the wheel yourself, in the browser:  build/release/bin/cardan drive models/iltis_driven.yaml"

# From then on the tests have those of Python among them.
python: packages python-packages
	@cmake --preset release -D CARDAN_PYTHON=ON -D CARDAN_PYTHON_EXECUTABLE=$(PYTHON) --log-level=WARNING > /dev/null
	cmake --build --preset release -j $(JOBS) --target cardan_python

# The release tests come last, so that the output ends with ctest's verdict on them.
test: packages test-packages mpi-packages python all test-sanitized test-viewer docs
	ctest --preset release -j $(JOBS)

# What reads files written by others is also run with the address and undefined-behaviour sanitizers.
test-sanitized: packages test-packages
	@cmake --preset sanitize --log-level=WARNING > /dev/null
	cmake --build --preset sanitize -j $(JOBS) --target io_tests fuzz_expression fuzz_model fuzz_steps fuzz_request fuzz_formats fuzz_archive
	build/sanitize/bin/io_tests --gtest_brief=1
	ctest --preset sanitize -j $(JOBS) -R ^fuzz_

# Everything is run with them, a program at a time: a process for each test would take longer to start than most tests do.
# What is found ends the program.
test-sanitized-all: packages test-packages
	@cmake --preset sanitize --log-level=WARNING > /dev/null
	cmake --build --preset sanitize -j $(JOBS)
	ls build/sanitize/bin/*_tests | xargs -P $(JOBS) -I PROGRAM PROGRAM --gtest_brief=1
	ctest --preset sanitize -j $(JOBS) -R '^(fuzz_|[a-z_]+\.)'

# Numbers of inputs by what one costs; what is found stays in build/fuzz.
fuzz: packages fuzz-packages
	@cmake --preset fuzz --log-level=WARNING > /dev/null
	cmake --build --preset fuzz -j $(JOBS) --target fuzz_expression fuzz_model fuzz_steps fuzz_request fuzz_formats fuzz_archive
	mkdir -p $(addprefix build/fuzz/found/,expression model steps request formats archive)
	cd build/fuzz && bin/fuzz_expression -runs=700000 -max_len=200 found/expression ../../tests/fuzz/corpus/expression
	cd build/fuzz && bin/fuzz_request -runs=200000 -max_len=200 found/request ../../tests/fuzz/corpus/request
	cd build/fuzz && bin/fuzz_archive -runs=200000 -max_len=4000 found/archive ../../tests/fuzz/corpus/archive
	cd build/fuzz && bin/fuzz_model -runs=100000 -max_len=3000 -dict=../../tests/fuzz/model.dict found/model ../../tests/fuzz/corpus/model ../../tests/io/bad
	cd build/fuzz && bin/fuzz_formats -runs=100000 -max_len=4000 found/formats ../../tests/fuzz/corpus/formats ../../tests/formats/robots ../../tests/formats/datasets
	cd build/fuzz && bin/fuzz_steps -runs=5000 -max_len=4000 -dict=../../tests/fuzz/model.dict found/steps ../../tests/fuzz/corpus/model ../../models

# The build has fetched the viewer's packages and made its page.
test-viewer: packages browser-packages program
	cd viewer && npm run --silent check
	cd viewer && npm run --silent unit
	cd viewer && npm run --silent browser

bench: packages test-packages browser-packages all
	build/release/bin/cardan_bench
	build/release/bin/cardan_drive_bench 60
	build/release/bin/cardan_drive_bench 60 crowd
	cd viewer && npm run --silent bench

# The same problems in the same run, one thread, the cheapest setting of each engine (half an hour); the files go into docs/performance.
bench-peers: packages test-packages peer-packages
	@cmake --preset release -D CARDAN_BENCH=ON -D CARDAN_PEERS=ON --log-level=WARNING > /dev/null
	cmake --build --preset release -j $(JOBS) --target cardan_peers_bench
	build/release/bin/cardan_peers_bench docs/performance

# Models with a motion of their own; those whose every coordinate is driven have no error to hold.
AUTO_MODELS := four_bar double_four_bar bricard spherical_pendulum spinning_body slider_crank andrews_squeezer puma560 stiff_double_pendulum \
               stiff_stop wishbone_axle steered_axle iltis_suspension iltis

# What the page is made of stays in docs/performance; those of its files that are measured by hand say so in docs/site/performance.mjs.
performance: bench-peers count-packages
	cmake --build --preset release -j $(JOBS) --target cardan_step_cost cardan_auto_choice
	node bench/instructions.mjs build/release/bin now
	build/release/bin/cardan_auto_choice docs/performance $(AUTO_MODELS:%=models/%.yaml)
	node docs/site/performance.mjs

# Needs nothing but node, npm and the program; the site opens from disk.
docs: packages program docs-packages
	cd docs/site && npm test --silent
	node docs/site/build.mjs build/docs

docs-packages: packages
	cd docs/site && { [ node_modules/.package-lock.json -nt package-lock.json ] || \
	  { npm install --no-audit --no-fund --no-save --loglevel=error && touch node_modules/.package-lock.json; }; }

# The files stay in docs/accuracy, so that the page can be made again from them.
accuracy: packages program
	for study in $$(build/release/bin/cardan study --list | awk 'NR > 1 {print $$1}'); do echo $$study; \
	  build/release/bin/cardan study $$study --out build/studies/$$study > build/$$study.txt; \
	  mkdir -p docs/accuracy/$$study; cp build/studies/$$study/*.csv docs/accuracy/$$study/; \
	done
	node docs/site/accuracy.mjs

pictures: packages browser-packages program
	cd viewer && node scripts/pictures.mjs

format: lint-packages
	clang-format -i $(SOURCES)

# clang-tidy cannot read precompiled headers of g++, so it gets compile commands without them.
lint: lint-packages packages test-packages
	@cmake --preset release -B build/lint -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON --log-level=WARNING > /dev/null
	clang-format --dry-run -Werror $(SOURCES)
	printf '%s\n' $(filter src/% apps/% studies/%,$(filter %.cpp,$(SOURCES))) \
	  | xargs -P $(JOBS) -n 4 clang-tidy --quiet -p build/lint

# $(call install,packages): quiet when all are there; needs root, or sudo.
define install
	@missing=""; for package in $(1); do \
	  case "$$(dpkg-query -W -f '$${Status}' $$package 2> /dev/null || true)" in \
	    *" installed") ;; \
	    *) missing="$$missing $$package" ;; \
	  esac; \
	done; \
	if [ -n "$$missing" ]; then \
	  if ! command -v apt-get > /dev/null; then echo "please install:$$missing" >&2; exit 1; fi; \
	  if [ "$$(id -u)" = 0 ]; then as_root=env; else as_root="sudo env"; fi; \
	  echo "installing$$missing"; \
	  $$as_root DEBIAN_FRONTEND=noninteractive apt-get update -qq; \
	  $$as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
	fi
endef

packages:
	$(call install,$(PACKAGES))

test-packages:
	$(call install,$(TEST_PACKAGES))

mpi-packages:
	$(call install,$(MPI_PACKAGES))

python-packages:
	$(call install,$(PYTHON_PACKAGES))

browser-packages:
	$(call install,$(BROWSER_PACKAGES))

fuzz-packages:
	$(call install,$(FUZZ_PACKAGES))

peer-packages:
	$(call install,$(PEER_PACKAGES))

count-packages:
	$(call install,$(COUNT_PACKAGES))

lint-packages:
	$(call install,$(LINT_PACKAGES))

clean:
	rm -rf build
