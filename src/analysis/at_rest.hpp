// The mechanism with which positions of rest are sought.
#pragma once

#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/motion.hpp"

namespace cardan {

/// Drivers held at their value at t = 0, no initial velocities.
Mechanism held_at_rest(Mechanism mechanism);

/// A sentence when a body on a free joint to ground has turned over against gravity on the way from `drawn` to `now`,
/// as a vehicle does that nothing holds upright; else nothing.
std::string turned_over(const Mechanism& mechanism, const std::vector<BodyPose>& drawn,
                        const std::vector<BodyPose>& now);

}  // namespace cardan
