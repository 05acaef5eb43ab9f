#include "integration/index1_acceleration.hpp"

#include <cmath>

namespace cardan {
namespace {

constexpr double kMuchLarger = 1e7;

}  // namespace

Index1Acceleration::Index1Acceleration(const Formulation& formulation, Workspace& work, LinearSolver& solver)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      solver_(solver),
      leading_(VecX::Zero(structure_.pattern.nonzeros())),
      residual_(VecX::Zero(structure_.coordinates)),
      direction_(residual_),
      violation_(VecX::Zero(structure_.constraints)) {}

StepStatus Index1Acceleration::evaluate(double t, const VecX& q, const VecX& v, const State& reference) {
  const StepStatus status = formulation_.position(t, q, reference, work_);
  if (status != StepStatus::Ok) return status;
  formulation_.velocity(v, work_);
  if (structure_.constraints > 0) formulation_.gamma(work_);
  formulation_.dynamics(work_);
  return StepStatus::Ok;
}

int Index1Acceleration::factorize(const VecX& weight, double factor) {
  const Equations& e = work_.equations;
  leading_ = e.mass;
  for (int k = 0; k < structure_.constraints; ++k) {
    if (weight[k] != 0) add_outer(structure_.jacobian, e.jacobian, k, factor * weight[k], leading_);
  }
  return solver_.factorize(leading_);
}

bool Index1Acceleration::solve(const VecX& weight, int limit, double tolerance, VecX& a, VecX& lambda) {
  const Equations& e = work_.equations;
  const RowPattern& J = structure_.jacobian;
  const int m = structure_.constraints;
  if (m == 0) {
    a = e.force;
    solver_.solve(a);
    return true;
  }
  const auto find_violations = [&] {
    double worst = 0;
    for (int k = 0; k < m; ++k) {
      if (weight[k] == 0) continue;
      violation_[k] = row_times(J, e.jacobian, k, a) - e.gamma[k];
      worst = std::max(worst, std::abs(violation_[k]));
    }
    return worst;
  };
  double worst = find_violations();
  slowest_ = 0;
  for (int iteration = 0; iteration < limit; ++iteration) {
    // Q - M a - Phi_q^T (lambda + w (Phi_q a - gamma))
    residual_.setZero();
    multiply_add(structure_.pattern, e.mass, a, residual_);
    residual_ = e.force - residual_;
    for (int k = 0; k < m; ++k) {
      if (weight[k] != 0) add_row(J, e.jacobian, k, -(lambda[k] + weight[k] * violation_[k]), residual_);
    }
    solver_.solve(residual_);
    a += residual_;
    const double before = worst;
    worst = find_violations();
    for (int k = 0; k < m; ++k) {
      lambda[k] = weight[k] != 0 ? lambda[k] + weight[k] * violation_[k] : 0;
    }
    if (worst <= tolerance * a.cwiseAbs().maxCoeff()) return true;
    if (iteration > 0) slowest_ = std::max(slowest_, worst / before);
  }
  return false;
}

/// With T(w) = M + Phi_q^T w Phi_q, the part of a change d of accelerations along a singular value sigma that
/// T(w)^-1 M d keeps is 1 / (1 + kappa sigma^2): of what is free all, of what is hardly constrained most, of the rest
/// nothing. With much larger weights that is true of what is free alone. The difference is what is hardly constrained.
void Index1Acceleration::keep_weak_part(const VecX& weight, double hold, const VecX& prior, VecX& a) {
  residual_ = a - prior;
  direction_.setZero();
  multiply_add(structure_.pattern, work_.equations.mass, residual_, direction_);
  residual_ = direction_;
  if (factorize(weight, 1 / hold) >= 0) return;
  solver_.solve(residual_);
  if (factorize(weight, kMuchLarger) >= 0) return;
  solver_.solve(direction_);
  a -= residual_ - direction_;
}

}  // namespace cardan
