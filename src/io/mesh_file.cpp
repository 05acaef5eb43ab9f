#include "io/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "io/mesh_builder.hpp"

namespace cardan {
namespace {

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return ending;
}

void read_stl_bytes(const std::string& bytes, std::uint32_t count, MeshBuilder& builder) {
  const std::size_t needed = 84 + std::size_t{50} * count;
  if (bytes.size() < needed)
    throw MeshError(
        fmt::format("it is cut short: {} triangles take {} bytes, and {} are there", count, needed, bytes.size()));
  for (std::uint32_t i = 0; i < count; ++i) {
    float numbers[9];
    std::memcpy(numbers, bytes.data() + 84 + std::size_t{50} * i + 12, sizeof numbers);
    int corners[3];
    for (int k = 0; k < 3; ++k) {
      const Vertex v(numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]);
      if (!v.allFinite()) throw MeshError(fmt::format("triangle {} has a corner that is not finite", i + 1));
      corners[k] = builder.vertex(v);
    }
    builder.triangle(corners[0], corners[1], corners[2]);
  }
}

void read_stl_text(std::string_view text, MeshBuilder& builder) {
  Words words(text);
  int corners[3], count = 0;
  bool ended = false;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    ended = ended || word == "endsolid" || word == "ENDSOLID";
    if (word == "facet" || word == "FACET") count = 0, ended = false;
    if (word != "vertex" && word != "VERTEX") continue;
    Vertex v;
    for (int i = 0; i < 3; ++i) v[i] = to_float(words.next(), words.line());
    if (count == 3) throw MeshError(fmt::format("line {}: a facet has more than three corners", words.line()));
    corners[count++] = builder.vertex(v);
    if (count == 3) builder.triangle(corners[0], corners[1], corners[2]);
  }
  if (!ended) throw MeshError("it is cut short: no 'endsolid' is at its end");
}

void read_stl(const std::string& bytes, MeshBuilder& builder) {
  std::uint32_t count = 0;
  if (bytes.size() >= 84) std::memcpy(&count, bytes.data() + 80, sizeof count);
  const bool fits = bytes.size() >= 84 && bytes.size() == 84 + std::size_t{50} * count;
  const std::string_view head = std::string_view(bytes).substr(0, 5);
  // Files of bytes may begin with 'solid' too; then the count tells.
  if (!fits && (head == "solid" || head == "SOLID")) return read_stl_text(bytes, builder);
  if (bytes.size() < 84) throw MeshError(fmt::format("it is cut short: it has {} bytes", bytes.size()));
  read_stl_bytes(bytes, count, builder);
}

/// 7, 7/2/1 or -1: a vertex, counted from 1 or backwards from the last.
int obj_vertex(std::string_view word, int vertices, int line) {
  const std::string_view first = word.substr(0, word.find('/'));
  int index = 0;
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), index);
  const int place = index > 0 ? index - 1 : vertices + index;
  if (error != std::errc() || end != first.data() + first.size() || index == 0 || place < 0 || place >= vertices)
    throw MeshError(fmt::format("line {}: '{}' names no vertex", line, word.substr(0, 40)));
  return place;
}

void read_obj(std::string_view text, MeshBuilder& builder) {
  std::vector<int> places, corners;  // of the file's vertices among those that are kept
  int line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view own = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    Words words(own.substr(0, own.find('#')));
    const std::string_view kind = words.next();
    if (kind == "v") {
      Vertex v;
      for (int i = 0; i < 3; ++i) v[i] = to_float(words.next(), line);
      places.push_back(builder.vertex(v));
    } else if (kind == "f") {
      corners.clear();
      for (std::string_view word = words.next(); !word.empty(); word = words.next())
        corners.push_back(places[static_cast<std::size_t>(obj_vertex(word, static_cast<int>(places.size()), line))]);
      for (std::size_t i = 2; i < corners.size(); ++i) builder.triangle(corners[0], corners[i - 1], corners[i]);
    }
  }
}

/// Vertices of one cell of a grid become one, the first; triangles that collapse are gone.
Mesh on_grid(const Mesh& mesh, const Vertex& low, float cell) {
  MeshBuilder builder;
  std::map<std::array<int, 3>, int> cells;
  std::vector<int> places;
  for (const Vertex& v : mesh.vertices) {
    const Vertex in_cells = (v - low) / cell;
    const auto [found, added] =
        cells.emplace(std::array<int, 3>{static_cast<int>(in_cells.x()), static_cast<int>(in_cells.y()),
                                         static_cast<int>(in_cells.z())},
                      static_cast<int>(builder.mesh.vertices.size()));
    if (added) builder.mesh.vertices.push_back(v);
    places.push_back(found->second);
  }
  for (const auto& [a, b, c] : mesh.triangles)
    builder.triangle(places[static_cast<std::size_t>(a)], places[static_cast<std::size_t>(b)],
                     places[static_cast<std::size_t>(c)]);
  return builder.mesh;
}

Mesh simplified(Mesh mesh) {
  Vertex low = mesh.vertices.front(), high = low;
  for (const Vertex& v : mesh.vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
  const float size = (high - low).maxCoeff();
  for (float cells = 512; mesh.triangles.size() > kMostTriangles && size > 0 && cells >= 8; cells /= 1.5F)
    mesh = on_grid(mesh, low, size / cells);
  if (mesh.triangles.size() > kMostTriangles) mesh.triangles.resize(kMostTriangles);
  return mesh;
}

}  // namespace

bool is_mesh_file(const std::string& path) {
  return ending_of(path) == ".stl" || ending_of(path) == ".obj" || ending_of(path) == ".dae";
}

std::shared_ptr<const Mesh> parse_mesh(const std::string& bytes, const std::string& path, std::string& why_not) {
  try {
    if (!is_mesh_file(path)) throw MeshError(fmt::format("'{}' files are not known", ending_of(path)));
    MeshBuilder builder;
    if (ending_of(path) == ".obj") {
      read_obj(bytes, builder);
    } else if (ending_of(path) == ".dae") {
      read_collada(bytes, builder);
    } else {
      read_stl(bytes, builder);
    }
    if (builder.mesh.triangles.empty()) throw MeshError("it has no triangles");
    auto mesh = std::make_shared<Mesh>(simplified(std::move(builder.mesh)));
    mesh->file = path;
    return mesh;
  } catch (const MeshError& error) {
    why_not = error.what();
    return nullptr;
  }
}

}  // namespace cardan
