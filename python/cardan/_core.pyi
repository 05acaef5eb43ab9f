"""What the module has, written by write_stubs.py."""

from typing import Any, Callable, Iterator, Optional, Union, overload

import numpy
from numpy.typing import ArrayLike

__version__: str


class Body:
    """A rigid body as drawn, in inertial axes."""


    @property
    def axes(self) -> numpy.ndarray:
        """The body's own axes, as columns."""

    @property
    def center(self) -> numpy.ndarray:
        """The mass centre, m."""

    @property
    def inertia(self) -> numpy.ndarray:
        """About the mass centre, kg m^2."""

    @property
    def mass(self) -> float:
        """kg"""

    @property
    def name(self) -> str: ...


class BodyMotion:
    """The pose and motion of a body or frame, inertial axes."""


    @property
    def acceleration(self) -> numpy.ndarray:
        """m/s^2"""

    @property
    def angular_acceleration(self) -> numpy.ndarray:
        """rad/s^2"""

    @property
    def angular_velocity(self) -> numpy.ndarray:
        """rad/s"""

    @property
    def position(self) -> numpy.ndarray:
        """m"""

    @property
    def rotation(self) -> numpy.ndarray:
        """Columns are its axes."""

    @property
    def velocity(self) -> numpy.ndarray:
        """m/s"""


class BodyPose:
    """Where a body is."""


    @property
    def position(self) -> numpy.ndarray:
        """Of its mass centre, m."""

    @property
    def rotation(self) -> numpy.ndarray:
        """Columns are its axes."""


class Context:
    """The one value that a motion is: time, coordinates, velocities, and what a stepper remembers. From
    System.start(), with_joints() or Simulation.state(). Arrays share its memory."""


    @property
    def acceleration(self) -> numpy.ndarray:
        """Their accelerations."""
    @acceleration.setter
    def acceleration(self, value: Any) -> None: ...

    def copy(self) -> Context:
        """Another one like this."""

    @property
    def multipliers(self) -> numpy.ndarray:
        """Of the constraints."""
    @multipliers.setter
    def multipliers(self, value: Any) -> None: ...

    @property
    def q(self) -> numpy.ndarray:
        """Coordinates of the formulation."""
    @q.setter
    def q(self, value: Any) -> None: ...

    @property
    def t(self) -> float:
        """s"""
    @t.setter
    def t(self, value: Any) -> None: ...

    @property
    def v(self) -> numpy.ndarray:
        """Their velocities."""
    @v.setter
    def v(self, value: Any) -> None: ...


class CoordinateHandle:
    """One coordinate of a joint, of one System."""


    @property
    def index(self) -> int: ...


class Diagnostic:
    """One thing that is wrong with a model, or doubtful: where, what, and what would be right."""


    @property
    def column(self) -> int:
        """From 1; 0 when there is none."""

    @property
    def element(self) -> str:
        """"joint 'pinA0'", or empty when it concerns the whole model."""

    @property
    def file(self) -> str:
        """Empty when it was built in Python."""

    @property
    def line(self) -> int:
        """From 1; 0 when there is none."""

    @property
    def message(self) -> str:
        """What is wrong."""

    @property
    def remedy(self) -> str:
        """What would be right; may be empty."""

    @property
    def text(self) -> str:
        """As the command line prints it."""


class Ensemble:
    """Instances of one mechanism that differ in numbers alone, four at a time in the lanes of the processor's vectors. The same steps as Simulation makes, equal to rounding."""

    def __init__(self, models: list, signals: list[str] = ..., **options: Any) -> None:
        """An instance for each model. Options are those of run(); the formulation is hybrid, the step constant."""

    @property
    def columns(self) -> list[str]:
        """Names of what sample() tells of."""

    @staticmethod
    def instructions() -> str:
        """The set of instructions that steps use: 'avx2' or 'plain'."""

    def ok(self, instance: int) -> bool:
        """Whether an instance is still under way."""

    @staticmethod
    def refusal(model: Any, **options: Any) -> str:
        """Why a model cannot go in lanes with these options; empty when it can."""

    def restore(self, instance: int, state: Context) -> None:
        """Lets an instance go on from a state."""

    def sample(self) -> numpy.ndarray:
        """A row of the columns for each instance."""

    def set_input(self, instance: int, input: str, value: float) -> None:
        """From now on."""

    def state(self, instance: int) -> Context:
        """The motion of an instance."""

    def steps(self, count: int = 1) -> None:
        """So many steps of the option `step`. One that cannot go on stays where it was."""

    def time(self, instance: int) -> float:
        """s"""


