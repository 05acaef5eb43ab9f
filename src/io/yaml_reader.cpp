// A model file as a whole: the document, its version, and its sections in the order in which they need each other. What
// the sections hold is described where each is read (yaml_bodies.cpp, yaml_joints.cpp, yaml_start.cpp, yaml_events.cpp,
// yaml_functions.cpp, yaml_subsystems.cpp); loads, couplers and drivers say it themselves (src/elements/).
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cardan/io.hpp"
#include "io/columns.hpp"
#include "io/formats/foreign_model.hpp"
#include "io/model_template.hpp"
#include "io/parameters.hpp"
#include "io/yaml_sections.hpp"
#include "mechanism/resolver.hpp"
#include "mechanism/subsystem.hpp"

namespace cardan {

namespace {

using Kind = YamlNode::Kind;

constexpr int kVersion = 1;
constexpr std::string_view kSections[] = {
    "cardan",  "name",   "planar",     "gravity",     "parameters",  "points", "bodies", "markers", "joints",
    "roads",   "loads",  "couplers",   "drivers",     "constraints", "inputs", "states", "signals", "fmus",
    "initial", "events", "simulation", "connections", "subsystems",  "plots",  "outputs"};

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
  noted(mechanism).incomplete = true;
  return nullptr;
}

/// The model's own, those given for it in place of the file's among them. Answers those of subsystems, SUBSYSTEM/NAME.
std::map<std::string, double> read_all_parameters(Fields& model, const std::map<std::string, double>& parameters,
                                                  MechanismSpec& mechanism) {
  Reading& reading = model.reading();
  std::map<std::string, double> own, of_subsystems;
  for (const auto& [name, value] : parameters)
    (name.find('/') == std::string::npos ? own : of_subsystems).emplace(name, value);
  const YamlNode* section = named_elements(model, "parameters", mechanism);
  for (const auto& [name, value] : reading.given_parameters) {
    if (section != nullptr && section->find(name) != nullptr) {
      own.emplace(name, value.value);
      continue;
    }
    std::vector<std::string> known;
    if (section != nullptr)
      for (const YamlEntry& entry : section->entries) known.push_back(entry.key);
    reading.problems.error(value.where, "", fmt::format("'{}' has no parameter '{}'", reading.file, name),
                           suggestion(name, known, "its parameters are"));
  }
  read_parameters(reading, section, own);
  return of_subsystems;
}

void read_sections(Fields& model, const std::map<std::string, double>& parameters, MechanismSpec& mechanism) {
  Reading& reading = model.reading();
  const std::map<std::string, double> subsystem_parameters = read_all_parameters(model, parameters, mechanism);
  if (const auto name = model.word("name")) mechanism.name = name->value;
  const std::size_t before = reading.problems.error_count();
  mechanism.planar = reading.planar = model.flag("planar", mechanism.planar);
  if (reading.problems.error_count() > before) reading.problems.throw_errors();  // every vector would complain
  if (model.has("gravity")) mechanism.gravity = model.vector("gravity");
  for (const char* key : {"points", "markers"})
    if (const YamlNode* section = model.node(key))
      for (const YamlEntry& entry : section->entries) reading.places.insert(entry.key);
  if (const YamlNode* section = named_elements(model, "connections", mechanism))
    read_connections(reading, *section, mechanism);
  static const YamlNode nothing;
  const YamlNode* section = named_elements(model, "subsystems", mechanism);
  const std::vector<Subsystem> subsystems =
      read_subsystems(reading, section == nullptr ? nothing : *section, subsystem_parameters, mechanism);
  // The model's own elements come first, but before `initial` all must be known.
  const auto include_subsystems = [&] {
    for (const Subsystem& subsystem : subsystems)
      include_subsystem(subsystem.part, subsystem.use, mechanism, reading.problems);
  };
  using Reader = void (*)(Reading&, const YamlNode&, MechanismSpec&);
  constexpr Reader loads = [](Reading& r, const YamlNode& s, MechanismSpec& m) { read_elements(r, s, "load", m); };
  constexpr Reader couplers = [](Reading& r, const YamlNode& s, MechanismSpec& m) {
    read_elements(r, s, "coupler", m);
  };
  constexpr Reader drivers = [](Reading& r, const YamlNode& s, MechanismSpec& m) { read_elements(r, s, "driver", m); };
  constexpr Reader constraints = [](Reading& r, const YamlNode& s, MechanismSpec& m) {
    read_elements(r, s, "constraint", m);
  };
  constexpr std::pair<const char*, Reader> readers[] = {{"points", read_points},      {"bodies", read_bodies},
                                                        {"markers", read_markers},    {"joints", read_joints},
                                                        {"roads", read_roads},        {"loads", loads},
                                                        {"couplers", couplers},       {"drivers", drivers},
                                                        {"constraints", constraints}, {"inputs", read_inputs},
                                                        {"states", read_states},      {"signals", read_signals},
                                                        {"fmus", read_fmus},          {"initial", read_initial},
                                                        {"events", read_events},      {"simulation", read_simulation},
                                                        {"plots", read_plots}};
  for (const auto& [key, read] : readers) {
    if (read == read_initial) include_subsystems();
    if (reading.kept != nullptr && reading.kept->copy(key, mechanism)) continue;
    const YamlNode* section = named_elements(model, key, mechanism);
    if (section != nullptr && section->kind == Kind::map) read(reading, *section, mechanism);
  }
  if (const YamlNode* outputs = model.node("outputs"); outputs != nullptr && outputs->kind != Kind::null) {
    if (outputs->kind == Kind::sequence) {
      read_outputs(reading, *outputs, mechanism);
    } else {
      wrong_kind(reading, *outputs, "", "'outputs'", "a list of columns");
    }
  }
}

void require_bodies(Fields& model, const MechanismSpec& mechanism) {
  const YamlNode* subsystems = model.node("subsystems");
  const bool has_parts = subsystems != nullptr && !subsystems->entries.empty();
  if (model.reading().included_from || has_parts || noted(mechanism).part_missing) return;
  model.require("bodies", "add 'bodies: {NAME: ...}'");
  if (model.node("bodies") != nullptr && mechanism.bodies.empty() && !model.failed())
    model.error(model.where_of("bodies"), "the model has no body", "add one");
}

/// The tree of a model file, or of another program's file as a model.
YamlPointer parse_document(const Reading& reading, const std::string& text) {
  if (!is_foreign(reading.file)) return parse_yaml(text, reading.file, reading.problems, reading.included_from);
  const auto model = read_foreign({text, reading.file, reading.included_from}, {}, reading.problems);
  return model ? YamlPointer(model->root) : nullptr;
}

/// The same, kept where the reading keeps trees. Each place that includes a file has a tree of its own, since places in
/// it tell who included it.
YamlPointer read_document(const Reading& reading, const std::string& text) {
  if (reading.documents == nullptr) return parse_document(reading, text);
  std::string key = reading.file;
  for (const SourceLocation* from = reading.included_from.get(); from != nullptr; from = from->included_from.get())
    key += fmt::format("\n{}:{}:{}", from->file, from->line, from->column);
  if (const auto kept = reading.documents->trees.find(key); kept != reading.documents->trees.end()) return kept->second;
  const std::size_t before = reading.problems.error_count();
  const YamlPointer tree = parse_document(reading, text);
  if (reading.problems.error_count() == before) reading.documents->trees.emplace(key, tree);
  return tree;
}

/// A file that says by its first word that it is for another command, and has nothing that a model has.
bool refuse_plan(Reading& reading, const YamlNode& document) {
  if (document.find("cardan") != nullptr) return false;
  for (const char* const command : {"sweep", "optimize", "fit"}) {
    const YamlEntry* const version = document.find(command);
    if (version == nullptr) continue;
    reading.problems.error(version->where, "", fmt::format("this is a plan for `cardan {}`, not a model", command),
                           fmt::format("run `cardan {}` with it, or give the model that it names", command));
    return true;
  }
  return false;
}

}  // namespace

