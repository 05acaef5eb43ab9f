#include "integration/integrator.hpp"

#include <algorithm>
#include <cmath>

#include "integration/bdf.hpp"
#include "integration/direct_runge_kutta.hpp"
#include "integration/explicit_runge_kutta.hpp"
#include "integration/fixed_point.hpp"
#include "integration/newmark.hpp"
#include "integration/sdirk.hpp"
#include "integration/state_space/state_space_integrator.hpp"
#include "options/method.hpp"

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

/// What a try before has left, which was not accepted.
void Integrator::forget_violation() {
  report_.phi = report_.phi_rate = report_.phi_second = report_.opening = 0;
  report_.worst_phi = report_.worst_rate = report_.worst_second = -1;
}

void Integrator::measure_violation(const Structure& structure, const Equations& e, const VecX& v, const VecX& A,
                                   double length) {
  const double v_scale = scale_of(v, length), a_scale = scale_of(A, length);
  forget_violation();
  Worst phi{report_.phi, report_.worst_phi}, rate{report_.phi_rate, report_.worst_rate},
      second{report_.phi_second, report_.worst_second};
  for (int k = 0; k < structure.constraints; ++k) {
    phi.see(e.phi[k], k);
    report_.opening = std::max(report_.opening, std::abs(e.phi[k]) / structure.constraint_scale[k]);
    rate.see((row_times(structure.jacobian, e.jacobian, k, v) + e.phi_t[k]) / v_scale, k);
    second.see((row_times(structure.jacobian, e.jacobian, k, A) - e.gamma[k]) / a_scale, k);
  }
}

void Integrator::measure_violation(const Structure& structure, const VecX& phi, const VecX& rate, const VecX& second,
                                   const VecX& v, const VecX& A, double length) {
  const double v_scale = scale_of(v, length), a_scale = scale_of(A, length);
  forget_violation();
  for (int k = 0; k < phi.size(); ++k) {
    Worst{report_.phi, report_.worst_phi}.see(phi[k], k);
    report_.opening = std::max(report_.opening, std::abs(phi[k]) / structure.constraint_scale[k]);
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

std::unique_ptr<Integrator> make_integrator(const RunOptions& options, const Formulation& formulation, Workspace& work,
                                            double length) {
  const Method method = method_of(options.formulation, options.integrator);
  const auto tableau = [&]() -> const ButcherTableau& { return ButcherTableau::of(options.integrator); };
  const auto runge_kutta = [&] { return RungeKuttaSettings::for_options(options, length); };
  switch (method) {
    case Method::fixed_point:
      return std::make_unique<FixedPointTrapezoidal>(formulation, dynamic_cast<const DirectDynamics&>(formulation),
                                                     work, FixedPointSettings::for_options(options, length));
    case Method::direct_runge_kutta:
      return std::make_unique<DirectRungeKutta>(formulation, dynamic_cast<const DirectDynamics&>(formulation), work,
                                                tableau(), LoopSettings::for_options(options, length), length);
    case Method::bdf:
      return std::make_unique<BdfIntegrator>(formulation, work, BdfSettings::for_options(options, length));
    case Method::state_space:
    case Method::explicit_state_space:
      return std::make_unique<StateSpaceIntegrator>(formulation, work,
                                                    StateSpaceSettings::for_options(options, length));
    case Method::newmark:
      return std::make_unique<NewmarkIntegrator>(formulation, work, NewmarkRule::for_options(options),
                                                 NewmarkSettings::for_options(options, length));
    case Method::runge_kutta:
    case Method::dopri5:
      return std::make_unique<ExplicitRungeKutta>(formulation, work, tableau(), runge_kutta());
    case Method::sdirk:
      return std::make_unique<SdirkIntegrator>(formulation, work, tableau(), runge_kutta());
  }
  return nullptr;
}

}  // namespace cardan
