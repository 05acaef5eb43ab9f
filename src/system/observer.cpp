#include "system/observer.hpp"

#include <algorithm>

#include "formulation/kept_accelerations.hpp"
#include "math/in_space.hpp"
#include "math/rotation_vector.hpp"
#include "mechanism/quantities.hpp"
#include "mechanism/trajectory_columns.hpp"
#include "system/reactions.hpp"
#include "system/sampled_signals.hpp"

namespace cardan {
namespace {

template <int D>
class BodyObserver final : public Observer {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;

  BodyObserver(std::shared_ptr<const BodyModel<D>> model, const BodyFormulation<D>& formulation,
               const Assembly<D>& assembly, bool reactions)
      : model_(std::move(model)),
        formulation_(formulation),
        kept_(dynamic_cast<const KeptAccelerations*>(&formulation)),
        assembly_(assembly),
        reactions_(*model_, assembly.bodies, assembly.length, reactions),
        tables_(*model_),
        wrenches_(model_->bodies() + 1, Twist::Zero()),
        turns_(VecX::Zero(model_->counted_angles() + 1 + model_->load_memory())),
        rates_(VecX::Zero(model_->counted_angles())),
        quaternion_(model_->bodies(), Quat::Identity()),
        sampled_(*model_, reactions_) {
    if (reactions) columns_ = trajectory_columns(model_->mechanism());
    row_.reserve(columns_.size());
    for (const Actuator& actuator : model_->mechanism().actuators) {
      beside_.push_back(springs_beside(model_->mechanism(), actuator));
      for (int& spring : beside_.back()) spring = model_->load_of_joint_spring(spring);
    }
    sampled_.find_columns(columns_);
  }

  const Assembly<D>& assembly() const { return assembly_; }

  Energy energy(const State& state, Workspace& work) override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    return {model_->kinetic_energy(k), model_->potential_energy(k, turns(state))};
  }

  double power(const State& state, Workspace& work) override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    if (model_->drivers().empty()) {
      formulation_.evaluate_signals(work, false);
      return model_->external_power(state.t, k, turns(state));
    }
    if (kept_ && kept_->has_accelerations(work)) {
      formulation_.evaluate_signals(work, false);
      apply(state, k, {});
    } else {
      evaluate(state, work, {}, false);
    }
    return model_->external_power(state.t, k, turns(state)) + model_->driver_power(k, wrenches_);
  }

  double fastest_turn(const State& state) const override {
    const Eigen::Index joints = std::ssize(model_->joint_coordinates());
    return joints > 0 ? model_->rates(state.memory).head(joints).cwiseAbs().maxCoeff() : 0;
  }

  void note_rates(const State& state) override { rates_ = model_->rates(state.memory); }

  double unforeseen_turn(const State& state, double h, int& joint) override {
    double most = 0;
    joint = -1;
    const auto rates = model_->rates(state.memory);
    for (std::size_t i = 0; i < model_->joint_coordinates().size(); ++i) {
      const double turn = 0.5 * h * std::abs(rates[i] - rates_[i]);
      if (turn > most) most = turn, joint = model_->joint_coordinates()[i].joint;
    }
    return most;
  }

  void sample(const State& state, Workspace& work, double* row, std::span<const AddedEffort> efforts) override {
    evaluate(state, work, efforts);
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    reactions_.solve(state.t, k, wrenches_, state.attached);
    double* const first = row;
    *row++ = state.t;
    for (int b = 0; b < model_->bodies(); ++b) row = write_body(b, k, row);
    int coordinate = 0;
    for (std::size_t j = 0; j < model_->mechanism().joints.size(); ++j) {
      row = write_joint(static_cast<int>(j), k, coordinate, row);
    }
    for (std::size_t i = 0; i < model_->mechanism().couplers.size(); ++i) {
      *row++ = reactions_.coupler_effort(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < model_->drivers().size(); ++i) *row++ = reactions_.driver_effort(static_cast<int>(i));
    row = write_velocity_constraints(row);
    for (std::size_t i = 0; i < model_->mechanism().springs.size(); ++i) {
      const auto& load = model_->scalar_loads()[i];
      *row++ = load.measure.value(k);
      *row++ = model_->tension(load, k, turns_);
    }
    for (const TyreModel<D>& tyre : model_->tyres()) {
      const TyreForce<double, D> f = model_->tyre_force(tyre, k);
      *row++ = f.load;
      for (int i = 0; i < D; ++i) *row++ = f.force[i];
    }
    row = write_contacts(k, row);
    row = write_given_loads(state.t, k, row);
    write_signals(k, first, row);
  }

  const VecX& signals(const State& state, Workspace& work, bool late) override {
    if (late) {
      row_.resize(columns_.size());
      sample(state, work, row_.data(), {});
    } else {
      formulation_.locate(state.t, state.q, state, work);
      formulation_.velocity(state.v, work);
      formulation_.evaluate_signals(work, true);
    }
    return signal_values(work);
  }

  const VecX& signals_here(const State& state, Workspace& work) override {
    formulation_.continue_from(state, work);
    formulation_.evaluate_signals(work, true);
    return signal_values(work);
  }

  const VecX& signal_values(Workspace& work) const override { return formulation_.kinematics(work).signals->value; }
  const Mechanism& mechanism() const override { return model_->mechanism(); }

  BrokenSignal broken_signal(Workspace& work) const override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    if (!k.signals) return {};
    formulation_.evaluate_signals(work, true);
    BrokenSignal broken = model_->signals().broken(*k.signals);
    for (const auto& [signal, column] : sampled_.listed()) {
      const Signal& s = model_->mechanism().signals[static_cast<std::size_t>(signal)];
      if (!broken.sentence.empty() || std::isfinite(k.signals->value[signal])) continue;
      const std::string who = s.name.empty() ? s.expression.text() : "signal '" + s.name + "'";
      broken = {who + " is not a finite number", true};
    }
    return broken;
  }

