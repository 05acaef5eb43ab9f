#include "mechanism/spanning_tree.hpp"

#include <algorithm>
#include <tuple>

namespace cardan {

SpanningTree make_spanning_tree(const Mechanism& mechanism, const std::vector<std::string>& cut) {
  const int bodies = static_cast<int>(mechanism.bodies.size());
  const int joints = static_cast<int>(mechanism.joints.size());
  std::vector<bool> may_be_tree(joints);
  for (int j = 0; j < joints; ++j) may_be_tree[j] = mechanism.joints[j].type != JointType::distance;
  for (const std::string& name : cut) {
    const auto found = std::find_if(mechanism.joints.begin(), mechanism.joints.end(),
                                    [&](const Joint& joint) { return joint.name == name; });
    if (found == mechanism.joints.end()) {
      throw ModelError(error_at(SourceLocation{mechanism.file}, "", "no joint is called '" + name + "', so it cannot be cut",
                         "name joints of the model"));
    }
    may_be_tree[found - mechanism.joints.begin()] = false;
  }

  // Prim's algorithm from ground. Ties go to the shallower link, then to the joint that is written first.
  SpanningTree tree;
  std::vector<int> depth(bodies, -1);
  std::vector<bool> used(joints, false);
  const auto depth_of = [&](int body) { return body == kGround ? 0 : depth[body]; };
  const auto reached = [&](int body) { return body == kGround || depth[body] >= 0; };
  while (static_cast<int>(tree.links.size()) < bodies) {
    std::tuple<int, int, int> best{1000, 0, -1};
    for (int j = 0; j < joints; ++j) {
      const Joint& joint = mechanism.joints[j];
      if (!may_be_tree[j] || reached(joint.body1) == reached(joint.body2)) continue;
      const int parent = reached(joint.body1) ? joint.body1 : joint.body2;
      best = std::min(best, {joint_coordinate_count(joint.type, mechanism.planar), depth_of(parent), j});
    }
    const int j = std::get<2>(best);
    if (j < 0) {
      const auto body = std::find(depth.begin(), depth.end(), -1) - depth.begin();
      throw ModelError(error_at(mechanism.bodies[body].where, "body '" + mechanism.bodies[body].name + "'",
                         "no chain of joints leads from ground to it once the distance links and the joints under 'cut' are opened",
                         "cut fewer joints, or add a free joint between ground and the body"));
    }
    const Joint& joint = mechanism.joints[j];
    const bool reversed = !reached(joint.body1);
    const int parent = reversed ? joint.body2 : joint.body1, body = reversed ? joint.body1 : joint.body2;
    depth[body] = depth_of(parent) + 1;
    used[j] = true;
    tree.links.push_back({body, parent, j, reversed});
  }
  for (int j = 0; j < joints; ++j) {
    if (!used[j] && mechanism.joints[j].type != JointType::free) tree.cut.push_back(j);
  }
  return tree;
}

}  // namespace cardan
