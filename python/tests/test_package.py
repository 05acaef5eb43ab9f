"""Stubs, docstrings, the wheel."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cardan

HERE = Path(__file__).resolve().parents[1]


def written_stubs():
    sys.path.insert(0, str(HERE / "tools"))
    try:
        import write_stubs

        return write_stubs.stubs()
    finally:
        sys.path.remove(str(HERE / "tools"))


def test_stubs_are_those_of_the_module():
    for name, text in written_stubs().items():
        assert (HERE / "cardan" / name).read_text() == text, f"run python/tools/write_stubs.py: {name} is not that of the module"


def test_stubs_are_python():
    for name in written_stubs():
        compile((HERE / "cardan" / name).read_text(), name, "exec")


USE = """
import cardan
run: cardan.Run = cardan.run("a.yaml", step=0.1)
x: float = float(run["a"][0])
simulation = cardan.Simulation("a.yaml", step=0.1)
simulation.step()
simulation.set_input(3, 1.0)
b: cardan.MechanismBuilder = cardan.MechanismBuilder("m").planar().rod("a", [0, 0], [1, 0], 2)
n: int = cardan.System(b).coordinates
"""
MISUSE = """
import cardan
cardan.Simulation("a.yaml").set_input([], 1.0)
cardan.run("a.yaml", stp=0.1)
b: int = cardan.MechanismBuilder("m")
"""


def test_type_checkers_understand_the_package(tmp_path):
    pytest.importorskip("mypy")
    for text, good in ((USE, True), (MISUSE, False)):
        (tmp_path / "use.py").write_text(text)
        command = [sys.executable, "-m", "mypy", "--enable-incomplete-feature=Unpack", "--cache-dir", str(tmp_path / "cache"), str(tmp_path / "use.py")]
        answer = subprocess.run(command, cwd=tmp_path, env={**os.environ, "MYPYPATH": str(HERE)}, capture_output=True, text=True)
        assert (answer.returncode == 0) == good, answer.stdout
        assert good or answer.stdout.count(" error: ") == 3, answer.stdout


def public(owner):
    return [(name, member) for name, member in vars(owner).items() if not name.startswith("_")]


def test_everything_public_has_a_docstring():
    for name in cardan.__all__:
        member = getattr(cardan, name)
        if inspect.ismodule(member):
            continue
        assert member.__doc__, name
        if inspect.isclass(member) and not issubclass(member, Exception):
            for inner, value in public(member):
                if callable(value) and not isinstance(value, type):
                    assert value.__doc__, f"{name}.{inner}"


@pytest.mark.skipif("CARDAN_BUILD" not in os.environ, reason="needs a build to take the module from")
def test_the_wheel_runs_in_an_empty_environment(tmp_path):
    for source, wheels in ((HERE.parent, tmp_path / "above"), (HERE, tmp_path / "here")):
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", "-w", str(wheels), str(source)]
        subprocess.run(pip, check=True)
        (wheel,) = wheels.glob("cardan-*.whl")
        assert f"cp{sys.version_info.major}{sys.version_info.minor}" in wheel.name
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python3"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)
    code = "import cardan; print(cardan.__file__); print(cardan.run('four_bar.yaml', until=0.01))"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    answer = subprocess.run([python, "-c", code], cwd=HERE.parent / "models", env=environment, check=True, capture_output=True, text=True)
    where, run = answer.stdout.splitlines()
    assert where.startswith(str(tmp_path)) and run.startswith("<Run of 'four-bar': ok")
    installed = Path(where).parent
    assert (installed / "py.typed").exists() and (installed / "_core.pyi").exists()


def test_the_archive_of_sources_can_be_configured(tmp_path):
    """Building from it is building all; that nothing is missing shows when CMake looks at every file."""
    code = "from build_from_above import *; print(build_sdist(r'%s'))" % tmp_path
    answer = subprocess.run([sys.executable, "-c", code], cwd=HERE, check=True, capture_output=True, text=True)
    name = answer.stdout.splitlines()[-1]
    subprocess.run(["tar", "xzf", name], cwd=tmp_path, check=True)
    root = tmp_path / name[: -len(".tar.gz")]
    assert "Name: cardan" in (root / "PKG-INFO").read_text()
    command = ["cmake", "-S", root, "-B", tmp_path / "build", "-D", "CARDAN_PYTHON=ON", "-D", f"CARDAN_PYTHON_EXECUTABLE={sys.executable}", "-D", "CARDAN_VIEWER=OFF"]
    subprocess.run(command, check=True, capture_output=True)
    for file in (root / "python" / "cardan").glob("*.py*"):
        assert (HERE / "cardan" / file.name).exists()
    assert len(list((root / "src").rglob("*.cpp"))) == len(list((HERE.parent / "src").rglob("*.cpp")))
