#include "integration/newmark.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

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
  return settings;
}

NewmarkIntegrator::NewmarkIntegrator(const Formulation& formulation, Workspace& work, const NewmarkRule& rule,
                                     const NewmarkSettings& settings)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      solver_(make_linear_solver(settings.solver, structure_.pattern)),
      rule_(rule),
      settings_(settings) {}

/// M a + Phi_q^T lambda = Q with Phi_q a = gamma, by (M + Phi_q^T w Phi_q) a = Q + Phi_q^T (w gamma - lambda),
/// lambda += w (Phi_q a - gamma).
StepStatus NewmarkIntegrator::start(State& state) {
  const int n = structure_.coordinates, m = structure_.constraints;
  state.acceleration = state.algorithmic = VecX::Zero(n);
  state.lambda = lambda_ = weight_ = VecX::Zero(m);
  q_ = v_ = a_ = A_ = moved_ = rhs_ = correction_ = VecX::Zero(n);
  tangent_ = VecX::Zero(structure_.pattern.nonzeros());

  const StepStatus status = formulation_.position(state.t, state.q, state, work_);
  if (status != StepStatus::Ok) return status;
  formulation_.velocity(state.v, work_);
  formulation_.gamma(work_);
  formulation_.dynamics(work_);
  const Equations& e = work_.equations;
  analysis_ = analyse_constraints(structure_, e);

  weight_ = 1e4 * analysis_.effective_mass;
  tangent_ = e.mass;
  for (int k = 0; k < m; ++k) add_outer(structure_.jacobian, e.jacobian, k, weight_[k], tangent_);
  report_.singular_coordinate = solver_->factorize(tangent_);
  if (report_.singular_coordinate >= 0) return StepStatus::Singular;
  for (int iteration = 0; iteration < 30; ++iteration) {
    rhs_ = e.force;
    for (int k = 0; k < m; ++k) {
      add_row(structure_.jacobian, e.jacobian, k, weight_[k] * e.gamma[k] - state.lambda[k], rhs_);
    }
    solver_->solve(rhs_);
    const double change = (rhs_ - state.acceleration).norm();
    state.acceleration = rhs_;
    for (int k = 0; k < m; ++k) {
      state.lambda[k] += weight_[k] * (row_times(structure_.jacobian, e.jacobian, k, rhs_) - e.gamma[k]);
    }
    if (change <= 1e-14 * rhs_.norm()) break;
  }
  state.algorithmic = state.acceleration;
  before_ = state;
  return state.acceleration.allFinite() ? StepStatus::Ok : StepStatus::NonFinite;
}

