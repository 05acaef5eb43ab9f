#include "optimize/design_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "io/yaml_sections.hpp"
#include "sweep/option_reader.hpp"

namespace cardan {
namespace {

constexpr std::string_view kShared[] = {"name", "model", "parameters", "inputs", "simulation", "derivatives", "stop"};
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

}  // namespace

DesignReader::DesignReader(const std::string& path, std::string kind, DesignPlan& plan)
    : kind_(std::move(kind)),
      plan_(plan),
      reading_{.problems = problems_, .parameters = {}, .broken_parameters = {}, .places = {}, .file = path} {
  plan_.file = path;
  reading_.files = &plan_.files;
}

void DesignReader::read(std::vector<std::string_view> own, const std::function<void(Fields&)>& rest) {
  std::string why_not;
  const auto text = read_text(plan_.file, why_not);
  if (!text) problems_.error({plan_.file, 0, 0}, "", why_not);
  problems_.throw_errors();
  document_ = parse_yaml(*text, plan_.file, problems_);
  if (document_ && document_->kind != YamlNode::Kind::map)
    problems_.error({plan_.file, 1, 1}, "",
                    fmt::format("a plan is a block of sections, but this is {}", document_->kind_name()),
                    fmt::format("a plan starts with '{}: 1'", kind_));
  problems_.throw_errors();
  plan_.files.push_back(plan_.file);
  Fields plan(reading_, *document_, "", document_->where);
  check_version(plan);
  own.insert(own.end(), std::begin(kShared), std::end(kShared));
  own.push_back(kind_);
  plan.allow(own, "a plan");
  read_model(plan);
  if (const auto name = plan.word("name")) plan_.name = name->value;
  if (plan_.name.empty()) plan_.name = std::filesystem::path(plan_.file).stem().string();
  each(plan, "parameters", [this](const YamlEntry& entry) { read_parameter(entry); });
  each(plan, "inputs", [this](const YamlEntry& entry) { read_input(entry); });
  if (plan_.variables.empty() && problems_.error_count() == 0)
    plan.error(plan.where(), "nothing is to be chosen", "add 'parameters: {NAME: {start: 1, min: 0, max: 2}}'");
  read_simulation(plan);
  read_derivatives(plan);
  if (const YamlNode* stop = plan.node("stop")) read_stop(*stop, plan.where_of("stop"));
  rest(plan);
  problems_.throw_errors();
}

void DesignReader::each(Fields& plan, const char* key, const std::function<void(const YamlEntry&)>& read) {
  const YamlNode* section = plan.node(key);
  if (section == nullptr || section->kind == YamlNode::Kind::null) return;
  if (section->kind != YamlNode::Kind::map)
    return wrong_kind(reading_, *section, "", fmt::format("'{}'", key), "a block of names");
  for (const YamlEntry& entry : section->entries) read(entry);
}

void DesignReader::check_version(Fields& plan) {
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

void DesignReader::read_model(Fields& plan) {
  plan.require("model", "add 'model: PATH', beside the plan");
  const auto model = plan.word("model");
  problems_.throw_errors();
  plan_.model = (std::filesystem::path(plan_.file).parent_path() / model->value).lexically_normal().string();
  std::error_code missing;
  if (!std::filesystem::exists(plan_.model, missing)) {
    plan.error(model->where, fmt::format("there is no file '{}'", plan_.model), "paths are relative to the plan");
    problems_.throw_errors();
  }
  ModelSources sources{{plan_.model}, {}};
  mechanism_ = read_mechanism(plan_.model, {}, sources);
  for (const ModelParameter& parameter : sources.parameters) reading_.parameters[parameter.name] = parameter.value;
  plan_.parameters = sources.parameters;
  plan_.files.insert(plan_.files.end(), sources.files.begin(), sources.files.end());
}

void DesignReader::read_parameter(const YamlEntry& entry) {
  const std::string element = element_label("parameter", entry.key);
  const auto own = reading_.parameters.find(entry.key);
  const bool of_part = entry.key.find('/') != std::string::npos;
  if (own == reading_.parameters.end() && !of_part) {
    std::vector<std::string> known;
    for (const ModelParameter& parameter : plan_.parameters) known.push_back(parameter.name);
    problems_.error(entry.where, element, fmt::format("the model has no parameter '{}'", entry.key),
                    known.empty() ? fmt::format("'{}' has none: add 'parameters: {{NAME: VALUE}}' to it", plan_.model)
                                  : suggestion(entry.key, known, "its parameters are"));
    return;
  }
  if (entry.value->kind == YamlNode::Kind::scalar) {
    if (const auto value = read_number(reading_, *entry.value, element, "it")) plan_.fixed[entry.key] = *value;
    return;
  }
  DesignVariable variable{entry.key, entry.where};
  const bool has_own = own != reading_.parameters.end();
  if (read_range(entry, element, has_own ? own->second : std::numeric_limits<double>::quiet_NaN(), variable))
    plan_.variables.push_back(variable);
}

void DesignReader::read_input(const YamlEntry& entry) {
  const std::string element = element_label("input", entry.key);
  std::vector<std::string> known;
  for (const Input& input : mechanism_.inputs)
    if (input.is_given()) known.push_back(input.name);
  const auto found = std::find_if(mechanism_.inputs.begin(), mechanism_.inputs.end(),
                                  [&](const Input& input) { return input.name == entry.key && input.is_given(); });
  if (found == mechanism_.inputs.end()) {
    problems_.error(entry.where, element, fmt::format("the model has no input '{}'", entry.key),
                    known.empty() ? "it has no inputs" : suggestion(entry.key, known, "its inputs are"));
    return;
  }
  DesignVariable variable{entry.key, entry.where, true};
  if (!read_range(entry, element, found->start, variable)) return;
  variable.min = std::max(variable.min, found->min);
  variable.max = std::min(variable.max, found->max);
  plan_.variables.push_back(variable);
}

/// {start: a, min: b, max: c} or [b, c].
bool DesignReader::read_range(const YamlEntry& entry, const std::string& element, double own, DesignVariable& variable) {
  variable.start = own, variable.min = -kUnbounded, variable.max = kUnbounded;
  if (entry.value->kind == YamlNode::Kind::sequence) {
    const auto ends = read_numbers(reading_, *entry.value, element, "its range");
    if (!ends) return false;
    if (ends->size() != 2) {
      problems_.error(entry.value->where, element, "a range has two ends", "write [0.1, 2]");
      return false;
    }
    variable.min = (*ends)[0], variable.max = (*ends)[1];
    if (!(own >= variable.min && own <= variable.max)) variable.start = 0.5 * (variable.min + variable.max);
  } else {
    Fields fields(reading_, *entry.value, element, entry.where);
    constexpr std::string_view known[] = {"start", "min", "max", "scale"};
    fields.allow(known, "what is chosen");
    if (const auto min = fields.number("min")) variable.min = min->value;
    if (const auto max = fields.number("max")) variable.max = max->value;
    if (const auto start = fields.number("start")) variable.start = start->value;
    if (const auto scale = fields.number("scale")) variable.scale = scale->value;
    if (fields.failed()) return false;
  }
  if (!(variable.min < variable.max)) {
    problems_.error(entry.where, element,
                    fmt::format("its range is empty: from {} to {}", variable.min, variable.max),
                    "let 'max' be above 'min'; a number alone holds it at that value");
    return false;
  }
  if (std::isnan(variable.start)) {
    problems_.error(entry.where, element, "nothing says where to start", "add 'start: VALUE'");
    return false;
  }
  if (variable.start < variable.min || variable.start > variable.max) {
    problems_.error(entry.where, element,
                    fmt::format("it starts at {}, outside of its range from {} to {}", variable.start, variable.min,
                                variable.max),
                    "start within the range");
    return false;
  }
  return true;
}

void DesignReader::read_simulation(Fields& plan) {
  const YamlNode* section = plan.node("simulation");
  if (section == nullptr) return;
  SweepPlan options;
  read_options(reading_, *section, plan.where_of("simulation"), options);
  for (const SweepAxis& axis : options.axes)
    problems_.error(axis.where, "simulation", fmt::format("'{}' is a list, but nothing varies here", axis.name),
                    "give one value");
  plan_.options = options.options;
}

void DesignReader::read_derivatives(Fields& plan) {
  const auto word = plan.word("derivatives");
  if (!word) return;
  plan_.direct = word->value != "differences";
  plan_.alternate = word->value == "alternate";
  if (word->value != "steps" && word->value != "alternate" && word->value != "differences")
    problems_.error(word->where, "derivatives", fmt::format("'{}' is not known", word->value),
                    "give steps, alternate or differences");
}

void DesignReader::read_stop(const YamlNode& node, const SourceLocation& where) {
  Fields fields(reading_, node, "stop", where);
  constexpr std::string_view known[] = {"iterations", "tolerance"};
  fields.allow(known, "'stop'");
  if (const auto count = fields.integer("iterations")) {
    plan_.iterations = count->value;
    if (count->value < 1) fields.error(count->where, "no iteration is allowed", "give 1 or more");
  }
  if (const auto tolerance = fields.number("tolerance")) {
    plan_.tolerance = tolerance->value;
    if (!(tolerance->value > 0)) fields.error(tolerance->where, "the tolerance is not above 0", "give 1e-8 or so");
  }
}

VecX DesignPlan::start() const {
  VecX result(std::ssize(variables));
  for (std::size_t i = 0; i < variables.size(); ++i) result[static_cast<Eigen::Index>(i)] = variables[i].start;
  return result;
}
VecX DesignPlan::lower() const {
  VecX result(std::ssize(variables));
  for (std::size_t i = 0; i < variables.size(); ++i) result[static_cast<Eigen::Index>(i)] = variables[i].min;
  return result;
}
VecX DesignPlan::upper() const {
  VecX result(std::ssize(variables));
  for (std::size_t i = 0; i < variables.size(); ++i) result[static_cast<Eigen::Index>(i)] = variables[i].max;
  return result;
}
VecX DesignPlan::scale() const {
  VecX result(std::ssize(variables));
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const DesignVariable& one = variables[i];
    const double range = one.max - one.min;
    result[static_cast<Eigen::Index>(i)] = one.scale > 0         ? one.scale
                                           : std::isfinite(range) ? range
                                           : one.start != 0       ? std::abs(one.start)
                                                                  : 1;
  }
  return result;
}

}  // namespace cardan
