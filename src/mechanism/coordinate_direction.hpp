// Along or about which axis of its frames a coordinate of a joint goes (the table above Joint in mechanism.hpp).
#pragma once

#include "cardan/mechanism.hpp"

namespace cardan {

struct CoordinateDirection {
  int axis;      // 0 to 2: x, y, z
  bool angular;  // about it, not along it
};

inline CoordinateDirection coordinate_direction(JointType type, bool planar, int index) {
  switch (type) {
    case JointType::prismatic:
      return {planar ? 0 : 2, false};
    case JointType::revolute:
    case JointType::screw:
      return {2, true};
    case JointType::cylindrical:
      return {2, index == 1};
    case JointType::planar:
      return {index % 3, index == 2};
    case JointType::free:
      return {index % 3, planar ? index == 2 : index >= 3};
    default:
      return {index % 3, true};
  }
}

}  // namespace cardan
