// A mechanism as MJCF, the format of MuJoCo: nested bodies drawn as they stand at the start, `ref` telling the
// coordinates there; loops as equality constraints, which MuJoCo keeps softly; velocities of the start as a key frame.
#include <fmt/format.h>

#include <Eigen/Geometry>

#include "cardan/formats.hpp"
#include "io/formats/export_tree.hpp"
#include "io/formats/model_tree.hpp"
#include "math/decomposition/decompositions.hpp"
#include "mechanism/problems.hpp"
#include "text/xml_text.hpp"

namespace cardan {

namespace {

std::string quaternion(const Mat3& axes) {
  const Eigen::Quaterniond q(axes);
  return fmt::format("{} {} {} {}", spaced_number(q.w()), spaced_number(q.x()), spaced_number(q.y()),
                     spaced_number(q.z()));
}

std::string pose(const Frame& frame) {
  std::string text = fmt::format("pos=\"{}\"", spaced(frame.origin));
  if (!frame.axes.isIdentity(1e-15)) text += fmt::format(" quat=\"{}\"", quaternion(frame.axes));
  return text;
}

class MjcfWriter {
 public:
  MjcfWriter(const Mechanism& mechanism, const ExportOptions& options)
      : m_(mechanism), options_(options), tree_(make_export_tree(mechanism)), children_(mechanism.bodies.size() + 1) {
    for (const ExportLink& link : tree_.links) children_[static_cast<std::size_t>(link.parent + 1)].push_back(&link);
  }

  ExportedModel write() {
    refuse_elements(m_, "MJCF, without a program,", refusals_);
    std::string bodies = geoms(kGround, 4);
    for (const ExportLink* link : children_[0]) bodies += body(*link, 4);
    const std::string equality = loops() + couplers();
    ExportedModel result;
    result.left_out = refusals_.settle(options_);
    for (const std::string& line : result.left_out) result.text += fmt::format("<!-- left out: {} -->\n", plain(line));
    const double step = m_.simulation.step.value_or(0.001);
    result.text += fmt::format(
        "<mujoco model=\"{}\">\n  <compiler angle=\"radian\" inertiafromgeom=\"false\"{}/>\n"
        "  <option gravity=\"{}\" timestep=\"{}\" integrator=\"RK4\"/>\n"
        "  <default>\n    <geom contype=\"0\" conaffinity=\"0\"/>\n    <equality solref=\"{} 1\" solimp=\"0.9999 "
        "0.9999 0.001\"/>\n  </default>\n"
        "  <worldbody>\n{}  </worldbody>\n",
        xml_text(m_.name), balances_ ? " balanceinertia=\"true\"" : "", spaced(m_.gravity), number_text(step),
        number_text(2 * step), bodies);
    if (!equality.empty()) result.text += "  <equality>\n" + equality + "  </equality>\n";
    if (moves_)
      result.text +=
          fmt::format("  <keyframe>\n    <key name=\"start\" qpos=\"{}\" qvel=\"{}\"/>\n  </keyframe>\n", qpos_, qvel_);
    result.text += "</mujoco>\n";
    return result;
  }

 private:
  static std::string plain(std::string text) {
    for (std::size_t i = text.find("--"); i != std::string::npos; i = text.find("--")) text[i] = ' ';
    return text;
  }

  void start(const std::string& position, const std::string& velocity, bool moves) {
    qpos_ += (qpos_.empty() ? "" : " ") + position;
    qvel_ += (qvel_.empty() ? "" : " ") + velocity;
    moves_ = moves_ || moves;
  }

  std::string body(const ExportLink& link, std::size_t indent) {
    const Body& body = m_.bodies[static_cast<std::size_t>(link.body)];
    const std::string margin(indent, ' '), inner(indent + 2, ' ');
    std::string text = fmt::format("{}<body name=\"{}\" {}>\n", margin, body.name,
                                   pose(relative(tree_.link_frame(link.parent), link.frame)));
    text += inner + inertial(link, body) + joints(link, indent + 2) + geoms(link.body, indent + 2);
    for (const ExportLink* child : children_[static_cast<std::size_t>(link.body + 1)])
      text += this->body(*child, indent + 2);
    return text + margin + "</body>\n";
  }

