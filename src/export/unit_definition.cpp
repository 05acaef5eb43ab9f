#include "export/unit_definition.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>

namespace cardan {
namespace {

using Exponents = std::array<int, 8>;  // kg m s A K mol cd rad

const std::map<std::string, UnitDefinition>& known_units() {
  static const std::map<std::string, UnitDefinition> units{
      {"1", {{}, 1}},
      {"kg", {{1}, 1}},
      {"g", {{1}, 1e-3}},
      {"t", {{1}, 1e3}},
      {"m", {{0, 1}, 1}},
      {"mm", {{0, 1}, 1e-3}},
      {"cm", {{0, 1}, 1e-2}},
      {"km", {{0, 1}, 1e3}},
      {"l", {{0, 3}, 1e-3}},
      {"s", {{0, 0, 1}, 1}},
      {"ms", {{0, 0, 1}, 1e-3}},
      {"min", {{0, 0, 1}, 60}},
      {"h", {{0, 0, 1}, 3600}},
      {"Hz", {{0, 0, -1}, 1}},
      {"A", {{0, 0, 0, 1}, 1}},
      {"K", {{0, 0, 0, 0, 1}, 1}},
      {"rad", {{0, 0, 0, 0, 0, 0, 0, 1}, 1}},
      {"deg", {{0, 0, 0, 0, 0, 0, 0, 1}, std::numbers::pi / 180}},
      {"N", {{1, 1, -2}, 1}},
      {"kN", {{1, 1, -2}, 1e3}},
      {"Nm", {{1, 2, -2}, 1}},
      {"J", {{1, 2, -2}, 1}},
      {"kJ", {{1, 2, -2}, 1e3}},
      {"W", {{1, 2, -3}, 1}},
      {"kW", {{1, 2, -3}, 1e3}},
      {"Pa", {{1, -1, -2}, 1}},
      {"kPa", {{1, -1, -2}, 1e3}},
      {"MPa", {{1, -1, -2}, 1e6}},
      {"bar", {{1, -1, -2}, 1e5}},
      {"V", {{1, 2, -3, -1}, 1}},
  };
  return units;
}

}  // namespace

std::optional<UnitDefinition> define_unit(const std::string& unit) {
  UnitDefinition result;
  int sign = 1;
  bool any = false;
  for (std::size_t at = 0; at < unit.size();) {
    const char c = unit[at];
    if (c == ' ' || c == '*') {
      ++at;
      continue;
    }
    if (c == '/') {
      sign = -1;
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < unit.size() && std::isalnum(static_cast<unsigned char>(unit[end])) != 0) ++end;
    const auto found = known_units().find(unit.substr(at, end - at));
    if (found == known_units().end()) return std::nullopt;
    int power = 1;
    if (end < unit.size() && unit[end] == '^') {
      char* stop = nullptr;
      power = static_cast<int>(std::strtol(unit.c_str() + end + 1, &stop, 10));
      end = static_cast<std::size_t>(stop - unit.c_str());
      if (power == 0 || std::abs(power) > 12) return std::nullopt;
    }
    for (std::size_t i = 0; i < result.exponents.size(); ++i)
      result.exponents[i] += sign * power * found->second.exponents[i];
    result.factor *= std::pow(found->second.factor, sign * power);
    any = true;
    at = end;
  }
  return any ? std::optional(result) : std::nullopt;
}

}  // namespace cardan