class Equilibrium:
    """A position of rest."""

    def __getitem__(self, column: str) -> float: ...


    @property
    def bodies(self) -> list[BodyPose]:
        """Poses, in the order of the mechanism."""

    @property
    def columns(self) -> list[str]: ...

    @property
    def converged(self) -> bool: ...

    @property
    def degrees_of_freedom(self) -> int: ...

    @property
    def force(self) -> float:
        """Largest unbalanced force on a body, N."""

    @property
    def iterations(self) -> int: ...

    @property
    def loads(self) -> list[LoadValue]: ...

    @property
    def moment(self) -> float:
        """Largest unbalanced moment, N m."""

    @property
    def neutral(self) -> list[str]:
        """Motions that nothing resists."""

    @property
    def notes(self) -> list[str]: ...

    @property
    def reason(self) -> str:
        """Why not."""

    @property
    def unstable(self) -> int:
        """Directions in which the forces drive away."""

    def value(self, column: str) -> float:
        """By the name of a column."""

    @property
    def values(self) -> numpy.ndarray:
        """Of the columns."""


class ExportedModel:
    """A model in another format."""


    @property
    def left_out(self) -> list[str]:
        """What the format cannot say."""

    @property
    def sidecar(self) -> str:
        """Of URDF: a model file that includes the text and adds what URDF has no word for; empty where nothing is missing."""

    @property
    def text(self) -> str: ...


class Field:
    """A field of an element of a program's own."""

    def __init__(self, name: str, sort: str = 'number', unit: str = '', default: Optional[float] = None, bound: str = 'any', required: bool = True, meaning: str = '') -> None:
        """`sort`: number, body, bodies (two), place, places (two), direction, joint, function (of x) or varying (of t).
        `bound` of numbers: any, positive, not_negative, not_zero. One with a default need not be given."""

    @property
    def name(self) -> str: ...

    @property
    def sort(self) -> str: ...

    @property
    def unit(self) -> str: ...


class FormulationCounts:
    """How large a formulation is."""


    @property
    def constraints(self) -> int: ...

    @property
    def coordinates(self) -> int: ...

    @property
    def cut(self) -> list[str]:
        """Joints opened, of relative coordinates."""

    @property
    def degrees_of_freedom(self) -> int: ...

    @property
    def driven(self) -> int: ...

    @property
    def formulation(self) -> str: ...

    @property
    def redundant(self) -> list[str]:
        """Names of redundant constraints."""

    @property
    def warnings(self) -> list[str]: ...


class FrameHandle:
    """A point with axes on a body, of one System; without more the inertial one."""

    def __init__(self) -> None: ...

    @property
    def body(self) -> int: ...


class FrameMotion:
    """Where a frame is and how it moves, in inertial axes."""


    @property
    def angular_velocity(self) -> numpy.ndarray:
        """rad/s"""

    @property
    def position(self) -> numpy.ndarray:
        """Of the origin, m."""

    @property
    def rotation(self) -> numpy.ndarray:
        """Columns are its axes."""

    @property
    def velocity(self) -> numpy.ndarray:
        """Of the origin, m/s."""


class FramePair:
    """What a law between two frames looks at."""


    @property
    def one(self) -> FrameMotion:
        """The frame on body 1."""

    @property
    def t(self) -> float:
        """s"""

    @property
    def two(self) -> FrameMotion:
        """The frame on body 2."""


class Function:
    """A function of one variable with two derivatives: a law of a spring, a path of a driver."""

    def __call__(self, x: float) -> float:
        """f(x)"""

    def __init__(self) -> None:
        """The zero function."""

    def antiderivative(self, start: float = 0.0) -> Function:
        """start + the integral of f from 0 to x."""

    @staticmethod
    def constant(value: float) -> Function:
        """The same everywhere."""

    @staticmethod
    def custom(law: Callable[..., Any], scale: float = 1.0, derivatives: bool = False) -> Function:
        """A Python function. With `derivatives` it answers with (f, f', f''); without, with f alone, and derivatives are
        differences over 1/1024 of `scale`, which is how far x goes until the function has another shape."""

    def evaluate(self, x: float) -> tuple:
        """(f, f', f'') at x."""

    @staticmethod
    def expression(text: str, variable: str, constants: dict[str, float] = ...) -> Function:
        """An arithmetic expression of `variable`."""

    @staticmethod
    def friction(viscous: float, forward: float, backward: float, width: float) -> Function:
        """viscous x + friction that goes from `backward` (x below 0) to `forward` (x above 0) over `width`."""

    def integral(self, a: float, b: float) -> float:
        """The integral of f from a to b."""

    @staticmethod
    def piecewise(breaks: list[float], pieces: list[Function]) -> Function:
        """pieces[i] holds for x < breaks[i], the last one above all breaks."""

    @staticmethod
    def polynomial(coefficients: list[float]) -> Function:
        """c0 + c1 x + c2 x^2 + ..."""

    def scaled(self, factor: float, argument_factor: float = 1.0) -> Function:
        """factor f(argument_factor x)"""

    @staticmethod
    def sine(amplitude: float, omega: float, phase: float = 0.0, offset: float = 0.0) -> Function:
        """offset + amplitude sin(omega x + phase)"""

    @staticmethod
    def smooth_step(x0: float, y0: float, x1: float, y1: float) -> Function:
        """y0 below x0, y1 above x1, between them a quintic without slope and curvature at both ends."""

    @staticmethod
    def stop(low: float, high: float, stiffness: float, soft: float) -> Function:
        """0 between low and high, beyond them a stop that becomes stiff over the depth `soft`."""

    @staticmethod
    def table(x: list[float], y: list[float], interpolation: str = 'linear', beyond: str = 'hold') -> Function:
        """Through (x[i], y[i]): interpolation 'linear' or 'cubic', beyond the ends 'hold', 'linear' or 'error'."""


