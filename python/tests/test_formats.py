"""Files of other programs, there and back."""

import re
import subprocess
from pathlib import Path

import pytest

import cardan

ROOT = Path(__file__).resolve().parents[2]

ROBOT = """<robot name="arm">
  <link name="base"/>
  <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.17" iyy="0.17" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pin" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
"""
HOW = {"until": 0.3, "step": 0.01, "formulation": "hybrid"}


def kicked(model):
    return cardan.MechanismBuilder.read(model).add("initial", "pin", velocity=2)


def test_a_robot_there_and_back(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    text = cardan.import_model(str(path))
    assert text.startswith("# Made from arm.urdf")
    (tmp_path / "arm.yaml").write_text(text)
    direct, imported = (cardan.run(kicked(tmp_path / name), **HOW) for name in ("arm.urdf", "arm.yaml"))
    assert (direct.table == imported.table).all() and direct["pin.q"][-1] > 0.1
    out = cardan.export_urdf(kicked(path), "again.urdf")
    assert out.left_out == [] and "file: again.urdf" in out.sidecar
    (tmp_path / "again.urdf").write_text(out.text)
    (tmp_path / "again.yaml").write_text(out.sidecar)
    again = cardan.run(tmp_path / "again.yaml", **HOW)
    assert again["robot/pin.q"] == pytest.approx(direct["pin.q"], abs=1e-9)


def test_options_of_the_import(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT.replace('"continuous">', '"revolute"><limit lower="-1" upper="2" effort="0" velocity="0"/>'))
    assert "stops" not in cardan.import_model(str(path))
    assert "min: -1" in cardan.import_model(str(path), stops=1e4)
    assert "free: [ground, base]" in cardan.import_model(str(path), floating=True)


def test_models_for_mujoco():
    bars = cardan.MechanismBuilder("bar").planar().rod("a", [0, 0], [0, 1], 1).rod("b", [0, 1], [1, 1], 1)
    bars.revolute("p", "ground", "a", [0, 0]).revolute("q", "a", "b", [0, 1])
    assert cardan.export_mjcf(bars).left_out == []
    bars.spring("pull", "ground", "b", [2, 0], [1, 1], 50)
    with pytest.raises(cardan.ModelError, match="pull"):
        cardan.export_mjcf(bars)
    out = cardan.export_mjcf(bars, leave_out=True)
    assert "<mujoco" in out.text and "hinge" in out.text and len(out.left_out) == 1


def test_what_is_wrong_has_its_line(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT.replace('link="rod"/>', 'link="rodd"/>'))
    with pytest.raises(cardan.ModelError, match="no link is called 'rodd'") as caught:
        cardan.import_model(str(path))
    assert caught.value.diagnostics[0].line == 4 and caught.value.diagnostics[0].element == "joint 'pin'"
    with pytest.raises(ValueError):
        cardan.import_model("arm.step")


@pytest.mark.parametrize(("page", "count"), [("formats.md", 5), ("connect.md", 2)])
def test_commands_of_the_pages(page, count, tmp_path):
    """Every one as it stands there, one after the other; then the model that goes on with what they wrote."""
    for folder in ("models", "tests"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    text = (ROOT / "docs" / page).read_text()
    commands = re.findall(r"^    cardan ([^#\n]+)", text, re.M)
    assert len(commands) == count
    for command in commands:
        answer = subprocess.run([cardan.program(), *command.split()], cwd=tmp_path, capture_output=True, text=True)
        assert answer.returncode == 0, f"{command}\n{answer.stderr}"
    if page == "formats.md":
        (model,) = re.findall(r"^```yaml apart\n(.*?)^```$", text, re.M | re.S)
        (tmp_path / "closed.yaml").write_text(model)
        run = cardan.run(tmp_path / "closed.yaml")
        assert run.status == "ok" and run["robot/pinA0.q"][-1] - run["robot/pinA0.q"][0] == pytest.approx(0.5)
