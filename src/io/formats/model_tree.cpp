#include "io/formats/model_tree.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cardan {

double tidy(double value) {
  const double near = std::round(value * 1e6) / 1e6;
  if (std::abs(value - near) <= 2e-15 * std::max(1.0, std::abs(value))) return near == 0 ? 0.0 : near;
  return value;
}

Vec3 tidy(const Vec3& vector) { return {tidy(vector.x()), tidy(vector.y()), tidy(vector.z())}; }

std::string number_text(double value) {
  std::string text = fmt::format("{}", value);
  // 1e-05 and 1e+20 as 1e-5 and 1e20.
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    std::string digits = text.substr(e + 2);
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    text = text.substr(0, e + 1) + (text[e + 1] == '-' ? "-" : "") + digits;
  }
  return text;
}

TreeNode word_node(std::string text, const SourceLocation& where) {
  auto node = std::make_shared<YamlNode>();
  node->kind = YamlNode::Kind::scalar;
  node->where = where;
  node->text = std::move(text);
  return node;
}

TreeNode number_node(double value, const SourceLocation& where) { return word_node(number_text(value), where); }

TreeNode list_node(std::vector<TreeNode> items, const SourceLocation& where) {
  auto node = std::make_shared<YamlNode>();
  node->kind = YamlNode::Kind::sequence;
  node->where = where;
  for (TreeNode& item : items) node->items.push_back(std::move(item));
  return node;
}

TreeNode vector_node(const Vec3& v, const SourceLocation& where) {
  return list_node({number_node(v.x(), where), number_node(v.y(), where), number_node(v.z(), where)}, where);
}

TreeNode map_node(const SourceLocation& where) {
  auto node = std::make_shared<YamlNode>();
  node->kind = YamlNode::Kind::map;
  node->where = where;
  return node;
}

TreeNode direction_node(const Vec3& direction, const SourceLocation& where) {
  const Vec3 near = tidy(direction);
  for (int i = 0; i < 3; ++i)
    if (near == Vec3::Unit(i)) return word_node(std::string(1, "xyz"[i]), where);
  return vector_node(near, where);
}

TreeElement& TreeElement::set(const std::string& key, TreeNode value) {
  if (fields_->find(key) == nullptr) fields_->add({key, where_, std::move(value)});
  return *this;
}

TreeElement& TreeElement::words(const std::string& key, std::initializer_list<std::string> texts) {
  std::vector<TreeNode> items;
  for (const std::string& text : texts) items.push_back(word_node(text, where_));
  return set(key, list_node(std::move(items), where_));
}

TreeElement& TreeElement::axes(const Mat3& axes) {
  if (tidy(axes.col(0)) == Vec3::UnitX() && tidy(axes.col(1)) == Vec3::UnitY()) return *this;
  TreeNode node = map_node(where_);
  node->add({"x", where_, direction_node(axes.col(0), where_)});
  node->add({"y", where_, direction_node(axes.col(1), where_)});
  return set("axes", node);
}

ModelTree::ModelTree(const SourceLocation& start) : root(map_node(start)) { set("cardan", number_node(1, start)); }

void ModelTree::set(const std::string& section, TreeNode value) {
  const SourceLocation where = value->where;
  root->add({section, where, std::move(value)});
}

YamlNode& ModelTree::section(const std::string& name) {
  if (const YamlEntry* entry = root->find(name)) return const_cast<YamlNode&>(*entry->value);
  const TreeNode node = map_node(root->where);
  root->add({name, root->where, node});
  return *node;
}

void ModelTree::add(const std::string& section_name, const std::string& name, TreeNode value,
                    const std::string& comment) {
  if (!comment.empty()) comments[value.get()] = comment;
  const SourceLocation where = value->where;
  YamlNode& own = section(section_name);
  if (own.find(name) == nullptr) own.add({name, where, std::move(value)});  // what is said first counts
}

TreeElement ModelTree::add(const std::string& section_name, const std::string& name, const SourceLocation& where,
                           const std::string& comment) {
  const TreeNode fields = map_node(where);
  add(section_name, name, fields, comment);
  return {fields, where};
}

std::string NameTable::take(std::string_view wanted, const std::string& otherwise) {
  std::string name;
  for (const char c : wanted) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    name += plain || c == '-' ? c : '_';
  }
  if (name.empty()) name = otherwise;
  if (taken_.count(name) > 0 && !otherwise.empty() && taken_.count(name + "_" + otherwise) == 0)
    name += "_" + otherwise;
  const std::string base = name;
  for (int i = 2; taken_.count(name) > 0; ++i) name = fmt::format("{}_{}", base, i);
  taken_.insert(name);
  return name;
}

Frame operator*(const Frame& outer, const Frame& inner) {
  return {outer.origin + outer.axes * inner.origin, outer.axes * inner.axes};
}

}  // namespace cardan
