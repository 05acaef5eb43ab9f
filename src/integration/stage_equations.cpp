#include "integration/stage_equations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/all_finite.hpp"
#include "math/by_processor.hpp"

namespace cardan {
namespace {

constexpr double kMultiplierTolerance = 1e-10;  // relative violation of Phi_q a = gamma at which they stop
constexpr double kStrong = 1e4;                 // weights with which two iterations do away from singular positions
constexpr int kMostIterations = 200;
// At rounding: what the projections leave of each step adds up, and must stay below the error of dopri5 at steps where
// its leading term can be told.
constexpr double kStageTolerance = 1e-14;      // times the size of the mechanism
constexpr double kStageRateTolerance = 1e-14;  // relative

// Violations of rows that were left out beyond which they do not follow from the others: far above those of the rows
// kept.
constexpr double kOpenPosition = 1e-9;  // times the size of the mechanism
constexpr double kOpenRate = 1e-8;      // relative
constexpr double kOpenSecond = 1e-6;    // relative

// The sides of a singular position are looked at beyond where constraints are hardly felt: farther and farther away.
constexpr double kNearestSide = 1.0 / 16;  // of a step
constexpr int kSideTries = 10;

constexpr double kStrongest = 1e6;   // weights to find out by what inertia constraints are felt
constexpr double kLeastFelt = 1e-3;  // of what was felt at the start

}  // namespace

StageEquations::StageEquations(const Formulation& formulation, Workspace& work, const std::string& solver,
                               double length)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      solver_(make_linear_solver(solver, structure_.pattern)),
      acceleration_(formulation, work, *solver_),
      projection_(structure_, work.equations, *solver_),
      rows_(structure_),
      length_(length),
      weight_(VecX::Zero(structure_.constraints)),
      position_weight_(weight_),
      prior_lambda_(VecX::Zero(structure_.constraints)),
      prior_(VecX::Zero(structure_.coordinates)),
      column_(prior_),
      side_q_(prior_),
      side_v_(prior_),
      side_a_(prior_),
      side_lambda_(prior_lambda_),
      from_sides_(prior_) {}

void StageEquations::start(const ConstraintAnalysis& analysis, State& state) {
  mass_ = analysis.effective_mass;
  state.stepper = VecX::Zero(2 + structure_.constraints);
  state.stepper.tail(structure_.constraints) = mass_;
  // Where no constraint holds positions, none is off it within a step.
  if (analysis.redundant.empty() || structure_.position_constraints() == 0) return;
  if (rows_.empty()) {
    rows_.resize();
    state.partition = Eigen::VectorXi::Zero(structure_.constraints);
  }
  choose(state);
}

void StageEquations::set_weight(double kappa, const State& state) {
  kappa_ = kappa;
  weight_ = kappa * state.stepper.tail(structure_.constraints);
  // With weights by the inertia that constraints feel the slowest of m leaves at most 1 / (1 + kappa / m).
  const double slowest = std::log1p(kappa / std::max(1, structure_.constraints));
  multiplier_iterations_ = std::clamp(static_cast<int>(std::ceil(-std::log(kMultiplierTolerance) / slowest)),
                                      kappa < kStrong ? 20 : 8, kMostIterations);
}

bool StageEquations::choose(State& state) {
  const bool others = rows_.choose(work_.equations.jacobian, state.partition);
  weigh(state);
  return others;
}

/// With A' = w^1/2 Phi_q M^-1 Phi_q^T w^1/2, (1 + A')^-1 = 1 - w^1/2 Phi_q (M + Phi_q^T w Phi_q)^-1 Phi_q^T w^1/2, also
/// where massless bodies make M singular. With strong weights its diagonal is that of A'^-1, which is the inertia that
/// a constraint feels, over its weight.
void StageEquations::weigh(State& state) {
  const Equations& e = work_.equations;
  auto felt = state.stepper.tail(structure_.constraints);
  felt = mass_;
  if (chooses_rows()) felt.array() *= state.partition.cast<double>().array();
  for (int pass = 0; pass < 2; ++pass) {
    weight_ = kStrongest * felt;
    if (acceleration_.factorize(weight_) >= 0) return;
    for (int k = 0; k < structure_.constraints; ++k) {
      if (weight_[k] == 0) continue;
      column_.setZero();
      add_row(structure_.jacobian, e.jacobian, k, 1, column_);
      solver_->solve(column_);
      const double rest = 1 - weight_[k] * row_times(structure_.jacobian, e.jacobian, k, column_);
      felt[k] = std::max(weight_[k] * rest, kLeastFelt * mass_[k]);
    }
  }
}

StepStatus StageEquations::accelerate(double t, const VecX& q, const VecX& v, const State& reference, VecX& a,
                                      VecX& lambda, StepReport& report, bool placed) {
  if (placed) {
    acceleration_.evaluate_motion(v);
  } else if (const StepStatus status = acceleration_.evaluate(t, q, v, reference); status != StepStatus::ok) {
    return status;
  }
  ++report.evaluations;
  ++report.factorizations;
  report.singular_coordinate = acceleration_.factorize(weight_);
  if (report.singular_coordinate >= 0) return StepStatus::singular;
  prior_lambda_ = lambda;
  prior_.swap(a);  // solve() does not ask what it was
  const bool solved = acceleration_.solve(weight_, multiplier_iterations_, kMultiplierTolerance, a, lambda);
  // 1 / (1 + kappa sigma^2)
  if (const double left = acceleration_.contraction(); left > 0) {
    weakest_ = std::min(weakest_, std::sqrt(std::max(1 / left - 1, 0.0) / kappa_));
  }
  if (!solved) {
    if (kappa_ < kStrong) {
      acceleration_.keep_corrected_part(prior_, a);
    } else {
      acceleration_.keep_weak_part(weight_, prior_, a);
    }
    lambda = prior_lambda_;
    weak_ = true;
  }
  return all_finite(a) ? StepStatus::ok : StepStatus::not_finite;
}

/// The motion goes through a singular position smoothly, and its acceleration is known before and after: with the mean
/// m(d) of those d seconds before and after, each on the constraints, a = (4 m(d) - m(2 d)) / 3 + O(d^4).
StepStatus StageEquations::accelerate_through(double t, double h, const VecX& q, const VecX& v, const State& reference,
                                              VecX& a, VecX& lambda, StepReport& report, bool placed) {
  const bool weak_before = std::exchange(weak_, false);
  const StepStatus status = accelerate(t, q, v, reference, a, lambda, report, placed);
  if (status != StepStatus::ok || !weak_) {
    weak_ |= weak_before;
    return status;
  }
  bool found = false;
  double d = kNearestSide * h;
  for (int tries = 0; !found && tries < kSideTries; ++tries, d *= 2) {
    side_lambda_ = lambda;
    from_sides_.setZero();
    found = true;
    for (const auto& [later, part] : {std::pair{d, 4.0 / 6}, {-d, 4.0 / 6}, {2 * d, -1.0 / 6}, {-2 * d, -1.0 / 6}}) {
      side_a_ = a;
      found = found && add_side(t, later, part, q, v, reference, report);
    }
  }
  if (found) a = from_sides_;
  weak_ = weak_before || !found;
  return acceleration_.evaluate(t, q, v, reference);
}

/// Adds its part of the acceleration that belongs `later` seconds. False where the position is singular there too.
bool StageEquations::add_side(double t, double later, double part, const VecX& q, const VecX& v, const State& reference,
                              StepReport& report) {
  weak_ = false;
  side_q_ = q + later * v + (0.5 * later * later) * side_a_;
  side_v_ = v + later * side_a_;
  if (project(t + later, reference, side_q_, side_v_, report) != StepStatus::ok ||
      accelerate(t + later, side_q_, side_v_, reference, side_a_, side_lambda_, report) != StepStatus::ok) {
    return false;
  }
  from_sides_ += part * side_a_;
  return !weak_;
}

CARDAN_BY_PROCESSOR StepStatus StageEquations::project(double t, const State& reference, VecX& q, VecX& v,
                                                       StepReport& report) {
  if (structure_.constraints == 0) return StepStatus::ok;
  const Equations& e = work_.equations;
  StepStatus status = formulation_.position(t, q, reference, work_);
  if (status != StepStatus::ok) return status;
  const VecX* weight = &weight_;
  if (structure_.velocity_constraints > 0) {
    position_weight_ = weight_;
    position_weight_.tail(structure_.velocity_constraints).setZero();
    weight = &position_weight_;
  }
  ++report.factorizations;
  report.singular_coordinate = acceleration_.factorize(*weight);
  if (report.singular_coordinate >= 0) return StepStatus::singular;
  projection_.remember_rows();
  projection_.run(
      *weight, kStageTolerance * length_, 0,
      [&](double* violation) { std::copy_n(e.phi.data(), e.phi.size(), violation); },
      [&](const auto& correction) {
        q += correction;
        if (status == StepStatus::ok) status = formulation_.position(t, q, reference, work_);
      });
  if (status != StepStatus::ok) return status;
  if (structure_.velocity_constraints > 0) {
    ++report.factorizations;
    report.singular_coordinate = acceleration_.factorize(weight_);
    if (report.singular_coordinate >= 0) return StepStatus::singular;
    projection_.remember_rows();
  }
  const double scale = std::max(v.cwiseAbs().maxCoeff(), 1e-3 * length_);
  projection_.run(
      weight_, kStageRateTolerance * scale, 0,
      [&](double* violation) {
        projection_.rows_now().multiply(v.data(), [&](int k, double rate) { violation[k] = rate + e.phi_t[k]; });
      },
      [&](const auto& correction) { v += correction; });
  return StepStatus::ok;
}

bool StageEquations::choose_others(const VecX& v, const VecX& a, State& state) {
  if (rows_.empty()) return false;
  const Equations& e = work_.equations;
  const RowPattern& J = structure_.jacobian;
  const double rate = kOpenRate * std::max(v.cwiseAbs().maxCoeff(), 1e-3 * length_);
  const double second = kOpenSecond * std::max(a.cwiseAbs().maxCoeff(), 1e-3 * length_);
  const auto is_open = [&](int k) {
    return std::abs(e.phi[k]) > kOpenPosition * length_ ||
           std::abs(row_times(J, e.jacobian, k, v) + e.phi_t[k]) > rate ||
           std::abs(row_times(J, e.jacobian, k, a) - e.gamma[k]) > second;
  };
  for (int k = 0; k < structure_.constraints; ++k) {
    if (!state.partition[k] && is_open(k)) return choose(state);
  }
  return false;
}

bool StageEquations::choose_again(State& state) {
  if (rows_.empty() || acceleration_.evaluate(state.t, state.q, state.v, state) != StepStatus::ok) return false;
  choose(state);
  return true;
}

bool StageEquations::weigh_again(State& state) {
  if (!rows_.empty() || acceleration_.evaluate(state.t, state.q, state.v, state) != StepStatus::ok) return false;
  weigh(state);
  return true;
}

}  // namespace cardan
