// The model that a URDF file amounts to: drawn with all joints at zero (mimic joints where their leaders put them), the
// root link fixed to ground, a body's axes those of its link.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "io/mesh_file.hpp"
#include "io/urdf/urdf.hpp"
#include "io/urdf/urdf_topology.hpp"
#include "io/yaml_sections.hpp"
#include "math/decomposition/decompositions.hpp"

namespace cardan {

namespace {

class UrdfModel {
 public:
  UrdfModel(const ForeignFile& file, const UrdfRobot& robot, const UrdfTopology& topology, const ImportOptions& options,
            Problems& problems)
      : file_(file), robot_(robot), topology_(topology), options_(options), problems_(problems), model_(robot.where) {}

  ModelTree make() {
    take_names();
    if (std::all_of(topology_.body.begin(), topology_.body.end(), [](int body) { return body == kGround; }))
      problems_.error(robot_.where, "", "no link of the robot has a mass and moves", "add <inertial> to its links");
    model_.set("name", word_node(robot_.name, robot_.where));
    add_bodies();
    add_markers();
    add_root();
    for (const int joint : topology_.joints) add_joint(static_cast<std::size_t>(joint));
    write_preface();
    return std::move(model_);
  }

 private:
  void take_names() {
    for (const UrdfLink& link : robot_.links) link_names_.push_back(names_.take(link.name, "link"));
    for (const UrdfJoint& joint : robot_.joints) joint_names_.push_back(names_.take(joint.name, "joint"));
  }

  std::string body_of(int link) const {
    const int body = topology_.body[static_cast<std::size_t>(link)];
    return body == kGround ? "ground" : link_names_[static_cast<std::size_t>(body)];
  }

  static std::string renamed(const std::string& name, const std::string& there) {
    return name == there ? "" : fmt::format("there '{}'", there);
  }

  void add_bodies() {
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const UrdfLink& link = robot_.links[i];
      if (topology_.body[i] != static_cast<int>(i)) continue;
      TreeElement body = model_.add("bodies", link_names_[i], link.where, renamed(link_names_[i], link.name));
      const Frame& frame = topology_.frames[i];
      body.number("mass", link.mass).vector("center", frame.origin + frame.axes * link.center);
      if (link.mass > 0 || !link.inertia.isZero(0)) {
        const Mat3& m = link.inertia;
        std::vector<TreeNode> moments;
        for (const double value : {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)})
          moments.push_back(number_node(value, link.where));
        if (m(0, 1) == 0 && m(0, 2) == 0 && m(1, 2) == 0) moments.resize(3);
        body.set("inertia", list_node(std::move(moments), link.where));
        const Vec3 principal = symmetric_eigenvalues(m).values;
        if (principal[0] >= 0 && principal[0] + principal[1] < principal[2] * (1 - 1e-9))
          body.word("unphysical", "true");
      }
      body.axes(frame.axes);
      add_geometry(body, static_cast<int>(i));
    }
    TreeNode on_ground = geometry(kGround);
    if (!on_ground->items.empty()) model_.add("bodies", "ground", robot_.where).set("geometry", on_ground);
  }