StepStatus NewmarkIntegrator::step(State& state, double h) {
  report_ = StepReport{};
  report_.taken = h;
  report_.repartitioned = formulation_.prepare(state, false, work_);
  before_ = state;
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
  if (settings_.penalty) {
    weight_.setConstant(*settings_.penalty * cbh2);
  } else {
    weight_ = kappa(before_, h) * analysis_.effective_mass;
  }

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
      const double phi = m > 0 ? e.phi.cwiseAbs().maxCoeff() : 0;
      if (!std::isfinite(report_.increment) || !std::isfinite(phi)) return StepStatus::NonFinite;
      if (settings_.iteration_budget > 0) {
        if (i >= settings_.iteration_budget) break;
      } else {
        if (has_converged(first, phi, h)) break;
        // Near a singular position the multipliers are not unique and the increments stop shrinking.
        // At rounding they go up and down; so both the last and the best count.
        slow = i > 1 && report_.increment > 0.5 * std::min(previous, best) ? slow + 1 : 0;
        previous = report_.increment;
        best = i == 1 ? previous : std::min(best, previous);
        if (slow >= 5 && report_.increment < 1e-3 && phi < 1e-4 * settings_.length) {
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
    solver_->solve(rhs_);
    moved_ += rhs_;
    ++report_.iterations;
    ++report_.evaluations;
    report_.increment = settings_.tolerance ? rhs_.norm() : rhs_.cwiseQuotient(structure_.scale).norm();
    if (i == 0) first = report_.increment;
  }
  if (report_.increment > 0) rhs_.cwiseAbs().maxCoeff(&report_.worst_coordinate);

  project_velocity();
  formulation_.velocity(v_, work_);
  formulation_.gamma(work_);
  project_acceleration();
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

/// q, v, a and A at the end of the step, with d = q1 - (q0 + h v0 + h^2/2 a0) the sum of the increments so far. The Newmark
/// expressions of THEORY section 2 then read v1 = v0 + h a0 + g/(b h) d and a1 = a0 + d/(b h^2): the same, without the
/// cancellation that costs all digits of a at small steps.
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
  ++report_.factorizations;
  report_.singular_coordinate = solver_->factorize(tangent_);
  return report_.singular_coordinate < 0;
}

namespace {
constexpr double kRateTolerance = 1e-9;  // relative violation at which the projections stop
constexpr int kProjections = 8;
constexpr double kWeakProjection = 0.1;  // a further pass that leaves more than this part of the violation is taken back
}  // namespace

/// T dx = -c b h^2 Phi_q^T alpha (Phi_q x - target), again until the violation is gone. Close to a singular position some
/// motions are hardly constrained: there the first pass leaves them almost as they are, and further passes, which would move
/// them by the violation over a vanishing number, are recognized by how little they mend and taken back.
template <class Violation, class Correct>
void NewmarkIntegrator::project(const VecX& x, const Violation& violation, const Correct& correct) {
  const Equations& e = work_.equations;
  double last = 0;
  for (int pass = 0; pass < kProjections && structure_.constraints > 0; ++pass) {
    const double scale = std::max(x.cwiseAbs().maxCoeff(), 1e-3 * settings_.length);
    double worst = 0;
    correction_.swap(rhs_);
    rhs_.setZero();
    for (int k = 0; k < structure_.constraints; ++k) {
      const double rest = violation(k);
      worst = std::max(worst, std::abs(rest));
      add_row(structure_.jacobian, e.jacobian, k, -weight_[k] * rest, rhs_);
    }
    if (pass > 1 && worst > kWeakProjection * last) return correct(-correction_);
    if (pass > 0 && worst <= kRateTolerance * scale) return;
    solver_->solve(rhs_);
    correct(rhs_);
    last = worst;
  }
}

void NewmarkIntegrator::project_velocity() {
  const Equations& e = work_.equations;
  project(
      v_, [&](int k) { return row_times(structure_.jacobian, e.jacobian, k, v_) + e.phi_t[k]; },
      [&](const auto& correction) { v_ += correction; });
}

/// It is A that is projected; the algorithmic acceleration takes the same correction.
void NewmarkIntegrator::project_acceleration() {
  const Equations& e = work_.equations;
  project(
      A_, [&](int k) { return row_times(structure_.jacobian, e.jacobian, k, A_) - e.gamma[k]; },
      [&](const auto& correction) { A_ += correction, a_ += correction; });
}

/// Automatic: far below the local truncation error, of which the first increment is a measure, and on the constraints.
bool NewmarkIntegrator::has_converged(double first_increment, double phi, double h) const {
  if (settings_.tolerance) return report_.increment <= *settings_.tolerance;
  // Not below rounding: of the coordinates, and of accelerations, which an increment changes by itself over b h^2.
  const double rounding = 2e-14 + 1e-12 * rule_.beta * h * h * A_.cwiseQuotient(structure_.scale).norm();
  return report_.increment <= std::max(std::min(1e-3 * first_increment, 1e-7), rounding) && phi <= 1e-9 * settings_.length;
}

/// How strong the automatic penalties are. With kappa sigma^2 << 1, sigma the singular value of the constraints in some
/// direction relative to the assembled position, multipliers and projections leave that direction almost alone. That is
/// what lets a run pass a singular position, where sigma goes through zero and an exact answer would be an error over a
/// vanishing number: the zone left alone has the half width sigma = 1 / sqrt(kappa). It should be a fraction of the way that
/// one step goes, so that a step falls into it now and then but hardly two in a row: kappa = 10 / (h w)^2, w the largest
/// rate. Below 200 the multipliers converge slowly, beyond 1e6 rounding grows and nothing is gained.
double NewmarkIntegrator::kappa(const State& state, double h) const {
  if (structure_.constraints == 0) return settings_.kappa_smallest;
  const double way = h * state.v.cwiseQuotient(structure_.scale).cwiseAbs().maxCoeff();
  return std::clamp(10 / (way * way), settings_.kappa_smallest, settings_.kappa_largest);
}

std::pair<double, double> NewmarkIntegrator::penalty_range(const State& state, double h) const {
  if (settings_.penalty) return {*settings_.penalty, *settings_.penalty};
  if (structure_.constraints == 0) return {0, 0};
  const double factor = kappa(state, h) / ((1 - rule_.df) / (1 - rule_.dm) * rule_.beta * h * h);
  return {factor * analysis_.effective_mass.minCoeff(), factor * analysis_.effective_mass.maxCoeff()};
}

}  // namespace cardan
