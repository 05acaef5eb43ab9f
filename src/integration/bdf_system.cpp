#include "integration/bdf_system.hpp"

#include <algorithm>

#include "integration/bdf.hpp"

namespace cardan {

BdfSystem::BdfSystem(const Formulation& formulation, Workspace& work, std::vector<int> rows, int index,
                     double constraint_scale)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      rows_(std::move(rows)),
      stabilized_(index == 2),
      scale_(stabilized_ ? 1 : constraint_scale),
      n_(structure_.coordinates),
      m_(static_cast<int>(rows_.size())),
      derivatives_(structure_),
      q_(VecX::Zero(n_)),
      v_(q_),
      a_(q_),
      lambda_(VecX::Zero(structure_.constraints)),
      product_(q_) {}

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

void BdfSystem::mark(const BdfSettings& settings, const State& state, double* kind, double* tolerance) const {
  const double force = 1 + (state.lambda.size() ? state.lambda.cwiseAbs().maxCoeff() : 0);
  for (int i = 0; i < size(); ++i) {
    const bool position = i < n_, velocity = i >= n_ && i < 2 * n_;
    kind[i] = position || (velocity && stabilized_) ? 1 : 0;
    // Newton's iteration looks at the multipliers too, but they need not be sharp.
    tolerance[i] = settings.absolute_tolerance * (position ? 1 : velocity ? 10 : i < 2 * n_ + m_ ? 1e3 * force : 10);
  }
}

StepStatus BdfSystem::evaluate(double t, const double* y, const double* rate) {
  q_ = Eigen::Map<const VecX>(y, n_);
  v_ = Eigen::Map<const VecX>(y + n_, n_);
  a_ = Eigen::Map<const VecX>(rate + n_, n_);
  lambda_.setZero();
  for (int k = 0; k < m_; ++k) lambda_[rows_[k]] = y[2 * n_ + k];
  const StepStatus status = formulation_.position(t, q_, *reference_, work_);
  if (status != StepStatus::Ok) return status;
  formulation_.velocity(v_, work_);
  formulation_.gamma(work_);
  formulation_.dynamics(work_);
  return StepStatus::Ok;
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
    if (stabilized_) {
      result[2 * n_ + k] = row_times(J, e.jacobian, row, v_) + e.phi_t[row];
      const double mu = y[2 * n_ + m_ + k];
      for (int p = J.start[row]; p < J.start[row + 1]; ++p) result[J.column[p]] += mu * e.jacobian[p];
    }
    result[size() - m_ + k] = scale_ * e.phi[row];
  }
}

/// dF/dy + c dF/dy'; the derivative of Phi_q^T mu is left out, mu being nothing but rounding and error.
void BdfSystem::write_jacobian(double c, SUNMatrix matrix) {
  const Equations& e = work_.equations;
  const RowPattern& J = structure_.jacobian;
  formulation_.differentiate(a_, lambda_, work_, derivatives_);
  SUNMatZero(matrix);
  const auto entry = [&](int i, int j) -> double& { return SM_COLUMN_D(matrix, j)[i]; };
  for (int j = 0; j < n_; ++j) {
    entry(j, j) = c;
    entry(j, n_ + j) = -1;
    for (int i = 0; i < n_; ++i) {
      entry(n_ + i, j) = derivatives_.stiffness(i, j);
      entry(n_ + i, n_ + j) = derivatives_.damping(i, j);
    }
    for (int p = structure_.pattern.column_start[j]; p < structure_.pattern.column_start[j + 1]; ++p) {
      const int i = structure_.pattern.row[p];
      entry(n_ + i, n_ + j) += c * e.mass[p];
      if (i != j) entry(n_ + j, n_ + i) += c * e.mass[p];
    }
  }
  const int last = size() - m_;
  for (int k = 0; k < m_; ++k) {
    const int row = rows_[k];
    for (int p = J.start[row]; p < J.start[row + 1]; ++p) {
      const int j = J.column[p];
      entry(n_ + j, 2 * n_ + k) = e.jacobian[p];
      entry(last + k, j) = scale_ * e.jacobian[p];
      if (!stabilized_) continue;
      entry(j, 2 * n_ + m_ + k) = e.jacobian[p];
      entry(2 * n_ + k, n_ + j) = e.jacobian[p];
    }
    for (int j = 0; stabilized_ && j < n_; ++j) entry(2 * n_ + k, j) = derivatives_.rate(row, j);
  }
}

int BdfSystem::residual(double t, N_Vector y, N_Vector rate, N_Vector result, void* system) {
  BdfSystem& self = *static_cast<BdfSystem*>(system);
  if (self.evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate)) != StepStatus::Ok) return 1;
  self.write_residual(N_VGetArrayPointer(y), N_VGetArrayPointer(rate), N_VGetArrayPointer(result));
  return 0;
}

int BdfSystem::jacobian(double t, double c, N_Vector y, N_Vector rate, N_Vector, SUNMatrix matrix, void* system,
                        N_Vector, N_Vector, N_Vector) {
  BdfSystem& self = *static_cast<BdfSystem*>(system);
  if (self.evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate)) != StepStatus::Ok) return 1;
  self.write_jacobian(c, matrix);
  return 0;
}

}  // namespace cardan
