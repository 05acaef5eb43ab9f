"""The options of a run, written by write_stubs.py from the list of the library."""

from typing import Optional, TypedDict


class Options(TypedDict, total=False):
    """Keywords of run() and Simulation."""

    formulation: Optional[str]  # how motion is written (default: auto): one of formulations(), or auto
    integrator: Optional[str]  # how time is stepped (default: auto): one of integrators(), or auto
    treatment: Optional[str]  # of constraints (default: the integrator's own): augmented, independent
    step: Optional[float]  # time step, s (default: 0.001)
    until: Optional[float]  # end of the run, s (default: 1)
    error: Optional[float]  # wanted, in sizes of the mechanism or rad: integrator auto holds it with the least work
    step_control: Optional[str]  # how steps are chosen: fixed, error, energy, increment, residual
    tolerance: Optional[float]  # where Newton's iteration stops (default: automatic)
    absolute_tolerance: Optional[float]  # of step control, on positions (default 1e-6)
    relative_tolerance: Optional[float]  # of step control, on positions (default 1e-6)
    jacobian: Optional[str]  # of implicit integrators on cartesian: kept, fresh
    index: Optional[int]  # of the equations that bdf solves: 2 (default, stabilized) or 3
    step_min: Optional[float]  # shortest step of step control, s (default: a millionth of the step)
    step_max: Optional[float]  # longest step of step control, s (default: none)
    fixed_penalty: Optional[bool]  # True: step control leaves the penalty as it is
    projections: Optional[bool]  # False: leave the constraint errors at the end of a step as they are
    penalty: Optional[float]  # one factor for all constraints (default: automatic ones)
    iterations: Optional[int]  # fixed number of Newton iterations in each step (default: until convergence)
    solver: Optional[str]  # linear solver (default: automatic): automatic, dense, sparse, profile
    dissipation: Optional[float]  # xi of newmark, 0 to 1, delta of hht, 0 to 1/3 (default: 0.1)
    spectral_radius: Optional[float]  # of generalized-alpha at infinite frequency, 0 to 1 (default: 0.8)
    start: Optional[str]  # 'equilibrium': start from the static equilibrium, not as drawn: drawn, equilibrium
    every: Optional[int]  # write every so many steps, and the last (default: 1)
    cut: Optional[list[str]]  # joints at which relative coordinates open the loops (default: automatic)
