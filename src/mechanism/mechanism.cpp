#include "cardan/mechanism.hpp"

namespace cardan {

int joint_coordinate_count(JointType type, bool planar) {
  switch (type) {
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw:
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
    case JointType::point_on_line:
    case JointType::point_on_plane:
    case JointType::parallel:
    case JointType::perpendicular:
      return 0;
  }
  return 0;
}

bool can_be_attached(JointType type, bool planar) {
  return type == JointType::spherical || type == JointType::fixed || type == JointType::distance ||
         type == JointType::point_on_line || type == JointType::point_on_plane ||
         (planar && type == JointType::revolute);
}

bool is_link(JointType type) {
  switch (type) {
    case JointType::distance:
    case JointType::point_on_line:
    case JointType::point_on_plane:
    case JointType::parallel:
    case JointType::perpendicular:
      return true;
    default:
      return false;
  }
}

const char* joint_type_name(JointType type) {
  static constexpr const char* names[] = {"revolute",      "prismatic",      "cylindrical", "universal",    "spherical",
                                          "planar",        "fixed",          "free",        "distance",     "screw",
                                          "point_on_line", "point_on_plane", "parallel",    "perpendicular"};
  return names[static_cast<int>(type)];
}

RunOptions RunOptions::for_mechanism(const Mechanism& mechanism) {
  RunOptions options;
  options.apply(mechanism.simulation);
  return options;
}

const std::string& Mechanism::body_name(int body) const {
  static const std::string ground = "ground";
  return body == kGround ? ground : bodies.at(static_cast<std::size_t>(body)).name;
}

}  // namespace cardan
