// URDF, the robot description of ROS: links and joints as a file has them, and the model that they become.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/formats/foreign_model.hpp"

namespace cardan {

/// What pictures show of a link.
struct UrdfVisual {
  enum class Shape { box, cylinder, sphere, capsule, mesh };
  Shape shape = Shape::box;
  Frame origin;              // in the link's axes
  Vec3 size = Vec3::Zero();  // box: edges; else radius and length; mesh: scale
  std::string mesh;          // as it is written
  std::string color;         // "#rrggbb" or empty
  double opacity = 1;
  SourceLocation where;
};

struct UrdfLink {
  std::string name;
  SourceLocation where;
  double mass = 0;
  Vec3 center = Vec3::Zero();   // in the link's axes
  Mat3 inertia = Mat3::Zero();  // about the centre, in the link's axes
  std::vector<UrdfVisual> visuals;
  std::vector<UrdfVisual> collisions;  // meshes alone, for pictures where those of `visuals` cannot be read
};

struct UrdfMimic {
  std::string joint;
  double multiplier = 1, offset = 0;
  SourceLocation where;
};

struct UrdfJoint {
  std::string name, type, parent, child;
  SourceLocation where;
  Frame origin;  // of the child link in the parent's axes, where the coordinate is 0
  Vec3 axis = Vec3::UnitX();
  std::optional<double> lower, upper;
  double effort = 0, velocity = 0;  // limits
  double damping = 0, friction = 0;
  std::optional<UrdfMimic> mimic;

  bool moves() const { return type != "fixed"; }
  bool turns() const { return type == "revolute" || type == "continuous"; }
  bool slides() const { return type == "prismatic"; }
  bool has_axis() const { return turns() || slides() || type == "planar"; }
};

struct UrdfRobot {
  std::string name;
  SourceLocation where;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<std::string> not_read;  // elements that a mechanism has no use for, and how many of them
};

/// Links and joints with everything that can be said of one alone checked; nothing after a report.
std::optional<UrdfRobot> read_urdf_document(const ForeignFile& file, Problems& problems);

/// Where a mesh is: package://NAME/... in the folder given for NAME, else looked for above the file; empty when it is
/// nowhere.
std::string find_mesh(const std::string& uri, const std::string& urdf, const ImportOptions& options);

std::optional<ModelTree> read_urdf(const ForeignFile& file, const ImportOptions& options, Problems& problems);

}  // namespace cardan
