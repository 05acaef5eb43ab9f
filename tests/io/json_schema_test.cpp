// The JSON Schema is what the fields say, and models fit it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cardan/io.hpp"
#include "io/documented_models.hpp"
#include "io/yaml_tree.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

std::string type_of(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::scalar)
    return node.kind == YamlNode::Kind::map ? "object" : node.kind == YamlNode::Kind::sequence ? "array" : "null";
  if (node.quoted) return "string";
  if (node.text == "true" || node.text == "false") return "boolean";
  char* end = nullptr;
  std::strtod(node.text.c_str(), &end);
  return *end == '\0' && !node.text.empty() ? "number" : "string";
}

bool has_type(const Json& wanted, const std::string& type) {
  if (wanted.is_array())
    return std::any_of(wanted.begin(), wanted.end(), [&](const Json& one) { return has_type(one, type); });
  return wanted == type || (wanted == "integer" && type == "number");
}

/// As much of JSON Schema as the schema uses.
bool fits(const Json& whole, const Json& schema, const YamlNode& node) {
  if (schema.contains("$ref"))
    return fits(whole, whole.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))), node);
  if (schema.contains("type") && !has_type(schema["type"], type_of(node))) return false;
  if (schema.contains("const") && node.text != schema["const"].dump()) return false;
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), node.text) == schema["enum"].end())
    return false;
  if (schema.contains("anyOf") && std::none_of(schema["anyOf"].begin(), schema["anyOf"].end(),
                                               [&](const Json& one) { return fits(whole, one, node); }))
    return false;
  const std::size_t items = node.items.size();
  if (items < schema.value("minItems", std::size_t{0}) || items > schema.value("maxItems", items)) return false;
  for (const YamlPointer& item : node.items)
    if (schema.contains("items") && !fits(whole, schema["items"], *item)) return false;
  for (const Json& name : schema.value("required", Json::array()))
    if (node.find(name) == nullptr) return false;
  const Json known = schema.value("properties", Json::object());
  const Json others = schema.value("additionalProperties", Json(true));
  for (const YamlEntry& entry : node.entries) {
    if (known.contains(entry.key) ? !fits(whole, known[entry.key], *entry.value)
        : others.is_object()      ? !fits(whole, others, *entry.value)
                                  : !others.get<bool>())
      return false;
  }
  return true;
}

bool fits_schema(const std::string& text) {
  static const Json schema = Json::parse(json_schema());
  Problems problems;
  const YamlPointer tree = parse_yaml(text, "model", problems);
  return tree && fits(schema, schema, *tree);
}

TEST(JsonSchema, FitsEveryModel) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CARDAN_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string folder = entry.path().parent_path().filename();
    const bool is_plan = folder == "sweeps" || folder == "plans";  // of runs, and no model
    EXPECT_EQ(fits_schema(text_of(entry.path())), !is_plan) << entry.path();
    count += is_plan ? 0 : 1;
  }
  for (const auto& [page, model] : all_documented_models()) {
    EXPECT_TRUE(fits_schema(model)) << page << model;
    ++count;
  }
  EXPECT_GE(count, 45);
}

TEST(JsonSchema, RefusesWhatTheReaderRefuses) {
  const auto with_load = [](const std::string& load) { return "cardan: 1\nloads: {l: " + load + "}\n"; };
  EXPECT_TRUE(fits_schema(with_load("{spring: [a, b], at: [P, Q], stiffness: 2*k}")));
  EXPECT_FALSE(fits_schema(with_load("{spring: [a, b], at: [P, Q], stifness: 2*k}"))) << "a misspelt field";
  EXPECT_FALSE(fits_schema(with_load("{spring: a, at: [P, Q], stiffness: 1}"))) << "one body";
  EXPECT_FALSE(fits_schema(with_load("{spring: [a, b], stiffness: 1}"))) << "no places";
  EXPECT_FALSE(fits_schema(with_load("{force: a, at: P, components: [1, 2], frame: bodi}"))) << "an unknown word";
  EXPECT_FALSE(fits_schema(with_load("{tyre: a, road: r, radius: 1, stiffness: 1, lateral: {calspan: {a9: 1}}}")));
  EXPECT_TRUE(fits_schema("cardan: 1\njoints: {j: {revolute: [a, b], at: P, axis: z}}\n"));
  EXPECT_FALSE(fits_schema("cardan: 1\njoints: {j: {revolute: [a, b], at: P, pitch: 1}}\n"));
  EXPECT_FALSE(fits_schema("cardan: 1\njionts: {}\n")) << "an unknown section";
  EXPECT_FALSE(fits_schema("name: nothing\n")) << "no version";
}

}  // namespace
}  // namespace cardan
