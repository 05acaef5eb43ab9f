// Analyses that need no time steps: static equilibrium, linearization, inverse dynamics along the paths of the drivers,
// with loops, redundant constraints and drivers. Those of a Mechanism work in Cartesian coordinates with exact
// tangents, those of a System in its own. Bad models throw ModelError; what an analysis cannot reach it says in its
// result.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/motion.hpp"
#include "cardan/sink.hpp"
#include "cardan/system.hpp"

namespace cardan {

/// What a spring between two points or on a joint coordinate does: `length` is the distance or the coordinate, `force`
/// the tension or the torque that pulls it back, also of cylinders. Elastic tyres: the loaded radius, and the load.
struct LoadValue {
  std::string name;
  double length = 0;  // m or rad
  double force = 0;   // N or N m
};

struct EquilibriumOptions {
  int iterations = 300;  // at most
  static constexpr int kMostIterations = 100000;
  double step = 0.15;  // longest step of one iteration: rad, and parts of the mechanism's size
  /// Where the unbalanced force (or moment by the mechanism's size) counts as zero, relative to the largest load on a
  /// body (a pure number). Iteration goes on to rounding where that is within reach.
  double tolerance = 1e-9;

  /// Throws std::invalid_argument.
  void check() const;
};

/// Q - Phi_q^T lambda = 0, Phi = 0 and the rates of all states 0 at t = 0, with every body at rest and every driver
/// held, inputs as they start. A state whose rate is 0 whatever happens stays at its start. One whose rate cannot
/// become 0, or follows velocities alone, so that where it comes to rest depends on the way there, is named as the
/// reason.
struct Equilibrium {
  bool converged = false;
  std::string reason;                // why not
  std::vector<BodyPose> bodies;      // in the order of the mechanism
  std::vector<double> states;        // likewise
  std::vector<std::string> columns;  // as in trajectory.csv: bodies, joints with reactions, drivers
  std::vector<double> values;
  std::vector<LoadValue> loads;  // springs, those on joint coordinates, elastic tyres, forces between two points; what
                                 // others do is in `values`
  double force = 0;              // largest unbalanced force on a body, N
  double moment = 0;             // largest unbalanced moment about a body's mass centre, N m
  std::string worst_body;        // where the larger of the two acts
  int iterations = 0;
  int limited = 0;                   // of these: steps that were shortened or taken against a tangent not positive
  int degrees_of_freedom = 0;        // that joints and couplers leave
  int driven = 0;                    // how many of them drivers hold
  int unstable = 0;                  // directions in which the forces drive away: negative eigenvalues of the tangent
  std::vector<std::string> neutral;  // motions that nothing resists, left where they were
  std::vector<std::string> notes;

  /// By the name of a column; throws std::out_of_range.
  double value(const std::string& column) const;
  std::string json() const;
};

/// The equilibrium that the loads lead to from the assembled configuration. An assembled configuration that is one
/// already is kept, be it stable or not.
Equilibrium find_equilibrium(const Mechanism& mechanism, const EquilibriumOptions& options = {});

/// A pair of conjugate eigenvalues, or a real one, with its shape.
struct Mode {
  std::complex<double> eigenvalue;          // 1/s, imaginary part not negative
  double frequency = 0;                     // Im / 2 pi, Hz
  double natural_frequency = 0;             // |eigenvalue| / 2 pi, Hz
  double damping_ratio = 0;                 // -Re / |eigenvalue|; 0 for rigid modes
  bool rigid = false;                       // a motion that nothing resists: eigenvalue 0
  bool unstable = false;                    // grows
  std::vector<std::complex<double>> shape;  // by Linearization::columns; its largest entry is 1, lengths counted in
                                            // sizes of the mechanism
};

struct Linearization {
  std::vector<BodyPose> bodies;  // where they are, in the order of the mechanism
  std::vector<std::string>
      columns;  // bodies NAME.x .y .z (m) and .rx .ry .rz (rad; planar .x .y .angle), joints NAME.q
  Eigen::MatrixXd mass, damping, stiffness;  // of the f independent motions, f x f: R^T M R and so on; kg, kg/s, kg/s^2
                                             // times m^2, m or 1 as the motions are in m or rad
  Eigen::MatrixXd motions;                   // what a unit of every independent motion does, columns.size() x f
  Eigen::MatrixXd state_matrix;              // 2 f and s states of the model: [0 I; -M^-1 K  -M^-1 C], then these
  std::vector<Mode>
      modes;  // rigid ones first, then by |eigenvalue|; what moves states alone has an empty shape of zeros
  double force = 0, moment = 0;  // N, N m: unbalanced, zero at an equilibrium
  std::vector<std::string> notes;

