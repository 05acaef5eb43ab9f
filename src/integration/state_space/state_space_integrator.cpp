#include "integration/state_space/state_space_integrator.hpp"

#include <algorithm>
#include <cmath>

#include "integration/hermite.hpp"

namespace cardan {
namespace {
// The longest step that the error unit of Newton's iteration is meant for where the step is constant: in shorter ones,
// of which there are more, it shrinks with them, so that their errors add up to no more.
constexpr double kLongStep = 0.01;  // s
constexpr double kSafety = 0.85;    // of the next step
constexpr int kSingularTries = 6;   // shorter and shorter steps towards a singular position before giving up
constexpr int kTries = 100;         // of one step; where step control does not settle, as next to a singular position
constexpr double kWorseFit = 1.05;  // than when it was chosen: another split may be better
constexpr double kRoundingOfPositions = 1e-13;  // of scales: loops are closed to some 1e-14
constexpr double kSmallestStep = 1e-15;         // relative to the end of the run: below is rounding

/// Not a number is the largest.
double larger(double a, double b) { return a >= b ? a : b; }

NewtonSettings newton_of(const StateSpaceSettings& settings, const Structure& structure) {
  NewtonSettings newton = settings.newton;
  newton.kinks = structure.states > 0 || structure.kinks;
  return newton;
}

}  // namespace

StateSpaceIntegrator::StateSpaceIntegrator(const Formulation& formulation, Workspace& work,
                                           const StateSpaceSettings& settings)
    : Integrator(formulation, work, settings.length),
      settings_(settings),
      motion_(formulation, work, settings.solver),
      rule_(make_state_space_rule(settings.rule, settings.structural, motion_,
                                  newton_of(settings, formulation.structure()))) {
  if (!settings.controlled) return;
  controller_.exponent = 1.0 / rule_->error_order();
  controller_.safety = std::pow(kSafety, rule_->error_order());
  controller_.grow = 5;
  controller_.shrink = 0.25;
}

void StateSpaceIntegrator::size(State& state) {
  const int n = structure_.coordinates;
  f_ = motion_.independent_count();
  rule_->resize(f_);
  for (IndependentState* s : {&from_, &to_, &between_}) s->resize(f_);
  units_.position = units_.velocity = units_.rounding = position_error_ = velocity_error_ = VecX::Zero(f_);
  size_ = settings_.by_size ? structure_.scale : VecX::Ones(n);
  // A dependent coordinate is off by as many of its scales as the independent ones are of theirs: H in scales has
  // entries of about 1 (IndependentMotion::misfit). So the least that any may be off by, in scales, counts for all of
  // them.
  newton_size_ = structure_.scale;
  if (n > 0) newton_size_ *= size_.cwiseQuotient(structure_.scale).minCoeff();
  most_ = settings_.controlled ? structure_.scale : VecX::Constant(n, 1e300);
  independent_size_ = independent_most_ = VecX::Ones(f_);
  full_error_ = q_ = v_ = a_ = VecX::Zero(n);
  memory_at_ = state.memory.size();
  pivots_ = reached_pivots_ = VecX::Zero(n - f_);
  const int kept = motion_.memory_size() + (rule_->stages() ? rule_->stages()->memory_size() : 0);
  const Eigen::Index own = Memory::pivots + pivots_.size() + kept;
  state.memory.conservativeResize(memory_at_ + own);
  state.memory.tail(own).setZero();
  sized_ = true;
}

StepStatus StateSpaceIntegrator::start(State& state) {
  const int n = structure_.coordinates;
  state.acceleration = state.algorithmic = VecX::Zero(n);
  state.lambda = VecX::Zero(structure_.constraints);
  StepStatus status = motion_.start(state);
  if (status != StepStatus::ok) return status;
  if (!sized_) size(state);

  motion_.pick(state.q, from_.v);
  motion_.pick(state.v, from_.rate);
  from_.t = state.t;
  status = motion_.position(state.t, from_.v);
  if (status != StepStatus::ok) return status;
  reached_pivots_ = motion_.pivots();
  misfit_ = chosen_misfit_ = motion_.misfit();
  motion_.velocity(from_.rate);
  motion_.dynamics();
  if (!analysed_) analysis_ = analyse_constraints(structure_, work_.equations);
  analysed_ = true;
  if (!motion_.solve_acceleration(from_.second)) {
    report_.singular_coordinate = f_ > 0 ? state.partition[2 * motion_.dependent_count()] : 0;
    return StepStatus::singular;
  }
  motion_.residual(from_.second, position_error_);
  state.q = motion_.q();
  state.v = motion_.v();
  state.acceleration = state.algorithmic = motion_.a();
  state.lambda = motion_.lambda();
  next_step_ = settings_.controlled ? first_step() : 0;
  if (rule_->stages()) rule_->stages()->forget();
  write_memory(state);
  before_ = state;
  return state.acceleration.allFinite() ? StepStatus::ok : StepStatus::not_finite;
}

/// Hairer, Norsett and Wanner I, II.4: from the size of the slopes and of their change over a small explicit step.
double StateSpaceIntegrator::first_step() {
  const auto norm = [&](const VecX& position, const VecX& velocity) {
    const double sum =
        position.cwiseQuotient(units_.position).squaredNorm() + velocity.cwiseQuotient(units_.velocity).squaredNorm();
    return f_ > 0 ? std::sqrt(sum / (2 * f_)) : 0;
  };
  find_units(from_.v, from_.rate);
  const double d0 = norm(from_.v, from_.rate), d1 = norm(from_.rate, from_.second);
  const double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  to_.v = from_.v + h0 * from_.rate;
  to_.rate = from_.rate + h0 * from_.second;
  double d2 = d1;
  if (motion_.position(from_.t + h0, to_.v) == StepStatus::ok) {
    motion_.velocity(to_.rate);
    motion_.dynamics();
    if (motion_.solve_acceleration(to_.second)) {
      position_error_ = to_.rate - from_.rate;
      velocity_error_ = to_.second - from_.second;
      d2 = norm(position_error_, velocity_error_) / h0;
    }
  }
  const double largest = std::max(d1, d2);
  const int p = rule_->error_order();
  double h1 = largest <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / largest, 1.0 / p);
  // d2/d1 is the rate of the fastest motion; the derivative of order p, which makes the error, grows with its powers.
  if (d1 > 1e-5 && d2 > d1) h1 = std::min(h1, std::pow(1 / (d2 * std::pow(d2 / d1, p - 2)), 1.0 / p));
  return std::min(100 * h0, h1);
}

