"""docs/python.md: every block runs, in order, and prints what the page shows; what the C++ pages print is there too."""

import contextlib
import io
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import cardan

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


def blocks_of(page, kind):
    return [text for found, text in BLOCK.findall((DOCS / page).read_text()) if found == kind]


def cpp_pages():
    return [str(path.relative_to(DOCS.parent)) for path in sorted(DOCS.parent.glob("*.md")) + sorted(DOCS.rglob("*.md")) if "\n```cpp\n" in path.read_text()]


def test_no_page_has_examples_in_cpp_alone():
    """Those of library.md by what they print; the front page's and that of ensembles below."""
    assert cpp_pages() == ["README.md", "docs/ensembles.md", "docs/library.md"]
    assert len(blocks_of("library.md", "cpp")) == len(outputs("library.md"))


def test_the_example_of_the_front_page():
    """tests/package compiles and runs its program, and knows by theory what it prints."""
    check = (DOCS.parent / "tests/package/outside_project_test.cmake").read_text()
    pattern = re.search(r'MATCHES "(\^crank angle[^"]*)"', check).group(1).replace(r"\\", "\\")
    assert sum(re.match(pattern, text) is not None for text in outputs("python.md")) == 1


def test_the_example_of_ensembles(monkeypatch):
    """In both languages the same calls; the numbers are those of single simulations."""
    monkeypatch.chdir(DOCS.parent)
    (code,), names = blocks_of("ensembles.md", "python"), {}
    exec(compile(code, "docs/ensembles.md", "exec"), names)
    (cpp,) = blocks_of("ensembles.md", "cpp")
    assert "{0.8, 0.9, 1.0, 1.1}" in cpp and "(0.8, 0.9, 1.0, 1.1)" in code and "i < 100" in cpp and "steps(100)" in code
    for angle, length in zip(names["angles"], (0.8, 0.9, 1.0, 1.1)):
        single = cardan.Simulation(cardan.read_mechanism("models/four_bar.yaml", {"L": length}), formulation="hybrid", step=0.01)
        single.steps(100)
        assert single["pinA0.q"] == pytest.approx(angle, rel=1e-9)


@pytest.mark.parametrize("page", ["first-mechanism.md", "signals.md", "analyses.md"])
def test_models_of_pages_run_as_the_program_runs_them(page, tmp_path):
    models = blocks_of(page, "yaml")
    assert models
    for i, text in enumerate(models):
        path, out = tmp_path / f"{i}.yaml", tmp_path / str(i)
        path.write_text(text)
        subprocess.run([cardan.program(), "run", path, "--out", out], check=True, capture_output=True)
        run = cardan.run(path)
        assert (run.table == np.loadtxt(out / "trajectory.csv", delimiter=",", skiprows=1)).all()


def test_numbers_of_the_first_mechanism(tmp_path):
    """What its commands print, by calls of the package."""
    page = (DOCS / "first-mechanism.md").read_text()
    wiper, driven = (cardan.read_mechanism_text(text, "wiper.yaml") for text in blocks_of("first-mechanism.md", "yaml"))
    for name, *counts in re.findall(r"^  (global|hybrid|topological|recursive|cartesian) +(\d+) +(\d+) +(\d+) +(\d+)$", page, re.M):
        c = cardan.count_coordinates(wiper, name)
        assert [c.coordinates, c.constraints, len(c.redundant), c.degrees_of_freedom] == [int(n) for n in counts]
    change = float(re.search(r"wiper: done.*?energy +(\S+) J from start to end", page, re.S).group(1))
    energy = cardan.run(wiper).summary["energy"]
    assert energy["final"] - energy["initial"] == pytest.approx(change, rel=1e-4)
    with pytest.raises(cardan.ModelError) as caught:
        cardan.read_mechanism_text(re.search(r"```yaml broken\n(.*?)```", page, re.S).group(1), "typo.yaml")
    assert str(caught.value) in page
    way, speed, effort, at = map(float, re.search(r"^  motor +0 +(\S+) +(\S+) +(\S+) +(\S+)$", page, re.M).groups())
    inverse = cardan.driven_efforts(driven, step=0.001, until=2)
    k = abs(inverse.effort[:, 0]).argmax()
    found = (inverse.position[-1, 0], abs(inverse.velocity).max(), abs(inverse.effort[k, 0]), inverse.time[k] % 1)  # as in either turn
    assert found == pytest.approx((way, speed, effort, at), rel=1e-4)
    # With these efforts in place of the driver it moves as it was driven.
    forward = cardan.run(cardan.with_efforts(driven, inverse), until=0.5)
    assert forward["a.q"] == pytest.approx(inverse.position[: len(forward), 0], abs=1e-4)
    frequency = float(re.search(r"mode  frequency, Hz.*?\n +1 +(\S+)", page, re.S).group(1))
    assert cardan.linearize(wiper, cardan.find_equilibrium(wiper)).modes[0].frequency == pytest.approx(frequency, rel=1e-5)
