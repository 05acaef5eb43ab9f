#include "gradients/neighbours.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "mechanism/automatic_formulation.hpp"
#include "options/method.hpp"

namespace cardan {
namespace {

/// Of differences to one side, whose error is of the first order.
constexpr double kOneSided = 1e-2;

}  // namespace

RunOptions resolved_options(RunOptions options, const Mechanism& mechanism) {
  resolve_method(options, mechanism);
  return options;
}

std::vector<double> values_of(const std::vector<GradientParameter>& parameters) {
  std::vector<double> values;
  for (const GradientParameter& p : parameters) values.push_back(p.value);
  return values;
}

double change_of(const GradientParameter& p, double difference) {
  const double scale = p.scale > 0 ? p.scale : p.value != 0 ? std::abs(p.value) : 1;
  const double up = p.value + difference * scale;
  return up - p.value;
}

Neighbourhood neighbourhood(const GradientParameter& p, double difference) {
  const double change = change_of(p, difference), one_sided = change_of(p, kOneSided * difference);
  if (p.value - change < p.min) return {p.value + one_sided, p.value};
  if (p.value + change > p.max) return {p.value, p.value - one_sided};
  return {p.value + change, p.value - change};
}

void check_alike(const PhaseSet& own, const PhaseSet& other, const std::string& parameter) {
  bool alike = own.size() == other.size();
  for (int i = 0; alike && i < own.size(); ++i) {
    const Structure &a = own.phase(i).compiled.formulation->structure(),
                    &b = other.phase(i).compiled.formulation->structure();
    alike = a.coordinates == b.coordinates && a.jacobian.column == b.jacobian.column &&
            a.jacobian.start == b.jacobian.start && a.loads.column == b.loads.column &&
            a.loads.start == b.loads.start && a.pattern.row == b.pattern.row &&
            own.phase(i).state.memory.size() == other.phase(i).state.memory.size();
  }
  if (!alike)
    throw std::invalid_argument(
        fmt::format("parameter '{}' changes which coordinates or constraints the mechanism has, however little it "
                    "changes itself: there is no derivative",
                    parameter));
}

}  // namespace cardan
