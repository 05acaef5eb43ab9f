// The mechanism compiled to the level of bodies: inertias in body axes, loads and drivers as measures. It knows poses
// and twists, not coordinates; every formulation and every analysis is built on it.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "cardan/mechanism.hpp"
#include "formulation/contact_set.hpp"
#include "formulation/custom_wrench.hpp"
#include "formulation/equations.hpp"
#include "formulation/held_rows.hpp"
#include "formulation/line_stiffness.hpp"
#include "formulation/signal_set.hpp"
#include "formulation/turning_inertia.hpp"
#include "formulation/tyre.hpp"
#include "mechanism/given_signal.hpp"

namespace cardan {

/// The box around the centres of the bodies and the points of the joints.
template <int D>
struct Extent {
  typename Space<D>::Vector middle;
  double size;  // its diagonal, or the largest radius of gyration, m
};

template <int D>
class BodyModel {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;

  struct BodyInertia {
    double mass;
    typename S::Inertia inertia;  // about the centre, in body axes
    TurningInertia<D> turning;    // the same
  };
  /// One coordinate of a joint, for output, loads and drivers.
  struct JointCoordinate {
    int joint, index;
    bool angular;
    Measure<D> measure;
    double unturned = 0;  // in a plane: the angle where neither body is turned
  };
  /// Generalized force -spring(s - free) - damper(s') on the measure s.
  struct ScalarLoad {
    Measure<D> measure;
    int turns_of;  // index of the joint coordinate whose full turns it counts, or -1
    double free;
    Function spring, damper;
  };
  /// A row S of the tangents K = S^T k S and C = S^T c S: a wrench on body 2 and the opposite of one on body 1, the
  /// same but for rows across a line, which have it at another point. Indices into what apply_loads() writes.
  struct LoadRow {
    int body1, body2;
    int wrench1, wrench2;
  };
  /// A generalized force `sign` times the law on the measure: an actuator's, or minus the pull along a line.
  struct Effort {
    Measure<D> measure;
    Law law;
    double sign;
  };
  /// What follows a signal: its wrench for a unit of the signal is on body 2, and the opposite on body 1.
  struct SignalForce {
    enum class Sort { effort, force, torque };
    Sort sort;
    int index, component;  // in efforts(), the mechanism's forces or torques
    int signal;
    int body1, body2;
  };
  /// Kinetic energy 1/2 inertia s'^2 on the measure s, a coordinate of a joint.
  struct ScalarInertia {
    Measure<D> measure;
    double inertia;
    int joint, coordinate;
  };
  struct DriverEquation {
    Measure<D> measure;
    bool angular;
    Function position;
    std::string name;
    int signal;                              // or -1
    const RotationPath* rotation = nullptr;  // of a turn: `measure` is that from where the path begins
    int joint = -1, axis = 0;                // likewise
  };

  explicit BodyModel(const Mechanism& mechanism);

