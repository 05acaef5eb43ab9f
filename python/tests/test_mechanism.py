"""Reading, building and changing mechanisms; functions; errors with element and line."""

import json
from pathlib import Path

import numpy as np
import pytest

import cardan

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"


def test_a_dict_is_the_file():
    text = """
cardan: 1
name: gate
planar: true
gravity: [0, -5]
points: {hinge: [0.5, 0.25]}
bodies: {arm: {rod: [hinge, [2, 0]], mass: 3}}
joints: {pin: {revolute: [ground, arm], at: hinge}}
loads: {buffer: {torsion: pin, stiffness: 50, damping: 0.1}}
simulation: {until: 0.5, step: 0.01, formulation: global}
"""
    described = {
        "name": "gate",
        "planar": True,
        "gravity": (0, -5),
        "points": {"hinge": np.array([0.5, 0.25])},
        "bodies": {"arm": {"rod": ["hinge", [2, 0]], "mass": np.float32(3)}},
        "joints": {"pin": {"revolute": ["ground", "arm"], "at": "hinge"}},
        "loads": {"buffer": {"torsion": "pin", "stiffness": 50, "damping": 0.1}},
        "simulation": {"until": 0.5, "step": 0.01, "formulation": "global"},
    }
    one, two = cardan.run(cardan.read_mechanism_text(text)), cardan.run(described)
    assert one.columns == two.columns and one.table.tobytes() == two.table.tobytes()


def test_parameters_replace_those_of_the_file():
    text = "cardan: 1\nplanar: true\nparameters: {L: 1, M: 2*L}\nbodies: {arm: {rod: [[0, 0], [L, 0]], mass: M}}\n"
    text += "joints: {pin: {revolute: [ground, arm], at: [0, 0]}}\n"
    mechanism = cardan.read_mechanism_text(text, "arm.yaml", {"L": 3})
    assert mechanism.parameters == {"L": 3, "M": 6}
    assert mechanism.bodies[0].mass == 6
    np.testing.assert_allclose(mechanism.bodies[0].center, [1.5, 0, 0])
    with pytest.raises(cardan.ModelError, match="N"):
        cardan.read_mechanism_text(text, "arm.yaml", {"N": 3})


