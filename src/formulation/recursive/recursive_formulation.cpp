#include "formulation/recursive/recursive_formulation.hpp"

namespace cardan {

template <int D>
RecursiveFormulation<D>::Work::Work(const Structure& structure, const ArticulatedTree<D>& tree,
                                    const std::vector<Measure<D>>& constraints, int bodies)
    : Workspace(structure),
      tree(tree),
      kinematics(bodies),
      z(VecX::Zero(structure.coordinates)),
      constraints(constraints),
      gradient(structure.constraints, Twist::Zero()),
      curvature(VecX::Zero(structure.constraints)),
      wrench(bodies + 1, Twist::Zero()) {}

template <int D>
RecursiveFormulation<D>::RecursiveFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled,
                                              const SpanningTree& tree, double length)
    : BodyFormulation<D>(std::move(model)),
      assembled_(std::move(assembled)),
      motion_(model_, assembled_, tree, model_->turns_size()),
      tree_(*model_, motion_) {
  structure_.coordinates = motion_.coordinates();
  structure_.coordinate_names = motion_.coordinate_names();
  structure_.scale.resize(structure_.coordinates);
  for (int i = 0; i < structure_.coordinates; ++i) structure_.scale[i] = motion_.is_length(i) ? length : 1;
  for (int j : tree.cut) {
    for (const NamedMeasure<D>& c : model_->measures().constraints(model_->mechanism().joints[j])) {
      held_.add(static_cast<int>(constraints_.size()), c);
      constraints_.push_back(c.measure);
      structure_.constraint_names.push_back(c.name);
    }
  }
  closures_ = static_cast<int>(constraints_.size());
  for (const auto& driver : model_->drivers()) {
    constraints_.push_back(driver.measure);
    structure_.constraint_names.push_back(driver.name);
  }
  structure_.constraints = static_cast<int>(constraints_.size());
  looks_at_bodies_ = structure_.constraints > 0 || model_->has_loads_or_drivers();
}

template <int D>
std::unique_ptr<Workspace> RecursiveFormulation<D>::make_workspace() const {
  return std::make_unique<Work>(structure_, tree_, constraints_, model_->bodies());
}

template <int D>
void RecursiveFormulation<D>::start(State& state, Workspace& work) const {
  state.memory = VecX::Zero(model_->turns_size() + motion_.memory_size());
  motion_.start(state.memory);
  state.q = state.v = VecX::Zero(structure_.coordinates);
  typename TreeMotion<D>::Buffers tree(motion_);
  motion_.position(state.q, state.memory, tree);
  motion_.relative_velocities(assembled_, tree, state.v);
  position(state.t, state.q, state, work);
  velocity(state.v, work);
  model_->update_turns(kinematics(work), state.memory);
}

template <int D>
StepStatus RecursiveFormulation<D>::position(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  w.t = t;
  w.z = q;
  w.memory = &reference.memory;
  w.poses_in_view = w.twists_in_view = false;
  tree_.position(q, reference.memory, w.tree);
  if (!looks_at_bodies_) return StepStatus::Ok;
  view_poses(w);
  if (!held_.empty()) held_.hold(reference.attached, w.constraints);
  for (int i = 0; i < structure_.constraints; ++i) {
    w.gradient[i] = w.constraints[i].gradient(w.kinematics);
    w.equations.phi[i] =
        i < closures_ ? w.constraints[i].value(w.kinematics) : model_->driver_residual(i - closures_, t, w.kinematics);
    if (i >= closures_) w.equations.phi_t[i] = -model_->drivers()[i - closures_].position.evaluate(t).d1;
  }
  return StepStatus::Ok;
}

template <int D>
void RecursiveFormulation<D>::velocity(const VecX& v, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  w.twists_in_view = false;
  tree_.velocity(v, w.z, w.tree);
  if (!looks_at_bodies_) return;
  view_twists(w);
  for (int i = 0; i < structure_.constraints; ++i) {
    // kinematics.bias stays zero, which leaves W' . (Z2 - Z1)
    w.curvature[i] = w.constraints[i].bias(w.kinematics, w.gradient[i]);
    if (i >= closures_) w.curvature[i] -= model_->drivers()[i - closures_].position.evaluate(w.t).d2;
  }
}

template <int D>
void RecursiveFormulation<D>::add_constraint_wrenches(const VecX& lambda, Work& w) const {
  for (int i = 0; i < structure_.constraints; ++i) {
    const Twist wrench = lambda[i] * w.gradient[i];
    w.wrench[constraints_[i].body2] -= wrench;
    w.wrench[constraints_[i].body1] += wrench;
  }
}

