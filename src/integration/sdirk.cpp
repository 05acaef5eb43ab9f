#include "integration/sdirk.hpp"

#include <algorithm>
#include <cmath>

#include "math/decomposition/decompositions.hpp"

namespace cardan {
namespace {

constexpr int kIterationLimit = 40;  // a step that needs more has failed
constexpr int kRenewals = 2;         // of the matrices of a step, where increments shrink slowly

// Close to a singular position the stages feel what is hardly constrained through -2 sigma' / sigma of its velocity,
// and their equations have a solution only while g h sqrt(kappa) sigma' < 1: the zone left alone must be some steps
// wide.
constexpr double kZoneInSteps = 10;
constexpr double kWeakestPenalty = 20;

/// A += weight row^T other, rows of the same pattern.
void add_outer(const RowPattern& p, const VecX& row, const VecX& other, int k, double weight, Eigen::MatrixXd& A) {
  for (int a = p.start[k]; a < p.start[k + 1]; ++a) {
    for (int b = p.start[k]; b < p.start[k + 1]; ++b) A(p.column[a], p.column[b]) += weight * row[a] * other[b];
  }
}

}  // namespace

SdirkIntegrator::SdirkIntegrator(const Formulation& formulation, Workspace& work, const ButcherTableau& tableau,
                                 const RungeKuttaSettings& settings)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      tableau_(tableau),
      settings_(settings),
      equations_(formulation, work, settings.solver, settings.length),
      end_(solve_square(tableau.A.transpose(), tableau.b)),
      leading_(structure_.coordinates) {}

StepStatus SdirkIntegrator::start(State& state) {
  const int n = structure_.coordinates, m = structure_.constraints, s = tableau_.stages();
  state.acceleration = q_ = v_ = A_ = e_q_ = e_v_ = sum_ = VecX::Zero(n);
  state.lambda = lambda_ = VecX::Zero(m);
  z_q_ = z_v_ = dz_q_ = dz_v_ = stage_a_ = Eigen::MatrixXd::Zero(n, s);
  stage_lambda_ = Eigen::MatrixXd::Zero(m, s);
  mass_ = damping_ = stiffness_ = Eigen::MatrixXd::Zero(n, n);
  const StepStatus status = start_accelerations(equations_.acceleration(), structure_, work_, state);
  state.algorithmic = state.acceleration;
  jacobian_ = jacobian_rate_ = work_.equations.jacobian;
  equations_.start(analysis_, state);
  before_ = state;
  return status;
}

StepStatus SdirkIntegrator::step(State& state, double h) {
  report_ = StepReport{};
  report_.taken = h;
  report_.repartitioned = formulation_.prepare(state, false, work_);
  before_ = state;
  StepStatus status = iterate(state, h);
  // Rows that were well chosen some time ago may have become hardly independent.
  const bool badly_chosen = equations_.weak() && equations_.chooses_rows();
  if (status == StepStatus::Ok && !badly_chosen) return status;
  state = before_;
  const bool other_rows = equations_.choose_again(state);
  const bool other_coordinates = status != StepStatus::Ok && formulation_.prepare(state, true, work_);
  if (!other_rows && !other_coordinates) return status;
  report_.repartitioned = other_coordinates;
  before_ = state;
  status = iterate(state, h);
  if (status != StepStatus::Ok) state = before_;
  return status;
}

StepStatus SdirkIntegrator::iterate(State& state, double h) {
  const int stages = tableau_.stages();
  const double t1 = before_.t + h;
  equations_.clear_weak();
  equations_.set_weight(penalty_strength(structure_, before_.v, kZoneInSteps * h, kWeakestPenalty, settings_.kappa),
                        before_);
  q_ = before_.q;
  v_ = before_.v;
  StepStatus status = freeze(h, before_.t);
  if (status != StepStatus::Ok) return status;
  for (int i = 0; i < stages; ++i) {
    const double ch = tableau_.c[i] * h;
    z_q_.col(i) = ch * before_.v + (0.5 * ch * ch) * before_.acceleration;
    z_v_.col(i) = ch * before_.acceleration;
    stage_a_.col(i) = before_.acceleration;
    stage_lambda_.col(i) = before_.lambda;
  }
  double first = 0, previous = 0;
  int slow = 0, renewals = 0;
  for (int iteration = 1;; ++iteration) {
    for (int i = 0; i < stages; ++i) {
      status = correct(i, h);
      if (status != StepStatus::Ok) return status;
    }
    ++report_.iterations;
    sum_.noalias() = dz_q_ * end_;  // dy = b^T A^-1 dz
    report_.increment = settings_.tolerance ? sum_.norm() : sum_.cwiseQuotient(structure_.scale).norm();
    if (!std::isfinite(report_.increment)) return StepStatus::NonFinite;
    if (iteration == 1) first = report_.increment;
    const bool converged = has_converged(first);
    if (settings_.iteration_budget > 0 ? iteration >= settings_.iteration_budget : converged) {
      report_.stagnated = !converged;
      break;
    }
    slow = iteration > 1 && report_.increment > 0.5 * previous ? slow + 1 : 0;
    if (slow >= 2 && renewals < kRenewals) {
      // Matrices of the middle of the step, which is known by now.
      ++renewals;
      slow = 0;
      q_ = before_.q + 0.5 * z_q_.col(stages - 1);
      v_ = before_.v + 0.5 * z_v_.col(stages - 1);
      status = freeze(h, before_.t + 0.5 * tableau_.c[stages - 1] * h);
      if (status != StepStatus::Ok) return status;
    }
    if (settings_.iteration_budget == 0 && slow >= 5 && report_.increment < 1e-6) {
      report_.stagnated = true;
      break;
    }
    if (settings_.iteration_budget == 0 && iteration >= kIterationLimit) return StepStatus::NotConverged;
    previous = report_.increment;
  }
  if (report_.increment > 0) sum_.cwiseAbs().maxCoeff(&report_.worst_coordinate);

  // y1 = y0 + b^T A^-1 z
  q_ = before_.q;
  v_ = before_.v;
  q_.noalias() += z_q_ * end_;
  v_.noalias() += z_v_ * end_;
  A_ = stage_a_.col(stages - 1);
  lambda_ = stage_lambda_.col(stages - 1);
  for (bool again = settings_.projections;; again = false) {
    equations_.set_weight(settings_.kappa, state);
    if (settings_.projections) status = equations_.project(t1, before_, q_, v_, report_);
    if (status == StepStatus::Ok) status = equations_.accelerate_through(t1, h, q_, v_, before_, A_, lambda_, report_);
    if (status != StepStatus::Ok || !again || !equations_.choose_others(v_, A_, state)) break;
  }
  if (status != StepStatus::Ok) return status;
  measure_violation(structure_, work_.equations, v_, A_, settings_.length);
  if (!v_.allFinite()) return StepStatus::NonFinite;

  state.t = t1;
  state.q = q_;
  state.v = v_;
  state.acceleration = state.algorithmic = A_;
  state.lambda = lambda_;
  return formulation_.accept(before_, state, work_);
}

/// Mb, Cb, K and the leading matrix at (t, q_, v_).
StepStatus SdirkIntegrator::freeze(double h, double t) {
  const Equations& e = work_.equations;
  const Structure& s = structure_;
  const double gh = tableau_.A(0, 0) * h;
  StepStatus status = equations_.acceleration().evaluate(t, q_, v_, before_);
  if (status != StepStatus::Ok) return status;
  mass_.setZero();
  damping_.setZero();
  stiffness_.setZero();
  for (int j = 0; j < s.coordinates; ++j) {
    for (int p = s.pattern.column_start[j]; p < s.pattern.column_start[j + 1]; ++p) {
      mass_(s.pattern.row[p], j) = mass_(j, s.pattern.row[p]) = e.mass[p];
    }
  }
  for (int k = 0; k < s.loads.rows(); ++k) {
    add_outer(s.loads, e.load_gradient, e.load_gradient, k, e.stiffness[k], stiffness_);
    add_outer(s.loads, e.load_gradient, e.load_gradient, k, e.damping[k], damping_);
  }
  if (s.constraints > 0) {
    const VecX& w = equations_.weight();
    jacobian_ = e.jacobian;
    q_ += gh * v_;
    status = formulation_.position(t, q_, before_, work_);
    if (status != StepStatus::Ok) return status;
    jacobian_rate_ = (e.jacobian - jacobian_) / gh;
    for (int k = 0; k < s.constraints; ++k) {
      add_outer(s.jacobian, jacobian_, jacobian_, k, w[k], mass_);
      add_outer(s.jacobian, jacobian_, jacobian_rate_, k, w[k], damping_);
    }
  }
  leading_.matrix() = mass_ + gh * damping_ + (gh * gh) * stiffness_;
  ++report_.factorizations;
  report_.singular_coordinate = leading_.factorize();
  return report_.singular_coordinate < 0 ? StepStatus::Ok : StepStatus::Singular;
}

/// One Newton correction of stage i.
StepStatus SdirkIntegrator::correct(int i, double h) {
  const double gh = tableau_.A(0, 0) * h;
  q_ = before_.q + z_q_.col(i);
  v_ = before_.v + z_v_.col(i);
  A_ = stage_a_.col(i);
  lambda_ = stage_lambda_.col(i);
  const StepStatus status = equations_.accelerate(before_.t + tableau_.c[i] * h, q_, v_, before_, A_, lambda_, report_);
  if (status != StepStatus::Ok) return status;
  stage_a_.col(i) = A_;
  stage_lambda_.col(i) = lambda_;

  // e_q, and in sum_ what Mb multiplies
  e_q_ = -z_q_.col(i);
  sum_ = z_v_.col(i);
  for (int j = 0; j <= i; ++j) {
    const double ha = h * tableau_.A(i, j);
    e_q_ += ha * (before_.v + z_v_.col(j));
    sum_ -= ha * stage_a_.col(j);
  }
  e_v_.noalias() = mass_ * sum_;
  e_v_ = -e_v_;
  for (int j = 0; j < i; ++j) {
    // z_j holds its correction of this iteration already: v_j above is the corrected one, the accelerations are not.
    const double ha = h * tableau_.A(i, j);
    e_v_.noalias() -= ha * (stiffness_ * dz_q_.col(j));
    e_v_.noalias() -= ha * (damping_ * dz_v_.col(j));
  }
  e_v_.noalias() -= gh * (stiffness_ * e_q_);
  leading_.solve(e_v_);
  dz_v_.col(i) = e_v_;
  dz_q_.col(i) = e_q_ + gh * e_v_;
  z_v_.col(i) += dz_v_.col(i);
  z_q_.col(i) += dz_q_.col(i);
  return StepStatus::Ok;
}

/// Automatic: far below the local truncation error, of which the first increment is a measure.
bool SdirkIntegrator::has_converged(double first) const {
  if (settings_.tolerance) return report_.increment <= *settings_.tolerance;
  return report_.increment <= std::clamp(1e-6 * first, 1e-13, 1e-9);
}

}  // namespace cardan
