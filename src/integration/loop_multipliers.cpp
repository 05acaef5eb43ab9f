#include "integration/loop_multipliers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formulation/constraint_rank.hpp"
#include "math/decomposition/decompositions.hpp"
#include "math/rank.hpp"

namespace cardan {
namespace {

constexpr int kStartPasses = 30;
constexpr int kProjectionPasses = 8;
constexpr double kSmallestToClose = 200;  // kappa of the projections, as that of Newmark's
constexpr double kMendsLittle = 0.1;      // a further pass that leaves more than this part is taken back
// At rounding: what is left of each step adds up.
constexpr double kClosedPosition = 1e-14;  // times the size of the mechanism
constexpr double kClosedRate = 1e-14;      // times the largest velocity

}  // namespace

LoopSettings LoopSettings::for_options(const RunOptions& options, double length) {
  LoopSettings settings;
  settings.penalty = options.penalty;
  settings.projections = options.projections;
  settings.length = length;
  return settings;
}

LoopMultipliers::LoopMultipliers(const Formulation& formulation, const DirectDynamics& dynamics, Workspace& work,
                                 const LoopSettings& settings)
    : formulation_(formulation),
      dynamics_(dynamics),
      work_(work),
      settings_(settings),
      m_(formulation.structure().constraints),
      positions_(formulation.structure().position_constraints()),
      kappa_(settings.kappa_largest),
      closing_kappa_(kappa_) {
  if (m_ > 0) solver_ = make_linear_solver("dense", SymmetricPattern::full(m_));
  effective_mass_ = rate_ = second_ = violation_ = VecX::Zero(m_);
  compliance_ = leading_ = VecX::Zero(static_cast<Eigen::Index>(m_) * (m_ + 1) / 2);
  change_ = VecX::Zero(formulation.structure().coordinates);
}

StepStatus LoopMultipliers::start(State& state, ConstraintAnalysis& analysis) {
  const int n = formulation_.structure().coordinates;
  state.acceleration = state.algorithmic = VecX::Zero(n);
  state.lambda = VecX::Zero(m_);
  kappa_ = settings_.kappa_largest;
  const StepStatus status = sweep(state.t, state.q, state.v, state, state.lambda, state.acceleration);
  if (status != StepStatus::ok) return status;
  if (!analysed_) {
    analysis = analyse();
    effective_mass_ = analysis.effective_mass;
    analysed_ = true;
  }
  for (int pass = 0; pass < kStartPasses; ++pass) {
    const StepStatus solved = evaluate(state.t, state.q, state.v, state, state.acceleration, state.lambda);
    if (solved != StepStatus::ok) return solved;
    if (m_ == 0 || violation_.norm() <= 1e-14 * state.lambda.norm()) break;  // the multipliers have settled
  }
  state.algorithmic = state.acceleration;
  return StepStatus::ok;
}

double LoopMultipliers::kappa(const State& state, double h) const {
  const double way = h * formulation_.fastest_rate(state.v);
  return std::clamp(0.2 / (way * way), settings_.kappa_smallest, settings_.kappa_largest);
}

void LoopMultipliers::begin_step(const State& before, double h) {
  if (m_ == 0) return;
  kappa_ = kappa(before, h);
  closing_kappa_ = penalty_strength(formulation_, before.v, h, kSmallestToClose, settings_.kappa_largest);
}

/// Position, velocity and the accelerations of given multipliers.
StepStatus LoopMultipliers::sweep(double t, const VecX& q, const VecX& v, const State& reference, const VecX& lambda,
                                  VecX& a) {
  const StepStatus status = formulation_.position(t, q, reference, work_);
  if (status != StepStatus::ok) return status;
  formulation_.velocity(v, work_);
  singular_ = dynamics_.accelerate(lambda, work_, a);
  return singular_ >= 0 ? StepStatus::singular : StepStatus::ok;
}

StepStatus LoopMultipliers::evaluate(double t, const VecX& q, const VecX& v, const State& reference, VecX& a,
                                     VecX& lambda) {
  lambda = reference.lambda;
  const StepStatus status = sweep(t, q, v, reference, lambda, a);
  if (status != StepStatus::ok) return status;
  if (m_ > 0) {
    dynamics_.compliance(work_, compliance_);
    if (!factorize(kappa_, m_)) return StepStatus::singular;
    correct(a, lambda);
  }
  return a.allFinite() && lambda.allFinite() ? StepStatus::ok : StepStatus::not_finite;
}

/// lambda += (alpha^-1 + A)^-1 Phi'', as often as the settings say
void LoopMultipliers::correct(VecX& a, VecX& lambda) {
  dynamics_.constraint_rates(work_, rate_);
  dynamics_.constraint_accelerations(work_, second_);
  for (int pass = 0; pass < settings_.passes; ++pass) {
    violation_ = second_;
    solver_->solve(violation_);
    lambda += violation_;
    dynamics_.respond(violation_, work_, a);
    dynamics_.constraint_accelerations(work_, second_);
  }
}

/// Until the violation is below the tolerance. Close to a singular position some motions are hardly constrained: the
/// first pass leaves them almost as they are, and further ones, which would move them by the violation over a vanishing
/// number, are recognized by how little they mend and taken back.
template <class Violation, class Correct>
void LoopMultipliers::pass_until(double tolerance, const Violation& violation, const Correct& correct) {
  double last = 0;
  for (int pass = 0; pass < kProjectionPasses; ++pass) {
    violation_ = violation();
    const double worst = violation_.cwiseAbs().maxCoeff();
    if (worst <= tolerance) return;
    if (pass > 1 && worst > kMendsLittle * last) return correct(-change_);
    solver_->solve(violation_);
    change_.setZero();
    dynamics_.respond(violation_, work_, change_);
    correct(change_);
    last = worst;
  }
}

StepStatus LoopMultipliers::project(double t, const State& reference, VecX& q, VecX& v, VecX& a, VecX& lambda) {
  if (m_ == 0 || !settings_.projections) return StepStatus::ok;
  if (!factorize(closing_kappa_, positions_)) return StepStatus::singular;
  StepStatus status = StepStatus::ok;
  const VecX& phi = work_.equations.phi;
  // A of the position that rows are of: one of the position before would leave its change times the multipliers, which
  // are large where bodies are light.
  pass_until(
      kClosedPosition * settings_.length, [&]() -> const VecX& { return phi; },
      [&](const auto& correction) {
        q += correction;
        if (status == StepStatus::ok) status = sweep(t, q, v, reference, lambda, a);
        if (status != StepStatus::ok) return;
        dynamics_.compliance(work_, compliance_);
        if (!factorize(closing_kappa_, positions_)) status = StepStatus::singular;
      });
  if (status != StepStatus::ok) return status;
  if (positions_ < m_ && !factorize(closing_kappa_, m_)) return StepStatus::singular;
  const double scale = std::max(v.cwiseAbs().maxCoeff(), 1e-3 * settings_.length);
  pass_until(
      kClosedRate * scale,
      [&]() -> const VecX& {
        dynamics_.constraint_rates(work_, rate_);
        return rate_;
      },
      [&](const auto& correction) {
        v += correction;
        formulation_.velocity(v, work_);
      });
  singular_ = dynamics_.accelerate(lambda, work_, a);
  if (singular_ >= 0) return StepStatus::singular;
  correct(a, lambda);
  return a.allFinite() && lambda.allFinite() ? StepStatus::ok : StepStatus::not_finite;
}

/// alpha^-1 + A; alpha of the rows beyond the first `count` is as good as zero.
bool LoopMultipliers::factorize(double kappa, int count) {
  constexpr double kNone = 1e30;
  leading_ = compliance_;
  double* diagonal = leading_.data();
  for (int k = 0; k < m_; ++k) {
    *diagonal += 1 / settings_.penalty.value_or(kappa * effective_mass_[k]);
    diagonal += m_ - k;
  }
  for (int k = count; k < m_; ++k) leading_[k * m_ - k * (k - 1) / 2] *= kNone;
  return solver_->factorize(leading_) < 0;
}

/// Which constraints depend on earlier ones, and (A^-1)_kk of the rest.
ConstraintAnalysis LoopMultipliers::analyse() {
  ConstraintAnalysis result;
  result.effective_mass = VecX::Ones(m_);
  if (m_ == 0) return result;
  const Structure& s = formulation_.structure();
  const SparseRows rows = dimensionless(s, dynamics_.constraint_rows(work_));
  const VecX rounding = row_rounding(s, rows.start);
  result.redundant = dependent_rows(rows, rounding);
  dynamics_.compliance(work_, compliance_);
  Eigen::MatrixXd full(m_, m_);
  const double* entry = compliance_.data();
  for (int j = 0; j < m_; ++j) {
    for (int i = j; i < m_; ++i) full(i, j) = full(j, i) = *entry++;
  }
  std::vector<int> independent;
  for (int k = 0; k < m_; ++k) {
    if (!std::binary_search(result.redundant.begin(), result.redundant.end(), k)) independent.push_back(k);
  }
  const Eigen::MatrixXd A = full(independent, independent);
  const VecX inverse = solve_square(A, Eigen::MatrixXd::Identity(A.rows(), A.cols())).diagonal();
  VecX mass = VecX::Zero(m_);
  for (std::size_t i = 0; i < independent.size(); ++i) {
    const int k = independent[i];
    mass[k] = std::isfinite(inverse[i]) ? std::max(inverse[i], 1 / A(i, i)) : 0;
  }
  result.effective_mass = even_masses(s, rows, rounding, result.redundant, mass, 1);
  return result;
}

std::pair<double, double> LoopMultipliers::penalty_range(const State& state, double h) const {
  if (m_ == 0) return {0, 0};
  if (settings_.penalty) return {*settings_.penalty, *settings_.penalty};
  return {kappa(state, h) * effective_mass_.minCoeff(), kappa(state, h) * effective_mass_.maxCoeff()};
}

}  // namespace cardan
