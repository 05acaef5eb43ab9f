// A mechanism compiled for a formulation, and what can be asked of it at a state: matrices, motions of frames, forces,
// forward and inverse dynamics; linearize() is in analysis.hpp. A System is constant and may be shared by threads; a
// Context is a value, that of Simulation::state() as well as one made here. Everything is written for
//     M a + h + Phi_q^T lambda = tau,   Phi(q, t) = 0,   Phi_q v = -Phi_t,   Phi_q a = gamma
// in the coordinates q of the formulation, v = q', with redundant constraints allowed: tau are efforts beside the loads
// of the mechanism, which are in h. What q is depends on the formulation (relative coordinates are zero as assembled,
// attitudes have four parameters on cartesian): states are set by handles of joints and frames, with_joints(),
// with_frame() and with_attitude(). SI units and radians. Sizes: n coordinates, states of the model included, which are
// the last; m constraints, redundant ones included; s signals.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cardan/context.hpp"
#include "cardan/mechanism.hpp"
#include "cardan/motion.hpp"
#include "cardan/wrench.hpp"

namespace cardan {

/// One coordinate of a joint: what efforts act on and what can be set. Of one System.
struct CoordinateHandle {
  int index = -1;
};
/// A point with axes on a body, of one System.
struct FrameHandle {
  int body = kGround;
  Vec3 point = Vec3::Zero();     // m, from the body's mass centre, in its axes; of ground: in space
  Mat3 axes = Mat3::Identity();  // in the body's axes
};
/// A joint, of one System.
struct JointHandle {
  int index = -1;
  int column = -1;  // of its reaction in signals()
};
/// A load by its name, with all that it is made of. Of one System.
struct LoadHandle {
  int index = -1;
};

struct SystemOptions {
  std::vector<std::string> cut;  // joints to open the loops at; automatic when empty. Where no loop is opened, refused
  std::vector<BodyPose> poses;   // where the bodies are assembled, say those of an equilibrium; empty: as drawn
};

class System {
 public:
  /// Assembles the mechanism, of which it keeps a copy, as it is before its first event; throws ModelError when that
  /// fails, std::invalid_argument for an unknown formulation. There is no "auto" here: what q is would depend on it.
  explicit System(const Mechanism& mechanism, const std::string& formulation = "hybrid",
                  const SystemOptions& options = {});
  /// In the coordinates of `like`, which is constant as all systems are, with other parameters: `mechanism` is the same
  /// but for masses, loads, gravity and expressions, read with other values say. Nothing is assembled anew, and
  /// carried_over() takes contexts from one to the other. Throws std::invalid_argument where places of bodies, joints,
  /// drivers, events or starts are others.
  System(const System& like, const Mechanism& mechanism);

  const Mechanism& mechanism() const;
  const std::string& formulation() const;
  double length() const;                                     // size of the mechanism, m
  int coordinates() const;                                   // n
  int constraints() const;                                   // m, redundant ones included
  const std::vector<std::string>& coordinate_names() const;  // n
  const std::vector<std::string>& constraint_names() const;  // m
  /// Of trajectory.csv, in the order in which signals() gives their values; s names.
  const std::vector<std::string>& signal_names() const;

  /// As assembled, with the initial velocities of the mechanism.
  Context start() const;

  // Names are looked up once. Each throws std::invalid_argument with the nearest name there is.
  int body(const std::string& name) const;
  /// `number`: which of the joint's coordinates, from 1. Rotation vectors of spherical and free joints have none: see
  /// with_attitude().
  CoordinateHandle coordinate(const std::string& joint, int number = 1) const;
  JointHandle joint(const std::string& name) const;
  /// Frame 1 or 2 of a joint, on its first or second body.
  FrameHandle joint_frame(const std::string& joint, int number) const;
  FrameHandle marker(const std::string& name) const;
  /// A point of a body by its drawn place (m), with the body's own axes.
  FrameHandle frame(const std::string& body, const Vec3& drawn_point) const;
  /// The mass centre of a body, with its own axes.
  FrameHandle centre(const std::string& body) const;
  LoadHandle load(const std::string& name) const;
  int signal(const std::string& name) const;
  /// Of Mechanism::inputs and states.
  int input(const std::string& name) const;
  int state(const std::string& name) const;

