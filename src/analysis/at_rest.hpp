// The mechanism with which positions of rest are sought.
#pragma once

#include "cardan/mechanism.hpp"

namespace cardan {

/// Drivers held at their value at t = 0, no initial velocities.
Mechanism held_at_rest(Mechanism mechanism);

}  // namespace cardan
