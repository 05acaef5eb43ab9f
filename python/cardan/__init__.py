"""Cardan: dynamics of multibody systems with closed loops.

    import cardan
    run = cardan.run("four_bar.yaml", formulation="hybrid", step=0.001, until=2)
    run["crank.angle"], run.summary["energy"], run.plot("crank.angle")

Everything is in SI units and radians. docs/python.md is the tutorial.
"""

import json as _json

from . import _core
from ._errors import Error, ModelError, StepError
from ._core import (
    BodyMotion,
    BodyPose,
    Body,
    Context,
    CoordinateHandle,
    Diagnostic,
    Ensemble,
    Equilibrium,
    ExportedModel,
    Field,
    FormulationCounts,
    FrameHandle,
    FrameMotion,
    FramePair,
    Function,
    Input,
    InverseDynamics,
    Joint,
    JointHandle,
    LinearSystem,
    Linearization,
    Lowering,
    LoadHandle,
    LoadValue,
    Mechanism,
    MechanismBuilder,
    Mode,
    Momentum,
    Simulation,
    System,
    __version__,
    adjoint_refusal,
    bias_forces,
    carried_over,
    check_options,
    constraint_bias,
    constraint_jacobian,
    constraint_values,
    count_coordinates,
    driven_efforts,
    effort_direction,
    energy,
    export_mjcf,
    export_urdf,
    find_equilibrium,
    formulations,
    forward_dynamics,
    frame_bias,
    frame_jacobian,
    frame_motion,
    gravity_forces,
    gravity_torques,
    import_model,
    input_value,
    integrators,
    inverse_dynamics,
    inverse_dynamics_at,
    joint_position,
    joint_reaction,
    joint_space,
    joint_space_mass_matrix,
    joint_velocity,
    json_schema,
    linearize,
    load_effort,
    load_forces,
    load_wrench,
    mass_matrix,
    mechanism,
    momentum,
    option_list,
    read_mechanism,
    read_mechanism_text,
    register_element,
    relative_motion,
    signals,
    state_value,
    why_not,
    with_attitude,
    with_efforts,
    with_frame,
    with_input,
    with_joints,
    with_state,
)
from ._gradients import AdjointRun, GradientRun, run_with_adjoint, run_with_gradients
from ._run import FailedRun, Run, program, run, run_many

Simulation.summary = property(  # type: ignore
    lambda self: _json.loads(self._summary()), doc="As in summary.json, so far."
)

__all__ = [name for name in dir() if not name.startswith("_")]
