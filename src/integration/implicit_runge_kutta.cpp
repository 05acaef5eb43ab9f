#include "integration/implicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>

#include "math/decomposition/decompositions.hpp"

namespace cardan {
namespace {

constexpr int kIterationLimit = 40;      // a step that needs more has failed
constexpr double kLastIncrement = 1e-9;  // of a step, relative to the scales of the coordinates
constexpr double kRestOfError = 1e-7;    // of the local truncation error
constexpr double kHardlyShrinks = 0.9;   // of the increment before
constexpr double kSlow = 0.5;            // likewise: other matrices are worth their while
constexpr double kAtRounding = 1e-13;    // of the scales
constexpr double kRounding = 1e-15;      // of what a step changes velocities by
constexpr int kRenewals = 2;             // of the matrices of a step, where increments shrink slowly
constexpr int kSecants = 6;              // kept where that does not help and a step is taken again

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

ImplicitRungeKutta::ImplicitRungeKutta(const Formulation& formulation, Workspace& work, const ButcherTableau& tableau,
                                       const RungeKuttaSettings& settings)
    : Integrator(formulation, work, settings.length),
      tableau_(tableau),
      settings_(settings),
      equations_(formulation, work, settings.solver, settings.length),
      one_by_one_(tableau.is_singly_diagonal()),
      gamma_(tableau.A.trace() / tableau.stages()),
      square_(tableau.A * tableau.A),
      end_(solve_square(tableau.A.transpose(), tableau.b)),
      leading_(one_by_one_ ? structure_.coordinates : structure_.coordinates * tableau.stages()) {}

StepStatus ImplicitRungeKutta::start(State& state) {
  const int n = structure_.coordinates, m = structure_.constraints, s = tableau_.stages();
  state.acceleration = q_ = v_ = A_ = e_q_ = e_v_ = sum_ = VecX::Zero(n);
  state.lambda = lambda_ = VecX::Zero(m);
  z_q_ = z_v_ = dz_q_ = dz_v_ = stage_a_ = Eigen::MatrixXd::Zero(n, s);
  stage_lambda_ = Eigen::MatrixXd::Zero(m, s);
  if (!one_by_one_) together_ = VecX::Zero(n * s);
  secant_x_ = secant_r_ = VecX::Zero(n * s);
  secants_.resize(n * s, kSecants);
  mass_ = damping_ = stiffness_ = Eigen::MatrixXd::Zero(n, n);
  const StepStatus status = start_accelerations(equations_.acceleration(), state);
  state.algorithmic = state.acceleration;
  jacobian_ = jacobian_rate_ = work_.equations.jacobian;
  equations_.start(analysis_, state);
  stepper_ = state.stepper;
  before_ = found_ = state;
  return status;
}

StepStatus ImplicitRungeKutta::step(State& state, double h) {
  begin_step(state, before_, h);
  StepStatus status = iterate(state, h);
  if (status == StepStatus::not_converged) {
    state = before_;
    status = iterate(state, h, true);
  }
  if (status == StepStatus::ok && equations_.weak() && !equations_.chooses_rows()) return weigh_again(state, h);
  // Rows that were well chosen some time ago may have become hardly independent.
  const bool badly_chosen = equations_.weak() && equations_.chooses_rows();
  if (status == StepStatus::ok && !badly_chosen) return status;
  state = before_;
  const bool other_rows = equations_.choose_again(state);
  const bool other_coordinates = status != StepStatus::ok && formulation_.prepare(state, true, work_);
  if (!other_rows && !other_coordinates) return status;
  report_.repartitioned = other_coordinates;
  before_ = state;
  status = iterate(state, h);
  if (status != StepStatus::ok) state = before_;
  return status;
}

/// What constraints feel may have become other than it was, and their multipliers slow for that: a step that is no
/// longer weak with weights of its start takes the place of this one. At a singular position it stays weak, and the
/// step stands.
StepStatus ImplicitRungeKutta::weigh_again(State& state, double h) {
  found_ = state;
  found_report_ = report_;
  stepper_ = before_.stepper;
  if (equations_.weigh_again(before_)) {
    state = before_;
    if (iterate(state, h) == StepStatus::ok && !equations_.weak()) {
      state.stepper = stepper_;  // for this step alone: next to a singular position nothing is felt as it is elsewhere
      return StepStatus::ok;
    }
    before_.stepper = stepper_;
  }
  state = found_;
  report_ = found_report_;
  const StepStatus status = formulation_.position(state.t, state.q, state, work_);
  formulation_.velocity(state.v, work_);
  return status;
}

StepStatus ImplicitRungeKutta::iterate(State& state, double h, bool with_secants) {
  const int stages = tableau_.stages();
  equations_.clear_weak();
  // A disc touches elsewhere as it rolls, so that what constraints feel changes all the time: weak penalties, which
  // find the way through singular positions, would leave some of them slow.
  const double kappa = structure_.velocity_constraints > 0 ? settings_.kappa
                                                           : penalty_strength(formulation_, before_.v, kZoneInSteps * h,
                                                                              kWeakestPenalty, settings_.kappa);
  equations_.set_weight(kappa, before_);
  q_ = before_.q;
  v_ = before_.v;
  StepStatus status = freeze(h, before_.t);
  if (status != StepStatus::ok) return status;
  guess_stages(h);
  double first = 0, previous = 0, best = 1e300;
  int slow = 0, still = 0, renewals = 0;
  bool by_secants = false;
  for (int iteration = 1;; ++iteration) {
    status = correct(h);
    if (status != StepStatus::ok) return status;
    ++report_.iterations;
    sum_.noalias() = dz_q_ * end_;  // dy = b^T A^-1 dz
    report_.increment = settings_.tolerance ? sum_.norm() : gamma_ * h * largest_velocity(dz_v_);
    if (!std::isfinite(report_.increment)) return StepStatus::not_finite;
    if (iteration == 1) first = report_.increment;
    best = std::min(best, report_.increment);
    const bool converged = has_converged(first, previous, best, h);
    if (settings_.iteration_budget > 0 ? iteration >= settings_.iteration_budget : converged) {
      report_.stagnated = !converged;
      break;
    }
    slow = iteration > 1 && report_.increment > kSlow * previous ? slow + 1 : 0;
    if (slow >= 2 && renewals < kRenewals) {
      // Matrices of the middle of the step, which is known by now.
      ++renewals;
      slow = 0;
      q_ = before_.q + 0.5 * z_q_.col(stages - 1);
      v_ = before_.v + 0.5 * z_v_.col(stages - 1);
      status = freeze(h, before_.t + 0.5 * tableau_.c[stages - 1] * h);
      if (status != StepStatus::ok) return status;
    } else if (slow >= 2 && with_secants && !by_secants) {
      by_secants = true;
      secants_.begin();
    }
    if (by_secants) go_by_secants(h);
    still = iteration > 1 && report_.increment > kHardlyShrinks * previous ? still + 1 : 0;
    if (settings_.iteration_budget == 0 && (still >= 5 || iteration >= kIterationLimit)) {
      report_.stagnated = report_.increment < 1e-6;
      if (report_.stagnated) break;
      if (iteration >= kIterationLimit) return StepStatus::not_converged;
    }
    previous = report_.increment;
  }
  if (report_.increment > 0) sum_.cwiseAbs().maxCoeff(&report_.worst_coordinate);
  return end_step(state, h);
}

/// Constant accelerations.
void ImplicitRungeKutta::guess_stages(double h) {
  for (int i = 0; i < tableau_.stages(); ++i) {
    const double ch = tableau_.c[i] * h;
    z_q_.col(i) = ch * before_.v + (0.5 * ch * ch) * before_.acceleration;
    z_v_.col(i) = ch * before_.acceleration;
    stage_a_.col(i) = before_.acceleration;
    stage_lambda_.col(i) = before_.lambda;
  }
}

/// y1 = y0 + b^T A^-1 z, on the constraints, with accelerations there.
StepStatus ImplicitRungeKutta::end_step(State& state, double h) {
  const double t1 = before_.t + h;
  StepStatus status = StepStatus::ok;
  q_ = before_.q;
  v_ = before_.v;
  q_.noalias() += z_q_ * end_;
  v_.noalias() += z_v_ * end_;
  A_ = stage_a_.col(tableau_.stages() - 1);
  lambda_ = stage_lambda_.col(tableau_.stages() - 1);
  for (bool again = settings_.projections;; again = false) {
    equations_.set_weight(settings_.kappa, state);
    if (settings_.projections) status = equations_.project(t1, before_, q_, v_, report_);
    if (status == StepStatus::ok) status = equations_.accelerate_through(t1, h, q_, v_, before_, A_, lambda_, report_);
    if (status != StepStatus::ok || !again || !equations_.choose_others(v_, A_, state)) break;
  }
  if (status != StepStatus::ok) return status;
  measure_violation(v_, A_);
  if (!v_.allFinite()) return StepStatus::not_finite;
  return accept(before_, t1, {q_, v_, A_}, A_, lambda_, state);
}

/// Mb, Cb, K and the leading matrix at (t, q_, v_).
StepStatus ImplicitRungeKutta::freeze(double h, double t) {
  const Equations& e = work_.equations;
  const Structure& s = structure_;
  const double gh = gamma_ * h;
  StepStatus status = equations_.acceleration().evaluate(t, q_, v_, before_);
  if (status != StepStatus::ok) return status;
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
  for (std::size_t i = 0; i < s.couplings.size(); ++i) {
    const auto [force, felt] = s.couplings[i];
    cardan::add_outer(s.loads, e.load_gradient, force, felt, e.coupling_stiffness[i], stiffness_);
    cardan::add_outer(s.loads, e.load_gradient, force, felt, e.coupling_damping[i], damping_);
  }
  if (s.constraints > 0) {
    const VecX& w = equations_.weight();
    jacobian_ = e.jacobian;
    q_ += gh * v_;
    status = formulation_.position(t, q_, before_, work_);
    if (status != StepStatus::ok) return status;
    jacobian_rate_ = (e.jacobian - jacobian_) / gh;
    for (int k = 0; k < s.constraints; ++k) {
      add_outer(s.jacobian, jacobian_, jacobian_, k, w[k], mass_);
      add_outer(s.jacobian, jacobian_, jacobian_rate_, k, w[k], damping_);
    }
  }
  form_leading_matrix(h);
  ++report_.factorizations;
  const int column = leading_.factorize();
  report_.singular_coordinate = column < 0 ? -1 : column % s.coordinates;
  return column < 0 ? StepStatus::ok : StepStatus::singular;
}

/// The matrix of one stage, which all have in common, or that of all stages.
void ImplicitRungeKutta::form_leading_matrix(double h) {
  Eigen::MatrixXd& leading = leading_.matrix();
  if (one_by_one_) {
    const double gh = gamma_ * h;
    leading = mass_ + gh * damping_ + (gh * gh) * stiffness_;
    return;
  }
  const int n = structure_.coordinates, stages = tableau_.stages();
  for (int i = 0; i < stages; ++i) {
    for (int j = 0; j < stages; ++j) {
      auto block = leading.block(i * n, j * n, n, n);
      block = (h * tableau_.A(i, j)) * damping_ + (h * h * square_(i, j)) * stiffness_;
      if (i == j) block += mass_;
    }
  }
}

/// a_i and lambda_i of stage i.
StepStatus ImplicitRungeKutta::accelerate(int i, double h) {
  q_ = before_.q + z_q_.col(i);
  v_ = before_.v + z_v_.col(i);
  A_ = stage_a_.col(i);
  lambda_ = stage_lambda_.col(i);
  const StepStatus status = equations_.accelerate(before_.t + tableau_.c[i] * h, q_, v_, before_, A_, lambda_, report_);
  if (status != StepStatus::ok) return status;
  stage_a_.col(i) = A_;
  stage_lambda_.col(i) = lambda_;
  return status;
}

/// One Newton correction of all stages.
StepStatus ImplicitRungeKutta::correct(double h) {
  if (!one_by_one_) return correct_together(h);
  for (int i = 0; i < tableau_.stages(); ++i) {
    if (const StepStatus status = correct_stage(i, h); status != StepStatus::ok) return status;
  }
  return StepStatus::ok;
}

/// Those before it are corrected already.
StepStatus ImplicitRungeKutta::correct_stage(int i, double h) {
  const double gh = gamma_ * h;
  if (const StepStatus status = accelerate(i, h); status != StepStatus::ok) return status;

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
  return StepStatus::ok;
}

StepStatus ImplicitRungeKutta::correct_together(double h) {
  const Eigen::MatrixXd& A = tableau_.A;
  const int n = structure_.coordinates, stages = tableau_.stages();
  for (int i = 0; i < stages; ++i) {
    if (const StepStatus status = accelerate(i, h); status != StepStatus::ok) return status;
  }
  for (int i = 0; i < stages; ++i) {
    dz_q_.col(i) = -z_q_.col(i);  // e^q, to which h (A (x) I) dz^v will be added
    for (int j = 0; j < stages; ++j) dz_q_.col(i) += (h * A(i, j)) * (before_.v + z_v_.col(j));
  }
  for (int i = 0; i < stages; ++i) {
    sum_ = -z_v_.col(i);
    e_q_.setZero();
    for (int j = 0; j < stages; ++j) {
      sum_ += (h * A(i, j)) * stage_a_.col(j);
      e_q_ += (h * A(i, j)) * dz_q_.col(j);
    }
    e_v_.noalias() = mass_ * sum_;
    e_v_.noalias() -= stiffness_ * e_q_;
    together_.segment(i * n, n) = e_v_;
  }
  leading_.solve(together_);
  for (int j = 0; j < stages; ++j) {
    dz_v_.col(j) = together_.segment(j * n, n);
    for (int i = 0; i < stages; ++i) dz_q_.col(i) += (h * A(i, j)) * dz_v_.col(j);
  }
  z_v_ += dz_v_;
  z_q_ += dz_q_;
  return StepStatus::ok;
}

/// One matrix for all stages is none of theirs where a wheel leaves the ground between two of them: what the
/// corrections so far tell is taken out of them. They are of velocities, which positions follow.
void ImplicitRungeKutta::go_by_secants(double h) {
  const int n = structure_.coordinates, stages = tableau_.stages();
  const auto scale = structure_.scale.array();
  for (int i = 0; i < stages; ++i) {
    secant_r_.segment(i * n, n) = dz_v_.col(i).array() / scale;
    secant_x_.segment(i * n, n) = z_v_.col(i).array() / scale;
  }
  secant_x_ -= secant_r_;
  secants_.advance(secant_x_, secant_r_);
  for (int i = 0; i < stages; ++i) z_v_.col(i) = secant_x_.segment(i * n, n).array() * scale;
  for (int i = 0; i < stages; ++i) {
    z_q_.col(i).setZero();
    for (int j = 0; j < stages; ++j) z_q_.col(i) += (h * tableau_.A(i, j)) * (before_.v + z_v_.col(j));
  }
}

/// Of any stage, relative to the scales of the coordinates: that of the end may be small by chance.
double ImplicitRungeKutta::largest_velocity(const Eigen::MatrixXd& stages) const {
  double largest = 0;
  for (int i = 0; i < tableau_.stages(); ++i)
    largest = std::max(largest, stages.col(i).cwiseQuotient(structure_.scale).norm());
  return largest;
}

/// Automatic: what is left, by the rate at which increments shrink, is far below the local truncation error. Judged are
/// corrections of velocities, times g h: those of positions are the same but for e^q, which one iteration takes away
/// down to the rounding of h v, and that would hide what velocities still lack where steps are short. In units of a
/// time T of the motion the first increment is of order (h/T)^3 and the error of order (h/T)^(p+1), so that the first
/// tells the second. At rounding increments cease to shrink.
bool ImplicitRungeKutta::has_converged(double first, double previous, double best, double h) const {
  const double increment = report_.increment;
  if (settings_.tolerance) return increment <= *settings_.tolerance;
  if (increment == 0) return true;
  if (previous == 0 || increment > kLastIncrement) return false;
  const double ratio = increment / previous;
  if (ratio > kHardlyShrinks) return best <= kAtRounding;
  const double error = std::pow(first, (tableau_.order + 1) / 3.0);
  const double rounding = kRounding * gamma_ * h * largest_velocity(z_v_);
  return ratio / (1 - ratio) * increment <= std::max(kRestOfError * error, rounding);
}

}  // namespace cardan
