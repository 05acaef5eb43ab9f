#include "studies/orders/small_steps.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cardan/registry.hpp"

namespace cardan {

static constexpr double kRoundingOfPositions = 2.2e-16;

std::vector<double> small_steps() {
  std::vector<double> steps;
  for (int i = 0; i <= 8; ++i) steps.push_back(0.01 * std::pow(10, -0.5 * i));
  return steps;
}

bool takes_small_steps(const std::string& integrator) { return theoretical_order(integrator) > 0; }

SmallStepResult measure_small_steps(const OrderCase& mechanism, const OrderReference& reference,
                                    const std::string& formulation, const std::string& integrator,
                                    const std::vector<double>& steps) {
  SmallStepResult result;
  result.mechanism = mechanism.name;
  result.formulation = formulation;
  result.integrator = integrator;
  result.refused = why_not(formulation, integrator);
  double smallest = 1e300;
  for (double step : steps) {
    if (!result.refused.empty()) break;
    double error = 0;
    try {
      error = difference(run_with_step(mechanism, formulation, integrator, step), reference.samples);
    } catch (const ModelError& refusal) {
      result.refused = refusal.what();
      break;
    } catch (const std::runtime_error& failure) {
      result.failure = failure.what();
      continue;
    }
    // Implicit rules have velocities by differences of positions, whose rounding is over the step then.
    result.untold = untold_error(step, mechanism, reference) + kRoundingOfPositions / step;
    if (error > result.untold && error > smallest * result.growth) {
      result.growth = error / smallest;
      result.grows_at = step;
    }
    smallest = std::min(smallest, std::max(error, result.untold));
    result.steps.push_back(step);
    result.errors.push_back(error);
  }
  return result;
}

}  // namespace cardan
