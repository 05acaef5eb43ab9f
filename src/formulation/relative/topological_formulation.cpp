#include "formulation/relative/topological_formulation.hpp"

#include <algorithm>

#include "formulation/constraint_rank.hpp"

namespace cardan {
namespace {
constexpr double kDegraded = 0.5;   // a pivot that has fallen to this part of what it was asks for another split
constexpr double kSingular = 1e-7;  // relative to the largest: no split is good any more
// Relative to what it was at its best: the two branches that meet in a singular position are so near that the shortest
// steps of step control do not tell them apart.
constexpr double kCollapsed = 1e-5;
constexpr double kPositionTolerance = 1e-15;  // of Phi, relative to its scale
// Of what independent coordinates move by, at the most, until the next increment; all in units of the scales.
constexpr double kOpenOnTheWay = 1e-2;
constexpr double kOpened = 1e-6;               // a closure off by this part of its scale has opened
constexpr std::size_t kComplaintLength = 160;  // of the words around a name
}  // namespace

template <int D>
TopologicalFormulation<D>::Work::Work(const Structure& own, const ReducedStructure& reduced,
                                      std::unique_ptr<Workspace> work)
    : Workspace(own),
      relative(std::move(work)),
      partition(reduced.full(), reduced.groups()),
      R(reduced),
      z(VecX::Zero(reduced.full().coordinates)),
      v(z),
      bias(z),
      drift(z),
      moved(VecX::Zero(own.coordinates)),
      product(z),
      swept(z),
      dependent(VecX::Zero(partition.rank())),
      end_z(z),
      end_v(z) {
  std::size_t longest = 0;
  for (const std::string& name : reduced.full().constraint_names) longest = std::max(longest, name.size());
  complaint.reserve(longest + kComplaintLength);
}

template <int D>
TopologicalFormulation<D>::TopologicalFormulation(std::shared_ptr<const BodyModel<D>> model,
                                                  BodyKinematics<D> assembled, const SpanningTree& tree, double length,
                                                  const State* sample)
    : BodyFormulation<D>(model), relative_(model, std::move(assembled), tree, length) {
  const Structure& full = relative_.structure();
  n_ = full.coordinates;
  const auto work = relative_.make_workspace();
  State state;
  relative_.start(state, *work);
  if (sample) relative_.position(sample->t, sample->q, *sample, *work);
  reduced_ = std::make_unique<const ReducedStructure>(full, loop_groups(full, work->equations.jacobian));
  rank_ = rank_of(reduced_->groups());
  f_ = n_ - rank_;
  structure_.coordinates = f_;
  structure_.scale = VecX::Ones(f_);  // the coordinates are dimensionless
  structure_.rounding = full.rounding;
  for (int i = 0; i < f_; ++i) structure_.coordinate_names.push_back("independent coordinate " + std::to_string(i + 1));
  structure_.couplings = full.couplings;
  structure_.kinks = full.kinks;
  structure_.constraints = structure_.velocity_constraints = full.velocity_constraints;
  structure_.constraint_scale = full.constraint_scale.tail(full.velocity_constraints);
  for (int k = full.position_constraints(); k < full.constraints; ++k)
    structure_.constraint_names.push_back(full.constraint_names[k]);
  reduced_->write(structure_, relative_.mass_cliques());
}

template <int D>
std::unique_ptr<Workspace> TopologicalFormulation<D>::make_workspace() const {
  return std::make_unique<Work>(structure_, *reduced_, relative_.make_workspace());
}

template <int D>
void TopologicalFormulation<D>::pick(const Eigen::VectorXi& order, const VecX& full, VecX& independent) const {
  const VecX& scale = relative_.structure().scale;
  for (int i = 0; i < f_; ++i) independent[i] = full[order[2 * rank_ + i]] / scale[order[2 * rank_ + i]];
}

template <int D>
void TopologicalFormulation<D>::start(State& state, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  w.full.t = state.t;
  relative_.start(w.full, *w.relative);
  w.full.acceleration = w.full.algorithmic = VecX::Zero(n_);
  state.memory = VecX::Zero(memory_size());
  state.memory.head(z_at()) = w.full.memory;
  state.memory.segment(z_at(), n_) = w.full.q;
  state.memory.segment(v_at(), n_) = w.full.v;
  split(*w.relative, state, w);
  state.q = state.v = VecX::Zero(f_);
  pick(state.partition, w.full.q, state.q);
  pick(state.partition, w.full.v, state.v);
  w.fresh = true;
}

/// Newton on Phi(z) = 0 with the independent coordinates fixed, then R. Between the increments of an iteration that
/// goes on, the loops need not be closed better than the next increment can make use of.
template <int D>
StepStatus TopologicalFormulation<D>::position(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  const Equations& e = w.relative->equations;
  const Eigen::VectorXi& order = reference.partition;
  move(t, q, reference, w);
  double tolerance = kPositionTolerance;
  if (w.goes_on && f_ > 0) tolerance = std::max(tolerance, kOpenOnTheWay * w.moved.cwiseAbs().maxCoeff());
  const StepStatus status =
      w.partition.close(e, order, tolerance, w.z, [&] { return relative_.position(t, w.z, reference, *w.relative); });
  if (status == StepStatus::not_converged) note_open(w, reference);
  if (status != StepStatus::ok) return status;
  w.partition.find_dependence();
  w.R.update(w.partition, order);
  find_drift(order, w);
  w.full.partition = order;
  w.tangential = true;
  w.open = w.goes_on;
  w.t = t;
  if (structure_.constraints > 0) reduce_velocity_constraints(w);
  return StepStatus::ok;
}

template <int D>
void TopologicalFormulation<D>::velocity(const VecX& v, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  w.v = w.drift;
  w.R.spread(v, w.v);
  relative_.velocity(w.v, *w.relative);
  relative_.gamma(*w.relative);
  const Eigen::VectorXi& order = w.full.partition;
  for (int i = 0; i < rank_; ++i) w.dependent[i] = w.relative->equations.gamma[order[i]];
  w.partition.solve(w.dependent);
  w.bias.setZero();
  for (int i = 0; i < rank_; ++i) w.bias[order[rank_ + i]] = w.dependent[i];
}

template <int D>
void TopologicalFormulation<D>::dynamics(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  relative_.dynamics(*w.relative);
  const Equations& full = w.relative->equations;
  Equations& own = w.equations;
  // R^T (Q - M c)
  w.product = full.force;
  w.R.subtract_inertia(full.mass, w.bias, w.product);
  w.R.gather(w.product, own.force.data());
  w.R.reduce_mass(full.mass, structure_, own.mass);
  w.R.reduce_loads(full, structure_, own.load_gradient);
  own.live = full.live;
  own.stiffness = full.stiffness;
  own.damping = full.damping;
  own.coupling_stiffness = full.coupling_stiffness;
  own.coupling_damping = full.coupling_damping;
}

/// R^T (Q - M (R a + c))
template <int D>
void TopologicalFormulation<D>::sweep(const VecX& a, Workspace& work, VecX& result) const {
  Work& w = static_cast<Work&>(work);
  w.product = w.bias;
  w.R.spread(a, w.product);
  relative_.sweep(w.product, *w.relative, w.swept);
  w.R.gather(w.swept, result.data());
}

template <int D>
void TopologicalFormulation<D>::project(std::vector<typename Space<D>::Twist>& wrenches, Workspace& work,
                                        double* force) const {
  Work& w = static_cast<Work&>(work);
  relative_.project(wrenches, *w.relative, w.product.data());
  w.R.gather(w.product, force);
}

/// A pivot that changes sign, or would within another such step, means that the split or the mechanism becomes
/// singular. The product of all of them is the determinant of the dependent block, which vanishes with every split in a
/// singular position: has it another sign, the step went past one.
template <int D>
StepStatus TopologicalFormulation<D>::accept(const State& before, State& state, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  const VecX& pivots = w.partition.pivots();
  const double largest = rank_ > 0 ? pivots.cwiseAbs().maxCoeff() : 1;
  const double smallest_good = std::max(kSingular, kCollapsed * before.memory[best_at()]) * largest;
  int turned = -1;
  bool went_past = false;
  for (int k = 0; k < rank_; ++k) {
    const double start = before.memory[pivots_at() + k];
    const bool lost = 2 * pivots[k] / start - 1 <= 0 && std::abs(pivots[k]) < 0.5 * largest;
    if (lost || !(std::abs(pivots[k]) > smallest_good)) {
      note_singular(w, k, before.partition);
      return StepStatus::singular;
    }
    if (pivots[k] / start < 0) went_past = !went_past, turned = k;
  }
  if (went_past) {
    note_singular(w, turned, before.partition);
    return StepStatus::singular;
  }
  if (leaves_branch(before, state, w)) {
    note_singular(w, before.partition);
    return StepStatus::singular;
  }
  // Closures that counted as redundant must hold by themselves; they do not when the run began in a singular position.
  const VecX& phi = w.relative->equations.phi;
  for (int k = 0; k < phi.size(); ++k) {
    if (std::abs(phi[k]) <= kOpened * relative_.structure().constraint_scale[k]) continue;
    w.complaint = "the loop closed by '";
    w.complaint += relative_.structure().constraint_names[k];
    w.complaint += "' opens: it was singular at the start, so independent coordinates do not hold it";
    return StepStatus::singular;
  }
  w.end = state.t, w.end_z = w.z, w.end_v = w.v;
  State& full = w.full;
  full.t = state.t;
  full.q = w.z;
  full.v = w.v;
  full.acceleration = full.algorithmic = w.bias;
  w.R.spread(state.acceleration, full.acceleration);
  w.R.spread(state.algorithmic, full.algorithmic);
  full.memory = state.memory.head(z_at());
  const StepStatus status = relative_.accept(before, full, *w.relative);
  state.memory.head(z_at()) = full.memory;
  state.memory.segment(z_at(), n_) = full.q;
  state.memory.segment(v_at(), n_) = full.v;
  state.memory.segment(a_at(), n_) = full.acceleration;
  state.memory.segment(pivots_at(), rank_) = pivots;
  pick(state.partition, full.q, state.q);
  pick(state.partition, full.v, state.v);
  pick(state.partition, full.acceleration, state.acceleration);
  pick(state.partition, full.algorithmic, state.algorithmic);
  w.fresh = true;
  return status;
}

template <int D>
bool TopologicalFormulation<D>::prepare(State& state, bool failed, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  w.fresh = true;
  if (!failed) w.complaint.clear();
  if (rank_ == 0) return false;
  bool degraded = failed;
  for (int k = 0; k < rank_ && !degraded; ++k) {
    degraded = std::abs(state.memory[pivots_at() + k]) < kDegraded * std::abs(state.memory[chosen_pivots_at() + k]);
  }
  if (!degraded) return false;

  // The same motion in the full set, from which another split is taken.
  const StepStatus status = position(state.t, state.q, state, work);
  if (status != StepStatus::ok) return false;
  velocity(state.v, work);
  State& full = w.full;
  full.q = w.z;
  full.v = w.v;
  full.acceleration = full.algorithmic = w.bias;
  w.R.spread(state.acceleration, full.acceleration);
  w.R.spread(state.algorithmic, full.algorithmic);
  w.fresh = true;
  w.partition.choose(w.relative->equations.jacobian, full.partition);
  const bool changed = full.partition.tail(f_) != state.partition.tail(f_);
  if (failed && !changed) return false;
  state.partition = full.partition;
  w.partition.factorize(w.relative->equations.jacobian, state.partition);
  note_split(state, w);
  pick(state.partition, full.q, state.q);
  pick(state.partition, full.v, state.v);
  pick(state.partition, full.acceleration, state.acceleration);
  pick(state.partition, full.algorithmic, state.algorithmic);
  return changed;
}

template <int D>
void TopologicalFormulation<D>::leave(const State& state, State& full, Workspace&) const {
  full.t = state.t;
  full.q = state.memory.segment(z_at(), n_);
  full.v = state.memory.segment(v_at(), n_);
  full.memory = state.memory.head(full.memory.size());
  full.attached = state.attached;
  full.events = state.events;
}

template <int D>
void TopologicalFormulation<D>::enter(const State& full, State& state, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  state.t = full.t;
  state.attached = full.attached;
  state.events = full.events;
  state.memory.head(z_at()) = full.memory;
  state.memory.segment(z_at(), n_) = full.q;
  state.memory.segment(v_at(), n_) = full.v;
  state.memory.segment(a_at(), n_).setZero();
  relative_.position(full.t, full.q, full, *w.relative);
  split(*w.relative, state, w);
  pick(state.partition, full.q, state.q);
  pick(state.partition, full.v, state.v);
  w.fresh = true;
}

template <int D>
void TopologicalFormulation<D>::note_split(State& state, const Work& w) const {
  if (rank_ == 0) return;
  const VecX& pivots = w.partition.pivots();
  state.memory.segment(pivots_at(), rank_) = pivots;
  state.memory.segment(chosen_pivots_at(), rank_) = pivots;
  double& best = state.memory[best_at()];
  best = std::max(best, pivots.cwiseAbs().minCoeff() / pivots.cwiseAbs().maxCoeff());
}

/// Chooses the independent coordinates at the last position and notes the pivots.
template <int D>
void TopologicalFormulation<D>::split(const Workspace& relative, State& state, Work& w) const {
  w.complaint.clear();
  w.partition.begin(state.partition);
  w.partition.choose(relative.equations.jacobian, state.partition);
  w.partition.factorize(relative.equations.jacobian, state.partition);
  note_split(state, w);
}

template <int D>
std::string TopologicalFormulation<D>::complaint(const Workspace& work) const {
  return static_cast<const Work&>(work).complaint;
}

template <int D>
BodyKinematics<D>& TopologicalFormulation<D>::kinematics(Workspace& work) const {
  return relative_.kinematics(*static_cast<Work&>(work).relative);
}

template <int D>
void TopologicalFormulation<D>::accelerations(const VecX& acceleration, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  w.product = w.bias;
  w.R.spread(acceleration, w.product);
  relative_.accelerations(w.product, *w.relative);
}

template class TopologicalFormulation<2>;
template class TopologicalFormulation<3>;

}  // namespace cardan
