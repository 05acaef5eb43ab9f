// A model that is made of another program's file: the same tree as a YAML model is read into, each value with the place
// in that file where it comes from. So one reader checks both, messages name the lines of the file that is at hand, and
// what `cardan import` writes (yaml_writer.hpp) is what runs.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cardan/bodies.hpp"
#include "io/yaml_tree.hpp"

namespace cardan {

using TreeNode = std::shared_ptr<YamlNode>;

/// The number without the last digits that arithmetic leaves: to the nearest millionth where that is within rounding.
double tidy(double value);
Vec3 tidy(const Vec3& vector);
/// As model files have it: no digit more than it takes to read the same number.
std::string number_text(double value);

TreeNode word_node(std::string text, const SourceLocation& where);
TreeNode number_node(double value, const SourceLocation& where);
TreeNode list_node(std::vector<TreeNode> items, const SourceLocation& where);
TreeNode vector_node(const Vec3& vector, const SourceLocation& where);
TreeNode map_node(const SourceLocation& where);
/// x, y or z where the direction is one of these, else components.
TreeNode direction_node(const Vec3& direction, const SourceLocation& where);

/// The fields of one element, in the order in which they are given.
class TreeElement {
 public:
  TreeElement(TreeNode fields, SourceLocation where) : fields_(std::move(fields)), where_(std::move(where)) {}
  TreeElement& set(const std::string& key, TreeNode value);
  TreeElement& word(const std::string& key, std::string text) { return set(key, word_node(std::move(text), where_)); }
  TreeElement& number(const std::string& key, double value) { return set(key, number_node(value, where_)); }
  TreeElement& vector(const std::string& key, const Vec3& value) { return set(key, vector_node(tidy(value), where_)); }
  TreeElement& words(const std::string& key, std::initializer_list<std::string> texts);
  TreeElement& direction(const std::string& key, const Vec3& value) { return set(key, direction_node(value, where_)); }
  /// `axes: {x: ..., y: ...}`, nothing for inertial ones.
  TreeElement& axes(const Mat3& axes);
  const SourceLocation& where() const { return where_; }
  const YamlNode* node() const { return fields_.get(); }

 private:
  TreeNode fields_;
  SourceLocation where_;
};

struct ModelTree {
  explicit ModelTree(const SourceLocation& start);

  /// An element `name` of a section.
  TreeElement add(const std::string& section, const std::string& name, const SourceLocation& where,
                  const std::string& comment = "");
  /// The same with a value that is no map.
  void add(const std::string& section, const std::string& name, TreeNode value, const std::string& comment = "");
  /// A section that is a single value.
  void set(const std::string& section, TreeNode value);
  bool has(const std::string& section) const { return root->find(section) != nullptr; }

  TreeNode root;
  std::vector<std::string> preface;                 // lines of comment before it all
  std::map<const YamlNode*, std::string> comments;  // beside elements
 private:
  YamlNode& section(const std::string& name);
};

/// Gives out names that model files allow, each once.
class NameTable {
 public:
  /// `wanted` as it is where it can be; else with other letters replaced, and a number behind it where it is taken.
  std::string take(std::string_view wanted, const std::string& otherwise);

 private:
  std::set<std::string, std::less<>> taken_{"ground", "all", "t", "x", "y", "z"};
};

/// A frame that is given in the axes of another.
Frame operator*(const Frame& outer, const Frame& inner);

}  // namespace cardan
