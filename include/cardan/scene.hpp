// A mechanism as a picture: what scene.json holds, beside trajectory.csv, so that a viewer can draw any sample. Drawn
// configuration, inertial axes, SI units; docs/output.md lists the keys.
#pragma once

#include <string>

#include "cardan/mechanism.hpp"

namespace cardan {

/// The diagonal of the box along the axes that holds all hardpoints and mass centres, m; 1 when that is 0.
double drawn_size(const Mechanism& mechanism);

/// The text of scene.json.
std::string scene_json(const Mechanism& mechanism);

}  // namespace cardan
