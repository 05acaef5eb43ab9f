// System::View in the plane and in space.
#include <fmt/format.h>

#include <stdexcept>

#include "formulation/direct_dynamics.hpp"
#include "math/in_space.hpp"
#include "options/applicable_options.hpp"
#include "system/load_list.hpp"
#include "system/view.hpp"

namespace cardan {
namespace {

template <int D>
class BodyScalars final : public ScalarList {
 public:
  BodyScalars(const BodyFormulation<D>& formulation, Workspace& work) : formulation_(formulation) {
    const BodyModel<D>& model = formulation.model();
    const Mechanism& mechanism = model.mechanism();
    for (const auto& c : model.joint_coordinates()) {
      const Joint& joint = mechanism.joints[c.joint];
      const std::string number = joint_coordinate_count(joint.type, D == 2) == 1 ? "" : std::to_string(c.index + 1);
      add(joint.name + ".q" + number, c.measure, !c.angular, true);
    }
    const BodyKinematics<D>& k = formulation.kinematics(work);
    const char* axes[] = {"x", "y", "z"};
    for (int b = 0; b < model.bodies(); ++b) {
      const std::string& name = mechanism.bodies[b].name;
      for (int i = 0; i < D; ++i) add(name + "." + axes[i], translation(model, b, i), true, false);
      for (int i = 0; i < Space<D>::kAngular; ++i) {
        const std::string turn = D == 2 ? ".angle" : std::string(".r") + axes[i];
        add(name + turn, turn_about(model, k, b, i), false, false);
      }
    }
  }

  double value(int index, const State& state, Workspace& work) const override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    if (!entries_[index].is_joint) return measures_[index].value(k);
    VecX turns;
    formulation_.model().predict_turns(state.memory, state.t, turns);
    return formulation_.model().coordinate_value(index, k, turns);
  }
  double rate(int index, Workspace& work) const override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    return measures_[index].rate(k, measures_[index].gradient(k));
  }
  double acceleration(int index, Workspace& work) const override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    return measures_[index].acceleration(k, measures_[index].gradient(k));
  }

 private:
  using Vector = typename Space<D>::Vector;

  void add(std::string name, const Measure<D>& measure, bool is_length, bool is_joint) {
    entries_.push_back({std::move(name), is_length, is_joint});
    measures_.push_back(measure);
  }
  static Measure<D> from_ground(const BodyModel<D>& model, int body) {
    Measure<D> m;
    m.body1 = model.bodies();
    m.body2 = body;
    m.point1 = m.point2 = m.e1 = m.e2 = m.f1 = m.f2 = Vector::Zero();
    m.axis.setZero();
    return m;
  }
  static Measure<D> translation(const BodyModel<D>& model, int body, int axis) {
    Measure<D> m = from_ground(model, body);
    m.kind = Measure<D>::Kind::along;
    m.e1 = Vector::Unit(axis);
    return m;
  }
  /// The sine of the turn about an inertial axis from where the body is.
  static Measure<D> turn_about(const BodyModel<D>& model, const BodyKinematics<D>& k, int body, int axis) {
    Measure<D> m = from_ground(model, body);
    m.kind = Measure<D>::Kind::turn;
    m.e1 = Vector::Unit(D == 2 ? 0 : (axis + 1) % 3);
    m.f1 = Vector::Unit(D == 2 ? 1 : (axis + 2) % 3);
    m.e2 = k.rotation[body].transpose() * m.e1;
    m.f2 = k.rotation[body].transpose() * m.f1;
    return m;
  }

  const BodyFormulation<D>& formulation_;
  std::vector<Measure<D>> measures_;
};

template <int D>
class BodyView final : public System::View {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;

  BodyView(const Mechanism& mechanism, const std::string& formulation, const SystemOptions& options, const View* like)
      : View(mechanism, formulation, options, like),
        bodies_(static_cast<const BodyFormulation<D>&>(View::formulation())),
        direct_(dynamic_cast<const DirectDynamics*>(&bodies_)),
        loads_(View::mechanism()) {}

