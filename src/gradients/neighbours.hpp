// Mechanisms a little to both sides of a parameter's value, which derivatives are taken from.
#pragma once

#include <string>
#include <vector>

#include "cardan/gradients.hpp"
#include "simulation/phase_set.hpp"

namespace cardan {

/// Values on both sides; where the parameter is at its end, one of them is its own.
struct Neighbourhood {
  double up, down;
};

RunOptions resolved_options(RunOptions options, const Mechanism& mechanism);
std::vector<double> values_of(const std::vector<GradientParameter>& parameters);
/// A change by this part of the parameter's scale, as it is after rounding.
double change_of(const GradientParameter& p, double difference);
Neighbourhood neighbourhood(const GradientParameter& p, double difference);
/// Throws std::invalid_argument where a parameter brings or takes away something: it has no derivative there.
void check_alike(const PhaseSet& own, const PhaseSet& other, const std::string& parameter);

}  // namespace cardan