void StateSpaceIntegrator::read_memory(const State& state) {
  const auto memory = state.memory.tail(state.memory.size() - memory_at_);
  next_step_ = memory[Memory::next_step];
  misfit_ = memory[Memory::misfit];
  chosen_misfit_ = memory[Memory::chosen_misfit];
  pivots_ = memory.segment(Memory::pivots, pivots_.size());
  motion_.begin(state);
  motion_.recall(memory.data() + Memory::pivots + pivots_.size());
  if (rule_->stages()) rule_->stages()->recall(memory.tail(rule_->stages()->memory_size()));
}

void StateSpaceIntegrator::write_memory(State& state) const {
  auto memory = state.memory.tail(state.memory.size() - memory_at_);
  memory[Memory::next_step] = next_step_;
  memory[Memory::misfit] = misfit_;
  memory[Memory::chosen_misfit] = chosen_misfit_;
  memory.segment(Memory::pivots, pivots_.size()) = reached_pivots_;
  motion_.store(memory.data() + Memory::pivots + pivots_.size());
  if (rule_->stages()) rule_->stages()->store(memory.tail(rule_->stages()->memory_size()));
}

void StateSpaceIntegrator::find_units(const VecX& v, const VecX& rate) {
  motion_.pick(newton_size_, independent_size_);
  motion_.pick(most_, independent_most_);
  for (int i = 0; i < f_; ++i) {
    units_.position[i] = settings_.error.of_position(from_.v[i], v[i], independent_size_[i], independent_most_[i]);
    units_.velocity[i] = settings_.error.of_velocity(from_.rate[i], rate[i], independent_size_[i]);
  }
  motion_.pick(structure_.scale, units_.rounding);
  units_.rounding = kRoundingOfPositions * (units_.rounding + v.cwiseAbs());
}

/// The largest d_i / e_i of all coordinates, dependent ones included: Eq. 21 of [N] (docs/theory/notation.md) component
/// by component, so that the tolerance means what the user sees, however the split is.
double StateSpaceIntegrator::error_norm(double h, const State& state) {
  if (f_ == 0) return 0;
  rule_->error(from_, h, to_, position_error_, velocity_error_);
  double largest = 0;
  motion_.spread(position_error_, full_error_);
  for (Eigen::Index i = 0; i < full_error_.size(); ++i) {
    const double allowed = settings_.error.of_position(before_.q[i], state.q[i], size_[i], most_[i]);
    largest = larger(largest, std::abs(full_error_[i]) / allowed);
  }
  motion_.spread(velocity_error_, full_error_);
  for (Eigen::Index i = 0; i < full_error_.size(); ++i) {
    const double allowed = settings_.error.of_velocity(before_.v[i], state.v[i], size_[i]);
    largest = larger(largest, std::abs(full_error_[i]) / allowed);
  }
  return largest;
}

