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

constexpr std::string_view kShared[] = {"parameters", "inputs", "simulation", "derivatives", "stop"};
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

}  // namespace

DesignReader::DesignReader(std::string kind, DesignPlan& plan) : PlanFile(std::move(kind), plan), plan_(plan) {}

void DesignReader::read(const std::string& path, std::vector<std::string_view> own,
                        const std::function<void(Fields&)>& rest) {
  own.insert(own.end(), std::begin(kShared), std::end(kShared));
  Fields plan = open(path, std::move(own));
  each(plan, "parameters", [this](const YamlEntry& entry) { read_parameter(entry); });
  each(plan, "inputs", [this](const YamlEntry& entry) { read_input(entry); });
  if (plan_.variables.empty() && problems().error_count() == 0)
    plan.error(plan.where(), "nothing is to be chosen", "add 'parameters: {NAME: {start: 1, min: 0, max: 2}}'");
  read_simulation(plan);
  read_derivatives(plan);
  if (const YamlNode* stop = plan.node("stop")) read_stop(*stop, plan.where_of("stop"));
  rest(plan);
  problems().throw_errors();
}

void DesignReader::read_parameter(const YamlEntry& entry) {
  const std::string element = element_label("parameter", entry.key);
  if (!knows_parameter(entry, element)) return;
  if (entry.value->kind == YamlNode::Kind::scalar) {
    if (const auto value = read_number(reading(), *entry.value, element, "it")) plan_.fixed[entry.key] = *value;
    return;
  }
  DesignVariable variable{entry.key, entry.where};
  const auto own = reading().parameters.find(entry.key);
  const bool has_own = own != reading().parameters.end();
  if (read_range(entry, element, has_own ? own->second : std::numeric_limits<double>::quiet_NaN(), variable))
    plan_.variables.push_back(variable);
}

void DesignReader::read_input(const YamlEntry& entry) {
  const std::string element = element_label("input", entry.key);
  const Input* input = find_input(entry, element);
  DesignVariable variable{entry.key, entry.where, true};
  if (input == nullptr || !read_range(entry, element, input->start, variable)) return;
  variable.min = std::max(variable.min, input->min);
  variable.max = std::min(variable.max, input->max);
  plan_.variables.push_back(variable);
}

/// {start: a, min: b, max: c} or [b, c].
bool DesignReader::read_range(const YamlEntry& entry, const std::string& element, double own,
                              DesignVariable& variable) {
  variable.start = own, variable.min = -kUnbounded, variable.max = kUnbounded;
  if (entry.value->kind == YamlNode::Kind::sequence) {
    const auto ends = read_numbers(reading(), *entry.value, element, "its range");
    if (!ends) return false;
    if (ends->size() != 2) {
      problems().error(entry.value->where, element, "a range has two ends", "write [0.1, 2]");
      return false;
    }
    variable.min = (*ends)[0], variable.max = (*ends)[1];
    if (!(own >= variable.min && own <= variable.max)) variable.start = 0.5 * (variable.min + variable.max);
  } else {
    Fields fields(reading(), *entry.value, element, entry.where);
    constexpr std::string_view known[] = {"start", "min", "max", "scale"};
    fields.allow(known, "what is chosen");
    if (const auto min = fields.number("min")) variable.min = min->value;
    if (const auto max = fields.number("max")) variable.max = max->value;
    if (const auto start = fields.number("start")) variable.start = start->value;
    if (const auto scale = fields.number("scale")) variable.scale = scale->value;
    if (fields.failed()) return false;
  }
  if (!(variable.min < variable.max)) {
    problems().error(entry.where, element, fmt::format("its range is empty: from {} to {}", variable.min, variable.max),
                     "let 'max' be above 'min'; a number alone holds it at that value");
    return false;
  }
  if (std::isnan(variable.start)) {
    problems().error(entry.where, element, "nothing says where to start", "add 'start: VALUE'");
    return false;
  }
  if (variable.start < variable.min || variable.start > variable.max) {
    problems().error(
        entry.where, element,
        fmt::format("it starts at {}, outside of its range from {} to {}", variable.start, variable.min, variable.max),
        "start within the range");
    return false;
  }
  return true;
}

void DesignReader::read_simulation(Fields& plan) {
  const YamlNode* section = plan.node("simulation");
  if (section == nullptr) return;
  SweepPlan options;
  read_options(reading(), *section, plan.where_of("simulation"), options);
  for (const SweepAxis& axis : options.axes)
    problems().error(axis.where, "simulation", fmt::format("'{}' is a list, but nothing varies here", axis.name),
                     "give one value");
  plan_.options = options.options;
}

void DesignReader::read_derivatives(Fields& plan) {
  const auto word = plan.word("derivatives");
  if (!word) return;
  plan_.direct = word->value != "differences";
  plan_.alternate = word->value == "alternate";
  if (word->value != "steps" && word->value != "alternate" && word->value != "differences")
    problems().error(word->where, "derivatives", fmt::format("'{}' is not known", word->value),
                     "give steps, alternate or differences");
}

void DesignReader::read_stop(const YamlNode& node, const SourceLocation& where) {
  Fields fields(reading(), node, "stop", where);
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
    result[static_cast<Eigen::Index>(i)] = one.scale > 0          ? one.scale
                                           : std::isfinite(range) ? range
                                           : one.start != 0       ? std::abs(one.start)
                                                                  : 1;
  }
  return result;
}

}  // namespace cardan
