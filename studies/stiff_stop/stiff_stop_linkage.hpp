// A four-bar that swings against a stop: a soft torsion spring turns the crank, and from a given angle on a stop that
// is many times stiffer pushes back.
#pragma once

#include "cardan/mechanism.hpp"

namespace cardan {

inline constexpr double kStopRatio = 500;  // stiffness of the stop over that of the spring

Mechanism stiff_stop_linkage();

}  // namespace cardan
