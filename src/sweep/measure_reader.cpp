#include "sweep/measure_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/yaml_sections.hpp"

namespace cardan {

YamlPointer guard_node(const YamlNode& node, const std::string& guard) {
  auto result = std::make_shared<YamlNode>();
  result->kind = YamlNode::Kind::scalar;
  result->where = node.where;
  result->text = guard;
  return result;
}

std::optional<SweepMeasure> read_measure(Reading& reading, const YamlEntry& entry) {
  using Of = SweepMeasure::Kind;
  constexpr std::string_view kinds[] = {"max", "min", "mean", "rms", "at", "first", "end"};
  constexpr std::string_view others[] = {"of", "from", "to"};
  Fields fields(reading, *entry.value, element_label("measure", entry.key), entry.where);
  const auto kind = fields.kind(kinds, others);
  if (!kind) return std::nullopt;
  SweepMeasure measure;
  measure.name = entry.key, measure.where = entry.where;
  measure.kind = static_cast<Of>(std::find(std::begin(kinds), std::end(kinds), *kind) - std::begin(kinds));
  std::vector<std::string_view> known{*kind};
  if (measure.kind <= Of::rms) known.insert(known.end(), {"from", "to"});
  if (measure.kind == Of::at) known.push_back("of");
  fields.allow(known, fmt::format("a measure by '{}'", *kind));
  measure.to = std::numeric_limits<double>::infinity();
  if (const auto from = fields.number("from")) measure.from = from->value;
  if (const auto to = fields.number("to")) measure.to = to->value;
  if (!(measure.from < measure.to))
    fields.error(fields.where_of("from"), fmt::format("the time is empty: from {} s to {} s", measure.from, measure.to),
                 "let 'to' be later");
  const char* key = kind->c_str();
  if (measure.kind == Of::at) {
    if (const auto time = fields.number("at")) measure.time = time->value;
    fields.require("of", "add 'of: EXPRESSION'");
    if (!fields.has("of")) return std::nullopt;
    key = "of";
  }
  const YamlEntry* expression = entry.value->find(key);
  measure.expression = expression->value;
  if (measure.kind == Of::first) {
    const YamlNode& node = *measure.expression;
    const auto guard = node.kind == YamlNode::Kind::scalar ? guard_of(node.text) : std::nullopt;
    if (!guard) {
      fields.error(measure.expression->where, "'first' should be one comparison",
                   "write 'first: SIGNAL > VALUE' or '<'; a > 1 and b > 2 together are 'min(a - 1, b - 2) > 0'");
      return std::nullopt;
    }
    measure.expression = guard_node(*measure.expression, *guard);
  }
  return measure;
}

}  // namespace cardan
