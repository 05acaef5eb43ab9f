#include "integration/index1_acceleration.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {

constexpr double kNoticed = 1e-8;  // violations below, relative to the accelerations, tell nothing of contraction
constexpr double kStronger = 1e4;  // weights to tell what is free from what is hardly constrained
constexpr int kPasses = 2;         // of the constraints where they hardly hold

}  // namespace

Index1Acceleration::Index1Acceleration(const Formulation& formulation, Workspace& work, LinearSolver& solver)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      solver_(solver),
      leading_(VecX::Zero(structure_.pattern.nonzeros())),
      residual_(VecX::Zero(structure_.coordinates)),
      direction_(residual_),
      violation_(VecX::Zero(structure_.constraints)),
      stronger_(violation_),
      corrections_(Eigen::MatrixXd::Zero(structure_.coordinates, kCorrections)) {}

StepStatus Index1Acceleration::evaluate(double t, const VecX& q, const VecX& v, const State& reference) {
  const StepStatus status = formulation_.position(t, q, reference, work_);
  if (status != StepStatus::ok) return status;
  formulation_.velocity(v, work_);
  if (structure_.constraints > 0) formulation_.gamma(work_);
  formulation_.dynamics(work_);
  return StepStatus::ok;
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
  contraction_ = 0;
  correction_count_ = 0;
  double before = 0;
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
    if (iteration > 0 && correction_count_ < kCorrections) corrections_.col(correction_count_++) = residual_;
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
    const double largest = a.cwiseAbs().maxCoeff();
    if (iteration > 0) contraction_ = std::max(contraction_, worst / std::max(before, kNoticed * largest));
    if (iteration > 0 && worst <= tolerance * largest) return true;
    before = worst;
  }
  return false;
}

/// a = prior + c + d, with T = M + Phi_q^T w Phi_q, and T' of weights w' that are stronger:
///     c:  k times   T dc = Phi_q^T w (gamma - Phi_q (prior + c))
///     d:            T' d' = Q - M prior,   T' d = M d'
///
/// In a direction of the singular value sigma c is the part 1 - (1 + kappa sigma^2)^-k of gamma / sigma - prior, and d
/// the part (1 + kappa' sigma^2)^-2 of Q - prior.
void Index1Acceleration::keep_weak_part(const VecX& weight, const VecX& prior, VecX& a) {
  const Equations& e = work_.equations;
  const RowPattern& J = structure_.jacobian;
  a = prior;
  for (int pass = 0; pass < kPasses; ++pass) {
    residual_.setZero();
    for (int k = 0; k < structure_.constraints; ++k) {
      if (weight[k] != 0) {
        add_row(J, e.jacobian, k, weight[k] * (e.gamma[k] - row_times(J, e.jacobian, k, a)), residual_);
      }
    }
    solver_.solve(residual_);
    a += residual_;
  }
  stronger_ = kStronger * weight;
  if (factorize(stronger_) >= 0) return;
  residual_.setZero();
  multiply_add(structure_.pattern, e.mass, prior, residual_);
  direction_ = e.force - residual_;
  solver_.solve(direction_);
  residual_.setZero();
  multiply_add(structure_.pattern, e.mass, direction_, residual_);
  solver_.solve(residual_);
  a += residual_;
}

/// a <- a - d (d^T M (a - prior)) / (d^T M d) for one direction after the other, each made M-orthogonal to those
/// before.
void Index1Acceleration::keep_corrected_part(const VecX& prior, VecX& a) {
  const VecX& mass = work_.equations.mass;
  for (int i = 0; i < correction_count_; ++i) {
    residual_.setZero();
    direction_ = corrections_.col(i);
    multiply_add(structure_.pattern, mass, direction_, residual_);
    const double before = corrections_.col(i).dot(residual_);
    for (int j = 0; j < i; ++j) corrections_.col(i) -= corrections_.col(j).dot(residual_) * corrections_.col(j);
    residual_.setZero();
    direction_ = corrections_.col(i);
    multiply_add(structure_.pattern, mass, direction_, residual_);
    const double length = corrections_.col(i).dot(residual_);
    if (!(length > 1e-10 * before)) {
      corrections_.col(i).setZero();
      continue;
    }
    corrections_.col(i) /= std::sqrt(length);
    residual_ /= std::sqrt(length);
    a -= residual_.dot(a - prior) * corrections_.col(i);
  }
}

}  // namespace cardan
