"""Writes the type stubs of the package from the module itself: cardan/_core.pyi and cardan/_options.pyi.

    PYTHONPATH=build/release/python python3 python/tools/write_stubs.py

A test compares what is written with what is there.
"""

import re
import sys
import textwrap
from pathlib import Path

import cardan
from cardan import _core

HEAD = '''"""What the module has, written by write_stubs.py."""

from typing import Any, Callable, Iterator, Optional, Union, overload

import numpy
from numpy.typing import ArrayLike
'''

# Of arguments; what pybind11 says is right-hand sides of these.
TYPES = [
    (r"cardan::python::\(anonymous namespace\)::|cardan::python::|cardan::|cardan\._core\.|\{anonymous\}::", ""),
    (r"numpy\.ndarray\[numpy\.(float64|complex128)\]", "numpy.ndarray"),
    (r"\bList\[", "list["),
    (r"\bDict\[", "dict["),
    (r"\bTuple\[", "tuple["),
    (r"\b(object|handle)\b", "Any"),
    (r"\bfunction\b", "Callable[..., Any]"),
    (r"\*args", "*args: Any"),
    (r"\*\*kwargs", "**options: Any"),
]


def signatures(function):
    """(signature, text) of every overload, as pybind11 puts them into the docstring."""
    lines = (function.__doc__ or "").splitlines()
    name = function.__name__
    heads = [i for i, line in enumerate(lines) if re.match(rf"(\d+\. )?{re.escape(name)}\(.*\) -> ", line)]
    if len(heads) > 1 or (heads and lines[heads[0]].startswith("1. ")):
        heads = [i for i in heads if re.match(r"\d+\. ", lines[i])]
    for i, end in zip(heads, heads[1:] + [len(lines)]):
        yield re.sub(r"^\d+\. ", "", lines[i]), "\n".join(lines[i + 1 : end]).strip()


def typed(signature):
    head, _, result = signature.rpartition(" -> ")
    for pattern, replacement in TYPES:
        head, result = re.sub(pattern, replacement, head), re.sub(pattern, replacement, result)
    head = head.replace("numpy.ndarray", "ArrayLike")
    head = re.sub(r"self: [\w.]+", "self", head)
    head = re.sub(r" = <[^>]*>| = \{\}| = \[\]", " = ...", head)
    head = re.sub(r": (?!Any|Optional)([\w.]+) = None", r": Optional[\1] = None", head)
    return f"def {head} -> {result}:"


def quoted(text, indent):
    if not text:
        return " ..."
    body = textwrap.indent(f'"""{text}"""', indent)
    return f"\n{body}"


def write_function(function, indent, static=False):
    found = list(signatures(function))
    lines = []
    for signature, text in found:
        if len(found) > 1:
            lines.append(f"{indent}@overload")
        if static:
            lines.append(f"{indent}@staticmethod")
        lines.append(f"{indent}{typed(signature)}{quoted(text, indent + '    ')}")
    return lines


def write_property(name, member, indent):
    getter = list(signatures_of_getter(member.fget))
    result = typed(f"{name}(self) -> {getter[0]}") if getter else f"def {name}(self) -> Any:"
    lines = [f"{indent}@property", f"{indent}{result}{quoted((member.__doc__ or '').strip(), indent + '    ')}"]
    if member.fset is not None:
        lines += [f"{indent}@{name}.setter", f"{indent}def {name}(self, value: Any) -> None: ..."]
    return lines


def signatures_of_getter(getter):
    for line in (getter.__doc__ or "").splitlines():
        if " -> " in line:
            yield line.rpartition(" -> ")[2]


def write_class(cls):
    lines = ["", "", f"class {cls.__name__}:", textwrap.indent(f'"""{cls.__doc__}"""', "    ")]
    for name, member in sorted(vars(cls).items()):
        if isinstance(member, property):
            if (cls, name) != (_core.Simulation, "summary"):  # which is made in Python
                lines += [""] + write_property(name, member, "    ")
        elif isinstance(member, staticmethod):
            lines += [""] + write_function(member.__func__, "    ", static=True)
        elif callable(member) and (not name.startswith("_") or name in ("__init__", "__getitem__", "__call__")):
            lines += [""] + write_function(member, "    ")
    if cls is _core.Simulation:
        lines += ["", "    @property", f'    def summary(self) -> dict[str, Any]:\n        """{cls.summary.__doc__}"""']
    return lines


def core_stub():
    lines = [HEAD, "__version__: str"]
    for name, member in sorted(vars(_core).items()):
        if isinstance(member, type):
            lines += write_class(member)
    for name, member in sorted(vars(_core).items()):
        if callable(member) and not isinstance(member, type) and not name.startswith("__"):
            lines += ["", ""] + (write_function(member, "") or [f"def {name}(*args: Any) -> Any: ..."])
    return "\n".join(lines) + "\n"


# Those that the module lists by a function of its own, so that a new one changes no stub.
LISTED = {"formulation": "one of formulations(), or auto", "integrator": "one of integrators(), or auto"}


def options_stub():
    lines = ['"""The options of a run, written by write_stubs.py from the list of the library."""', ""]
    lines += ["from typing import Optional, TypedDict", "", "", "class Options(TypedDict, total=False):"]
    lines += ['    """Keywords of run() and Simulation."""', ""]
    for name, kind, meaning, choices in cardan.option_list():
        names = LISTED.get(name, ", ".join(choices))
        lines.append(f"    {name}: Optional[{kind}]  # {meaning}" + (f": {names}" if names else ""))
    return "\n".join(lines) + "\n"


def stubs():
    """File name -> text."""
    return {"_core.pyi": core_stub(), "_options.pyi": options_stub()}


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1] / "cardan"
    for name, text in stubs().items():
        (folder / name).write_text(text)
