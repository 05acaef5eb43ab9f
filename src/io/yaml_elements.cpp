// loads, couplers and drivers: the kinds that the list of elements has (src/elements/list.cpp), each with the fields
// that it states; docs/model-file.md is the reference.
#include <fmt/format.h>

#include <algorithm>

#include "cardan/element.hpp"
#include "io/csv_pairs.hpp"
#include "io/yaml_sections.hpp"

namespace cardan {
namespace {

using Kind = YamlNode::Kind;

std::string quoted(const Field& f) { return fmt::format("'{}'", f.name); }

/// Keeps what was there when nothing was read.
template <class T, class Given>
void take(const std::optional<Given>& given, T& value) {
  if (given) value = *given;
}

/// The names of an element's fields, in their order.
class FieldNames final : public FieldVisitor {
 public:
  using FieldVisitor::FieldVisitor;
  std::vector<std::string_view> names;

 protected:
  void field(const Field& f) override { names.emplace_back(f.name); }
};

/// What is absent stays as it is; what is required and absent, or of the wrong type, is reported.
class FieldReader final : public FieldVisitor {
 public:
  explicit FieldReader(Fields& fields) : FieldVisitor(fields.reading().planar), fields_(fields) {}

  void body(const Field& f, Name& name) override {
    if (find(f)) take(fields_.word(f.name), name);
  }

  void road(const Field& f, Name& name) override { body(f, name); }

  void element(const Field& f, Name& name, const std::vector<std::string>&) override { body(f, name); }

  void two_bodies(const Field& f, Name& body1, Name& body2, Ends ends) override {
    const YamlNode* node = find(f);
    if (node == nullptr) return;
    if (ends == Ends::one_or_two && node->kind != Kind::sequence) return take(fields_.word(f.name), body2);
    if (const auto bodies = fields_.two_names(f.name, f.example)) std::tie(body1, body2) = *bodies;
  }

  void touching(const Field& f, std::vector<Name>& names) override {
    const YamlNode* node = find(f);
    if (node == nullptr) return;
    if (node->kind != Kind::sequence || node->items.empty())
      return wrong_kind(fields_.reading(), *node, fields_.element(), quoted(f), std::string("a list, as ") + f.example);
    for (const YamlPointer& item : node->items) {
      const auto word = read_word(fields_.reading(), *item, fields_.element(), "an item of " + quoted(f));
      if (word) names.emplace_back(*word, item->where);
    }
  }

  void places(const Field& f, std::vector<Place>& places) override {
    const YamlNode* node = find(f);
    if (node == nullptr) return;
    if (node->kind != Kind::sequence || node->items.empty())
      return wrong_kind(fields_.reading(), *node, fields_.element(), quoted(f), "a list of points, as [P, Q]");
    for (const YamlPointer& item : node->items) {
      const auto place = read_place(fields_.reading(), *item, fields_.element(), "an item of " + quoted(f));
      if (place) places.push_back(*place);
    }
  }

  void joint(const Field& f, Name& name, const Field& coordinate, std::optional<Located<int>>& index,
             CoordinateSort) override {
    body(f, name);
    take(fields_.integer(coordinate.name), index);
  }

  void whole_joint(const Field& f, Name& name) override { body(f, name); }

  void poses(const Field& f, const Name&, std::vector<TableRow>& rows) override {
    const YamlNode* node = find(f);
    if (node == nullptr) return;
    if (node->kind == Kind::map)
      return take(read_csv_rows(fields_.reading(), *node, fields_.element(), quoted(f)), rows);
    if (node->kind != Kind::sequence)
      return wrong_kind(fields_.reading(), *node, fields_.element(), quoted(f), "a list of rows, or {file: PATH}");
    for (const YamlPointer& item : node->items) {
      const auto numbers = read_numbers(fields_.reading(), *item, fields_.element(), "a row of " + quoted(f));
      if (numbers) rows.push_back({*numbers, item->where});
    }
  }

