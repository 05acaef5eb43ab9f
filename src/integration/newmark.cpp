#include "integration/newmark.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/by_processor.hpp"

namespace cardan {

/// Of an increment, where they go to and fro; there it may take longer.
constexpr double kSmallestPart = 0.1;
constexpr int kPatienceAtKinks = 15;
/// Of an increment that is shortened until the next one is shorter, which takes longer by this factor.
constexpr double kShortestPart = 1e-4;
constexpr int kShortenedLonger = 3;
/// Increments that ceased to shrink above this are tried once more, shortened.
constexpr double kWorthShortening = 1e-7;

NewmarkSettings NewmarkSettings::for_options(const RunOptions& options, double length) {
  NewmarkSettings settings;
  settings.solver = options.solver;
  settings.penalty = options.penalty;
  settings.tolerance = options.tolerance;
  settings.iteration_budget = options.iterations;
  settings.length = length;
  settings.projections = options.projections;
  using Control = NewmarkSettings::Control;
  const std::string control = options.step_control.value_or("fixed");
  settings.control = control == "increment"  ? Control::increment
                     : control == "residual" ? Control::residual
                     : control == "error"    ? Control::error
                     : control == "energy"   ? Control::energy
                                             : Control::fixed;
  if (settings.control == Control::increment || settings.control == Control::residual) {
    settings.tolerance = options.tolerance.value_or(1e-5);
    settings.iteration_limit = options.iterations > 0 ? options.iterations : 5;
    settings.iteration_budget = 0;
  } else if (settings.control == Control::error || settings.control == Control::energy) {
    settings.error.absolute = options.tolerance.value_or(options.absolute_tolerance);
    settings.error.relative = options.tolerance.value_or(options.relative_tolerance);
    settings.tolerance.reset();
  }
  settings.first_step = options.step;
  settings.step_min = options.step_min > 0 ? options.step_min : 1e-6 * options.step;
  settings.step_max = options.step_max.value_or(settings.step_max);
  settings.fixed_penalty = options.fixed_penalty;
  return settings;
}

NewmarkIntegrator::NewmarkIntegrator(const Formulation& formulation, Workspace& work, const NewmarkRule& rule,
                                     const NewmarkSettings& settings)
    : Integrator(formulation, work, settings.length),
      swept_(SweptForces::of(formulation)),
      solver_(make_coupled_solver(settings.solver, structure_, work.equations)),
      acceleration_(formulation, work, *solver_),
      projection_(structure_, work.equations, *solver_),
      rule_(rule),
      settings_(settings) {
  controller_.h_min = settings.step_min;
  controller_.h_max = settings.step_max;
  work.is_newtons = true;
}

StepStatus NewmarkIntegrator::start(State& state) {
  const int n = structure_.coordinates, m = structure_.constraints;
  state.acceleration = VecX::Zero(n);
  state.lambda = lambda_ = lambda_increment_ = weight_ = VecX::Zero(m);
  predicted_q_ = predicted_v_ = q_ = v_ = a_ = A_ = moved_ = rhs_ = increment_before_ = VecX::Zero(n);
  patience_ = structure_.states > 0 || structure_.kinks ? kPatienceAtKinks : NewtonProgress::kPatience;
  tangent_ = VecX::Zero(structure_.pattern.nonzeros());
  const StepStatus status = start_accelerations(acceleration_, state);
  state.algorithmic = state.acceleration;
  if (chooses_steps()) begin_control(state);
  before_ = state;
  return status;
}

StepStatus NewmarkIntegrator::step(State& state, double h) {
  begin_step(state, before_, h);
  if (chooses_steps()) return controlled_step(state, h);
  return try_twice(state, before_, [&] { return solve(state, h); });
}

/// Where increments do not converge, or cease to shrink, the laws of loads may have kinks and flat pieces, as those of
/// stops, brakes and saturations: the step is taken once more with increments that are relaxed, and then with
/// increments that are shortened. What ceased to shrink for another reason, as near singular positions, stays as it
/// was.
StepStatus NewmarkIntegrator::solve(State& state, double h) {
  const Increments usual = usual_increments();
  const StepStatus status = iterate(state, h, usual);
  if (structure_.loads.rows() == 0 || settings_.iteration_budget > 0) return status;
  const bool stopped = status == StepStatus::ok && report_.stagnated && report_.increment > kWorthShortening;
  if (status != StepStatus::not_converged && !stopped) return status;
  const int patience = std::exchange(patience_, kPatienceAtKinks);
  for (const Increments other : {Increments::relaxed, Increments::shortened}) {
    if (other == usual) continue;
    state = before_;
    report_.stagnated = false;
    if (iterate(state, h, other) != StepStatus::ok || report_.stagnated) continue;
    patience_ = patience;
    return StepStatus::ok;
  }
  patience_ = patience;
  state = before_;
  return iterate(state, h, usual);
}

/// As the step of docs/theory/augmented-lagrangian.md is written.
StepStatus NewmarkIntegrator::iterate(State& state, double h, Increments taken) {
  const Equations& e = work_.equations;
  const int m = structure_.constraints;
  const double cbh2 = rule_.in_position(h);
  const double t1 = before_.t + h;
  report_.taken = h;
  set_weight(h);

  const NewmarkRule::Start start{before_.q, before_.v, before_.algorithmic, before_.acceleration};
  rule_.predict(h, start, predicted_q_, predicted_v_);
  moved_.setZero();
  lambda_ = before_.lambda;
  rate_ = 1;
  if (settings_.control == NewmarkSettings::Control::error) extrapolate(h);
  NewtonProgress progress;
  const int limit = settings_.iteration_limit * (taken == Increments::shortened ? kShortenedLonger : 1);
  for (int i = 0;; ++i) {
    rule_.expressions(h, start, predicted_q_, predicted_v_, moved_, q_, v_, a_, A_);
    if (i > 0 && !progress.shortened) judge(progress, i, h);
    // Until the iteration ends, dependent coordinates need not be closer than the increments.
    work_.goes_on = !(i > 0 && may_end(progress, i)) && taken != Increments::shortened &&
                    settings_.control != NewmarkSettings::Control::residual;
    const StepStatus status = formulation_.position(t1, q_, before_, work_);
    work_.goes_on = false;
    if (status != StepStatus::ok) return status;
    if (structure_.velocity_constraints > 0) [[unlikely]]
      see_velocities(h);
    if (i > 0) {
      const double phi = m > 0 ? e.phi.cwiseQuotient(structure_.constraint_scale).cwiseAbs().maxCoeff() : 0;
      if (!std::isfinite(report_.increment) || !std::isfinite(phi)) return StepStatus::not_finite;
      if (!progress.shortened && ends(progress, i, phi)) break;
      if (settings_.iteration_budget == 0 && i >= limit) return StepStatus::not_converged;
    }
    formulation_.velocity(v_, work_);
    if (i > 0 && keeps_tangent(progress, i, taken)) {
      sweep_residual(cbh2);
    } else {
      formulation_.dynamics(work_);
      if (taken == Increments::shortened && i > 0 && shorten(progress, h)) continue;
      if (!assemble_and_factorize(h)) return StepStatus::singular;
      find_residual(cbh2);
    }
    if (settings_.control == NewmarkSettings::Control::residual) {
      report_.residual = rhs_.norm();
      if (i > 0 && report_.residual <= *settings_.tolerance) break;
    }
    take_increment(progress, i, h, taken);
  }
  if (report_.increment > 0) rhs_.cwiseAbs().maxCoeff(&report_.worst_coordinate);
  return end_step(state, t1);
}

/// Where the iteration goes on until it has converged: a given number of increments, or a given bound, says nothing of
/// what is left behind the last one.
bool NewmarkIntegrator::keeps_tangent(const NewtonProgress& progress, int count, Increments taken) const {
  return may_keep_ && swept_ && !settings_.tolerance && settings_.iteration_budget == 0 && !chooses_steps() &&
         taken == Increments::full && progress.keeps_tangent(count);
}

/// T dq = -c b h^2 (M A + Phi_q^T (lambda + alpha Phi) - Q): the right-hand side
CARDAN_BY_PROCESSOR void NewmarkIntegrator::find_residual(double cbh2) {
  const Equations& e = work_.equations;
  rhs_ = -e.force;
  multiply_add(structure_.pattern, e.mass, A_, rhs_);
  for (Eigen::Index i = 0; i < rhs_.size(); ++i) rhs_[i] *= -cbh2;
  projection_.rows_now().add([&](int k) { return -(cbh2 * lambda_[k] + weight_[k] * e.phi[k]); }, rhs_.data());
}

/// The same with a T of before. The rows that stand with w are those of T: see projection.hpp.
CARDAN_BY_PROCESSOR void NewmarkIntegrator::sweep_residual(double cbh2) {
  const Equations& e = work_.equations;
  swept_->sweep(A_, work_, rhs_);
  for (Eigen::Index i = 0; i < rhs_.size(); ++i) rhs_[i] *= cbh2;
  projection_.rows_now().add([&](int k) { return -cbh2 * lambda_[k]; }, rhs_.data());
  projection_.rows_of_tangent().add([&](int k) { return -weight_[k] * e.phi[k]; }, rhs_.data());
}

/// Laws of states and of contacts have kinks and flat pieces, where full increments d may go to and fro. Where they do
/// not shrink, the part that is taken is what a straight line through the last two says (Aitken; Irons and Tuck 1969):
///     w <- -w d_before . (d - d_before) / |d - d_before|^2
double NewmarkIntegrator::relax(NewtonProgress& progress, int count) {
  double part = 1;
  if (count > 0 && progress.slow > 0) {
    double along = 0, square = 0;
    for (Eigen::Index i = 0; i < rhs_.size(); ++i) {
      const double before = increment_before_[i] / structure_.scale[i], change = rhs_[i] / structure_.scale[i] - before;
      along += before * change;
      square += change * change;
    }
    if (square > 0) part = std::clamp(-progress.part * along / square, kSmallestPart, 1.0);
  }
  increment_before_ = rhs_;
  return progress.part = part;
}

/// The increment d is shortened until the next one by the same tangent, d', is shorter than d (the natural monotonicity
/// test: Deuflhard 2004, Newton Methods for Nonlinear Problems). The part of d that is tried next is where d . d' = 0
/// on a straight line. On a law with two flat pieces and a steep one between them, full increments would go from one
/// flat piece to the other for ever.
bool NewmarkIntegrator::shorten(NewtonProgress& progress, double h) {
  find_residual(rule_.in_position(h));
  solver_->solve(rhs_);
  ++report_.iterations;
  double along = 0, square = 0, next = 0;
  for (Eigen::Index i = 0; i < rhs_.size(); ++i) {
    const double d = increment_before_[i] / structure_.scale[i], d1 = rhs_[i] / structure_.scale[i];
    along += d * d1;
    square += d * d;
    next += d1 * d1;
  }
  const double part = progress.part, shorter = 1 - part / 4;
  progress.shortened = part > kShortestPart && !(next <= shorter * shorter * square);
  if (!progress.shortened) return false;
  const double zero = part * square / (square - along);
  progress.part = std::isfinite(zero) ? std::clamp(zero, 0.1 * part, 0.5 * part) : 0.1 * part;
  moved_ += (progress.part - part) * increment_before_;
  lambda_ += (progress.part - part) * lambda_increment_;
  return true;
}

CARDAN_BY_PROCESSOR void NewmarkIntegrator::take_increment(NewtonProgress& progress, int count, double h,
                                                           Increments taken) {
  solver_->solve(rhs_);
  if (taken == Increments::shortened) increment_before_ = rhs_, progress.part = 1;
  const double part = taken == Increments::relaxed ? relax(progress, count) : 1.0;
  double square = 0;
  for (Eigen::Index i = 0; i < rhs_.size(); ++i) {
    moved_[i] += part * rhs_[i];
    const double size = settings_.tolerance ? rhs_[i] : rhs_[i] / structure_.scale[i];
    square += size * size;
  }
  // What the increment leaves of the constraints by their rows is what lambda was short of. What their curvature adds
  // is not: the next increment mends it.
  const Equations& e = work_.equations;
  const double cbh2 = rule_.in_position(h);
  const double in_lambda = 1 / cbh2;
  projection_.rows_of_tangent().multiply(rhs_.data(), [&](int k, double along) {
    lambda_increment_[k] = in_lambda * weight_[k] * (e.phi[k] + along);
    lambda_[k] += part * lambda_increment_[k];
  });
  ++report_.iterations;
  ++report_.evaluations;
  report_.increment = std::sqrt(square);
  progress.of_states = rhs_.tail(structure_.states).lpNorm<Eigen::Infinity>() * rule_.gamma / (rule_.beta * h);
  if (count == 0) progress.first = report_.increment;
}

/// Positions are found: velocities and accelerations onto the constraints, and all of it into the state.
StepStatus NewmarkIntegrator::end_step(State& state, double t1) {
  work_.equations.phi.tail(structure_.velocity_constraints).setZero();
  const bool projects = settings_.projections && structure_.constraints > 0;
  if (projects) project_velocity();
  formulation_.velocity(v_, work_);
  formulation_.gamma(work_);
  if (projects) project_acceleration();
  measure_violation(v_, A_);
  if (!v_.allFinite() || !A_.allFinite()) return StepStatus::not_finite;
  return accept(before_, t1, {q_, v_, A_}, a_, lambda_, state);
}

/// Of a velocity constraint the penalty is alpha (B v + Phi_t) with dv = g / (b h) dq, a damper's. With c g h alpha for
/// w it stands in T as the others do, and b h / g (B v + Phi_t) stands for Phi, which is zero, until the step has come
/// to its end.
void NewmarkIntegrator::see_velocities(double h) {
  Equations& e = work_.equations;
  for (int k = structure_.position_constraints(); k < structure_.constraints; ++k)
    e.phi[k] = rule_.beta * h / rule_.gamma * (row_times(structure_.jacobian, e.jacobian, k, v_) + e.phi_t[k]);
}

/// T = M + c (g h C + b h^2 (Phi_q^T alpha Phi_q + K))
CARDAN_BY_PROCESSOR bool NewmarkIntegrator::assemble_and_factorize(double h) {
  const Equations& e = work_.equations;
  const double c = rule_.c();
  std::copy_n(e.mass.data(), tangent_.size(), tangent_.data());
  for (int k = 0; k < structure_.loads.rows(); ++k) {
    const double w = c * (rule_.gamma * h * e.damping[k] + rule_.beta * h * h * e.stiffness[k]);
    if (w != 0) add_outer(structure_.loads, e.load_gradient, k, w, tangent_);
  }
  projection_.remember_rows();
  projection_.rows_of_tangent().add_outer(
      structure_.jacobian, [&](int k) { return weight_[k]; }, tangent_.data());
  ++report_.factorizations;
  report_.singular_coordinate = solver_->factorize(tangent_, c * rule_.beta * h * h, c * rule_.gamma * h);
  return report_.singular_coordinate < 0;
}

/// Relative violation at which the projections stop.
constexpr double kRateTolerance = 1e-9;

double NewmarkIntegrator::rate_tolerance(const VecX& x) const {
  return kRateTolerance * std::max(x.size() ? x.cwiseAbs().maxCoeff() : 0, 1e-3 * length_);
}

CARDAN_BY_PROCESSOR void NewmarkIntegrator::project_velocity() {
  const Equations& e = work_.equations;
  projection_.run(
      weight_, rate_tolerance(v_), 1,
      [&](double* violation) {
        projection_.rows_now().multiply(v_.data(), [&](int k, double rate) { violation[k] = rate + e.phi_t[k]; });
      },
      [&](const auto& correction) { v_ += correction; });
}

/// It is A that is projected; the algorithmic acceleration takes the same correction.
CARDAN_BY_PROCESSOR void NewmarkIntegrator::project_acceleration() {
  const Equations& e = work_.equations;
  projection_.run(
      weight_, rate_tolerance(A_), 1,
      [&](double* violation) {
        projection_.rows_now().multiply(A_.data(), [&](int k, double second) { violation[k] = second - e.gamma[k]; });
      },
      [&](const auto& correction) { A_ += correction, a_ += correction; });
}

/// Whether they are small, before the constraints are known. Below rounding they shrink to no purpose: what Phi still
/// asks for, no increment can mend.
void NewmarkIntegrator::judge(NewtonProgress& progress, int count, double h) {
  progress.see(report_.increment, count);
  rate_ = progress.rate;
  if (settings_.control == NewmarkSettings::Control::residual) {
    progress.small = false;
  } else if (settings_.tolerance) {
    progress.small = progress.now <= *settings_.tolerance;
  } else {
    // Not below rounding: of the coordinates, and of accelerations, which an increment changes by itself over b h^2.
    const auto rounding = [&] {
      double in_q = 0, in_A = 0;
      for (Eigen::Index i = 0; i < q_.size(); ++i) {
        const double q = q_[i] / structure_.scale[i], A = A_[i] / structure_.scale[i];
        in_q += q * q;
        in_A += A * A;
      }
      return 2e-14 + 1e-15 * std::sqrt(in_q) + 1e-12 * rule_.beta * h * h * std::sqrt(in_A);
    };
    const bool controlled = settings_.control == NewmarkSettings::Control::error;
    progress.small = controlled ? leaves_little(count > 1 ? rate_ : rate_before(), h) : progress.is_small(count);
    progress.small = progress.small || progress.next(count) <= rounding();
  }
  progress.note(count);
}

/// `phi`: the largest violation of a constraint.
bool NewmarkIntegrator::ends(const NewtonProgress& progress, int count, double phi) {
  const bool converged = progress.is_converged(phi, settings_.tolerance.has_value());
  if (settings_.iteration_budget > 0) {
    report_.stagnated = !converged;
    return may_end(progress, count);
  }
  if (converged) return true;
  const bool stuck = progress.is_stuck(count, settings_.iteration_budget, patience_, phi);
  report_.stagnated |= stuck;
  return stuck;
}

double NewmarkIntegrator::kappa(const State& state, double h) const {
  return penalty_strength(formulation_, state.v, h, settings_.kappa_smallest, settings_.kappa_largest);
}

/// w = c b h^2 alpha. Automatic penalties take no note of the step but through kappa, and a user's alpha follows it,
/// unless it is to stay what it is at the first step.
void NewmarkIntegrator::set_weight(double h) {
  const double h0 = settings_.first_step;
  const double follow = chooses_steps() && settings_.fixed_penalty ? h * h / (h0 * h0) : 1;
  if (settings_.penalty) {
    const double meant_for = chooses_steps() ? h0 : h;
    weight_.setConstant(*settings_.penalty * (1 - rule_.df) / (1 - rule_.dm) * rule_.beta * meant_for * meant_for *
                        follow);
  } else {
    weight_ = follow * kappa(before_, follow == 1 ? h : h0) * analysis_.effective_mass;
  }
}

std::pair<double, double> NewmarkIntegrator::penalty_range(const State& state, double h) const {
  if (settings_.penalty) return {*settings_.penalty, *settings_.penalty};
  if (structure_.constraints == 0) return {0, 0};
  const double factor = kappa(state, h) / rule_.in_position(h);
  return {factor * analysis_.effective_mass.minCoeff(), factor * analysis_.effective_mass.maxCoeff()};
}

}  // namespace cardan
