#include "integration/state_space/state_space_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {
namespace {
constexpr double kFixedStepTolerance = 1e-12;  // error unit of Newton's iteration where the step is constant
constexpr int kSingularTries = 6;              // shorter and shorter steps towards a singular position before giving up
constexpr int kTries = 100;         // of one step; where step control does not settle, as next to a singular position
constexpr double kWorseFit = 1.05;  // than when it was chosen: another split may be better
// An error d of v'' in a stage of sdirk4 is gamma h d in that stage's own velocity, on which Newton's iteration is
// judged, but b_j h d in the velocity at the end, with b_j up to 125/16.
constexpr double kSdirk4Share = (1.0 / 4) / (125.0 / 16);
constexpr double kRounding = 1e-15;
constexpr double kSmallestStep = 1e-15;  // relative to the end of the run: below is rounding
}  // namespace

bool StateSpaceSettings::has_rule(const std::string& integrator) {
  return integrator == "trapezoidal" || integrator == "sdirk4" || integrator == "abm2" || integrator == "rk4";
}

StateSpaceSettings StateSpaceSettings::for_options(const RunOptions& options, double length) {
  StateSpaceSettings s;
  s.rule = options.integrator;
  s.length = length;
  s.controlled = options.step_control ? *options.step_control == "error" : options.integrator == "sdirk4";
  if (s.controlled && (s.rule == "abm2" || s.rule == "rk4")) {
    throw std::invalid_argument("integrator '" + s.rule +
                                "' has no error estimate: step_control error works with trapezoidal and sdirk4");
  }
  s.control.absolute = s.controlled ? options.absolute_tolerance : kFixedStepTolerance;
  s.control.relative = s.controlled ? options.relative_tolerance : kFixedStepTolerance;
  if (s.controlled && s.rule == "sdirk4") {
    s.newton.accuracy *= std::max(kSdirk4Share, std::min(1.0, kRounding / (s.newton.accuracy * s.control.absolute)));
  }
  s.newton.keep_jacobian = options.jacobian == "kept";
  if (options.tolerance) {  // on the increment of positions itself
    s.newton.accuracy = s.controlled ? *options.tolerance / options.absolute_tolerance : 1;
    if (!s.controlled) s.control.absolute = *options.tolerance, s.control.relative = 0;
  }
  return s;
}

StateSpaceIntegrator::StateSpaceIntegrator(const Formulation& formulation, Workspace& work,
                                           const StateSpaceSettings& settings)
    : formulation_(formulation),
      work_(work),
      settings_(settings),
      motion_(formulation, work),
      rule_(make_state_space_rule(settings.rule, motion_, settings.newton)) {}

void StateSpaceIntegrator::size(State& state) {
  const int n = formulation_.structure().coordinates;
  f_ = motion_.independent_count();
  rule_->resize(f_);
  for (IndependentState* s : {&from_, &to_, &between_}) s->resize(f_);
  units_.position = units_.velocity = position_error_ = velocity_error_ = VecX::Zero(f_);
  full_error_ = full_units_ = VecX::Zero(n);
  memory_at_ = state.memory.size();
  state.memory.conservativeResize(memory_at_ + Memory::jacobian + ImplicitStage::memory_size(f_));
  sized_ = true;
}

