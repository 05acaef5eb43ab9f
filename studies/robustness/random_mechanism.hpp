// Mechanisms at random, one for each seed: trees and loops, in the plane and in space, held more often than needed,
// drawn in or passing singular positions, anywhere, with masses from a gram to a ton in one mechanism.
#pragma once

#include <optional>
#include <string>

#include "cardan/mechanism.hpp"

namespace cardan {

inline constexpr const char* kRandomKinds[] = {"planar tree",    "spatial tree",   "planar loops",    "spatial loop",
                                               "redundant loop", "singular start", "singular passing"};

/// Bars that stay parallel, bodies "bar0", "bar1", ..., joined by couplers that do not turn: the motion of those kinds
/// that begin in singular positions or pass them, J phi'' = u . (s x g) with s the first moment that turns along.
struct ParallelBars {
  Vec3 axis, bar, gravity;  // bar: from foot to top as drawn
  Vec3 moment = Vec3::Zero();
  double inertia = 0, rate = 0;

  /// How far they have turned after so many seconds, rad.
  double turn(double time) const;
};

struct RandomMechanism {
  std::string kind;
  Mechanism mechanism;
  std::optional<ParallelBars> bars;
  double duration = 0.4, step = 0.004;  // s
};

/// Kinds take turns with the seeds.
RandomMechanism random_mechanism(unsigned seed);

}  // namespace cardan
