// The order of one method on one mechanism. Steps are halved (fifth order: by the square root of two) until the last
// three slopes of the error agree, errors come to rounding, or the run has 100,000 steps; the order is the slope over
// the last factor of four above rounding. One rule for all methods, which does not know what theory says.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "studies/orders/order_cases.hpp"

namespace cardan {

inline constexpr double kOrderMargin = 0.2;  // how far a measured order may be from the theoretical one

inline constexpr double kToleranceMargin = 100;  // and the error of a method of variable order from its tolerance

/// Positions and velocities of all bodies at some times of a run: centres and two axes, over the mechanism's size; and
/// their rates, over the largest.
struct OrderSamples {
  std::vector<std::vector<double>> position, velocity;  // at each time
};

/// What the ladders are measured against, and how far an independent method is from it.
struct OrderReference {
  OrderSamples samples;
  double uncertainty = 0;
};
OrderReference order_reference(const OrderCase& mechanism);

/// A run with steps of that length, bdf excepted, which has its own. Throws std::runtime_error when a step fails, with
/// its reason.
OrderSamples run_with_step(const OrderCase& mechanism, const std::string& formulation, const std::string& integrator,
                           double step);
/// Largest difference of positions or of velocities, each relative to the largest of the second, or to one.
double difference(const OrderSamples& one, const OrderSamples& two);
/// Errors that say nothing: of rounding, which adds up from step to step, and of the reference.
double untold_error(double step, const OrderCase& mechanism, const OrderReference& reference);

/// Of the integrator: 1 to 5; 0 where it varies (bdf).
int theoretical_order(const std::string& integrator);

struct OrderResult {
  std::string mechanism, formulation, integrator;
  int theoretical = 0;
  std::vector<double> steps, position_errors, velocity_errors;  // of bdf: tolerances in place of steps
  std::vector<double> errors;                                   // of the state: the larger one of both
  double order = 0;                                             // NaN when it failed
  std::size_t told = 0;                                         // steps before errors come to rounding
  bool at_rounding = false;                                     // errors of all steps but one are too small to tell
  std::string refused;                                          // by name, before the start
  std::string failure;                                          // on the way

  double error(std::size_t rung) const { return errors[rung]; }
  /// The order is the slope over those from here to `told`: a factor of four in steps.
  std::size_t first_of_order() const;
  /// Slope between the last two of them.
  double last_slope() const;
  /// The order is the theoretical one within the margin; of a method of variable order: errors follow the tolerance.
  bool good() const;
  /// It is higher: in all steps that can be told from rounding the leading term of the error is small beside the next.
  bool above() const { return theoretical > 0 && order > theoretical + kOrderMargin; }
};

/// `rungs`: of the ladder, at least; errors near rounding do not count.
OrderResult measure_order(const OrderCase& mechanism, const OrderReference& reference, const std::string& formulation,
                          const std::string& integrator, int rungs);

}  // namespace cardan