  /// From the formulation, or from the kinetic energy: M = sum J^T I J with the twists J of the bodies.
  Eigen::MatrixXd mass(const State& state, Workspace& work) const override {
    const int n = structure().coordinates;
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    if (!direct_) {
      bodies_.dynamics(work);
      const SymmetricPattern& pattern = structure().pattern;
      for (int j = 0; j < pattern.n; ++j) {
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
          M(pattern.row[k], j) = M(j, pattern.row[k]) = work.equations.mass[k];
        }
      }
      return M;
    }
    const BodyModel<D>& model = bodies_.model();
    const int bodies = model.bodies(), rotors = static_cast<int>(model.rotors().size());
    Eigen::MatrixXd twists(S::kTwist * bodies + rotors, n), momenta(twists.rows(), n);
    for (int j = 0; j < n; ++j) {
      bodies_.velocity(VecX::Unit(n, j), work);
      const BodyKinematics<D>& k = bodies_.kinematics(work);
      for (int b = 0; b < bodies; ++b) {
        twists.col(j).segment<S::kTwist>(S::kTwist * b) = k.twist[b];
        momenta.col(j).segment<S::kTwist>(S::kTwist * b) = model.inertia(b, k) * k.twist[b];
      }
      for (int r = 0; r < rotors; ++r) {
        const auto& rotor = model.rotors()[r];
        const double rate = rotor.measure.rate(k, rotor.measure.gradient(k));
        twists(S::kTwist * bodies + r, j) = rate;
        momenta(S::kTwist * bodies + r, j) = rotor.inertia * rate;
      }
    }
    bodies_.velocity(state.v, work);
    M = twists.transpose() * momenta;
    M.diagonal().tail(structure().states).setOnes();  // of states, see SignalFormulation
    return M;
  }

  VecX force(const State& state, Workspace& work) const override {
    if (!direct_) {
      bodies_.dynamics(work);
      return work.equations.force;
    }
    const Eigen::MatrixXd M = mass(state, work);
    VecX a(structure().coordinates);
    direct_->accelerate(VecX::Zero(structure().constraints), work, a);
    return M * a;
  }

  Eigen::MatrixXd jacobian(Workspace& work) const override {
    const Structure& s = structure();
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(s.constraints, s.coordinates);
    if (direct_) {
      const SparseRows rows = direct_->constraint_rows(work);
      for (int row = 0; row < rows.rows(); ++row) {
        for (int e = rows.start[row]; e < rows.start[row + 1]; ++e) J(row, rows.column[e]) += rows.value[e];
      }
      return J;
    }
    for (int row = 0; row < s.constraints; ++row) {
      for (int e = s.jacobian.start[row]; e < s.jacobian.start[row + 1]; ++e) {
        J(row, s.jacobian.column[e]) += work.equations.jacobian[e];
      }
    }
    return J;
  }

  VecX gamma(Workspace& work) const override {
    if (!direct_) {
      bodies_.gamma(work);
      return work.equations.gamma;
    }
    VecX a(structure().coordinates), second(structure().constraints);
    direct_->accelerate(VecX::Zero(structure().constraints), work, a);
    direct_->constraint_accelerations(work, second);
    return jacobian(work) * a - second;
  }

  VecX closure_rate(const State& state, Workspace& work) const override {
    if (!direct_) return jacobian(work) * state.v + work.equations.phi_t;
    VecX rate(structure().constraints);
    direct_->constraint_rates(work, rate);
    return rate;
  }

  void accelerate(const VecX& a, Workspace& work) const override { bodies_.accelerations(a, work); }

  BodyMotion motion(const FrameHandle& frame, Workspace& work) const override {
    const BodyKinematics<D>& k = bodies_.kinematics(work);
    const int b = frame.body == kGround ? bodies_.model().bodies() : frame.body;
    const Vector p = k.point(b, frame.point.head<D>());
    const auto w = angular<D>(k.twist[b]), w_rate = angular<D>(k.acceleration[b]);
    const Vector v = velocity_at<D>(k.twist[b], p);
    BodyMotion motion;
    motion.position = in_space(Vector(bodies_.model().origin() + p));
    motion.rotation = rotation_in_space(k.rotation[b]) * frame.axes;
    motion.velocity = in_space(v);
    motion.angular_velocity = turn_in_space(w);
    // p' = s' + w x p, so p'' = s'' + w' x p + w x p'
    motion.acceleration = in_space(Vector(velocity_at<D>(k.acceleration[b], p) + cross(w, v)));
    motion.angular_acceleration = turn_in_space(w_rate);
    return motion;
  }

  std::unique_ptr<ScalarList> scalars(Workspace& work) const override {
    return std::make_unique<BodyScalars<D>>(bodies_, work);
  }

  EnergyParts energy(const State& state, Workspace& work) const override {
    const BodyModel<D>& model = bodies_.model();
    const BodyKinematics<D>& k = bodies_.kinematics(work);
    return {model.kinetic_energy(k), model.potential_energy(k, turns(state))};
  }

  Momentum momentum(Workspace& work) const override {
    const BodyModel<D>& model = bodies_.model();
    const BodyKinematics<D>& k = bodies_.kinematics(work);
    Momentum whole;
    Vector first = Vector::Zero();
    Twist sum = Twist::Zero();  // about the model's origin
    for (int b = 0; b < model.bodies(); ++b) {
      const double mass = model.inertias()[b].mass;
      whole.mass += mass;
      first += mass * k.center[b];
      sum += model.inertia(b, k) * k.twist[b];
    }
    const Vector centre = whole.mass > 0 ? Vector(first / whole.mass) : Vector(Vector::Zero()), p = linear<D>(sum);
    whole.centre = in_space(Vector(model.origin() + centre));
    whole.linear = in_space(p);
    if (whole.mass > 0) whole.velocity = whole.linear / whole.mass;
    whole.angular = turn_in_space(typename S::Angular(angular<D>(sum) - moment(centre, p)));
    return whole;
  }

  /// Their power at unit velocities.
  VecX load_forces(int load, const State& state, Workspace& work) const override {
    const std::vector<Twist> acting = wrenches(load, state, work);
    const auto power = [&] {
      const BodyKinematics<D>& k = bodies_.kinematics(work);
      double sum = 0;
      for (int b = 0; b < bodies_.model().bodies(); ++b) sum += acting[b].dot(k.twist[b]);
      return VecX(VecX::Constant(1, sum));
    };
    return slopes(power, state, work).transpose();
  }

  Wrench load_wrench(int load, int body, const State& state, Workspace& work) const override {
    const int b = body == kGround ? bodies_.model().bodies() : body;
    const Twist wrench = wrenches(load, state, work)[b];
    const Vector f = linear<D>(wrench);
    const BodyKinematics<D>& k = bodies_.kinematics(work);
    const Vector about = body == kGround ? Vector(-bodies_.model().origin()) : k.center[b];
    return {in_space(f), turn_in_space(typename S::Angular(angular<D>(wrench) - moment(about, f)))};
  }

  LoadEffort load_effort(int load, const State& state, Workspace& work) const override {
    bodies_.evaluate_signals(work, false);
    return loads_.effort(load, state.t, bodies_.kinematics(work), turns(state));
  }

  int load(const std::string& name) const override { return loads_.find(name); }
  void check(LoadHandle load) const override { loads_.check(load); }

  int coordinate(int joint, int index) const override {
    const auto& all = bodies_.model().joint_coordinates();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].joint == joint && all[i].index == index) return static_cast<int>(i);
    }
    return -1;
  }

  int joint_coordinates() const override { return static_cast<int>(bodies_.model().joint_coordinates().size()); }

  FrameHandle frame(int body, const Vec3& drawn_point, const Mat3& drawn_axes) const override {
    const MeasureFactory<D>& measures = bodies_.model().measures();
    FrameHandle frame;
    frame.body = body;
    frame.point.head<D>() = measures.local_point(body, drawn_point);
    frame.axes = body == kGround ? drawn_axes : Mat3(mechanism().bodies[body].axes.transpose() * drawn_axes);
    return frame;
  }

 private:
  using Twist = typename S::Twist;

  VecX turns(const State& state) const {
    VecX turns;
    bodies_.model().predict_turns(state.memory, state.t, turns);
    return turns;
  }

  /// On every body, and ground.
  std::vector<Twist> wrenches(int load, const State& state, Workspace& work) const {
    const BodyModel<D>& model = bodies_.model();
    std::vector<Twist> acting(static_cast<std::size_t>(model.bodies()) + 1, Twist::Zero());
    if (load < 0) {
      model.apply_gravity(bodies_.kinematics(work), acting);
      return acting;
    }
    bodies_.evaluate_signals(work, false);
    loads_.apply(load, state.t, bodies_.kinematics(work), turns(state), acting);
    return acting;
  }

  const BodyFormulation<D>& bodies_;
  const DirectDynamics* direct_;
  LoadList<D> loads_;
};

}  // namespace

std::shared_ptr<const System::View> System::View::make(const Mechanism& mechanism, const std::string& formulation,
                                                       const SystemOptions& options, const View* like) {
  if (const char* reason = options.cut.empty() ? nullptr : why_no_cut(formulation)) {
    throw std::invalid_argument(fmt::format("no cut on the formulation {}: {}", formulation, reason));
  }
  if (mechanism.planar) return std::make_shared<BodyView<2>>(mechanism, formulation, options, like);
  return std::make_shared<BodyView<3>>(mechanism, formulation, options, like);
}

}  // namespace cardan