template <int D>
int RecursiveFormulation<D>::accelerate(const VecX& lambda, Workspace& work, VecX& a) const {
  Work& w = static_cast<Work&>(work);
  if (!looks_at_bodies_) return tree_.accelerate(nullptr, w.tree, a);
  for (Twist& wrench : w.wrench) wrench.setZero();
  model_->apply_loads(w.t, w.kinematics, *w.memory, w.wrench, nullptr, nullptr, nullptr);
  add_constraint_wrenches(lambda, w);
  return tree_.accelerate(&w.wrench, w.tree, a);
}

template <int D>
void RecursiveFormulation<D>::compliance(Workspace& work, VecX& triangle) const {
  Work& w = static_cast<Work&>(work);
  const int m = structure_.constraints, ground = model_->bodies();
  const auto change = [&](int body) {
    return body == ground ? Twist(Twist::Zero()) : tree_.body_change(tree_.link_of(body), w.tree);
  };
  for (Twist& wrench : w.wrench) wrench.setZero();
  double* entry = triangle.data();
  for (int column = 0; column < m; ++column) {
    const Measure<D>& acting = constraints_[column];
    w.wrench[acting.body2] = w.gradient[column];
    w.wrench[acting.body1] = -w.gradient[column];
    tree_.respond(w.wrench, w.tree);
    w.wrench[acting.body2].setZero();
    w.wrench[acting.body1].setZero();
    for (int row = column; row < m; ++row) {
      *entry++ = w.gradient[row].dot(change(constraints_[row].body2) - change(constraints_[row].body1));
    }
  }
}

template <int D>
void RecursiveFormulation<D>::respond(const VecX& change, Workspace& work, VecX& a) const {
  Work& w = static_cast<Work&>(work);
  for (Twist& wrench : w.wrench) wrench.setZero();
  add_constraint_wrenches(change, w);
  tree_.respond(w.wrench, w.tree);
  tree_.add_response(w.tree, a);
}

template <int D>
void RecursiveFormulation<D>::constraint_rates(Workspace& work, VecX& rate) const {
  Work& w = static_cast<Work&>(work);
  for (int i = 0; i < structure_.constraints; ++i) {
    rate[i] = constraints_[i].rate(w.kinematics, w.gradient[i]) + w.equations.phi_t[i];
  }
}

template <int D>
void RecursiveFormulation<D>::constraint_accelerations(Workspace& work, VecX& second) const {
  Work& w = static_cast<Work&>(work);
  const auto rate_of_twist = [&](int body) {
    return body == model_->bodies() ? Twist(Twist::Zero()) : tree_.body_acceleration(tree_.link_of(body), w.tree);
  };
  for (int i = 0; i < structure_.constraints; ++i) {
    second[i] =
        w.curvature[i] + w.gradient[i].dot(rate_of_twist(constraints_[i].body2) - rate_of_twist(constraints_[i].body1));
  }
}

template <int D>
StepStatus RecursiveFormulation<D>::accept(const State&, State& state, Workspace& work) const {
  model_->update_turns(kinematics(work), state.memory);
  motion_.renew_references(state.q, state.v, state.acceleration, state.algorithmic, state.memory);
  return StepStatus::Ok;
}

template <int D>
void RecursiveFormulation<D>::view_poses(Work& w) const {
  if (w.poses_in_view) return;
  for (int b = 0; b < model_->bodies(); ++b) {
    const int link = tree_.link_of(b);
    w.kinematics.rotation[b] = tree_.body_rotation(link, w.tree);
    w.kinematics.center[b] = tree_.body_center(link, w.tree);
  }
  w.poses_in_view = true;
}

template <int D>
void RecursiveFormulation<D>::view_twists(Work& w) const {
  if (w.twists_in_view) return;
  for (int b = 0; b < model_->bodies(); ++b) w.kinematics.twist[b] = tree_.body_twist(tree_.link_of(b), w.tree);
  w.twists_in_view = true;
}

template <int D>
BodyKinematics<D>& RecursiveFormulation<D>::kinematics(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  view_poses(w);
  view_twists(w);
  return w.kinematics;
}

template <int D>
void RecursiveFormulation<D>::accelerations(const VecX& acceleration, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  tree_.spread(acceleration, w.tree);
  for (int b = 0; b < model_->bodies(); ++b) {
    w.kinematics.acceleration[b] = tree_.body_acceleration(tree_.link_of(b), w.tree);
  }
}

template class RecursiveFormulation<2>;
template class RecursiveFormulation<3>;

}  // namespace cardan
