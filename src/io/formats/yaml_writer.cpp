#include "io/formats/yaml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "io/yaml_sections.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;
constexpr std::size_t kWidth = 120;

/// Whether YAML takes the word as it stands, within braces too.
bool is_plain(const std::string& word) {
  if (word.empty() || word.front() == ' ' || word.back() == ' ') return false;
  if (std::strchr("-?*&!|>%@`'\"", word.front()) != nullptr) {
    // A sign before a number or a name is none of YAML's marks.
    if (word.front() != '-' || word.size() == 1 || word[1] == ' ' || word[1] == '-') return false;
  }
  for (const char c : word)
    if (static_cast<unsigned char>(c) < ' ' || std::strchr(",:[]{}#\"'\\", c) != nullptr) return false;
  for (const char* other : {"null", "Null", "NULL", "~", "true", "false", "<<"})
    if (word == other) return false;
  return true;
}

std::string quoted(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    if (static_cast<unsigned char>(c) < ' ') {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string scalar(const std::string& word) { return is_plain(word) ? word : quoted(word); }

std::string in_line(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case Kind::null:
      return "null";
    case Kind::scalar:
      return node.text == "true" || node.text == "false" ? node.text : scalar(node.text);
    case Kind::sequence:
      for (const YamlPointer& item : node.items) text += (text.empty() ? "" : ", ") + in_line(*item);
      return "[" + text + "]";
    case Kind::map:
      for (const YamlEntry& entry : node.entries)
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", scalar(entry.key), in_line(*entry.value));
      return "{" + text + "}";
  }
  return text;
}

/// What stands behind a key that begins at `indent`, from the blank on, with the end of its last line.
std::string behind(const YamlNode& node, std::size_t indent, std::size_t used, const std::string& comment) {
  const std::string line = in_line(node);
  const std::string end = comment.empty() ? "\n" : "  # " + comment + "\n";
  const bool nested = node.kind == Kind::map && !node.entries.empty();
  const bool lists = node.kind == Kind::sequence && !node.items.empty() && node.items[0]->kind != Kind::scalar;
  if (used + 1 + line.size() <= kWidth || (!nested && !lists)) return " " + line + end;
  std::string text = end;
  const std::string margin(indent + 2, ' ');
  if (nested) {
    for (const YamlEntry& entry : node.entries) {
      const std::string key = margin + scalar(entry.key) + ":";
      text += key + behind(*entry.value, indent + 2, key.size(), "");
    }
  } else {
    for (const YamlPointer& item : node.items) text += margin + "- " + in_line(*item) + "\n";
  }
  return text;
}

}  // namespace

std::string write_yaml(const ModelTree& model) {
  std::string text;
  for (const std::string& line : model.preface) text += "# " + line + "\n";
  for (const std::string_view section : model_sections()) {
    const YamlEntry* entry = model.root->find(std::string(section));
    if (entry == nullptr) continue;
    const YamlNode& node = *entry->value;
    if (node.kind != Kind::map || section == "simulation") {
      text += fmt::format("{}: {}\n", section, in_line(node));
      continue;
    }
    text += fmt::format("\n{}:\n", section);
    for (const YamlEntry& element : node.entries) {
      const auto found = model.comments.find(element.value.get());
      std::string comment = element.where.line > 0 ? fmt::format("line {}", element.where.line) : "";
      if (found != model.comments.end()) comment += (comment.empty() ? "" : ": ") + found->second;
      for (char& c : comment)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
      const std::string key = "  " + scalar(element.key) + ":";
      text += key + behind(*element.value, 2, key.size(), comment);
    }
  }
  return text;
}

}  // namespace cardan
