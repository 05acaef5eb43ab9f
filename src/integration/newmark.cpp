#include "integration/newmark.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

/// Increments, relative to the scales of the coordinates, that change nothing.
constexpr double kStandstill = 1e-15;
/// Of the rate at which increments shrink.
constexpr double kMargin = 10;

NewmarkRule NewmarkRule::newmark(double xi) { return {0, 0, (1 + xi) * (1 + xi) / 4, 0.5 + xi}; }

NewmarkRule NewmarkRule::hht(double delta) { return {0, delta, (1 + delta) * (1 + delta) / 4, 0.5 + delta}; }

NewmarkRule NewmarkRule::generalized_alpha(double rho) {
  const double dm = (2 * rho - 1) / (rho + 1), df = rho / (rho + 1);
  return {dm, df, (1 - dm + df) * (1 - dm + df) / 4, 0.5 - dm + df};
}

NewmarkRule NewmarkRule::for_options(const RunOptions& options) {
  if (options.integrator == "newmark") return newmark(options.dissipation);
  if (options.integrator == "hht") return hht(options.dissipation);
  if (options.integrator == "generalized-alpha") return generalized_alpha(options.spectral_radius);
  return trapezoidal();
}

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
    settings.absolute = options.tolerance.value_or(options.absolute_tolerance);
    settings.relative = options.tolerance.value_or(options.relative_tolerance);
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
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      solver_(make_linear_solver(settings.solver, structure_.pattern)),
      acceleration_(formulation, work, *solver_),
      projection_(structure_, work.equations, *solver_),
      rule_(rule),
      settings_(settings) {
  controller_.h_min = settings.step_min;
  controller_.h_max = settings.step_max;
}

StepStatus NewmarkIntegrator::start(State& state) {
  const int n = structure_.coordinates, m = structure_.constraints;
  state.acceleration = VecX::Zero(n);
  state.lambda = lambda_ = weight_ = VecX::Zero(m);
  q_ = v_ = a_ = A_ = moved_ = rhs_ = VecX::Zero(n);
  tangent_ = VecX::Zero(structure_.pattern.nonzeros());
  const StepStatus status = start_accelerations(acceleration_, structure_, work_, state);
  state.algorithmic = state.acceleration;
  if (chooses_steps()) begin_control(state);
  before_ = state;
  return status;
}

StepStatus NewmarkIntegrator::step(State& state, double h) {
  report_ = StepReport{};
  report_.taken = h;
  report_.repartitioned = formulation_.prepare(state, false, work_);
  before_ = state;
  if (chooses_steps()) return controlled_step(state, h);
  StepStatus status = iterate(state, h);
  if (status != StepStatus::Ok) {
    state = before_;
    if (formulation_.prepare(state, true, work_)) {
      report_.repartitioned = true;
      before_ = state;
      status = iterate(state, h);
      if (status != StepStatus::Ok) state = before_;
    }
  }
  return status;
}

StepStatus NewmarkIntegrator::iterate(State& state, double h) {
  const Equations& e = work_.equations;
  const RowPattern& J = structure_.jacobian;
  const int m = structure_.constraints;
  const double c = (1 - rule_.df) / (1 - rule_.dm);
  const double cbh2 = c * rule_.beta * h * h;
  const double t1 = before_.t + h;
  report_.taken = h;
  set_weight(h);

  moved_.setZero();
  lambda_ = before_.lambda;
  double first = 0, previous = 0, best = 0;  // increments
  int slow = 0;
  for (int i = 0;; ++i) {
    newmark_expressions(h);
    const StepStatus status = formulation_.position(t1, q_, before_, work_);
    if (status != StepStatus::Ok) return status;
    if (i > 0) {
      for (int k = 0; k < m; ++k) lambda_[k] += weight_[k] / cbh2 * e.phi[k];
      const double phi = m > 0 ? e.phi.cwiseQuotient(structure_.constraint_scale).cwiseAbs().maxCoeff() : 0;
      if (!std::isfinite(report_.increment) || !std::isfinite(phi)) return StepStatus::NonFinite;
      // The increments shrink by `rate`, so the first of those not taken is rate times the last, with a margin.
      const double rate = i > 1 && previous > 0 ? kMargin * report_.increment / previous : 1;
      const bool converged = has_converged(std::min(rate, 1.0) * report_.increment, first, phi, h);
      if (settings_.iteration_budget > 0) {
        report_.stagnated = !converged;
        previous = report_.increment;
        if (i >= settings_.iteration_budget) break;
      } else {
        if (converged) break;
        // Near a singular position the multipliers are not unique and the increments stop shrinking.
        // At rounding they go up and down; so both the last and the best count.
        // Below rounding they shrink to no purpose: what Phi still asks for, no increment can mend.
        const bool stands = report_.increment > 0.5 * std::min(previous, best) || report_.increment <= kStandstill;
        slow = i > 1 && stands ? slow + 1 : 0;
        previous = report_.increment;
        best = i == 1 ? previous : std::min(best, previous);
        if (slow >= 5 && report_.increment < 1e-3 && phi < 1e-4) {
          report_.stagnated = true;
          break;
        }
        if (i >= settings_.iteration_limit) return StepStatus::NotConverged;
      }
    }

    // T dq = -c b h^2 (M A + Phi_q^T (lambda + alpha Phi) - Q)
    formulation_.velocity(v_, work_);
    formulation_.dynamics(work_);
    if (!assemble_and_factorize(h)) return StepStatus::Singular;
    rhs_ = -e.force;
    multiply_add(structure_.pattern, e.mass, A_, rhs_);
    rhs_ *= -cbh2;
    for (int k = 0; k < m; ++k) add_row(J, e.jacobian, k, -(cbh2 * lambda_[k] + weight_[k] * e.phi[k]), rhs_);
    if (settings_.control == NewmarkSettings::Control::residual) {
      report_.residual = rhs_.norm();
      if (i > 0 && report_.residual <= *settings_.tolerance) break;
    }
    solver_->solve(rhs_);
    moved_ += rhs_;
    ++report_.iterations;
    ++report_.evaluations;
    report_.increment = settings_.tolerance ? rhs_.norm() : rhs_.cwiseQuotient(structure_.scale).norm();
    if (i == 0) first = report_.increment;
  }
  if (report_.increment > 0) rhs_.cwiseAbs().maxCoeff(&report_.worst_coordinate);

  if (settings_.projections) project_velocity();
  formulation_.velocity(v_, work_);
  formulation_.gamma(work_);
  if (settings_.projections) project_acceleration();
  measure_violation(structure_, e, v_, A_, settings_.length);
  if (!v_.allFinite() || !A_.allFinite()) return StepStatus::NonFinite;

  state.t = t1;
  state.q = q_;
  state.v = v_;
  state.acceleration = A_;
  state.algorithmic = a_;
  state.lambda = lambda_;
  return formulation_.accept(before_, state, work_);
}

