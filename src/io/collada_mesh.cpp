// COLLADA 1.4 and 1.5: positions and triangles of the scene's geometries, each placed by the nodes that it hangs on,
// in the file's axes (`up_axis` is left alone, as programs for robots do) and its unit. Colours, textures, skins and
// lines are not read.
#include <algorithm>
#include <vector>

#include "io/mesh_builder.hpp"
#include "text/utf8.hpp"
#include "text/xml_document.hpp"

namespace cardan {
namespace {

constexpr int kDeepest = 60;
constexpr std::size_t kMostInstances = 10000, kMostCorners = 20000000;

using Transform = Eigen::Transform<double, 3, Eigen::Affine>;

std::string_view word(const pugi::xml_attribute& attribute) { return attribute.value(); }

class Collada {
 public:
  Collada(const XmlDocument& document, MeshBuilder& builder) : document_(document), builder_(builder) {
    index(document.root());
  }

  void read() {
    const pugi::xml_node root = document_.root();
    if (std::string_view(root.name()) != "COLLADA") throw MeshError("it is no COLLADA file");
    Transform unit = Transform::Identity();
    if (const pugi::xml_attribute meter = root.child("asset").child("unit").attribute("meter"))
      unit.scale(numbers(root.child("asset").child("unit"), meter.value(), 1)[0]);
    const pugi::xml_node scene = root.child("scene").child("instance_visual_scene");
    const pugi::xml_node shown =
        scene ? target(scene, "url") : root.child("library_visual_scenes").child("visual_scene");
    if (!shown) {
      for (const pugi::xml_node& geometry : root.child("library_geometries").children("geometry")) add(geometry, unit);
      return;
    }
    for (const pugi::xml_node& node : shown.children("node")) walk(node, unit, 0);
  }

 private:
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& message) const {
    throw MeshError(fmt::format("line {}: {}", document_.place(node).line, message));
  }

  /// Elements by their id.
  void index(const pugi::xml_node& root) {
    struct Walker : pugi::xml_tree_walker {
      std::map<std::string_view, pugi::xml_node>* ids = nullptr;
      bool for_each(pugi::xml_node& node) override {
        if (const pugi::xml_attribute id = node.attribute("id")) ids->emplace(id.value(), node);
        return true;
      }
    } walker;
    walker.ids = &ids_;
    pugi::xml_node(root).traverse(walker);
  }

  pugi::xml_node target(const pugi::xml_node& node, const char* attribute) const {
    std::string_view name = word(node.attribute(attribute));
    if (!name.empty() && name.front() == '#') name.remove_prefix(1);
    const auto found = ids_.find(name);
    if (found == ids_.end()) fail(node, fmt::format("nothing is called '{}'", name.substr(0, 60)));
    return found->second;
  }

  /// At least `count` of them.
  std::vector<double> numbers(const pugi::xml_node& node, std::string_view text, std::size_t count) const {
    std::vector<double> values;
    Words words(text);
    for (std::string_view next = words.next(); !next.empty(); next = words.next())
      values.push_back(to_float(next, document_.place(node).line + words.line() - 1));
    if (values.size() < count)
      fail(node, fmt::format("<{}> has {} numbers, but takes {}", node.name(), values.size(), count));
    return values;
  }

  Transform placed_by(const pugi::xml_node& child) const {
    const std::string_view kind = child.name();
    Transform result = Transform::Identity();
    if (kind == "matrix") {
      const auto v = numbers(child, child.text().get(), 16);
      result.matrix() = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(v.data());
    } else if (kind == "translate" || kind == "scale") {
      const auto v = numbers(child, child.text().get(), 3);
      if (kind == "scale") result.scale(Vec3(v[0], v[1], v[2]));
      if (kind == "translate") result.translate(Vec3(v[0], v[1], v[2]));
    } else if (kind == "rotate") {
      const auto v = numbers(child, child.text().get(), 4);
      const Vec3 axis(v[0], v[1], v[2]);
      if (axis.norm() > 0) result.rotate(Eigen::AngleAxisd(v[3] * M_PI / 180, axis.normalized()));
    }
    return result;
  }

  void walk(const pugi::xml_node& node, Transform place, int depth) {
    if (depth > kDeepest) fail(node, "its nodes are nested too deep, or in a circle");
    if (++instances_ > kMostInstances) fail(node, "it has too many nodes");
    for (const pugi::xml_node& child : node.children()) {
      const std::string_view kind = child.name();
      place = place * placed_by(child);
      if (kind == "node") walk(child, place, depth + 1);
      if (kind == "instance_node") walk(target(child, "url"), place, depth + 1);
      if (kind == "instance_geometry") add(target(child, "url"), place);
    }
  }

