// Which mechanism a context is of: a number made of everything that its coordinates depend on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/motion.hpp"

namespace cardan {

/// Of one phase of a mechanism in a formulation, with these joints cut and assembled in these poses, which relative
/// coordinates count from. Never zero, and exact as a double. Laws count by their values at some arguments.
std::int64_t fingerprint(const Mechanism& phase, const std::string& formulation, std::span<const std::string> cut,
                         std::span<const BodyPose> assembled);

}  // namespace cardan