  std::string json() const;
};

/// About the assembled configuration, whether it is an equilibrium or not (then `force` and `moment` tell how far from
/// one, and a note does).
Linearization linearize(const Mechanism& mechanism);
/// About an equilibrium of the mechanism.
Linearization linearize(const Mechanism& mechanism, const Equilibrium& equilibrium);

/// x' = A x + B u, y = C x + D u for small deviations from a motion at one moment: x the deviations of independent
/// coordinates, of their rates, and of the states of the model; u efforts on coordinates of joints, then the inputs of
/// the model as signals see them; y signals.
struct LinearSystem {
  std::vector<std::string> states;  // "pin.q", ..., then "pin.q rate", ...: joint coordinates before those of bodies
  std::vector<std::string> inputs;  // "pin.effort": beside the loads of the mechanism; "throttle"
  std::vector<std::string> outputs;
  Eigen::MatrixXd A, B, C, D;  // unit of an entry: that of its row (of A and B by s) by that of its column
};

/// About any state, at rest or moving, in any formulation, with loops and redundant constraints. `inputs`: coordinates
/// that efforts act on; empty: those of the mechanism's actuators. `outputs`: signals of the system. A and C come from
/// differences of sixth order between neighbouring states that close the loops, B and D are exact.
LinearSystem linearize(const System& system, const Context& context, const std::vector<CoordinateHandle>& inputs = {},
                       const std::vector<int>& outputs = {});

struct InverseOptions {
  double step = 0.01;  // s, between samples
  double until = 1;    // s
  /// Throws std::invalid_argument.
  void check() const;
};

/// Along the paths of all drivers: rows are samples, columns drivers.
struct InverseDynamics {
  std::vector<std::string> names;                    // of the drivers
  std::vector<double> time;                          // s
  Eigen::MatrixXd position, velocity, acceleration;  // rad or m, and over s, s^2
  Eigen::MatrixXd effort;         // N m or N: the generalized force on the driver's coordinate that the motion takes
  std::vector<BodyMotion> start;  // of every body at t = 0
  int degrees_of_freedom = 0;
  std::vector<std::string> notes;

  /// t, then NAME.q, .v, .a, .effort of every driver.
  std::string csv() const;
  /// The effort of a driver over time: a cubic spline through the samples.
  Function effort_of(int driver) const;
};

/// Positions, velocities and accelerations from the constraints, loops included; efforts from the equations of motion.
/// The drivers must give every degree of freedom (ModelError names those that are free); when they give some twice,
/// their paths must agree and the efforts of least norm are given. States of the model follow their rates along the
/// motion by the trapezoidal rule from sample to sample. `sink` receives the rows of trajectory.csv.
InverseDynamics inverse_dynamics(const Mechanism& mechanism, const InverseOptions& options, Sink* sink = nullptr);

/// The mechanism with the efforts as actuators in place of its drivers, to start on the path. Distance drivers are
/// refused: no actuator acts along a distance.
Mechanism with_efforts(const Mechanism& mechanism, const InverseDynamics& result);

/// Joint coordinates of an open chain, in the order of the mechanism: "pin" or, of joints with several, "slide 2". The
/// functions below take and give vectors in this order; drivers of the mechanism are left out. Throws ModelError for
/// loops and ball joints.
std::vector<std::string> joint_space(const Mechanism& mechanism);
Eigen::MatrixXd joint_space_mass_matrix(const Mechanism& mechanism, const VecX& q);
/// The efforts on the coordinates at which q'' = a.
VecX inverse_dynamics_at(const Mechanism& mechanism, const VecX& q, const VecX& v, const VecX& a);
/// The efforts that hold the weight alone.
VecX gravity_torques(const Mechanism& mechanism, const VecX& q);

}  // namespace cardan
