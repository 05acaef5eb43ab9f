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
