#include "io/urdf/urdf_topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cardan {

namespace {

class TopologyFinder {
 public:
  TopologyFinder(const UrdfRobot& robot, Problems& problems) : robot_(robot), problems_(problems) {}

  std::optional<UrdfTopology> find(const ImportOptions& options) {
    const std::size_t before = problems_.error_count();
    index_names();
    connect();
    if (problems_.error_count() > before) return std::nullopt;
    order();
    follow_leaders();
    if (problems_.error_count() > before) return std::nullopt;
    place();
    join_bodies(options.floating);
    return result_;
  }

 private:
  template <class Item>
  std::map<std::string, int> indices(const std::vector<Item>& items, const char* kind) {
    std::map<std::string, int> found;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto [first, inserted] = found.emplace(items[i].name, static_cast<int>(i));
      if (!inserted)
        problems_.error(
            items[i].where, element_label(kind, items[i].name),
            fmt::format("the name is taken on line {}", items[static_cast<std::size_t>(first->second)].where.line),
            "rename one of the two");
    }
    return found;
  }

  void index_names() {
    links_ = indices(robot_.links, "link");
    joints_ = indices(robot_.joints, "joint");
  }

  int link_named(const UrdfJoint& joint, const std::string& name) {
    const auto found = links_.find(name);
    if (found != links_.end()) return found->second;
    std::vector<std::string> known;
    for (const UrdfLink& link : robot_.links) known.push_back(link.name);
    problems_.error(joint.where, element_label("joint", joint.name), fmt::format("no link is called '{}'", name),
                    suggestion(name, known, "the links are"));
    return -1;
  }

