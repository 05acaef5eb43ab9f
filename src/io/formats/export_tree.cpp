#include "io/formats/export_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cardan/system.hpp"
#include "io/formats/model_tree.hpp"
#include "mechanism/joint_types.hpp"
#include "mechanism/problems.hpp"
#include "mechanism/spanning_tree.hpp"

namespace cardan {

namespace {

/// Slides and turns one after the other, a ball, or anything.
bool has_counterpart(JointType type, bool planar) {
  return !is_link(type) && !JointEquations(type, planar).has(JointEquation::Kind::pitch);
}

class TreeMaker {
 public:
  explicit TreeMaker(const Mechanism& mechanism)
      : m_(mechanism),
        tree_(make_spanning_tree(mechanism, mechanism.simulation.cut)),
        system_(mechanism, "hybrid"),
        start_(system_.start()) {}

  ExportTree make() {
    for (const Body& body : m_.bodies) {
      const BodyMotion motion = frame_motion(system_, start_, system_.frame(body.name, body.center));
      motions_.push_back(motion);
      const Mat3 turn = motion.rotation * body.axes.transpose();
      result_.moved.push_back({motion.position - turn * body.center, turn});
    }
    result_.cut = tree_.cut;
    result_.link_of.assign(m_.bodies.size(), -1);
    std::vector<Diagnostic> refused;
    for (const TreeLink& link : tree_.links) {
      const Joint& joint = m_.joints[static_cast<std::size_t>(link.joint)];
      if (!has_counterpart(joint.type, m_.planar)) {
        refused.push_back(error_at(joint.where, element_label("joint", joint.name),
                                   fmt::format("a {} joint has no counterpart there", joint_type_name(joint.type)),
                                   ""));
        continue;
      }
      add(link, joint);
    }
    if (!refused.empty()) throw ModelError(refused);
    return std::move(result_);
  }

 private:
  void add(const TreeLink& tree_link, const Joint& joint) {
    ExportLink link;
    link.body = tree_link.body;
    link.parent = tree_link.parent;
    link.joint = tree_link.joint;
    const Frame frame1 = result_.at_start(joint.body1, joint.frame1),
                frame2 = result_.at_start(joint.body2, joint.frame2);
    const BodyMotion& motion = motions_[static_cast<std::size_t>(link.body)];
    link.frame = {tree_link.reversed ? frame1.origin : frame2.origin, motion.rotation};
    link.angular_velocity = link.spin = motion.angular_velocity;
    if (link.parent != kGround) link.spin -= motions_[static_cast<std::size_t>(link.parent)].angular_velocity;
    link.velocity = motion.velocity + motion.angular_velocity.cross(link.frame.origin - motion.position);
    const int count = joint_coordinate_count(joint.type, m_.planar);
    const bool turns_freely = has_rotation_vector(joint.type, m_.planar);
    if (turns_freely) (count == 3 ? link.ball : link.free) = true;
    for (int number = 1; number <= count && !turns_freely; ++number) {
      const CoordinateDirection along = coordinate_direction(joint.type, m_.planar, number - 1);
      ExportStep step;
      step.number = number;
      step.turns = along.angular;
      // The second arm of a universal joint belongs to body 2, as does the point that a pin turns about.
      step.axis = (along.turned ? frame2 : frame1).axes.col(along.axis) * (tree_link.reversed ? -1 : 1);
      step.point = frame2.origin;
      const CoordinateHandle handle = system_.coordinate(joint.name, number);
      step.position = joint_position(system_, start_, handle);
      step.velocity = joint_velocity(system_, start_, handle);
      link.steps.push_back(step);
    }
    if (tree_link.reversed) std::reverse(link.steps.begin(), link.steps.end());
    result_.link_of[static_cast<std::size_t>(link.body)] = static_cast<int>(result_.links.size());
    result_.links.push_back(std::move(link));
  }

  const Mechanism& m_;
  SpanningTree tree_;
  System system_;
  Context start_;
  std::vector<BodyMotion> motions_;
  ExportTree result_;
};

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * (std::abs(a) + std::abs(b)) + 1e-12; }

}  // namespace

Frame ExportTree::at_start(int body, const Frame& drawn) const {
  return body == kGround ? drawn : moved[static_cast<std::size_t>(body)] * drawn;
}

ExportTree make_export_tree(const Mechanism& mechanism) { return TreeMaker(mechanism).make(); }

