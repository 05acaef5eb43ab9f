#include "sweep/plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/yaml_sections.hpp"
#include "math/expression.hpp"

namespace cardan {

PlanFile::PlanFile(std::string kind, PlanSource& plan)
    : kind_(std::move(kind)),
      plan_(plan),
      reading_{.problems = problems_, .parameters = {}, .broken_parameters = {}, .places = {}, .file = {}} {
  reading_.files = &plan_.files;
}

Fields PlanFile::open(const std::string& path, std::vector<std::string_view> sections) {
  plan_.file = reading_.file = path;
  std::string why_not;
  const auto text = read_text(path, why_not);
  if (!text) problems_.error({path, 0, 0}, "", why_not);
  problems_.throw_errors();
  document_ = parse_yaml(*text, path, problems_);
  if (document_ && document_->kind != YamlNode::Kind::map)
    problems_.error({path, 1, 1}, "",
                    fmt::format("a plan is a block of sections, but this is {}", document_->kind_name()),
                    fmt::format("a plan starts with '{}: 1'", kind_));
  problems_.throw_errors();
  plan_.files.push_back(path);
  Fields plan(reading_, *document_, "", document_->where);
  check_version(plan);
  sections.insert(sections.end(), {kind_, "name", "model"});
  plan.allow(sections, "a plan");
  read_model(plan);
  if (const auto name = plan.word("name")) plan_.name = name->value;
  if (plan_.name.empty()) plan_.name = std::filesystem::path(path).stem().string();
  return plan;
}

void PlanFile::check_version(Fields& plan) {
  const YamlNode* version = plan.node(kind_.c_str());
  if (version == nullptr) {
    plan.error(plan.where(), fmt::format("'{}', the version of the format, is missing", kind_),
               plan.has("cardan") ? fmt::format("this is a model; a plan names one and starts with '{}: 1'", kind_)
                                  : fmt::format("start with '{}: 1'", kind_));
    problems_.throw_errors();
  }
  if (version->text != "1")
    plan.error(version->where, fmt::format("version '{}' of the format is not known", version->text),
               fmt::format("this program reads '{}: 1'", kind_));
}

void PlanFile::read_model(Fields& plan) {
  plan.require("model", "add 'model: PATH', beside the plan");
  const auto model = plan.word("model");
  problems_.throw_errors();
  plan_.model = (std::filesystem::path(plan_.file).parent_path() / model->value).lexically_normal().string();
  std::error_code missing;
  if (!std::filesystem::exists(plan_.model, missing)) {
    plan.error(model->where, fmt::format("there is no file '{}'", plan_.model), "paths are relative to the plan");
    problems_.throw_errors();
  }
  template_.emplace(plan_.model);
  ModelSources sources{{plan_.model}, {}};
  mechanism_ = template_->make({}, sources);
  for (const ModelParameter& parameter : sources.parameters) reading_.parameters[parameter.name] = parameter.value;
  plan_.parameters = sources.parameters;
  plan_.files.insert(plan_.files.end(), sources.files.begin(), sources.files.end());
}

void PlanFile::each(Fields& plan, const char* key, const std::function<void(const YamlEntry&)>& read) {
  const YamlNode* section = plan.node(key);
  if (section == nullptr || section->kind == YamlNode::Kind::null) return;
  if (section->kind != YamlNode::Kind::map)
    return wrong_kind(reading_, *section, "", fmt::format("'{}'", key), "a block of names");
  for (const YamlEntry& entry : section->entries) read(entry);
}

bool PlanFile::knows_parameter(const YamlEntry& entry, const std::string& element) {
  if (entry.key.find('/') != std::string::npos || reading_.parameters.count(entry.key) > 0) return true;
  std::vector<std::string> known;
  for (const ModelParameter& parameter : plan_.parameters) known.push_back(parameter.name);
  problems_.error(entry.where, element, fmt::format("the model has no parameter '{}'", entry.key),
                  known.empty() ? fmt::format("'{}' has none: add 'parameters: {{NAME: VALUE}}' to it", plan_.model)
                                : suggestion(entry.key, known, "its parameters are"));
  return false;
}

const Input* PlanFile::find_input(const YamlEntry& entry, const std::string& element) {
  std::vector<std::string> known;
  for (const Input& input : mechanism_.inputs) {
    if (!input.is_given()) continue;
    if (input.name == entry.key) return &input;
    known.push_back(input.name);
  }
  problems_.error(entry.where, element, fmt::format("the model has no input '{}'", entry.key),
                  known.empty() ? "it has no inputs" : suggestion(entry.key, known, "its inputs are"));
  return nullptr;
}

void PlanFile::check_expression(const YamlNode& node, const std::string& text, const std::string& element,
                                const std::vector<std::string>& known, const char* called) {
  std::vector<std::string> used;
  try {
    Expression::compile_open(text, {}, used);
  } catch (const ExpressionError& error) {
    problems_.error(node.where, element, error.what());
    return;
  }
  for (const std::string& name : used) {
    if (std::find(known.begin(), known.end(), name) != known.end() || reading_.parameters.count(name) > 0) continue;
    problems_.error(node.where, element, fmt::format("no {} is called '{}'", called, name),
                    suggestion(name, known, "there are"));
  }
}

}  // namespace cardan
