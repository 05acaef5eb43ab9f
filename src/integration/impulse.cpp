#include "integration/impulse.hpp"

#include <algorithm>

#include "integration/penalties.hpp"

namespace cardan {
namespace {

constexpr double kStrength = 1e4;  // w = kStrength * effective mass
constexpr int kIterations = 12;
constexpr double kClosureTolerance = 1e-12;  // relative to the size of the mechanism
constexpr double kRegularization = 1e-10;    // of A, relative to its diagonal
constexpr double kLeftOut = 1e30;            // the same, of rows that do not count
constexpr int kRefinements = 4;
constexpr int kPositionPasses = 20;

}  // namespace

Impulse::Impulse(const Formulation& formulation, Workspace& work, double length)
    : formulation_(formulation),
      direct_(dynamic_cast<const DirectDynamics*>(&formulation)),
      structure_(formulation.structure()),
      work_(work),
      length_(length),
      weight_(VecX::Zero(structure_.constraints)),
      counted_weight_(weight_),
      violation_(weight_),
      impulse_(weight_),
      increment_(VecX::Zero(structure_.coordinates)) {
  const int m = structure_.constraints;
  if (m == 0) return;
  if (direct_) {
    solver_ = make_linear_solver("dense", SymmetricPattern::full(m));
    compliance_ = VecX::Zero(static_cast<Eigen::Index>(m) * (m + 1) / 2);
  } else {
    solver_ = make_linear_solver("automatic", structure_.pattern);
    acceleration_ = std::make_unique<Index1Acceleration>(formulation, work, *solver_);
  }
}

StepStatus Impulse::prepare(const State& state) {
  if (structure_.constraints == 0 || direct_) return StepStatus::ok;
  const StepStatus status = formulation_.position(state.t, state.q, state, work_);
  if (status != StepStatus::ok) return status;
  formulation_.velocity(state.v, work_);
  formulation_.dynamics(work_);
  weight_ = kStrength * analyse_constraints(structure_, work_.equations).effective_mass;
  return StepStatus::ok;
}

StepStatus Impulse::evaluate(const State& state, bool of_positions) {
  const int counted = of_positions ? structure_.position_constraints() : structure_.constraints;
  if (!direct_) {
    const StepStatus status = acceleration_->evaluate(state.t, state.q, state.v, state);
    if (status != StepStatus::ok) return status;
    counted_weight_ = weight_;
    counted_weight_.tail(structure_.constraints - counted).setZero();
    return acceleration_->factorize(counted_weight_) < 0 ? StepStatus::ok : StepStatus::singular;
  }
  const StepStatus status = formulation_.position(state.t, state.q, state, work_);
  if (status != StepStatus::ok) return status;
  formulation_.velocity(state.v, work_);
  impulse_.setZero();
  if (direct_->accelerate(impulse_, work_, increment_) >= 0) return StepStatus::singular;
  direct_->compliance(work_, compliance_);
  const int m = structure_.constraints;
  double largest = 0;
  double* diagonal = compliance_.data();
  for (int k = 0; k < m; diagonal += m - k, ++k) largest = std::max(largest, *diagonal);
  diagonal = compliance_.data();
  for (int k = 0; k < m; diagonal += m - k, ++k) {
    *diagonal += (k < counted ? kRegularization : kLeftOut) * std::max(*diagonal, kRegularization * largest);
  }
  return solver_->factorize(compliance_) < 0 ? StepStatus::ok : StepStatus::singular;
}

StepStatus Impulse::project_velocity(State& state) {
  if (structure_.constraints == 0) return StepStatus::ok;
  const StepStatus status = evaluate(state, false);
  if (status != StepStatus::ok) return status;
  if (direct_) {
    for (int pass = 0; pass < kRefinements; ++pass) {
      if (pass > 0) formulation_.velocity(state.v, work_);
      direct_->constraint_rates(work_, violation_);
      solver_->solve(violation_);
      direct_->respond(violation_, work_, state.v);
    }
  } else {
    Equations& e = work_.equations;
    e.force.setZero();
    multiply_add(structure_.pattern, e.mass, state.v, e.force);
    e.gamma = -e.phi_t;
    impulse_.setZero();
    acceleration_->solve(weight_, kIterations, 1e-15, state.v, impulse_);
  }
  return state.v.allFinite() ? StepStatus::ok : StepStatus::not_finite;
}

StepStatus Impulse::project_position(State& state) {
  if (structure_.position_constraints() == 0) return StepStatus::ok;
  for (int pass = 0; pass < kPositionPasses; ++pass) {
    const StepStatus status = evaluate(state, true);
    if (status != StepStatus::ok) return status;
    const Equations& e = work_.equations;
    const double worst = e.phi.cwiseAbs().maxCoeff();
    if (worst <= kClosureTolerance * length_) return StepStatus::ok;
    if (direct_) {
      violation_ = e.phi;
      solver_->solve(violation_);
      direct_->respond(violation_, work_, state.q);
    } else {
      increment_.setZero();
      for (int k = 0; k < structure_.position_constraints(); ++k) {
        add_row(structure_.jacobian, e.jacobian, k, -weight_[k] * e.phi[k], increment_);
      }
      solver_->solve(increment_);
      state.q += increment_;
    }
    if (!state.q.allFinite()) return StepStatus::not_finite;
  }
  return StepStatus::not_converged;
}

}  // namespace cardan
