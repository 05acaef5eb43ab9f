#include "formulation/relative/relative_formulation.hpp"

#include <algorithm>
#include <cmath>

#include "math/by_processor.hpp"

namespace cardan {
template <int D>
RelativeFormulation<D>::Work::Work(const Structure& structure, const RelativeFormulation& f)
    : Workspace(structure),
      tree(f.tree_),
      z(VecX::Zero(structure.coordinates)),
      turns(VecX::Zero(f.model_->counted_angles() + 1 + f.model_->load_memory())),
      constraints(f.constraints_),
      gradient(f.constraints_.terms().size(), Twist::Zero()),
      load_gradient(f.model_->load_wrenches(), Twist::Zero()),
      rotor_row(VecX::Zero(f.rotor_rows_.column.size())),
      known(f.own_angles_.size()) {}

template <int D>
RelativeFormulation<D>::RelativeFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled,
                                            const SpanningTree& tree, double length)
    : BodyFormulation<D>(std::move(model)),
      assembled_(std::move(assembled)),
      tree_(model_, assembled_, tree, model_->turns_size()),
      cut_(tree.cut),
      constraints_(*model_) {
  tree_.find_paths();
  structure_.coordinates = tree_.coordinates();
  structure_.coordinate_names = tree_.coordinate_names();
  structure_.scale.resize(structure_.coordinates);
  for (int i = 0; i < structure_.coordinates; ++i) structure_.scale[i] = tree_.is_length(i) ? length : 1;
  structure_.rounding = model_->rounding(length);
  add_constraints(length);
  for (const auto& row : model_->load_rows()) {
    load_spans_.push_back(tree_.span(row.body1, row.body2));
    structure_.loads.add(load_spans_.back().columns);
  }
  structure_.couplings = model_->load_couplings();
  structure_.kinks = !model_->contacts().empty();
  add_rotors();
  structure_.complete(mass_cliques());
  tree_.locate(structure_.pattern);
  rotor_rows_.locate(structure_.pattern);
  list_own_angles();
  const auto counts = [](const auto& one) { return one.turns_of >= 0; };
  counts_turns_ = std::ranges::any_of(constraints_.terms(), counts) ||
                  std::ranges::any_of(model_->scalar_loads(), counts) || model_->load_memory() > 0;
}

template <int D>
void RelativeFormulation<D>::list_own_angles() {
  const auto& coordinates = model_->joint_coordinates();
  const int joints = static_cast<int>(coordinates.size());
  for (int i = 0; D == 2 && i < model_->bodies(); ++i) own_angles_.push_back({joints + i, {}});
  for (int i = 0; D == 3 && i < joints; ++i) {
    const auto own = own_coordinate(i);
    if (coordinates[i].angular && own.place >= 0) own_angles_.push_back({i, own});
  }
}

template <int D>
void RelativeFormulation<D>::find_own_angles(const State& state, Work& w) const {
  const int joints = static_cast<int>(model_->joint_coordinates().size());
  for (std::size_t i = 0; i < own_angles_.size(); ++i) {
    const auto& [counted, own] = own_angles_[i];
    if constexpr (D == 2) {
      const int body = counted - joints;
      w.known[i] = {counted, w.tree.angle[body], angular<D>(w.tree.kinematics.twist[body])[0]};
    } else {
      w.known[i] = {counted, own.offset + own.sign * state.q[own.place], own.sign * state.v[own.place]};
    }
  }
}

template <int D>
std::vector<std::vector<int>> RelativeFormulation<D>::mass_cliques() const {
  std::vector<std::vector<int>> cliques = tree_.mass_cliques();
  for (const auto& span : rotor_spans_) cliques.push_back(span.columns);
  return cliques;
}

template <int D>
void RelativeFormulation<D>::add_constraints(double length) {
  for (int j : cut_) constraints_.add_joint(j);
  constraints_.add_couplers();
  constraints_.add_drivers();
  constraints_.add_discs();
  constraints_.add_velocities();
  structure_.velocity_constraints = constraints_.velocities();
  structure_.constraints = constraints_.size();
  structure_.constraint_scale = constraints_.scales(length);
  for (const auto& row : constraints_.rows()) {
    std::vector<int> columns;
    for (int i = row.first; i < row.last; ++i) {
      const Measure<D>& m = constraints_.terms()[i].measure;
      TermRow& term = term_rows_.emplace_back(TermRow{tree_.span(m.body1, m.body2), {}});
      for (int column : term.span.columns) {
        const auto found = std::find(columns.begin(), columns.end(), column);
        term.place.push_back(static_cast<int>(found - columns.begin()));
        if (found == columns.end()) columns.push_back(column);
      }
    }
    const bool is_plain = row.last == row.first + 1;
    plain_rows_.push_back({is_plain ? row.first : -1, structure_.jacobian.start.back() + term_rows_.back().span.split});
    structure_.jacobian.add(columns);
    structure_.constraint_names.push_back(row.name);
  }
}

