"""Step by step: inputs, signals, states, controllers, laws of Python and their errors."""

import numpy as np
import pytest

import cardan


def cart():
    b = cardan.MechanismBuilder("cart")
    b.planar().body("cart", 2, [0, 0], 0.1).rod("rod", [0, 0], [0, 1.4], 0.6)
    b.prismatic("slide", "ground", "cart", [0, 0], "x").revolute("pin", "cart", "rod", [0, 0])
    b.add("inputs", "u", min=-10, max=10, unit="N")
    return b.actuator("motor", "slide", "u").joint_position("pin", 0.2)


def test_steps_are_those_of_a_run():
    run = cardan.run(cart(), step=0.01, until=1)
    simulation = cardan.Simulation(cart(), step=0.01)
    for i in range(1, 100):  # the last one of a run ends exactly at its end
        simulation.step()
        assert simulation.row.tobytes() == run.table[i].tobytes()
    assert simulation.summary["steps"] == 99


def test_row_is_one_array():
    simulation = cardan.Simulation(cart(), step=0.01)
    row = simulation.row
    before = row.copy()
    simulation.step()
    assert np.shares_memory(simulation.row, row)
    assert not np.array_equal(row, before)
    for i, name in enumerate(simulation.columns):
        assert simulation.signal(name) == i
        assert simulation[name] == simulation.value(i) == row[i]


def test_inputs_by_handle_and_by_name():
    simulation = cardan.Simulation(cart(), step=0.01)
    u = simulation.input("u")
    simulation.set_input(u, 3)
    assert simulation.input_value("u") == 3 and simulation["motor.effort"] == 3
    simulation.set_input("u", 1e6)
    simulation.step()
    assert simulation["motor.effort"] == 10  # its limit
    with pytest.raises(ValueError, match="no input is called 'v'"):
        simulation.set_input("v", 1)
    with pytest.raises(ValueError):
        simulation.set_input(u, float("nan"))
    for wrong in (-1, 1, 1000):
        with pytest.raises(IndexError):
            simulation.set_input(wrong, 0)
    with pytest.raises(IndexError):
        simulation.value(10000)
    with pytest.raises(ValueError, match="did you mean 'pin.q'"):
        simulation["pin.qq"]


def test_derivatives_by_inputs_are_exact():
    b = cart()
    b.add("signals", "bent", value="u^2*slide.q + sin(u)")
    simulation = cardan.Simulation(b, step=0.01)
    simulation.set_input("u", 0.7)
    for _ in range(10):
        simulation.step()
    row = dict(zip(simulation.columns, simulation.derivatives("u")))
    assert row["motor.effort"] == 1 and row["slide.q"] == row["rod.vx"] == row["t"] == 0
    assert row["bent"] == pytest.approx(1.4 * simulation["slide.q"] + np.cos(0.7), rel=1e-14)
    assert np.isnan(row["pin.fx"])
    assert np.array_equal(simulation.derivatives(0), simulation.derivatives("u"), equal_nan=True)
    with pytest.raises(IndexError):
        simulation.derivatives(1)


def test_states_repeat_bit_for_bit():
    simulation = cardan.Simulation(cart(), step=0.01)
    simulation.steps(20)
    state, record = simulation.state(), simulation.save()
    simulation.steps(30)
    row, poses = simulation.row.copy(), simulation.poses()
    simulation.restore(state)
    assert simulation.time == pytest.approx(0.2)
    simulation.steps(30)
    assert simulation.row.tobytes() == row.tobytes() and simulation.poses().tobytes() == poses.tobytes()
    another = cardan.Simulation(cart(), step=0.01)
    another.restore(record)
    another.steps(30)
    assert another.row.tobytes() == row.tobytes()
    with pytest.raises(ValueError, match="no record"):
        another.restore(record[:-1])
    with pytest.raises(ValueError):
        cardan.Simulation(cart().joint_velocity("pin", 1).remove("motor").actuator("motor", "pin", "u"), step=0.01).restore(state)


def test_poses_are_those_of_the_bodies():
    simulation = cardan.Simulation(cart(), step=0.01)
    simulation.steps(10)
    for i, pose in enumerate(simulation.poses()):
        body = simulation.body(i)
        assert np.array_equal(pose[:3], body.position)
        assert np.array_equal(pose[3:].reshape(3, 3).T, body.rotation)
    with pytest.raises(IndexError):
        simulation.body(2)
    with pytest.raises(ValueError, match="no body is called 'rid'"):
        simulation.body("rid")


def feedback(simulation):
    simulation.set_input("u", -30 * simulation["pin.q"] - 5 * simulation["pin.v"])


