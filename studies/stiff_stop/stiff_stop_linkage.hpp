// A four-bar that swings against a stop: a soft torsion spring turns the crank, and from a given angle on a stop that
// is many times stiffer pushes back. models/stiff_stop.yaml
#pragma once

#include "cardan/mechanism.hpp"

namespace cardan {

Mechanism stiff_stop_linkage();

}  // namespace cardan
