#include "simulation/conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {
namespace {

constexpr int kMostTries = 80;        // to find an instant
constexpr int kMostParts = 100;       // of a step of a method that chooses them
constexpr double kNear = 0.1;         // of the height of the cubic: so near to 0 it is looked at
constexpr double kInstant = 1e-12;    // s: how exactly an instant is found
constexpr double kDifference = 1e-6;  // of the step: over which slopes are taken

double finest(double t, double h) {
  return std::min(kInstant, 1e-6 * h) + 4 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

void add_costs(const StepReport& part, StepReport& whole) {
  whole.iterations += part.iterations;
  whole.factorizations += part.factorizations;
  whole.evaluations += part.evaluations;
  whole.rejected += part.rejected;
}

}  // namespace

Eigen::VectorXi conditions_at_start(const Mechanism& mechanism) {
  const auto count = std::count_if(mechanism.events.begin(), mechanism.events.end(),
                                   [](const Event& event) { return event.is_conditional(); });
  const bool ends = std::any_of(mechanism.events.begin(), mechanism.events.end(),
                                [](const Event& event) { return event.action == Event::Action::end; });
  return Eigen::VectorXi::Zero(count == 0 && !ends ? 0 : count + 1);
}

Conditions::Conditions(const Mechanism& mechanism) {
  for (const Event& event : mechanism.events) {
    if (!event.is_conditional()) continue;
    watched_.push_back({event.guard, event.hysteresis});
    late_ = late_ || mechanism.signals[static_cast<std::size_t>(event.guard)].level == SignalLevel::sampled;
  }
  start_ = start_slope_ = end_ = end_slope_ = low_ = trial_ = VecX::Zero(std::ssize(watched_));
}

void Conditions::read(Phase& phase, const State& state, VecX& guards) const {
  const VecX& signals = phase.compiled.observer->signals(state, *phase.work, late_);
  for (std::size_t i = 0; i < watched_.size(); ++i) guards[static_cast<Eigen::Index>(i)] = signals[watched_[i].guard];
}

/// Guards and their slopes, g' by a difference along v and A. The workspace holds the state afterwards.
void Conditions::read_with_slopes(Phase& phase, const State& state, VecX& guards, VecX& slopes) const {
  if (late_) return read(phase, state, guards);
  const double h = kDifference * std::max(phase.step_before, 1e-9);
  State& ahead = phase.passing->trial;
  ahead = state;
  ahead.t += h;
  ahead.q += h * state.v + (0.5 * h * h) * state.acceleration;
  ahead.v += h * state.acceleration;
  read(phase, ahead, slopes);
  read(phase, state, guards);
  slopes = (slopes - guards) / h;
}

bool Conditions::may_count(const State& state) const {
  return (state.conditions.head(std::ssize(watched_)).array() != spent).any();
}

/// Whether nothing has changed since the end of the step before, where guards and slopes are known.
bool Conditions::is_known(const Phase& phase) const {
  const State &now = phase.state, &then = phase.passing->seen;
  return known_ && now.t == then.t && now.phase == then.phase && now.q == then.q && now.v == then.v &&
         now.acceleration == then.acceleration && now.lambda == then.lambda && now.inputs == then.inputs &&
         now.memory == then.memory && now.attached == then.attached && phase.step_before == known_step_;
}

/// Which conditions will count from here on. What has happened at an instant is not judged there again.
void Conditions::settle(State& state, const VecX& guards) const {
  for (Eigen::Index i = 0; i < guards.size(); ++i) {
    int& code = state.conditions[i];
    if (code == happened) code = waiting;
    if (code == waiting && guards[i] < -watched_[static_cast<std::size_t>(i)].hysteresis) code = armed;
  }
}

bool Conditions::crosses(const State& state, const VecX& guards) const {
  for (Eigen::Index i = 0; i < guards.size(); ++i)
    if (state.conditions[i] == armed && guards[i] >= 0) return true;
  return false;
}

bool Conditions::see_start(Phase& phase) {
  State& state = phase.state;
  if (!may_count(state)) return false;
  if (is_known(phase)) {
    start_ = end_;
    start_slope_ = end_slope_;
  } else {
    read_with_slopes(phase, state, start_, start_slope_);
  }
  bool any = false;
  for (Eigen::Index i = 0; i < start_.size(); ++i) {
    int& code = state.conditions[i];
    if (code == waiting && start_[i] < -watched_[static_cast<std::size_t>(i)].hysteresis) code = armed;
    if (code == armed && start_[i] >= 0) code = due;
    any = any || code == due;
  }
  return any;
}

/// From the start of the step to the time t, in one step unless the method takes shorter ones.
StepStatus Conditions::step_to(Phase& phase, double t, StepReport& report) const {
  State& state = phase.state;
  state = phase.passing->before;
  for (int part = 0; part < kMostParts && t - state.t > finest(t, t - state.t); ++part) {
    const StepStatus status = phase.integrator->step(state, t - state.t);
    add_costs(phase.integrator->report(), report);
    if (status != StepStatus::ok) return status;
  }
  return StepStatus::ok;
}

/// Where within a step of h seconds a guard that is below 0 at both ends may be above: where the cubic through values
/// and slopes is highest. NaN when none comes near.
double Conditions::instant_inside(const State& before, double h) const {
  double best = std::numeric_limits<double>::quiet_NaN(), highest = -kNear;
  if (late_) return best;
  for (Eigen::Index i = 0; i < start_.size(); ++i) {
    if (before.conditions[i] != armed) continue;
    const double a = start_[i], b = end_[i], da = h * start_slope_[i], db = h * end_slope_[i];
    if (!(a < 0 && b < 0 && da > 0 && db < 0)) continue;
    // p = a + da x + (3 (b - a) - 2 da - db) x^2 + (2 (a - b) + da + db) x^3,   p' = 0
    const double c2 = 3 * (b - a) - 2 * da - db, c3 = 2 * (a - b) + da + db;
    const double root = std::sqrt(std::max(0.0, c2 * c2 - 3 * c3 * da));
    const double x = da / (root - c2);  // of the two the one where p'' = -2 root is below 0
    if (!(x > 0 && x < 1)) continue;
    const double top = a + x * (da + x * (c2 + x * c3)), height = top - std::min(a, b);
    if (height > 0 && top / height > highest) highest = top / height, best = before.t + x * h;
  }
  return best;
}

StepStatus Conditions::step(Phase& phase, double h, StepReport& report) {
  State& state = phase.state;
  Passing& passing = *phase.passing;
  known_ = false;
  const bool counts = may_count(state);
  if (counts) passing.before = state;
  StepStatus status = phase.integrator->step(state, h);
  report = phase.integrator->report();
  if (status != StepStatus::ok) return status;
  phase.step_before = report.taken;
  if (!counts) return status;
  read_with_slopes(phase, state, end_, end_slope_);
  double to = state.t;
  bool found = crosses(state, end_);
  if (!found) {
    const double inside = instant_inside(passing.before, to - passing.before.t);
    if (std::isfinite(inside)) {
      passing.found = state;
      if (step_to(phase, inside, report) == StepStatus::ok) {
        read(phase, state, trial_);
        found = crosses(state, trial_);
      }
      if (found) {
        to = state.t;
        end_ = trial_;
      } else {
        state = passing.found;
        read(phase, state, end_);
      }
    }
  }
  if (found) {
    status = locate(phase, to, report);
  } else {
    passing.seen = state;
    known_step_ = phase.step_before;
    known_ = true;
  }
  settle(state, end_);
  return status;
}

/// Regula falsi (Illinois) between the start of the step and `to`, where the state stands: the earliest of all passages
/// lies between them.
StepStatus Conditions::locate(Phase& phase, double to, StepReport& report) {
  State& state = phase.state;
  Passing& passing = *phase.passing;
  double from = passing.before.t, weight_low = 1, weight_high = 1;
  const double tolerance = finest(to, to - from);
  low_ = start_;
  passing.found = state;
  int side = 0;
  for (int tries = 0; tries < kMostTries && to - from > tolerance; ++tries) {
    double instant = to;
    for (Eigen::Index i = 0; i < end_.size(); ++i) {
      if (passing.before.conditions[i] != armed || end_[i] < 0) continue;
      const double low = weight_low * low_[i], high = weight_high * end_[i];
      instant = std::min(instant, low < 0 ? from + (to - from) * low / (low - high) : from);
    }
    const double margin = std::min(0.5 * tolerance, 0.25 * (to - from));
    instant = std::clamp(instant, from + margin, to - margin);
    if (step_to(phase, instant, report) != StepStatus::ok) break;
    read(phase, state, trial_);
    if (crosses(passing.before, trial_)) {
      to = state.t;
      end_ = trial_;
      passing.found = state;
      weight_low = side > 0 ? 0.5 * weight_low : 1;
      weight_high = 1;
      side = 1;
    } else {
      from = state.t;
      low_ = trial_;
      weight_high = side < 0 ? 0.5 * weight_high : 1;
      weight_low = 1;
      side = -1;
    }
  }
  state = passing.found;
  read(phase, state, end_);
  report.taken = state.t - passing.before.t;
  for (Eigen::Index i = 0; i < end_.size(); ++i)
    if (state.conditions[i] == armed && end_[i] >= 0) state.conditions[i] = due;
  return StepStatus::ok;
}

}  // namespace cardan
