#include "integration/index1_acceleration.hpp"

#include <cmath>

namespace cardan {

Index1Acceleration::Index1Acceleration(const Formulation& formulation, Workspace& work, LinearSolver& solver)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      solver_(solver),
      leading_(VecX::Zero(structure_.pattern.nonzeros())),
      residual_(VecX::Zero(structure_.coordinates)),
      direction_(residual_),
      violation_(VecX::Zero(structure_.constraints)),
      weak_(Eigen::MatrixXd::Zero(structure_.coordinates, kWeak)) {}

StepStatus Index1Acceleration::evaluate(double t, const VecX& q, const VecX& v, const State& reference) {
  const StepStatus status = formulation_.position(t, q, reference, work_);
  if (status != StepStatus::Ok) return status;
  formulation_.velocity(v, work_);
  if (structure_.constraints > 0) formulation_.gamma(work_);
  formulation_.dynamics(work_);
  return StepStatus::Ok;
}

int Index1Acceleration::factorize(const VecX& weight) {
  const Equations& e = work_.equations;
  leading_ = e.mass;
  for (int k = 0; k < structure_.constraints; ++k) {
    if (weight[k] != 0) add_outer(structure_.jacobian, e.jacobian, k, weight[k], leading_);
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
  for (int k = 0; k < m; ++k) violation_[k] = row_times(J, e.jacobian, k, a) - e.gamma[k];
  weak_count_ = 0;
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
    if (iteration > 0 && weak_count_ < kWeak) weak_.col(weak_count_++) = residual_;
    double worst = 0;
    for (int k = 0; k < m; ++k) {
      if (weight[k] == 0) {
        lambda[k] = 0;
        continue;
      }
      violation_[k] = row_times(J, e.jacobian, k, a) - e.gamma[k];
      lambda[k] += weight[k] * violation_[k];
      worst = std::max(worst, std::abs(violation_[k]));
    }
    if (worst <= tolerance * a.cwiseAbs().maxCoeff()) return true;
  }
  return false;
}

/// a <- a - d (d^T M (a - prior)) / (d^T M d) for one direction after the other, each made M-orthogonal to those
/// before.
void Index1Acceleration::keep_weak_part(const VecX& prior, VecX& a) {
  const VecX& mass = work_.equations.mass;
  for (int i = 0; i < weak_count_; ++i) {
    residual_.setZero();
    direction_ = weak_.col(i);
    multiply_add(structure_.pattern, mass, direction_, residual_);
    const double before = weak_.col(i).dot(residual_);
    for (int j = 0; j < i; ++j) weak_.col(i) -= weak_.col(j).dot(residual_) * weak_.col(j);
    residual_.setZero();
    direction_ = weak_.col(i);
    multiply_add(structure_.pattern, mass, direction_, residual_);
    const double length = weak_.col(i).dot(residual_);
    if (!(length > 1e-10 * before)) {
      weak_.col(i).setZero();
      continue;
    }
    weak_.col(i) /= std::sqrt(length);
    residual_ /= std::sqrt(length);
    a -= residual_.dot(a - prior) * weak_.col(i);
  }
}

}  // namespace cardan
