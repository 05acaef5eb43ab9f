// A mechanism as URDF: a link for every body, its frame at the joint that carries it, with the body's axes; joints of
// several coordinates become several with links without mass between them. Where no joint closes a loop, joints are
// zero where the mechanism's are, else as they stand at the start, so that the loops of the sidecar fit.
#include <fmt/format.h>

#include <filesystem>

#include "cardan/formats.hpp"
#include "io/formats/export_tree.hpp"
#include "io/formats/model_tree.hpp"
#include "io/formats/yaml_writer.hpp"
#include "mechanism/joint_types.hpp"
#include "mechanism/problems.hpp"
#include "text/xml_text.hpp"

namespace cardan {

namespace {

/// Rz(yaw) Ry(pitch) Rx(roll), one after the other, so that each makes up for the rounding of those before.
Vec3 to_rpy(const Mat3& R) {
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const Mat3 rest = Eigen::AngleAxisd(-yaw, Vec3::UnitZ()).toRotationMatrix() * R;
  const double pitch = std::atan2(-rest(2, 0), rest(0, 0));
  return {std::atan2(-rest(1, 2), rest(1, 1)), pitch, yaw};
}

std::string origin(const Frame& frame) {
  const Vec3 rpy = to_rpy(frame.axes);
  if (tidy(frame.origin).isZero(0) && tidy(rpy).isZero(0)) return "";
  return fmt::format("<origin xyz=\"{}\" rpy=\"{}\"/>", spaced(frame.origin), spaced(rpy));
}

class UrdfWriter {
 public:
  UrdfWriter(const Mechanism& mechanism, const std::string& file_name, const ExportOptions& options)
      : m_(mechanism), file_name_(file_name), options_(options), tree_(make_export_tree(mechanism)) {}

  ExportedModel write() {
    refuse_elements(m_, "URDF", refusals_);
    for (const Rotor& rotor : m_.rotors) refusals_.add(rotor.where, "load", rotor.name, "URDF has no word for it");
    root_ = names_.take("world", "link");
    for (const Body& body : m_.bodies) body_names_.push_back(names_.take(body.name, "link"));
    joint_names_.resize(m_.joints.size());
    for (const ExportLink& link : tree_.links) {
      const auto index = static_cast<std::size_t>(link.joint);
      joint_names_[index] = names_.take(m_.joints[index].name, "joint");
    }
    find_followers();
    std::string body = fmt::format("  <link name=\"{}\">\n{}  </link>\n", root_, visuals(kGround));
    for (const ExportLink& link : tree_.links) body += link_text(link) + joint_text(link.ball ? as_hinges(link) : link);
    ExportedModel result;
    result.left_out = refusals_.settle(options_);
    result.text = "<?xml version=\"1.0\"?>\n";
    for (const std::string& line : result.left_out) result.text += fmt::format("<!-- left out: {} -->\n", plain(line));
    result.text += fmt::format("<robot name=\"{}\">\n{}</robot>\n", xml_text(m_.name), body);
    result.sidecar = sidecar();
    return result;
  }

 private:
  bool at_start() const { return !tree_.cut.empty(); }
  static std::string plain(std::string text) {
    for (std::size_t i = text.find("--"); i != std::string::npos; i = text.find("--")) text[i] = ' ';
    return text;
  }
  const std::string& link_name(int body) const {
    return body == kGround ? root_ : body_names_[static_cast<std::size_t>(body)];
  }

  // Couplers become mimic joints where each of both joints is one joint of the tree.
  void find_followers() {
    follower_.assign(m_.joints.size(), nullptr);
    std::vector<bool> simple(m_.joints.size(), false);
    for (const ExportLink& link : tree_.links) simple[static_cast<std::size_t>(link.joint)] = link.steps.size() == 1;
    for (const Coupler& coupler : m_.couplers) {
      const auto one = static_cast<std::size_t>(coupler.joint1), two = static_cast<std::size_t>(coupler.joint2);
      if (simple[one] && simple[two] && follower_[two] == nullptr) {
        follower_[two] = &coupler;
      } else {
        refusals_.add(coupler.where, "coupler", coupler.name, "URDF lets one joint with one coordinate follow another");
      }
    }
  }

