// Links and joints of a URDF file as a tree: who carries whom, where every link is drawn, and which links are one body.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/urdf/urdf.hpp"

namespace cardan {

struct UrdfTopology {
  int root = -1;                   // a link
  std::vector<int> joints;         // in the order from the root to the tips
  std::vector<int> parent, child;  // links, for each joint
  std::vector<double> drawn;       // coordinate in the drawing, for each joint: 0, or what a mimic joint makes of it
  std::vector<int> leader;         // the joint that a mimic joint follows, else -1
  std::vector<Frame> frames;       // of the links, in the drawing
  std::vector<int> body;           // the link whose body a link belongs to, kGround: it is part of ground
};

/// Nothing after a report: names that are missing or given twice, two parents, circles, several roots.
std::optional<UrdfTopology> find_topology(const UrdfRobot& robot, const ImportOptions& options, Problems& problems);

}  // namespace cardan