class GradientRecording:
    """Samples with their derivatives."""


    @property
    def columns(self) -> list[str]:
        """The time and the signals."""

    @property
    def slopes(self) -> numpy.ndarray:
        """Samples x parameters x columns; shares their memory."""

    @property
    def table(self) -> numpy.ndarray:
        """Samples x columns; shares their memory."""


class Input:
    """A value from outside."""


    @property
    def lag(self) -> float:
        """s"""

    @property
    def max(self) -> float: ...

    @property
    def min(self) -> float: ...

    @property
    def name(self) -> str: ...

    @property
    def start(self) -> float: ...

    @property
    def unit(self) -> str: ...


class InverseDynamics:
    """Along the paths of all drivers: rows are samples, columns drivers."""


    @property
    def acceleration(self) -> numpy.ndarray: ...

    @property
    def effort(self) -> numpy.ndarray:
        """N m or N"""

    @property
    def names(self) -> list[str]: ...

    @property
    def notes(self) -> list[str]: ...

    @property
    def position(self) -> numpy.ndarray: ...

    @property
    def time(self) -> numpy.ndarray:
        """s"""

    @property
    def velocity(self) -> numpy.ndarray: ...


class Joint:
    """A joint between two bodies, by their indices; -1 is ground."""


    @property
    def axes(self) -> numpy.ndarray:
        """Of that frame, as columns."""

    @property
    def body1(self) -> int: ...

    @property
    def body2(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def origin(self) -> numpy.ndarray:
        """Of its frame on body 1, m."""

    @property
    def type(self) -> str:
        """As in model files: 'revolute'."""


class JointHandle:
    """A joint, of one System."""


    @property
    def index(self) -> int: ...


class LinearSystem:
    """x' = A x + B u, y = C x + D u about a state."""

    @property
    def A(self) -> numpy.ndarray: ...

    @property
    def B(self) -> numpy.ndarray: ...

    @property
    def C(self) -> numpy.ndarray: ...

    @property
    def D(self) -> numpy.ndarray: ...


    @property
    def inputs(self) -> list[str]: ...

    @property
    def outputs(self) -> list[str]: ...

    @property
    def states(self) -> list[str]: ...


class Linearization:
    """M x'' + C x' + K x = 0 of the independent motions, and its modes."""


    @property
    def columns(self) -> list[str]: ...

    @property
    def damping(self) -> numpy.ndarray: ...

    @property
    def force(self) -> float:
        """Unbalanced, N: zero at an equilibrium."""

    @property
    def mass(self) -> numpy.ndarray: ...

    @property
    def modes(self) -> list[Mode]:
        """Rigid ones first, then by |eigenvalue|."""

    @property
    def moment(self) -> float:
        """Unbalanced, N m."""

    @property
    def motions(self) -> numpy.ndarray:
        """What a unit of every independent motion does."""

    @property
    def notes(self) -> list[str]: ...

    @property
    def state_matrix(self) -> numpy.ndarray: ...

    @property
    def stiffness(self) -> numpy.ndarray: ...


class LoadHandle:
    """A load by its name, with all that it is made of, of one System."""


    @property
    def index(self) -> int: ...


class LoadValue:
    """What a spring or tyre does at rest."""


    @property
    def force(self) -> float:
        """N or N m"""

    @property
    def length(self) -> float:
        """m or rad"""

    @property
    def name(self) -> str: ...


class Lowering:
    """What an element of a program's own becomes part of; valid while lower() is called."""


    def error(self, message: str, remedy: str = '') -> None:
        """Refuses the element, with its name and line."""

    def joint_spring(self, coordinate: tuple[int, int], spring: Any = None, damper: Any = None, free_position: float = 0.0) -> None:
        """On a coordinate of a joint: -spring(q - free_position) - damper(q')."""

    def spring(self, bodies: tuple[int, int], points: tuple[ArrayLike, ArrayLike], spring: Any = None, damper: Any = None, free_length: float = 0.0) -> None:
        """Along the line between two points: spring(s - free_length) + damper(s'), positive pulls."""

    def wrench(self, bodies: tuple[int, int], points: tuple[ArrayLike, ArrayLike], law: Callable[..., Any], length: float = 1.0, tangent: Any = None) -> None:
        """A force and a moment by a function of a FramePair: see MechanismBuilder.wrench."""


class Mechanism:
    """What exists: checked, constant, shared by any number of threads."""


    @property
    def bodies(self) -> list[Body]: ...

    @property
    def columns(self) -> list[str]:
        """Names of the signals of a run, as in trajectory.csv."""

    @property
    def drivers(self) -> list[str]:
        """Their names."""

    @property
    def events(self) -> list[str]:
        """Their names."""

    @property
    def file(self) -> str:
        """Empty when it was built in Python."""

    @property
    def files(self) -> list[str]:
        """All that was read: the model first."""

    @property
    def gravity(self) -> numpy.ndarray:
        """m/s^2"""

    @property
    def inputs(self) -> list[Input]: ...

    @property
    def joints(self) -> list[Joint]: ...

    @property
    def markers(self) -> list[str]:
        """Their names."""

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> dict:
        """Of the model file, with their values."""

    @property
    def planar(self) -> bool: ...

    @property
    def plots(self) -> list[tuple[str, list[str]]]:
        """What the model asks to be shown: (title, columns)."""

    @property
    def units(self) -> dict[str, str]:
        """Of the columns."""

    @property
    def warnings(self) -> list[Diagnostic]:
        """What was let through."""


class MechanismBuilder:
    """Describes a mechanism element by element. Short calls for the usual case, add() with the fields of model files for
    everything; each answers with the builder. Places are names of points and markers or coordinates. SI units, radians."""

    def __init__(self, name: str = '') -> None: ...

    def actuator(self, name: str, joint: str, effort: Any) -> MechanismBuilder:
        """An effort on a joint's coordinate: a number, an expression of signals, a Function or a Python function of time."""

    def add(self, section: str, name: str, **options: Any) -> MechanismBuilder:
        """An element of a section of model files ('loads', 'bodies', 'events', ...) with its fields as there; functions of time and laws
        may be a Function or a Python function."""

    def angular_velocity(self, body: str, angular_velocity: ArrayLike) -> MechanismBuilder:
        """At the start, rad/s."""

    def attach(self, name: str, time: float, joint: str) -> MechanismBuilder:
        """An event: a joint takes hold."""

    def body(self, name: str, mass: float, center: Any, inertia: Any = 0.0) -> MechanismBuilder:
        """By its mass, mass centre and inertia about it: 3 by 3 in inertial axes, or planar a number."""

    def box(self, name: str, edges: ArrayLike, center: Any, mass: float) -> MechanismBuilder:
        """A box with these edges, m."""

    def build(self) -> Mechanism:
        """Resolves names, checks everything, and raises ModelError with all problems found."""

    def companion(self, name: str, make: Callable[..., Any], period: float, inputs: dict, outputs: Any) -> MechanismBuilder:
        """A Python object that computes beside the mechanism in a step of its own: make() gives one for every run. At 0, period, 2 period,
        ... its step(t, h, inputs) goes from t over h with the inputs of before, takes these, and answers with its outputs, which hold
        until the next instant as signals NAME.OUTPUT; at the start start(t, inputs) where it has one, else step over 0. `inputs`:
        {word: expression of signals}, `outputs`: words, or {word: value before it was asked}. With save() and restore(bytes) it is
        saved with the run."""

    def copy(self) -> MechanismBuilder:
        """Another one like this."""

    def cylinder(self, name: str, start: Any, end: Any, radius: float, mass: float) -> MechanismBuilder:
        """A cylinder between two places."""

    def cylindrical(self, name: str, body1: str, body2: str, at: Any, axis: Any) -> MechanismBuilder:
        """Slides along `axis` and turns about it."""

    def distance(self, name: str, body1: str, body2: str, at1: Any, at2: Any) -> MechanismBuilder:
        """A rigid rod without mass between two points, as long as drawn."""

    def driver(self, name: str, joint: str, position: Any) -> MechanismBuilder:
        """Moves a joint's coordinate along a function of time."""

    def fixed(self, name: str, body1: str, body2: str) -> MechanismBuilder:
        """Holds two bodies together."""

    def free(self, name: str, body1: str, body2: str) -> MechanismBuilder:
        """Holds nothing; has coordinates."""

    def friction(self, name: str, joint: str, viscous: float, coulomb: float) -> MechanismBuilder:
        """At a joint: viscous, and Coulomb's of equal level in both directions."""

    def gear(self, name: str, joint1: str, joint2: str, ratio: float) -> MechanismBuilder:
        """The second joint's coordinate moves by `ratio` times the first's."""

    def gravity(self, acceleration: ArrayLike) -> MechanismBuilder:
        """m/s^2; without this call 9.81 along -z, planar -y."""

    def input(self, name: str, start: float = 0.0) -> MechanismBuilder:
        """A value from outside."""

    def joint_position(self, joint: str, position: float) -> MechanismBuilder:
        """At the start, rad or m."""

    def joint_velocity(self, joint: str, velocity: float) -> MechanismBuilder:
        """At the start, rad/s or m/s."""

    def marker(self, name: str, body: str, at: Any) -> MechanismBuilder:
        """A named place that moves with a body."""

    @property
    def name(self) -> str: ...

    def planar(self, is_planar: bool = True) -> MechanismBuilder:
        """The mechanism moves in the plane of x and y."""

    def planar_joint(self, name: str, body1: str, body2: str, at: Any, normal: Any) -> MechanismBuilder:
        """Slides in the plane across `normal` and turns about it."""

    def point(self, name: str, coordinates: ArrayLike) -> MechanismBuilder:
        """A named place in the drawing."""

    def prismatic(self, name: str, body1: str, body2: str, at: Any, axis: Any) -> MechanismBuilder:
        """A slide along `axis`."""

    def pull(self, name: str, body1: str, body2: str, at1: Any, at2: Any, force: Any) -> MechanismBuilder:
        """A pull between two points, positive towards each other."""

    def rack(self, name: str, pinion: str, rack: str, radius: float) -> MechanismBuilder:
        """An angle moves a translation by `radius`, m, for every radian."""

    @staticmethod
    def read(path: Any, parameters: dict[str, float] = ...) -> MechanismBuilder:
        """A builder with what a model file describes, to be changed."""

    def release(self, name: str, time: float, joint: str) -> MechanismBuilder:
        """An event: a joint lets go."""

    def remove(self, name: str) -> MechanismBuilder:
        """Takes out what is called so, with its initial values."""

    def revolute(self, name: str, body1: str, body2: str, at: Any, axis: Any = None) -> MechanismBuilder:
        """A hinge about `axis`; planar mechanisms need none."""

    def rod(self, name: str, start: Any, end: Any, mass: float, radius: float = 0.0) -> MechanismBuilder:
        """A rod between two places."""

    def rotor(self, name: str, joint: str, inertia: float, gear: float = 1.0) -> MechanismBuilder:
        """An inertia that turns with a joint, `gear` times as fast."""

    def sections(self, **options: Any) -> MechanismBuilder:
        """Sections of a model file as keywords: gravity=[0, 0, 0], simulation={'until': 2}."""

    def sensor(self, name: str, body2: str, value: Callable[..., Any], body1: str = 'ground', at1: Any = None, at2: Any = None) -> MechanismBuilder:
        """A column by a Python function of a FramePair."""

    def signal(self, name: str, value: Any) -> MechanismBuilder:
        """A name for an expression, with a column of its own."""

    def sphere(self, name: str, radius: float, center: Any, mass: float) -> MechanismBuilder:
        """A ball."""

    def spherical(self, name: str, body1: str, body2: str, at: Any) -> MechanismBuilder:
        """A ball joint."""

    def spring(self, name: str, body1: str, body2: str, at1: Any, at2: Any, stiffness: float, damping: float = 0.0) -> MechanismBuilder:
        """Between two points, unloaded as drawn. N/m, N s/m."""

    def state(self, name: str, start: float, rate: Any) -> MechanismBuilder:
        """A scalar with z' = rate."""

    def switch_off(self, name: str, time: float, elements: list[str]) -> MechanismBuilder:
        """An event: loads and drivers are switched off."""

    def switch_on(self, name: str, time: float, elements: list[str]) -> MechanismBuilder:
        """An event: loads and drivers are switched on."""

    def torsion(self, name: str, joint: str, stiffness: float, damping: float = 0.0, free_angle: float = 0.0) -> MechanismBuilder:
        """A spring on the angle of a joint. N m/rad, N m s/rad, rad."""

    def universal(self, name: str, body1: str, body2: str, at: Any, axis1: Any, axis2: Any) -> MechanismBuilder:
        """Turns about an axis of body 1 and one of body 2."""

    def velocity(self, body: str, velocity: ArrayLike) -> MechanismBuilder:
        """Of the mass centre at the start, m/s."""

    def wrench(self, name: str, body2: str, law: Callable[..., Any], body1: str = 'ground', at1: Any = None, at2: Any = None, energy: Any = None, length: float = 1.0, tangent: Any = None) -> MechanismBuilder:
        """A force and a moment by a Python function of a FramePair: law(at) answers with the force on body 2 at the origin of frame 2,
        or with (force, moment); body 1 takes the opposite. `energy`: what it stores, of the poses alone. `length`: m, how far the
        frames move until the law has another shape. `tangent`: a function that answers with the derivatives of (force, moment), blocks
        of 6 by 6 by small motions of frame 1 and of frame 2 (the way of the origin, then the turn about inertial axes), and where the law
        follows velocities by those of frame 1 and of frame 2; without it they are differences."""


class Mode:
    """A pair of conjugate eigenvalues, or a real one, with its shape."""


    @property
    def damping_ratio(self) -> float: ...

    @property
    def eigenvalue(self) -> complex:
        """1/s"""

    @property
    def frequency(self) -> float:
        """Hz"""

    @property
    def natural_frequency(self) -> float:
        """Hz"""

    @property
    def rigid(self) -> bool:
        """A motion that nothing resists."""

    @property
    def shape(self) -> numpy.ndarray:
        """By Linearization.columns."""

    @property
    def unstable(self) -> bool:
        """It grows."""


class Momentum:
    """Of all bodies, inertial axes."""


    @property
    def angular(self) -> numpy.ndarray:
        """About the centre, kg m^2/s."""

    @property
    def centre(self) -> numpy.ndarray:
        """Of mass, m."""

    @property
    def linear(self) -> numpy.ndarray:
        """kg m/s"""

    @property
    def mass(self) -> float:
        """kg"""

    @property
    def velocity(self) -> numpy.ndarray:
        """Of the centre, m/s."""


class Recording:
    """Rows of a run."""


    @property
    def columns(self) -> list[str]:
        """Names of the columns."""

    @property
    def table(self) -> numpy.ndarray:
        """All rows; the array shares their memory."""


class RunResult:
    """What a run leaves: samples, steps, summary."""


    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""

    @property
    def mechanism(self) -> Mechanism:
        """What ran."""

    @property
    def samples(self) -> Recording:
        """The Recording of the motion."""

    def save(self, folder: str, overwrite: bool = False, format: str = 'csv') -> None:
        """Writes the files of `cardan run`."""

    @property
    def steps(self) -> Recording:
        """The Recording of the steps."""

    @property
    def summary(self) -> str:
        """The text of summary.json."""


class Simulation:
    """A mechanism under way: step by step, with inputs and signals. Of one thread at a time."""

    def __getitem__(self, name: str) -> float:
        """The value of a signal by name."""

    def __init__(self, model: Any, **options: Any) -> None:
        """Assembles the mechanism. Options are those of run()."""

    @overload
    def body(self, body: int) -> BodyMotion:
        """The motion of a body, by its index in Mechanism.bodies or by its name."""
    @overload
    def body(self, body: str) -> BodyMotion: ...

    @property
    def chooses_steps(self) -> bool: ...

    @property
    def columns(self) -> list[str]:
        """Names of the signals."""

    @overload
    def derivatives(self, input: int) -> numpy.ndarray:
        """How every column changes at once for a unit of an input, the motion being as it is: exact; NaN of accelerations and forces."""
    @overload
    def derivatives(self, input: str) -> numpy.ndarray: ...

    @property
    def ended(self) -> bool:
        """Whether an event has ended the run."""

    @property
    def energy(self) -> float:
        """Kinetic and potential, J."""

    def input(self, name: str) -> int:
        """The handle of an input, looked up once."""

    @overload
    def input_value(self, input: int) -> float:
        """The value that was given last."""
    @overload
    def input_value(self, input: str) -> float: ...

    @property
    def length(self) -> float:
        """The size of the mechanism, m."""

    @property
    def next_event(self) -> float:
        """When it is due, s; infinity without one."""

    def pass_events(self) -> None:
        """Lets the events happen that are due now."""

    def planned_events(self) -> list:
        """All events, each a dict with its name and time (infinite where a condition brings it about), and the counts after it."""

    def poses(self) -> numpy.ndarray:
        """Of all bodies: place of the mass centre and the axes, column by column, 12 numbers a row."""

    @property
    def reason(self) -> str:
        """Why the last step failed; else empty."""

    @overload
    def restore(self, state: Context) -> None:
        """Goes back to a state, bit for bit."""
    @overload
    def restore(self, state: ArrayLike) -> None: ...

    @property
    def row(self) -> numpy.ndarray:
        """The values of all signals now. Shares memory: asked again after a step, the same array has the new values."""

    def sample_at(self, t: float) -> numpy.ndarray:
        """All signals at a time within the last step, of integrators that choose their steps."""

    def save(self) -> numpy.ndarray:
        """The state with all that the summary tells of the way there, as numbers for restore()."""

    @overload
    def set_input(self, input: int, value: float) -> None:
        """From now on the input is `value`, within its limits."""
    @overload
    def set_input(self, input: str, value: float) -> None: ...

    def signal(self, name: str) -> int:
        """The handle of a signal, a column of trajectory.csv."""

    def state(self) -> Context:
        """Everything that the next step depends on, a value."""

    @overload
    def step(self) -> None:
        """One step of the option `step`; raises StepError when the motion cannot go on, with the state as it was."""
    @overload
    def step(self, h: float) -> None:
        """A step of another length, s; of integrators that choose their steps at most that."""

    def step_to_event(self, h: float) -> None:
        """A step of h seconds or up to the next event, whichever comes first; that event has not happened yet."""

    def steps(self, count: int, controller: Any = None) -> None:
        """So many steps, with controller(simulation) called before each of them."""

    @property
    def time(self) -> float:
        """s"""

    def value(self, signal: int) -> float:
        """Of a signal, by its handle."""

    @property
    def summary(self) -> dict[str, Any]:
        """As in summary.json, so far."""


class StopFlag:
    """Ends runs from another thread."""

    def __init__(self) -> None: ...

    def set(self) -> None:
        """Every run that was given this flag ends at its next step."""


class System:
    """A mechanism compiled for a formulation: constant, shared by any number of threads."""

    def __init__(self, model: Any, formulation: str = 'hybrid', cut: list[str] = ...) -> None: ...

    def body(self, name: str) -> int:
        """Its index."""

    def centre(self, body: str) -> FrameHandle:
        """The mass centre of a body, with its own axes."""

    @property
    def constraint_names(self) -> list[str]: ...

    @property
    def constraints(self) -> int:
        """m, redundant ones included"""

    def coordinate(self, joint: str, number: int = 1) -> CoordinateHandle:
        """Of a joint; its coordinates count from 1."""

    @property
    def coordinate_names(self) -> list[str]: ...

    @property
    def coordinates(self) -> int:
        """n"""

    @property
    def formulation(self) -> str: ...

    def frame(self, body: str, drawn_point: ArrayLike) -> FrameHandle:
        """A point of a body by its drawn place."""

    def input(self, name: str) -> int:
        """The index of an input."""

    def joint(self, name: str) -> JointHandle:
        """A joint, for its reaction."""

    def joint_frame(self, joint: str, number: int) -> FrameHandle:
        """Frame 1 or 2 of a joint."""

    @property
    def length(self) -> float:
        """The size of the mechanism, m."""

    def load(self, name: str) -> LoadHandle:
        """A load, for its forces."""

    def marker(self, name: str) -> FrameHandle:
        """The frame of a marker."""

    def signal(self, name: str) -> int:
        """The index of a signal."""

    @property
    def signal_names(self) -> list[str]: ...

    def start(self) -> Context:
        """As assembled, with the initial velocities of the mechanism."""

    def state(self, name: str) -> int:
        """The index of a state of the model."""

    def with_model(self, model: Any) -> System:
        """In the same coordinates with another model, the same but for masses, loads, gravity and expressions;
        carried_over() takes contexts there."""


def _set_model_error(arg0: Any) -> None: ...


def _set_step_error(arg0: Any) -> None: ...


def adjoint_refusal(model: Any, **options: Any) -> str:
    """Why a run of a model cannot be gone through backwards; empty when it can."""


def bias_forces(system: System, context: Context) -> numpy.ndarray:
    """h: what velocities, weight and loads do, in M a + h + Phi_q^T lambda = tau."""


def carried_over(system: System, context: Context, to: System) -> Context:
    """A context of one system as one of another that was made like it."""


def check_options(model: Any, **options: Any) -> None:
    """Raises what run() would raise because of these options."""


def columns_like(columns: list[str], pattern: str) -> list[str]:
    """Those that match, `*` standing for anything."""


def constraint_bias(system: System, context: Context) -> numpy.ndarray:
    """gamma in Phi_q a = gamma."""


def constraint_jacobian(system: System, context: Context) -> numpy.ndarray:
    """Phi_q, m by n."""


def constraint_values(system: System, context: Context) -> numpy.ndarray:
    """Phi."""


def count_coordinates(model: Any, formulation: str = 'hybrid') -> FormulationCounts:
    """Coordinates, constraints and degrees of freedom in a formulation."""


def driven_efforts(model: Any, step: float = 0.01, until: float = 1.0) -> InverseDynamics:
    """Inverse dynamics along the paths of the drivers, which must give every degree of freedom."""


def effort_direction(system: System, context: Context, coordinate: CoordinateHandle) -> numpy.ndarray:
    """What a unit effort on a coordinate is in tau."""


def energy(system: System, context: Context) -> tuple:
    """(kinetic, potential), J."""


def export_mjcf(model: Any, leave_out: bool = False) -> ExportedModel:
    """A model for MuJoCo."""


def export_urdf(model: Any, file_name: str, leave_out: bool = False) -> ExportedModel:
    """A model as URDF; `file_name` is what its sidecar calls it."""


def find_equilibrium(model: Any, iterations: int = 300, step: float = 0.15, tolerance: float = 1e-09) -> Equilibrium:
    """The position of rest that the loads lead to."""


def formulations() -> dict:
    """Names of formulations, and what they are."""


def forward_dynamics(system: System, context: Context, tau: Any = None) -> tuple:
    """(accelerations, multipliers) for efforts tau."""


def frame_bias(system: System, context: Context, frame: FrameHandle) -> numpy.ndarray:
    """J' v: acceleration of its point, then angular acceleration, at zero accelerations of the coordinates."""


def frame_jacobian(system: System, context: Context, frame: FrameHandle) -> numpy.ndarray:
    """6 by n: velocity of its point, then angular velocity; inertial axes."""


def frame_motion(system: System, context: Context, frame: FrameHandle) -> BodyMotion:
    """Pose, velocity and the acceleration that follows from the state."""


def gravity_forces(system: System, context: Context) -> numpy.ndarray:
    """The weight of all bodies on the coordinates."""


def gravity_torques(model: Any, q: ArrayLike) -> numpy.ndarray:
    """The efforts that hold the weight alone."""


def import_model(path: str, leave_out: bool = False, stops: Optional[float] = None, floating: bool = False, packages: dict[str, str] = ..., folder: str = '') -> str:
    """The model file that a .urdf or .adm file amounts to, as text. `leave_out`: without what is not understood. Of URDF: `stops` of this stiffness at the limits, `floating` with a root that is free, folders of `packages`, the `folder` that meshes are named from."""


def input_value(system: System, context: Context, input: int) -> float:
    """The value that an input was given last."""


def integrators() -> dict:
    """Names of integrators, and what they are."""


def inverse_dynamics(system: System, context: Context, acceleration: ArrayLike, actuated: Optional[list[CoordinateHandle]] = None) -> numpy.ndarray:
    """M a + h; with `actuated` the efforts on these coordinates that bring the acceleration about, loops included."""


def inverse_dynamics_at(model: Any, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> numpy.ndarray:
    """The efforts on the coordinates at which q'' = a."""


def joint_position(system: System, context: Context, coordinate: CoordinateHandle) -> float:
    """rad or m"""


def joint_reaction(system: System, context: Context, joint: JointHandle) -> tuple:
    """(force, moment) on the second body at the joint's point, in the joint's axes on the first; N, N m."""


def joint_space(model: Any) -> list[str]:
    """Names of the joint coordinates of an open chain, in the order of the next three."""


def joint_space_mass_matrix(model: Any, q: ArrayLike) -> numpy.ndarray:
    """M(q)."""


def joint_velocity(system: System, context: Context, coordinate: CoordinateHandle) -> float:
    """rad/s or m/s"""


def json_schema() -> str:
    """The JSON Schema of model files, registered elements included."""


@overload
def linearize(system: System, context: Context, inputs: list[CoordinateHandle] = ..., outputs: list[int] = ...) -> LinearSystem:
    """Of a System about any state. `inputs`: coordinates that efforts act on, without any those of the actuators."""
@overload
def linearize(model: Any, equilibrium: Optional[Equilibrium] = None) -> Linearization:
    """Of a model about its equilibrium, or without one as drawn."""


def load_effort(system: System, context: Context, load: LoadHandle) -> tuple:
    """(length, effort) of a load along a line or on a coordinate, as its columns have them."""


def load_forces(system: System, context: Context, load: LoadHandle) -> numpy.ndarray:
    """What a load does on the coordinates."""


def load_wrench(system: System, context: Context, load: LoadHandle, body: int) -> tuple:
    """(force, moment) of a load on a body about its mass centre, inertial axes; N, N m."""


def mass_matrix(system: System, context: Context) -> numpy.ndarray:
    """M, n by n."""


def mechanism(description: dict, parameters: dict[str, float] = ...) -> Mechanism:
    """From a dict with the sections of a model file."""


def momentum(system: System, context: Context) -> Momentum:
    """Mass, its centre, momenta."""


def option_list() -> list:
    """The options of a run: (name, type, meaning, choices) of each."""


def read_mechanism(path: Any, parameters: dict[str, float] = ...) -> Mechanism:
    """Reads and checks a model file, URDF or ADAMS file. `parameters` replace those of the file by name."""


def read_mechanism_text(text: str, name: str = 'model', parameters: dict[str, float] = ...) -> Mechanism:
    """The same from text; `name` is what messages call it."""


def register_element(name: str, fields: list[Field], lower: Callable[..., Any], called: str = '', section: str = 'load') -> None:
    """Makes an element known to model files and builders. lower(to, **values) says what it becomes: each field by its
    name, bodies as indices, places as arrays."""


def relative_motion(system: System, context: Context, frame: FrameHandle, seen_from: FrameHandle = ...) -> FrameMotion:
    """The motion of a frame as seen from another, in the axes of that."""


def run_adjoint(make: Callable[..., Any], parameters: list, signals: list[str], results: list, options: dict) -> tuple:
    """See cardan.run_with_adjoint()."""


def run_gradients(make: Callable[..., Any], parameters: list, signals: list[str], options: dict, alternate: bool) -> tuple:
    """See cardan.run_with_gradients()."""


def run_model(model: Any, options: dict, progress: Any, controller: Any, estimate_error: bool, stop: StopFlag) -> RunResult:
    """See cardan.run()."""


def signals(system: System, context: Context) -> numpy.ndarray:
    """Every column of trajectory.csv, reactions included."""


def state_value(system: System, context: Context, state: int) -> float:
    """Of a state of the model, in its own unit."""


def unknown_column(name: str, columns: list[str]) -> str:
    """What is said of a column that is not there."""


def why_not(formulation: str, integrator: str) -> str:
    """Empty when the integrator works on that formulation, otherwise why it does not."""


def with_attitude(system: System, context: Context, frame: FrameHandle, rotation: ArrayLike, angular_velocity: Optional[ArrayLike] = None, seen_from: FrameHandle = ...) -> Context:
    """The same of attitude and angular velocity alone: the way to set a spherical joint."""


def with_efforts(model: Any, result: InverseDynamics) -> Mechanism:
    """The model with these efforts as actuators in place of its drivers, to start on their paths."""


def with_frame(system: System, context: Context, frame: FrameHandle, position: ArrayLike, rotation: ArrayLike, velocity: Optional[ArrayLike] = None, angular_velocity: Optional[ArrayLike] = None, seen_from: FrameHandle = ...) -> Context:
    """The nearest state in which a frame is and moves so, seen from another; without velocities it rests."""


def with_input(system: System, context: Context, input: int, value: float) -> Context:
    """From now on the input is this, within its limits; signals see it with the input's lag."""


def with_joints(system: System, context: Context, coordinates: list[CoordinateHandle], positions: ArrayLike, velocities: ArrayLike) -> Context:
    """The nearest state that closes the loops with these coordinates and rates."""


def with_state(system: System, context: Context, state: int, value: float) -> Context:
    """A state of the model is this."""
