#include "studies/orders/order_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"
#include "options/integrators.hpp"

namespace cardan {
namespace {

constexpr double kRounding = 2e-12, kRoundingOfAStep = 5e-16;  // errors below say nothing
constexpr double kLoosestTolerance = 1e-4;
constexpr int kMostSteps = 100000;  // of the finest run
constexpr double kSettled = 0.05;   // change of the slope over three pairs of rungs
constexpr double kLastSteps = 4.5;  // the order is the slope over a factor of four; steps divide their time unevenly
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

RunOptions options_for(const OrderCase& mechanism, const std::string& formulation, const std::string& integrator,
                       double step) {
  RunOptions options;
  options.formulation = formulation;
  options.integrator = integrator;
  options.step = step;
  options.until = mechanism.duration;
  // A tolerance that any step meets leaves the length of a step to the caller.
  if (integrator == "dopri5")
    options.absolute_tolerance = options.relative_tolerance = 1e6;
  else if (integrator == "sdirk4" && formulation == "cartesian")
    options.step_control = "fixed";
  return options;
}

void add_sample(const Simulation& simulation, const Mechanism& mechanism, OrderSamples& samples) {
  std::vector<double> position, velocity;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const BodyMotion body = simulation.body(static_cast<int>(i));
    for (int k = 0; k < 3; ++k) {
      position.insert(position.end(), {body.position[k], body.rotation(k, 0), body.rotation(k, 1)});
      velocity.insert(velocity.end(), {body.velocity[k], body.angular_velocity[k]});
    }
  }
  samples.position.push_back(std::move(position));
  samples.velocity.push_back(std::move(velocity));
}

/// The nearest that divides the time from one sample to the next, so that all are of one length.
double dividing_step(const OrderCase& mechanism, double step) {
  const double interval = mechanism.duration / mechanism.times;
  return interval / std::round(interval / step);
}

/// bdf: error control, the same tolerance on all.
RunOptions options_for_tolerance(const OrderCase& mechanism, const std::string& formulation,
                                 const std::string& integrator, double tolerance) {
  RunOptions options = options_for(mechanism, formulation, integrator, mechanism.longest_step);
  options.absolute_tolerance = options.relative_tolerance = tolerance;
  return options;
}

/// Throws std::runtime_error when a step fails, with its reason.
OrderSamples sampled_run(const OrderCase& mechanism, const RunOptions& options) {
  Simulation simulation(mechanism.mechanism, options);
  OrderSamples samples;
  for (int i = 1; i <= mechanism.times; ++i) {
    const double end = mechanism.duration * i / mechanism.times;
    for (double rest; (rest = end - simulation.time()) > 1e-9 * options.step;) {
      // The last step up to a sample ends on it, whatever rounding has left.
      const bool last = rest < options.step * 1.5 || options.integrator == "bdf";
      const double h = last ? rest : options.step;
      if (simulation.step(h) != StepStatus::ok) throw std::runtime_error(simulation.summary().reason);
    }
    add_sample(simulation, mechanism.mechanism, samples);
  }
  return samples;
}

double largest_difference(const std::vector<std::vector<double>>& one, const std::vector<std::vector<double>>& two) {
  double difference = 0, size = 1;
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t k = 0; k < one[i].size(); ++k) {
      difference = std::max(difference, std::abs(one[i][k] - two[i][k]));
      size = std::max(size, std::abs(two[i][k]));
    }
  }
  return difference / size;
}

/// Rungs from the first to the last whose error is above the floor.
std::size_t told_rungs(const OrderResult& result, const OrderCase& mechanism, const OrderReference& reference) {
  std::size_t n = 0;
  while (n < result.steps.size() && result.error(n) > untold_error(result.steps[n], mechanism, reference)) ++n;
  return n;
}

double slope_between(const OrderResult& result, std::size_t longer, std::size_t shorter) {
  return std::log(result.error(longer) / result.error(shorter)) /
         std::log(result.steps[longer] / result.steps[shorter]);
}

