#include "system/joint_loop.hpp"

#include <vector>

namespace cardan {
namespace {

/// From the second body to the first by other joints, one more in every round.
std::vector<std::string> way_back(const Mechanism& mechanism, int body1, int body2, int without) {
  const int ground = static_cast<int>(mechanism.bodies.size());
  const auto place = [&](int body) { return body == kGround ? ground : body; };
  const int from = place(body2), to = place(body1);
  std::vector<int> by(mechanism.bodies.size() + 1, -1);  // of every body: the joint that it was reached by
  std::vector<int> reached = {from};
  for (std::size_t i = 0; i < reached.size() && by[to] < 0; ++i) {
    for (int j = 0; j < static_cast<int>(mechanism.joints.size()); ++j) {
      const int one = place(mechanism.joints[j].body1), two = place(mechanism.joints[j].body2);
      if (j == without || !mechanism.joints[j].present || (one != reached[i] && two != reached[i])) continue;
      const int next = one == reached[i] ? two : one;
      if (next == from || by[next] >= 0) continue;
      by[next] = j;
      reached.push_back(next);
    }
  }
  std::vector<std::string> names;
  for (int body = to; by[body] >= 0 && body != from;) {
    const Joint& passed = mechanism.joints[by[body]];
    names.push_back(passed.name);
    body = place(passed.body1) == body ? place(passed.body2) : place(passed.body1);
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

}  // namespace

std::string joints_of_loop(const Mechanism& mechanism, int joint) {
  const Joint& own = mechanism.joints[joint];
  std::vector<std::string> names = way_back(mechanism, own.body1, own.body2, joint);
  if (!names.empty()) names.insert(names.begin(), own.name);
  return joined(names);
}

std::string joints_of_loop(const Mechanism& mechanism, int body1, int body2) {
  return joined(way_back(mechanism, body1, body2, -1));
}

}  // namespace cardan