  const Mechanism& mechanism() const { return mechanism_; }
  int bodies() const { return static_cast<int>(inertias_.size()); }
  const std::vector<BodyInertia>& inertias() const { return inertias_; }
  static bool acts_along_line(const ScalarLoad& load) { return load.measure.kind == Measure<D>::Kind::distance; }
  const std::vector<JointCoordinate>& joint_coordinates() const { return joint_coordinates_; }
  const std::vector<ScalarLoad>& scalar_loads() const { return scalar_loads_; }
  const std::vector<TyreModel<D>>& tyres() const { return tyres_; }
  const std::vector<WrenchModel<D>>& custom_wrenches() const { return custom_wrenches_; }
  const ContactSet<D>& contacts() const { return *contacts_; }
  const std::vector<SensorModel<D>>& sensors() const { return sensors_; }
  /// One for each scalar load, then TyreModel::kRows for each tyre, WrenchModel::kRows for each wrench of a program's
  /// own, kAcross for each load along a line (see line_stiffness.hpp), ContactSet::kRows for each point that may touch,
  /// and, always written, one for each leaf of the signals that has one and each force that follows a signal.
  const std::vector<LoadRow>& load_rows() const { return load_rows_; }
  /// Of load rows: what acts along one and follows another.
  const std::vector<Structure::Coupling>& load_couplings() const { return load_couplings_; }
  std::size_t first_wrench_row() const { return scalar_loads_.size() + TyreModel<D>::kRows * tyres_.size(); }
  std::size_t first_row_across() const { return first_wrench_row() + WrenchModel<D>::kRows * custom_wrenches_.size(); }
  std::size_t first_contact_row() const {
    return first_signal_row() - static_cast<std::size_t>(ContactSet<D>::kRows * contacts_->slots());
  }
  /// Those of contacts come last: along the surface, following the normal force.
  std::size_t first_contact_coupling() const {
    return load_couplings_.size() - static_cast<std::size_t>((D - 1) * contacts_->coupled_slots());
  }
  std::size_t first_signal_row() const {
    return load_rows_.size() - signals_->rows_of_leaves().size() - signal_forces_.size();
  }
  int load_wrenches() const { return load_wrenches_; }
  const std::vector<Effort>& efforts() const { return efforts_; }
  const SignalSet<D>& signals() const { return *signals_; }
  const std::vector<SignalForce>& signal_forces() const { return signal_forces_; }
  /// Of a unit of the signal.
  Twist wrench(const SignalForce& force, const BodyKinematics<D>& k) const;
  /// The measure that a force acts on, or null.
  const Measure<D>* measure(const SignalForce& force) const {
    return force.sort == SignalForce::Sort::effort ? &efforts_[force.index].measure : nullptr;
  }
  /// What a law says at time t; of signals as they were evaluated last.
  static double value(const Law& law, double t, const BodyKinematics<D>& k) {
    return law.function(t) + (law.signal < 0 ? 0 : k.signals->value[law.signal]);
  }
  /// The path of a driver.
  Function::Value path(int index, double t, const BodyKinematics<D>& k) const {
    const DriverEquation& driver = drivers_[static_cast<std::size_t>(index)];
    if (driver.signal < 0 || !k.signals) return driver.position.evaluate(t);
    DriverPath& known = k.signals->paths[static_cast<std::size_t>(index)];
    if (known.t != t) known = {given_signal(mechanism_.signals, driver.signal, t, k.signals->inputs.data()), t};
    return known.value;
  }
  /// Of a body from the inertial x axis (plane).
  Measure<D> plane_angle(int body) const;
  const std::vector<DriverEquation>& drivers() const { return drivers_; }
  const std::vector<ScalarInertia>& rotors() const { return rotors_; }
  /// Where a joint's coordinate, one that has a measure, stands in joint_coordinates().
  int coordinate_index(int joint, int coordinate) const { return first_coordinate_[joint] + coordinate; }
  /// The value of a joint coordinate in the drawn configuration.
  double drawn_value(int index) const;
  const MeasureFactory<D>& measures() const { return measures_; }
  /// What the places of BodyKinematics are taken from: the inertial origin, or the middle of the drawing where that is
  /// far from it. Twists and wrenches are about this point, so that they keep their digits wherever a mechanism is
  /// drawn.
  const Vector& origin() const { return origin_; }
  /// Where the centre of a body is seen from the inertial origin.
  Vector place(int body, const BodyKinematics<D>& k) const { return origin_ + k.center[body]; }
  /// Of bodies in these poses and of the joints as drawn.
  Extent<D> extent(const BodyKinematics<D>& k) const;
  /// Rounding of the drawn points, relative to the size of the mechanism.
  double rounding(double length) const;
  Vector gravity() const { return gravity_; }

  /// Context::attached with every joint that events attach or release held as drawn; empty without such joints.
  VecX drawn_attachments() const;
  /// Writes the record of a joint that takes hold where its bodies are: point 2 where it is seen from body 1, the axes
  /// of a fixed joint likewise, the distance of the points of a distance link.
  void attach(int joint, const BodyKinematics<D>& k, VecX& attached) const;

  /// The poses of the drawn configuration.
  BodyKinematics<D> drawn() const;

  RigidInertia<D> inertia(int body, const BodyKinematics<D>& k) const;

