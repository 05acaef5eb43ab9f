"""docs/python.md: every block runs, in order, and prints what the page shows; what the C++ page prints is there too."""

import contextlib
import io
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def cells(page):
    """(code, expected output or None) of every Python block."""
    blocks = BLOCK.findall((DOCS / page).read_text())
    for (kind, text), (next_kind, next_text) in zip(blocks, blocks[1:] + [("", "")]):
        if kind == "python":
            yield text, next_text if next_kind == "text" else None


def test_cells_of_the_tutorial(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    count = 0
    for count, (code, expected) in enumerate(cells("python.md"), 1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"docs/python.md, cell {count}", "exec"), names)
        if expected is not None:
            assert printed.getvalue() == expected, f"cell {count}:\n{code}"
    assert count > 15


def outputs(page):
    return [text for kind, text in BLOCK.findall((DOCS / page).read_text()) if kind == "text"]


@pytest.mark.parametrize("expected", outputs("library.md"))
def test_examples_of_the_library_have_the_same_numbers(expected):
    assert expected in outputs("python.md")
