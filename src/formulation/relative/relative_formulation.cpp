#include "formulation/relative/relative_formulation.hpp"

namespace cardan {

template <int D>
RelativeFormulation<D>::Work::Work(const Structure& structure, const TreeMotion<D>& tree,
                                   const std::vector<Measure<D>>& constraints, std::size_t loads)
    : Workspace(structure),
      tree(tree),
      z(VecX::Zero(structure.coordinates)),
      constraints(constraints),
      gradient(structure.constraints, Twist::Zero()),
      load_gradient(loads, Twist::Zero()) {}

template <int D>
RelativeFormulation<D>::RelativeFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled,
                                            const SpanningTree& tree, double length)
    : BodyFormulation<D>(std::move(model)),
      assembled_(std::move(assembled)),
      tree_(model_, assembled_, tree, model_->turns_size()),
      cut_(tree.cut) {
  tree_.find_paths();
  structure_.coordinates = tree_.coordinates();
  structure_.coordinate_names = tree_.coordinate_names();
  structure_.scale.resize(structure_.coordinates);
  for (int i = 0; i < structure_.coordinates; ++i) structure_.scale[i] = tree_.is_length(i) ? length : 1;
  const auto add_constraint = [&](const Measure<D>& measure, const std::string& name) {
    constraints_.push_back(measure);
    constraint_spans_.push_back(tree_.span(measure.body1, measure.body2));
    structure_.jacobian.add(constraint_spans_.back().columns);
    structure_.constraint_names.push_back(name);
  };
  for (int j : cut_) {
    for (const NamedMeasure<D>& c : model_->measures().constraints(model_->mechanism().joints[j])) {
      held_.add(static_cast<int>(constraints_.size()), c);
      add_constraint(c.measure, c.name);
    }
  }
  closures_ = static_cast<int>(constraints_.size());
  for (const auto& driver : model_->drivers()) add_constraint(driver.measure, driver.name);
  structure_.constraints = static_cast<int>(constraints_.size());
  for (const auto& row : model_->load_rows()) {
    load_spans_.push_back(tree_.span(row.body1, row.body2));
    structure_.loads.add(load_spans_.back().columns);
  }
  structure_.complete(tree_.mass_cliques());
  tree_.locate(structure_.pattern);
}

template <int D>
int RelativeFormulation<D>::memory_size() const {
  return model_->turns_size() + tree_.memory_size();
}

template <int D>
std::unique_ptr<Workspace> RelativeFormulation<D>::make_workspace() const {
  return std::make_unique<Work>(structure_, tree_, constraints_, model_->load_rows().size());
}

template <int D>
void RelativeFormulation<D>::start(State& state, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  state.memory = VecX::Zero(memory_size());
  state.memory.head(model_->turns_size()) = model_->initial_turns(assembled_);
  tree_.start(state.memory);
  state.q = state.v = VecX::Zero(structure_.coordinates);
  position(state.t, state.q, state, work);
  tree_.relative_velocities(assembled_, w.tree, state.v);
}

template <int D>
StepStatus RelativeFormulation<D>::position(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  Equations& e = w.equations;
  w.t = t;
  w.z = q;
  w.memory = &reference.memory;
  tree_.position(q, reference.memory, w.tree);
  const BodyKinematics<D>& k = w.tree.kinematics;
  if (!held_.empty()) held_.hold(reference.attached, w.constraints);
  for (int i = 0; i < structure_.constraints; ++i) {
    w.gradient[i] = w.constraints[i].gradient(k);
    TreeMotion<D>::write_row(constraint_spans_[i], w.gradient[i], w.tree,
                             e.jacobian.data() + structure_.jacobian.start[i]);
    if (i < closures_) {
      e.phi[i] = w.constraints[i].value(k);
    } else {
      e.phi[i] = model_->driver_residual(i - closures_, t, k);
      e.phi_t[i] = -model_->drivers()[i - closures_].position.evaluate(t).d1;
    }
  }
  return StepStatus::Ok;
}

template <int D>
void RelativeFormulation<D>::velocity(const VecX& v, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  tree_.velocity(v, w.z, w.tree);
}

template <int D>
void RelativeFormulation<D>::gamma(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  tree_.bias(w.tree);
  for (int i = 0; i < structure_.constraints; ++i) {
    w.equations.gamma[i] = -w.constraints[i].bias(w.tree.kinematics, w.gradient[i]);
    if (i >= closures_) w.equations.gamma[i] += model_->drivers()[i - closures_].position.evaluate(w.t).d2;
  }
}

template <int D>
void RelativeFormulation<D>::dynamics(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  Equations& e = w.equations;
  tree_.bias(w.tree);
  model_->apply_gravity(w.tree.kinematics, w.tree.wrench);
  model_->apply_loads(w.t, w.tree.kinematics, *w.memory, w.tree.wrench, &w.load_gradient, &e.stiffness, &e.damping);
  tree_.dynamics(w.tree, e.mass, e.force);
  for (std::size_t i = 0; i < load_spans_.size(); ++i) {
    TreeMotion<D>::write_row(load_spans_[i], w.load_gradient[i], w.tree,
                             e.load_gradient.data() + structure_.loads.start[i]);
  }
}

template <int D>
StepStatus RelativeFormulation<D>::accept(const State&, State& state, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  model_->update_turns(w.tree.kinematics, state.memory);
  tree_.renew_references(state.q, state.v, state.acceleration, state.algorithmic, state.memory);
  return StepStatus::Ok;
}

template <int D>
BodyKinematics<D>& RelativeFormulation<D>::kinematics(Workspace& work) const {
  return static_cast<Work&>(work).tree.kinematics;
}

template <int D>
void RelativeFormulation<D>::accelerations(const VecX& acceleration, Workspace& work) const {
  tree_.acceleration(acceleration, static_cast<Work&>(work).tree);
}

template class RelativeFormulation<2>;
template class RelativeFormulation<3>;

}  // namespace cardan
