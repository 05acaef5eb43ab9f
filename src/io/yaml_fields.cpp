#include "io/yaml_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

void Reading::note(const std::string& path) {
  if (std::find(files->begin(), files->end(), path) == files->end()) files->push_back(path);
}

namespace {

std::string quoted(const char* key) { return fmt::format("'{}'", key); }

std::vector<std::string> strings(std::span<const std::string_view> views) { return {views.begin(), views.end()}; }

}  // namespace

Fields::Fields(Reading& reading, const YamlNode& node, std::string element, SourceLocation where)
    : reading_(reading),
      node_(node),
      element_(std::move(element)),
      where_(std::move(where)),
      failures_before_(reading.failure_count()) {
  if (node.kind == YamlNode::Kind::map) return;
  reading.problems.error(where_, element_,
                         fmt::format("a block of fields should stand here, but there is {}", node.kind_name()));
}

const YamlNode* Fields::node(const char* key) const {
  const YamlEntry* entry = node_.find(key);
  return entry == nullptr ? nullptr : entry->value.get();
}

SourceLocation Fields::where_of(const char* key) const {
  const YamlEntry* entry = node_.find(key);
  return entry == nullptr ? where_ : entry->where;
}

void Fields::error(const SourceLocation& where, std::string message, std::string remedy) {
  reading_.problems.error(where, element_, std::move(message), std::move(remedy));
}

void Fields::allow(std::span<const std::string_view> known, const std::string& owner) {
  for (const YamlEntry& entry : node_.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    has_unknown_ = true;
    error(entry.where,
          owner.empty() ? fmt::format("no field is called '{}'", entry.key)
                        : fmt::format("{} has no field '{}'", owner, entry.key),
          suggestion(entry.key, strings(known), "the fields are"));
  }
}

std::optional<std::string> Fields::kind(std::span<const std::string_view> kinds,
                                        std::span<const std::string_view> other_fields,
                                        std::span<const Synonym> synonyms) {
  if (node_.kind != YamlNode::Kind::map) return std::nullopt;
  for (const std::string_view kind : kinds)
    if (node_.find(std::string(kind)) != nullptr) return std::string(kind);
  for (const Synonym& synonym : synonyms) {
    const YamlEntry* entry = node_.find(std::string(synonym.elsewhere));
    if (entry == nullptr) continue;
    has_unknown_ = true;
    error(entry->where, fmt::format("no type is called '{}'", synonym.elsewhere),
          fmt::format("here it is '{}'", synonym.here));
    return std::nullopt;
  }
  // A misspelt kind is one mistake, not two.
  std::vector<std::string_view> known(kinds.begin(), kinds.end());
  known.insert(known.end(), other_fields.begin(), other_fields.end());
  const std::size_t before = reading_.problems.error_count();
  allow(known);
  if (reading_.problems.error_count() == before)
    error(where_, "its type is missing", fmt::format("give one of {}", fmt::join(kinds, ", ")));
  return std::nullopt;
}

std::optional<Number> Fields::number(const char* key) {
  const YamlNode* value = node(key);
  if (value == nullptr) return std::nullopt;
  const auto number = read_number(reading_, *value, element_, quoted(key));
  if (!number) return std::nullopt;
  return Number(*number, value->where);
}

std::optional<Located<int>> Fields::integer(const char* key) {
  const YamlNode* value = node(key);
  if (value == nullptr) return std::nullopt;
  const auto number = read_integer(reading_, *value, element_, quoted(key));
  if (!number) return std::nullopt;
  return Located<int>(*number, value->where);
}

bool Fields::flag(const char* key, bool absent) {
  const YamlNode* value = node(key);
  if (value == nullptr) return absent;
  return read_flag(reading_, *value, element_, quoted(key)).value_or(absent);
}

std::optional<Name> Fields::word(const char* key) {
  const YamlNode* value = node(key);
  if (value == nullptr) return std::nullopt;
  const auto word = read_word(reading_, *value, element_, quoted(key));
  if (!word) return std::nullopt;
  return Name(*word, value->where);
}

std::optional<Located<Vec3>> Fields::vector(const char* key) {
  const YamlNode* value = node(key);
  if (value == nullptr) return std::nullopt;
  const auto vector = read_vector(reading_, *value, element_, quoted(key));
  if (!vector) return std::nullopt;
  return Located<Vec3>(*vector, value->where);
}

std::optional<Place> Fields::place(const char* key) {
  const YamlNode* value = node(key);
  return value == nullptr ? std::nullopt : read_place(reading_, *value, element_, quoted(key));
}

std::optional<Direction> Fields::direction(const char* key) {
  const YamlNode* value = node(key);
  return value == nullptr ? std::nullopt : read_direction(reading_, *value, element_, quoted(key));
}

std::optional<AxesSpec> Fields::axes(const char* key) {
  const YamlNode* value = node(key);
  return value == nullptr ? std::nullopt : read_axes(reading_, *value, element_, quoted(key));
}

std::optional<Located<Function>> Fields::function(const char* key, const std::string& variable) {
  const YamlNode* value = node(key);
  if (value == nullptr) return std::nullopt;
  const auto function = read_function(reading_, *value, element_, quoted(key), variable);
  if (!function) return std::nullopt;
  return Located<Function>(*function, value->where);
}

std::optional<std::pair<Place, Place>> Fields::two_places(const char* key) {
  const YamlNode* value = node(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != YamlNode::Kind::sequence || value->items.size() != 2) {
    wrong_kind(reading_, *value, element_, quoted(key), "two points, as [P, Q]");
    return std::nullopt;
  }
  const auto first = read_place(reading_, *value->items[0], element_, "an item of " + quoted(key));
  const auto second = read_place(reading_, *value->items[1], element_, "an item of " + quoted(key));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

std::optional<std::pair<Name, Name>> Fields::two_names(const char* key, const char* example) {
  const YamlNode* value = node(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != YamlNode::Kind::sequence || value->items.size() != 2) {
    wrong_kind(reading_, *value, element_, quoted(key), fmt::format("two names, as {}", example));
    return std::nullopt;
  }
  const auto first = read_word(reading_, *value->items[0], element_, "an item of " + quoted(key));
  const auto second = read_word(reading_, *value->items[1], element_, "an item of " + quoted(key));
  if (!first || !second) return std::nullopt;
  return std::pair(Name(*first, value->items[0]->where), Name(*second, value->items[1]->where));
}

void Fields::require(const char* key, const std::string& remedy, const std::string& message) {
  if (node_.kind != YamlNode::Kind::map || has(key) || has_unknown_) return;
  error(where_, message.empty() ? fmt::format("'{}' is missing", key) : message, remedy);
}

}  // namespace cardan
