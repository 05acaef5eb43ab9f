#include "formulation/recursive/recursive_formulation.hpp"

#include <algorithm>
#include <utility>

namespace cardan {

template <int D>
RecursiveFormulation<D>::Work::Work(const Structure& structure, const ArticulatedTree<D>& tree, int bodies,
                                    const ConstraintRows<D>& constraints)
    : Workspace(structure),
      tree(tree),
      kinematics(bodies),
      z(VecX::Zero(structure.coordinates)),
      constraints(constraints),
      gradient(constraints.terms().size(), Twist::Zero()),
      curvature(VecX::Zero(structure.constraints)),
      wrench(bodies + 1, Twist::Zero()) {}

template <int D>
RecursiveFormulation<D>::RecursiveFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled,
                                              const SpanningTree& tree, double length)
    : BodyFormulation<D>(std::move(model)),
      assembled_(std::move(assembled)),
      motion_(model_, assembled_, tree, model_->turns_size()),
      tree_(*model_, motion_),
      constraints_(*model_) {
  structure_.coordinates = motion_.coordinates();
  structure_.coordinate_names = motion_.coordinate_names();
  structure_.scale.resize(structure_.coordinates);
  for (int i = 0; i < structure_.coordinates; ++i) structure_.scale[i] = motion_.is_length(i) ? length : 1;
  for (int j : tree.cut) constraints_.add_joint(j);
  constraints_.add_couplers();
  constraints_.add_drivers();
  constraints_.add_discs();
  constraints_.add_velocities();
  structure_.velocity_constraints = constraints_.velocities();
  for (const auto& row : constraints_.rows()) structure_.constraint_names.push_back(row.name);
  structure_.constraints = constraints_.size();
  structure_.constraint_scale = constraints_.scales(length);
  structure_.rounding = model_->rounding(length);
  looks_at_bodies_ = structure_.constraints > 0 || model_->has_loads_or_drivers();
  add_rotors(tree);
}

/// The joints that carry rotors have coordinates z = +-q, one for each of their own.
template <int D>
void RecursiveFormulation<D>::add_rotors(const SpanningTree& tree) {
  for (std::size_t i = 0; i < model_->rotors().size(); ++i) {
    const auto& rotor = model_->rotors()[i];
    const Rotor& element = model_->mechanism().rotors[i];
    const auto link =
        std::find_if(tree.links.begin(), tree.links.end(), [&](const TreeLink& l) { return l.joint == rotor.joint; });
    if (link == tree.links.end()) {
      throw ModelError(error_at(element.where, "load '" + element.name + "'",
                                "joint '" + model_->mechanism().joints[rotor.joint].name +
                                    "' closes a loop, and recursive needs rotors on joints of the tree",
                                "open the loop at another joint with 'cut', or use another formulation"));
    }
    // The motions of a joint stand in the tree's order, which begins at the parent.
    const auto& own = motion_.links()[link - tree.links.begin()];
    tree_.add_rotor(link->reversed ? own.last - 1 - rotor.coordinate : own.first + rotor.coordinate, rotor.inertia);
  }
}

template <int D>
std::unique_ptr<Workspace> RecursiveFormulation<D>::make_workspace() const {
  return std::make_unique<Work>(structure_, tree_, model_->bodies(), constraints_);
}

template <int D>
void RecursiveFormulation<D>::start(State& state, Workspace& work) const {
  state.memory = VecX::Zero(model_->turns_size() + motion_.memory_size());
  state.memory.head(model_->turns_size()) = model_->initial_turns(state.t, assembled_);
  motion_.start(state.memory);
  state.q = state.v = VecX::Zero(structure_.coordinates);
  typename TreeMotion<D>::Buffers tree(motion_);
  motion_.position(state.q, state.memory, tree);
  motion_.relative_velocities(assembled_, tree, state.v);
  position(state.t, state.q, state, work);
  velocity(state.v, work);
  model_->update_turns(state.t, kinematics(work), state.memory);
}

template <int D>
StepStatus RecursiveFormulation<D>::position(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  w.t = t;
  w.z = q;
  w.memory = &reference.memory;
  model_->predict_turns(reference.memory, t, w.turns);
  w.poses_in_view = w.twists_in_view = false;
  tree_.position(q, reference.memory, w.tree);
  if (!looks_at_bodies_) return StepStatus::ok;
  view_poses(w);
  w.constraints.hold(reference.attached);
  w.constraints.position(t, w.kinematics, w.turns, w.gradient, w.equations.phi.data(), w.equations.phi_t.data());
  return StepStatus::ok;
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
    w.curvature[i] = w.constraints.bias(i, w.t, w.kinematics, w.gradient);
  }
}

