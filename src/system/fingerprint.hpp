// Which mechanism a context is of: a number made of everything that its coordinates depend on.
#pragma once

#include <cstdint>
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

/// Parts of a mechanism that a motion under way stands on, each with a sum that tells whether it is another: places of
/// bodies, joints, drivers, what is remembered, where it all began. Masses, loads and expressions are none of them.
struct StandingPart {
  const char* name;  // "bodies"
  std::uint64_t sum = 0;
};
std::vector<StandingPart> standing_parts(const Mechanism& mechanism);
/// The first that is another, or null.
const char* other_standing_part(const Mechanism& before, const Mechanism& after);

}  // namespace cardan