  /// Of the input with this meaning; its offset in a list of indices.
  pugi::xml_node input(const pugi::xml_node& node, std::string_view semantic) const {
    for (const pugi::xml_node& one : node.children("input"))
      if (word(one.attribute("semantic")) == semantic) return one;
    return {};
  }

  std::vector<Vec3> positions(const pugi::xml_node& primitive) const {
    const pugi::xml_node vertices = target(input(primitive, "VERTEX"), "source");
    const pugi::xml_node position = input(vertices, "POSITION");
    if (!position) fail(vertices, "its vertices have no positions");
    const pugi::xml_node source = target(position, "source");
    const pugi::xml_node array = source.child("float_array");
    const auto values = numbers(array, array.text().get(), 0);
    const unsigned stride = source.child("technique_common").child("accessor").attribute("stride").as_uint(3);
    if (stride < 3 || stride > 100) fail(source, "its positions have no three coordinates");
    std::vector<Vec3> points;
    for (std::size_t i = 0; i + 2 < values.size(); i += stride)
      points.emplace_back(values[i], values[i + 1], values[i + 2]);
    return points;
  }

  /// Every `stride`-th index, from that of the vertices on, as the vertices of the mesh that is built.
  std::vector<int> corners(const pugi::xml_node& list, std::size_t stride, std::size_t offset,
                           const std::vector<int>& places) const {
    std::vector<int> result;
    Words words(list.text().get());
    std::size_t at = 0;
    for (std::string_view next = words.next(); !next.empty(); next = words.next(), ++at) {
      if (at % stride != offset) continue;
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(next.data(), next.data() + next.size(), index);
      if (error != std::errc() || end != next.data() + next.size() || index >= places.size())
        fail(list, fmt::format("'{}' names no vertex", next.substr(0, 40)));
      result.push_back(places[index]);
    }
    return result;
  }

  void fan(const std::vector<int>& c, std::size_t from, std::size_t count) {
    for (std::size_t i = from + 2; i < from + count; ++i) builder_.triangle(c[from], c[i - 1], c[i]);
  }

  void add(const pugi::xml_node& geometry, const Transform& place) {
    for (const pugi::xml_node& primitive : geometry.child("mesh").children()) {
      const std::string_view kind = primitive.name();
      const bool known =
          kind == "triangles" || kind == "polylist" || kind == "polygons" || kind == "tristrips" || kind == "trifans";
      if (!known || !input(primitive, "VERTEX")) continue;
      std::vector<int> places;
      for (const Vec3& point : positions(primitive)) {
        const Vertex v = (place * point).cast<float>();
        if (!v.allFinite()) fail(primitive, "a corner is not finite");
        places.push_back(builder_.vertex(v));
      }
      std::size_t stride = 1;
      for (const pugi::xml_node& one : primitive.children("input"))
        stride = std::max<std::size_t>(stride, one.attribute("offset").as_uint() % 1000 + std::size_t{1});
      const std::size_t offset = input(primitive, "VERTEX").attribute("offset").as_uint() % 1000;
      for (const pugi::xml_node& list : primitive.children("p")) {
        const std::vector<int> c = corners(list, stride, offset, places);
        if ((corners_ += c.size()) > kMostCorners) fail(primitive, "it has too many triangles");
        add(primitive, kind, c);
      }
    }
  }

  void add(const pugi::xml_node& primitive, std::string_view kind, const std::vector<int>& c) {
    if (kind == "polygons" || kind == "trifans") return fan(c, 0, c.size());
    if (kind == "triangles") {
      for (std::size_t i = 0; i + 2 < c.size(); i += 3) builder_.triangle(c[i], c[i + 1], c[i + 2]);
    } else if (kind == "tristrips") {
      for (std::size_t i = 2; i < c.size(); ++i) builder_.triangle(c[i - 2], c[i - 1], c[i]);
    } else {
      std::size_t at = 0;
      const pugi::xml_node counts = primitive.child("vcount");
      for (const double count : numbers(counts, counts.text().get(), 0)) {
        if (!(count >= 0) || at + static_cast<std::size_t>(count) > c.size())
          fail(primitive, "it has fewer corners than its polygons count");
        fan(c, at, static_cast<std::size_t>(count));
        at += static_cast<std::size_t>(count);
      }
    }
  }

  const XmlDocument& document_;
  MeshBuilder& builder_;
  std::map<std::string_view, pugi::xml_node> ids_;
  std::size_t instances_ = 0, corners_ = 0;
};

}  // namespace

void read_collada(const std::string& text, MeshBuilder& builder) {
  if (first_not_text(text)) throw MeshError("it is no text");
  const XmlDocument document(text);
  if (!document.complaint().empty())
    throw MeshError(fmt::format("line {}: {}", document.complaint_place().line, document.complaint()));
  Collada(document, builder).read();
}

}  // namespace cardan
