// How one thing varies, as a plan says it: see plan_reader.cpp for the forms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/yaml_fields.hpp"
#include "sweep/plan.hpp"

namespace cardan {

inline constexpr double kMostCount = 1e15;  // of one range: whole numbers are exact below

/// A count of runs or points: whole, 1 or more.
std::optional<std::uint64_t> read_count(Fields& fields, const char* key);

/// Of a parameter or an input, whose kind and name the axis has.
void read_variation(Reading& reading, const YamlNode& node, const std::string& element, SweepAxis& axis);

}  // namespace cardan