std::span<const std::string_view> model_sections() { return kSections; }

std::optional<MechanismSpec> read_model(Reading& reading, const std::string& text,
                                        const std::map<std::string, double>& parameters) {
  const YamlPointer document = read_document(reading, text);
  if (!document) return std::nullopt;
  if (document->kind == Kind::null) {
    reading.problems.error({reading.file, 1, 1, reading.included_from}, "", "the file is empty",
                           fmt::format("a model starts with 'cardan: {}'", kVersion));
    return std::nullopt;
  } else if (document->kind != Kind::map) {
    reading.problems.error(document->where, "",
                           fmt::format("a model is a block of sections, but this is {}", document->kind_name()),
                           fmt::format("a model starts with 'cardan: {}'", kVersion));
    return std::nullopt;
  }
  if (refuse_plan(reading, *document)) return std::nullopt;
  MechanismSpec mechanism;
  mechanism.file = reading.file;
  Fields model(reading, *document, "", document->where);
  model.allow(kSections, "a model");
  noted(mechanism).incomplete = model.failed();
  check_version(model);
  read_sections(model, parameters, mechanism);
  require_bodies(model, mechanism);
  return mechanism;
}

MechanismSpec read_description(const YamlNode& tree, MechanismSpec onto,
                               const std::map<std::string, double>& parameters) {
  Problems problems;
  int subsystem_count = 0;
  Reading reading{.problems = problems, .parameters = {}, .broken_parameters = {}, .places = {}, .file = onto.file};
  reading.subsystem_count = &subsystem_count;
  for (const PointSpec& point : onto.points) reading.places.insert(point.name.value);
  for (const MarkerSpec& marker : onto.markers) reading.places.insert(marker.name.value);
  Fields model(reading, tree, "", tree.where);
  model.allow(kSections, "a model");
  if (model.has("cardan")) check_version(model);
  read_sections(model, parameters, onto);
  problems.throw_errors();
  return onto;
}

