#include "mechanism/spanning_tree.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

/// Which joints may carry a body: no links, none that events switch, none that is to be cut.
std::vector<bool> tree_joints(const Mechanism& mechanism, const std::vector<std::string>& cut) {
  std::vector<bool> may_be_tree(mechanism.joints.size());
  for (std::size_t j = 0; j < may_be_tree.size(); ++j) {
    may_be_tree[j] = !is_link(mechanism.joints[j].type) && !mechanism.joints[j].switched;
  }
  for (const std::string& name : cut) {
    const auto found = std::find_if(mechanism.joints.begin(), mechanism.joints.end(),
                                    [&](const Joint& joint) { return joint.name == name; });
    if (found == mechanism.joints.end()) {
      throw ModelError(error_at(SourceLocation{mechanism.file}, "",
                                "no joint is called '" + name + "', so it cannot be cut", "name joints of the model"));
    }
    may_be_tree[found - mechanism.joints.begin()] = false;
  }
  return may_be_tree;
}

}  // namespace

SpanningTree make_spanning_tree(const Mechanism& mechanism, const std::vector<std::string>& cut) {
  const int bodies = static_cast<int>(mechanism.bodies.size());
  const int joints = static_cast<int>(mechanism.joints.size());
  const std::vector<bool> may_be_tree = tree_joints(mechanism, cut);

  // Prim's algorithm from ground, with the joints that lead on from what is reached in a queue. Ties go to the
  // shallower link, then to the joint that is written first.
  std::vector<std::vector<int>> joints_at(bodies + 1);  // ground last
  const auto index = [&](int body) { return body == kGround ? bodies : body; };
  for (int j = 0; j < joints; ++j) {
    if (!may_be_tree[j]) continue;
    joints_at[index(mechanism.joints[j].body1)].push_back(j);
    joints_at[index(mechanism.joints[j].body2)].push_back(j);
  }
  SpanningTree tree;
  std::vector<int> depth(bodies + 1, -1);
  std::vector<bool> used(joints, false);
  const auto reached = [&](int body) { return depth[index(body)] >= 0; };
  std::vector<bool> carries_rotor(joints, false);
  for (const Rotor& rotor : mechanism.rotors) carries_rotor[rotor.joint] = true;
  using Candidate = std::tuple<bool, int, int, int>;  // without rotor, coordinates, depth of the parent, joint
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  const auto reach = [&](int body, int its_depth) {
    depth[body] = its_depth;
    for (int j : joints_at[body]) {
      candidates.emplace(!carries_rotor[j], joint_coordinate_count(mechanism.joints[j].type, mechanism.planar),
                         its_depth, j);
    }
  };
  reach(bodies, 0);
  while (!candidates.empty()) {
    const auto [plain, coordinates, parent_depth, j] = candidates.top();
    candidates.pop();
    const Joint& joint = mechanism.joints[j];
    if (reached(joint.body1) == reached(joint.body2)) continue;
    const bool reversed = !reached(joint.body1);
    const int parent = reversed ? joint.body2 : joint.body1, body = reversed ? joint.body1 : joint.body2;
    used[j] = true;
    tree.links.push_back({body, parent, j, reversed});
    reach(body, parent_depth + 1);
  }
  if (static_cast<int>(tree.links.size()) < bodies) {
    const auto body = std::find(depth.begin(), depth.end(), -1) - depth.begin();
    throw ModelError(error_at(mechanism.bodies[body].where, "body '" + mechanism.bodies[body].name + "'",
                              "no chain of joints leads from ground to it once the links, the joints under 'cut' and "
                              "those that events attach "
                              "or release are opened",
                              "cut fewer joints, or add a free joint between ground and the body"));
  }
  for (int j = 0; j < joints; ++j) {
    const Joint& joint = mechanism.joints[j];
    const bool imposes_nothing = JointEquations(joint.type, mechanism.planar).empty();
    if (!used[j] && !imposes_nothing && joint.present) tree.cut.push_back(j);
  }
  return tree;
}

}  // namespace cardan