  void connect() {
    carrier_.assign(robot_.links.size(), -1);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const UrdfJoint& joint = robot_.joints[j];
      const int parent = link_named(joint, joint.parent), child = link_named(joint, joint.child);
      result_.parent.push_back(parent);
      result_.child.push_back(child);
      if (child < 0) continue;
      int& carrier = carrier_[static_cast<std::size_t>(child)];
      if (carrier >= 0) {
        const UrdfJoint& first = robot_.joints[static_cast<std::size_t>(carrier)];
        problems_.error(joint.where, element_label("joint", joint.name),
                        fmt::format("the link '{}' has a parent already, by the joint '{}' on line {}", joint.child,
                                    first.name, first.where.line),
                        "URDF has trees alone: close the loop in a model that includes this file");
      } else {
        carrier = static_cast<int>(j);
      }
    }
  }

  void order() {
    std::vector<std::string> roots;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (carrier_[i] >= 0) continue;
      if (result_.root < 0) result_.root = static_cast<int>(i);
      roots.push_back("'" + robot_.links[i].name + "'");
    }
    if (roots.size() > 1) {
      problems_.error(robot_.where, "", fmt::format("the links {} have no parent", fmt::join(roots, ", ")),
                      "a robot has one root: join the others to it, with a 'floating' joint if need be");
      return;
    }
    std::vector<std::vector<int>> carried(robot_.links.size());
    for (std::size_t j = 0; j < robot_.joints.size(); ++j)
      carried[static_cast<std::size_t>(result_.parent[j])].push_back(static_cast<int>(j));
    std::vector<bool> reached(robot_.links.size(), false);
    std::vector<int> front;
    if (result_.root >= 0) front.push_back(result_.root);
    for (std::size_t next = 0; next < front.size(); ++next) {
      reached[static_cast<std::size_t>(front[next])] = true;
      for (const int joint : carried[static_cast<std::size_t>(front[next])]) {
        result_.joints.push_back(joint);
        front.push_back(result_.child[static_cast<std::size_t>(joint)]);
      }
    }
    report_circle(reached);
  }

  void report_circle(const std::vector<bool>& reached) {
    const auto lost = std::find(reached.begin(), reached.end(), false);
    if (lost == reached.end()) return;
    // Up from a link that no root carries one comes into the circle, and after as many steps as there are links one is
    // in it for certain.
    int link = static_cast<int>(lost - reached.begin());
    const auto above = [&](int i) {
      return result_.parent[static_cast<std::size_t>(carrier_[static_cast<std::size_t>(i)])];
    };
    for (std::size_t i = 0; i < reached.size(); ++i) link = above(link);
    std::vector<std::string> names;
    for (int i = link; names.empty() || i != link; i = above(i))
      names.push_back(robot_.links[static_cast<std::size_t>(i)].name);
    std::reverse(names.begin(), names.end());
    const UrdfJoint& joint = robot_.joints[static_cast<std::size_t>(carrier_[static_cast<std::size_t>(link)])];
    problems_.error(joint.where, element_label("joint", joint.name),
                    fmt::format("the links carry each other in a circle: {} -> {}", fmt::join(names, " -> "), names[0]),
                    "URDF has trees alone: close the loop in a model that includes this file");
  }

  // A mimic joint is drawn where its leader's position in the drawing takes it.
  void follow_leaders() {
    result_.drawn.assign(robot_.joints.size(), 0);
    result_.leader.assign(robot_.joints.size(), -1);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      if (!robot_.joints[j].mimic) continue;
      const UrdfMimic& mimic = *robot_.joints[j].mimic;
      const std::string element = element_label("joint", robot_.joints[j].name);
      const auto found = joints_.find(mimic.joint);
      if (found == joints_.end()) {
        std::vector<std::string> known;
        for (const UrdfJoint& joint : robot_.joints) known.push_back(joint.name);
        problems_.error(mimic.where, element, fmt::format("no joint is called '{}'", mimic.joint),
                        suggestion(mimic.joint, known, "the joints are"));
        continue;
      }
      const UrdfJoint& leader = robot_.joints[static_cast<std::size_t>(found->second)];
      if (!leader.turns() && !leader.slides()) {
        problems_.error(
            mimic.where, element,
            fmt::format("it follows '{}', a {} joint, which has no coordinate to follow", leader.name, leader.type));
        continue;
      }
      result_.leader[j] = found->second;
    }
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) result_.drawn[j] = drawn_position(static_cast<int>(j));
  }

  double drawn_position(int joint) {
    std::vector<int> chain;
    for (int j = joint; j >= 0; j = result_.leader[static_cast<std::size_t>(j)]) {
      if (std::find(chain.begin(), chain.end(), j) != chain.end()) {
        const UrdfJoint& own = robot_.joints[static_cast<std::size_t>(joint)];
        problems_.error(own.mimic->where, element_label("joint", own.name), "it follows itself");
        return 0;
      }
      chain.push_back(j);
    }
    double q = 0;
    for (auto j = chain.rbegin(); j != chain.rend(); ++j)
      if (const auto& mimic = robot_.joints[static_cast<std::size_t>(*j)].mimic;
          mimic && result_.leader[static_cast<std::size_t>(*j)] >= 0)
        q = mimic->multiplier * q + mimic->offset;
    return q;
  }

  void place() {
    result_.frames.resize(robot_.links.size());
    for (const int j : result_.joints) {
      const auto at = static_cast<std::size_t>(j);
      const UrdfJoint& joint = robot_.joints[at];
      Frame moved;
      if (joint.turns()) moved.axes = Eigen::AngleAxisd(result_.drawn[at], joint.axis).toRotationMatrix();
      if (joint.slides()) moved.origin = result_.drawn[at] * joint.axis;
      result_.frames[static_cast<std::size_t>(result_.child[at])] =
          result_.frames[static_cast<std::size_t>(result_.parent[at])] * joint.origin * moved;
    }
  }

  // A link without mass that is fixed to another one, or to ground, becomes part of it; two with mass stay two bodies,
  // so that what the fixed joint between them bears is known.
  void join_bodies(bool floating) {
    const auto count = robot_.links.size();
    result_.body.resize(count);
    std::vector<bool> heavy(count);
    for (std::size_t i = 0; i < count; ++i) {
      result_.body[i] = static_cast<int>(i);
      heavy[i] = robot_.links[i].mass > 0 || !robot_.links[i].inertia.isZero(0);
    }
    const auto merge = [&](int gone, int into) {
      for (int& body : result_.body)
        if (body == gone) body = into;
    };
    if (!floating && !heavy[static_cast<std::size_t>(result_.root)]) merge(result_.root, kGround);
    for (bool again = true; again;) {
      again = false;
      for (const int j : result_.joints) {
        if (robot_.joints[static_cast<std::size_t>(j)].moves()) continue;
        const int parent = result_.body[static_cast<std::size_t>(result_.parent[static_cast<std::size_t>(j)])];
        const int child = result_.body[static_cast<std::size_t>(result_.child[static_cast<std::size_t>(j)])];
        const auto light = [&](int body) { return body != kGround && !heavy[static_cast<std::size_t>(body)]; };
        if (parent == child || (!light(parent) && !light(child))) continue;
        if (light(child)) {
          merge(child, parent);
        } else {
          merge(parent, child);
        }
        again = true;
      }
    }
  }

  const UrdfRobot& robot_;
  Problems& problems_;
  UrdfTopology result_;
  std::map<std::string, int> links_, joints_;
  std::vector<int> carrier_;  // the joint above each link, or -1
};

}  // namespace

std::optional<UrdfTopology> find_topology(const UrdfRobot& robot, const ImportOptions& options, Problems& problems) {
  return TopologyFinder(robot, problems).find(options);
}

}  // namespace cardan