def test_errors_keep_element_and_line(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text("cardan: 1\nplanar: true\nbodies:\n  arm: {rod: [[0, 0], [1, 0]], mass: 2}\njoints:\n  pin: {revolute: [ground, arn], at: [0, 0]}\n")
    with pytest.raises(cardan.ModelError) as caught:
        cardan.read_mechanism(file)
    (found,) = caught.value.diagnostics
    assert (found.file, found.line, found.element) == (str(file), 6, "joint 'pin'")
    assert "no body is called 'arn'" in found.message and "arm" in found.remedy
    assert str(caught.value) == found.text and isinstance(caught.value, ValueError)


def test_every_bad_model_of_the_tests_has_a_message():
    bad = sorted((ROOT / "tests" / "io" / "bad").glob("*.yaml"))
    assert len(bad) > 20
    for file in bad:
        with pytest.raises(cardan.ModelError) as caught:
            cardan.System(cardan.read_mechanism(file))
        assert caught.value.diagnostics and all(d.message for d in caught.value.diagnostics)


def test_a_builder_goes_on_from_a_file():
    changed = cardan.MechanismBuilder.read(MODELS / "four_bar.yaml")
    same = cardan.run(changed, until=0.1)
    assert same.table.tobytes() == cardan.run(MODELS / "four_bar.yaml", until=0.1).table.tobytes()
    joint = changed.build().joints[0].name
    other = cardan.run(changed.copy().friction("brake", joint, 5.0, 0.0), until=0.1)
    assert not np.array_equal(other.table[-1, :4], same.table[-1, :4])
    assert cardan.run(changed, until=0.1).table.tobytes() == same.table.tobytes()  # the copy was changed, not this
    with pytest.raises(ValueError, match="nothing is called 'nobody'"):
        changed.remove("nobody")
    with pytest.raises(cardan.ModelError):
        changed.remove(changed.build().bodies[0].name).build()


def test_add_takes_every_section_and_refuses_others():
    b = cardan.MechanismBuilder("m").planar()
    b.add("bodies", "arm", rod=[[0, 0], [1, 0]], mass=2).add("joints", "pin", revolute=["ground", "arm"], at=[0, 0])
    b.torsion("hold", "pin", 10).add("events", "let-go", at=0.05, off=["hold"]).sections(gravity=[0, -1], simulation={"until": 0.1})
    run = cardan.run(b)
    assert run.t[-1] == pytest.approx(0.1) and run.summary["events"]
    np.testing.assert_allclose(run.mechanism.gravity, [0, -1, 0])
    with pytest.raises(cardan.ModelError, match="did you mean 'stiffness'"):
        b.add("loads", "spring", torsion="pin", stifness=3)
    with pytest.raises(cardan.ModelError, match="did you mean 'loads'"):
        b.add("load", "spring", torsion="pin", stiffness=3)
    with pytest.raises(TypeError, match="numbers, words, lists and dicts"):
        b.add("loads", "spring", torsion="pin", stiffness=object())


def slide(**fields):
    b = cardan.MechanismBuilder("slide").planar().sections(gravity=[0, 0])
    b.box("mass", [0.1, 0.1, 0], [1, 0], 2).prismatic("rail", "ground", "mass", [1, 0], "x").joint_velocity("rail", 0.5)
    return b.add("loads", "pull", spring=["ground", "mass"], at=[[0, 0], [1, 0]], **fields)


def test_laws_of_python_in_fields():
    number = cardan.run(slide(stiffness=30, damping=0.7), step=0.01)
    for law in (lambda x: 30 * x, cardan.Function.polynomial([0, 30]), cardan.Function.custom(lambda x: (30 * x, 30, 0), derivatives=True)):
        run = cardan.run(slide(force=law, damping=0.7), step=0.01)
        np.testing.assert_allclose(run["rail.q"], number["rail.q"], atol=1e-9)
    with pytest.raises(ValueError, match="'at' cannot be a function|cannot be a function"):
        slide(stiffness=lambda x: x)


def test_functions_and_their_derivatives():
    rng = np.random.default_rng(1)
    functions = [
        cardan.Function.polynomial(rng.normal(size=4)),
        cardan.Function.sine(2, 3, 0.1, 1),
        cardan.Function.smooth_step(0, 1, 2, 4),
        cardan.Function.table([0, 1, 2.5], [1, -1, 3], "cubic"),
        cardan.Function.expression("a*x^2 + sin(x)", "x", {"a": 3}),
        cardan.Function.custom(lambda x: np.exp(-x)),
    ]
    for f in functions:
        for x in rng.uniform(0.1, 1.9, size=5):
            value, slope, bend = f.evaluate(x)
            h = 1e-4
            assert value == f(x)
            assert slope == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-5, abs=1e-5)
            assert bend == pytest.approx((f(x + h) - 2 * f(x) + f(x - h)) / h**2, rel=1e-3, abs=1e-3)
            assert f.antiderivative(2.0)(x) == pytest.approx(2 + f.integral(0, x), abs=1e-8)
    with pytest.raises(ValueError, match="one of linear, cubic"):
        cardan.Function.table([0, 1], [0, 1], "curly")


def test_registered_elements_are_checked_like_others():
    def lower(to, bow, strength):
        to.joint_spring(bow, spring=lambda x: strength * x)

    cardan.register_element("bow", [cardan.Field("bow", "joint"), cardan.Field("strength", unit="N", bound="positive")], lower, called="a bow")
    b = cardan.MechanismBuilder("m").planar().rod("arm", [0, 0], [1, 0], 2).revolute("pin", "ground", "arm", [0, 0])
    mine = cardan.run(b.copy().add("loads", "hold", bow="pin", strength=30))
    np.testing.assert_allclose(mine["pin.q"], cardan.run(b.copy().torsion("hold", "pin", 30))["pin.q"], atol=1e-9)
    assert "bow" in json.dumps(json.loads(cardan.json_schema()))
    for fields, message in [({"bow": "pn", "strength": 1}, "did you mean 'pin'"), ({"bow": "pin"}, "strength"), ({"bow": "pin", "strength": -1}, "greater than 0")]:
        with pytest.raises(cardan.ModelError, match=message):
            b.copy().add("loads", "hold", **fields).build()
    with pytest.raises(ValueError, match="bow"):
        cardan.register_element("bow", [], lower)
    with pytest.raises(ValueError, match="no sort of field is called 'numbr'; did you mean 'number'"):
        cardan.Field("x", "numbr")
