// What an ensemble keeps side by side: one number of each of four instances of a mechanism, and the mechanism's
// topology once. Plain data, written by code for any processor (lane_model.cpp) and read by the steps that are compiled
// for several (lane_step.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace cardan {

inline constexpr int kLanes = 4;

/// A number of each instance.
struct alignas(8 * kLanes) Lanes {
  double of[kLanes] = {};
};
using LaneArray = std::vector<Lanes>;

/// Measure of formulation/measure.hpp.
template <int D>
struct LaneMeasure {
  enum class Kind { along, cosine, distance, angle, turn };
  Kind kind = Kind::along;
  int body1 = 0, body2 = 0;
  bool axis_on_body2 = false;
  Lanes point1[D], point2[D], e1[D], e2[D], f1[D], f2[D];
  Lanes axis[D == 2 ? 1 : 3];
  Lanes offset;
};

/// JointMotion, TreeMotion::Link and Hinge of formulation/relative/tree_motion.hpp; matrices by columns.
template <int D>
struct LaneMotion {
  enum class Kind { rotation, translation, ball };
  Kind kind = Kind::rotation;
  int first = 0;
  int ball = -1;  // which of the balls
  bool has_lead = false;
  Lanes axis[D], point[D], lead;
};
template <int D>
struct LaneLink {
  int body = 0, parent = 0;
  int first_motion = 0, last_motion = 0, first = 0, last = 0;
  bool is_hinge = false;
  Lanes rotation[D * D], center[D], angle;
  Lanes fixed[12], even[12], odd[12];  // space
  Lanes arm[D];                        // plane
};

/// In space J = middle + more more^T - less less^T (formulation/turning_inertia.hpp), in the plane `middle` alone.
struct LaneBody {
  Lanes mass, middle, less[3], more[3];
};

/// Where the columns of a row stand in LaneModel::columns: those before `split` belong to body 2.
struct LaneSpan {
  int first = 0, split = 0, last = 0;
};

/// ConstraintRows::Term and Row of formulation/constraint_rows.hpp.
template <int D>
struct LaneTerm {
  LaneMeasure<D> measure;
  Lanes weight;
  int turns_of = -1;
  LaneSpan span;
  int places = 0;  // where the places of its columns in the row begin in LaneModel::places
};
struct LaneRow {
  int first = 0, last = 0;
  int driver = -1;
  bool has_period = false;
  Lanes offset, period, scale;
};

/// BodyModel::ScalarLoad: -spring(s - free) - damper(s') on the measure.
template <int D>
struct LaneLoad {
  LaneMeasure<D> measure;
  int turns_of = -1;
  bool has_spring = false;
  Lanes free;
  LaneSpan span;
  int across = -1;    // of a load along a line: the first of its load rows across
  LaneSpan spans[D];  // of these
};
template <int D>
struct LaneTyre {
  int body = 0;
  Lanes center[D], axis[D];
  int row = 0;  // the first of its load rows
  LaneSpan span;
};
/// `sign` times what LaneWork::effort holds on a measure.
template <int D>
struct LaneEffort {
  LaneMeasure<D> measure;
  double sign = 1;
};
/// Components in LaneWork::given, at a point of body 2; a torque acts on body 1 the other way.
template <int D>
struct LaneGiven {
  bool is_torque = false, body_axes = false;
  int body1 = 0, body2 = 0;
  Lanes point[D];
};
/// Kinetic energy 1/2 inertia s'^2.
template <int D>
struct LaneRotor {
  LaneMeasure<D> measure;
  Lanes inertia;
  LaneSpan span;
};
/// A coordinate of a joint, of which full turns are counted.
template <int D>
struct LaneCoordinate {
  bool angular = false;
  LaneMeasure<D> measure;
  Lanes unturned;
};

/// Rows of a matrix: columns, and where the outer product of each lands among the values of the symmetric pattern.
struct LaneRows {
  std::vector<int> start{0}, column, slot_start{0}, slot;
  int size() const { return static_cast<int>(start.size()) - 1; }
};

/// L D L^T by columns in an order of elimination (math/sparse_symbolic.hpp).
struct LaneSymbolic {
  int n = 0;
  std::vector<int> original, column_start, row_start, row;
  std::vector<int> entry_start, entry_value, entry_row;  // of the values of every column, the diagonal first
  struct Update {
    int column, rows, row_start;  // its last `rows` entries
  };
  std::vector<int> update_start;
  std::vector<Update> updates;
};