template <int D>
void RelativeFormulation<D>::add_rotors() {
  for (const auto& rotor : model_->rotors()) {
    rotor_spans_.push_back(tree_.span(rotor.measure.body1, rotor.measure.body2));
    rotor_rows_.add(rotor_spans_.back().columns);
  }
}

template <int D>
int RelativeFormulation<D>::memory_size() const {
  return model_->turns_size() + tree_.memory_size();
}

template <int D>
std::unique_ptr<Workspace> RelativeFormulation<D>::make_workspace() const {
  return std::make_unique<Work>(structure_, *this);
}

template <int D>
void RelativeFormulation<D>::start(State& state, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  state.memory = VecX::Zero(memory_size());
  state.memory.head(model_->turns_size()) = model_->initial_turns(state.t, assembled_);
  tree_.start(state.memory);
  state.q = state.v = VecX::Zero(structure_.coordinates);
  position(state.t, state.q, state, work);
  tree_.relative_velocities(assembled_, w.tree, state.v);
}

template <int D>
StepStatus RelativeFormulation<D>::locate(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  w.t = t;
  w.z = q;
  w.accelerated = false;
  if (counts_turns_) model_->predict_turns(reference.memory, t, w.turns);
  tree_.position(q, reference.memory, w.tree);
  return StepStatus::ok;
}

