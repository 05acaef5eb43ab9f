// A model file as a whole: the document, its version, and its sections in the order in which they need each other. What
// the sections hold is described where each is read (yaml_bodies.cpp, yaml_joints.cpp, yaml_loads.cpp, yaml_start.cpp,
// yaml_functions.cpp).
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cardan/io.hpp"
#include "io/parameters.hpp"
#include "io/yaml_sections.hpp"
#include "mechanism/resolver.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

constexpr int kVersion = 1;
constexpr std::string_view kSections[] = {"cardan", "name",     "planar",  "gravity", "parameters",
                                          "points", "bodies",   "markers", "joints",  "roads",
                                          "loads",  "couplers", "drivers", "initial", "simulation"};

void check_version(Fields& model) {
  const YamlNode* version = model.node("cardan");
  if (version == nullptr) {
    model.error(model.where(), "'cardan', the version of the format, is missing",
                fmt::format("start with 'cardan: {}'", kVersion));
  } else if (version->text != std::to_string(kVersion)) {
    model.error(version->where, fmt::format("version '{}' of the format is not known", version->text),
                fmt::format("this program reads 'cardan: {}'", kVersion));
  }
}

// The section when it is there and holds named elements; an empty one is as good as none.
const YamlNode* named_elements(Fields& model, const char* key, MechanismSpec& mechanism) {
  const YamlNode* section = model.node(key);
  if (section == nullptr || section->kind == Kind::null || section->kind == Kind::map) return section;
  wrong_kind(model.reading(), *section, "", fmt::format("'{}'", key), "a block of names");
  mechanism.incomplete = true;
  return nullptr;
}

void read_sections(Fields& model, const std::map<std::string, double>& parameters, MechanismSpec& mechanism) {
  Reading& reading = model.reading();
  read_parameters(reading, named_elements(model, "parameters", mechanism), mechanism.file, parameters);
  if (const auto name = model.word("name")) mechanism.name = name->value;
  const std::size_t before = reading.problems.error_count();
  mechanism.planar = reading.planar = model.flag("planar", false);
  if (reading.problems.error_count() > before) reading.problems.throw_errors();  // every vector would complain
  mechanism.gravity = model.vector("gravity");
  for (const char* key : {"points", "markers"})
    if (const YamlNode* section = model.node(key))
      for (const YamlEntry& entry : section->entries) reading.places.insert(entry.key);
  using Reader = void (*)(Reading&, const YamlNode&, MechanismSpec&);
  constexpr std::pair<const char*, Reader> readers[] = {
      {"points", read_points},   {"bodies", read_bodies},        {"markers", read_markers},   {"joints", read_joints},
      {"roads", read_roads},     {"loads", read_loads},          {"couplers", read_couplers}, {"drivers", read_drivers},
      {"initial", read_initial}, {"simulation", read_simulation}};
  for (const auto& [key, read] : readers) {
    const YamlNode* section = named_elements(model, key, mechanism);
    if (section != nullptr && section->kind == Kind::map) read(reading, *section, mechanism);
  }
  model.require("bodies", "add 'bodies: {NAME: ...}'");
  if (model.node("bodies") != nullptr && mechanism.bodies.empty() && !model.failed())
    model.error(model.where_of("bodies"), "the model has no body", "add one");
}

}  // namespace

Mechanism read_mechanism_text(const std::string& text, const std::string& file_name,
                              const std::map<std::string, double>& parameters) {
  Problems problems;
  const YamlPointer document = parse_yaml(text, file_name, problems);
  if (!document) problems.throw_errors();
  MechanismSpec mechanism;
  mechanism.file = file_name;
  if (document->kind == Kind::null) {
    problems.error({file_name, 1, 1}, "", "the file is empty",
                   fmt::format("a model starts with 'cardan: {}'", kVersion));
    problems.throw_errors();
  } else if (document->kind != Kind::map) {
    problems.error(document->where, "",
                   fmt::format("a model is a block of sections, but this is {}", document->kind_name()),
                   fmt::format("a model starts with 'cardan: {}'", kVersion));
    problems.throw_errors();
  }
  Reading reading{.problems = problems, .parameters = {}, .broken_parameters = {}, .places = {}};
  Fields model(reading, *document, "", document->where);
  model.allow(kSections, "a model");
  mechanism.incomplete = model.failed();
  check_version(model);
  read_sections(model, parameters, mechanism);
  return resolve_mechanism(mechanism, problems);
}

Mechanism read_mechanism(const std::string& path, const std::map<std::string, double>& parameters) {
  const auto refuse = [&path](const std::string& message) {
    Problems problems;
    problems.error({path, 0, 0}, "", message);
    problems.throw_errors();
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse("this is a directory, not a model file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(fmt::format("the file cannot be opened: {}", std::strerror(errno)));
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) refuse("the file cannot be read to its end");
  Mechanism mechanism = read_mechanism_text(text.str(), path, parameters);
  if (mechanism.name.empty()) mechanism.name = std::filesystem::path(path).stem().string();
  return mechanism;
}

}  // namespace cardan
