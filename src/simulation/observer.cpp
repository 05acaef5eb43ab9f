#include "simulation/observer.hpp"

#include <stdexcept>

#include "analysis/assembly.hpp"
#include "analysis/reactions.hpp"
#include "formulation/cartesian/cartesian_formulation.hpp"
#include "formulation/natural/natural_formulation.hpp"
#include "formulation/recursive/recursive_formulation.hpp"
#include "formulation/relative/topological_formulation.hpp"
#include "math/rotation_vector.hpp"
#include "mechanism/phases.hpp"

namespace cardan {
namespace {

Vec3 in_space(const Vec2& v) { return {v.x(), v.y(), 0}; }
Vec3 in_space(const Vec3& v) { return v; }
Vec3 turn_in_space(const Space<2>::Angular& w) { return {0, 0, w(0)}; }
Vec3 turn_in_space(const Vec3& w) { return w; }
Mat3 rotation_in_space(const Eigen::Matrix2d& r) {
  Mat3 result = Mat3::Identity();
  result.topLeftCorner<2, 2>() = r;
  return result;
}
Mat3 rotation_in_space(const Mat3& r) { return r; }

template <int D>
class BodyObserver final : public Observer {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;

  BodyObserver(std::shared_ptr<const BodyModel<D>> model, const BodyFormulation<D>& formulation,
               const Assembly<D>& assembly)
      : model_(std::move(model)),
        formulation_(formulation),
        assembly_(assembly),
        reactions_(*model_, assembly.bodies, assembly.length),
        tables_(*model_),
        wrenches_(model_->bodies() + 1, Twist::Zero()),
        turns_(VecX::Zero(model_->counted_angles())),
        rates_(turns_),
        quaternion_(model_->bodies(), Quat::Identity()) {
    columns_ = trajectory_columns(model_->mechanism());
  }

  const Assembly<D>& assembly() const { return assembly_; }

  Energy energy(const State& state, Workspace& work) override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    return {model_->kinetic_energy(k), model_->potential_energy(k, turns(state))};
  }

  double power(const State& state, Workspace& work) override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    double sum = model_->external_power(state.t, k);
    if (!model_->drivers().empty()) {
      evaluate(state, work);
      sum += model_->driver_power(k, wrenches_);
    }
    return sum;
  }

