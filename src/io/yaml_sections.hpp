// The sections of a model file, each read into the description of the mechanism (specs.hpp).
#pragma once

#include "cardan/specs.hpp"
#include "io/yaml_fields.hpp"

namespace cardan {

void read_points(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_bodies(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_markers(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_joints(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_loads(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_roads(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
/// The load `tyre`, which stands with the roads.
TyreSpec read_tyre(Fields& fields, Name name);
void read_couplers(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_drivers(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
/// After bodies and joints: what a field means depends on which of them is named.
void read_initial(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_simulation(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);

}  // namespace cardan
