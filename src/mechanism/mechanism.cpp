#include "cardan/mechanism.hpp"

namespace cardan {

int joint_coordinate_count(JointType type, bool planar) {
  switch (type) {
    case JointType::revolute:
    case JointType::prismatic:
      return 1;
    case JointType::cylindrical:
    case JointType::universal:
      return 2;
    case JointType::spherical:
    case JointType::planar:
      return 3;
    case JointType::free:
      return planar ? 3 : 6;
    case JointType::fixed:
    case JointType::distance:
      return 0;
  }
  return 0;
}

bool can_be_attached(JointType type, bool planar) {
  return type == JointType::spherical || type == JointType::fixed || type == JointType::distance ||
         (planar && type == JointType::revolute);
}

const char* joint_type_name(JointType type) {
  static constexpr const char* names[] = {"revolute", "prismatic", "cylindrical", "universal", "spherical",
                                          "planar",   "fixed",     "free",        "distance"};
  return names[static_cast<int>(type)];
}

const std::string& Mechanism::body_name(int body) const {
  static const std::string ground = "ground";
  return body == kGround ? ground : bodies.at(static_cast<std::size_t>(body)).name;
}

}  // namespace cardan