  /// Sets the wrenches of all bodies to those of gravity.
  void apply_gravity(const BodyKinematics<D>& k, std::vector<Twist>& wrenches) const;
  /// True when there is more than gravity: loads or drivers, which look at poses and twists.
  bool has_loads_or_drivers() const { return loaded_; }
  /// What tangents are made of: the wrenches of the load rows, and in `equations` k and c of the rows and of their
  /// couplings, and which rows are live.
  struct LoadTangents {
    std::vector<Twist>& gradients;
    Equations& equations;
    void write(std::size_t row, double stiffness, double damping) {
      equations.stiffness[static_cast<Eigen::Index>(row)] = stiffness;
      equations.damping[static_cast<Eigen::Index>(row)] = damping;
      equations.live[row] = stiffness != 0 || damping != 0;
    }
  };
  /// Adds the wrenches of forces and torques over time, springs, dampers, tyres and laws of a program's own. `turns`:
  /// see predict_turns(). `tangents` may be null.
  void apply_loads(double t, const BodyKinematics<D>& k, const VecX& turns, std::vector<Twist>& wrenches,
                   LoadTangents* tangents) const;

  /// Adds what the rotors' inertia does to the bodies, -J s'' on every measure; k.acceleration counts.
  void apply_rotors(const BodyKinematics<D>& k, std::vector<Twist>& wrenches) const;

  /// Joint coordinates and, in the plane, angles of bodies.
  int counted_angles() const;
  /// What Context::memory begins with in every formulation: the last accepted values of the counted angles, their
  /// rates, and the time, so that angles can be continued over full turns however many a step makes; then what loads
  /// remember.
  int turns_size() const { return 2 * counted_angles() + 1 + load_memory(); }
  int load_memory() const { return mechanism_.load_memory; }
  /// Of the counted angles; those of lengths are zero.
  auto rates(const VecX& memory) const { return memory.segment(counted_angles(), counted_angles()); }
  /// Where the rates would have brought the angles by the time t, then the time since the memory was written, then what
  /// loads remembered. Takes the memory, gives the `turns` that others take.
  void predict_turns(const VecX& memory, double t, VecX& turns) const;
  /// What the model says of every joint coordinate: its initial position, one that a coupler makes of another's, or the
  /// drawing's.
  VecX expected_turns() const;
  /// The memory of the assembled configuration; an angle counts from what the model says of it.
  VecX initial_turns(double t, const BodyKinematics<D>& assembled) const;
  /// A counted angle, but for full turns, and its rate.
  struct KnownAngle {
    int counted;
    double angle, rate;
  };
  /// At the end of a step. `known`: what need not be found from the bodies' axes, in the order of the counted angles.
  void update_turns(double t, const BodyKinematics<D>& k, VecX& memory, std::span<const KnownAngle> known = {}) const;
  double elapsed(const VecX& turns) const { return turns[counted_angles()]; }
  const double* remembered(const VecX& turns) const { return turns.data() + counted_angles() + 1; }
  /// After a jump of velocities or of time: counts on from the angles as they are.
  void restart_turns(double t, const BodyKinematics<D>& k, VecX& memory) const;
  /// The angle of a body's x axis, continued from `turns` (plane only).
  double body_angle(int body, const BodyKinematics<D>& k, const VecX& turns) const;
  /// The value of a joint coordinate, continued from `turns`.
  double coordinate_value(int index, const BodyKinematics<D>& k, const VecX& turns) const;

  /// s - free of a load whose measure has the value s, continued from `turns`.
  static double elongation(const ScalarLoad& load, double value, const VecX& turns) {
    return (load.turns_of < 0 ? value : nearest_turn(value, turns[load.turns_of])) - load.free;
  }
  /// Which scalar load a joint spring is, and a bushing along or about one of its axes (0 to 5).
  int load_of_joint_spring(int index) const { return static_cast<int>(mechanism_.springs.size()) + index; }
  int load_of_bushing(int index, int axis) const { return bushing_loads_[index][axis]; }
  /// The pull of a spring and damper.
  double tension(const ScalarLoad& load, const BodyKinematics<D>& k, const VecX& turns) const;
  /// A law of time and inputs.
  double given(const Law& law, double t, const BodyKinematics<D>& k) const {
    const double over_time = law.function(t);
    if (law.signal < 0 || !k.signals) return over_time;
    return over_time + given_signal(mechanism_.signals, law.signal, t, k.signals->inputs.data()).f;
  }
  /// What the law of a wrench looks at.
  FramePair frame_pair(const WrenchModel<D>& wrench, double t, const BodyKinematics<D>& k, const VecX& turns) const {
    FramePair pair = wrench.frames().pair(t, k, origin_);
    give(wrench, k, turns, pair);
    return pair;
  }
  /// What it looks at beside the frames, at the time of the pair.
  void give(const WrenchModel<D>& wrench, const BodyKinematics<D>& k, const VecX& turns, FramePair& pair) const {
    pair.given = given(wrench.given(), pair.t, k);
    if (wrench.memory() == 0) return;
    pair.elapsed = elapsed(turns);
    pair.memory = remembered(turns) + wrench.memory_at();
  }
  /// All that touch.
  const std::vector<typename ContactSet<D>::Point>& touching(const BodyKinematics<D>& k, const VecX& turns) const {
    return contacts_->find(k, remembered(turns));
  }
  TyreForce<double, D> tyre_force(const TyreModel<D>& tyre, const BodyKinematics<D>& k) const;
  /// Why a tyre has no force: its road ends, or its wheel's centre is below the road; empty when all is well.
  std::string lost_tyre(const BodyKinematics<D>& k) const;

