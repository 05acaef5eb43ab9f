// What readers of meshes have in common: words and numbers of a text, and triangles as they come.
#pragma once

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cardan/bodies.hpp"

namespace cardan {

class MeshError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Vertex = Eigen::Vector3f;

/// Words of a text one after the other; newlines count lines.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  /// The next one; empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n';
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  int line() const { return line_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

inline float to_float(std::string_view word, int line) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool small = error == std::errc::result_out_of_range;  // below the smallest number, which is zero
  if ((error != std::errc() && !small) || word.empty() || end != word.data() + word.size() ||
      !std::isfinite(static_cast<float>(value)))
    throw MeshError(fmt::format("line {}: '{}' is no number", line, word.substr(0, 40)));
  return static_cast<float>(value);
}

/// Same vertices are kept once.
class MeshBuilder {
 public:
  int vertex(const Vertex& v) {
    const auto [found, added] =
        index_.emplace(std::array<float, 3>{v.x(), v.y(), v.z()}, static_cast<int>(mesh.vertices.size()));
    if (added) mesh.vertices.push_back(v);
    return found->second;
  }
  void triangle(int a, int b, int c) {
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  }
  Mesh mesh;

 private:
  std::map<std::array<float, 3>, int> index_;
};

/// COLLADA (.dae): the triangles of its scene, in metres. Throws MeshError.
void read_collada(const std::string& text, MeshBuilder& builder);

}  // namespace cardan
