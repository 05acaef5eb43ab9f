// The elements of a URDF file: https://wiki.ros.org/urdf/XML is the reference.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>

#include "io/formats/xml_file.hpp"
#include "io/urdf/urdf.hpp"

namespace cardan {

namespace {

constexpr std::string_view kJointTypes[] = {"revolute", "continuous", "prismatic", "fixed",
                                            "floating", "planar",     "spherical"};

struct Paint {
  std::string color;
  double opacity = 1;
};

/// Turns about fixed axes, x first: Rz(yaw) Ry(pitch) Rx(roll).
Mat3 from_rpy(const Vec3& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

class UrdfReader {
 public:
  UrdfReader(XmlFile& xml, Problems& problems) : xml_(xml), problems_(problems) {}

  UrdfRobot read() {
    const pugi::xml_node root = xml_.root();
    UrdfRobot robot;
    robot.name = root.attribute("name").value();
    robot.where = xml_.where(root);
    if (!is_whole(root)) return robot;
    for (const pugi::xml_node& node : root.children("material")) note_material(node);
    std::map<std::string, int> others;
    for (const pugi::xml_node& node : root.children()) {
      if (node.type() != pugi::node_element) continue;
      const std::string_view tag = node.name();
      if (tag == "link") {
        robot.links.push_back(link(node));
      } else if (tag == "joint") {
        if (auto read = joint(node)) robot.joints.push_back(std::move(*read));
      } else if (tag != "material") {
        ++others[std::string(tag)];
      }
    }
    for (const auto& [tag, count] : others) robot.not_read.push_back(fmt::format("{} <{}>", count, tag));
    return robot;
  }

 private:
  /// Whether nothing stands for something else, an inertia in the middle of a link perhaps. What <gazebo> and the like
  /// hold moves nothing.
  bool is_whole(const pugi::xml_node& root) {
    const auto is_macro = [](const pugi::xml_node& node) {
      return std::string_view(node.name()).starts_with("xacro:");
    };
    for (const pugi::xml_node& node : root.children()) {
      const std::string_view tag = node.name();
      const bool read = tag == "link" || tag == "joint";
      if (const pugi::xml_node macro = is_macro(node) ? node : read ? node.find_node(is_macro) : pugi::xml_node()) {
        problems_.error(xml_.where(macro), "", fmt::format("<{}> is a macro of xacro", macro.name()),
                        "expand the file first: xacro FILE.xacro -o FILE.urdf");
        return false;
      }
      if (tag == "include" || tag.ends_with(":include")) {
        problems_.error(xml_.where(node), "", fmt::format("<{}> asks for another file, which is not read", tag),
                        "put what is in that file in its place");
        return false;
      }
    }
    return true;
  }

  /// Of several the first is taken, as by other programs.
  void expect_once(const pugi::xml_node& node, std::initializer_list<const char*> names, const std::string& element) {
    for (const char* name : names) {
      if (const pugi::xml_node again = node.child(name).next_sibling(name))
        problems_.warning(xml_.where(again), element, fmt::format("another <{}>: the first one is taken", name));
    }
  }

  Frame origin(const pugi::xml_node& node, const std::string& element) {
    const pugi::xml_node origin = node.child("origin");
    if (!origin) return {};
    if (origin.attribute("quat_xyzw")) xml_.error(origin, element, "'quat_xyzw' is not known", "give 'rpy'");
    return {xml_.vector(origin, "xyz", Vec3::Zero(), element),
            from_rpy(xml_.vector(origin, "rpy", Vec3::Zero(), element))};
  }

  Paint paint(const pugi::xml_node& material, const std::string& element) {
    Paint result;
    if (const pugi::xml_node color = material.child("color")) {
      const std::vector<double> rgba = xml_.numbers(color, "rgba", element);
      if (rgba.size() < 3) return result;
      const auto byte = [&](std::size_t i) {
        return static_cast<int>(std::lround(255 * std::clamp(rgba[i], 0.0, 1.0)));
      };
      result.color = fmt::format("#{:02x}{:02x}{:02x}", byte(0), byte(1), byte(2));
      if (rgba.size() > 3) result.opacity = std::clamp(rgba[3], 0.0, 1.0);
      return result;
    }
    const auto found = materials_.find(material.attribute("name").value());
    return found == materials_.end() ? result : found->second;
  }

  void note_material(const pugi::xml_node& node) {
    const std::string name = node.attribute("name").value(), element = element_label("material", name);
    if (const auto wrong = xml_.complaint_of([&] { materials_[name] = paint(node, element); }))
      problems_.warning(wrong->where, element, "its colour is not taken: " + wrong->message);
  }

  /// Whether all are above 0.
  bool has_size(const pugi::xml_node& node, const std::vector<std::pair<const char*, double>>& lengths,
                const std::string& element) {
    for (const auto& [name, value] : lengths) {
      if (value > 0) continue;
      xml_.error(node, element, fmt::format("'{}' of <{}> is not above 0", name, node.name()));
      return false;
    }
    return true;
  }

  /// Pictures never stand in the way: what cannot be drawn is not shown, and a warning says so.
  void visual(const pugi::xml_node& node, std::vector<UrdfVisual>& shapes, const std::string& element) {
    const std::size_t before = shapes.size();
    const auto wrong = xml_.complaint_of([&] { read_visual(node, shapes, element); });
    if (!wrong) return;
    shapes.resize(before);
    problems_.warning(wrong->where, element, "a <visual> is not shown: " + wrong->message);
  }

  void read_visual(const pugi::xml_node& node, std::vector<UrdfVisual>& shapes, const std::string& element) {
    UrdfVisual shape;
    shape.where = xml_.where(node);
    shape.origin = origin(node, element);
    if (const pugi::xml_node material = node.child("material")) {
      const Paint with = paint(material, element);
      shape.color = with.color;
      shape.opacity = with.opacity;
    }
    const pugi::xml_node geometry = node.child("geometry");
    using Shape = UrdfVisual::Shape;
    if (const pugi::xml_node box = geometry.child("box")) {
      shape.shape = Shape::box;
      shape.size = xml_.vector(box, "size", Vec3::Zero(), element);
      if (!has_size(box, {{"size", shape.size.minCoeff()}}, element)) return;
    } else if (const pugi::xml_node sphere = geometry.child("sphere")) {
      shape.shape = Shape::sphere;
      shape.size.x() = xml_.number(sphere, "radius", 0, element);
      if (!has_size(sphere, {{"radius", shape.size.x()}}, element)) return;
    } else if (const pugi::xml_node mesh = geometry.child("mesh")) {
      shape.shape = Shape::mesh;
      shape.mesh = mesh.attribute("filename").value();
      shape.size = xml_.vector(mesh, "scale", Vec3::Ones(), element);
      if (shape.mesh.empty()) return xml_.error(mesh, element, "<mesh> names no file");
    } else {
      const pugi::xml_node cylinder = geometry.child("cylinder");
      const pugi::xml_node round = cylinder ? cylinder : geometry.child("capsule");
      if (!round) {
        const pugi::xml_node first = geometry.first_child();
        xml_.error(geometry ? geometry : node, element,
                   (first ? fmt::format("<{}> is no shape", first.name()) : std::string("it has no shape")) +
                       "; the shapes are box, cylinder, sphere, capsule and mesh");
        return;
      }
      shape.shape = cylinder ? Shape::cylinder : Shape::capsule;
      shape.size.x() = xml_.number(round, "radius", 0, element);
      shape.size.y() = xml_.number(round, "length", 0, element);
      if (!has_size(round, {{"radius", shape.size.x()}, {"length", shape.size.y()}}, element)) return;
    }
    shapes.push_back(std::move(shape));
  }

  UrdfLink link(const pugi::xml_node& node) {
    UrdfLink link;
    link.name = node.attribute("name").value();
    link.where = xml_.where(node);
    const std::string element = element_label("link", link.name);
    if (link.name.empty()) problems_.error(link.where, "", "a <link> has no name", "add 'name'");
    expect_once(node, {"inertial"}, element);
    if (const pugi::xml_node inertial = node.child("inertial")) {
      expect_once(inertial, {"origin", "mass", "inertia"}, element);
      const Frame frame = origin(inertial, element);
      const pugi::xml_node mass = inertial.child("mass");
      if (!mass || !mass.attribute("value"))
        problems_.error(xml_.where(inertial), element, "<inertial> has no mass", "add <mass value='...'/>, in kg");
      link.mass = xml_.number(mass, "value", 0, element);
      if (link.mass < 0)
        problems_.error(xml_.where(mass), element, fmt::format("the mass is negative ({})", link.mass));
      const pugi::xml_node moments = inertial.child("inertia");
      if (!moments && link.mass > 0)
        problems_.error(xml_.where(inertial), element, "<inertial> has no inertia",
                        "add <inertia ixx='...' iyy='...' izz='...' ixy='0' ixz='0' iyz='0'/>, in kg m^2");
      const auto moment = [&](const char* name) { return moments ? xml_.number(moments, name, 0, element) : 0; };
      const double xy = moment("ixy"), xz = moment("ixz"), yz = moment("iyz");
      Mat3 own;
      own << moment("ixx"), xy, xz, xy, moment("iyy"), yz, xz, yz, moment("izz");
      link.center = frame.origin;
      link.inertia = frame.axes * own * frame.axes.transpose();
    }
    for (const pugi::xml_node& child : node.children("visual")) visual(child, link.visuals, element);
    for (const pugi::xml_node& child : node.children("collision")) {
      if (child.child("geometry").child("mesh")) visual(child, link.collisions, element);
    }
    return link;
  }

  std::string ending(const pugi::xml_node& node, const char* which, const std::string& element) {
    const pugi::xml_node child = node.child(which);
    const std::string name = child.attribute("link").value();
    if (name.empty())
      problems_.error(xml_.where(child ? child : node), element, fmt::format("no {} link is named", which),
                      fmt::format("add <{} link='...'/>", which));
    return name;
  }

  std::optional<UrdfJoint> joint(const pugi::xml_node& node) {
    if (!node.attribute("type") && !node.child("parent")) return std::nullopt;  // of a transmission
    UrdfJoint joint;
    joint.name = node.attribute("name").value();
    joint.where = xml_.where(node);
    joint.type = node.attribute("type").value();
    const std::string element = element_label("joint", joint.name);
    if (joint.name.empty()) problems_.error(joint.where, "", "a <joint> has no name", "add 'name'");
    if (std::find(std::begin(kJointTypes), std::end(kJointTypes), joint.type) == std::end(kJointTypes)) {
      problems_.error(joint.where, element,
                      joint.type.empty() ? "it has no type" : fmt::format("its type '{}' is not known", joint.type),
                      fmt::format("the types are {}", fmt::join(kJointTypes, ", ")));
      return joint;
    }
    expect_once(node, {"parent", "child", "origin", "axis", "limit", "dynamics", "mimic"}, element);
    joint.parent = ending(node, "parent", element);
    joint.child = ending(node, "child", element);
    joint.origin = origin(node, element);
    if (const pugi::xml_node axis = node.child("axis")) {
      joint.axis = xml_.vector(axis, "xyz", Vec3::UnitX(), element);
      if (joint.axis.norm() < 1e-9 && joint.has_axis())
        problems_.error(xml_.where(axis), element, "its axis has no length", "give a direction, as xyz='0 0 1'");
      joint.axis.normalize();
    }
    read_laws(node, joint, element);
    return joint;
  }

  /// Nothing where there is no limit, which some files say by an infinite one.
  std::optional<double> limit(const pugi::xml_node& node, const char* attribute, const std::string& element) {
    std::string word = node.attribute(attribute).value();
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    word.erase(0, word.find_first_not_of("+-."));
    if (word == "inf" || word == "infinity") return std::nullopt;
    return xml_.number(node, attribute, 0, element);
  }

  void read_limits(const pugi::xml_node& node, UrdfJoint& joint, const std::string& element) {
    joint.effort = limit(node, "effort", element).value_or(0);
    joint.velocity = limit(node, "velocity", element).value_or(0);
    if (joint.type != "revolute" && joint.type != "prismatic") return;
    joint.lower = limit(node, "lower", element);
    joint.upper = limit(node, "upper", element);
    if (joint.lower && joint.upper && *joint.lower > *joint.upper) {
      problems_.warning(
          xml_.where(node), element,
          fmt::format("its lower limit {} is above the upper one, {}: neither is taken", *joint.lower, *joint.upper));
      joint.lower = joint.upper = std::nullopt;
    }
  }

  void read_laws(const pugi::xml_node& node, UrdfJoint& joint, const std::string& element) {
    if (const pugi::xml_node limit = node.child("limit")) read_limits(limit, joint, element);
    if (const pugi::xml_node dynamics = node.child("dynamics")) {
      joint.damping = xml_.number(dynamics, "damping", 0, element);
      joint.friction = xml_.number(dynamics, "friction", 0, element);
      for (const auto& [name, value] : {std::pair("damping", joint.damping), std::pair("friction", joint.friction)})
        if (value < 0)
          problems_.error(xml_.where(dynamics), element, fmt::format("its {} is negative ({})", name, value));
    }
    if (const pugi::xml_node mimic = node.child("mimic")) {
      joint.mimic = UrdfMimic{mimic.attribute("joint").value(), xml_.number(mimic, "multiplier", 1, element),
                              xml_.number(mimic, "offset", 0, element), xml_.where(mimic)};
      if (!joint.turns() && !joint.slides())
        problems_.error(joint.mimic->where, element, fmt::format("a {} joint cannot follow another one", joint.type));
    }
  }

  XmlFile& xml_;
  Problems& problems_;
  std::map<std::string, Paint> materials_;
};

}  // namespace

std::optional<UrdfRobot> read_urdf_document(const ForeignFile& file, Problems& problems) {
  const std::size_t before = problems.error_count();
  XmlFile xml(file, problems);
  if (!xml.ok()) return std::nullopt;
  if (std::string_view(xml.root().name()) != "robot") {
    problems.error(xml.where(xml.root()), "",
                   fmt::format("a URDF file is a <robot>, but this is a <{}>", xml.root().name()));
    return std::nullopt;
  }
  UrdfRobot robot = UrdfReader(xml, problems).read();
  if (robot.links.empty() && problems.error_count() == before)
    problems.error(robot.where, "", "the robot has no link", "add <link name='...'>");
  if (problems.error_count() > before) return std::nullopt;
  return robot;
}

std::string find_mesh(const std::string& uri, const std::string& urdf, const ImportOptions& options) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::absolute(fs::path(urdf), ignored).parent_path();
  const auto there = [&](const fs::path& path) { return fs::is_regular_file(path, ignored) ? path.string() : ""; };
  constexpr std::string_view package = "package://", model = "model://", file = "file://";
  if (uri.starts_with(file)) return there(uri.substr(file.size()));
  if (!uri.starts_with(package) && !uri.starts_with(model)) return there(folder / uri);
  const std::string rest = uri.substr(uri.find("://") + 3);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string name = rest.substr(0, slash), inside = rest.substr(std::min(slash + 1, rest.size()));
  if (const auto given = options.packages.find(name); given != options.packages.end())
    return there(fs::path(given->second) / inside);
  for (fs::path above = folder;; above = above.parent_path()) {
    if (above.filename() == name)
      if (const std::string found = there(above / inside); !found.empty()) return found;
    if (const std::string found = there(above / name / inside); !found.empty()) return found;
    if (above == above.parent_path()) return "";
  }
}

}  // namespace cardan
