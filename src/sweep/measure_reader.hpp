// A measure, as plans say it: {max | min | mean | rms: EXPRESSION, from: t, to: t}, {at: t, of: EXPRESSION},
// {first: EXPRESSION > EXPRESSION} or {end: EXPRESSION}.
#pragma once

#include <optional>
#include <string>

#include "io/yaml_fields.hpp"
#include "sweep/plan.hpp"

namespace cardan {

std::optional<SweepMeasure> read_measure(Reading& reading, const YamlEntry& entry);

/// The expression that is 0 where a comparison comes to hold, in the place of that.
YamlPointer guard_node(const YamlNode& node, const std::string& guard);

}  // namespace cardan
