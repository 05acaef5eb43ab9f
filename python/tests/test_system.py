"""Matrices, linearization, analyses: against each other and against closed forms."""

from pathlib import Path

import numpy as np
import pytest

import cardan

MODELS = Path(__file__).resolve().parents[2] / "models"


@pytest.mark.parametrize("formulation", ["hybrid", "global", "cartesian"])
@pytest.mark.parametrize("model", ["four_bar.yaml", "slider_crank.yaml", "stewart_platform.yaml"])
def test_the_equations_of_motion_hold(model, formulation):
    system = cardan.System(MODELS / model, formulation)
    state = system.start()
    n, m = system.coordinates, system.constraints
    M, h = cardan.mass_matrix(system, state), cardan.bias_forces(system, state)
    J, gamma = cardan.constraint_jacobian(system, state), cardan.constraint_bias(system, state)
    a, multipliers = cardan.forward_dynamics(system, state)
    assert M.shape == (n, n) and h.shape == (n,) and J.shape == (m, n) and gamma.shape == (m,)
    assert len(system.coordinate_names) == n and len(system.constraint_names) == m
    scale = abs(h).max() + 1
    np.testing.assert_allclose(M, M.T, atol=1e-9 * abs(M).max())
    np.testing.assert_allclose(M @ a + h + J.T @ multipliers, 0, atol=1e-7 * scale)
    np.testing.assert_allclose(J @ a, gamma, atol=1e-6 * (1 + abs(gamma).max()))
    np.testing.assert_allclose(cardan.constraint_values(system, state), 0, atol=1e-9)
    np.testing.assert_allclose(cardan.inverse_dynamics(system, state, a), M @ a + h, atol=1e-9 * scale)
    assert cardan.signals(system, state).shape == (len(system.signal_names),)
    kinetic, potential = cardan.energy(system, state)
    assert kinetic == pytest.approx(0.5 * state.v @ M @ state.v, abs=1e-9) and np.isfinite(potential)


def test_frame_jacobians_are_velocities():
    b = cardan.MechanismBuilder("arm").rod("one", [0, 0, 0], [1, 0, 0], 2, 0.05).rod("two", [1, 0, 0], [1, 1, 0], 1, 0.05)
    b.revolute("a", "ground", "one", [0, 0, 0], "z").revolute("b", "one", "two", [1, 0, 0], "x").marker("tip", "two", [1, 1, 0])
    system = cardan.System(b)
    handles = [system.coordinate("a"), system.coordinate("b")]
    state = cardan.with_joints(system, system.start(), handles, [0.3, -0.7], [1.1, 0.4])
    for handle, q, v in zip(handles, [0.3, -0.7], [1.1, 0.4]):
        assert cardan.joint_position(system, state, handle) == pytest.approx(q)
        assert cardan.joint_velocity(system, state, handle) == pytest.approx(v)
    for frame in (system.marker("tip"), system.frame("two", [1, 0.3, 0])):
        motion = cardan.frame_motion(system, state, frame)
        twist = cardan.frame_jacobian(system, state, frame) @ state.v
        np.testing.assert_allclose(twist, np.concatenate([motion.velocity, motion.angular_velocity]), atol=1e-12)
        np.testing.assert_allclose(motion.rotation.T @ motion.rotation, np.eye(3), atol=1e-12)
    with pytest.raises(ValueError, match="did you mean 'tip'"):
        system.marker("tp")
    with pytest.raises(ValueError):
        cardan.mass_matrix(cardan.System(b, "global"), state)


def test_pendulum_in_closed_form():
    length, mass, k = 0.8, 1.7, 30.0
    b = cardan.MechanismBuilder("pendulum").planar().rod("arm", [0, 0], [0, -length], mass)
    b.revolute("pin", "ground", "arm", [0, 0]).torsion("spring", "pin", k)
    rest = cardan.find_equilibrium(b)
    assert rest.converged and rest["pin.q"] == pytest.approx(0, abs=1e-9) and rest.unstable == 0
    inertia, stiffness = mass * length**2 / 3, k + mass * 9.81 * length / 2
    about = cardan.linearize(b, rest)
    assert about.modes[0].frequency == pytest.approx(np.sqrt(stiffness / inertia) / (2 * np.pi), rel=1e-9)
    assert about.modes[0].eigenvalue.imag == pytest.approx(np.sqrt(stiffness / inertia), rel=1e-9)
    assert about.modes[0].shape.dtype == complex
    np.testing.assert_allclose(about.stiffness @ np.linalg.inv(about.mass), stiffness / inertia, rtol=1e-9)
    system = cardan.System(b)
    A = cardan.linearize(system, system.start()).A
    np.testing.assert_allclose(A, [[0, 1], [-stiffness / inertia, 0]], atol=1e-6)
    np.testing.assert_allclose(cardan.joint_space_mass_matrix(b, [0.3]), [[inertia]], rtol=1e-9)
    torque = cardan.gravity_torques(b, [0.3])[0]
    assert torque == pytest.approx(mass * 9.81 * length / 2 * np.sin(0.3), rel=1e-9)
    effort = cardan.inverse_dynamics_at(b, [0.3], [0], [2])[0]
    assert effort == pytest.approx(2 * inertia + torque + k * 0.3, rel=1e-9)
    assert cardan.joint_space(b) == ["pin"]