  void two_joints(const Field& f, const Field& coordinates, const End& one, const End& two) override {
    two_bodies(f, one.joint, two.joint, Ends::two);
    const YamlNode* node = find(coordinates);
    if (node == nullptr) return;
    if (node->kind != Kind::sequence || node->items.size() != 2)
      return wrong_kind(fields_.reading(), *node, fields_.element(), quoted(coordinates), "two numbers, as [1, 2]");
    for (const auto& [item, end] : {std::pair(node->items[0], &one), std::pair(node->items[1], &two)}) {
      const auto index = read_integer(fields_.reading(), *item, fields_.element(), "an item of " + quoted(coordinates));
      if (index) end->coordinate = Located<int>(*index, item->where);
    }
  }

  void place(const Field& f, std::optional<Place>& place) override {
    if (find(f)) take(fields_.place(f.name), place);
  }

  void two_places(const Field& f, std::optional<Place>& place1, std::optional<Place>& place2, Ends ends) override {
    const YamlNode* node = find(f);
    if (node == nullptr) return;
    if (ends == Ends::one_or_two && !is_pair(fields_.reading(), *node)) return take(fields_.place(f.name), place1);
    if (const auto places = fields_.two_places(f.name)) std::tie(place1, place2) = *places;
  }

  void direction(const Field& f, std::optional<Direction>& direction, Parity, const char*) override {
    if (find(f)) take(fields_.direction(f.name), direction);
  }

  void axes(const Field& f, std::optional<AxesSpec>& axes, const FramePlaces&) override {
    if (find(f)) take(fields_.axes(f.name), axes);
  }

  void number(const Field& f, std::optional<Number>& number) override {
    if (find(f)) take(fields_.number(f.name), number);
  }

  void along_axes(const Field& f, std::optional<Located<Vec3>>& numbers, bool rotational) override {
    const YamlNode* node = find(f);
    if (node == nullptr) return;
    if (node->kind == Kind::sequence && !(planar() && rotational)) return take(fields_.vector(f.name), numbers);
    const auto value = fields_.number(f.name);
    if (!value) return;
    const double v = value->value;
    numbers = Located<Vec3>(!planar() ? Vec3(v, v, v) : rotational ? Vec3(0, 0, v) : Vec3(v, v, 0), value->where);
  }