template <int D>
void RecursiveFormulation<D>::add_constraint_wrenches(const VecX& lambda, Work& w) const {
  for (int i = 0; i < structure_.constraints; ++i) add_wrenches(i, -lambda[i], w);
}

template <int D>
void RecursiveFormulation<D>::add_wrenches(int row, double factor, Work& w) const {
  for (int i = constraints_.rows()[row].first; i < constraints_.rows()[row].last; ++i) {
    const auto& term = constraints_.terms()[i];
    const Twist wrench = factor * term.weight * w.gradient[i];
    w.wrench[term.measure.body2] += wrench;
    w.wrench[term.measure.body1] -= wrench;
  }
}

template <int D>
template <class Rate>
double RecursiveFormulation<D>::along(int row, const Work& w, const Rate& rate_of) const {
  double sum = 0;
  for (int i = constraints_.rows()[row].first; i < constraints_.rows()[row].last; ++i) {
    const auto& term = constraints_.terms()[i];
    sum += term.weight * w.gradient[i].dot(rate_of(term.measure.body2) - rate_of(term.measure.body1));
  }
  return sum;
}

template <int D>
int RecursiveFormulation<D>::accelerate(const VecX& lambda, Workspace& work, VecX& a) const {
  Work& w = static_cast<Work&>(work);
  if (!looks_at_bodies_) return tree_.accelerate(nullptr, w.tree, a);
  for (Twist& wrench : w.wrench) wrench.setZero();
  model_->apply_loads(w.t, w.kinematics, w.turns, w.wrench, nullptr);
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
    add_wrenches(column, 1, w);
    tree_.respond(w.wrench, w.tree);
    for (int i = constraints_.rows()[column].first; i < constraints_.rows()[column].last; ++i) {
      w.wrench[constraints_.terms()[i].measure.body2].setZero();
      w.wrench[constraints_.terms()[i].measure.body1].setZero();
    }
    for (int row = column; row < m; ++row) *entry++ = along(row, w, change);
  }
}

/// From the bodies of every term down to ground; what both ends share cancels exactly.
template <int D>
SparseRows RecursiveFormulation<D>::constraint_rows(Workspace& work) const {
  const Work& w = static_cast<const Work&>(work);
  typename TreeMotion<D>::Buffers tree(motion_);
  motion_.position(w.z, *w.memory, tree);
  std::vector<const typename TreeMotion<D>::Link*> link_to(model_->bodies() + 1, nullptr);
  for (const auto& link : motion_.links()) link_to[link.body] = &link;
  SparseRows rows;
  rows.columns = structure_.coordinates;
  VecX row = VecX::Zero(rows.columns);
  std::vector<int> touched;
  for (const auto& equation : constraints_.rows()) {
    for (int i = equation.first; i < equation.last; ++i) {
      const auto& term = constraints_.terms()[i];
      for (const bool second : {true, false}) {
        const Twist wrench = (second ? term.weight : -term.weight) * w.gradient[i];
        const auto* link = link_to[second ? term.measure.body2 : term.measure.body1];
        for (; link; link = link_to[link->parent]) {
          for (int k = link->first; k < link->last; ++k) row[k] += tree.column[k].dot(wrench), touched.push_back(k);
        }
      }
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int k : touched) rows.add(k, std::exchange(row[k], 0.0));
    rows.end_row();
    touched.clear();
  }
  return rows;
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
    rate[i] = along(i, w, [&](int body) -> const Twist& { return w.kinematics.twist[body]; }) + w.equations.phi_t[i];
  }
}

template <int D>
void RecursiveFormulation<D>::constraint_accelerations(Workspace& work, VecX& second) const {
  Work& w = static_cast<Work&>(work);
  const auto rate_of_twist = [&](int body) {
    return body == model_->bodies() ? Twist(Twist::Zero()) : tree_.body_acceleration(tree_.link_of(body), w.tree);
  };
  for (int i = 0; i < structure_.constraints; ++i) second[i] = w.curvature[i] + along(i, w, rate_of_twist);
}

template <int D>
StepStatus RecursiveFormulation<D>::accept(const State&, State& state, Workspace& work) const {
  model_->update_turns(state.t, kinematics(work), state.memory);
  motion_.renew_references(state.q, state.v, state.acceleration, state.algorithmic, state.memory);
  return StepStatus::ok;
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
