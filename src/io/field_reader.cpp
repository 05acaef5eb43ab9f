#include "io/field_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {
namespace {

using Kind = YamlNode::Kind;

std::string quoted(const Field& f) { return fmt::format("'{}'", f.name); }

/// Keeps what was there when nothing was read.
template <class T, class Given>
void take(const std::optional<Given>& given, T& value) {
  if (given) value = *given;
}

}  // namespace

const YamlNode* FieldReader::find(const Field& f) {
  if (f.required != nullptr) fields_.require(f.name, f.required, missing_message(f));
  return fields_.node(f.name);
}

void FieldReader::body(const Field& f, Name& name) {
  if (find(f)) take(fields_.word(f.name), name);
}

void FieldReader::road(const Field& f, Name& name) { body(f, name); }

void FieldReader::two_bodies(const Field& f, Name& body1, Name& body2, Ends ends) {
  const YamlNode* node = find(f);
  if (node == nullptr) return;
  if (ends == Ends::one_or_two && node->kind != Kind::sequence) return take(fields_.word(f.name), body2);
  if (const auto bodies = fields_.two_names(f.name, f.example)) std::tie(body1, body2) = *bodies;
}

void FieldReader::joint(const Field& f, Name& name, const Field& coordinate, std::optional<Located<int>>& index,
                        CoordinateSort) {
  body(f, name);
  take(fields_.integer(coordinate.name), index);
}

void FieldReader::place(const Field& f, std::optional<Place>& place) {
  if (find(f)) take(fields_.place(f.name), place);
}

void FieldReader::two_places(const Field& f, std::optional<Place>& place1, std::optional<Place>& place2, Ends ends) {
  const YamlNode* node = find(f);
  if (node == nullptr) return;
  if (ends == Ends::one_or_two && !is_pair(fields_.reading(), *node)) return take(fields_.place(f.name), place1);
  if (const auto places = fields_.two_places(f.name)) std::tie(place1, place2) = *places;
}

void FieldReader::direction(const Field& f, std::optional<Direction>& direction, Parity, const char*) {
  if (find(f)) take(fields_.direction(f.name), direction);
}

void FieldReader::axes(const Field& f, std::optional<AxesSpec>& axes, AxesImage&, const std::vector<LentAxes>&) {
  if (find(f)) take(fields_.axes(f.name), axes);
}

void FieldReader::number(const Field& f, std::optional<Number>& number) {
  if (find(f)) take(fields_.number(f.name), number);
}

void FieldReader::along_axes(const Field& f, std::optional<Located<Vec3>>& numbers, bool rotational) {
  const YamlNode* node = find(f);
  if (node == nullptr) return;
  if (node->kind == Kind::sequence && !(planar() && rotational)) return take(fields_.vector(f.name), numbers);
  const auto value = fields_.number(f.name);
  if (!value) return;
  const double v = value->value;
  numbers = Located<Vec3>(!planar() ? Vec3(v, v, v) : rotational ? Vec3(0, 0, v) : Vec3(v, v, 0), value->where);
}

void FieldReader::levels(const Field& f, std::optional<Number>& forward, std::optional<Number>& backward) {
  const YamlNode* node = find(f);
  if (node == nullptr) return;
  if (node->kind != Kind::sequence) return take(fields_.number(f.name), forward);
  const auto both = read_numbers(fields_.reading(), *node, fields_.element(), quoted(f));
  if (!both) return;
  if (both->size() != 2)
    return wrong_kind(fields_.reading(), *node, fields_.element(), quoted(f),
                      fmt::format("one number, or two: {}", f.example));
  forward = Number((*both)[0], node->where);
  backward = Number((*both)[1], node->where);
}

void FieldReader::function(const Field& f, const char* variable, std::optional<Located<Function>>& function) {
  if (find(f)) take(fields_.function(f.name, variable), function);
}

void FieldReader::components(const Field& f, std::array<Located<Function>, 3>& components, const VectorSort& sort) {
  const YamlNode* node = find(f);
  if (node == nullptr) return;
  if (planar() && sort.parity == Parity::axial) return take(fields_.function(f.name, "t"), components[2]);
  const std::size_t count = planar() ? 2 : 3;
  if (node->kind != Kind::sequence || node->items.size() != count)
    return wrong_kind(fields_.reading(), *node, fields_.element(), quoted(f),
                      fmt::format("a list of {} functions of t", count));
  for (std::size_t i = 0; i < count; ++i) {
    const YamlNode& item = *node->items[i];
    const auto function = read_function(fields_.reading(), item, fields_.element(), "an item of " + quoted(f), "t");
    if (function) components[i] = Located<Function>(*function, item.where);
  }
}

void FieldReader::choice(const Field& f, const std::vector<std::string>& words, int& chosen) {
  const auto word = find(f) ? fields_.word(f.name) : std::nullopt;
  if (!word) return;
  const auto found = std::find(words.begin(), words.end(), word->value);
  if (found == words.end())
    return fields_.error(word->where, fmt::format("no {} is called '{}'", f.name, word->value),
                         suggestion(word->value, words, "give"));
  chosen = static_cast<int>(found - words.begin());
}

void FieldReader::flag(const Field& f, bool& flag) {
  if (find(f)) flag = fields_.flag(f.name, flag);
}

void FieldReader::group(const Field& f, bool& given, SourceLocation& where,
                        const std::function<void(FieldVisitor&)>& inside) {
  const YamlNode* node = find(f);
  if (node == nullptr) return;
  Fields inner(fields_.reading(), *node, fields_.element(), fields_.where_of(f.name));
  FieldNames known(planar());
  inside(known);
  inner.allow(known.names, quoted(f));
  FieldReader reader(inner);
  inside(reader);
  given = true;
  where = node->where;
}

}  // namespace cardan
