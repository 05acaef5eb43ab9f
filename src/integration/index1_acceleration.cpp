#include "integration/index1_acceleration.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/bare_rows.hpp"
#include "math/by_processor.hpp"

namespace cardan {
namespace {

constexpr double kNoticed = 1e-8;  // violations below, relative to the accelerations, tell nothing of contraction
constexpr double kStronger = 1e4;  // weights to tell what is free from what is hardly constrained
constexpr int kPasses = 2;         // of the constraints where they hardly hold

/// The equations of any size, by their patterns.
class WideEquations {
 public:
  WideEquations(const Structure& structure, const Equations& e, const LinearSolver& solver,
                const std::vector<unsigned char>& is_twin, const VecX& weight, VecX& residual)
      : pattern_(structure.pattern),
        mass_(e.mass.data()),
        solver_(solver),
        rows_(structure.jacobian, e.jacobian, is_twin, &weight),
        residual_(residual) {}

  int size() const { return pattern_.n; }
  template <class See>
  void multiply(const double* x, const See& see) const {
    rows_.multiply(x, see);
  }
  template <class Factor>
  void add(const Factor& factor, double* y) const {
    rows_.add(factor, y);
  }
  /// Of the residual.
  void solve(double*) const { solver_.solve(residual_); }
  /// y -= M x
  void subtract_inertia(const double* x, double* y) const {
    const int *start = pattern_.column_start.data(), *row = pattern_.row.data();
    for (int j = 0; j < pattern_.n; ++j) {
      const double xj = x[j];
      double sum = mass_[start[j]] * xj;
      for (int k = start[j] + 1, end = start[j + 1]; k < end; ++k) {
        sum += mass_[k] * x[row[k]];
        y[row[k]] -= mass_[k] * xj;
      }
      y[j] -= sum;
    }
  }

 private:
  const SymmetricPattern& pattern_;
  const double* mass_;
  const LinearSolver& solver_;
  BareRows rows_;
  VecX& residual_;
};

}  // namespace

Index1Acceleration::Index1Acceleration(const Formulation& formulation, Workspace& work, LinearSolver& solver)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      solver_(solver),
      leading_(VecX::Zero(structure_.pattern.nonzeros())),
      narrow_(structure_, solver),
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
  if (!narrow_.empty()) return factorize_narrow(weight);
  const Equations& e = work_.equations;
  leading_ = e.mass;
  BareRows(structure_.jacobian, e.jacobian, is_twin_, &weight)
      .add_outer(
          structure_.jacobian, [&](int k) { return weight[k]; }, leading_.data());
  return solver_.factorize(leading_);
}

[[gnu::flatten]] CARDAN_BY_PROCESSOR int Index1Acceleration::factorize_narrow(const VecX& weight) {
  narrow_.read(work_.equations);
  return narrow_.with_size(
      structure_.coordinates, weight,
      [](const auto& system) __attribute__((always_inline)) { return system.factorize(); });
}

bool Index1Acceleration::solve(const VecX& weight, int limit, double tolerance, VecX& a, VecX& lambda) {
  contraction_ = 0;
  correction_count_ = 0;
  if (structure_.constraints == 0) {
    a = work_.equations.force;
    solver_.solve(a);
    return true;
  }
  if (!narrow_.empty()) return solve_narrow(weight, limit, tolerance, a.data(), lambda.data());
  const WideEquations system(structure_, work_.equations, solver_, is_twin_, weight, residual_);
  return iterate(system, weight, limit, tolerance, a.data(), residual_.data(), lambda.data());
}

[[gnu::flatten]] CARDAN_BY_PROCESSOR bool Index1Acceleration::solve_narrow(const VecX& weight, int limit,
                                                                           double tolerance, double* a,
                                                                           double* lambda) {
  double x[NarrowEquations::kStride] = {}, residual[NarrowEquations::kStride] = {};
  const bool solved = narrow_.with_size(
      structure_.coordinates, weight, [&](const auto& system) __attribute__((always_inline)) {
        return iterate(system, weight, limit, tolerance, x, residual, lambda);
      });
  for (int i = 0, n = structure_.coordinates; i < n; ++i) a[i] = x[i];
  return solved;
}

template <class System>
[[gnu::always_inline]] inline bool Index1Acceleration::iterate(const System& system, const VecX& weight, int limit,
                                                               double tolerance, double* a, double* residual,
                                                               double* lambda) {
  const Equations& e = work_.equations;
  const int n = system.size();
  const double *const w = weight.data(), *const gamma = e.gamma.data(), *const force = e.force.data();
  double* const violation = violation_.data();
  for (int k = 0; k < structure_.constraints; ++k) {
    if (w[k] == 0) lambda[k] = 0;
  }
  double before = 0;
  for (int iteration = 0; iteration < limit; ++iteration) {
    for (int i = 0; i < n; ++i) residual[i] = force[i];
    if (iteration == 0) {
      // T a = Q + Phi_q^T (w gamma - lambda), whatever `a` was
      system.add([&](int k) { return w[k] * gamma[k] - lambda[k]; }, residual);
      system.solve(residual);
      for (int i = 0; i < n; ++i) a[i] = residual[i];
    } else {
      // T da = Q - M a - Phi_q^T (lambda + w (Phi_q a - gamma))
      system.subtract_inertia(a, residual);
      system.add([&](int k) { return -(lambda[k] + w[k] * violation[k]); }, residual);
      system.solve(residual);
      for (int i = 0; i < n; ++i) a[i] += residual[i];
    }
    double largest = 0, worst = 0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(a[i]));
    system.multiply(a, [&](int k, double product) {
      violation[k] = product - gamma[k];
      lambda[k] += w[k] * violation[k];
      worst = std::max(worst, std::abs(violation[k]));
    });
    if (iteration > 0) {
      contraction_ = std::max(contraction_, worst / std::max(before, kNoticed * largest));
      if (worst <= tolerance * largest) return true;
      if (correction_count_ < kCorrections) {
        double* const correction = corrections_.col(correction_count_++).data();
        for (int i = 0; i < n; ++i) correction[i] = residual[i];
      }
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
