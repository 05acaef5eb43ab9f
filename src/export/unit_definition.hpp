// Units as FMI defines them: exponents of SI base units, a factor and an offset.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace cardan {

struct UnitDefinition {
  static constexpr std::array<const char*, 8> kBase{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  std::array<int, 8> exponents{};  // of those
  double factor = 1;
};

/// Of "N m", "m/s^2", "1/s", "kN"; of words that are no unit, nothing. What follows a slash is below it.
std::optional<UnitDefinition> define_unit(const std::string& unit);

}  // namespace cardan