Frame relative(const Frame& outer, const Frame& inner) {
  return {outer.axes.transpose() * (inner.origin - outer.origin), outer.axes.transpose() * inner.axes};
}

void ExportRefusals::add(const SourceLocation& where, const std::string& kind, const std::string& name,
                         const std::string& message) {
  refusals_.push_back(error_at(where, element_label(kind, name), message, "`--leave-out` does without it"));
}

std::vector<std::string> ExportRefusals::settle(const ExportOptions& options) const {
  if (!options.leave_out && !refusals_.empty()) throw ModelError(refusals_);
  std::vector<std::string> lines;
  for (const Diagnostic& refusal : refusals_) lines.push_back(fmt::format("{}: {}", refusal.element, refusal.message));
  return lines;
}

std::vector<ExportShape> shapes_of(const Mechanism& mechanism, const ExportTree& tree, int body) {
  std::vector<ExportShape> shapes;
  const auto add = [&](const Geometry& drawn) {
    Frame frame{drawn.origin, drawn.axes};
    Vec3 edges = drawn.edges;
    if (!(edges.z() > 0)) edges.z() = edges.head<2>().minCoeff() / 10;
    const Vec3 way = drawn.end - drawn.origin;
    if (drawn.shape == Geometry::Shape::cylinder || drawn.shape == Geometry::Shape::capsule) {
      frame.origin = (drawn.origin + drawn.end) / 2;
      frame.axes = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), way).toRotationMatrix();
    }
    shapes.push_back({drawn, relative(tree.link_frame(body), tree.at_start(body, frame)), edges, way.norm()});
  };
  if (body != kGround)
    if (const auto& own = mechanism.bodies[static_cast<std::size_t>(body)].shape) add(*own);
  for (const Geometry& geometry : mechanism.geometry)
    if (geometry.body == body) add(geometry);
  return shapes;
}

ExportJointLaw joint_law(const Mechanism& mechanism, int joint, int number, ExportRefusals& refusals) {
  ExportJointLaw law;
  double moment = 0;  // stiffness times free position
  for (const JointSpringDamper& load : mechanism.joint_springs) {
    if (load.joint != joint || load.coordinate != number - 1) continue;
    const double k = load.spring(1);
    bool linear = true;
    for (const double x : {-3.0, -0.01, 0.0, 0.02, 7.0}) linear = linear && same(load.spring(x), k * x);
    // B v + T tanh(v/v0) with the v0 that a reader takes where none is said.
    const double slope = (load.damper(200) - load.damper(100)) / 100, level = load.damper(100) - 100 * slope;
    for (const double v : {-50.0, -1.0, -0.01, 0.004, 0.3, 10.0})
      linear = linear && same(load.damper(v), slope * v + level * std::tanh(v / 0.01));
    if (!linear) {
      refusals.add(load.where, "load", load.name, "its law is not linear");
      continue;
    }
    law.stiffness += k;
    moment += k * load.free_position;
    law.damping += slope;
    law.friction += same(level, 0) ? 0 : level;
  }
  if (law.stiffness != 0) law.free_position = moment / law.stiffness;
  for (const Rotor& rotor : mechanism.rotors)
    if (rotor.joint == joint && rotor.coordinate == number - 1) law.armature += rotor.inertia * rotor.gear * rotor.gear;
  return law;
}

void refuse_elements(const Mechanism& mechanism, const char* format, ExportRefusals& refusals) {
  const auto refuse = [&](const auto& elements, const char* kind) {
    for (const auto& element : elements)
      refusals.add(element.where, kind, element.name, fmt::format("{} has no word for it", format));
  };
  refuse(mechanism.springs, "load");
  refuse(mechanism.bushings, "load");
  refuse(mechanism.custom_wrenches, "load");
  refuse(mechanism.forces, "load");
  refuse(mechanism.torques, "load");
  refuse(mechanism.actuators, "load");
  refuse(mechanism.line_forces, "load");
  refuse(mechanism.tyres, "load");
  refuse(mechanism.contacts, "load");
  refuse(mechanism.drivers, "driver");
  refuse(mechanism.knife_edges, "constraint");
  refuse(mechanism.rolling_discs, "constraint");
  refuse(mechanism.events, "event");
  refuse(mechanism.states, "state");
}

std::string spaced_number(double value) { return number_text(tidy(value)); }

std::string spaced(const Vec3& v) {
  return fmt::format("{} {} {}", spaced_number(v.x()), spaced_number(v.y()), spaced_number(v.z()));
}

}  // namespace cardan
