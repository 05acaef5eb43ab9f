#include "studies/orders/order_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

constexpr int kTimes = 8;            // at which errors are taken, evenly over the run
constexpr double kRounding = 1e-12;  // errors below say nothing
constexpr double kLoosestTolerance = 1e-4;
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
  for (int i = 1; i <= kTimes; ++i) {
    const double end = mechanism.duration * i / kTimes;
    for (double rest; (rest = end - simulation.time()) > 1e-9 * options.step;) {
      // The last step up to a sample ends on it, whatever rounding has left.
      const bool last = rest < options.step * 1.5 || options.integrator == "bdf";
      const double h = last ? rest : options.step;
      const StepStatus status = simulation.step(h);
      if (status == StepStatus::Ok) continue;
      simulation.fail(status, h);
      throw std::runtime_error(simulation.summary().reason);
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

/// Slope of the straight line through the last three points above `floor`, or two.
double slope(const std::vector<double>& steps, const std::vector<double>& errors, double floor) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < steps.size() && errors[i] > floor; ++i)
    points.emplace_back(std::log(steps[i]), std::log(errors[i]));
  if (points.size() < 2) return kNone;
  if (points.size() > 3) points.erase(points.begin(), points.end() - 3);
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [u, w] : points) x += u, y += w, xx += u * u, xy += u * w;
  const double n = static_cast<double>(points.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace

OrderReference order_reference(const OrderCase& mechanism) {
  constexpr int kFiner = 32;
  OrderReference reference;
  reference.samples =
      sampled_run(mechanism, options_for(mechanism, "topological", "dopri5", mechanism.longest_step / kFiner));
  const OrderSamples other =
      sampled_run(mechanism, options_for(mechanism, "cartesian", "rk4", mechanism.longest_step / kFiner));
  reference.uncertainty = std::max(largest_difference(other.position, reference.samples.position),
                                   largest_difference(other.velocity, reference.samples.velocity));
  return reference;
}

int theoretical_order(const std::string& integrator) {
  static constexpr std::pair<std::string_view, int> kOrders[] = {
      {"trapezoidal", 2}, {"newmark", 1}, {"hht", 2},    {"generalized-alpha", 2},
      {"rk4", 4},         {"dopri5", 5},  {"sdirk3", 3}, {"sdirk4", 4},
      {"abm2", 2},        {"bdf", 0}};
  for (const auto& [name, order] : kOrders)
    if (name == integrator) return order;
  throw std::invalid_argument("the order of '" + integrator + "' is not known here");
}

double OrderResult::order() const {
  if (std::isnan(position_order)) return velocity_order;
  if (std::isnan(velocity_order)) return position_order;
  return std::abs(position_order - theoretical) > std::abs(velocity_order - theoretical) ? position_order
                                                                                         : velocity_order;
}

bool OrderResult::good() const {
  if (theoretical > 0) return at_rounding || std::abs(order() - theoretical) <= kOrderMargin;
  bool met = !steps.empty() && failure.empty();
  for (std::size_t i = 0; i < steps.size(); ++i)
    met = met && std::max(position_errors[i], velocity_errors[i]) <= kToleranceMargin * steps[i];
  return met;
}

OrderResult measure_order(const OrderCase& mechanism, const OrderReference& reference, const std::string& formulation,
                          const std::string& integrator, int rungs) {
  OrderResult result;
  result.mechanism = mechanism.name;
  result.formulation = formulation;
  result.integrator = integrator;
  result.theoretical = theoretical_order(integrator);
  result.position_order = result.velocity_order = kNone;
  result.refused = why_not(formulation, integrator);
  if (!result.refused.empty()) return result;
  const bool varies = result.theoretical == 0;
  double step = varies ? kLoosestTolerance : mechanism.longest_step;
  for (int i = 0; i < rungs; ++i, step /= varies ? 100 : 2) {
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
  }
  const double floor = kRounding + 5 * reference.uncertainty;
  result.position_order = slope(result.steps, result.position_errors, floor);
  result.velocity_order = slope(result.steps, result.velocity_errors, floor);
  result.at_rounding = std::isnan(result.position_order) && std::isnan(result.velocity_order);
  return result;
}

}  // namespace cardan
