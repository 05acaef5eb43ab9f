// A YAML document as a plain tree with the place of every key and value. Not yaml-cpp's own nodes: those keep duplicate
// keys in silence, follow an alias into itself, and lose the difference between a quoted and a plain word.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cardan/diagnostic.hpp"
#include "mechanism/problems.hpp"

namespace cardan {

struct YamlNode;
using YamlPointer = std::shared_ptr<const YamlNode>;

struct YamlEntry {
  std::string key;
  SourceLocation where;  // of the key
  YamlPointer value;
};

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  SourceLocation where;
  std::string text;                // scalar
  bool quoted = false;             // scalar
  std::vector<YamlPointer> items;  // sequence
  std::vector<YamlEntry> entries;  // map, keys different; grown by add() alone

  /// The value of a key, or null.
  const YamlEntry* find(const std::string& key) const;
  void add(YamlEntry entry);
  /// "a list", "a number" and so on, for messages.
  const char* kind_name() const;

 private:
  std::unordered_map<std::string, std::size_t> index_;  // of the entries by key
};

/// Reads one document. Problems are reported; the answer is null when they leave no tree that is worth reading
/// (duplicate keys do: the first one counts).
YamlPointer parse_yaml(const std::string& text, const std::string& file, Problems& problems,
                       const std::shared_ptr<const SourceLocation>& included_from = nullptr);

}  // namespace cardan