  void levels(const Field& f, std::optional<Number>& forward, std::optional<Number>& backward) override {
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

  void function(const Field& f, const char* variable, std::optional<Located<Function>>& function) override {
    if (find(f)) take(fields_.function(f.name, variable), function);
  }

  void varying(const Field& f, Located<Varying>& number) override {
    if (find(f)) take(fields_.varying(f.name), number);
  }

  void components(const Field& f, std::array<Located<Varying>, 3>& components, const VectorSort& sort) override {
    const YamlNode* node = find(f);
    if (node == nullptr) return;
    if (planar() && sort.parity == Parity::axial) return take(fields_.varying(f.name), components[2]);
    const std::size_t count = planar() ? 2 : 3;
    if (node->kind != Kind::sequence || node->items.size() != count)
      return wrong_kind(fields_.reading(), *node, fields_.element(), quoted(f),
                        fmt::format("a list of {} functions of t", count));
    for (std::size_t i = 0; i < count; ++i) {
      const YamlNode& item = *node->items[i];
      const auto number = read_varying(fields_.reading(), item, fields_.element(), "an item of " + quoted(f));
      if (number) components[i] = Located<Varying>(*number, item.where);
    }
  }

  void choice(const Field& f, const std::vector<std::string>& words, int& chosen) override {
    const auto word = find(f) ? fields_.word(f.name) : std::nullopt;
    if (!word) return;
    const auto found = std::find(words.begin(), words.end(), word->value);
    if (found == words.end())
      return fields_.error(word->where, fmt::format("no {} is called '{}'", f.name, word->value),
                           suggestion(word->value, words, "give"));
    chosen = static_cast<int>(found - words.begin());
  }

  void flag(const Field& f, bool& flag) override {
    if (find(f)) flag = fields_.flag(f.name, flag);
  }

  void file(const Field& f, std::optional<TextFile>& file) override {
    if (find(f)) take(fields_.text_file(f.name), file);
  }

  void group(const Field& f, bool& given, SourceLocation& where,
             const std::function<void(FieldVisitor&)>& inside) override {
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

 private:
  /// The field's value, or null, reported when it is required.
  const YamlNode* find(const Field& f) {
    if (f.to_add != nullptr) fields_.require(f.name, f.to_add, f.missing_message());
    return fields_.node(f.name);
  }

  Fields& fields_;
};

/// The element whose kind is given. `force` and the like are kinds and also laws of other loads: the one counts that
/// has the others as its fields.
const Element* find_kind(const std::vector<Element>& kinds, const Fields& fields) {
  std::vector<const Element*> given;
  for (const Element& element : kinds)
    if (fields.has(element.kind().name)) given.push_back(&element);
  for (const Element* element : given) {
    FieldNames own(fields.reading().planar);
    Element(*element).fields(own);
    const bool has_all = std::all_of(given.begin(), given.end(), [&](const Element* other) {
      return std::find(own.names.begin(), own.names.end(), other->kind().name) != own.names.end();
    });
    if (has_all) return element;
  }
  return given.empty() ? nullptr : given.front();
}

// Of ADAMS, Chrono, MuJoCo and Simscape.
constexpr Fields::Synonym kElementSynonyms[] = {{"sforce", "actuator"},
                                                {"gforce", "force"},
                                                {"vforce", "force"},
                                                {"vtorque", "torque"},
                                                {"springdamper", "spring"},
                                                {"spring_damper", "spring"},
                                                {"tsda", "spring"},
                                                {"rsda", "torsion"},
                                                {"damper", "spring"},
                                                {"motor", "actuator"},
                                                {"motion", "joint"},
                                                {"jack", "cylinder"},
                                                {"controller", "pid"},
                                                {"coupler", "gear"},
                                                {"rackpin", "rack"},
                                                {"beam", "bushing"},
                                                {"tire", "tyre"}};

void report_no_kind(const std::vector<Element>& kinds, Fields& fields) {
  std::vector<std::string_view> names;
  FieldNames all(fields.reading().planar);
  for (Element element : kinds) {
    names.emplace_back(element.kind().name);
    element.fields(all);
  }
  // Those that this section has.
  std::vector<Fields::Synonym> synonyms;
  for (const Fields::Synonym& synonym : kElementSynonyms)
    if (std::find(names.begin(), names.end(), synonym.here) != names.end()) synonyms.push_back(synonym);
  fields.kind(names, all.names, synonyms);
}

/// Reports fields that the element does not have; it may have others in a planar model than in space.
void allow_fields_of(Element& element, Fields& fields) {
  const bool planar = fields.reading().planar;
  FieldNames known(planar), elsewhere(!planar);
  element.fields(known);
  element.fields(elsewhere);
  const char* where = planar && known.names != elsewhere.names ? " of a planar model" : "";
  fields.allow(known.names, element.kind().called + std::string(where));
}

}  // namespace

void read_elements(Reading& reading, const YamlNode& section, const std::string& kind, MechanismSpec& mechanism) {
  std::vector<Element> kinds = known_elements();
  std::erase_if(kinds, [&](const Element& element) { return element.kind().section != kind; });
  for (const YamlEntry& entry : section.entries) {
    Fields fields(reading, *entry.value, element_label(kind, entry.key), entry.where);
    const Element* prototype = find_kind(kinds, fields);
    Element element = prototype == nullptr ? kinds.front() : *prototype;
    element.name() = Name(entry.key, entry.where);
    if (prototype == nullptr) {
      report_no_kind(kinds, fields);
    } else {
      allow_fields_of(element, fields);
      FieldReader reader(fields);
      element.fields(reader);
    }
    noted(element).incomplete = fields.failed();
    mechanism.elements.push_back(std::move(element));
  }
}

}  // namespace cardan