  std::string link_text(const ExportLink& link) {
    const Body& body = m_.bodies[static_cast<std::size_t>(link.body)];
    std::string text = fmt::format("  <link name=\"{}\">\n", link_name(link.body));
    if (body.mass > 0 || !body.inertia.isZero(0)) {
      const Frame drawn_center{body.center, body.axes};
      const Frame center = relative(link.frame, tree_.at_start(link.body, drawn_center));
      Mat3 inertia = body.axes.transpose() * body.inertia * body.axes;
      // What a planar mechanism does not need, a reader does.
      if (m_.planar) inertia = inertia(2, 2) * Mat3::Identity();
      text += fmt::format(
          "    <inertial>\n      <origin xyz=\"{}\" rpy=\"0 0 0\"/>\n      <mass value=\"{}\"/>\n"
          "      <inertia ixx=\"{}\" ixy=\"{}\" ixz=\"{}\" iyy=\"{}\" iyz=\"{}\" izz=\"{}\"/>\n    </inertial>\n",
          spaced(center.origin), number_text(body.mass), number_text(inertia(0, 0)), number_text(inertia(0, 1)),
          number_text(inertia(0, 2)), number_text(inertia(1, 1)), number_text(inertia(1, 2)),
          number_text(inertia(2, 2)));
    }
    return text + visuals(link.body) + "  </link>\n";
  }

  std::string visuals(int body) const {
    std::string text;
    for (const ExportShape& shape : shapes_of(m_, tree_, body)) {
      const Geometry& drawn = shape.drawn;
      std::string geometry;
      if (drawn.shape == Geometry::Shape::box) {
        geometry = fmt::format("<box size=\"{}\"/>", spaced(shape.edges));
      } else if (drawn.shape == Geometry::Shape::sphere) {
        geometry = fmt::format("<sphere radius=\"{}\"/>", spaced_number(drawn.radius));
      } else if (drawn.shape == Geometry::Shape::cylinder || drawn.shape == Geometry::Shape::capsule) {
        geometry = fmt::format("<{} radius=\"{}\" length=\"{}\"/>",
                               drawn.shape == Geometry::Shape::cylinder ? "cylinder" : "capsule",
                               spaced_number(drawn.radius), spaced_number(shape.length));
      } else if (drawn.shape == Geometry::Shape::mesh) {
        const std::string file = std::filesystem::absolute(drawn.mesh->file).lexically_normal().string();
        geometry = fmt::format("<mesh filename=\"{}\" scale=\"{}\"/>", xml_text(file), spaced(drawn.scale));
      } else {
        continue;  // URDF has no plates
      }
      text += fmt::format("    <visual>\n      {}\n      <geometry>{}</geometry>\n    </visual>\n", origin(shape.frame),
                          geometry);
    }
    return text;
  }

  // A ball is three hinges about the body's axes, zero at the start; a quarter turn of the second one from there they
  // are singular.
  ExportLink as_hinges(ExportLink link) const {
    for (int axis = 0; axis < 3; ++axis) {
      ExportStep step;
      step.axis = link.frame.axes.col(axis);
      step.point = link.frame.origin;
      step.velocity = step.axis.dot(link.spin);
      step.number = axis + 1;
      link.steps.push_back(step);
    }
    return link;
  }