std::optional<std::string> read_text(const std::string& path, std::string& why_not, std::size_t most) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    why_not = "this is a directory, not a model file";
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    why_not = fmt::format("the file cannot be opened: {}", std::strerror(errno));
    return std::nullopt;
  }
  // Devices never end; pipes do, so that what something else writes can be read.
  std::string text;
  std::vector<char> block(64 << 10);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())), stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most) {
      why_not = fmt::format("the file is longer than {} MB, the most that is read of {}", most >> 20,
                            most == kMostModelBytes ? "a model" : "a mesh");
      return std::nullopt;
    }
  }
  if (stream.bad()) {
    why_not = "the file cannot be read to its end";
    return std::nullopt;
  }
  return text;
}

Mechanism ModelTemplate::make(const std::map<std::string, double>& parameters, ModelSources& sources,
                              const Addition& addition) {
  Problems problems;
  int subsystem_count = 0;
  Reading reading{.problems = problems, .parameters = {}, .broken_parameters = {}, .places = {}, .file = file_};
  reading.documents = &documents_;
  std::set<std::string> changing;
  for (const auto& [name, value] : parameters) changing.insert(name);
  if (changing != changing_) kept_.reset();
  if (kept_) reading.kept = &*kept_;
  reading.including_files.push_back(reading.canonical(file_));
  reading.subsystem_count = &subsystem_count;
  reading.files = &sources.files;
  reading.listed = &sources.parameters;
  std::optional<MechanismSpec> mechanism = read_model(reading, text_, parameters);
  if (!mechanism) problems.throw_errors();
  // What is made once needs nothing to be kept.
  if (reading.kept == nullptr && changing == changing_ && problems.error_count() == 0 && documents_.trees.size() == 1)
    kept_.emplace(*documents_.trees.begin()->second, *mechanism, changing);
  changing_ = changing;
  if (addition) addition(reading, *mechanism);
  Mechanism result = resolve_mechanism(*mechanism, problems);
  find_plotted_columns(result, problems);
  problems.throw_errors();
  if (named_after_file_ && result.name.empty()) result.name = std::filesystem::path(file_).stem().string();
  return result;
}

ModelTemplate::ModelTemplate(const std::string& path) : file_(path), named_after_file_(true) {
  std::string why_not;
  auto text = read_text(path, why_not);
  if (!text) {
    Problems problems;
    problems.error({path, 0, 0}, "", why_not);
    problems.throw_errors();
  }
  text_ = std::move(*text);
}

Mechanism read_mechanism_text(const std::string& text, const std::string& file_name,
                              const std::map<std::string, double>& parameters, ModelSources& sources) {
  sources = {};
  return ModelTemplate(text, file_name).make(parameters, sources);
}

Mechanism read_mechanism_text(const std::string& text, const std::string& file_name,
                              const std::map<std::string, double>& parameters) {
  ModelSources sources;
  return read_mechanism_text(text, file_name, parameters, sources);
}

Mechanism read_mechanism(const std::string& path, const std::map<std::string, double>& parameters,
                         ModelSources& sources) {
  ModelTemplate model(path);
  sources = {{path}, {}};
  return model.make(parameters, sources);
}

Mechanism read_mechanism(const std::string& path, const std::map<std::string, double>& parameters,
                         std::vector<std::string>* files) {
  ModelSources sources;
  Mechanism mechanism = read_mechanism(path, parameters, sources);
  if (files) *files = std::move(sources.files);
  return mechanism;
}

}  // namespace cardan
