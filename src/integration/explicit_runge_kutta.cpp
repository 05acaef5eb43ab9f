#include "integration/explicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/all_finite.hpp"

namespace cardan {
namespace {

constexpr int kMostStages = 8;          // of explicit methods
constexpr int kSplits = 4;              // of one step, to keep its stages away from singular positions
constexpr double kPart = 0.382;         // of what is split
constexpr double kNearSingular = 0.2;   // singular value of the constraints, relative to the assembled position
constexpr double kDisagreement = 0.03;  // of two accelerations at the same time, relative to the largest

/// The first two stages of one time; twice the same where there are none.
std::pair<int, int> twin_stages(const ButcherTableau& tableau) {
  for (int i = 0; i < tableau.stages(); ++i) {
    for (int j = 0; j < i; ++j) {
      if (tableau.c[i] == tableau.c[j]) return {j, i};
    }
  }
  return {0, 0};
}

/// For steps that are to be taken carefully, whatever the method.
const ButcherTableau& careful_pair() { return ButcherTableau::of("dopri5"); }

}  // namespace

RungeKuttaSettings RungeKuttaSettings::for_options(const RunOptions& options, double length) {
  RungeKuttaSettings settings;
  settings.solver = options.solver;
  settings.error.absolute = options.tolerance.value_or(options.absolute_tolerance);
  settings.error.relative = options.tolerance.value_or(options.relative_tolerance);
  settings.tolerance = options.tolerance;
  settings.iteration_budget = options.iterations;
  settings.projections = options.projections;
  settings.step_min = options.step_min;
  settings.step_max = options.step_max.value_or(settings.step_max);
  settings.first_step = options.step;
  settings.length = length;
  return settings;
}

ExplicitRungeKutta::ExplicitRungeKutta(const Formulation& formulation, Workspace& work, const ButcherTableau& tableau,
                                       const RungeKuttaSettings& settings)
    : Integrator(formulation, work, settings.length),
      tableau_(tableau),
      twins_(twin_stages(tableau)),
      settings_(settings),
      equations_(formulation, work, settings.solver, settings.length) {
  const ButcherTableau& pair = chooses_steps() ? tableau_ : careful_pair();
  controller_.exponent = 1.0 / (pair.embedded_order + 1);
  controller_.safety = 0.5;
  controller_.beta = 0.04;
  controller_.grow = 5;
  controller_.h_min = settings.step_min;
  controller_.h_max = settings.step_max;
}

StepStatus ExplicitRungeKutta::start(State& state) {
  const int n = structure_.coordinates, m = structure_.constraints;
  state.acceleration = q_ = v_ = A_ = VecX::Zero(n);
  state.lambda = lambda_ = VecX::Zero(m);
  stage_v_ = stage_a_ = Eigen::MatrixXd::Zero(n, std::max(tableau_.stages(), careful_pair().stages()));
  const StepStatus status = start_accelerations(equations_.acceleration(), state);
  state.algorithmic = state.acceleration;
  equations_.start(analysis_, state);
  equations_.set_weight(settings_.kappa, state);
  if (chooses_steps()) {
    if (state.stepper.size() == 0) state.stepper.resize(2);
    state.stepper.head<2>() = Eigen::Vector2d(std::min(settings_.first_step, settings_.step_max), 1);
  }
  before_ = entry_ = state;
  return status;
}

StepStatus ExplicitRungeKutta::step(State& state, double h) {
  begin_step(state, before_, h);
  if (chooses_steps()) return controlled_step(state, h);
  return try_twice(state, before_, [&] { return constant_step(state, h); });
}

StepStatus ExplicitRungeKutta::constant_step(State& state, double h) {
  entry_kept_ = false;
  const StepStatus status = try_in_parts(state, h);
  if (status != StepStatus::ok && entry_kept_) before_ = entry_;
  return status;
}

/// Before before_ moves on.
void ExplicitRungeKutta::keep_entry() {
  if (!entry_kept_) entry_ = before_;
  entry_kept_ = true;
}

/// In one go, unless a stage falls on a singular position, where the reactions have a pole and the accelerations of
/// what is hardly constrained are anything: then in unequal parts, whose stages fall elsewhere. Where the branches that
/// cross there are curved, stages close to it are off them by more than the step can bear: such steps are taken
/// carefully.
StepStatus ExplicitRungeKutta::try_in_parts(State& state, double h) {
  const double t1 = state.t + h;
  double part = h;
  for (int splits = 0;;) {
    const StepStatus status = try_step(tableau_, state, part, splits >= kSplits);
    if (equations_.weakest() < kNearSingular && (status != StepStatus::ok || stages_disagree())) {
      keep_entry();
      state = before_ = entry_;
      return careful_step(state, h);
    }
    if (status == StepStatus::ok && (!equations_.weak() || splits >= kSplits)) {
      report_.stagnated |= equations_.weak();
      part = t1 - state.t;
      if (part <= 1e-9 * h) break;
    } else if (splits < kSplits && equations_.weak()) {
      keep_entry();
      state = before_;
      ++report_.rejected;
      if (splits > 0 || !equations_.choose_again(before_)) part *= kPart;
      state = before_;
      ++splits;
    } else {
      return status;
    }
    keep_entry();
    before_ = state;
  }
  state.t = t1;
  report_.taken = h;
  return StepStatus::ok;
}

/// Two stages of the same time, of which the second is to correct the first, are far apart. Methods without such stages
/// cannot tell.
bool ExplicitRungeKutta::stages_disagree() const {
  const auto [one, two] = twins_;
  if (one == two) return true;
  double difference = 0, largest = 0;
  for (int i = 0; i < structure_.coordinates; ++i) {
    difference = std::max(difference, std::abs(stage_a_(i, two) - stage_a_(i, one)) / structure_.scale[i]);
    largest = std::max(largest, std::abs(stage_a_(i, 0)) / structure_.scale[i]);
  }
  return !(difference <= kDisagreement * largest);
}

/// In parts that the error of another method chooses.
StepStatus ExplicitRungeKutta::careful_step(State& state, double h) {
  const ButcherTableau& pair = careful_pair();
  const double t1 = state.t + h;
  double part = 0.5 * h, error_before = 1;
  for (int rejected = 0; t1 - state.t > 1e-9 * h;) {
    part = std::min(part, t1 - state.t);
    const StepStatus status = try_step(pair, state, part, true);
    const double off = status == StepStatus::ok ? error(pair, part) : std::numeric_limits<double>::infinity();
    if (off <= 1) {
      before_ = state;
      part *= controller_.ratio(off, error_before);
      error_before = off;
      continue;
    }
    state = before_;
    ++report_.rejected;
    if (++rejected >= controller_.rejections_in_a_row)
      return status == StepStatus::ok ? StepStatus::not_converged : status;
    part *= controller_.ratio_after_rejection(off);
  }
  state.t = t1;
  report_.taken = h;
  return StepStatus::ok;
}

StepStatus ExplicitRungeKutta::controlled_step(State& state, double h_most) {
  return controller_.advance(
      state, before_, h_most, report_,
      [&](double h) {
        const StepStatus status = try_step(tableau_, state, h, true);
        report_.error = status == StepStatus::ok ? error(tableau_, h) : 0;
        return status;
      },
      [&](StepStatus status) {
        state = before_;
        if (status != StepStatus::ok) retreat(state, before_);
        if (equations_.weak() && equations_.choose_again(state)) before_ = state;
      });
}

/// (q, v) <- (q0, v0) + h sum_j weights_j (v_j, a_j) over the first `count` stages; weights are `apart` from each
/// other.
void ExplicitRungeKutta::combine(double h, const double* weights, Eigen::Index apart, int count) {
  const Eigen::Index n = structure_.coordinates;
  double weight[kMostStages];
  const double *velocity[kMostStages], *acceleration[kMostStages];
  int used = 0;
  for (int j = 0; j < count; ++j, weights += apart) {
    if (*weights == 0) continue;
    weight[used] = h * *weights;
    velocity[used] = stage_v_.data() + j * n;
    acceleration[used++] = stage_a_.data() + j * n;
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    double q = before_.q[i], v = before_.v[i];
    for (int j = 0; j < used; ++j) {
      q += weight[j] * velocity[j][i];
      v += weight[j] * acceleration[j][i];
    }
    q_[i] = q;
    v_[i] = v;
  }
}

StepStatus ExplicitRungeKutta::try_step(const ButcherTableau& tableau, State& state, double h, bool through) {
  const double t1 = before_.t + h;
  const bool last_is_next = tableau.first_same_as_last();
  const int stages = tableau.stages() - (last_is_next ? 1 : 0);
  report_.taken = taken_ = h;
  equations_.clear_weak();
  equations_.set_weight(settings_.kappa, before_);
  lambda_ = before_.lambda;
  A_ = before_.acceleration;
  stage_v_.col(0) = before_.v;
  stage_a_.col(0) = A_;
  for (int i = 1; i < stages; ++i) {
    combine(h, tableau.A.data() + i, tableau.A.rows(), i);
    const double t = before_.t + tableau.c[i] * h;
    const StepStatus status = through ? equations_.accelerate_through(t, h, q_, v_, before_, A_, lambda_, report_)
                                      : equations_.accelerate(t, q_, v_, before_, A_, lambda_, report_);
    if (status != StepStatus::ok) return status;
    stage_v_.col(i) = v_;
    stage_a_.col(i) = A_;
  }
  combine(h, tableau.b.data(), 1, stages);
  const StepStatus status = end_step(t1, state);
  if (status != StepStatus::ok) return status;
  if (last_is_next) {
    stage_v_.col(stages) = v_;
    stage_a_.col(stages) = A_;
  }
  measure_violation(v_, A_);
  if (!all_finite(v_) || !all_finite(A_)) return StepStatus::not_finite;
  return accept(before_, t1, {q_, v_, A_}, A_, lambda_, state);
}

/// On the constraints, with accelerations there.
StepStatus ExplicitRungeKutta::end_step(double t1, State& state) {
  for (bool again = settings_.projections;; again = false) {
    StepStatus status = StepStatus::ok;
    if (settings_.projections) status = equations_.project(t1, before_, q_, v_, report_);
    if (status == StepStatus::ok) {
      const bool placed = settings_.projections && structure_.constraints > 0;
      status = equations_.accelerate_through(t1, taken_, q_, v_, before_, A_, lambda_, report_, placed);
    }
    if (status != StepStatus::ok || !again || !equations_.choose_others(v_, A_, state)) return status;
    equations_.set_weight(settings_.kappa, state);
  }
}

/// The difference to the embedded method.
double ExplicitRungeKutta::error(const ButcherTableau& pair, double h) const {
  return largest_error(settings_.error, structure_.scale, {before_.q, before_.v}, {q_, v_}, [&](Eigen::Index i) {
    double dq = 0, dv = 0;
    for (int j = 0; j < pair.stages(); ++j) {
      const double weight = h * (pair.b[j] - pair.embedded[j]);
      dq += weight * stage_v_(i, j);
      dv += weight * stage_a_(i, j);
    }
    return std::pair(dq, dv);
  });
}

void ExplicitRungeKutta::interpolate(double t, State& state) const {
  interpolate_step(before_, taken_, {q_, v_, A_}, t, state);
}

}  // namespace cardan
