// `simulation` of a plan: options as in a model. One that has a list varies, others hold for all runs.
#pragma once

#include "io/yaml_fields.hpp"
#include "sweep/plan.hpp"

namespace cardan {

void read_options(Reading& reading, const YamlNode& section, const SourceLocation& where, SweepPlan& plan);

}  // namespace cardan
