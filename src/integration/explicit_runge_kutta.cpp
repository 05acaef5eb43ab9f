#include "integration/explicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/hermite.hpp"

namespace cardan {
namespace {

constexpr int kSplits = 4;              // of one step, to keep its stages away from singular positions
constexpr double kPart = 0.382;         // of what is split
constexpr double kNearSingular = 0.2;   // singular value of the constraints, relative to the assembled position
constexpr double kDisagreement = 0.03;  // of two accelerations at the same time, relative to the largest

/// y <- y0 + h sum_j weights_j stages_j over the first `count` stages.
template <class Weights>
void combine(const VecX& y0, double h, const Weights& weights, int count, const Eigen::MatrixXd& stages, VecX& y) {
  y = y0;
  for (int j = 0; j < count; ++j) {
    if (weights[j] != 0) y += (h * weights[j]) * stages.col(j);
  }
}

}  // namespace

RungeKuttaSettings RungeKuttaSettings::for_options(const RunOptions& options, double length) {
  RungeKuttaSettings settings;
  settings.solver = options.solver;
  settings.absolute = options.tolerance.value_or(options.absolute_tolerance);
  settings.relative = options.tolerance.value_or(options.relative_tolerance);
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
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      tableau_(tableau),
      settings_(settings),
      equations_(formulation, work, settings.solver, settings.length) {
  controller_.exponent = 1.0 / (ButcherTableau::dopri5().embedded_order + 1);
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
  stage_v_ = stage_a_ = Eigen::MatrixXd::Zero(n, std::max(tableau_.stages(), ButcherTableau::dopri5().stages()));
  const StepStatus status = start_accelerations(equations_.acceleration(), structure_, work_, state);
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
  report_ = StepReport{};
  report_.repartitioned = formulation_.prepare(state, false, work_);
  before_ = state;
  if (chooses_steps()) return controlled_step(state, h);
  entry_ = state;
  StepStatus status = constant_step(state, h);
  if (status == StepStatus::Ok) return status;
  state = entry_;
  if (!formulation_.prepare(state, true, work_)) return status;
  report_.repartitioned = true;
  entry_ = before_ = state;
  status = constant_step(state, h);
  if (status != StepStatus::Ok) state = entry_;
  return status;
}

/// In one go, unless a stage falls on a singular position, where the reactions have a pole and the accelerations of
/// what is hardly constrained are anything: then in unequal parts, whose stages fall elsewhere. Where the branches that
/// cross there are curved, stages close to it are off them by more than the step can bear: such steps are taken
/// carefully.
StepStatus ExplicitRungeKutta::constant_step(State& state, double h) {
  const double t1 = state.t + h;
  double part = h;
  for (int splits = 0;;) {
    const StepStatus status = try_step(tableau_, state, part, splits >= kSplits);
    if (equations_.weakest() < kNearSingular && (status != StepStatus::Ok || stages_disagree())) {
      state = before_ = entry_;
      return careful_step(state, h);
    }
    if (status == StepStatus::Ok && (!equations_.weak() || splits >= kSplits)) {
      report_.stagnated |= equations_.weak();
      part = t1 - state.t;
      if (part <= 1e-9 * h) break;
    } else if (splits < kSplits && equations_.weak()) {
      state = before_;
      ++report_.rejected;
      if (splits > 0 || !equations_.choose_again(before_)) part *= kPart;
      state = before_;
      ++splits;
    } else {
      return status;
    }
    before_ = state;
  }
  state.t = t1;
  report_.taken = h;
  return StepStatus::Ok;
}

/// Two stages in the middle of the step, of which the second is to correct the first, are far apart.
bool ExplicitRungeKutta::stages_disagree() const {
  double difference = 0, largest = 0;
  for (int i = 0; i < structure_.coordinates; ++i) {
    difference = std::max(difference, std::abs(stage_a_(i, 2) - stage_a_(i, 1)) / structure_.scale[i]);
    largest = std::max(largest, std::abs(stage_a_(i, 0)) / structure_.scale[i]);
  }
  return !(difference <= kDisagreement * largest);
}

/// In parts that the error of dopri5 chooses.
StepStatus ExplicitRungeKutta::careful_step(State& state, double h) {
  const ButcherTableau& pair = ButcherTableau::dopri5();
  const double t1 = state.t + h;
  double part = 0.5 * h, error_before = 1;
  for (int rejected = 0; t1 - state.t > 1e-9 * h;) {
    part = std::min(part, t1 - state.t);
    const StepStatus status = try_step(pair, state, part, true);
    const double off = status == StepStatus::Ok ? error(pair, part) : std::numeric_limits<double>::infinity();
    if (off <= 1) {
      before_ = state;
      part *= controller_.ratio(off, error_before);
      error_before = off;
      continue;
    }
    state = before_;
    ++report_.rejected;
    if (++rejected >= controller_.rejections_in_a_row)
      return status == StepStatus::Ok ? StepStatus::NotConverged : status;
    part *= controller_.ratio_after_rejection(off);
  }
  state.t = t1;
  report_.taken = h;
  return StepStatus::Ok;
}

StepStatus ExplicitRungeKutta::controlled_step(State& state, double h_most) {
  return controller_.advance(
      state, before_, h_most, report_,
      [&](double h) {
        const StepStatus status = try_step(tableau_, state, h, true);
        report_.error = status == StepStatus::Ok ? error(tableau_, h) : 0;
        return status;
      },
      [&](StepStatus status) {
        state = before_;
        if (status != StepStatus::Ok && formulation_.prepare(state, true, work_)) report_.repartitioned = true;
        if (equations_.weak()) equations_.choose_again(state);
        before_ = state;
      });
}

StepStatus ExplicitRungeKutta::try_step(const ButcherTableau& tableau, State& state, double h, bool through) {
  const double t1 = before_.t + h;
  const int stages = tableau.stages() - (tableau.first_same_as_last() ? 1 : 0);
  report_.taken = taken_ = h;
  equations_.clear_weak();
  equations_.set_weight(settings_.kappa, before_);
  lambda_ = before_.lambda;
  A_ = before_.acceleration;
  stage_v_.col(0) = before_.v;
  stage_a_.col(0) = A_;
  for (int i = 1; i < stages; ++i) {
    combine(before_.q, h, tableau.A.row(i), i, stage_v_, q_);
    combine(before_.v, h, tableau.A.row(i), i, stage_a_, v_);
    const double t = before_.t + tableau.c[i] * h;
    const StepStatus status = through ? equations_.accelerate_through(t, h, q_, v_, before_, A_, lambda_, report_)
                                      : equations_.accelerate(t, q_, v_, before_, A_, lambda_, report_);
    if (status != StepStatus::Ok) return status;
    stage_v_.col(i) = v_;
    stage_a_.col(i) = A_;
  }
  combine(before_.q, h, tableau.b, stages, stage_v_, q_);
  combine(before_.v, h, tableau.b, stages, stage_a_, v_);
  const StepStatus status = end_step(t1, state);
  if (status != StepStatus::Ok) return status;
  if (tableau.first_same_as_last()) {
    stage_v_.col(stages) = v_;
    stage_a_.col(stages) = A_;
  }
  measure_violation(structure_, work_.equations, v_, A_, settings_.length);
  if (!v_.allFinite() || !A_.allFinite()) return StepStatus::NonFinite;

  state.t = t1;
  state.q = q_;
  state.v = v_;
  state.acceleration = state.algorithmic = A_;
  state.lambda = lambda_;
  return formulation_.accept(before_, state, work_);
}

/// On the constraints, with accelerations there.
StepStatus ExplicitRungeKutta::end_step(double t1, State& state) {
  for (bool again = settings_.projections;; again = false) {
    StepStatus status = StepStatus::Ok;
    if (settings_.projections) status = equations_.project(t1, before_, q_, v_, report_);
    if (status == StepStatus::Ok)
      status = equations_.accelerate_through(t1, taken_, q_, v_, before_, A_, lambda_, report_);
    if (status != StepStatus::Ok || !again || !equations_.choose_others(v_, A_, state)) return status;
    equations_.set_weight(settings_.kappa, state);
  }
}

/// sqrt(mean((difference to the embedded method / allowed)^2)) over q and v.
double ExplicitRungeKutta::error(const ButcherTableau& pair, double h) const {
  const int n = structure_.coordinates;
  const VecX &q0 = before_.q, &v0 = before_.v;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double dq = 0, dv = 0;
    for (int j = 0; j < pair.stages(); ++j) {
      const double weight = h * (pair.b[j] - pair.embedded[j]);
      dq += weight * stage_v_(i, j);
      dv += weight * stage_a_(i, j);
    }
    const double absolute = settings_.absolute * structure_.scale[i];
    dq /= absolute + settings_.relative * std::max(std::abs(q0[i]), std::abs(q_[i]));
    dv /= settings_.velocity_factor * (absolute + settings_.relative * std::max(std::abs(v0[i]), std::abs(v_[i])));
    sum += dq * dq + dv * dv;
  }
  return n > 0 ? std::sqrt(sum / (2 * n)) : 0;
}

/// In the coordinates of the step, which are measured from what its start remembers.
void ExplicitRungeKutta::interpolate(double t, State& state) const {
  state.t = t;
  state.memory = before_.memory;
  state.partition = before_.partition;
  quintic_hermite((t - before_.t) / taken_, taken_, {before_.q, before_.v, before_.acceleration}, {q_, v_, A_}, state.q,
                  state.v, state.acceleration);
}

}  // namespace cardan
