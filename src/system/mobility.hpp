// What joints and couplers leave free in one position, and, where that is nothing, which joint's axis stands in the
// way: a hinge a degree out of parallel locks a linkage that its drawing lets move. Setup work, dense.
#pragma once

#include <optional>
#include <string>

#include "formulation/body_model.hpp"

namespace cardan {

/// A joint that would let the mechanism move if its axis had another direction.
struct OffAxis {
  int joint = -1;
  double angle = 0;              // between the two, rad
  Vec3 wanted = Vec3::UnitZ();   // the direction, inertial axes
  bool of_translation = false;   // along which it slides, not about which it turns
  std::string sentence() const;  // "the axis is 1.1 degrees off ..."
};

/// A joint that holds in part what others hold too, and without which the mechanism would move.
struct SurplusJoint {
  int joint = -1;
  int degrees_of_freedom = 0;  // without it
};

struct Mobility {
  int degrees_of_freedom = 0;
  std::optional<OffAxis> off_axis;       // looked for when there are none
  std::optional<SurplusJoint> too_much;  // looked for when there are none and no axis is off
};

/// What can be counted without a position: at least freedoms - constraints are degrees of freedom.
struct FreedomCount {
  int freedoms = 0;     // of the bodies by themselves
  int constraints = 0;  // of joints and couplers, redundant ones included
};
FreedomCount count_freedoms(const Mechanism& mechanism);

/// Nothing for mechanisms that are too large for dense matrices. `length`: the mechanism's size.
template <int D>
std::optional<Mobility> find_mobility(const BodyModel<D>& model, const BodyKinematics<D>& k, double length);

}  // namespace cardan