/// K instances of a mechanism in relative coordinates.
template <int D>
struct LaneModel {
  int bodies = 0, coordinates = 0, constraints = 0, balls = 0;
  int counted = 0;  // angles, see BodyModel::counted_angles()
  Lanes gravity[D];
  std::vector<LaneBody> body;
  std::vector<LaneLink<D>> links;
  std::vector<LaneMotion<D>> motions;
  std::vector<int> path_start, path;  // of every link: the coordinates up to it
  std::vector<int> mass_slot_start, mass_slot;
  std::vector<LaneTerm<D>> terms;
  std::vector<LaneRow> rows;
  std::vector<int> columns, places;
  LaneRows jacobian, loads_rows, rotor_rows;
  std::vector<LaneLoad<D>> loads;
  std::vector<LaneTyre<D>> tyres;
  std::vector<LaneEffort<D>> efforts;
  std::vector<LaneGiven<D>> given;
  std::vector<LaneRotor<D>> rotors;
  std::vector<LaneCoordinate<D>> counted_coordinates;
  bool counts_turns = false;
  std::vector<int> pattern_start, pattern_row;  // of M and the tangent, by columns of the lower triangle
  LaneSymbolic symbolic;
  LaneArray scale;           // n
  LaneArray effective_mass;  // m
};

/// The motion of the instances, as Context holds it.
struct LaneState {
  Lanes t;
  LaneArray q, v, a, A, lambda;  // a: the algorithmic accelerations
  LaneArray turns;               // the counted angles, their rates, and the time of both
  LaneArray references;          // quaternions of the balls, x y z w
};

/// Every buffer of a step.
template <int D>
struct LaneWork {
  static constexpr int kTwist = D == 2 ? 3 : 6;
  LaneArray rotation, center, twist, bias, wrench;  // of bodies and ground
  LaneArray angle;                                  // plane
  LaneArray column, joint_bias;                     // of coordinates, of links
  LaneArray ball_axes, ball_reference, ball_point;  // of balls
  LaneArray composite;                              // of bodies: mass, first and second moments
  LaneArray gradient, load_gradient;                // of terms and of load rows (two wrenches each)
  LaneArray turns;                                  // what angles are continued from
  LaneArray phi, phi_t, gamma, jacobian, rows, mass, force, loads, rotor_row, stiffness, damping;
  LaneArray driver;  // of every driver: position, rate and second derivative at the end of the step
  LaneArray effort, given;
  LaneArray predicted_q, predicted_v, q, v, a, A, moved, lambda, weight, tangent, rhs, increment, before;
  LaneArray lower, diagonal, inverse, accumulated, permuted, violation;
  std::vector<unsigned char> live;  // of load rows
  explicit LaneWork(const LaneModel<D>& model);
};

/// The rule, and what a step goes by: integration/newmark.hpp.
struct LaneRule {
  double dm = 0, df = 0, beta = 0.25, gamma = 0.5;
  bool has_penalty = false;  // one number for all constraints
  double penalty = 0;
  bool norm_is_plain = false;  // increments are judged as they are, not by the scales of the coordinates
  bool projections = true;
  double kappa_smallest = 200, kappa_largest = 1e6;
  int iteration_limit = 60;
  Lanes length;  // size of the mechanism
};

/// What becomes of a step.
struct LaneReport {
  unsigned done = 0;            // a bit for each instance that has made it
  int iterations[kLanes] = {};  // of Newton's method
  int passes = 0;               // of all of them together
};

/// What is asked instance by instance, in code that all processors run: laws, and whether an iteration has come to its
/// end.
class LaneLaws {
 public:
  virtual ~LaneLaws() = default;
  /// Of a scalar load at an elongation and a rate, for the instances in `which` (a bit each): force, and its
  /// derivatives.
  virtual void load(int index, unsigned which, const Lanes& elongation, const Lanes& rate, Lanes& force,
                    Lanes& stiffness, Lanes& damping) const = 0;
  /// Of a tyre at the wheel's centre, with its axle and velocity: force and moment, and D rows of the tangent, each
  /// direction, arm, stiffness and damping.
  virtual void tyre(int index, unsigned which, const Lanes* center, const Lanes* axle, const Lanes* velocity,
                    Lanes* force, Lanes* moment, Lanes* rows) const = 0;
  /// After the `count`th increment, of this norm, with the rounding of the coordinates.
  virtual void judge(int count, unsigned which, const Lanes& increment, const Lanes& rounding) = 0;
  /// With the largest violation of a constraint, after judge(): which end.
  virtual unsigned ended(int count, unsigned which, const Lanes& phi) = 0;
  /// Which instances keep their tangents, after judge().
  virtual unsigned keep_tangent(int /*count*/, unsigned /*which*/) const { return 0; }
};

/// A step of h seconds of the instances in `which`; others stay as they are. The end of the step is at t + h; what
/// depends on time alone is in the workspace.
using LaneStep2 = LaneReport (*)(const LaneModel<2>&, const LaneRule&, const Lanes& h, unsigned which, LaneLaws&,
                                 LaneState&, LaneWork<2>&);
using LaneStep3 = LaneReport (*)(const LaneModel<3>&, const LaneRule&, const Lanes& h, unsigned which, LaneLaws&,
                                 LaneState&, LaneWork<3>&);
struct LaneSteps {
  LaneStep2 in_plane;
  LaneStep3 in_space;
  const char* name;  // of the set of instructions
};
/// By its name ("plain", "avx2"); null functions where this processor has it not.
LaneSteps lane_steps(const char* name);
/// The best that it has, or what the environment asks for (CARDAN_LANES=plain).
LaneSteps lane_steps();

}  // namespace cardan
