#include "integration/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "integration/newmark.hpp"
#include "integration/state_space/state_space_integrator.hpp"

namespace cardan {

void Integrator::measure_violation(const Structure& structure, const Equations& e, const VecX& v, const VecX& A,
                                   double length) {
  const double v_scale = std::max(v.size() ? v.cwiseAbs().maxCoeff() : 0, 1e-3 * length);
  const double a_scale = std::max(A.size() ? A.cwiseAbs().maxCoeff() : 0, 1e-3 * length);
  const auto keep = [](double value, int k, double& worst, int& which) {
    if (std::abs(value) > worst) worst = std::abs(value), which = k;
  };
  for (int k = 0; k < structure.constraints; ++k) {
    const double rate = row_times(structure.jacobian, e.jacobian, k, v) + e.phi_t[k];
    const double second = row_times(structure.jacobian, e.jacobian, k, A) - e.gamma[k];
    keep(e.phi[k], k, report_.phi, report_.worst_phi);
    keep(rate / v_scale, k, report_.phi_rate, report_.worst_rate);
    keep(second / a_scale, k, report_.phi_second, report_.worst_second);
  }
}

std::unique_ptr<Integrator> make_integrator(const RunOptions& options, const Formulation& formulation, Workspace& work,
                                            double length) {
  const bool state_space = StateSpaceSettings::has_rule(options.integrator);
  if (state_space && formulation.is_differentiable()) {
    return std::make_unique<StateSpaceIntegrator>(formulation, work, StateSpaceSettings::for_options(options, length));
  }
  if (state_space && options.integrator != "trapezoidal") {
    throw std::invalid_argument("integrator '" + options.integrator + "' works in independent coordinates of the formulation " +
                                "cartesian, not with '" + options.formulation + "'; take --formulation cartesian, or trapezoidal");
  }
  if (options.step_control.value_or("fixed") != "fixed") {
    throw std::invalid_argument("step_control '" + *options.step_control + "' works with trapezoidal and sdirk4 of the " +
                                "formulation cartesian; leave it out for a constant step");
  }
  for (const char* name : {"trapezoidal", "newmark", "hht", "generalized-alpha"}) {
    if (options.integrator == name) {
      return std::make_unique<NewmarkIntegrator>(formulation, work, NewmarkRule::for_options(options),
                                                 NewmarkSettings::for_options(options, length));
    }
  }
  throw std::invalid_argument("no integrator is called '" + options.integrator + "'");
}

}  // namespace cardan