  /// In inertial axes.
  Vector force_components(const PointForce& force, double t, const BodyKinematics<D>& k, int body) const;
  typename S::Angular torque_components(const Torque& torque, double t, const BodyKinematics<D>& k, int body) const;

  double kinetic_energy(const BodyKinematics<D>& k) const;
  /// Of gravity, springs, tyres and what else stores some.
  double potential_energy(const BodyKinematics<D>& k, const VecX& turns) const;
  /// Power of dampers and of forces, torques and efforts over time.
  double external_power(double t, const BodyKinematics<D>& k, const VecX& turns) const;
  /// Power that the drivers put in: (M A - applied wrenches) . twists, zero without drivers.
  double driver_power(const BodyKinematics<D>& k, const std::vector<Twist>& wrenches) const;

 private:
  // In this order, each with what those before it left.
  void find_joint_coordinates();
  void compile_scalar_loads();
  void compile_efforts_and_drivers();
  void compile_tyres();
  void compile_laws_of_frames();
  bool finds_loads_or_drivers() const;
  void list_signal_forces();
  void list_load_rows();
  void apply_springs(const BodyKinematics<D>& k, const VecX& turns, std::vector<Twist>& wrenches,
                     LoadTangents* tangents) const;
  void apply_tyres(const BodyKinematics<D>& k, std::vector<Twist>& wrenches, LoadTangents* tangents) const;
  void apply_wrenches(double t, const BodyKinematics<D>& k, const VecX& turns, std::vector<Twist>& wrenches,
                      LoadTangents* tangents) const;
  void apply_contacts(const BodyKinematics<D>& k, const VecX& turns, std::vector<Twist>& wrenches,
                      LoadTangents* tangents) const;
  void remember(double t, const BodyKinematics<D>& k, double elapsed, double* memory) const;
  void add_load_row(int body1, int body2, bool two_wrenches);
  void write_across(const Measure<D>& line, const BodyKinematics<D>& k, const LoadRow* across, Twist& along,
                    std::vector<Twist>& wrenches) const;

  const Mechanism mechanism_;
  Vector origin_;
  double distance_ = 0;  // of the drawing from the inertial origin, m
  MeasureFactory<D> measures_;
  Vector gravity_;
  std::vector<BodyInertia> inertias_;
  std::vector<JointCoordinate> joint_coordinates_;
  std::vector<ScalarLoad> scalar_loads_;
  std::vector<std::array<int, 6>> bushing_loads_;  // of every bushing: indices into scalar_loads_, or -1
  std::vector<TyreModel<D>> tyres_;
  std::vector<WrenchModel<D>> custom_wrenches_;
  std::vector<SensorModel<D>> sensors_;
  std::unique_ptr<const ContactSet<D>> contacts_;
  std::vector<LoadRow> load_rows_;
  std::vector<Structure::Coupling> load_couplings_;
  std::vector<int> forgotten_;  // places among what loads remember that belong to none of them now
  int load_wrenches_ = 0;
  std::vector<Effort> efforts_;
  std::vector<SignalForce> signal_forces_;
  std::unique_ptr<const SignalSet<D>> signals_;
  std::vector<DriverEquation> drivers_;
  std::vector<ScalarInertia> rotors_;
  std::vector<int> first_coordinate_;  // of every joint; coordinates without a measure are skipped
  std::vector<Vector> force_points_;   // of PointForce, in body axes
  bool loaded_ = false;                // there are loads, drivers or signals
};

}  // namespace cardan