  std::string inertial(const ExportLink& link, const Body& body) {
    const Frame center = relative(link.frame, tree_.at_start(link.body, {body.center, body.axes}));
    Mat3 inertia = body.axes.transpose() * body.inertia * body.axes;
    if (m_.planar) inertia = inertia(2, 2) * Mat3::Identity();  // a body of space needs all three
    if (body.mass <= 0) refusals_.add(body.where, "body", body.name, "MuJoCo takes no body without mass");
    const Vec3 principal = symmetric_eigenvalues(inertia).values;
    if (principal[0] <= 1e-12 * principal[2]) {
      refusals_.add(body.where, "body", body.name,
                    "MuJoCo takes no body without inertia about an axis; it gets a millionth of the largest one");
      inertia += 1e-6 * std::max(principal[2], 1e-9) * Mat3::Identity();
    } else if (principal[0] + principal[1] < principal[2] * (1 - 1e-9)) {
      refusals_.add(body.where, "body", body.name,
                    "MuJoCo takes no inertia that breaks the triangle inequality; it changes it");
      balances_ = true;
    }
    const bool diagonal = inertia(0, 1) == 0 && inertia(0, 2) == 0 && inertia(1, 2) == 0;
    const std::string moments =
        diagonal ? fmt::format("diaginertia=\"{} {} {}\"", number_text(inertia(0, 0)), number_text(inertia(1, 1)),
                               number_text(inertia(2, 2)))
                 : fmt::format("fullinertia=\"{} {} {} {} {} {}\"", number_text(inertia(0, 0)),
                               number_text(inertia(1, 1)), number_text(inertia(2, 2)), number_text(inertia(0, 1)),
                               number_text(inertia(0, 2)), number_text(inertia(1, 2)));
    return fmt::format("<inertial pos=\"{}\" mass=\"{}\" {}/>\n", spaced(center.origin), number_text(body.mass),
                       moments);
  }

  std::string joints(const ExportLink& link, std::size_t indent) {
    const Joint& joint = m_.joints[static_cast<std::size_t>(link.joint)];
    const std::string margin(indent, ' ');
    if (link.free) return free_joint(link, joint, margin);
    if (link.ball) return margin + ball_joint(link, joint);
    std::string text;
    for (const ExportStep& step : link.steps) {
      const Frame at = relative(link.frame, {step.point, Mat3::Identity()});
      const ExportJointLaw law = joint_law(m_, link.joint, step.number, refusals_);
      text += fmt::format("{}<joint name=\"{}\" type=\"{}\" axis=\"{}\"", margin, step_name(link, joint, step),
                          step.turns ? "hinge" : "slide", spaced(link.frame.axes.transpose() * step.axis));
      if (step.turns && !tidy(at.origin).isZero(0)) text += fmt::format(" pos=\"{}\"", spaced(at.origin));
      if (step.position != 0) text += fmt::format(" ref=\"{}\"", number_text(step.position));
      if (law.stiffness != 0)
        text += fmt::format(" stiffness=\"{}\" springref=\"{}\"", number_text(law.stiffness),
                            number_text(law.free_position));
      if (law.damping != 0) text += fmt::format(" damping=\"{}\"", number_text(law.damping));
      if (law.friction != 0) text += fmt::format(" frictionloss=\"{}\"", number_text(law.friction));
      if (law.armature != 0) text += fmt::format(" armature=\"{}\"", number_text(law.armature));
      text += "/>\n";
      start(number_text(step.position), number_text(step.velocity), step.velocity != 0);
    }
    return text;
  }

  static std::string step_name(const ExportLink& link, const Joint& joint, const ExportStep& step) {
    return link.steps.size() == 1 ? joint.name : fmt::format("{}_{}", joint.name, step.number);
  }

  // Positions in space, the velocity of the frame's origin in space and the angular velocity in the body's axes.
  std::string free_joint(const ExportLink& link, const Joint& joint, const std::string& margin) {
    if (link.parent != kGround) {
      refusals_.add(joint.where, "joint", joint.name, "MuJoCo has free joints at ground alone");
      return "";
    }
    start(spaced(link.frame.origin) + " " + quaternion(link.frame.axes),
          spaced(link.velocity) + " " + spaced(link.frame.axes.transpose() * link.angular_velocity),
          !link.velocity.isZero(0) || !link.angular_velocity.isZero(0));
    return fmt::format("{}<freejoint name=\"{}\"/>\n", margin, joint.name);
  }

  std::string ball_joint(const ExportLink& link, const Joint& joint) {
    const Vec3 spin = link.frame.axes.transpose() * link.spin;
    start("1 0 0 0", spaced(spin), !spin.isZero(0));
    return fmt::format("<joint name=\"{}\" type=\"ball\"/>\n", joint.name);
  }

