#include "integration/index1_acceleration.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/bare_rows.hpp"

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
      is_twin_(twins_of(structure_.jacobian)),
      corrections_(Eigen::MatrixXd::Zero(structure_.coordinates, kCorrections)) {}

StepStatus Index1Acceleration::evaluate(double t, const VecX& q, const VecX& v, const State& reference) {
  const StepStatus status = formulation_.position(t, q, reference, work_);
  if (status == StepStatus::ok) evaluate_motion(v);
  return status;
}

void Index1Acceleration::evaluate_motion(const VecX& v) {
  formulation_.velocity(v, work_);
  if (structure_.constraints > 0) formulation_.gamma(work_);
  formulation_.dynamics(work_);
}

int Index1Acceleration::factorize(const VecX& weight) {
  const Equations& e = work_.equations;
  leading_ = e.mass;
  BareRows(structure_.jacobian, e.jacobian, is_twin_, &weight)
      .add_outer(
          structure_.jacobian, [&](int k) { return weight[k]; }, leading_.data());
  return solver_.factorize(leading_);
}

/// r <- r - M a
void Index1Acceleration::subtract_inertia(const VecX& a, VecX& residual) const {
  const SymmetricPattern& pattern = structure_.pattern;
  const double *x = a.data(), *mass = work_.equations.mass.data();
  const int *start = pattern.column_start.data(), *row = pattern.row.data();
  double* const r = residual.data();
  for (int j = 0, n = structure_.coordinates; j < n; ++j) {
    const double xj = x[j];
    double sum = mass[start[j]] * xj;
    for (int k = start[j] + 1, end = start[j + 1]; k < end; ++k) {
      sum += mass[k] * x[row[k]];
      r[row[k]] -= mass[k] * xj;
    }
    r[j] -= sum;
  }
}

bool Index1Acceleration::solve(const VecX& weight, int limit, double tolerance, VecX& a, VecX& lambda) {
  const Equations& e = work_.equations;
  if (structure_.constraints == 0) {
    a = e.force;
    solver_.solve(a);
    return true;
  }
  const BareRows J(structure_.jacobian, e.jacobian, is_twin_, &weight);
  const double *w = weight.data(), *gamma = e.gamma.data();
  double *multiplier = lambda.data(), *violation = violation_.data();
  for (int k = 0; k < structure_.constraints; ++k) {
    if (w[k] == 0) multiplier[k] = 0;
  }
  contraction_ = 0;
  correction_count_ = 0;
  double before = 0;
  for (int iteration = 0; iteration < limit; ++iteration) {
    residual_ = e.force;
    if (iteration == 0) {
      // T a = Q + Phi_q^T (w gamma - lambda), whatever `a` was
      J.add([&](int k) { return w[k] * gamma[k] - multiplier[k]; }, residual_.data());
      solver_.solve(residual_);
      a = residual_;
    } else {
      // T da = Q - M a - Phi_q^T (lambda + w (Phi_q a - gamma))
      subtract_inertia(a, residual_);
      J.add([&](int k) { return -(multiplier[k] + w[k] * violation[k]); }, residual_.data());
      solver_.solve(residual_);
      a += residual_;
    }
    double largest = 0, worst = 0;
    for (int i = 0; i < structure_.coordinates; ++i) largest = std::max(largest, std::abs(a[i]));
    J.multiply(a.data(), [&](int k, double product) {
      violation[k] = product - gamma[k];
      multiplier[k] += w[k] * violation[k];
      worst = std::max(worst, std::abs(violation[k]));
    });
    if (iteration > 0) {
      contraction_ = std::max(contraction_, worst / std::max(before, kNoticed * largest));
      if (worst <= tolerance * largest) return true;
      if (correction_count_ < kCorrections) corrections_.col(correction_count_++) = residual_;
    }
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
