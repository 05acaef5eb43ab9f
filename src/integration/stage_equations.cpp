#include "integration/stage_equations.hpp"

#include <algorithm>

namespace cardan {
namespace {

constexpr double kMultiplierTolerance = 1e-10;  // relative violation of Phi_q a = gamma at which they stop
constexpr double kStageTolerance = 1e-12;    // times the size of the mechanism
constexpr double kStageRateTolerance = 1e-12;        // relative

}  // namespace

StageEquations::StageEquations(const Formulation& formulation, Workspace& work, const std::string& solver,
                               double length)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      solver_(make_linear_solver(solver, structure_.pattern)),
      acceleration_(formulation, work, *solver_),
      projection_(structure_, work.equations, *solver_),
      length_(length),
      weight_(VecX::Zero(structure_.constraints)),
      prior_(VecX::Zero(structure_.coordinates)),
      prior_lambda_(VecX::Zero(structure_.constraints)) {}

StepStatus StageEquations::accelerate(double t, const VecX& q, const VecX& v, const State& reference, VecX& a,
                                      VecX& lambda, StepReport& report) {
  const StepStatus status = acceleration_.evaluate(t, q, v, reference);
  if (status != StepStatus::Ok) return status;
  ++report.evaluations;
  ++report.factorizations;
  report.singular_coordinate = acceleration_.factorize(weight_);
  if (report.singular_coordinate >= 0) return StepStatus::Singular;
  prior_ = a;
  prior_lambda_ = lambda;
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

}  // namespace cardan
