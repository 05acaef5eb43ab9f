#include "formulation/signal_formulation.hpp"

#include <algorithm>

#include "formulation/input_values.hpp"

namespace cardan {
namespace {

template <int D>
bool same_measure(const Measure<D>& a, const Measure<D>& b) {
  return a.kind == b.kind && a.body1 == b.body1 && a.body2 == b.body2 && a.point1 == b.point1 && a.point2 == b.point2 &&
         a.e1 == b.e1 && a.e2 == b.e2 && a.f1 == b.f1 && a.f2 == b.f2 && a.axis == b.axis &&
         a.axis_on_body2 == b.axis_on_body2;
}

}  // namespace

template <int D>
SignalFormulation<D>::Work::Work(const Structure& structure, Workspace& w, const SignalFormulation& f)
    : Workspace(structure), inner(w), values(f.model_->signals().make_values()), q(VecX::Zero(f.n_)), v(q), a(q) {
  if (f.inner_.is_differentiable()) derivatives = std::make_unique<MotionDerivatives>(f.inner_.structure());
}

template <int D>
SignalFormulation<D>::SignalFormulation(const BodyFormulation<D>& inner, std::unique_ptr<BodyFormulation<D>> owned)
    : BodyFormulation<D>(inner.shared_model()),
      inner_(inner),
      owned_(std::move(owned)),
      n_(inner.structure().coordinates),
      states_(static_cast<int>(model_->mechanism().states.size())),
      scale_(states_) {
  for (int i = 0; i < states_; ++i) scale_[i] = model_->mechanism().states[i].scale;
  extend_structure();
  if (&inner.full() == &inner) return;
  full_ = std::make_unique<SignalFormulation>(dynamic_cast<const BodyFormulation<D>&>(inner.full()), nullptr);
}

/// The states' columns come last, each with nothing but its diagonal in M: places in the inner structure stay valid.
template <int D>
void SignalFormulation<D>::extend_structure() {
  structure_ = inner_.structure();
  structure_.coordinates = n_ + states_;
  structure_.states = states_;
  structure_.scale.conservativeResize(structure_.coordinates);
  structure_.scale.tail(states_).setOnes();
  const bool has_matrix = structure_.pattern.n == n_ && !structure_.pattern.column_start.empty();
  const int first_row = structure_.loads.rows();  // of the states
  for (int i = 0; i < states_; ++i) {
    structure_.coordinate_names.push_back("integral of state " + model_->mechanism().states[i].name);
    if (!has_matrix) continue;
    structure_.loads.column.push_back(n_ + i);
    structure_.loads.start.push_back(static_cast<int>(structure_.loads.column.size()));
    structure_.loads.slot.push_back(structure_.pattern.nonzeros());
    structure_.loads.slot_start.push_back(static_cast<int>(structure_.loads.slot.size()));
    structure_.pattern.row.push_back(n_ + i);
    structure_.pattern.column_start.push_back(structure_.pattern.nonzeros());
    ++structure_.pattern.n;
  }
  if (!has_matrix) return;
  const int first_force = static_cast<int>(model_->first_signal_row() + model_->signals().leaves().size());
  for (std::size_t i = 0; i < model_->signal_forces().size(); ++i)
    add_couplings(first_force + static_cast<int>(i), static_cast<int>(i));
  for (int i = 0; i < states_; ++i) add_couplings(first_row + i, -1 - i);
}

/// `source`: the index of a signal force, or -1 - that of a state.
template <int D>
void SignalFormulation<D>::add_couplings(int row, int source) {
  using Of = typename SignalSet<D>::Base::Of;
  const SignalSet<D>& signals = model_->signals();
  const bool is_state = source < 0;
  const auto* force = is_state ? nullptr : &model_->signal_forces()[source];
  const Measure<D>* measure = is_state ? nullptr : model_->measure(*force);
  const int signal = is_state ? model_->mechanism().states[-1 - source].rate : force->signal;
  const int state_rows = inner_.structure().loads.rows();
  for (std::size_t b = 0; b < signals.bases(signal).size(); ++b) {
    const auto& base = signals.bases(signal)[b];
    CouplingSource from{signal, static_cast<int>(b), base.of, -1, is_state ? 1 / scale_[-1 - source] : 1, -1, 1};
    int felt = 0;
    if (base.of == Of::state) {
      felt = state_rows + base.index;
      from.factor *= scale_[base.index];
      if (felt == row) from.own_row = row;
    } else {
      from.leaf = base.index;
      felt = static_cast<int>(model_->first_signal_row()) + base.index;
      // On one and the same measure the tangent stays symmetric.
      const auto& leaf = signals.leaves()[base.index];
      using Sort = typename SignalSet<D>::Leaf::Sort;
      const bool of_measure = leaf.sort == Sort::value || leaf.sort == Sort::rate;
      if (measure && of_measure && same_measure(*measure, leaf.measure)) {
        from.own_row = felt;
        from.sign = model_->efforts()[force->index].sign;
      }
    }
    structure_.couplings.push_back({row, felt});
    sources_.push_back(from);
  }
}

template <int D>
std::unique_ptr<Workspace> SignalFormulation<D>::make_workspace() const {
  auto inner = inner_.make_workspace();
  auto work = std::make_unique<Work>(structure_, *inner, *this);
  if (full_) work->full = std::make_unique<Work>(full_->structure_, inner_.full_workspace(*inner), *full_);
  work->owned = std::move(inner);
  return work;
}

template <int D>
void SignalFormulation<D>::see(double t, const State& reference, Work& w) const {
  const Mechanism& m = model_->mechanism();
  w.t = t;
  for (std::size_t i = 0; i < m.inputs.size(); ++i)
    w.values.inputs[i] = input_values::seen(m.inputs[i], reference.inputs, i, t);
  inner_.bodies(w.inner).signals = &w.values;
}

template <int D>
void SignalFormulation<D>::start(State& state, Workspace& work) const {
  Work& w = work_of(work);
  const Mechanism& m = model_->mechanism();
  if (state.inputs.size() == 0) state.inputs = input_values::at_start(m, state.t);
  see(state.t, state, w);
  inner_.start(state, w.inner);
  state.q.conservativeResize(n_ + states_);
  state.v.conservativeResize(n_ + states_);
  for (int i = 0; i < states_; ++i) {
    state.q[n_ + i] = 0;
    state.v[n_ + i] = m.states[i].start / scale_[i];
  }
  reserve(state, work);
  position(state.t, state.q, state, work);
}

template <int D>
void SignalFormulation<D>::reserve(const State& state, Workspace& work) const {
  Work& w = work_of(work);
  take_part(state, w.before);
  take_part(state, w.state);
}

template <int D>
StepStatus SignalFormulation<D>::position(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = work_of(work);
  see(t, reference, w);
  model_->predict_turns(reference.memory, t, w.turns);
  w.q = q.head(n_);
  const StepStatus status = inner_.position(t, w.q, reference, w.inner);
  w.equations.phi = w.inner.equations.phi;
  w.equations.phi_t = w.inner.equations.phi_t;
  w.equations.jacobian = w.inner.equations.jacobian;
  return status;
}

template <int D>
void SignalFormulation<D>::velocity(const VecX& v, Workspace& work) const {
  Work& w = work_of(work);
  w.v = v.head(n_);
  w.values.states = v.tail(states_).cwiseProduct(scale_);
  inner_.velocity(w.v, w.inner);
}

template <int D>
void SignalFormulation<D>::gamma(Workspace& work) const {
  Work& w = work_of(work);
  inner_.gamma(w.inner);
  w.equations.gamma = w.inner.equations.gamma;
}

template <int D>
void SignalFormulation<D>::evaluate_signals(Workspace& work, bool all) const {
  Work& w = work_of(work);
  model_->signals().evaluate(w.t, inner_.kinematics(w.inner), w.turns, all, w.values);
}

template <int D>
void SignalFormulation<D>::add_rates(const Work& w, VecX& a) const {
  for (int i = 0; i < states_; ++i) a[n_ + i] = w.values.value[model_->mechanism().states[i].rate] / scale_[i];
}

template <int D>
void SignalFormulation<D>::dynamics(Workspace& work) const {
  Work& w = work_of(work);
  Equations& e = w.equations;
  const Equations& inner = w.inner.equations;
  evaluate_signals(work, false);
  inner_.dynamics(w.inner);
  e.mass.head(inner.mass.size()) = inner.mass;
  e.mass.tail(states_).setOnes();
  e.force.head(n_) = inner.force;
  add_rates(w, e.force);
  e.load_gradient.head(inner.load_gradient.size()) = inner.load_gradient;
  e.load_gradient.tail(states_).setOnes();
  e.stiffness.head(inner.stiffness.size()) = inner.stiffness;
  e.damping.head(inner.damping.size()) = inner.damping;
  e.stiffness.tail(states_).setZero();
  e.damping.tail(states_).setZero();
  std::copy(inner.live.begin(), inner.live.end(), e.live.begin());
  std::fill(e.live.begin() + static_cast<std::ptrdiff_t>(inner.live.size()), e.live.end(), 1);
  e.coupling_stiffness.head(inner.coupling_stiffness.size()) = inner.coupling_stiffness;
  e.coupling_damping.head(inner.coupling_damping.size()) = inner.coupling_damping;
  write_couplings(w);
}

/// k = -df/dq, c = -df/dv. What resists on its own row stays on the diagonal, where the tangent is symmetric.
template <int D>
void SignalFormulation<D>::write_couplings(Work& w) const {
  using Of = typename SignalSet<D>::Base::Of;
  using Sort = typename SignalSet<D>::Leaf::Sort;
  Equations& e = w.equations;
  const SignalSet<D>& signals = model_->signals();
  signals.differentiate(w.values);
  const Eigen::Index first = w.inner.equations.coupling_stiffness.size();
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const CouplingSource& from = sources_[i];
    const double slope = -from.factor * signals.gradient(from.signal, w.values)[from.base];
    double k = 0, c = slope;
    if (from.of == Of::leaf) {
      const auto& leaf = signals.leaves()[from.leaf];
      if (leaf.sort == Sort::value) {
        k = slope, c = 0;
      } else if (leaf.sort == Sort::tension) {
        k = slope * e.stiffness[leaf.load], c = slope * e.damping[leaf.load];
      }
    }
    // A force on the row itself, with the sign that it has there.
    const int row = from.own_row;
    const bool own = row >= 0 && from.sign * k >= 0 && from.sign * c >= 0;
    if (own) {
      e.stiffness[row] += from.sign * k;
      e.damping[row] += from.sign * c;
    }
    const Eigen::Index at = first + static_cast<Eigen::Index>(i);
    e.coupling_stiffness[at] = own ? 0 : k;
    e.coupling_damping[at] = own ? 0 : c;
  }
}

