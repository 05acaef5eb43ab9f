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

double scale_of(const VecX& x, double length) { return std::max(x.size() ? x.cwiseAbs().maxCoeff() : 0, 1e-3 * length); }

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
  analysis_ = analyse_constraints(structure, work.equations);
  const VecX weight = kStrength * analysis_.effective_mass;
  report_.singular_coordinate = acceleration.factorize(weight);
  if (report_.singular_coordinate >= 0) return StepStatus::Singular;
  acceleration.solve(weight, kIterations, 1e-15, state.acceleration, state.lambda);
  return state.acceleration.allFinite() ? StepStatus::Ok : StepStatus::NonFinite;
}

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
  if (options.step_control.value_or("fixed") != "fixed" && !chooses_steps(options.integrator)) {
    throw std::invalid_argument("step_control '" + *options.step_control + "' works with trapezoidal and sdirk4 of the " +
                                "formulation cartesian; leave it out for a constant step");
  }
  for (const char* name : {"trapezoidal", "newmark", "hht", "generalized-alpha"}) {
    if (options.integrator == name) {
      return std::make_unique<NewmarkIntegrator>(formulation, work, NewmarkRule::for_options(options),
                                                 NewmarkSettings::for_options(options, length));
    }
  }
  for (const ButcherTableau* tableau : {&ButcherTableau::rk4(), &ButcherTableau::dopri5()}) {
    if (options.integrator == tableau->name) {
      return std::make_unique<ExplicitRungeKutta>(formulation, work, *tableau,
                                                  RungeKuttaSettings::for_options(options, length));
    }
  }
  throw std::invalid_argument("no integrator is called '" + options.integrator + "'");
}

}  // namespace cardan