StepStatus StateSpaceIntegrator::start(State& state) {
  const int n = formulation_.structure().coordinates;
  state.acceleration = state.algorithmic = VecX::Zero(n);
  state.lambda = VecX::Zero(formulation_.structure().constraints);
  StepStatus status = motion_.start(state);
  if (status != StepStatus::Ok) return status;
  if (!sized_) size(state);

  motion_.pick(state.q, from_.v);
  motion_.pick(state.v, from_.rate);
  from_.t = state.t;
  status = motion_.position(state.t, from_.v);
  if (status != StepStatus::Ok) return status;
  orientation_ = motion_.orientation();
  misfit_ = chosen_misfit_ = motion_.misfit();
  motion_.velocity(from_.rate);
  motion_.dynamics();
  if (!analysed_) analysis_ = analyse_constraints(formulation_.structure(), work_.equations);
  analysed_ = true;
  if (!motion_.solve_acceleration(from_.second)) {
    report_.singular_coordinate = f_ > 0 ? state.partition[2 * motion_.dependent_count()] : 0;
    return StepStatus::Singular;
  }
  motion_.residual(from_.second, position_error_);
  state.q = motion_.q();
  state.v = motion_.v();
  state.acceleration = state.algorithmic = motion_.a();
  state.lambda = motion_.lambda();
  next_step_ = settings_.controlled ? first_step() : 0;
  if (rule_->stage()) rule_->stage()->forget();
  write_memory(state);
  before_ = state;
  return state.acceleration.allFinite() ? StepStatus::Ok : StepStatus::NonFinite;
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
  if (motion_.position(from_.t + h0, to_.v) == StepStatus::Ok) {
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
  orientation_ = memory[Memory::orientation];
  misfit_ = memory[Memory::misfit];
  chosen_misfit_ = memory[Memory::chosen_misfit];
  if (rule_->stage()) rule_->stage()->recall(memory.tail(memory.size() - Memory::jacobian));
}

void StateSpaceIntegrator::write_memory(State& state) const {
  auto memory = state.memory.tail(state.memory.size() - memory_at_);
  memory[Memory::next_step] = next_step_;
  memory[Memory::orientation] = orientation_;
  memory[Memory::misfit] = misfit_;
  memory[Memory::chosen_misfit] = chosen_misfit_;
  if (rule_->stage()) rule_->stage()->store(memory.tail(memory.size() - Memory::jacobian));
}

void StateSpaceIntegrator::find_units(const VecX& v, const VecX& rate) {
  settings_.control.units(from_.v, v, 1, units_.position);
  settings_.control.units(from_.rate, rate, settings_.control.velocity_factor, units_.velocity);
}

/// The largest d_i / e_i of all coordinates, dependent ones included: Eq. 21 component by component, so that the
/// tolerance means what the user sees, however the split is.
double StateSpaceIntegrator::error_norm(double h, const State& state) {
  if (f_ == 0) return 0;
  rule_->error(from_, h, to_, position_error_, velocity_error_);
  settings_.control.units(before_.q, state.q, 1, full_units_);
  motion_.spread(position_error_, full_error_);
  double largest = full_error_.cwiseQuotient(full_units_).cwiseAbs().maxCoeff();
  settings_.control.units(before_.v, state.v, settings_.control.velocity_factor, full_units_);
  motion_.spread(velocity_error_, full_error_);
  return std::max(largest, full_error_.cwiseQuotient(full_units_).cwiseAbs().maxCoeff());
}

StepStatus StateSpaceIntegrator::step(State& state, double h) {
  report_ = StepReport{};
  const std::int64_t evaluations = motion_.evaluations(), differentiations = motion_.differentiations();
  if (rule_->stage()) rule_->stage()->reset_counts();
  motion_.clear_complaint();
  read_memory(state);
  StepStatus at_start = StepStatus::Ok;
  // The order of elimination may change even where the independent coordinates stay.
  const auto renew_split = [&] {
    const IndependentMotion::Split split = motion_.repartition(state);
    const bool changed = split == IndependentMotion::Split::changed;
    report_.repartitioned = report_.repartitioned || changed;
    if (changed && rule_->stage()) rule_->stage()->forget();
    motion_.begin(state);
    motion_.pick(state.q, from_.v);
    at_start = motion_.position(state.t, from_.v);
    orientation_ = motion_.orientation();
    chosen_misfit_ = motion_.misfit();
    return split != IndependentMotion::Split::same;
  };
  if (misfit_ > std::max(1.0, kWorseFit * chosen_misfit_)) renew_split();
  before_ = state;

  double h_try = h;
  if (settings_.controlled) {
    // A rest of less than two steps is divided, so that the last one is not a splinter.
    h_try = next_step_ >= h ? h : next_step_ > 0.5 * h ? 0.5 * h : next_step_;
  }
  if (at_start != StepStatus::Ok) return at_start;
  StepStatus status = StepStatus::Ok;
  int singular = 0;
  const double smallest = kSmallestStep * (std::abs(before_.t) + h);
  int tries = 0;
  for (bool renewed = false;;) {
    if (settings_.controlled && ((!(h_try >= smallest) && !(h_try >= h)) || ++tries > kTries)) {
      status = status == StepStatus::Ok ? StepStatus::Overrun : status;
      break;
    }
    status = try_step(before_, h_try, state);
    if (status == StepStatus::Ok && settings_.controlled) {
      report_.error = error_norm(h_try, state);
      const double change = settings_.control.change(report_.error, rule_->error_order());
      if (report_.error <= 1) {
        next_step_ = change * h_try;
        break;
      }
      ++report_.rejected;
      if (!std::isfinite(report_.error)) status = StepStatus::NonFinite;
      h_try *= std::isfinite(report_.error) ? std::min(change, 0.9) : 0.25;
    } else if (status == StepStatus::Ok) {
      break;
    } else if (!renewed && renew_split()) {
      renewed = true;
      before_ = state;
      if (at_start != StepStatus::Ok) return at_start;
      continue;
    } else if (settings_.controlled && !(status == StepStatus::Singular && ++singular > kSingularTries)) {
      ++report_.rejected;
      h_try *= 0.25;
    } else {
      break;
    }
  }
  report_.taken = h_try;
  report_.evaluations =
      static_cast<int>(motion_.evaluations() - evaluations + motion_.differentiations() - differentiations);
  report_.factorizations = static_cast<int>(motion_.differentiations() - differentiations);
  if (ImplicitStage* stage = rule_->stage()) {
    report_.iterations = stage->iterations();
    report_.increment = stage->increment();
    if (stage->worst() >= 0)
      report_.worst_coordinate = before_.partition[2 * motion_.dependent_count() + stage->worst()];
  }
  if (status != StepStatus::Ok) {
    state = before_;
    return status;
  }
  write_memory(state);
  return formulation_.accept(before_, state, work_);
}

/// One step of the rule, and the full set of coordinates at its end.
StepStatus StateSpaceIntegrator::try_step(const State& before, double h, State& state) {
  motion_.begin(before);
  motion_.pick(before.q, from_.v);
  motion_.pick(before.v, from_.rate);
  motion_.pick(before.acceleration, from_.second);
  from_.t = before.t;
  find_units(from_.v, from_.rate);
  StepStatus status = rule_->advance(from_, h, units_, to_);
  if (status != StepStatus::Ok) return status;
  status = motion_.position(to_.t, to_.v);
  if (status != StepStatus::Ok) return status;
  if (motion_.orientation() != orientation_) {
    motion_.note_singular();
    return StepStatus::Singular;
  }
  motion_.velocity(to_.rate);
  formulation_.gamma(work_);
  motion_.acceleration(to_.second);
  if (!motion_.v().allFinite() || !motion_.a().allFinite()) return StepStatus::NonFinite;
  misfit_ = motion_.misfit();
  measure_violation(formulation_.structure(), work_.equations, motion_.v(), motion_.a(), settings_.length);
  state.t = to_.t;
  state.q = motion_.q();
  state.v = motion_.v();
  state.acceleration = state.algorithmic = motion_.a();
  state.lambda = motion_.lambda();
  return StepStatus::Ok;
}

/// The polynomial of degree five through v, v' and v'' at both ends; accelerations from the equations of motion.
void StateSpaceIntegrator::interpolate(double t, State& state) const {
  const double h = to_.t - from_.t, s = (t - from_.t) / h;
  const double s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
  const double p1 = 10 * s3 - 15 * s4 + 6 * s5, v0 = s - 6 * s3 + 8 * s4 - 3 * s5, v1 = -4 * s3 + 7 * s4 - 3 * s5;
  const double a0 = 0.5 * s2 - 1.5 * s3 + 1.5 * s4 - 0.5 * s5, a1 = 0.5 * s3 - s4 + 0.5 * s5;
  const double dp1 = 30 * s2 - 60 * s3 + 30 * s4, dv0 = 1 - 18 * s2 + 32 * s3 - 15 * s4,
               dv1 = -12 * s2 + 28 * s3 - 15 * s4;
  const double da0 = s - 4.5 * s2 + 6 * s3 - 2.5 * s4, da1 = 1.5 * s2 - 4 * s3 + 2.5 * s4;
  between_.v = from_.v + p1 * (to_.v - from_.v) + h * (v0 * from_.rate + v1 * to_.rate) +
               h * h * (a0 * from_.second + a1 * to_.second);
  between_.rate =
      dp1 / h * (to_.v - from_.v) + dv0 * from_.rate + dv1 * to_.rate + h * (da0 * from_.second + da1 * to_.second);
  motion_.begin(before_);
  if (motion_.position(t, between_.v) != StepStatus::Ok) return;
  motion_.velocity(between_.rate);
  motion_.dynamics();
  if (!motion_.solve_acceleration(between_.second)) return;
  motion_.acceleration(between_.second);
  state.t = t;
  state.q = motion_.q();
  state.v = motion_.v();
  state.acceleration = state.algorithmic = motion_.a();
}

}  // namespace cardan
