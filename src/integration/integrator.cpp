#include "integration/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cardan/registry.hpp"
#include "integration/bdf.hpp"
#include "integration/direct_runge_kutta.hpp"
#include "integration/explicit_runge_kutta.hpp"
#include "integration/fixed_point.hpp"
#include "integration/newmark.hpp"
#include "integration/sdirk.hpp"
#include "integration/state_space/state_space_integrator.hpp"

namespace cardan {

namespace {

/// Largest of |value| / scale, and which.
struct Worst {
  double& value;
  int& which;
  void see(double candidate, int k) {
    if (std::abs(candidate) > value) value = std::abs(candidate), which = k;
  }
};

double scale_of(const VecX& x, double length) {
  return std::max(x.size() ? x.cwiseAbs().maxCoeff() : 0, 1e-3 * length);
}

}  // namespace

void Integrator::measure_violation(const Structure& structure, const Equations& e, const VecX& v, const VecX& A,
                                   double length) {
  const double v_scale = scale_of(v, length), a_scale = scale_of(A, length);
  Worst phi{report_.phi, report_.worst_phi}, rate{report_.phi_rate, report_.worst_rate},
      second{report_.phi_second, report_.worst_second};
  for (int k = 0; k < structure.constraints; ++k) {
    phi.see(e.phi[k], k);
    rate.see((row_times(structure.jacobian, e.jacobian, k, v) + e.phi_t[k]) / v_scale, k);
    second.see((row_times(structure.jacobian, e.jacobian, k, A) - e.gamma[k]) / a_scale, k);
  }
}

void Integrator::measure_violation(const VecX& phi, const VecX& rate, const VecX& second, const VecX& v, const VecX& A,
                                   double length) {
  const double v_scale = scale_of(v, length), a_scale = scale_of(A, length);
  for (int k = 0; k < phi.size(); ++k) {
    Worst{report_.phi, report_.worst_phi}.see(phi[k], k);
    Worst{report_.phi_rate, report_.worst_rate}.see(rate[k] / v_scale, k);
    Worst{report_.phi_second, report_.worst_second}.see(second[k] / a_scale, k);
  }
}

StepStatus Integrator::start_accelerations(Index1Acceleration& acceleration, const Structure& structure,
                                           const Workspace& work, State& state) {
  constexpr double kStrength = 1e4;
  constexpr int kIterations = 30;
  const StepStatus status = acceleration.evaluate(state.t, state.q, state.v, state);
  if (status != StepStatus::Ok) return status;
  if (!analysed_) analysis_ = analyse_constraints(structure, work.equations);
  analysed_ = true;
  start_weight_ = kStrength * analysis_.effective_mass;
  report_.singular_coordinate = acceleration.factorize(start_weight_);
  if (report_.singular_coordinate >= 0) return StepStatus::Singular;
  acceleration.solve(start_weight_, kIterations, 1e-15, state.acceleration, state.lambda);
  return state.acceleration.allFinite() ? StepStatus::Ok : StepStatus::NonFinite;
}

namespace {

bool is_newmark(const std::string& name) {
  return name == "trapezoidal" || name == "newmark" || name == "hht" || name == "generalized-alpha";
}

/// What would otherwise be silently left out.
void refuse_unknown_combinations(const RunOptions& options) {
  const std::string control = options.step_control.value_or("");
  const std::string with = "' with integrator '" + options.integrator + "'";
  if (options.integrator == "dopri5") {
    if (control == "fixed") {
      throw std::invalid_argument("no step_control 'fixed" + with +
                                  ": it chooses its steps; take rk4 for a constant step");
    }
    if (control == "increment" || control == "residual" || control == "energy") {
      throw std::invalid_argument("no step_control '" + control + with +
                                  ": it iterates nothing and knows its error; leave it out, or take 'error'");
    }
  } else if (!is_newmark(options.integrator) && !control.empty() && control != "fixed") {
    throw std::invalid_argument(
        "no step_control '" + control + with +
        ": it works with trapezoidal, newmark, hht, generalized-alpha ('error' with dopri5 too)");
  }
  if (!is_newmark(options.integrator) && options.penalty) {
    throw std::invalid_argument("no penalty" + with.substr(1) + ": its penalties are automatic; leave it out");
  }
  if (options.fixed_penalty && (control.empty() || control == "fixed")) {
    throw std::invalid_argument("fixed_penalty says what happens when the step changes: give a step_control with it");
  }
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(const RunOptions& options, const Formulation& formulation, Workspace& work,
                                            double length) {
  if (const auto* dynamics = dynamic_cast<const DirectDynamics*>(&formulation)) {
    if (options.integrator == "rk4") {
      return std::make_unique<DirectRungeKutta>(formulation, *dynamics, work, ButcherTableau::rk4(),
                                                LoopSettings::for_options(options), length);
    }
    return std::make_unique<FixedPointTrapezoidal>(formulation, *dynamics, work,
                                                   FixedPointSettings::for_options(options, length));
  }
  if (options.integrator == "bdf") {
    return std::make_unique<BdfIntegrator>(formulation, work, BdfSettings::for_options(options, length));
  }
  if (formulation.is_differentiable() && StateSpaceSettings::has_rule(options.integrator)) {
    return std::make_unique<StateSpaceIntegrator>(formulation, work, StateSpaceSettings::for_options(options, length));
  }
  refuse_unknown_combinations(options);
  if (is_newmark(options.integrator)) {
    return std::make_unique<NewmarkIntegrator>(formulation, work, NewmarkRule::for_options(options),
                                               NewmarkSettings::for_options(options, length));
  }
  for (const ButcherTableau* tableau : {&ButcherTableau::rk4(), &ButcherTableau::dopri5()}) {
    if (options.integrator == tableau->name) {
      return std::make_unique<ExplicitRungeKutta>(formulation, work, *tableau,
                                                  RungeKuttaSettings::for_options(options, length));
    }
  }
  for (const ButcherTableau* tableau : {&ButcherTableau::sdirk3(), &ButcherTableau::sdirk4()}) {
    if (options.integrator == tableau->name) {
      return std::make_unique<SdirkIntegrator>(formulation, work, *tableau,
                                               RungeKuttaSettings::for_options(options, length));
    }
  }
  throw std::invalid_argument("no integrator is called '" + options.integrator + "'");
}

}  // namespace cardan