template <int D>
void SignalFormulation<D>::differentiate(const VecX& a, const VecX& lambda, Workspace& work,
                                         MotionDerivatives& result) const {
  Work& w = work_of(work);
  const Equations& e = w.equations;
  const MotionDerivatives& part = *w.derivatives;
  w.a = a.head(n_);
  inner_.differentiate(w.a, lambda, w.inner, *w.derivatives);
  result.stiffness.setZero();
  result.damping.setZero();
  result.rate.setZero();
  result.second.setZero();
  result.stiffness.topLeftCorner(n_, n_) = part.stiffness;
  result.damping.topLeftCorner(n_, n_) = part.damping;
  result.rate.leftCols(n_) = part.rate;
  result.second.leftCols(n_) = part.second;
  result.turning.setZero();
  result.turning.leftCols(n_) = part.turning;
  // The inner derivatives hold the loads' own tangents already: what signals add is in the rows that are theirs.
  for (int row = static_cast<int>(model_->first_signal_row()); row < structure_.loads.rows(); ++row) {
    add_outer(structure_.loads, e.load_gradient, row, row, e.stiffness[row], result.stiffness);
    add_outer(structure_.loads, e.load_gradient, row, row, e.damping[row], result.damping);
  }
  for (std::size_t i = inner_.structure().couplings.size(); i < structure_.couplings.size(); ++i) {
    const auto [force, felt] = structure_.couplings[i];
    add_outer(structure_.loads, e.load_gradient, force, felt, e.coupling_stiffness[i], result.stiffness);
    add_outer(structure_.loads, e.load_gradient, force, felt, e.coupling_damping[i], result.damping);
  }
}

