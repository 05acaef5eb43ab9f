#include "integration/impulse.hpp"

#include <algorithm>
#include <numeric>

#include "integration/penalties.hpp"

namespace cardan {
namespace {

constexpr double kStrength = 1e6;             // w = kStrength * effective mass
constexpr double kRateTolerance = 1e-13;      // relative to the largest velocity
constexpr double kPositionTolerance = 1e-12;  // relative to the size of the mechanism
constexpr double kRegularization = 1e-10;     // of A, relative to its diagonal
constexpr int kRefinements = 4;
constexpr int kPositionPasses = 20;

SymmetricPattern full_pattern(int size) {
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 0);
  return SymmetricPattern::from_cliques(size, {all});
}

}  // namespace

Impulse::Impulse(const Formulation& formulation, Workspace& work, double length)
    : formulation_(formulation),
      direct_(dynamic_cast<const DirectDynamics*>(&formulation)),
      structure_(formulation.structure()),
      work_(work),
      length_(length),
      weight_(VecX::Zero(structure_.constraints)),
      violation_(weight_),
      zero_(weight_),
      increment_(VecX::Zero(structure_.coordinates)) {
  const int m = structure_.constraints;
  if (m == 0) return;
  solver_ =
      direct_ ? make_linear_solver("dense", full_pattern(m)) : make_linear_solver("automatic", structure_.pattern);
  leading_ = VecX::Zero(direct_ ? static_cast<Eigen::Index>(m) * (m + 1) / 2 : structure_.pattern.nonzeros());
  if (!direct_) projection_ = std::make_unique<Projection>(structure_, work.equations, *solver_);
}

StepStatus Impulse::prepare(const State& state) {
  if (structure_.constraints == 0 || direct_) return StepStatus::Ok;
  const StepStatus status = formulation_.position(state.t, state.q, state, work_);
  if (status != StepStatus::Ok) return status;
  formulation_.velocity(state.v, work_);
  formulation_.dynamics(work_);
  weight_ = kStrength * analyse_constraints(structure_, work_.equations).effective_mass;
  return StepStatus::Ok;
}

StepStatus Impulse::evaluate(const State& state) {
  const StepStatus status = formulation_.position(state.t, state.q, state, work_);
  if (status != StepStatus::Ok) return status;
  formulation_.velocity(state.v, work_);
  if (direct_) {
    if (direct_->accelerate(zero_, work_, increment_) >= 0) return StepStatus::Singular;
    direct_->compliance(work_, leading_);
    double largest = 0;
    double* diagonal = leading_.data();
    for (int k = 0; k < structure_.constraints; diagonal += structure_.constraints - k, ++k) {
      largest = std::max(largest, *diagonal);
    }
    diagonal = leading_.data();
    for (int k = 0; k < structure_.constraints; diagonal += structure_.constraints - k, ++k) {
      *diagonal += kRegularization * std::max(*diagonal, kRegularization * largest);
    }
  } else {
    formulation_.dynamics(work_);
    leading_ = work_.equations.mass;
    for (int k = 0; k < structure_.constraints; ++k) {
      add_outer(structure_.jacobian, work_.equations.jacobian, k, weight_[k], leading_);
    }
  }
  return solver_->factorize(leading_) < 0 ? StepStatus::Ok : StepStatus::Singular;
}

StepStatus Impulse::project_velocity(State& state) {
  if (structure_.constraints == 0) return StepStatus::Ok;
  const StepStatus status = evaluate(state);
  if (status != StepStatus::Ok) return status;
  const Equations& e = work_.equations;
  if (direct_) {
    for (int pass = 0; pass < kRefinements; ++pass) {
      if (pass > 0) formulation_.velocity(state.v, work_);
      direct_->constraint_rates(work_, violation_);
      solver_->solve(violation_);
      direct_->respond(violation_, work_, state.v);
    }
  } else {
    const double scale = std::max(state.v.cwiseAbs().maxCoeff(), 1e-3 * length_);
    projection_->run(
        weight_, kRateTolerance * scale, 1,
        [&](int k) { return row_times(structure_.jacobian, e.jacobian, k, state.v) + e.phi_t[k]; },
        [&](const auto& correction) { state.v += correction; });
  }
  return state.v.allFinite() ? StepStatus::Ok : StepStatus::NonFinite;
}

StepStatus Impulse::project_position(State& state) {
  if (structure_.constraints == 0) return StepStatus::Ok;
  for (int pass = 0; pass < kPositionPasses; ++pass) {
    const StepStatus status = evaluate(state);
    if (status != StepStatus::Ok) return status;
    const Equations& e = work_.equations;
    const double worst = e.phi.cwiseAbs().maxCoeff();
    if (worst <= kPositionTolerance * length_) return StepStatus::Ok;
    if (direct_) {
      violation_ = e.phi;
      solver_->solve(violation_);
      direct_->respond(violation_, work_, state.q);
    } else {
      increment_.setZero();
      for (int k = 0; k < structure_.constraints; ++k) {
        add_row(structure_.jacobian, e.jacobian, k, -weight_[k] * e.phi[k], increment_);
      }
      solver_->solve(increment_);
      state.q += increment_;
    }
    if (!state.q.allFinite()) return StepStatus::NonFinite;
  }
  return StepStatus::NotConverged;
}

}  // namespace cardan
