// fmus: what other programs compute in steps of their own; docs/connect.md is the reference.
//
//   NAME: {file: FILE, step: s, inputs: {VARIABLE: EXPRESSION}, outputs: [VARIABLE, ...] | {QUANTITY: VARIABLE},
//          parameters: {VARIABLE: NUMBER}}
#include <fmt/format.h>

#include <filesystem>

#include "fmu/fmu_model.hpp"
#include "io/yaml_sections.hpp"

namespace cardan {
namespace {

using Kind = YamlNode::Kind;

/// One FMU of the model.
class FmuReading {
 public:
  FmuReading(Reading& reading, const YamlEntry& entry)
      : reading_(reading), fields_(reading, *entry.value, element_label("fmu", entry.key), entry.where) {
    spec_.name = Name(entry.key, entry.where);
  }

  CompanionSpec read() {
    constexpr std::string_view known[] = {"file", "step", "inputs", "outputs", "parameters"};
    fields_.allow(known, "an FMU");
    fields_.require("file", "add 'file: NAME.fmu'");
    fields_.require("step", "add 'step: SECONDS', how often it is asked");
    read_step();
    open();
    if (fmu_) {
      read_inputs();
      read_outputs();
      read_parameters();
      spec_.model = std::make_shared<FmuModel>(fmu_, variables_, file_);
    }
    noted(spec_).incomplete = fields_.failed();
    return std::move(spec_);
  }

 private:
  void read_step() {
    const auto step = fields_.number("step");
    if (!step) return;
    spec_.period = *step;
    if (!(step->value > 0))
      fields_.error(step->where, fmt::format("its step is {} s", step->value), "give it above 0, in s");
  }

  void open() {
    const auto file = fields_.word("file");
    if (!file) return;
    file_ = (std::filesystem::path(reading_.file).parent_path() / file->value).lexically_normal().string();
    try {
      fmu_ = std::make_shared<UnpackedFmu>(file_);
      reading_.note(file_);
    } catch (const std::runtime_error& error) {
      fields_.error(file->where, fmt::format("'{}' cannot be read: {}", file_, error.what()));
    }
    if (fmu_ && fmu_->description().needs_tool)
      fields_.error(file->where, fmt::format("'{}' needs another program that is installed with it", file_));
  }

  /// Of that causality; null after saying what is wrong with it.
  const FmuVariable* variable(const std::string& name, const SourceLocation& where, const char* causality) {
    const FmuDescription& description = fmu_->description();
    const FmuVariable* found = description.find(name);
    const std::string file = std::filesystem::path(file_).filename().string();
    if (found == nullptr || found->causality != causality) {
      fields_.error(where,
                    found == nullptr ? fmt::format("'{}' has no {} '{}'", file, causality, name)
                                     : fmt::format("'{}' of '{}' is no {} but of causality {}", name, file, causality,
                                                   found->causality),
                    suggestion(name, description.names(causality), "there are"));
      return nullptr;
    }
    if (found->type == FmuVariable::Type::other || found->is_array) {
      fields_.error(where, fmt::format("'{}' of '{}' is no real, integer or boolean number", name, file));
      return nullptr;
    }
    return found;
  }

  void read_inputs() {
    const YamlNode* node = map("inputs", "a block of 'VARIABLE: EXPRESSION'");
    if (node == nullptr) return;
    for (const YamlEntry& entry : node->entries) {
      const FmuVariable* found = variable(entry.key, entry.where, "input");
      const auto value = read_varying(reading_, *entry.value, fields_.element(), fmt::format("'{}'", entry.key));
      if (found == nullptr || !value) continue;
      variables_.inputs.push_back(*found);
      spec_.inputs.push_back({Name(entry.key, entry.where), Located<Varying>(*value, entry.value->where)});
    }
  }

  void add_output(const std::string& quantity, const std::string& name, const SourceLocation& where) {
    const FmuVariable* found = variable(name, where, "output");
    if (found == nullptr) return;
    variables_.outputs.push_back(*found);
    spec_.outputs.push_back({Name(quantity, where), found->start.value_or(0), found->unit});
  }

  /// Those of a list by their names, of a block by others; without, all there are.
  void read_outputs() {
    const YamlNode* node = fields_.node("outputs");
    if (node == nullptr || node->kind == Kind::null) {
      for (const FmuVariable& v : fmu_->description().variables)
        if (v.causality == "output" && v.type != FmuVariable::Type::other && !v.is_array)
          add_output(v.name, v.name, fields_.where());
    } else if (node->kind == Kind::sequence) {
      for (const YamlPointer& item : node->items)
        if (const auto name = read_word(reading_, *item, fields_.element(), "an output"))
          add_output(*name, *name, item->where);
    } else if (node->kind == Kind::map) {
      for (const YamlEntry& entry : node->entries)
        if (const auto name = read_word(reading_, *entry.value, fields_.element(), fmt::format("'{}'", entry.key)))
          add_output(entry.key, *name, entry.value->where);
    } else {
      wrong_kind(reading_, *node, fields_.element(), "'outputs'",
                 "a list of variables, or a block of 'QUANTITY: VARIABLE'");
    }
    if (spec_.outputs.empty() && !fields_.failed())
      fields_.error(fields_.where(), "it has no outputs, so nothing can follow it");
  }

  void read_parameters() {
    const YamlNode* node = map("parameters", "a block of 'VARIABLE: NUMBER'");
    if (node == nullptr) return;
    for (const YamlEntry& entry : node->entries) {
      const FmuVariable* found = variable(entry.key, entry.where, "parameter");
      const auto value = read_number(reading_, *entry.value, fields_.element(), fmt::format("'{}'", entry.key));
      if (found != nullptr && value) variables_.parameters.emplace_back(*found, *value);
    }
  }

  const YamlNode* map(const char* key, const char* expected) {
    const YamlNode* node = fields_.node(key);
    if (node == nullptr || node->kind == Kind::null) return nullptr;
    if (node->kind == Kind::map) return node;
    wrong_kind(reading_, *node, fields_.element(), fmt::format("'{}'", key), expected);
    return nullptr;
  }

  Reading& reading_;
  Fields fields_;
  CompanionSpec spec_;
  std::string file_;
  std::shared_ptr<const UnpackedFmu> fmu_;
  FmuVariables variables_;
};

}  // namespace

void read_fmus(Reading& reading, const YamlNode& section, MechanismSpec& mechanism) {
  for (const YamlEntry& entry : section.entries) mechanism.companions.push_back(FmuReading(reading, entry).read());
}

}  // namespace cardan