StepStatus StateSpaceIntegrator::step(State& state, double h) {
  report_ = StepReport{};
  const std::int64_t evaluations = motion_.evaluations(), differentiations = motion_.differentiations();
  ImplicitStages* stages = rule_->stages();
  if (stages) stages->reset_counts();
  motion_.clear_complaint();
  read_memory(state);
  StepStatus status = StepStatus::ok;
  if (misfit_ > std::max(1.0, kWorseFit * chosen_misfit_)) renew_split(state, status);
  before_ = state;
  if (status == StepStatus::ok) status = settings_.controlled ? controlled_step(state, h) : constant_step(state, h);
  report_.evaluations =
      static_cast<int>(motion_.evaluations() - evaluations + motion_.differentiations() - differentiations);
  report_.factorizations = static_cast<int>(motion_.differentiations() - differentiations);
  if (stages) {
    report_.iterations = stages->iterations();
    report_.increment = stages->increment();
    if (stages->worst() >= 0)
      report_.worst_coordinate = before_.partition[2 * motion_.dependent_count() + stages->worst()];
  }
  if (status != StepStatus::ok) {
    state = before_;
    if (status == StepStatus::not_converged && is_near_singularity()) motion_.note_singular();
    return status;
  }
  write_memory(state);
  return formulation_.accept(before_, state, work_);
}

/// True when the split is another, if only in the order of elimination; `status`: whether the state is one of it.
bool StateSpaceIntegrator::renew_split(State& state, StepStatus& status) {
  const IndependentMotion::Split split = motion_.repartition(state);
  const bool changed = split == IndependentMotion::Split::changed;
  report_.repartitioned = report_.repartitioned || changed;
  if (changed && rule_->stages()) rule_->stages()->forget();
  motion_.begin(state);
  motion_.pick(state.q, from_.v);
  status = motion_.position(state.t, from_.v);
  pivots_ = motion_.pivots();
  chosen_misfit_ = motion_.misfit();
  before_ = state;
  return split != IndependentMotion::Split::same;
}

StepStatus StateSpaceIntegrator::constant_step(State& state, double h) {
  report_.taken = h;
  const StepStatus status = try_step(before_, h, state);
  StepStatus at_start = StepStatus::ok;
  if (status == StepStatus::ok || !renew_split(state, at_start)) return status;
  return at_start == StepStatus::ok ? try_step(before_, h, state) : at_start;
}

StepStatus StateSpaceIntegrator::controlled_step(State& state, double h) {
  // A rest of less than two steps is divided, so that the last one is not a splinter.
  h = std::min(h, settings_.step_max);
  double h_try = next_step_ >= h ? h : next_step_ > 0.5 * h ? 0.5 * h : next_step_;
  StepStatus status = StepStatus::ok, at_start = StepStatus::ok;
  int singular = 0, tries = 0;
  for (bool renewed = false; !gives_up(h_try, h, ++tries, status);) {
    report_.taken = h_try;
    status = try_step(before_, h_try, state);
    if (status == StepStatus::ok) {
      report_.error = error_norm(h_try, state);
      if (report_.error <= 1) {
        next_step_ = controller_.ratio(report_.error) * h_try;
        break;
      }
      ++report_.rejected;
      state = before_;
      if (!std::isfinite(report_.error)) status = StepStatus::not_finite;
      h_try *= controller_.ratio_after_rejection(report_.error);
    } else if (!renewed && renew_split(state, at_start)) {
      renewed = true;
      if (at_start != StepStatus::ok) return at_start;
    } else if (status != StepStatus::singular || ++singular <= kSingularTries) {
      ++report_.rejected;
      h_try *= controller_.shrink;
    } else {
      break;
    }
  }
  return status;
}

/// A pivot that changes sign, or would within another such step, means that the split or the mechanism becomes singular
/// on the way. Past a singular position there are two ways to go on, and Newton's iteration may find either.
bool StateSpaceIntegrator::comes_to_singularity() const {
  const VecX& now = motion_.pivots();
  for (Eigen::Index k = 0; k < now.size(); ++k) {
    if (!((2 * now[k] - pivots_[k]) * pivots_[k] > 0)) return true;
  }
  return false;
}

/// Where an iteration that fails does so because dependent coordinates move much faster than independent ones.
bool StateSpaceIntegrator::is_near_singularity() const {
  constexpr double kNear = 0.1;
  return pivots_.size() > 0 && pivots_.cwiseAbs().minCoeff() < kNear * pivots_.cwiseAbs().maxCoeff();
}