/// Slope of the straight line through the errors of the last factor of four in steps that can be told.
double slope(const OrderResult& result) {
  if (result.told < 2) return kNone;
  double x = 0, y = 0, xx = 0, xy = 0, n = 0;
  for (std::size_t i = result.first_of_order(); i < result.told; ++i) {
    const double u = std::log(result.steps[i]), w = std::log(result.error(i));
    x += u, y += w, xx += u * u, xy += u * w, ++n;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

/// Whether finer steps would tell no more: errors are at the floor, or the last three slopes agree. What theory says
/// has no part in it.
bool has_settled(const OrderResult& result, std::size_t told) {
  const std::size_t n = result.steps.size();
  if (told < n) return true;
  if (n < 4) return false;
  double least = slope_between(result, n - 2, n - 1), most = least;
  for (std::size_t i = n - 2; i > n - 4; --i) {
    const double other = slope_between(result, i - 1, i);
    least = std::min(least, other), most = std::max(most, other);
  }
  return most - least < kSettled;
}

}  // namespace

OrderReference order_reference(const OrderCase& mechanism) {
  constexpr int kFiner = 32;
  OrderReference reference;
  reference.samples =
      sampled_run(mechanism, options_for(mechanism, "topological", "dopri5", mechanism.longest_step / kFiner));
  const OrderSamples other =
      sampled_run(mechanism, options_for(mechanism, "cartesian", "dopri5", mechanism.longest_step / kFiner));
  reference.uncertainty = difference(other, reference.samples);
  return reference;
}

OrderSamples run_with_step(const OrderCase& mechanism, const std::string& formulation, const std::string& integrator,
                           double step) {
  return sampled_run(mechanism, options_for(mechanism, formulation, integrator, dividing_step(mechanism, step)));
}

double difference(const OrderSamples& one, const OrderSamples& two) {
  return std::max(largest_difference(one.position, two.position), largest_difference(one.velocity, two.velocity));
}

double untold_error(double step, const OrderCase& mechanism, const OrderReference& reference) {
  return kRounding + kRoundingOfAStep * mechanism.duration / step + 5 * reference.uncertainty;
}

int theoretical_order(const std::string& integrator) {
  const IntegratorEntry& entry = integrator_entry(integrator);
  return entry.family == Family::bdf ? 0 : entry.order;  // it varies
}

std::size_t OrderResult::first_of_order() const {
  std::size_t first = told;
  while (first > 0 && steps[first - 1] < kLastSteps * steps[told - 1]) --first;
  return first;
}

double OrderResult::last_slope() const { return told < 2 ? kNone : slope_between(*this, told - 2, told - 1); }

bool OrderResult::good() const {
  if (theoretical > 0) return at_rounding || std::abs(order - theoretical) <= kOrderMargin;
  bool met = !steps.empty() && failure.empty();
  for (std::size_t i = 0; i < steps.size(); ++i) met = met && error(i) <= kToleranceMargin * steps[i];
  return met;
}

OrderResult measure_order(const OrderCase& mechanism, const OrderReference& reference, const std::string& formulation,
                          const std::string& integrator, int rungs) {
  OrderResult result;
  result.mechanism = mechanism.name;
  result.formulation = formulation;
  result.integrator = integrator;
  result.theoretical = theoretical_order(integrator);
  result.order = kNone;
  result.refused = why_not(formulation, integrator);
  if (!result.refused.empty()) return result;
  const bool varies = result.theoretical == 0;
  // Five orders come down to rounding within a few halvings.
  const double ratio = varies ? 100 : result.theoretical < 5 ? 2 : std::numbers::sqrt2;
  const auto told = [&] { return told_rungs(result, mechanism, reference); };
  double step = varies ? kLoosestTolerance : mechanism.longest_step;
  const auto goes_on = [&](int rung) {
    if (varies) return rung < rungs && step > kRounding;
    return rung < rungs || (!has_settled(result, told()) && mechanism.duration / step <= kMostSteps);
  };
  for (int rung = 0; goes_on(rung); ++rung, step /= ratio) {
    if (!varies) step = dividing_step(mechanism, step);
    OrderSamples samples;
    try {
      samples = sampled_run(mechanism, varies ? options_for_tolerance(mechanism, formulation, integrator, step)
                                              : options_for(mechanism, formulation, integrator, step));
    } catch (const std::runtime_error& failure) {  // ModelError too: what the mechanism does not allow
      (dynamic_cast<const ModelError*>(&failure) ? result.refused : result.failure) = failure.what();
      return result;
    }
    result.steps.push_back(step);
    result.position_errors.push_back(largest_difference(samples.position, reference.samples.position));
    result.velocity_errors.push_back(largest_difference(samples.velocity, reference.samples.velocity));
    result.errors.push_back(std::max(result.position_errors.back(), result.velocity_errors.back()));
  }
  result.told = told();
  result.order = slope(result);
  result.at_rounding = std::isnan(result.order);
  return result;
}

}  // namespace cardan