/// Sizes stay, so that nothing is allocated after the first time.
template <int D>
void SignalFormulation<D>::take_part(const State& from, State& part) const {
  part.t = from.t;
  part.events = from.events;
  part.system = from.system;
  part.q = from.q.head(n_);
  part.v = from.v.head(n_);
  part.acceleration = from.acceleration.head(std::min<Eigen::Index>(n_, from.acceleration.size()));
  part.algorithmic = from.algorithmic.head(std::min<Eigen::Index>(n_, from.algorithmic.size()));
  part.lambda = from.lambda;
  part.memory = from.memory;
  part.partition = from.partition;
  part.attached = from.attached;
  part.inputs = from.inputs;
}

template <int D>
void SignalFormulation<D>::give_back(const State& part, State& to) const {
  to.q.head(n_) = part.q;
  to.v.head(n_) = part.v;
  if (part.acceleration.size() == n_) to.acceleration.head(n_) = part.acceleration;
  if (part.algorithmic.size() == n_) to.algorithmic.head(n_) = part.algorithmic;
  to.memory = part.memory;
  to.partition = part.partition;
  to.attached = part.attached;
}

template <int D>
StepStatus SignalFormulation<D>::accept(const State& before, State& state, Workspace& work) const {
  Work& w = work_of(work);
  take_part(before, w.before);
  take_part(state, w.state);
  const StepStatus status = inner_.accept(w.before, w.state, w.inner);
  give_back(w.state, state);
  return status;
}