def test_controllers_of_runs_and_of_steps_are_the_same():
    run = cardan.run(cart(), step=0.01, until=1, controller=feedback)
    simulation = cardan.Simulation(cart(), step=0.01)
    simulation.steps(50, feedback)
    by_hand = cardan.Simulation(cart(), step=0.01)
    for _ in range(50):
        feedback(by_hand)
        by_hand.step()
    assert run.table[50].tobytes() == simulation.row.tobytes() == by_hand.row.tobytes()


def test_the_error_of_a_controlled_run_is_not_estimated():
    assert cardan.run(cart(), step=0.01, estimate_error=True).summary["error"]
    with pytest.raises(ValueError, match="controller cannot be estimated"):
        cardan.run(cart(), step=0.01, estimate_error=True, controller=feedback)


def test_a_controller_has_its_simulation_during_the_run_only():
    seen = []
    cardan.run(cart(), step=0.01, until=0.05, controller=seen.append)
    assert len(seen) == 5 and seen[0] is seen[-1]
    with pytest.raises(RuntimeError, match="has ended"):
        seen[0].time

    def broken(simulation):
        if simulation.time > 0.03:
            raise LookupError("out of ideas")

    for go in (lambda: cardan.run(cart(), step=0.01, controller=broken), lambda: cardan.Simulation(cart(), step=0.01).steps(9, broken)):
        with pytest.raises(LookupError, match="out of ideas"):
            go()


def test_a_failed_step_leaves_the_state():
    law = cardan.Function.custom(lambda t: float("nan") if t > 0.1 else 1.0)
    simulation = cardan.Simulation(cart().remove("motor").actuator("motor", "slide", law), step=0.03)
    with pytest.raises(cardan.StepError) as caught:
        while True:
            before = simulation.row.copy()
            simulation.step()
    assert caught.value.status and str(caught.value) == simulation.reason != ""
    assert simulation.row.tobytes() == before.tobytes() and 0.05 < simulation.time < 0.11


def test_what_a_law_raises_is_raised_by_the_step():
    calls = []

    def law(at):
        calls.append(at.t)
        if at.t > 0.05:
            raise ArithmeticError("the law ends")
        return np.zeros(3)

    b = cardan.MechanismBuilder("fall").sphere("ball", 0.05, [0, 0, 0], 0.2).free("air", "ground", "ball")
    simulation = cardan.Simulation(b.wrench("drag", "ball", law, at1=[0, 0, 0]), step=0.01)
    with pytest.raises(ArithmeticError, match="the law ends"):
        simulation.steps(100)
    assert 0.03 < simulation.time < 0.07
    with pytest.raises(ArithmeticError):
        simulation.step()
    assert np.isfinite(cardan.Simulation(cart(), step=0.01).row).all()  # nothing is left over for others


def test_wrenches_by_python_and_by_the_model_agree():
    k, c = 40.0, 1.5
    rng = np.random.default_rng(3)
    place = rng.normal(size=3)

    def base():
        return cardan.MechanismBuilder("ball").sphere("ball", 0.05, place, 0.2).free("air", "ground", "ball").velocity("ball", [1, 2, 3])

    def law(at):
        r = at.two.position - at.one.position
        return -k * r - c * at.two.velocity, np.zeros(3)

    mine = base().wrench("hold", "ball", law, at1=place, at2=place, energy=lambda at: 0.5 * k * np.sum((at.two.position - at.one.position) ** 2))
    theirs = base().add("loads", "hold", bushing=["ground", "ball"], at=list(place), stiffness=k, damping=c)
    one, two = cardan.run(mine, step=0.01), cardan.run(theirs, step=0.01)
    for column in ("ball.x", "ball.y", "ball.z", "ball.vx"):
        np.testing.assert_allclose(one[column], two[column], atol=1e-6)
    assert one.summary["energy"]["max_error"] == pytest.approx(two.summary["energy"]["max_error"], abs=1e-6)


def test_context_arrays_share_memory():
    system = cardan.System(cart())
    context = system.start()
    context.q[0] = 0.5
    assert context.q[0] == 0.5
    copy = context.copy()
    context.v[:] = 7
    assert not np.any(copy.v == 7)


def test_tangents_of_wrenches_are_taken():
    """A stiff hold: with its own derivatives, with differences, and as the model has it."""
    k, c = 4e4, 30.0
    rng = np.random.default_rng(4)
    place = rng.normal(size=3)
    eye, asked = np.eye(3), []

    def law(at):
        return -k * (at.two.position - at.one.position) - c * (at.two.velocity - at.one.velocity)

    def tangent(at):
        asked.append(at.t)
        by_place, by_rate = np.zeros((6, 6)), np.zeros((6, 6))
        by_place[:3, :3], by_rate[:3, :3] = k * eye, c * eye
        return by_place, -by_place, by_rate, -by_rate

    def ball(**more):
        b = cardan.MechanismBuilder("ball").sphere("ball", 0.05, place, 0.2).free("air", "ground", "ball").velocity("ball", [1, 2, 3])
        return b.wrench("hold", "ball", law, at1=place, at2=place, **more)

    runs = [cardan.run(ball(**more), step=0.01, until=0.5, integrator="trapezoidal") for more in ({"tangent": tangent}, {})]
    for column in ("ball.x", "ball.vy", "ball.vz"):
        np.testing.assert_allclose(runs[0][column], runs[1][column], atol=1e-7)
    assert len(asked) > 50
    wrong = ball(tangent=lambda at: (np.zeros((6, 6)),))
    with pytest.raises(ValueError, match="two blocks"):
        cardan.run(wrong, step=0.01, until=0.5, integrator="trapezoidal")


