#include "sweep/variation_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

namespace cardan {

std::optional<std::uint64_t> read_count(Fields& fields, const char* key) {
  const auto number = fields.number(key);
  if (!number) return std::nullopt;
  if (number->value >= 1 && number->value <= kMostCount && number->value == std::floor(number->value))
    return static_cast<std::uint64_t>(number->value);
  fields.error(number->where, fmt::format("'{}' is {}", key, number->value), "give a whole number, 1 or more");
  return std::nullopt;
}

namespace {

using Kind = YamlNode::Kind;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// Two numbers of a distribution.
std::optional<std::pair<double, double>> read_two(Fields& fields, const char* key, const char* what) {
  const YamlNode* node = fields.node(key);
  const auto numbers = read_numbers(fields.reading(), *node, fields.element(), fmt::format("'{}'", key));
  if (!numbers) return std::nullopt;
  if (numbers->size() == 2) return std::pair((*numbers)[0], (*numbers)[1]);
  fields.error(node->where, fmt::format("'{}' has {} numbers", key, numbers->size()),
               fmt::format("give two, as '{}: {}'", key, what));
  return std::nullopt;
}

void read_range(Fields& fields, SweepAxis& axis) {
  constexpr std::string_view known[] = {"from", "to", "count", "spacing"};
  fields.allow(known, "a range");
  for (const char* key : {"from", "to", "count"}) fields.require(key, "write {from: A, to: B, count: N}");
  SweepAxis::Range range;
  const auto from = fields.number("from"), to = fields.number("to");
  const auto count = read_count(fields, "count");
  if (const auto spacing = fields.word("spacing")) {
    if (spacing->value != "linear" && spacing->value != "log")
      fields.error(spacing->where, fmt::format("no spacing is called '{}'", spacing->value), "give linear or log");
    range.log = spacing->value == "log";
  }
  if (!from || !to || !count) return;
  range.from = from->value, range.to = to->value, range.count = *count;
  if (range.from == range.to && range.count > 1)
    fields.error(from->where, fmt::format("the range is empty: it goes from {} to {}", range.from, range.to),
                 "let 'to' differ from 'from', or give one number");
  if (range.log && !(range.from * range.to > 0))
    fields.error(from->where, fmt::format("a range from {} to {} has no logarithm", range.from, range.to),
                 "give both ends above 0, or 'spacing: linear'");
  axis.range = range;
}

void read_distribution(Fields& fields, const std::string& kind, SweepAxis& axis) {
  Distribution drawn;
  std::vector<std::string_view> known{kind};
  const bool normal = kind == "normal";
  if (normal) known.insert(known.end(), {"min", "max"});
  fields.allow(known, fmt::format("what is drawn by '{}'", kind));
  drawn.kind = normal              ? Distribution::Kind::normal
               : kind == "uniform" ? Distribution::Kind::uniform
                                   : Distribution::Kind::log_uniform;
  const auto two = read_two(fields, kind.c_str(), normal ? "[MEAN, DEVIATION]" : "[LOWEST, HIGHEST]");
  drawn.min = -kUnbounded, drawn.max = kUnbounded;
  if (const auto min = fields.number("min")) drawn.min = min->value;
  if (const auto max = fields.number("max")) drawn.max = max->value;
  if (!two) return;
  drawn.first = two->first, drawn.second = two->second;
  const SourceLocation& where = fields.node(kind.c_str())->where;
  if (normal && !(drawn.second > 0))
    fields.error(where, fmt::format("the deviation is {}", drawn.second), "give one above 0");
  if (normal && !(drawn.min < drawn.max))
    fields.error(where, fmt::format("the range is empty: min is {}, max {}", drawn.min, drawn.max),
                 "let 'max' be above 'min'");
  if (!normal && !(drawn.first < drawn.second))
    fields.error(where, fmt::format("the range is empty: it goes from {} to {}", drawn.first, drawn.second),
                 "give the lowest first, then the highest");
  if (drawn.kind == Distribution::Kind::log_uniform && !(drawn.first > 0))
    fields.error(where, fmt::format("{} has no logarithm", drawn.first), "give both ends above 0");
  axis.drawn = drawn;
}

void read_files(Fields& fields, SweepAxis& axis) {
  constexpr std::string_view known[] = {"file", "interpolation"};
  fields.allow(known, "an input from files");
  axis.kind = SweepAxis::Kind::input_file;
  const YamlNode& node = *fields.node("file");
  std::vector<const YamlNode*> files{&node};
  if (node.kind == Kind::sequence) {
    files.clear();
    for (const YamlPointer& item : node.items) files.push_back(item.get());
  }
  if (files.empty()) fields.error(node.where, "'file' is an empty list", "name a CSV file");
  for (const YamlNode* file : files)
    if (const auto name = read_word(fields.reading(), *file, fields.element(), "'file'"))
      axis.words.push_back(
          (std::filesystem::path(fields.reading().file).parent_path() / *name).lexically_normal().string());
  if (const auto how = fields.word("interpolation")) {
    if (how->value != "held" && how->value != "linear")
      fields.error(how->where, fmt::format("no interpolation is called '{}'", how->value), "give held or linear");
    axis.held = how->value != "linear";
  }
}

}  // namespace

void read_variation(Reading& reading, const YamlNode& node, const std::string& element, SweepAxis& axis) {
  if (node.kind == Kind::map) {
    Fields fields(reading, node, element, node.where);
    constexpr std::string_view distributions[] = {"uniform", "log_uniform", "normal"};
    std::vector<std::string_view> kinds(std::begin(distributions), std::end(distributions));
    kinds.push_back("from");
    if (axis.kind == SweepAxis::Kind::input) kinds.push_back("file");
    constexpr std::string_view others[] = {"to", "count", "spacing", "min", "max", "interpolation"};
    const auto kind = fields.kind(kinds, others);
    if (!kind) return;
    if (*kind == "from") return read_range(fields, axis);
    if (*kind == "file") return read_files(fields, axis);
    return read_distribution(fields, *kind, axis);
  }
  if (node.kind == Kind::sequence) {
    if (node.items.empty())
      reading.problems.error(node.where, element, "the list of values is empty", "give at least one");
    if (const auto values = read_numbers(reading, node, element, "the list")) axis.values = *values;
    return;
  }
  if (const auto value = read_number(reading, node, element, "")) axis.values = {*value};
}

}  // namespace cardan