  double fastest_turn(Workspace& work, int& joint) override {
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    double fastest = 0;
    joint = -1;
    for (const auto& c : model_->joint_coordinates()) {
      if (!c.angular) continue;
      const double rate = std::abs(c.measure.rate(k, c.measure.gradient(k)));
      if (rate > fastest) fastest = rate, joint = c.joint;
    }
    return fastest;
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

  void sample(const State& state, Workspace& work, double* row) override {
    evaluate(state, work);
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    reactions_.solve(k, wrenches_, state.attached);
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
    write_given_loads(state.t, k, row);
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
  void evaluate(const State& state, Workspace& work) {
    formulation_.position(state.t, state.q, state, work);
    formulation_.velocity(state.v, work);
    formulation_.accelerations(state.acceleration, work);
    const BodyKinematics<D>& k = formulation_.kinematics(work);
    model_->apply_gravity(k, wrenches_);
    wrenches_[model_->bodies()].setZero();
    model_->apply_loads(state.t, k, turns(state), wrenches_, nullptr, nullptr, nullptr);
    model_->apply_rotors(k, wrenches_);
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
    const int b1 = measures.body_index(joint.body1), b2 = measures.body_index(joint.body2);
    const int count = joint_coordinate_count(joint.type, D == 2);
    const auto& all = model_->joint_coordinates();
    for (int i = 0; i < count; ++i) {
      if (coordinate < static_cast<int>(all.size()) && all[coordinate].joint == j && all[coordinate].index == i) {
        *row++ = model_->coordinate_value(coordinate, k, turns_);
        *row++ = all[coordinate].measure.rate(k, all[coordinate].measure.gradient(k));
        ++coordinate;
      } else if constexpr (D == 3) {
        // The rotation vector from frame 1 to frame 2, in the axes of frame 1; that of the drawing is what it says.
        const Mat3 axes1 = k.rotation[b1] * local_axes(joint.body1, joint.frame1.axes);
        const Mat3 axes2 = k.rotation[b2] * local_axes(joint.body2, joint.frame2.axes);
        const Vec3 theta = vector_from_rotation(axes1.transpose() * axes2 * drawn_turn(joint, i));
        const Vec3 w = axes1.transpose() * (angular<D>(k.twist[b2]) - angular<D>(k.twist[b1]));
        for (int c = 0; c < 3; ++c) *row++ = theta[c], *row++ = w[c];
        break;
      }
    }
    // On body 2, at its joint point, in the joint's axes on body 1.
    const Twist& wrench = reactions_.joint_wrench(j);
    const Vector point = k.point(b2, measures.local_point(joint.body2, joint.frame2.origin));
    const Vector f = linear<D>(wrench);
    const typename S::Angular n = angular<D>(wrench) - moment(point, f);
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

  /// What is a function of time alone: efforts of actuators, forces and torques in inertial axes.
  void write_given_loads(double t, const BodyKinematics<D>& k, double* row) const {
    const Mechanism& mechanism = model_->mechanism();
    for (const Actuator& actuator : mechanism.actuators) *row++ = actuator.effort(t);
    for (const PointForce& force : mechanism.forces) {
      const Vector f = model_->force_components(force, t, k, model_->measures().body_index(force.body));
      for (int i = 0; i < D; ++i) *row++ = f[i];
    }
    for (const Torque& torque : mechanism.torques) {
      const typename S::Angular n =
          model_->torque_components(torque, t, k, model_->measures().body_index(torque.body2));
      for (int i = 0; i < S::kAngular; ++i) *row++ = n(i);
    }
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
  const Assembly<D> assembly_;
  ReactionAnalysis<D> reactions_;
  TableWatch<D> tables_;
  std::vector<Twist> wrenches_;
  VecX turns_;  // of the last call of turns()
  VecX rates_;  // of the counted angles at the last note_rates()
  std::vector<Quat> quaternion_;
};

template <int D>
Assembly<D> assemble_from(const BodyModel<D>& model, const StartingPoint& start) {
  AssemblyOptions options;
  options.dependent_drivers = start.dependent_drivers;
  if (start.poses.empty()) return assemble(model, options);
  BodyKinematics<D> poses(model.bodies());
  for (int b = 0; b < model.bodies(); ++b) {
    poses.center[b] = start.poses[b].position.template head<D>() - model.origin();
    poses.rotation[b] = start.poses[b].rotation.template topLeftCorner<D, D>();
  }
  options.initial_positions = false;
  return assemble(model, poses, options);
}

template <int D>
CompiledMechanism compile_in(const Mechanism& mechanism, const std::string& name, const std::vector<std::string>& cut,
                             const StartingPoint& start, const CompiledMechanism* first, const State* sample) {
  auto model = std::make_shared<const BodyModel<D>>(mechanism);
  const Assembly<D> assembly =
      first ? static_cast<const BodyObserver<D>&>(*first->observer).assembly() : assemble_from(*model, start);
  CompiledMechanism result;
  result.attached = model->drawn_attachments();
  result.length = assembly.length;
  result.warnings = assembly.warnings;
  std::unique_ptr<BodyFormulation<D>> formulation;
  if (name == "global") {
    formulation = std::make_unique<NaturalFormulation<D>>(model, assembly.bodies, assembly.length);
  } else if (name == "cartesian") {
    formulation = std::make_unique<CartesianFormulation<D>>(model, assembly.bodies, assembly.length);
  } else {
    const SpanningTree tree = make_spanning_tree(mechanism, cut);
    for (int j : tree.cut) result.cut.push_back(mechanism.joints[j].name);
    if (name == "hybrid") {
      formulation = std::make_unique<RelativeFormulation<D>>(model, assembly.bodies, tree, assembly.length);
    } else if (name == "topological") {
      formulation = std::make_unique<TopologicalFormulation<D>>(model, assembly.bodies, tree, assembly.length, sample);
    } else if (name == "recursive") {
      formulation = std::make_unique<RecursiveFormulation<D>>(model, assembly.bodies, tree, assembly.length);
    } else {
      throw std::invalid_argument("no formulation is called '" + name + "'");
    }
  }
  result.observer = std::make_unique<BodyObserver<D>>(model, *formulation, assembly);
  result.formulation = std::move(formulation);
  return result;
}

}  // namespace

std::vector<std::string> trajectory_columns(const Mechanism& mechanism) {
  std::vector<std::string> columns{"t"};
  const bool planar = mechanism.planar;
  const auto add = [&](const std::string& name, std::initializer_list<const char*> fields) {
    for (const char* field : fields) columns.push_back(name + "." + field);
  };
  for (const Body& body : mechanism.bodies) {
    if (planar) {
      add(body.name, {"x", "y", "angle", "vx", "vy", "w"});
    } else {
      add(body.name, {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"});
    }
  }
  for (const Joint& joint : mechanism.joints) {
    const int count = joint_coordinate_count(joint.type, planar);
    for (int i = 0; i < count; ++i) {
      const std::string number = count == 1 ? "" : std::to_string(i + 1);
      columns.push_back(joint.name + ".q" + number);
      columns.push_back(joint.name + ".v" + number);
    }
    if (planar) {
      add(joint.name, {"fx", "fy", "mz"});
    } else {
      add(joint.name, {"fx", "fy", "fz", "mx", "my", "mz"});
    }
  }
  for (const Coupler& coupler : mechanism.couplers) add(coupler.name, {"effort"});
  for (const Driver& driver : mechanism.drivers) add(driver.name, {"effort"});
  for (const SpringDamper& spring : mechanism.springs) add(spring.name, {"length", "force"});
  for (const Tyre& tyre : mechanism.tyres) {
    if (planar) {
      add(tyre.name, {"load", "fx", "fy"});
    } else {
      add(tyre.name, {"load", "fx", "fy", "fz"});
    }
  }
  for (const Actuator& actuator : mechanism.actuators) add(actuator.name, {"effort"});
  for (const PointForce& force : mechanism.forces) {
    if (planar) {
      add(force.name, {"fx", "fy"});
    } else {
      add(force.name, {"fx", "fy", "fz"});
    }
  }
  for (const Torque& torque : mechanism.torques) {
    if (planar) {
      add(torque.name, {"mz"});
    } else {
      add(torque.name, {"mx", "my", "mz"});
    }
  }
  return columns;
}

CompiledMechanism compile(const Mechanism& mechanism, const std::string& formulation,
                          const std::vector<std::string>& cut, const StartingPoint& start) {
  const Mechanism phase = initial_phase(mechanism);
  return phase.planar ? compile_in<2>(phase, formulation, cut, start, nullptr, nullptr)
                      : compile_in<3>(phase, formulation, cut, start, nullptr, nullptr);
}

CompiledMechanism compile_phase(const Mechanism& phase, const std::string& formulation,
                                const std::vector<std::string>& cut, const CompiledMechanism& first,
                                const State& sample) {
  return phase.planar ? compile_in<2>(phase, formulation, cut, {}, &first, &sample)
                      : compile_in<3>(phase, formulation, cut, {}, &first, &sample);
}

}  // namespace cardan
