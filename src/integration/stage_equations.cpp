#include "integration/stage_equations.hpp"

#include <algorithm>

namespace cardan {
namespace {

constexpr double kMultiplierTolerance = 1e-10;  // relative violation of Phi_q a = gamma at which they stop
constexpr double kStageTolerance = 1e-12;       // times the size of the mechanism
constexpr double kStageRateTolerance = 1e-12;   // relative

// Violations of rows that were left out beyond which they do not follow from the others: far above those of the rows
// kept.
constexpr double kOpenPosition = 1e-9;  // times the size of the mechanism
constexpr double kOpenRate = 1e-8;      // relative
constexpr double kOpenSecond = 1e-6;    // relative

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
      prior_lambda_(VecX::Zero(structure_.constraints)),
      prior_(VecX::Zero(structure_.coordinates)),
      column_(prior_) {}

void StageEquations::start(const ConstraintAnalysis& analysis, State& state) {
  mass_ = analysis.effective_mass;
  if (analysis.redundant.empty()) return;
  if (rows_.empty()) {
    rows_.resize();
    state.partition = Eigen::VectorXi::Zero(structure_.constraints);
    state.stepper = VecX::Zero(2 + structure_.constraints);
  }
  choose(state);
}

void StageEquations::set_weight(double kappa, const State& state) {
  if (rows_.empty()) {
    weight_ = kappa * mass_;
  } else {
    weight_ = kappa * state.stepper.tail(structure_.constraints);
  }
  multiplier_iterations_ = kappa < 1e4 ? 20 : 8;
}

/// With A' = w^1/2 Phi_q M^-1 Phi_q^T w^1/2, (1 + A')^-1 = 1 - w^1/2 Phi_q (M + Phi_q^T w Phi_q)^-1 Phi_q^T w^1/2, also
/// where massless bodies make M singular. With strong weights its diagonal is that of A'^-1, which is the inertia that
/// a constraint feels, over its weight.
bool StageEquations::choose(State& state) {
  const Equations& e = work_.equations;
  const bool others = rows_.choose(e.jacobian, state.partition);
  auto felt = state.stepper.tail(structure_.constraints);
  felt = mass_.array() * state.partition.cast<double>().array();
  for (int pass = 0; pass < 2; ++pass) {
    weight_ = kStrongest * felt;
    if (acceleration_.factorize(weight_) >= 0) return others;
    for (int k = 0; k < structure_.constraints; ++k) {
      if (weight_[k] == 0) continue;
      column_.setZero();
      add_row(structure_.jacobian, e.jacobian, k, 1, column_);
      solver_->solve(column_);
      const double rest = 1 - weight_[k] * row_times(structure_.jacobian, e.jacobian, k, column_);
      felt[k] = std::max(weight_[k] * rest, kLeastFelt * mass_[k]);
    }
  }
  return others;
}

StepStatus StageEquations::accelerate(double t, const VecX& q, const VecX& v, const State& reference, VecX& a,
                                      VecX& lambda, StepReport& report) {
  const StepStatus status = acceleration_.evaluate(t, q, v, reference);
  if (status != StepStatus::Ok) return status;
  ++report.evaluations;
  ++report.factorizations;
  report.singular_coordinate = acceleration_.factorize(weight_);
  if (report.singular_coordinate >= 0) return StepStatus::Singular;
  prior_lambda_ = lambda;
  prior_ = a;
  if (!acceleration_.solve(weight_, multiplier_iterations_, kMultiplierTolerance, a, lambda)) {
    acceleration_.keep_weak_part(prior_, a);
    lambda = prior_lambda_;
    weak_ = true;
  }
  return a.allFinite() ? StepStatus::Ok : StepStatus::NonFinite;
}

StepStatus StageEquations::project(double t, const State& reference, VecX& q, VecX& v, StepReport& report) {
  if (structure_.constraints == 0) return StepStatus::Ok;
  const Equations& e = work_.equations;
  StepStatus status = formulation_.position(t, q, reference, work_);
  if (status != StepStatus::Ok) return status;
  ++report.factorizations;
  report.singular_coordinate = acceleration_.factorize(weight_);
  if (report.singular_coordinate >= 0) return StepStatus::Singular;
  projection_.run(
      weight_, kStageTolerance * length_, 0, [&](int k) { return e.phi[k]; },
      [&](const auto& correction) {
        q += correction;
        if (status == StepStatus::Ok) status = formulation_.position(t, q, reference, work_);
      });
  if (status != StepStatus::Ok) return status;
  const double scale = std::max(v.cwiseAbs().maxCoeff(), 1e-3 * length_);
  projection_.run(
      weight_, kStageRateTolerance * scale, 0,
      [&](int k) { return row_times(structure_.jacobian, e.jacobian, k, v) + e.phi_t[k]; },
      [&](const auto& correction) { v += correction; });
  return StepStatus::Ok;
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
  if (rows_.empty() || acceleration_.evaluate(state.t, state.q, state.v, state) != StepStatus::Ok) return false;
  choose(state);
  return true;
}

}  // namespace cardan
