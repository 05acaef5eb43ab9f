#include "formulation/signal_formulation.hpp"

#include <algorithm>
#include <limits>

#include "formulation/input_values.hpp"

namespace cardan {

/// How far coordinates may be, in units of their scale, from where couplings were made that still do for Newton's
/// method: W turns by about as much.
constexpr double kNear = 4e-3;

/// As a block of memory.
static void copy_front(const VecX& from, VecX& to) { std::copy_n(from.data(), from.size(), to.data()); }

template <int D>
SignalFormulation<D>::Work::Work(const Structure& structure, Workspace& w, const SignalFormulation& f)
    : Workspace(structure),
      inner(w),
      values(f.model_->signals().make_values()),
      stiff(f.model_->bodies() + 1),
      damped(stiff),
      q(VecX::Zero(f.n_)),
      v(q),
      a(q),
      swept(q),
      coupled_q(q) {
  for (const auto* readings : {&f.read_positions_, &f.read_velocities_})
    for (const Reading& reading : *readings) values.is_known[static_cast<std::size_t>(reading.leaf)] = 1;
}

template <int D>
SignalFormulation<D>::SignalFormulation(const BodyFormulation<D>& inner, std::unique_ptr<BodyFormulation<D>> owned)
    : BodyFormulation<D>(inner.shared_model()),
      inner_(inner),
      owned_(std::move(owned)),
      kept_(dynamic_cast<const KeptAccelerations*>(&inner)),
      swept_(SweptForces::of(inner)),
      n_(inner.structure().coordinates),
      states_(static_cast<int>(model_->mechanism().states.size())),
      scale_(states_) {
  for (int i = 0; i < states_; ++i) scale_[i] = model_->mechanism().states[i].scale;
  find_readings();
  extend_structure();
  if (&inner.full() == &inner) return;
  full_ = std::make_unique<SignalFormulation>(dynamic_cast<const BodyFormulation<D>&>(inner.full()), nullptr);
}

template <int D>
void SignalFormulation<D>::find_readings() {
  const auto& leaves = model_->signals().leaves();
  for (int i = 0; i < static_cast<int>(leaves.size()); ++i) {
    const auto& leaf = leaves[static_cast<std::size_t>(i)];
    if (leaf.coordinate < 0) continue;
    const auto own = inner_.own_coordinate(leaf.coordinate);
    if (own.place < 0) continue;
    const bool is_rate = leaf.sort == SignalSet<D>::Leaf::Sort::rate;
    (is_rate ? read_velocities_ : read_positions_).push_back({i, own.place, own.sign, is_rate ? 0 : own.offset});
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
  bool is_same = true;
  w.t = t;
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const Function::Value now = input_values::seen(m.inputs[i], reference.inputs, i, t);
    Function::Value& then = w.values.inputs[i];
    is_same = is_same && now.f == then.f && now.d1 == then.d1 && now.d2 == then.d2;
    then = now;
  }
  if (!is_same)
    for (DriverPath& path : w.values.paths) path = {};
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
StepStatus SignalFormulation<D>::locate(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = work_of(work);
  see_place(t, q, reference, w);
  return inner_.locate(t, states_ > 0 ? w.q : q, reference, w.inner);
}

/// What signals know of an instant, and whether couplings may be kept.
template <int D>
void SignalFormulation<D>::see_place(double t, const VecX& q, const State& reference, Work& w) const {
  see(t, reference, w);
  model_->predict_turns(reference.memory, t, w.turns);
  if (states_ > 0 || w.is_newtons) w.q = q.head(n_);
  w.may_keep = w.is_newtons && w.in_step && w.differentiated_at == t &&
               ((w.q - w.coupled_q).cwiseAbs().array() <= kNear * inner_.structure().scale.array()).all();
  for (const Reading& r : read_positions_) w.values.known[r.leaf] = r.offset + r.sign * q[r.place];
}

template <int D>
StepStatus SignalFormulation<D>::position(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = work_of(work);
  see_place(t, q, reference, w);
  w.inner.goes_on = w.goes_on;
  const StepStatus status = inner_.position(t, states_ > 0 ? w.q : q, reference, w.inner);
  copy_front(w.inner.equations.phi, w.equations.phi);
  copy_front(w.inner.equations.phi_t, w.equations.phi_t);
  copy_front(w.inner.equations.jacobian, w.equations.jacobian);
  return status;
}

template <int D>
void SignalFormulation<D>::velocity(const VecX& v, Workspace& work) const {
  Work& w = work_of(work);
  for (const Reading& r : read_velocities_) w.values.known[r.leaf] = r.sign * v[r.place];
  if (states_ == 0) return inner_.velocity(v, w.inner);
  w.v = v.head(n_);
  w.values.states = v.tail(states_).cwiseProduct(scale_);
  inner_.velocity(w.v, w.inner);
}

template <int D>
void SignalFormulation<D>::gamma(Workspace& work) const {
  Work& w = work_of(work);
  inner_.gamma(w.inner);
  copy_front(w.inner.equations.gamma, w.equations.gamma);
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
  const bool keep = model_->signals().differentiate(w.t, inner_.kinematics(w.inner), w.turns, w.may_keep, w.values);
  if (!keep && w.in_step) {
    w.differentiated_at = w.t;
    w.coupled_q = w.q;
  }
  inner_.dynamics(w.inner);
  copy_front(inner.mass, e.mass);
  e.mass.tail(states_).setOnes();
  copy_front(inner.force, e.force);
  add_rates(w, e.force);
  copy_front(inner.load_gradient, e.load_gradient);
  e.load_gradient.tail(states_).setOnes();
  copy_front(inner.stiffness, e.stiffness);
  copy_front(inner.damping, e.damping);
  e.stiffness.tail(e.stiffness.size() - inner.stiffness.size()).setZero();
  e.damping.tail(e.damping.size() - inner.damping.size()).setZero();
  std::copy(inner.live.begin(), inner.live.end(), e.live.begin());
  std::fill(e.live.begin() + static_cast<std::ptrdiff_t>(inner.live.size()), e.live.end(), 1);
  copy_front(inner.coupling_stiffness, e.coupling_stiffness);
  copy_front(inner.coupling_damping, e.coupling_damping);
  e.couplings_kept = keep && inner_.structure().couplings.empty();
  write_couplings(keep, w);
}

template <int D>
void SignalFormulation<D>::sweep(const VecX& a, Workspace& work, VecX& result) const {
  Work& w = work_of(work);
  evaluate_signals(w, false);
  if (states_ == 0) return swept_->sweep(a, w.inner, result);
  w.a = a.head(n_);
  swept_->sweep(w.a, w.inner, w.swept);
  copy_front(w.swept, result);
  add_rates(w, result);
  result.tail(states_) -= a.tail(states_);
}

template <int D>
void SignalFormulation<D>::differentiate(const VecX& a, const VecX& lambda, Workspace& work,
                                         MotionDerivatives& result) const {
  Work& w = work_of(work);
  const Equations& e = w.equations;
  w.a = a.head(n_);
  inner_.differentiate(w.a, lambda, w.inner, result);
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
  w.in_step = false;
  if (states_ == 0) return inner_.accept(before, state, w.inner);
  take_part(before, w.before);
  take_part(state, w.state);
  const StepStatus status = inner_.accept(w.before, w.state, w.inner);
  give_back(w.state, state);
  return status;
}

template <int D>
bool SignalFormulation<D>::prepare(State& state, bool failed, Workspace& work) const {
  Work& w = work_of(work);
  w.in_step = true;
  w.differentiated_at = std::numeric_limits<double>::quiet_NaN();
  if (states_ == 0) return inner_.prepare(state, failed, w.inner);
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