template <int D>
StepStatus RelativeFormulation<D>::position(double t, const VecX& q, const State& reference, Workspace& work) const {
  locate(t, q, reference, work);
  Work& w = static_cast<Work&>(work);
  Equations& e = w.equations;
  const BodyKinematics<D>& k = w.tree.kinematics;
  w.constraints.hold(reference.attached);
  w.constraints.position(t, k, w.turns, w.gradient, e.phi.data(), e.phi_t.data());
  write_rows(w);
  return StepStatus::ok;
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void RelativeFormulation<D>::write_rows(Work& w) const {
  const int *start = structure_.jacobian.start.data(), *column = structure_.jacobian.column.data();
  double* const jacobian = w.equations.jacobian.data();
  const Twist* const columns = w.tree.column.data();
  for (int r = 0; r < structure_.constraints; ++r) {
    const PlainRow& plain = plain_rows_[r];
    if (plain.term >= 0) {
      const Twist gradient = w.gradient[plain.term];
      for (int i = start[r]; i < plain.split; ++i) jacobian[i] = columns[column[i]].dot(gradient);
      for (int i = plain.split; i < start[r + 1]; ++i) jacobian[i] = -columns[column[i]].dot(gradient);
      continue;
    }
    const auto& row = constraints_.rows()[r];
    double* const out = jacobian + start[r];
    std::fill(out, jacobian + start[r + 1], 0.0);
    for (int i = row.first; i < row.last; ++i) {
      TreeMotion<D>::add_to_row(term_rows_[i].span, term_rows_[i].place, constraints_.terms()[i].weight * w.gradient[i],
                                w.tree, out);
    }
  }
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR void RelativeFormulation<D>::write_load_rows(Work& w) const {
  Equations& e = w.equations;
  for (std::size_t i = 0; i < load_spans_.size(); ++i) {
    if (!e.live[i]) continue;
    const auto& row = model_->load_rows()[i];
    TreeMotion<D>::write_row(load_spans_[i], w.load_gradient[row.wrench1], w.load_gradient[row.wrench2], w.tree,
                             e.load_gradient.data() + structure_.loads.start[i]);
  }
}

template <int D>
void RelativeFormulation<D>::velocity(const VecX& v, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  tree_.velocity(v, w.z, w.tree);
  w.is_biased = false;
}

template <int D>
void RelativeFormulation<D>::find_bias(Work& w) const {
  if (!w.is_biased) tree_.bias(w.tree);
  w.is_biased = true;
}

template <int D>
void RelativeFormulation<D>::gamma(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  find_bias(w);
  w.constraints.gamma(w.t, w.tree.kinematics, w.gradient, w.equations.gamma.data());
}

template <int D>
void RelativeFormulation<D>::dynamics(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  Equations& e = w.equations;
  find_bias(w);
  model_->apply_gravity(w.tree.kinematics, w.tree.wrench);
  typename BodyModel<D>::LoadTangents tangents{w.load_gradient, e};
  model_->apply_loads(w.t, w.tree.kinematics, w.turns, w.tree.wrench, &tangents);
  if (!rotor_spans_.empty()) e.mass.setZero();  // a rotor on a cut joint couples what the tree does not
  tree_.dynamics(w.tree, e.mass, e.force);
  // M += J s_z^T s_z,  Q -= J s_z^T (s'' at zero z'')
  for (std::size_t i = 0; i < rotor_spans_.size(); ++i) {
    const auto& rotor = model_->rotors()[i];
    const int row = static_cast<int>(i);
    const Twist gradient = rotor.measure.gradient(w.tree.kinematics);
    TreeMotion<D>::write_row(rotor_spans_[i], gradient, w.tree, w.rotor_row.data() + rotor_rows_.start[row]);
    add_outer(rotor_rows_, w.rotor_row, row, rotor.inertia, e.mass);
    add_row(rotor_rows_, w.rotor_row, row, -rotor.inertia * rotor.measure.bias(w.tree.kinematics, gradient), e.force);
  }
  write_load_rows(w);
}

template <int D>
void RelativeFormulation<D>::sweep(const VecX& a, Workspace& work, VecX& result) const {
  Work& w = static_cast<Work&>(work);
  const BodyKinematics<D>& k = w.tree.kinematics;
  tree_.acceleration(a, w.tree);
  model_->apply_gravity(k, w.tree.wrench);
  model_->apply_loads(w.t, k, w.turns, w.tree.wrench, nullptr);
  model_->apply_rotors(k, w.tree.wrench);
  tree_.sweep(w.tree, result);
}

template <int D>
void RelativeFormulation<D>::project(std::vector<Twist>& wrenches, Workspace& work, double* force) const {
  tree_.project(static_cast<Work&>(work).tree, wrenches, force);
}

template <int D>
StepStatus RelativeFormulation<D>::accept(const State&, State& state, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  find_own_angles(state, w);
  model_->update_turns(state.t, w.tree.kinematics, state.memory, w.known);
  // In the coordinates of the step, before they are measured anew.
  w.accelerated = !model_->drivers().empty();
  if (w.accelerated) tree_.acceleration(state.acceleration, w.tree);
  tree_.renew_references(state.q, state.v, state.acceleration, state.algorithmic, state.memory);
  return StepStatus::ok;
}

template <int D>
BodyKinematics<D>& RelativeFormulation<D>::kinematics(Workspace& work) const {
  return static_cast<Work&>(work).tree.kinematics;
}

template <int D>
void RelativeFormulation<D>::accelerations(const VecX& acceleration, Workspace& work) const {
  tree_.acceleration(acceleration, static_cast<Work&>(work).tree);
}

/// Of joints with one motion, which is zero as assembled. Along it the measure goes forth or back at unit rate.
template <int D>
typename BodyFormulation<D>::OwnCoordinate RelativeFormulation<D>::own_coordinate(int joint_coordinate) const {
  const auto& coordinate = model_->joint_coordinates()[joint_coordinate];
  const Measure<D>& measure = coordinate.measure;
  for (const auto& link : tree_.links()) {
    if (link.joint != coordinate.joint || link.last != link.first + 1) continue;
    const JointMotion<D>& motion = tree_.motions()[link.first_motion];
    const Twist w = measure.gradient(assembled_);
    const typename Space<D>::Vector axis = assembled_.rotation[link.parent] * motion.axis;
    double rate = 0;
    if (motion.kind == JointMotion<D>::Kind::translation) {
      rate = linear<D>(w).dot(axis);
    } else if constexpr (D == 2) {
      rate = angular<D>(w)[0];
    } else {
      rate = angular<D>(w).dot(axis) + motion.lead * linear<D>(w).dot(axis);
    }
    if (link.body != measure.body2) rate = -rate;
    if (std::abs(std::abs(rate) - 1) > 1e-12) break;
    return {link.first, rate > 0 ? 1.0 : -1.0, measure.value(assembled_)};
  }
  return {};
}

template class RelativeFormulation<2>;
template class RelativeFormulation<3>;

}  // namespace cardan
