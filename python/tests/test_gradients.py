"""Runs with derivatives: against differences of runs, forwards against backwards, and what is raised."""

from pathlib import Path

import numpy as np
import pytest

import cardan

FOUR_BAR = Path(__file__).resolve().parents[2] / "models" / "four_bar.yaml"
HOW = {"until": 0.5, "step": 0.01, "formulation": "hybrid"}


def cart(p):
    """Pushed along a rail: x = F t^2/(2 m), which the trapezoidal rule meets exactly."""
    b = cardan.MechanismBuilder("cart").planar().gravity([0, 0]).box("cart", [0.1, 0.1, 0.1], [0, 0], p["m"])
    b.prismatic("rail", "ground", "cart", [0, 0], "x").actuator("push", "rail", p["F"])
    return b.add("signals", "way", value="rail.q").add("signals", "speed", value="rail.v")


def test_in_closed_form():
    m, F = 2.0, 3.0
    run = cardan.run_with_gradients(cart, {"m": m, "F": F}, ["way", "speed"], **HOW)
    assert run.columns == ["t", "way", "speed"] and run.parameters == ["m", "F"] and run.summary["status"] == "ok"
    t = run.t
    assert run["way"] == pytest.approx(F * t**2 / (2 * m), abs=1e-12)
    assert run.slope("way", "m") == pytest.approx(-F * t**2 / (2 * m**2), abs=1e-8)
    assert run.slope("way", "F") == pytest.approx(t**2 / (2 * m), abs=1e-8)
    assert run.slope("speed", "F") == pytest.approx(t / m, abs=1e-8)


def test_arrays_share_memory():
    run = cardan.run_with_gradients(lambda p: cart({**p, "F": 1}), {"m": 2.0}, ["way"], **HOW)
    assert np.shares_memory(run["way"], run.table)
    assert np.shares_memory(run.slope("way", "m"), run.slopes) and run.slopes.shape == (len(run.t), 1, 2)
    table = run.table
    del run
    assert np.isfinite(table).all()


def loop(p):
    """The four-bar of the models with the angle of its crank as a signal."""
    return cardan.MechanismBuilder.read(FOUR_BAR, p).add("signals", "angle", value="pinA0.q")


def test_of_a_loop_against_differences():
    values = {"L": 1.1, "m": 1.0}
    run = cardan.run_with_gradients(loop, values, ["angle"], **HOW)
    d = 1e-4
    sides = [cardan.run(loop({**values, "L": 1.1 + s * d}), **HOW)["pinA0.q"] for s in (1, -1)]
    expected = (sides[0] - sides[1]) / (2 * d)
    assert run.slope("angle", "L") == pytest.approx(expected, abs=1e-6 * abs(expected).max())
    assert abs(run.slope("angle", "m")).max() < 1e-7  # the motion does not depend on it


def test_backwards_is_forwards():
    values = {"L": 1.1, "m": 1.0}

    def end(table):
        by = np.zeros_like(table)
        by[-1, 1] = 1
        return table[-1, 1], by

    def squares(table):
        by = np.zeros_like(table)
        by[:, 1] = 2 * table[:, 1]
        return (table[:, 1] ** 2).sum(), by

    forth = cardan.run_with_gradients(loop, values, ["angle"], **HOW)
    back = cardan.run_with_adjoint(loop, values, ["angle"], [end, squares], **HOW)
    angle, slopes = forth["angle"], forth.slopes[:, :, 1]
    assert back.values == pytest.approx([angle[-1], (angle**2).sum()])
    assert back.gradient.shape == (2, 2)
    assert back.gradient[0] == pytest.approx(slopes[-1], abs=1e-6)
    assert back.gradient[1] == pytest.approx(2 * angle @ slopes, abs=1e-5)


def test_a_path_is_a_model(tmp_path):
    text = FOUR_BAR.read_text() + "signals: {angle: pinA0.q}\n"
    (tmp_path / "bar.yaml").write_text(text)
    run = cardan.run_with_gradients(tmp_path / "bar.yaml", {"L": 1.1}, ["angle"], **HOW)
    again = cardan.run_with_gradients(loop, {"L": 1.1}, ["angle"], **HOW)
    assert run.slope("angle", "L") == pytest.approx(again.slope("angle", "L"), abs=1e-9)


def test_what_is_wrong_is_raised():
    with pytest.raises(ZeroDivisionError):
        cardan.run_with_gradients(lambda p: 1 / 0, {"m": 1.0}, ["way"])
    with pytest.raises(ZeroDivisionError):  # of a mechanism beside the first
        cardan.run_with_gradients(lambda p: cart({**p, "F": 1 / (p["m"] == 2)}), {"m": 2.0}, ["way"], **HOW)
    with pytest.raises(cardan.ModelError, match="mass"):
        cardan.run_with_gradients(cart, {"m": -1.0, "F": 1.0}, ["way"], **HOW)
    with pytest.raises(ValueError, match="no signal is called 'wy'"):
        cardan.run_with_gradients(cart, {"m": 1.0, "F": 1.0}, ["wy"], **HOW)
    with pytest.raises(ValueError, match="chooses its steps"):
        cardan.run_with_gradients(cart, {"m": 1.0, "F": 1.0}, ["way"], integrator="dopri5")
    with pytest.raises(KeyError, match="'k' has a scale"):
        cardan.run_with_gradients(cart, {"m": 1.0, "F": 1.0}, ["way"], scales={"k": 1}, **HOW)
    with pytest.raises(ZeroDivisionError):
        cardan.run_with_adjoint(cart, {"m": 1.0, "F": 1.0}, ["way"], [lambda table: 1 / 0], **HOW)
    with pytest.raises(ValueError, match="the shape of the table"):
        cardan.run_with_adjoint(cart, {"m": 1.0, "F": 1.0}, ["way"], [lambda table: (0.0, table[0])], **HOW)
    refusal = cardan.adjoint_refusal(cart({"m": 1, "F": 1}), formulation="global")
    assert "global" in refusal and cardan.adjoint_refusal(cart({"m": 1, "F": 1}), formulation="hybrid") == ""
    with pytest.raises(ValueError, match="have no adjoint"):
        cardan.run_with_adjoint(cart, {"m": 1.0, "F": 1.0}, ["way"], [], **{**HOW, "formulation": "global"})