  std::string joint_text(const ExportLink& link) {
    const std::string& name = joint_names_[static_cast<std::size_t>(link.joint)];
    Frame before = tree_.link_frame(link.parent);
    if (link.steps.empty()) {
      start_of_body(link);
      return one_joint(name, link.free ? "floating" : "fixed", link_name(link.parent), link_name(link.body),
                       relative(before, link.frame), "");
    }
    std::string text, parent = link_name(link.parent);
    for (std::size_t k = 0; k < link.steps.size(); ++k) {
      const ExportStep& step = link.steps[k];
      const bool last = k + 1 == link.steps.size();
      const std::string own =
          link.steps.size() == 1 ? name : names_.take(fmt::format("{}_{}", name, step.number), "joint");
      const std::string child = last ? link_name(link.body) : names_.take(own + "_link", "link");
      // The link's frame at the start; where its joint is zero it is turned or moved back.
      const Frame frame = last ? link.frame : Frame{step.point, link.frame.axes};
      Frame back = frame;
      const double q = at_start() ? 0 : step.position;
      if (step.turns) back.axes = Eigen::AngleAxisd(-q, step.axis).toRotationMatrix() * frame.axes;
      if (!step.turns) back.origin -= q * step.axis;
      const Frame at = relative(before, back);
      std::string inside = fmt::format("    <axis xyz=\"{}\"/>\n", spaced(frame.axes.transpose() * step.axis));
      inside += laws(link.joint, step, own);
      if (!last) text += fmt::format("  <link name=\"{}\"/>\n", child);
      text += one_joint(own, step.turns ? "continuous" : "prismatic", parent, child, at, inside);
      start_of_joint(own, step);
      before = frame;
      parent = child;
    }
    return text;
  }

  std::string laws(int joint, const ExportStep& step, const std::string& name) {
    std::string text;
    if (!step.turns) text += "    <limit lower=\"-1000\" upper=\"1000\" effort=\"0\" velocity=\"0\"/>\n";
    const ExportJointLaw law = joint_law(m_, joint, step.number, refusals_);
    if (law.stiffness != 0)
      refusals_.add(m_.joints[static_cast<std::size_t>(joint)].where, "joint", name, "URDF has no springs");
    if (law.damping != 0 || law.friction != 0)
      text += fmt::format("    <dynamics damping=\"{}\" friction=\"{}\"/>\n", number_text(law.damping),
                          number_text(law.friction));
    if (const Coupler* coupler = follower_[static_cast<std::size_t>(joint)]) {
      const auto drawn = [&](int j, int index) {
        const std::vector<double>& values = m_.joints[static_cast<std::size_t>(j)].drawn;
        return values.empty() ? 0 : values[static_cast<std::size_t>(index)];
      };
      const double offset =
          drawn(coupler->joint2, coupler->coordinate2) - coupler->ratio * drawn(coupler->joint1, coupler->coordinate1);
      text += fmt::format("    <mimic joint=\"{}\" multiplier=\"{}\" offset=\"{}\"/>\n",
                          joint_names_[static_cast<std::size_t>(coupler->joint1)], number_text(coupler->ratio),
                          at_start() ? "0" : number_text(offset));
    }
    return text;
  }

  static std::string one_joint(const std::string& name, const char* type, const std::string& parent,
                               const std::string& child, const Frame& at, const std::string& inside) {
    const std::string place = origin(at);
    return fmt::format(
        "  <joint name=\"{}\" type=\"{}\">\n    <parent link=\"{}\"/>\n    <child link=\"{}\"/>\n{}{}  </joint>\n",
        name, type, parent, child, place.empty() ? "" : "    " + place + "\n", inside);
  }

  // What the sidecar says of the start.
  void start_of_joint(const std::string& name, const ExportStep& step) {
    TreeNode fields = map_node({});
    if (step.position != 0 && !at_start()) fields->add({"position", {}, number_node(step.position, {})});
    if (step.velocity != 0) fields->add({"velocity", {}, number_node(step.velocity, {})});
    if (!fields->entries.empty()) starts_.emplace_back("robot/" + name, fields);
  }