  std::string touching_contact(const State& state, Workspace& work) override {
    const auto& points = model_->touching(formulation_.kinematics(work), turns(state));
    return points.empty() ? std::string() : model_->mechanism().contacts[points.front().element].name;
  }

  BodyMotion body(int b, const State& state, Workspace& work) override {
    evaluate(state, work);
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    const typename S::Angular w = angular<D>(k.twist[b]), w_rate = angular<D>(k.acceleration[b]);
    const Vector v = velocity_at<D>(k.twist[b], k.center[b]);
    BodyMotion motion;
    motion.position = in_space(model_->place(b, k));
    motion.rotation = rotation_in_space(k.rotation[b]);
    motion.velocity = in_space(v);
    motion.angular_velocity = turn_in_space(w);
    // c' = s' + w x c, so c'' = s'' + w' x c + w x c'
    motion.acceleration = in_space(Vector(velocity_at<D>(k.acceleration[b], k.center[b]) + cross(w, v)));
    motion.angular_acceleration = turn_in_space(w_rate);
    return motion;
  }

  void poses(Workspace& work, double* numbers) const override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    for (int b = 0; b < model_->bodies(); ++b, numbers += 12) {
      Eigen::Map<Vec3>{numbers} = in_space(model_->place(b, k));
      Eigen::Map<Mat3>{numbers + 3} = rotation_in_space(k.rotation[b]);
    }
  }

  std::string complaint(Workspace& work) const override { return model_->lost_tyre(formulation_.kinematics(work)); }

  bool look_at_tables(const State& state, Workspace& work) override {
    return tables_.empty() || tables_.look(state.t, formulation_.kinematics(work), turns(state));
  }

  std::vector<LeftTable> left_tables() const override { return tables_.left(); }

  std::vector<std::string> open_reactions() const override { return reactions_.open_joints(); }

  void follow(const Observer& before) override { quaternion_ = static_cast<const BodyObserver&>(before).quaternion_; }
  std::span<double> continued() override {
    static_assert(sizeof(Quat) == 4 * sizeof(double), "they are numbers in a row");
    if (D == 2 || quaternion_.empty()) return {};
    return {quaternion_.front().coeffs().data(), 4 * quaternion_.size()};
  }

 private:
  /// What angles are continued from at the time of the state.
  const VecX& turns(const State& state) {
    model_->predict_turns(state.memory, state.t, turns_);
    return turns_;
  }

  /// Position, velocity, accelerations and applied wrenches of the state.
  void evaluate(const State& state, Workspace& work, std::span<const AddedEffort> efforts = {},
                bool all_signals = true) {
    formulation_.position(state.t, state.q, state, work);
    formulation_.velocity(state.v, work);
    formulation_.accelerations(state.acceleration, work);
    formulation_.evaluate_signals(work, all_signals);
    apply(state, formulation_.kinematics(work), efforts);
  }

  void apply(const State& state, const BodyKinematics<D>& k, std::span<const AddedEffort> efforts) {
    model_->apply_gravity(k, wrenches_);
    wrenches_[model_->bodies()].setZero();
    model_->apply_loads(state.t, k, turns(state), wrenches_, nullptr);
    model_->apply_rotors(k, wrenches_);
    for (const AddedEffort& added : efforts) {
      const Measure<D>& measure = model_->joint_coordinates()[added.coordinate].measure;
      const Twist w = added.effort * measure.gradient(k);
      wrenches_[measure.body2] += w;
      wrenches_[measure.body1] -= w;
    }
  }

  double* write_body(int b, const BodyKinematics<D>& k, double* row) {
    const Vector v = velocity_at<D>(k.twist[b], k.center[b]), place = model_->place(b, k);
    for (int i = 0; i < D; ++i) *row++ = place[i];
    if constexpr (D == 2) {
      *row++ = model_->body_angle(b, k, turns_);
    } else {
      // Of the two quaternions the one nearer to the last, so that columns have no jumps.
      Quat q(k.rotation[b]);
      q.normalize();
      if (q.dot(quaternion_[b]) < 0) q.coeffs() = -q.coeffs();
      quaternion_[b] = q;
      *row++ = q.w(), *row++ = q.x(), *row++ = q.y(), *row++ = q.z();
    }
    for (int i = 0; i < D; ++i) *row++ = v[i];
    for (int i = 0; i < S::kAngular; ++i) *row++ = k.twist[b][D + i];
    return row;
  }

  double* write_joint(int j, const BodyKinematics<D>& k, int& coordinate, double* row) {
    const Joint& joint = model_->mechanism().joints[j];
    const auto& measures = model_->measures();
    const int b1 = measures.body_index(joint.body1);
    const int count = joint_coordinate_count(joint.type, D == 2);
    const auto& all = model_->joint_coordinates();
    for (int i = 0; i < count; ++i) {
      if (coordinate < static_cast<int>(all.size()) && all[coordinate].joint == j && all[coordinate].index == i) {
        *row++ = model_->coordinate_value(coordinate, k, turns_);
        *row++ = all[coordinate].measure.rate(k, all[coordinate].measure.gradient(k));
        ++coordinate;
      } else if constexpr (D == 3) {
        // The rotation vector from frame 1 to frame 2, in the axes of frame 1; that of the drawing is what it says.
        const int b2 = measures.body_index(joint.body2);
        const Mat3 axes1 = k.rotation[b1] * local_axes(joint.body1, joint.frame1.axes);
        const Mat3 axes2 = k.rotation[b2] * local_axes(joint.body2, joint.frame2.axes);
        const Vec3 theta = vector_from_rotation(axes1.transpose() * axes2 * drawn_turn(joint, i));
        const Vec3 w = axes1.transpose() * (angular<D>(k.twist[b2]) - angular<D>(k.twist[b1]));
        for (int c = 0; c < 3; ++c) *row++ = theta[c], *row++ = w[c];
        break;
      }
    }
    // On body 2, at its joint point, in the joint's axes on body 1.
    const Twist wrench = sampled_.inertial_reaction(j, k);
    const Vector f = linear<D>(wrench);
    const typename S::Angular n = angular<D>(wrench);
    Eigen::Matrix<double, D, D> axes;
    for (int i = 0; i < D; ++i)
      axes.col(i) = k.rotation[b1] * measures.local_direction(joint.body1, joint.frame1.axes.col(i));
    const Vector f_joint = axes.transpose() * f;
    for (int i = 0; i < D; ++i) *row++ = f_joint[i];
    if constexpr (D == 2) {
      *row++ = n(0);
    } else {
      const Vec3 n_joint = axes.transpose() * n;
      for (int i = 0; i < 3; ++i) *row++ = n_joint[i];
    }
    return row;
  }

  double* write_contacts(const BodyKinematics<D>& k, double* row) const {
    const ContactSet<D>& contacts = model_->contacts();
    if (contacts.empty()) return row;
    contacts.add_up(model_->touching(k, turns_), row);
    return row + contacts.size() * ContactSet<D>::kTotals;
  }

  /// Forces of edges; of discs along the normal, along the disc and across it.
  double* write_velocity_constraints(double* row) const {
    const Mechanism& mechanism = model_->mechanism();
    for (std::size_t i = 0; i < mechanism.knife_edges.size(); ++i) *row++ = reactions_.edge_force(static_cast<int>(i));
    int velocity = 0;
    for (std::size_t i = 0; i < mechanism.rolling_discs.size(); ++i) {
      const RollingDisc& disc = mechanism.rolling_discs[i];
      *row++ = reactions_.disc_load(static_cast<int>(i));
      *row++ = disc.holds_longitudinal ? reactions_.disc_force(velocity++) : 0;
      if (D == 3) *row++ = disc.holds_lateral ? reactions_.disc_force(velocity++) : 0;
    }
    return row;
  }

  /// What is a function of time alone: efforts of actuators, forces and torques in inertial axes.
  double* write_given_loads(double t, const BodyKinematics<D>& k, double* row) const {
    const Mechanism& mechanism = model_->mechanism();
    for (std::size_t i = 0; i < mechanism.actuators.size(); ++i) {
      *row = model_->value(mechanism.actuators[i].effort, t, k);
      for (const int load : beside_[i]) *row -= model_->tension(model_->scalar_loads()[load], k, turns_);
      ++row;
    }
    for (const PointForce& force : mechanism.forces) {
      const Vector f = model_->force_components(force, t, k, model_->measures().body_index(force.body));
      for (int i = 0; i < D; ++i) *row++ = f[i];
    }
    for (const Torque& torque : mechanism.torques) {
      const typename S::Angular n =
          model_->torque_components(torque, t, k, model_->measures().body_index(torque.body2));
      for (int i = 0; i < S::kAngular; ++i) *row++ = n(i);
    }
    for (const WrenchModel<D>& load : model_->custom_wrenches()) {
      const FramePair pair = model_->frame_pair(load, t, k, turns_);
      const Twist wrench = load.wrench(pair);
      for (int i = 0; i < S::kTwist; ++i) *row++ = wrench[i];
      for (const WrenchReading& reading : load.readings()) *row++ = reading.value(pair);
    }
    for (const SensorModel<D>& sensor : model_->sensors())
      *row++ = sensor.value(sensor.frames.pair(t, k, model_->origin()));
    for (std::size_t i = mechanism.actuators.size(); i < model_->efforts().size(); ++i) {
      const auto& pull = model_->efforts()[i];
      *row++ = pull.measure.value(k);
      *row++ = model_->value(pull.law, t, k);
    }
    return row;
  }

  /// Inputs as signals see them, states, and the signals that have a column; those that need more than velocities are
  /// made of the row so far, each after what it is made of.
  void write_signals(const BodyKinematics<D>& k, const double* columns, double* row) {
    const Mechanism& mechanism = model_->mechanism();
    if (!k.signals) return;
    SignalValues& values = *k.signals;
    for (const Function::Value& input : values.inputs) *row++ = input.f;
    for (const double state : values.states) *row++ = state;
    sampled_.evaluate({columns, turns_, wrenches_, work_, error_}, k, values.value);
    for (std::size_t i = 0; i < mechanism.signals.size(); ++i)
      if (mechanism.signals[i].shown) *row++ = values.value[static_cast<Eigen::Index>(i)];
  }

  /// Of a rotation vector whose components begin at `first`.
  static Mat3 drawn_turn(const Joint& joint, int first) {
    if (static_cast<int>(joint.drawn.size()) < first + 3) return Mat3::Identity();
    return rotation_from_vector(Vec3(joint.drawn[first], joint.drawn[first + 1], joint.drawn[first + 2]))
        .toRotationMatrix();
  }

  Mat3 local_axes(int body, const Mat3& drawn) const {
    return body == kGround ? drawn : Mat3(model_->mechanism().bodies[body].axes.transpose() * drawn);
  }

  std::shared_ptr<const BodyModel<D>> model_;
  const BodyFormulation<D>& formulation_;
  const KeptAccelerations* kept_;  // or null
  const Assembly<D> assembly_;
  ReactionAnalysis<D> reactions_;
  TableWatch<D> tables_;
  std::vector<Twist> wrenches_;
  VecX turns_;  // of the last call of turns()
  VecX rates_;  // of the counted angles at the last note_rates()
  std::vector<Quat> quaternion_;
  std::vector<std::vector<int>> beside_;  // of every actuator: scalar loads that its effort counts
  SampledSignals<D> sampled_;
  std::vector<double> row_;  // of signals that need what a sample has
};

}  // namespace

template <int D>
std::unique_ptr<Observer> make_observer(std::shared_ptr<const BodyModel<D>> model,
                                        const BodyFormulation<D>& formulation, const Assembly<D>& assembly,
                                        bool reactions) {
  return std::make_unique<BodyObserver<D>>(std::move(model), formulation, assembly, reactions);
}
template std::unique_ptr<Observer> make_observer(std::shared_ptr<const BodyModel<2>>, const BodyFormulation<2>&,
                                                 const Assembly<2>&, bool);
template std::unique_ptr<Observer> make_observer(std::shared_ptr<const BodyModel<3>>, const BodyFormulation<3>&,
                                                 const Assembly<3>&, bool);

template <int D>
const Assembly<D>& assembly_of(const Observer& observer) {
  return static_cast<const BodyObserver<D>&>(observer).assembly();
}
template const Assembly<2>& assembly_of(const Observer&);
template const Assembly<3>& assembly_of(const Observer&);

}  // namespace cardan