template <int D>
bool SignalFormulation<D>::prepare(State& state, bool failed, Workspace& work) const {
  Work& w = work_of(work);
  take_part(state, w.state);
  const bool changed = inner_.prepare(w.state, failed, w.inner);
  if (changed) give_back(w.state, state);
  return changed;
}

template <int D>
const Formulation& SignalFormulation<D>::full() const {
  if (full_) return *full_;
  return *this;
}

template <int D>
Workspace& SignalFormulation<D>::full_workspace(Workspace& work) const {
  return full_ ? *work_of(work).full : work;
}

template <int D>
void SignalFormulation<D>::leave(const State& state, State& full, Workspace& work) const {
  if (!full_) return take_motion(state, full);
  Work& w = work_of(work);
  State &own = w.state, &whole = w.whole;
  take_part(state, own);
  full_->take_part(full, whole);
  inner_.leave(own, whole, w.inner);
  full.t = state.t;
  full.events = state.events;
  full.inputs = state.inputs;
  full_->give_back(whole, full);
  full.q.tail(states_) = state.q.tail(states_);
  full.v.tail(states_) = state.v.tail(states_);
}

template <int D>
void SignalFormulation<D>::enter(const State& full, State& state, Workspace& work) const {
  if (!full_) return take_motion(full, state);
  Work& w = work_of(work);
  see(full.t, full, w);
  full_->take_part(full, w.whole);
  take_part(state, w.state);
  inner_.enter(w.whole, w.state, w.inner);
  state.t = full.t;
  state.events = full.events;
  state.inputs = full.inputs;
  give_back(w.state, state);
  state.q.tail(states_) = full.q.tail(states_);
  state.v.tail(states_) = full.v.tail(states_);
}

template <int D>
std::string SignalFormulation<D>::complaint(const Workspace& work) const {
  return inner_.complaint(static_cast<const Work&>(work).inner);
}

template <int D>
BodyKinematics<D>& SignalFormulation<D>::kinematics(Workspace& work) const {
  return inner_.kinematics(work_of(work).inner);
}

template <int D>
BodyKinematics<D>& SignalFormulation<D>::bodies(Workspace& work) const {
  return inner_.bodies(work_of(work).inner);
}

template <int D>
void SignalFormulation<D>::accelerations(const VecX& acceleration, Workspace& work) const {
  Work& w = work_of(work);
  w.a = acceleration.head(n_);
  inner_.accelerations(w.a, w.inner);
}

template <int D>
std::unique_ptr<BodyFormulation<D>> with_signals(std::unique_ptr<BodyFormulation<D>> formulation) {
  const Mechanism& m = formulation->model().mechanism();
  if (m.inputs.empty() && m.states.empty() && m.signals.empty()) return formulation;
  const BodyFormulation<D>& inner = *formulation;
  if (const auto* direct = dynamic_cast<const DirectDynamics*>(&inner))
    return std::make_unique<DirectSignalFormulation<D>>(inner, *direct, std::move(formulation));
  return std::make_unique<SignalFormulation<D>>(inner, std::move(formulation));
}

template class SignalFormulation<2>;
template class SignalFormulation<3>;
template std::unique_ptr<BodyFormulation<2>> with_signals(std::unique_ptr<BodyFormulation<2>>);
template std::unique_ptr<BodyFormulation<3>> with_signals(std::unique_ptr<BodyFormulation<3>>);

}  // namespace cardan