def test_inverse_dynamics_along_a_driver():
    b = cardan.MechanismBuilder("arm").planar().rod("arm", [0, 0], [0, -1], 2).revolute("pin", "ground", "arm", [0, 0])
    b.driver("path", "pin", "0.4*sin(2*t)")
    result = cardan.driven_efforts(b, step=0.05, until=1)
    t = result.time
    q, a = 0.4 * np.sin(2 * t), -1.6 * np.sin(2 * t)
    assert result.names == ["path"]
    np.testing.assert_allclose(result.position[:, 0], q, atol=1e-9)
    np.testing.assert_allclose(result.effort[:, 0], 2 / 3 * a + 2 * 9.81 * 0.5 * np.sin(q), atol=1e-6)


def turn_about(axis, angle):
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


@pytest.mark.parametrize("formulation", ["global", "hybrid", "topological", "recursive", "cartesian"])
def test_states_are_set_by_frames(formulation):
    b = cardan.MechanismBuilder("ball").body("ball", 2, [0, 0, -0.5], np.diag([0.1, 0.2, 0.25]).tolist())
    b.body("stone", 3, [1, 0, 0], np.diag([0.1, 0.2, 0.25]).tolist()).spherical("eye", "ground", "ball", [0, 0, 0])
    b.free("air", "ground", "stone")
    system = cardan.System(b, formulation)
    turn, spin = turn_about([1, -2, 0.5], 2.5), np.array([1.0, -0.3, 0.7])
    one, two = system.joint_frame("eye", 1), system.joint_frame("eye", 2)
    state = cardan.with_attitude(system, system.start(), two, turn, spin, one)
    stone = system.centre("stone")
    state = cardan.with_frame(system, state, stone, [3, 2, 1], turn.T, [0, 1, 0], spin)
    eye, moved = cardan.relative_motion(system, state, two, one), cardan.relative_motion(system, state, stone)
    np.testing.assert_allclose(eye.rotation, turn, atol=1e-10)
    np.testing.assert_allclose(eye.angular_velocity, spin, atol=1e-10)
    np.testing.assert_allclose(moved.position, [3, 2, 1], atol=1e-10)
    np.testing.assert_allclose(moved.rotation, turn.T, atol=1e-10)
    np.testing.assert_allclose(moved.velocity, [0, 1, 0], atol=1e-10)
    centre = cardan.momentum(system, state)
    ball = cardan.frame_motion(system, state, system.centre("ball"))
    np.testing.assert_allclose(centre.centre, (2 * ball.position + 3 * np.array([3, 2, 1])) / 5, atol=1e-10)
    np.testing.assert_allclose(centre.linear, 2 * ball.velocity + 3 * np.array([0, 1, 0]), atol=1e-10)
    assert centre.mass == 5 and centre.angular.shape == (3,)
    np.testing.assert_allclose(centre.velocity, centre.linear / 5, atol=1e-12)
    with pytest.raises(ValueError):
        cardan.with_frame(system, state, system.centre("ball"), [5, 5, 5], turn)


PUMP = """cardan: 1
name: pump
planar: true
gravity: [0, -9.81]
parameters: {m: 2}
bodies:
  piston: {mass: m, inertia: 0.1, center: [0, 0]}
joints:
  bore: {prismatic: [ground, piston], at: [0, 0], axis: [1, 0]}
inputs:
  valve: {start: 0.2, min: -1, max: 1}
states:
  p: {start: 3, scale: 10, rate: valve - 0.1*p}
loads:
  push: {actuator: bore, effort: 0.5*p + 4*valve}
  coil: {spring: [ground, piston], at: [[-1, 0], [0, 0]], stiffness: 30, free_length: 0.8}
"""


def test_forces_inputs_and_states_by_handle():
    system = cardan.System(cardan.read_mechanism_text(PUMP))
    valve, p = system.input("valve"), system.state("p")
    state = cardan.with_state(system, cardan.with_input(system, system.start(), valve, 0.5), p, -2)
    assert cardan.input_value(system, state, valve) == 0.5 and cardan.state_value(system, state, p) == pytest.approx(-2)
    push, coil = system.load("push"), system.load("coil")
    assert cardan.load_effort(system, state, push) == pytest.approx((0, 1))
    assert cardan.load_effort(system, state, coil) == pytest.approx((1, 6))
    force, moment = cardan.load_wrench(system, state, coil, system.body("piston"))
    np.testing.assert_allclose(force, [-6, 0, 0], atol=1e-12)
    np.testing.assert_allclose(moment, 0, atol=1e-12)
    loads = cardan.gravity_forces(system, state)
    for load in (push, coil):
        loads = loads + cardan.load_forces(system, state, load)
    np.testing.assert_allclose(loads[0], -cardan.bias_forces(system, state)[0], atol=1e-12)
    force, moment = cardan.joint_reaction(system, state, system.joint("bore"))
    names, row = system.signal_names, cardan.signals(system, state)
    np.testing.assert_allclose(force[:2], [row[names.index("bore.fx")], row[names.index("bore.fy")]])
    a, _ = cardan.forward_dynamics(system, state)
    frame = system.frame("piston", [0, 0.1])
    motion = cardan.frame_motion(system, state, frame)
    twist = cardan.frame_jacobian(system, state, frame) @ a + cardan.frame_bias(system, state, frame)
    np.testing.assert_allclose(twist[:3], motion.acceleration, atol=1e-12)
    heavy = system.with_model(cardan.read_mechanism_text(PUMP, parameters={"m": 5}))
    over = cardan.carried_over(system, state, heavy)
    assert cardan.mass_matrix(heavy, over)[0, 0] == pytest.approx(5)
    with pytest.raises(ValueError):
        cardan.mass_matrix(heavy, state)
