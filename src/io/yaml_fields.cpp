#include "io/yaml_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "io/parameters.hpp"
#include "io/yaml_sections.hpp"

namespace cardan {

void Reading::note(const std::string& path) {
  if (std::find(files->begin(), files->end(), path) == files->end()) files->push_back(path);
}

std::optional<std::string> Reading::text_of(const std::string& path, std::string& why_not, std::size_t most) const {
  if (documents == nullptr) return read_text(path, why_not, most);
  if (const auto kept = documents->texts.find(path); kept != documents->texts.end()) return kept->second;
  auto text = read_text(path, why_not, most);
  if (text) documents->texts.emplace(path, *text);
  return text;
}

std::string Reading::canonical(const std::string& path) const {
  if (documents != nullptr)
    if (const auto kept = documents->canonical.find(path); kept != documents->canonical.end()) return kept->second;
  std::error_code ignored;
  const std::string known = std::filesystem::weakly_canonical(path, ignored).string();
  if (documents != nullptr) documents->canonical.emplace(path, known);
  return known;
}

namespace {

std::string quoted(const char* key) { return std::string("'").append(key).append("'"); }

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

namespace {

/// What fields and sections are called in other programs or are written for short.
constexpr Fields::Synonym kFieldSynonyms[] = {
    {"k", "stiffness"},     {"c", "damping"},         {"l0", "free_length"},  {"preload", "free_length"},
    {"diameter", "bore"},   {"motion", "position"},   {"torque", "effort"},   {"motions", "drivers"},
    {"forces", "loads"},    {"springs", "loads"},     {"actuators", "loads"}, {"controllers", "loads"},
    {"gears", "couplers"},  {"hardpoints", "points"}, {"parts", "bodies"},    {"links", "joints"},
    {"sensors", "signals"}, {"requests", "outputs"}};

/// The rest of a call, "2)" of atan2(t, 2).
bool closes_more_than_it_opens(const std::string& text) {
  return std::count(text.begin(), text.end(), ')') > std::count(text.begin(), text.end(), '(');
}

bool is_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

void Fields::allow(std::span<const std::string_view> known, const std::string& owner) {
  for (const YamlEntry& entry : node_.entries) {
    const auto is_known = [&](std::string_view name) {
      return std::find(known.begin(), known.end(), name) != known.end();
    };
    if (is_known(entry.key)) continue;
    has_unknown_ = true;
    const auto other = std::find_if(std::begin(kFieldSynonyms), std::end(kFieldSynonyms), [&](const Synonym& synonym) {
      return synonym.elsewhere == entry.key && is_known(synonym.here);
    });
    error(entry.where,
          owner.empty() ? fmt::format("no field is called '{}'", entry.key)
                        : fmt::format("{} has no field '{}'", owner, entry.key),
          other != std::end(kFieldSynonyms) ? fmt::format("here it is '{}'", other->here)
          : is_digits(entry.key)            ? std::string(kDecimalPoint)
          : closes_more_than_it_opens(entry.key)
              ? "within braces a comma ends a value: an expression with commas is written in quotes"
              : suggestion(entry.key, strings(known), "the fields are"));
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

template <class Read, class... More>
auto Fields::get(const char* key, const Read& read, const More&... more) {
  const YamlNode* value = node(key);
  using Result = decltype(read(reading_, *value, element_, quoted(key), more...));
  return value == nullptr ? Result() : read(reading_, *value, element_, quoted(key), more...);
}

template <class Read, class... More>
auto Fields::located(const char* key, const Read& read, const More&... more) {
  const auto value = get(key, read, more...);
  using Result = std::optional<Located<std::decay_t<decltype(*value)>>>;
  return value ? Result(std::in_place, *value, node(key)->where) : Result();
}

std::optional<Number> Fields::number(const char* key) { return located(key, read_number); }
std::optional<Located<int>> Fields::integer(const char* key) { return located(key, read_integer); }
bool Fields::flag(const char* key, bool absent) { return get(key, read_flag).value_or(absent); }
std::optional<Name> Fields::word(const char* key) { return located(key, read_word); }
std::optional<TextFile> Fields::text_file(const char* key, std::size_t most) {
  const auto file = word(key);
  if (!file) return std::nullopt;
  const std::string path =
      (std::filesystem::path(reading_.file).parent_path() / file->value).lexically_normal().string();
  std::string why_not;
  const auto text = reading_.text_of(path, why_not, most);
  if (!text) {
    error(file->where, fmt::format("'{}': {}", path, why_not), "paths are relative to the model file");
    return std::nullopt;
  }
  reading_.note(path);
  return TextFile{path, *text, file->where};
}
std::optional<Located<Vec3>> Fields::vector(const char* key) { return located(key, read_vector); }
std::optional<Place> Fields::place(const char* key) { return get(key, read_place); }
std::optional<Direction> Fields::direction(const char* key) { return get(key, read_direction); }
std::optional<AxesSpec> Fields::axes(const char* key) { return get(key, read_axes); }
std::optional<Located<Function>> Fields::function(const char* key, const std::string& variable) {
  return located(key, read_function, variable);
}

std::optional<Located<Varying>> Fields::varying(const char* key) { return located(key, read_varying); }

template <class Read>
auto Fields::pair(const char* key, const std::string& expected, const Read& read) {
  const YamlNode* value = node(key);
  using Item = std::decay_t<decltype(*read(*value))>;
  using Result = std::optional<std::pair<Item, Item>>;
  if (value == nullptr) return Result();
  if (value->kind != YamlNode::Kind::sequence || value->items.size() != 2) {
    wrong_kind(reading_, *value, element_, quoted(key), expected);
    return Result();
  }
  const auto first = read(*value->items[0]), second = read(*value->items[1]);
  return first && second ? Result(std::in_place, *first, *second) : Result();
}

std::optional<std::pair<Place, Place>> Fields::two_places(const char* key) {
  return pair(key, "two points, as [P, Q]",
              [&](const YamlNode& item) { return read_place(reading_, item, element_, "an item of " + quoted(key)); });
}

std::optional<std::pair<Name, Name>> Fields::two_names(const char* key, const char* example) {
  return pair(key, fmt::format("two names, as {}", example), [&](const YamlNode& item) {
    const auto word = read_word(reading_, item, element_, "an item of " + quoted(key));
    return word ? std::optional(Name(*word, item.where)) : std::nullopt;
  });
}

void Fields::require(const char* key, const std::string& remedy, const std::string& message) {
  if (node_.kind != YamlNode::Kind::map || has(key) || has_unknown_) return;
  error(where_, message.empty() ? fmt::format("'{}' is missing", key) : message, remedy);
}

}  // namespace cardan