  /// Shapes of all links that belong to a body.
  TreeNode geometry(int body) {
    std::vector<TreeNode> shapes;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (topology_.body[i] != body) continue;
      for (const UrdfVisual& visual : robot_.links[i].visuals) {
        if (visual.opacity == 0) continue;
        if (visual.shape == UrdfVisual::Shape::mesh) {
          add_mesh(robot_.links[i], visual, topology_.frames[i], shapes);
        } else {
          shapes.push_back(shape(visual, topology_.frames[i] * visual.origin));
        }
      }
    }
    return list_node(std::move(shapes),
                     body == kGround ? robot_.where : robot_.links[static_cast<std::size_t>(body)].where);
  }

  /// One of a kind that is not read gives way to the link's meshes for collisions, once.
  void add_mesh(const UrdfLink& link, const UrdfVisual& visual, const Frame& frame, std::vector<TreeNode>& shapes) {
    const bool known = is_mesh_file(visual.mesh);
    if (!known && &visual != &link.visuals.front() && !is_mesh_file(link.visuals.front().mesh)) return;
    std::string why_not = known ? "" : "of the kinds of meshes, STL, OBJ and COLLADA are read";
    std::vector<TreeNode> found;
    for (const UrdfVisual& mesh : known ? std::vector<UrdfVisual>{visual} : link.collisions) {
      const std::string path = find_mesh(mesh.mesh, file_.path, options_);
      std::string why;
      const auto bytes = path.empty() ? std::nullopt : read_text(path, why, kMostMeshBytes);
      if (path.empty()) why = "the file is not there";
      if (bytes && parse_mesh(*bytes, path, why)) {
        found.push_back(mesh_shape(mesh, path, frame * mesh.origin, visual));
      } else if (known) {
        why_not = why;
      }
    }
    if (found.empty()) note_lost(visual, why_not);
    shapes.insert(shapes.end(), found.begin(), found.end());
  }

  TreeNode mesh_shape(const UrdfVisual& mesh, const std::string& path, const Frame& frame,
                      const UrdfVisual& look) const {
    TreeNode node = map_node(mesh.where);
    TreeElement fields(node, mesh.where);
    fields.word("mesh", model_path(path)).vector("at", frame.origin).axes(frame.axes);
    if (mesh.size == Vec3::Constant(mesh.size.x())) {
      if (mesh.size.x() != 1) fields.number("scale", mesh.size.x());
    } else {
      fields.vector("scale", mesh.size);
    }
    paint(fields, look);
    return node;
  }

  /// As the model file has it, which stands beside this file unless options say otherwise.
  std::string model_path(const std::string& path) const {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path folder = options_.folder.empty() ? fs::absolute(file_.path, ignored).parent_path()
                                                    : fs::absolute(options_.folder, ignored);
    const fs::path relative =
        fs::absolute(path, ignored).lexically_normal().lexically_relative(folder.lexically_normal());
    return relative.empty() ? path : relative.string();
  }

  void note_lost(const UrdfVisual& visual, const std::string& why_not) {
    if (++lost_meshes_ > 1) return;
    lost_mesh_ = &visual;
    lost_because_ = why_not;
  }

  void add_geometry(TreeElement& element, int body) {
    TreeNode shapes = geometry(body);
    if (!shapes->items.empty()) element.set("geometry", shapes);
  }

  static TreeNode shape(const UrdfVisual& visual, const Frame& frame) {
    TreeNode node = map_node(visual.where);
    TreeElement fields(node, visual.where);
    using Shape = UrdfVisual::Shape;
    if (visual.shape == Shape::box) {
      fields.vector("box", visual.size).vector("at", frame.origin).axes(frame.axes);
    } else if (visual.shape == Shape::sphere) {
      fields.number("sphere", visual.size.x()).vector("at", frame.origin);
    } else {
      const Vec3 half = visual.size.y() / 2 * frame.axes.col(2);
      std::vector<TreeNode> ends{vector_node(tidy(frame.origin - half), visual.where),
                                 vector_node(tidy(frame.origin + half), visual.where)};
      fields.set(visual.shape == Shape::cylinder ? "cylinder" : "capsule", list_node(std::move(ends), visual.where));
      fields.number("radius", visual.size.x());
    }
    paint(fields, visual);
    return node;
  }

  static void paint(TreeElement& fields, const UrdfVisual& visual) {
    if (!visual.color.empty()) fields.word("color", visual.color);
    if (visual.opacity < 1) fields.number("opacity", visual.opacity);
  }

  void add_markers() {
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (topology_.body[i] == static_cast<int>(i)) continue;
      const UrdfLink& link = robot_.links[i];
      model_.add("markers", link_names_[i], link.where, renamed(link_names_[i], link.name))
          .word("body", body_of(static_cast<int>(i)))
          .vector("at", topology_.frames[i].origin)
          .axes(topology_.frames[i].axes);
    }
  }

  void add_root() {
    const auto root = static_cast<std::size_t>(topology_.root);
    const std::string body = body_of(topology_.root);
    if (body == "ground") return;
    const std::string name = names_.take(options_.floating ? "flight" : "base", "joint");
    model_.add("joints", name, robot_.links[root].where, "the root link")
        .words(options_.floating ? "free" : "fixed", {"ground", body})
        .vector("at", topology_.frames[root].origin);
  }

  void add_joint(std::size_t j) {
    const UrdfJoint& joint = robot_.joints[j];
    const std::string parent = body_of(topology_.parent[j]), child = body_of(topology_.child[j]);
    if (parent == child) return;  // of a link without mass
    const Frame& frame = topology_.frames[static_cast<std::size_t>(topology_.child[j])];
    std::string comment = renamed(joint_names_[j], joint.name);
    if (const std::string text = limits(joint); !text.empty()) comment += (comment.empty() ? "" : ", ") + text;
    static const std::map<std::string, std::string> types{
        {"revolute", "revolute"}, {"continuous", "revolute"}, {"prismatic", "prismatic"}, {"planar", "planar"},
        {"floating", "free"},     {"fixed", "fixed"},         {"spherical", "spherical"}};
    TreeElement element = model_.add("joints", joint_names_[j], joint.where, comment);
    element.words(types.at(joint.type), {parent, child}).vector("at", frame.origin);
    if (joint.has_axis()) element.direction("axis", frame.axes * joint.axis);
    if (topology_.drawn[j] != 0) element.number("drawn", topology_.drawn[j]);
    if (options_.stops && (joint.lower || joint.upper)) add_stops(element, joint);
    add_loads(j);
  }

  void add_stops(TreeElement& element, const UrdfJoint& joint) const {
    TreeNode node = map_node(joint.where);
    TreeElement stops(node, joint.where);
    if (joint.lower) stops.number("min", *joint.lower);
    if (joint.upper) stops.number("max", *joint.upper);
    stops.number("stiffness", *options_.stops).number("damping", *options_.stops / 100);
    element.set("stops", node);
  }

  std::string limits(const UrdfJoint& joint) const {
    std::vector<std::string> parts;
    const bool turns = joint.turns();
    const auto end = [](const std::optional<double>& at) { return at ? number_text(*at) : std::string("open"); };
    if ((joint.lower || joint.upper) && !options_.stops)
      parts.push_back(fmt::format("{} to {} {}", end(joint.lower), end(joint.upper), turns ? "rad" : "m"));
    if (joint.effort > 0) parts.push_back(fmt::format("{} {}", number_text(joint.effort), turns ? "N m" : "N"));
    if (joint.velocity > 0) parts.push_back(fmt::format("{} {}", number_text(joint.velocity), turns ? "rad/s" : "m/s"));
    return parts.empty() ? "" : fmt::format("limits {}", fmt::join(parts, ", "));
  }

  void add_loads(std::size_t j) {
    const UrdfJoint& joint = robot_.joints[j];
    if (topology_.leader[j] >= 0) {
      model_.add("couplers", names_.take(joint.name + "_mimic", "coupler"), joint.mimic->where)
          .words("gear", {joint_names_[static_cast<std::size_t>(topology_.leader[j])], joint_names_[j]})
          .number("ratio", joint.mimic->multiplier);
    }
    if (joint.damping == 0 && joint.friction == 0) return;
    if (!joint.turns() && !joint.slides()) {
      problems_.warning(joint.where, element_label("joint", joint.name),
                        fmt::format("damping and friction of a {} joint are not read", joint.type));
      return;
    }
    TreeElement load = model_.add("loads", names_.take(joint.name + "_friction", "load"), joint.where);
    load.word("friction", joint_names_[j]);
    if (joint.damping != 0) load.number("viscous", joint.damping);
    if (joint.friction != 0) load.number("coulomb", joint.friction);
  }

  void write_preface() {
    const std::string name = std::filesystem::path(file_.path).filename().string();
    model_.preface.push_back(fmt::format(
        "Made from {}, a URDF file. Drawn with all joints at zero; bodies have the axes of their links.", name));
    if (!robot_.not_read.empty())
      model_.preface.push_back(fmt::format("Not read: {}.", fmt::join(robot_.not_read, ", ")));
    if (lost_mesh_ != nullptr)
      problems_.warning(
          lost_mesh_->where, "",
          fmt::format("the mesh '{}'{} not shown: {}", lost_mesh_->mesh,
                      lost_meshes_ == 1 ? " is" : fmt::format(" and {} more are", lost_meshes_ - 1), lost_because_),
          "pictures do without; the motion does not depend on it");
  }

  const ForeignFile& file_;
  const UrdfRobot& robot_;
  const UrdfTopology& topology_;
  const ImportOptions& options_;
  Problems& problems_;
  ModelTree model_;
  NameTable names_;
  std::vector<std::string> link_names_, joint_names_;
  int lost_meshes_ = 0;
  const UrdfVisual* lost_mesh_ = nullptr;  // the first
  std::string lost_because_;
};

}  // namespace

std::optional<ModelTree> read_urdf(const ForeignFile& file, const ImportOptions& options, Problems& problems) {
  const auto robot = read_urdf_document(file, problems);
  if (!robot) return std::nullopt;
  const auto topology = find_topology(*robot, options, problems);
  if (!topology) return std::nullopt;
  return UrdfModel(file, *robot, *topology, options, problems).make();
}

}  // namespace cardan
