#include "integration/loop_multipliers.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

namespace cardan {
namespace {

constexpr double kDependent = 1e-11;  // squared distance of a unit row from the span of the earlier ones
constexpr int kStartPasses = 30;

}  // namespace

LoopSettings LoopSettings::for_options(const RunOptions& options) {
  LoopSettings settings;
  settings.penalty = options.penalty;
  return settings;
}

LoopMultipliers::LoopMultipliers(const Formulation& formulation, const DirectDynamics& dynamics, Workspace& work,
                                 const LoopSettings& settings)
    : formulation_(formulation),
      dynamics_(dynamics),
      work_(work),
      settings_(settings),
      m_(formulation.structure().constraints),
      kappa_(settings.kappa_largest) {
  if (m_ > 0) solver_ = make_linear_solver("dense", SymmetricPattern::full(m_));
  effective_mass_ = rate_ = second_ = violation_ = VecX::Zero(m_);
  compliance_ = VecX::Zero(static_cast<Eigen::Index>(m_) * (m_ + 1) / 2);
}

StepStatus LoopMultipliers::start(State& state, ConstraintAnalysis& analysis) {
  const int n = formulation_.structure().coordinates;
  state.acceleration = state.algorithmic = VecX::Zero(n);
  state.lambda = VecX::Zero(m_);
  kappa_ = settings_.kappa_largest;
  frequency_ = 0;
  const StepStatus status = formulation_.position(state.t, state.q, state, work_);
  if (status != StepStatus::Ok) return status;
  formulation_.velocity(state.v, work_);
  singular_ = dynamics_.accelerate(state.lambda, work_, state.acceleration);
  if (singular_ >= 0) return StepStatus::Singular;
  if (!analysed_) {
    analysis = analyse();
    effective_mass_ = analysis.effective_mass;
    analysed_ = true;
  }
  for (int pass = 0; pass < kStartPasses; ++pass) {
    const StepStatus solved = evaluate(state.t, state.q, state.v, state, state.acceleration, state.lambda);
    if (solved != StepStatus::Ok) return solved;
    if (m_ == 0 || violation_.norm() <= 1e-14 * state.lambda.norm()) break;
  }
  state.algorithmic = state.acceleration;
  return StepStatus::Ok;
}

double LoopMultipliers::kappa(const State& state, double h) const {
  const double way = h * state.v.cwiseQuotient(formulation_.structure().scale).cwiseAbs().maxCoeff();
  return std::clamp(0.2 / (way * way), settings_.kappa_smallest, settings_.kappa_largest);
}

void LoopMultipliers::begin_step(const State& before, double h) {
  if (m_ > 0) kappa_ = kappa(before, h);
  frequency_ = settings_.frequency / h;
}

StepStatus LoopMultipliers::evaluate(double t, const VecX& q, const VecX& v, const State& reference, VecX& a,
                                     VecX& lambda) {
  const StepStatus status = formulation_.position(t, q, reference, work_);
  if (status != StepStatus::Ok) return status;
  formulation_.velocity(v, work_);
  lambda = reference.lambda;
  singular_ = dynamics_.accelerate(lambda, work_, a);
  if (singular_ >= 0 || (m_ > 0 && !factorize())) return StepStatus::Singular;
  if (m_ > 0) correct(a, lambda);
  return a.allFinite() && lambda.allFinite() ? StepStatus::Ok : StepStatus::NonFinite;
}

/// lambda += (alpha^-1 + A)^-1 s
void LoopMultipliers::correct(VecX& a, VecX& lambda) {
  dynamics_.constraint_rates(work_, rate_);
  dynamics_.constraint_accelerations(work_, second_);
  violation_ = second_ + (2 * settings_.damping * frequency_) * rate_ + (frequency_ * frequency_) * work_.equations.phi;
  solver_->solve(violation_);
  lambda += violation_;
  dynamics_.respond(violation_, work_, a);
  dynamics_.constraint_accelerations(work_, second_);
}

/// alpha^-1 + A
bool LoopMultipliers::factorize() {
  dynamics_.compliance(work_, compliance_);
  double* diagonal = compliance_.data();
  for (int k = 0; k < m_; ++k) {
    *diagonal += 1 / penalty(k);
    diagonal += m_ - k;
  }
  return solver_->factorize(compliance_) < 0;
}

/// Which constraints depend on earlier ones, by Cholesky's pivots of A scaled to a unit diagonal, and (A^-1)_kk of the
/// rest.
ConstraintAnalysis LoopMultipliers::analyse() {
  ConstraintAnalysis result;
  result.effective_mass = VecX::Ones(m_);
  if (m_ == 0) return result;
  dynamics_.compliance(work_, compliance_);
  Eigen::MatrixXd A(m_, m_);
  const double* entry = compliance_.data();
  for (int j = 0; j < m_; ++j) {
    for (int i = j; i < m_; ++i) A(i, j) = A(j, i) = *entry++;
  }
  std::vector<int> independent;
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(m_, m_);  // rows of independent constraints
  for (int k = 0; k < m_; ++k) {
    const int rank = static_cast<int>(independent.size());
    VecX row(rank);
    for (int i = 0; i < rank; ++i) {
      const int j = independent[i];
      row[i] = (A(k, j) - row.head(i).dot(L.row(i).head(i))) / L(i, i);
    }
    const double rest = A(k, k) - row.squaredNorm();
    if (A(k, k) > 0) result.effective_mass[k] = 1 / A(k, k);
    if (!(rest > kDependent * A(k, k))) {
      result.redundant.push_back(k);
      continue;
    }
    L.row(rank).head(rank) = row.transpose();
    L(rank, rank) = std::sqrt(rest);
    independent.push_back(k);
  }
  const int rank = static_cast<int>(independent.size());
  const Eigen::MatrixXd inverse =
      L.topLeftCorner(rank, rank).triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(rank, rank));
  for (int i = 0; i < rank; ++i) {
    double& mass = result.effective_mass[independent[i]];
    mass = std::max(mass, inverse.col(i).squaredNorm());
  }
  return result;
}

std::pair<double, double> LoopMultipliers::penalty_range(const State& state, double h) const {
  if (m_ == 0) return {0, 0};
  if (settings_.penalty) return {*settings_.penalty, *settings_.penalty};
  return {kappa(state, h) * effective_mass_.minCoeff(), kappa(state, h) * effective_mass_.maxCoeff()};
}

}  // namespace cardan