/// A pivot that has more than doubled was next to a singular position, where another way to go on is found by
/// velocities that jump: they neither stay nor follow the accelerations.
bool StateSpaceIntegrator::leaves_its_branch(double h) const {
  const VecX& now = motion_.pivots();
  bool suspicious = false;
  for (Eigen::Index k = 0; k < now.size(); ++k) suspicious |= std::abs(now[k]) > 2 * std::abs(pivots_[k]);
  if (!suspicious) return false;
  constexpr double kJump = 0.25;  // of the largest velocity
  const VecX &v0 = before_.v, &v1 = motion_.v(), &a0 = before_.acceleration, &a1 = motion_.a();
  const VecX& scale = structure_.scale;
  const double most =
      std::max(v0.cwiseQuotient(scale).cwiseAbs().maxCoeff(), v1.cwiseQuotient(scale).cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < v0.size(); ++i) {
    const double change = v1[i] - v0[i], jump = change - 0.5 * h * (a0[i] + a1[i]);
    if (std::min(std::abs(change), std::abs(jump)) > kJump * most * scale[i]) return true;
  }
  return false;
}

/// Whether step control does not settle, and why; `h` is what is to be tried next.
bool StateSpaceIntegrator::gives_up(double& h, double h_most, int tries, StepStatus& status) {
  const double rounding = kSmallestStep * (std::abs(before_.t) + h_most);
  const bool below_rounding = !(h >= rounding) && !(h >= h_most);
  const bool shortest_tried = tries > 1 && settings_.step_min > 0 && report_.taken <= settings_.step_min;
  if (shortest_tried) report_.refusal = "the shortest step allowed was reached";
  if (!shortest_tried && !below_rounding && tries > kTries) report_.refusal = "too many tries in a row were rejected";
  if (report_.refusal || below_rounding) {
    if (status == StepStatus::ok) status = report_.refusal ? StepStatus::not_converged : StepStatus::below_rounding;
    return true;
  }
  h = std::min(std::max(h, settings_.step_min), h_most);
  return false;
}

/// One step of the rule, and the full set of coordinates at its end.
StepStatus StateSpaceIntegrator::try_step(const State& before, double h, State& state) {
  motion_.begin(before);
  motion_.pick(before.q, from_.v);
  motion_.pick(before.v, from_.rate);
  motion_.pick(before.acceleration, from_.second);
  from_.t = before.t;
  if (rule_->has_lead()) {
    full_error_ = before.algorithmic - before.acceleration;
    motion_.pick(full_error_, from_.lead);
  }
  find_units(from_.v, from_.rate);
  if (settings_.adds_up && h < kLongStep) {
    units_.position *= h / kLongStep;
    units_.velocity *= h / kLongStep;
  }
  StepStatus status = rule_->advance(from_, h, units_, to_);
  if (status != StepStatus::ok) return status;
  status = motion_.position(to_.t, to_.v);
  if (status != StepStatus::ok) return status;
  if (comes_to_singularity()) {
    motion_.note_singular();
    return StepStatus::singular;
  }
  if (motion_.has_velocity_constraints()) {
    if (!motion_.project(to_.rate, to_.second)) return StepStatus::singular;
  } else {
    motion_.velocity(to_.rate);
    formulation_.gamma(work_);
    motion_.acceleration(to_.second);
  }
  if (!motion_.v().allFinite() || !motion_.a().allFinite()) return StepStatus::not_finite;
  if (leaves_its_branch(h)) {
    motion_.note_singular();
    return StepStatus::singular;
  }
  misfit_ = motion_.misfit();
  reached_pivots_ = motion_.pivots();
  measure_violation(motion_.v(), motion_.a());
  if (motion_.note_opened()) return StepStatus::singular;
  state.t = to_.t;
  state.q = q_ = motion_.q();
  state.v = v_ = motion_.v();
  state.acceleration = state.algorithmic = a_ = motion_.a();
  if (rule_->has_lead()) {
    motion_.spread(to_.lead, full_error_);
    state.algorithmic += full_error_;
  }
  state.lambda = motion_.lambda();
  return StepStatus::ok;
}

/// The polynomial of degree five through q, q' and q'' at both ends; where its independent part can be completed, and
/// that is everywhere but at singular positions, dependent coordinates come from the constraints and accelerations from
/// the equations of motion.
void StateSpaceIntegrator::interpolate(double t, State& state) const {
  const double h = to_.t - from_.t;
  state.t = t;
  quintic_hermite((t - from_.t) / h, h, {before_.q, before_.v, before_.acceleration}, {q_, v_, a_}, state.q, state.v,
                  state.acceleration);
  state.algorithmic = state.acceleration;
  motion_.begin(before_);
  motion_.guess(t, state.q);
  motion_.pick(state.q, between_.v);
  motion_.pick(state.v, between_.rate);
  if (motion_.position(t, between_.v) != StepStatus::ok) return;
  motion_.velocity(between_.rate);
  motion_.dynamics();
  if (!motion_.solve_acceleration(between_.second)) return;
  motion_.acceleration(between_.second);
  state.q = motion_.q();
  state.v = motion_.v();
  state.acceleration = state.algorithmic = motion_.a();
}

}  // namespace cardan