  class View;

 private:
  friend const View& view_of(const System& system);
  std::shared_ptr<const View> view_;
};

// All of these throw std::domain_error for a state at which the formulation cannot be evaluated, and
// std::invalid_argument for a context of another system (mechanism, formulation or assembly) or with numbers that are
// not finite or with events behind it, and for a handle of another system.

// Matrices. Units are those of the coordinates: rad or m, q times its scale where attitudes have no unit.

/// n x n, of coordinates in rad and m: kg m^2, kg m and kg.
Eigen::MatrixXd mass_matrix(const System& system, const Context& context);
/// h, n: what velocities, weight and loads do, with the sign of the equation above. N m or N.
VecX bias_forces(const System& system, const Context& context);
/// Phi, m: m, or 1 where an equation is between directions.
VecX constraint_values(const System& system, const Context& context);
/// Phi_q, m x n.
Eigen::MatrixXd constraint_jacobian(const System& system, const Context& context);
/// gamma, m: the right-hand side at the level of accelerations, units of Phi by s^2.
VecX constraint_bias(const System& system, const Context& context);

// Dynamics.

struct Accelerations {
  VecX acceleration;  // n: rad/s^2 or m/s^2
  VecX multipliers;   // m: N, or N m where an equation is between directions; with redundant constraints some that
                      // balance the equations
};
/// What happens at a state with the efforts tau on the coordinates (n; empty: none). Throws std::domain_error when
/// nothing resists some motion.
Accelerations forward_dynamics(const System& system, const Context& context, const VecX& tau = {});
/// M a + h, n numbers of n: of open chains the efforts that a takes; of closed ones those with no part taken by the
/// constraints.
VecX inverse_dynamics(const System& system, const Context& context, const VecX& acceleration);
/// The efforts on these coordinates, one for each, at which the mechanism moves with `acceleration` (n), loops
/// included: those of least norm where there are more than freedoms. Throws std::domain_error when they cannot bring it
/// about.
VecX inverse_dynamics(const System& system, const Context& context, const VecX& acceleration,
                      const std::vector<CoordinateHandle>& actuated);
/// tau (n) of a unit effort, N m or N, on a coordinate of a joint: a column of what multiplies efforts.
VecX effort_direction(const System& system, const Context& context, CoordinateHandle coordinate);

// States by handles. What with_...() answers closes the loops and has accelerations and multipliers of its own; a
// simulation that takes it up (Simulation::restore) begins its balance of energy anew. Coordinates that depend on those
// that are set follow, and all others change as little as that allows, drivers going on as they are given.

double joint_position(const System& system, const Context& context, CoordinateHandle coordinate);  // rad or m
double joint_velocity(const System& system, const Context& context, CoordinateHandle coordinate);  // rad/s or m/s
/// The nearest state that closes the loops with these coordinates (rad or m) and rates (rad/s or m/s). Throws
/// std::domain_error when there is none near. Without any: the nearest that closes the loops.
Context with_joints(const System& system, const Context& context, const std::vector<CoordinateHandle>& coordinates,
                    const VecX& positions, const VecX& velocities);
/// Where a frame is and how it moves as seen from another, in the axes of that: of frame 2 of a joint from frame 1,
/// say.
FrameMotion relative_motion(const System& system, const Context& context, const FrameHandle& frame,
                            const FrameHandle& seen_from);
/// The nearest state in which a frame has this place, attitude, velocity and angular velocity, as relative_motion()
/// would say: by default in inertial axes. Of any body, a free one too. Throws std::domain_error where the
/// loops and drivers do not let it be there or move so.
Context with_frame(const System& system, const Context& context, const FrameHandle& frame, const FrameMotion& motion,
                   const FrameHandle& seen_from = {});
/// The same of attitude and angular velocity (rad/s) alone: the way to set a spherical joint, from its first frame to
/// its second.
Context with_attitude(const System& system, const Context& context, const FrameHandle& frame, const Mat3& rotation,
                      const Vec3& angular_velocity, const FrameHandle& seen_from = {});

/// The value that an input was given last.
double input_value(const System& system, const Context& context, int input);
/// From the time of the context on the input is `value`, within its limits; signals see it with the input's lag.
Context with_input(const System& system, const Context& context, int input, double value);
/// Of a state of the model, in its own unit.
double state_value(const System& system, const Context& context, int state);
Context with_state(const System& system, const Context& context, int state, double value);
/// A context of `from` as one of `to`, of which one was made like the other or both like a third.
Context carried_over(const System& from, const Context& context, const System& to);

// Motions of frames and of the whole.

/// Pose, velocity and the acceleration that follows from the state, of a frame, in inertial axes: m, s, rad.
BodyMotion frame_motion(const System& system, const Context& context, const FrameHandle& frame);
/// J, 6 x n: velocity of its point (m/s), then angular velocity (rad/s), for a unit of every v; inertial axes.
Eigen::MatrixXd frame_jacobian(const System& system, const Context& context, const FrameHandle& frame);
/// J' v, and what drivers do by themselves: acceleration of the point (m/s^2), then angular acceleration (rad/s^2) at
/// zero accelerations of the coordinates, so that those of a frame are J a + J' v. No forward dynamics is needed.
Eigen::Matrix<double, 6, 1> frame_bias(const System& system, const Context& context, const FrameHandle& frame);

struct EnergyParts {
  double kinetic = 0, potential = 0;  // J
};
EnergyParts energy(const System& system, const Context& context);

/// Of all bodies, inertial axes. Rotors of joint elements have an energy and no place: they do not count.
struct Momentum {
  double mass = 0;               // kg
  Vec3 centre = Vec3::Zero();    // of mass, m
  Vec3 velocity = Vec3::Zero();  // of that, m/s
  Vec3 linear = Vec3::Zero();    // kg m/s
  Vec3 angular = Vec3::Zero();   // about the centre, kg m^2/s
};
Momentum momentum(const System& system, const Context& context);

// Forces.

/// The weight of all bodies on the coordinates, n: N m or N. It is in -h; where coordinates of one body are tied to
/// each other by constraints, as on global and cartesian, but for what does nothing in the motions that those allow.
VecX gravity_forces(const System& system, const Context& context);
/// What a load does on the coordinates, n: N m or N, likewise in -h.
VecX load_forces(const System& system, const Context& context, LoadHandle load);
/// What a load does to a body, about its mass centre (ground: about the inertial origin), in inertial axes; N and N m.
Wrench load_wrench(const System& system, const Context& context, LoadHandle load, int body);
/// Of a load along a line or on a coordinate.
struct LoadEffort {
  double length = 0;  // the distance or the coordinate, m or rad
  double effort = 0;  // N or N m, as its column has it: the pull of springs and forces between two points, the torque
                      // or force that pulls a coordinate back, what an actuator drives it with
};
/// Throws std::invalid_argument for a load that is no such one: load_wrench() has what it does.
LoadEffort load_effort(const System& system, const Context& context, LoadHandle load);
/// Of a joint: what acts on its second body, at the joint's point, in the joint's axes on the first; N and N m. As the
/// columns have it; of least norm where reactions are not unique. Whoever wants many finds them all in signals().
Wrench joint_reaction(const System& system, const Context& context, JointHandle joint);

/// A row of trajectory.csv, s numbers: motions, coordinates of joints, reactions, forces of loads; with the
/// accelerations that follow from the state, so that reactions are those of this moment whatever the context holds.
VecX signals(const System& system, const Context& context);

}  // namespace cardan
