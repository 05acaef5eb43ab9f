// The JSON Schema of model files, for editors: sections, types of joints, and the fields of loads, couplers and drivers
// as they state them.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cardan/element.hpp"
#include "cardan/io.hpp"
#include "io/yaml_sections.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

Json defined(const char* what) { return {{"$ref", std::string("#/$defs/") + what}}; }
Json list_of(const Json& item, int least, int most) {
  return {{"type", "array"}, {"items", item}, {"minItems", least}, {"maxItems", most}};
}
Json either(const Json& one, const Json& other) { return {{"anyOf", Json::array({one, other})}}; }

const Json kWord{{"type", "string"}};

/// What values look like; expressions stand as strings.
Json definitions() {
  return {{"number", {{"type", {"number", "string"}}}},
          {"place", either(kWord, list_of(defined("number"), 2, 3))},
          {"direction", {{"type", {"string", "array"}}}},
          {"axes", {{"type", "object"}}},
          {"function", {{"type", {"number", "string", "object"}}}}};
}

/// Of the meaning, unit and default as the reference tells them.
std::string description(const Field& f) {
  std::string text = f.meaning;
  if (*f.unit != '\0') text += (text.empty() ? "" : "; ") + std::string(f.unit);
  if (*f.absent != '\0') text += (text.empty() ? "default: " : "; default: ") + std::string(f.absent);
  std::erase(text, '`');
  return text;
}

class FieldSchema final : public FieldVisitor {
 public:
  explicit FieldSchema(bool planar) : FieldVisitor(planar) {}
  Json properties = Json::object();
  std::vector<std::string> required;

  void body(const Field& f, Name&) override { add(f, kWord); }
  void two_bodies(const Field& f, Name&, Name&, Ends ends) override {
    const Json two = list_of(kWord, 2, 2);
    add(f, ends == Ends::two ? two : either(kWord, two));
  }
  void road(const Field& f, Name&) override { add(f, kWord); }
  void touching(const Field& f, std::vector<Name>&) override { add(f, {{"type", "array"}, {"items", kWord}}); }
  void element(const Field& f, Name&, const std::vector<std::string>&) override { add(f, kWord); }
  void joint(const Field& f, Name&, const Field& coordinate, std::optional<Located<int>>&, CoordinateSort) override {
    add(f, kWord);
    add(coordinate, {{"type", {"integer", "string"}}});
  }
  void whole_joint(const Field& f, Name&) override { add(f, kWord); }
  void poses(const Field& f, const Name&, std::vector<TableRow>&) override {
    const Json rows{{"type", "array"}, {"items", {{"type", "array"}, {"items", defined("number")}}}};
    add(f, either(rows, {{"type", "object"}}));
  }
  void two_joints(const Field& f, const Field& coordinates, const End&, const End&) override {
    add(f, list_of(kWord, 2, 2));
    add(coordinates, list_of({{"type", {"integer", "string"}}}, 2, 2));
  }
  void place(const Field& f, std::optional<Place>&) override { add(f, defined("place")); }
  void places(const Field& f, std::vector<Place>&) override {
    add(f, {{"type", "array"}, {"items", defined("place")}});
  }
  void two_places(const Field& f, std::optional<Place>&, std::optional<Place>&, Ends ends) override {
    const Json two = list_of(defined("place"), 2, 2);
    add(f, ends == Ends::two ? two : either(defined("place"), two));
  }
  void direction(const Field& f, std::optional<Direction>&, Parity, const char*) override {
    add(f, defined("direction"));
  }
  void axes(const Field& f, std::optional<AxesSpec>&, const FramePlaces&) override { add(f, defined("axes")); }
  void number(const Field& f, std::optional<Number>&) override { add(f, defined("number")); }
  void along_axes(const Field& f, std::optional<Located<Vec3>>&, bool) override {
    add(f, either(defined("number"), list_of(defined("number"), 2, 3)));
  }
  void levels(const Field& f, std::optional<Number>&, std::optional<Number>&) override {
    add(f, either(defined("number"), list_of(defined("number"), 2, 2)));
  }
  void function(const Field& f, const char*, std::optional<Located<Function>>&) override {
    add(f, defined("function"));
  }
  void varying(const Field& f, Located<Varying>&) override { add(f, defined("function")); }
  void components(const Field& f, std::array<Located<Varying>, 3>&, const VectorSort& sort) override {
    const bool one = planar() && sort.parity == Parity::axial;
    add(f, one ? defined("function") : list_of(defined("function"), 2, 3));
  }
  void choice(const Field& f, const std::vector<std::string>& words, int&) override { add(f, {{"enum", words}}); }
  void flag(const Field& f, bool&) override { add(f, {{"type", "boolean"}}); }
  void file(const Field& f, std::optional<TextFile>&) override { add(f, kWord); }
  void group(const Field& f, bool&, SourceLocation&, const std::function<void(FieldVisitor&)>& inside) override {
    FieldSchema inner(planar());
    inside(inner);
    add(f, inner.object());
  }

  Json object() const {
    return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
  }

 private:
  void add(const Field& f, Json schema) {
    if (const std::string text = description(f); !text.empty()) schema["description"] = text;
    properties[f.name] = std::move(schema);
    if (f.to_add != nullptr) required.emplace_back(f.name);
  }
};

/// Fields in space or in the plane; required is what both require.
Json schema_of(Element element) {
  FieldSchema space(false), plane(true);
  element.fields(space);
  element.fields(plane);
  for (const auto& [name, schema] : plane.properties.items())
    if (!space.properties.contains(name)) space.properties[name] = schema;
  std::erase_if(space.required, [&](const std::string& name) {
    return std::find(plane.required.begin(), plane.required.end(), name) == plane.required.end();
  });
  Json object = space.object();
  object["title"] = element.kind().called;
  return object;
}

/// Of all types, by the names of their fields.
Json joints_schema() {
  Json types = Json::array();
  for (const JointTraits& type : joint_types()) {
    Json properties = Json::object();
    for (const std::string_view field : type.all_fields()) properties[std::string(field)] = Json::object();
    properties[std::string(type.name)] = list_of(kWord, 2, 2);
    types.push_back({{"type", "object"},
                     {"properties", properties},
                     {"required", {type.name}},
                     {"additionalProperties", false},
                     {"title", "a " + std::string(type.name) + " joint"}});
  }
  return {{"type", {"object", "null"}}, {"additionalProperties", {{"anyOf", types}}}};
}

}  // namespace

std::string json_schema() {
  Json sections = Json::object();
  for (const std::string_view section : model_sections()) sections[std::string(section)] = Json::object();
  sections["cardan"] = {{"const", 1}};
  sections["name"] = kWord;
  sections["planar"] = {{"type", "boolean"}};
  sections["joints"] = joints_schema();
  std::map<std::string, Json> kinds;
  for (const Element& element : known_elements()) kinds[element.kind().section].push_back(schema_of(element));
  for (const auto& [section, choice] : kinds)
    sections[section + "s"] = {{"type", {"object", "null"}}, {"additionalProperties", {{"anyOf", choice}}}};
  const Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", "Cardan model"},
                    {"type", "object"},
                    {"properties", sections},
                    {"required", {"cardan"}},
                    {"additionalProperties", false},
                    {"$defs", definitions()}};
  return schema.dump(2) + "\n";
}

}  // namespace cardan
