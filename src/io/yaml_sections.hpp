// The sections of a model file, each read into the description of the mechanism (specs.hpp).
#pragma once

#include "cardan/specs.hpp"
#include "io/yaml_fields.hpp"
#include "mechanism/provenance.hpp"

namespace cardan {

/// The names of all sections.
std::span<const std::string_view> model_sections();

/// A whole file, the parts that it includes among it. `reading` comes with what is known before the file is opened.
/// Nothing after a report when it is no model.
std::optional<MechanismSpec> read_model(Reading& reading, const std::string& text,
                                        const std::map<std::string, double>& parameters);
/// A tree of sections, any of them, in addition to what `onto` describes. Throws ModelError with all problems found.
MechanismSpec read_description(const YamlNode& tree, MechanismSpec onto = {},
                               const std::map<std::string, double>& parameters = {});
/// The contents of a file, or nothing and why.
std::optional<std::string> read_text(const std::string& path, std::string& why_not, std::size_t most = kMostModelBytes);

void read_connections(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);

/// A part that a model includes, read and ready for include_subsystem().
struct Subsystem {
  MechanismSpec part;
  SubsystemUse use;
};
/// `parameters` replaces parameters of the parts: SUBSYSTEM/NAME. What cannot be read is reported, and the mechanism
/// marked so.
std::vector<Subsystem> read_subsystems(Reading& reading, const YamlNode& section,
                                       const std::map<std::string, double>& parameters, MechanismSpec& mechanism);

void read_points(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_bodies(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
/// `geometry` of a body or of ground.
void read_geometry(Reading& reading, const YamlNode& list, const Name& body, MechanismSpec& mechanism);
void read_markers(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_joints(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_roads(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
/// Elements of one `kind`: "load", "coupler" or "driver".
void read_elements(Reading& reading, const YamlNode& section, const std::string& kind, MechanismSpec& mechanism);
void read_inputs(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_states(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_signals(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_fmus(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
/// After bodies and joints: what a field means depends on which of them is named.
void read_initial(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
/// What is above 0 where a condition holds: "a > b" is a - b, "a < b" is b - a; nothing for what is no single
/// comparison.
std::optional<std::string> guard_of(const std::string& condition);
void read_events(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_plots(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_outputs(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);
void read_simulation(Reading& reading, const YamlNode& section, MechanismSpec& mechanism);

}  // namespace cardan