  void start_of_body(const ExportLink& link) {
    if (!link.free) return;
    const Body& body = m_.bodies[static_cast<std::size_t>(link.body)];
    const Vec3 center = tree_.at_start(link.body, {body.center, Mat3::Identity()}).origin;
    const Vec3 velocity = link.velocity + link.angular_velocity.cross(center - link.frame.origin);
    if (velocity.isZero(0) && link.angular_velocity.isZero(0)) return;
    TreeNode fields = map_node({});
    fields->add({"velocity", {}, vector_node(velocity, {})});
    fields->add({"angular_velocity", {}, vector_node(link.angular_velocity, {})});
    starts_.emplace_back("robot/" + link_name(link.body), fields);
  }

  std::string sidecar() {
    const bool usual = m_.gravity == Vec3(0, 0, -9.81);
    if (usual && tree_.cut.empty() && starts_.empty()) return "";
    ModelTree model({});
    model.preface = {fmt::format("What {} has no words for. Its links and joints are robot/NAME here.", file_name_)};
    model.set("name", word_node(m_.name, {}));
    model.set("gravity", vector_node(m_.gravity, {}));
    model.add("subsystems", "robot", SourceLocation()).word("file", file_name_);
    for (const int index : tree_.cut) add_loop(model, m_.joints[static_cast<std::size_t>(index)]);
    for (const auto& [name, fields] : starts_) model.add("initial", name, fields);
    TreeElement run = [&] {
      const TreeNode node = map_node({});
      model.set("simulation", node);
      return TreeElement(node, {});
    }();
    run.number("until", m_.simulation.until.value_or(1)).number("step", m_.simulation.step.value_or(0.001));
    return write_yaml(model);
  }

  void add_loop(ModelTree& model, const Joint& joint) {
    const auto name = [&](int body) { return body == kGround ? std::string("ground") : "robot/" + link_name(body); };
    // As they stand at the start, which is where URDF draws them.
    const Frame one = tree_.at_start(joint.body1, joint.frame1), other = tree_.at_start(joint.body2, joint.frame2);
    TreeElement element = model.add("joints", joint.name, SourceLocation());
    const JointTraits& type = traits(joint.type);
    const JointEquations equations(joint.type, false);  // URDF knows no plane
    element.words(std::string(type.name), {name(joint.body1), name(joint.body2)});
    const auto pair = [](const Vec3& a, const Vec3& b) {
      const Vec3 p = tidy(a), q = tidy(b);
      if ((p - q).norm() < 1e-12) return vector_node(p, {});
      return list_node({vector_node(p, {}), vector_node(q, {})}, {});
    };
    const auto two = [](const Vec3& a, const Vec3& b) {
      return list_node({vector_node(tidy(a), {}), vector_node(tidy(b), {})}, {});
    };
    const bool apart = type.has_field("length");
    if (apart)
      element.set("at", two(one.origin, other.origin));
    else if (type.needs_place)
      element.set("at", pair(one.origin, other.origin));
    if (type.has_field("axes")) element.set("axes", two(one.axes.col(0), other.axes.col(1)));
    if (type.has_field("axis")) {
      // What does not turn in the plane goes along x there.
      const bool along_x = m_.planar && type.in_plane.coordinates.find('Z') == std::string_view::npos;
      const int axis = along_x ? 0 : 2;
      element.set("axis", pair(one.axes.col(axis), other.axes.col(axis)));
      if (equations.has_position(0) != equations.has_position(1))  // a slot
        element.set("x_axis", vector_node(tidy(one.axes.col(0)), {}));
    }
    if (apart) element.number("length", joint.length);
    if (type.has_field("pitch")) element.number("pitch", joint.pitch);
  }

  const Mechanism& m_;
  std::string file_name_;
  const ExportOptions& options_;
  ExportTree tree_;
  ExportRefusals refusals_;
  NameTable names_;
  std::string root_;
  std::vector<std::string> body_names_, joint_names_;
  std::vector<const Coupler*> follower_;
  std::vector<std::pair<std::string, TreeNode>> starts_;
};

}  // namespace

ExportedModel export_urdf(const Mechanism& mechanism, const std::string& file_name, const ExportOptions& options) {
  return UrdfWriter(mechanism, file_name, options).write();
}

}  // namespace cardan