/// q, v, a and A at the end of the step, with d = q1 - (q0 + h v0 + h^2/2 a0) the sum of the increments so far. The
/// Newmark expressions of THEORY section 2 then read v1 = v0 + h a0 + g/(b h) d and a1 = a0 + d/(b h^2): the same,
/// without the cancellation that costs all digits of a at small steps.
void NewmarkIntegrator::newmark_expressions(double h) {
  const double b = rule_.beta, g = rule_.gamma, dm = rule_.dm, df = rule_.df;
  const VecX &a0 = before_.algorithmic, &A0 = before_.acceleration;
  q_ = before_.q + h * before_.v + (0.5 * h * h) * a0 + moved_;
  v_ = before_.v + h * a0 + (g / (b * h)) * moved_;
  a_ = a0 + (1 / (b * h * h)) * moved_;
  A_ = ((1 - dm) * a_ + dm * a0 - df * A0) / (1 - df);
}

/// T = M + c (g h C + b h^2 (Phi_q^T alpha Phi_q + K))
bool NewmarkIntegrator::assemble_and_factorize(double h) {
  const Equations& e = work_.equations;
  const double c = (1 - rule_.df) / (1 - rule_.dm);
  tangent_ = e.mass;
  for (int k = 0; k < structure_.loads.rows(); ++k) {
    const double w = c * (rule_.gamma * h * e.damping[k] + rule_.beta * h * h * e.stiffness[k]);
    if (w != 0) add_outer(structure_.loads, e.load_gradient, k, w, tangent_);
  }
  for (int k = 0; k < structure_.constraints; ++k) {
    add_outer(structure_.jacobian, e.jacobian, k, weight_[k], tangent_);
  }
  projection_.remember_rows();
  ++report_.factorizations;
  report_.singular_coordinate = solver_->factorize(tangent_);
  return report_.singular_coordinate < 0;
}

/// Relative violation at which the projections stop.
constexpr double kRateTolerance = 1e-9;

double NewmarkIntegrator::rate_tolerance(const VecX& x) const {
  return kRateTolerance * std::max(x.size() ? x.cwiseAbs().maxCoeff() : 0, 1e-3 * settings_.length);
}

void NewmarkIntegrator::project_velocity() {
  const Equations& e = work_.equations;
  projection_.run(
      weight_, rate_tolerance(v_), 1,
      [&](int k) { return row_times(structure_.jacobian, e.jacobian, k, v_) + e.phi_t[k]; },
      [&](const auto& correction) { v_ += correction; });
}

/// It is A that is projected; the algorithmic acceleration takes the same correction.
void NewmarkIntegrator::project_acceleration() {
  const Equations& e = work_.equations;
  projection_.run(
      weight_, rate_tolerance(A_), 1,
      [&](int k) { return row_times(structure_.jacobian, e.jacobian, k, A_) - e.gamma[k]; },
      [&](const auto& correction) { A_ += correction, a_ += correction; });
}

/// Automatic: far below the local truncation error, of which the first increment is a measure, and on the constraints.
bool NewmarkIntegrator::has_converged(double next_increment, double first_increment, double phi, double h) const {
  if (settings_.control == NewmarkSettings::Control::residual) return false;
  if (settings_.tolerance) return report_.increment <= *settings_.tolerance;
  // Not below rounding: of the coordinates, and of accelerations, which an increment changes by itself over b h^2.
  const double rounding = 2e-14 + 1e-12 * rule_.beta * h * h * A_.cwiseQuotient(structure_.scale).norm();
  return next_increment <= std::max(std::min(1e-3 * first_increment, 1e-7), rounding) && phi <= 1e-9;
}

double NewmarkIntegrator::kappa(const State& state, double h) const {
  return penalty_strength(structure_, state.v, h, settings_.kappa_smallest, settings_.kappa_largest);
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
  const double factor = kappa(state, h) / ((1 - rule_.df) / (1 - rule_.dm) * rule_.beta * h * h);
  return {factor * analysis_.effective_mass.minCoeff(), factor * analysis_.effective_mass.maxCoeff()};
}

}  // namespace cardan
