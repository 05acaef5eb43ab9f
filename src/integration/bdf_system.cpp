#include "integration/bdf_system.hpp"

#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/bdf.hpp"
#include "integration/matrix_entries.hpp"

namespace cardan {
BdfSystem::BdfSystem(const Formulation& formulation, Workspace& work, std::vector<int> rows,
                     const BdfSettings& settings)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      rows_(std::move(rows)),
      settings_(settings),
      stabilized_(settings.index == 2),
      scale_(stabilized_ ? 1 : 1 / (settings.typical_step * settings.typical_step)),
      rate_scale_(stabilized_ ? 1 : 1 / settings.typical_step),
      n_(structure_.coordinates),
      m_(static_cast<int>(rows_.size())),
      positions_(static_cast<int>(
          std::count_if(rows_.begin(), rows_.end(), [&](int row) { return row < structure_.position_constraints(); }))),
      derivatives_(structure_),
      q_(VecX::Zero(n_)),
      v_(q_),
      a_(q_),
      lambda_(VecX::Zero(structure_.constraints)),
      product_(q_),
      matrix_(size(), entries()),
      jacobian_point_{VecX::Zero(size()), VecX::Zero(size())},
      tested_(VecX::Zero(2 * n_)),
      tangent_(stabilized_ ? 0 : n_ + m_, tangent_entries()),
      tangent_mass_(VecX::Zero(structure_.pattern.nonzeros())),
      tangent_part_(VecX::Zero(n_ + m_)) {}

void BdfSystem::pack(const State& state, double* y, double* rate) const {
  std::fill(y, y + size(), 0.0);
  std::fill(rate, rate + size(), 0.0);
  for (int i = 0; i < n_; ++i) {
    y[i] = state.q[i];
    y[n_ + i] = rate[i] = state.v[i];
    rate[n_ + i] = state.acceleration[i];
  }
  for (int k = 0; k < m_; ++k) y[2 * n_ + k] = state.lambda[rows_[k]];
}

void BdfSystem::unpack(const double* y, const double* rate, State& state) const {
  for (int i = 0; i < n_; ++i) {
    state.q[i] = y[i];
    state.v[i] = y[n_ + i];
    state.acceleration[i] = state.algorithmic[i] = rate[n_ + i];
  }
  state.lambda.setZero();
  for (int k = 0; k < m_; ++k) state.lambda[rows_[k]] = y[2 * n_ + k];
}

void BdfSystem::mark(double* kind) const {
  for (int i = 0; i < size(); ++i) kind[i] = i < 2 * n_ ? 1 : 0;
}

double BdfSystem::position_tolerance(int i, double q) const {
  return settings_.error.of_position(q, q, 1, structure_.scale[i]);
}

double BdfSystem::first_step(const State& state) const {
  double most = 0;  // h^2/2 |q''| is the error of the first step, of order one
  for (int i = 0; i < n_; ++i) {
    most = std::max(most, std::abs(state.acceleration[i]) / position_tolerance(i, state.q[i]));
  }
  return most > 0 ? 0.5 / std::sqrt(most) : 0;
}

int BdfSystem::weights(N_Vector at, N_Vector result, void* system) {
  constexpr double kRounding = 300 * std::numeric_limits<double>::epsilon();
  constexpr double kNoWeight = 1e-20;  // IDA wants it above zero
  BdfSystem& self = *static_cast<BdfSystem*>(system);
  const double* y = N_VGetArrayPointer(at);
  double* weight = N_VGetArrayPointer(result);
  const int n = self.n_;
  const double root = std::sqrt(static_cast<double>(self.size()));
  for (int i = 0; i < n; ++i) {
    const double q = y[i], v = y[n + i];
    weight[i] = root / self.position_tolerance(i, q);
    weight[n + i] = root / self.settings_.error.of_velocity(v, v, 1);
    if (self.stabilized_) continue;
    self.tested_[i] = weight[i];
    self.tested_[n + i] = weight[n + i];
    if (self.h_ > 0) {
      weight[n + i] = std::min(weight[n + i], root * self.h_ / (kRounding * std::max(1.0, std::abs(q))));
    }
  }
  // Multipliers converge with the velocities that they act on; their own rounding grows with 1/h and says nothing.
  std::fill(weight + 2 * n, weight + self.size(), kNoWeight);
  if (!self.stabilized_) self.factorize_tangent(y);
  return 0;
}

/// [M Phi_q^T; Phi_q 0] at the start of the step, whatever was evaluated before.
void BdfSystem::factorize_tangent(const double* y) {
  q_ = Eigen::Map<const VecX>(y, n_);
  v_ = Eigen::Map<const VecX>(y + n_, n_);
  tangent_known_ = formulation_.position(reference_->t, q_, *reference_, work_) == StepStatus::ok;
  if (!tangent_known_) return;
  formulation_.velocity(v_, work_);
  formulation_.dynamics(work_);
  tangent_mass_ = work_.equations.mass;
  double* value = tangent_.values().data();
  const auto row_of = [&](int k) { return rows_[k]; };
  each_of_pair(structure_, work_.equations, m_, row_of, [&](int, int, double entry) { *value++ = entry; });
  tangent_known_ = tangent_.factorize() < 0;
}

/// Index 3 gives velocities across the constraints by differences of positions, an order lower, and the multipliers
/// absorb them: they say nothing of the motion. M-orthogonal to them is x with M x + Phi_q^T s = M v, Phi_q x = 0.
double BdfSystem::tangent_norm(const double* x) {
  v_ = Eigen::Map<const VecX>(x + n_, n_);
  if (tangent_known_) {
    product_.setZero();
    multiply_add(structure_.pattern, tangent_mass_, v_, product_);
    tangent_part_.head(n_) = product_;
    tangent_part_.tail(m_).setZero();
    tangent_.solve(tangent_part_.data());
    v_ = tangent_part_.head(n_);
  }
  double sum = 0;
  for (int i = 0; i < n_; ++i) {
    const double q = x[i] * tested_[i], v = v_[i] * tested_[n_ + i];
    sum += q * q + v * v;
  }
  return std::sqrt(sum / size());
}

StepStatus BdfSystem::evaluate(double t, const double* y, const double* rate) {
  q_ = Eigen::Map<const VecX>(y, n_);
  v_ = Eigen::Map<const VecX>(y + n_, n_);
  a_ = Eigen::Map<const VecX>(rate + n_, n_);
  lambda_.setZero();
  for (int k = 0; k < m_; ++k) lambda_[rows_[k]] = y[2 * n_ + k];
  const StepStatus status = formulation_.position(t, q_, *reference_, work_);
  if (status != StepStatus::ok) return status;
  formulation_.velocity(v_, work_);
  formulation_.dynamics(work_);
  return StepStatus::ok;
}

void BdfSystem::write_residual(const double* y, const double* rate, double* result) {
  const Equations& e = work_.equations;
  const RowPattern& J = structure_.jacobian;
  product_ = -e.force;
  multiply_add(structure_.pattern, e.mass, a_, product_);
  for (int k : rows_) add_row(J, e.jacobian, k, lambda_[k], product_);
  for (int i = 0; i < n_; ++i) {
    result[i] = rate[i] - v_[i];
    result[n_ + i] = product_[i];
  }
  for (int k = 0; k < m_; ++k) {
    const int row = rows_[k];
    if (stabilized_ || k >= positions_)
      result[2 * n_ + k] = rate_scale_ * (row_times(J, e.jacobian, row, v_) + e.phi_t[row]);
    if (k >= positions_) continue;
    if (stabilized_) {
      const double mu = y[2 * n_ + m_ + k];
      for (int p = J.start[row]; p < J.start[row + 1]; ++p) result[J.column[p]] += mu * e.jacobian[p];
    }
    result[position_row(k)] = scale_ * e.phi[row];
  }
}

/// dF/dy + c dF/dy'; the derivative of Phi_q^T mu is left out, mu being nothing but rounding and error.
template <class Visit>
void BdfSystem::each_entry(double c, const Visit& visit) const {
  const Equations& e = work_.equations;
  const RowPattern& J = structure_.jacobian;
  for (int j = 0; j < n_; ++j) {
    visit(j, j, c);
    visit(j, n_ + j, -1);
  }
  const VecX &stiffness = derivatives_.stiffness.values(), &damping = derivatives_.damping.values();
  each_of_blocks(structure_.tangent, [&](int i, int j, int at) {
    visit(n_ + i, j, stiffness[at]);
    visit(n_ + i, n_ + j, damping[at]);
  });
  each_of_mass(structure_, e.mass, [&](int i, int j, double mass) { visit(n_ + i, n_ + j, c * mass); });
  for (int k = 0; k < m_; ++k) {
    const int row = rows_[k];
    const bool of_position = k < positions_, of_rate = stabilized_ || !of_position;
    for (int p = J.start[row]; p < J.start[row + 1]; ++p) {
      const int j = J.column[p];
      const double entry = e.jacobian[p];
      visit(n_ + j, 2 * n_ + k, entry);
      if (of_position) visit(position_row(k), j, scale_ * entry);
      if (of_rate) visit(2 * n_ + k, n_ + j, rate_scale_ * entry);
      if (of_rate) visit(2 * n_ + k, j, rate_scale_ * derivatives_.rate[p]);
      if (stabilized_ && of_position) visit(j, 2 * n_ + m_ + k, entry);
    }
  }
}

std::vector<SparseLu::Entry> BdfSystem::entries() const {
  std::vector<SparseLu::Entry> result;
  each_entry(1, [&](int row, int column, double) { result.push_back({row, column}); });
  return result;
}

std::vector<SparseLu::Entry> BdfSystem::tangent_entries() const {
  std::vector<SparseLu::Entry> result;
  if (stabilized_) return result;
  const auto row_of = [&](int k) { return rows_[k]; };
  each_of_pair(structure_, work_.equations, m_, row_of, [&](int row, int column, double) {
    result.push_back({row, column});
  });
  return result;
}

int BdfSystem::residual(double t, N_Vector y, N_Vector rate, N_Vector result, void* system) {
  BdfSystem& self = *static_cast<BdfSystem*>(system);
  if (self.evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate)) != StepStatus::ok) return 1;
  self.write_residual(N_VGetArrayPointer(y), N_VGetArrayPointer(rate), N_VGetArrayPointer(result));
  return 0;
}

int BdfSystem::jacobian(double t, double c, N_Vector y, N_Vector rate, N_Vector, SUNMatrix matrix, void* system,
                        N_Vector, N_Vector, N_Vector) {
  BdfSystem& self = *static_cast<BdfSystem*>(system);
  if (self.evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate)) != StepStatus::ok) return 1;
  self.formulation_.differentiate(self.a_, self.lambda_, self.work_, self.derivatives_);
  if (matrix && SUNMatGetID(matrix) == SUNMATRIX_DENSE) {
    SUNMatZero(matrix);
    self.each_entry(c, [&](int i, int j, double entry) { SM_ELEMENT_D(matrix, i, j) += entry; });
  } else {
    double* value = self.matrix_.values().data();
    self.each_entry(c, [&](int, int, double entry) { *value++ = entry; });
  }
  self.jacobian_point_.y = Eigen::Map<const VecX>(N_VGetArrayPointer(y), self.size());
  self.jacobian_point_.rate = Eigen::Map<const VecX>(N_VGetArrayPointer(rate), self.size());
  self.jacobian_point_.t = t;
  self.jacobian_point_.c = c;
  return 0;
}

}  // namespace cardan