class Controller:
    """A PI controller with memory, asked every 10 ms."""

    def __init__(self):
        self.sum, self.last = 0.0, None

    def step(self, t, h, inputs):
        if self.last is not None:
            self.sum += h * self.last
        self.last = inputs[0]
        return [-40 * inputs[0] - 10 * self.sum - 6 * inputs[1]]

    def save(self):
        return np.array([self.sum, self.last]).tobytes()

    def restore(self, saved):
        self.sum, self.last = np.frombuffer(saved)


def arm(effort):
    b = cardan.MechanismBuilder("arm").planar().rod("arm", [0, 0], [1, 0], 2).revolute("pin", "ground", "arm", [0, 0])
    return b.add("loads", "motor", actuator="pin", effort=effort)


def test_companions_in_python_are_sampled_signals():
    mine = arm("control.u").companion("control", Controller, 0.01, {"angle": "pin.q", "rate": "pin.v"}, ["u"])
    theirs = arm("u").sections(
        signals={
            "sum": {"value": "sum + 0.01*before", "every": 0.01},
            "before": {"value": "pin.q", "every": 0.01},
            "u": {"value": "-40*pin.q - 10*(sum + 0.01*before) - 6*pin.v", "every": 0.01},
        }
    )
    one, two = (cardan.run(b, step=0.002, until=1) for b in (mine, theirs))
    np.testing.assert_allclose(one["pin.q"], two["pin.q"], atol=1e-12)
    np.testing.assert_allclose(one["control.u"], two["u"], atol=1e-10)
    assert abs(one["pin.q"]).max() > 0.1


class Growing(Controller):
    """Saves more every time."""

    def save(self):
        self.times = 4 * getattr(self, "times", 1)
        return super().save() + bytes(1000 * self.times)


def test_companions_may_save_more_every_time():
    description = arm("control.u").companion("control", Growing, 0.01, {"angle": "pin.q", "rate": "pin.v"}, ["u"])
    simulation = cardan.Simulation(description, step=0.002)
    sizes = []
    for _ in range(4):
        simulation.steps(10)
        sizes.append(len(simulation.save()))
        assert len(simulation.save()) == sizes[-1]  # nothing has moved
    assert sizes == sorted(set(sizes))


def test_companions_are_saved_and_what_they_raise_is_raised():
    description = arm("control.u").companion("control", Controller, 0.01, {"angle": "pin.q", "rate": "pin.v"}, {"u": 1.5})
    simulation = cardan.Simulation(description, step=0.002)
    simulation.steps(103)
    saved = simulation.state()
    simulation.steps(200)
    there = simulation["pin.q"]
    simulation.restore(saved)
    simulation.steps(200)
    assert simulation["pin.q"] == there

    class Broken(Controller):
        def step(self, t, h, inputs):
            if t > 0.1:
                raise KeyError("it has had enough")
            return [0.0]

    with pytest.raises(KeyError, match="had enough"):
        cardan.run(arm("control.u").companion("control", Broken, 0.01, {"angle": "pin.q"}, ["u"]), step=0.002, until=1)
    with pytest.raises(ValueError, match="a companion needs a method step"):
        cardan.Simulation(arm("control.u").companion("control", object, 0.01, {}, ["u"]), step=0.002)
    with pytest.raises(ValueError, match="has 2 outputs, but gave 1"):
        cardan.run(arm("control.u").companion("control", Controller, 0.01, {"a": "pin.q", "b": "pin.v"}, ["u", "w"]), step=0.002, until=1)
    with pytest.raises(ZeroDivisionError):
        cardan.Simulation(arm("control.u").companion("control", lambda: 1 / 0, 0.01, {}, ["u"]), step=0.002)


def test_events_are_planned():
    b = cardan.MechanismBuilder("arm").planar().rod("arm", [0, 0], [1, 0], 2).revolute("pin", "ground", "arm", [0, 0])
    b.free("air", "ground", "arm").add("events", "off", at=0.25, release="pin").add("events", "low", when="pin.q < -1", once=True)
    first, second = cardan.Simulation(b).planned_events()
    assert (first["name"], first["time"], first["degrees_of_freedom"]) == ("off", 0.25, 3)
    assert (second["name"], second["time"], second["condition"]) == ("low", np.inf, "pin.q < -1")
