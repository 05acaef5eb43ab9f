// A mechanism compiled for a formulation, and what can be asked of it at a state: matrices, motions of frames, forward
// and inverse dynamics, linearization. A System is constant and may be shared by threads; a Context is a value, that of
// Simulation::state() as well as one made here. Everything is written for
//     M a + h + Phi_q^T lambda = tau,   Phi(q, t) = 0,   Phi_q v = -Phi_t,   Phi_q a = gamma
// in the coordinates q of the formulation, v = q', with redundant constraints allowed: tau are efforts beside the loads
// of the mechanism, which are in h. What q is depends on the formulation (relative coordinates are zero as assembled,
// attitudes have four parameters on cartesian): joints are read and set by their handles, joint_position() and
// with_joints().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cardan/context.hpp"
#include "cardan/mechanism.hpp"
#include "cardan/motion.hpp"

namespace cardan {

/// One coordinate of a joint: what efforts act on and what can be set. Of one System.
struct CoordinateHandle {
  int index = -1;
};
/// A point with axes on a body, of one System.
struct FrameHandle {
  int body = kGround;
  Vec3 point = Vec3::Zero();     // from the body's mass centre, in its axes; of ground: in space
  Mat3 axes = Mat3::Identity();  // in the body's axes
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

  const Mechanism& mechanism() const;
  const std::string& formulation() const;
  double length() const;    // size of the mechanism, m
  int coordinates() const;  // n
  int constraints() const;  // m, redundant ones included
  const std::vector<std::string>& coordinate_names() const;
  const std::vector<std::string>& constraint_names() const;
  /// Of trajectory.csv, in the order in which signals() gives their values.
  const std::vector<std::string>& signal_names() const;

  /// As assembled, with the initial velocities of the mechanism.
  Context start() const;

  // Names are looked up once. Each throws std::invalid_argument with the nearest name there is.
  int body(const std::string& name) const;
  /// `number`: which of the joint's coordinates, from 1. Rotation vectors of spherical and free joints have none.
  CoordinateHandle coordinate(const std::string& joint, int number = 1) const;
  FrameHandle marker(const std::string& name) const;
  /// A point of a body by its drawn place, with the body's own axes.
  FrameHandle frame(const std::string& body, const Vec3& drawn_point) const;
  int signal(const std::string& name) const;

  class View;

 private:
  friend const View& view_of(const System& system);
  std::shared_ptr<const View> view_;
};

// All of these throw std::domain_error for a state at which the formulation cannot be evaluated, and
// std::invalid_argument for a context of another system (mechanism, formulation or assembly) or with numbers that are
// not finite or with events behind it.

Eigen::MatrixXd mass_matrix(const System& system, const Context& context);
/// h: what velocities, weight and loads do, with the sign of the equation above.
VecX bias_forces(const System& system, const Context& context);
VecX constraint_values(const System& system, const Context& context);
Eigen::MatrixXd constraint_jacobian(const System& system, const Context& context);
/// gamma, the right-hand side at the level of accelerations.
VecX constraint_bias(const System& system, const Context& context);

struct Accelerations {
  VecX acceleration;  // n
  VecX multipliers;   // m: with redundant constraints some that balance the equations
};
/// What happens at a state with the efforts tau on the coordinates (empty: none). Throws std::domain_error when nothing
/// resists some motion.
Accelerations forward_dynamics(const System& system, const Context& context, const VecX& tau = {});
/// M a + h: of open chains the efforts that a takes; of closed ones those with no part taken by the constraints.
VecX inverse_dynamics(const System& system, const Context& context, const VecX& acceleration);
/// The efforts on these coordinates at which the mechanism moves with `acceleration`, loops included: those of least
/// norm where there are more than freedoms. Throws std::domain_error when they cannot bring it about.
VecX inverse_dynamics(const System& system, const Context& context, const VecX& acceleration,
                      const std::vector<CoordinateHandle>& actuated);
/// tau of a unit effort on a coordinate of a joint: a column of what multiplies efforts.
VecX effort_direction(const System& system, const Context& context, CoordinateHandle coordinate);

double joint_position(const System& system, const Context& context, CoordinateHandle coordinate);
double joint_velocity(const System& system, const Context& context, CoordinateHandle coordinate);
/// The nearest state that closes the loops with these coordinates and rates. Throws std::domain_error when there is
/// none near. Without any: the nearest that closes the loops.
Context with_joints(const System& system, const Context& context, const std::vector<CoordinateHandle>& coordinates,
                    const VecX& positions, const VecX& velocities);

/// Pose, velocity and the acceleration that follows from the state, of a frame, in inertial axes.
BodyMotion frame_motion(const System& system, const Context& context, const FrameHandle& frame);
/// 6 x n: velocity of its point, then angular velocity, for a unit of every v; inertial axes.
Eigen::MatrixXd frame_jacobian(const System& system, const Context& context, const FrameHandle& frame);

struct EnergyParts {
  double kinetic = 0, potential = 0;  // J
};
EnergyParts energy(const System& system, const Context& context);
/// A row of trajectory.csv: motions, coordinates of joints, reactions, forces of loads; with the accelerations that
/// follow from the state, so that reactions are those of this moment whatever the context holds.
VecX signals(const System& system, const Context& context);

}  // namespace cardan