  std::string geoms(int body, std::size_t indent) const {
    std::string text;
    for (const ExportShape& shape : shapes_of(m_, tree_, body)) {
      const Geometry::Shape sort = shape.drawn.shape;
      std::string kind;
      if (sort == Geometry::Shape::box) {
        kind = fmt::format("type=\"box\" size=\"{}\"", spaced(shape.edges / 2));
      } else if (sort == Geometry::Shape::sphere) {
        kind = fmt::format("type=\"sphere\" size=\"{}\"", spaced_number(shape.drawn.radius));
      } else if (sort == Geometry::Shape::cylinder || sort == Geometry::Shape::capsule) {
        kind = fmt::format("type=\"{}\" size=\"{} {}\"", sort == Geometry::Shape::cylinder ? "cylinder" : "capsule",
                           spaced_number(shape.drawn.radius), spaced_number(shape.length / 2));
      } else {
        continue;
      }
      text += fmt::format("{}<geom {} {}/>\n", std::string(indent, ' '), kind, pose(shape.frame));
    }
    return text;
  }

  // A ball is a connection of points, a hinge two of them along its axis, a fixed joint a weld.
  std::string loops() {
    std::string text;
    for (const int index : tree_.cut) {
      const Joint& joint = m_.joints[static_cast<std::size_t>(index)];
      int one = joint.body1, other = joint.body2;
      Frame frame = tree_.at_start(one, joint.frame1);
      if (one == kGround) {
        std::swap(one, other);
        frame = tree_.at_start(one, joint.frame2);
      }
      const auto connect = [&](const Vec3& point, const std::string& name) {
        const Vec3 anchor = relative(tree_.link_frame(one), {point, Mat3::Identity()}).origin;
        const std::string second = other == kGround ? "" : fmt::format(" body2=\"{}\"", m_.body_name(other));
        return fmt::format("    <connect name=\"{}\" body1=\"{}\"{} anchor=\"{}\"/>\n", name, m_.body_name(one), second,
                           spaced(anchor));
      };
      if (joint.type == JointType::spherical || (joint.type == JointType::revolute && m_.planar)) {
        text += connect(frame.origin, joint.name);
      } else if (joint.type == JointType::revolute) {
        const Vec3 half = 0.05 * frame.axes.col(2);
        text += connect(frame.origin - half, joint.name + "_1") + connect(frame.origin + half, joint.name + "_2");
      } else if (joint.type == JointType::fixed) {
        text += fmt::format("    <weld name=\"{}\" body1=\"{}\"{}/>\n", joint.name, m_.body_name(one),
                            other == kGround ? "" : fmt::format(" body2=\"{}\"", m_.body_name(other)));
      } else {
        refusals_.add(joint.where, "joint", joint.name,
                      fmt::format("it closes a loop, and MuJoCo has no {} constraint", joint_type_name(joint.type)));
      }
    }
    return text;
  }

  // MuJoCo counts from `ref`: y - y0 = a0 + a1 (x - x0).
  std::string couplers() {
    std::string text;
    for (const Coupler& coupler : m_.couplers) {
      const ExportStep *one = nullptr, *two = nullptr;
      std::string name1, name2;
      for (const ExportLink& link : tree_.links)
        for (const ExportStep& step : link.steps) {
          const Joint& joint = m_.joints[static_cast<std::size_t>(link.joint)];
          if (link.joint == coupler.joint1 && step.number == coupler.coordinate1 + 1)
            one = &step, name1 = step_name(link, joint, step);
          if (link.joint == coupler.joint2 && step.number == coupler.coordinate2 + 1)
            two = &step, name2 = step_name(link, joint, step);
        }
      if (one == nullptr || two == nullptr) {
        refusals_.add(coupler.where, "coupler", coupler.name, "one of its joints closes a loop");
        continue;
      }
      const auto drawn = [&](int j, int index) {
        const std::vector<double>& values = m_.joints[static_cast<std::size_t>(j)].drawn;
        return values.empty() ? 0 : values[static_cast<std::size_t>(index)];
      };
      const double offset = drawn(coupler.joint2, coupler.coordinate2) - two->position +
                            coupler.ratio * (one->position - drawn(coupler.joint1, coupler.coordinate1));
      text += fmt::format("    <joint name=\"{}\" joint1=\"{}\" joint2=\"{}\" polycoef=\"{} {} 0 0 0\"/>\n",
                          coupler.name, name2, name1, spaced_number(offset), number_text(coupler.ratio));
    }
    return text;
  }

  const Mechanism& m_;
  const ExportOptions& options_;
  ExportTree tree_;
  ExportRefusals refusals_;
  std::vector<std::vector<const ExportLink*>> children_;  // of ground, then of every body
  std::string qpos_, qvel_;
  bool moves_ = false, balances_ = false;
};

}  // namespace

ExportedModel export_mjcf(const Mechanism& mechanism, const ExportOptions& options) {
  return MjcfWriter(mechanism, options).write();
}

}  // namespace cardan
