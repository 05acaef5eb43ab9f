// Plan files; docs/sweep.md is the reference.
//
//   sweep: 1
//   model: PATH                               beside the plan
//   vary:       P: VARIATION                  parameters of the model, SUBSYSTEM/NAME of its parts
//   inputs:     I: VARIATION | {file: F | [F, ...], interpolation: held | linear}
//   simulation: OPTION: value | [value, ...]  those of the model's `simulation:`
//   sample:     {random | latin_hypercube | sobol: N, seed: S}
//   measures:   M: {max | min | mean | rms: EXPRESSION, from: t, to: t} | {at: t, of: EXPRESSION} |
//                  {first: EXPRESSION > EXPRESSION} | {end: EXPRESSION}
//   constraints: C: EXPRESSION of measures and variations
//   stop:       {failures: N, run_when: EXPRESSION > EXPRESSION}
//   trajectories: all | failed | {worst: N, by: EXPRESSION}
//
// VARIATION is a number, [number, ...], {from: a, to: b, count: n, spacing: linear | log}, {uniform: [a, b]},
// {log_uniform: [a, b]} or {normal: [mean, deviation], min: a, max: b}.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "io/input_file.hpp"
#include "sweep/measure_reader.hpp"
#include "sweep/option_reader.hpp"
#include "sweep/plan_file.hpp"
#include "sweep/variation_reader.hpp"

namespace cardan {
namespace {

using Kind = YamlNode::Kind;

constexpr std::string_view kSections[] = {"vary",     "inputs",      "simulation", "sample",
                                          "measures", "constraints", "stop",       "trajectories"};

bool is_word(const std::string& name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

class PlanReader : PlanFile {
 public:
  explicit PlanReader(SweepPlan& plan) : PlanFile("sweep", plan), plan_(plan) {}

  void read(const std::string& path) {
    Fields plan = open(path, {std::begin(kSections), std::end(kSections)});
    each(plan, "vary", [this](const YamlEntry& entry) { read_parameter(entry); });
    each(plan, "inputs", [this](const YamlEntry& entry) { read_input(entry); });
    if (const YamlNode* section = plan.node("simulation"))
      read_options(reading(), *section, plan.where_of("simulation"), plan_);
    if (plan_.axes.empty() && problems().error_count() == 0)
      plan.error(plan.where(), "nothing varies", "add 'vary: {PARAMETER: [1, 2, 3]}'");
    read_sample(plan);
    each(plan, "measures", [this](const YamlEntry& entry) {
      if (auto measure = read_measure(reading(), entry)) plan_.measures.push_back(std::move(*measure));
    });
    each(plan, "constraints", [this](const YamlEntry& entry) { read_constraint(entry); });
    if (const YamlNode* stop = plan.node("stop")) read_stop(*stop, plan.where_of("stop"));
    if (const YamlNode* which = plan.node("trajectories")) read_trajectories(*which, plan.where_of("trajectories"));
    check_names();
    problems().throw_errors();
  }

 private:
  SweepAxis& add_axis(SweepAxis::Kind kind, const YamlEntry& entry) {
    SweepAxis& axis = plan_.axes.emplace_back();
    axis.kind = kind, axis.name = entry.key, axis.where = entry.where;
    return axis;
  }

  void read_parameter(const YamlEntry& entry) {
    const std::string element = element_label("variation", entry.key);
    SweepAxis& axis = add_axis(SweepAxis::Kind::parameter, entry);
    knows_parameter(entry, element);
    read_variation(reading(), *entry.value, element, axis);
    if (entry.key.find('/') != std::string::npos && axis.size() > 0) check_part(axis, element);
  }

  /// The reader of models knows what parts have.
  void check_part(const SweepAxis& axis, const std::string& element) {
    try {
      ModelSources ignored;
      model().make({{axis.name, axis.drawn ? axis.drawn->quantile(0.5) : axis.number(0)}}, ignored);
    } catch (const ModelError& error) {
      const Diagnostic& first = error.diagnostics().front();
      problems().error(axis.where, element, first.message, first.remedy);
    }
  }

  void read_input(const YamlEntry& entry) {
    const std::string element = element_label("input", entry.key);
    SweepAxis& axis = add_axis(SweepAxis::Kind::input, entry);
    const Input* input = find_input(entry, element);
    if (input == nullptr) return;
    read_variation(reading(), *entry.value, element, axis);
    check_input(axis, *input, element);
  }

  void check_input(const SweepAxis& axis, const Input& input, const std::string& element) {
    const auto check = [&](double value) {
      if (value >= input.min && value <= input.max) return;
      problems().error(axis.where, element,
                       fmt::format("{} is outside of its limits, {} to {}", value, input.min, input.max),
                       "stay within them");
    };
    for (const double value : axis.values) check(value);
    if (axis.range) check(axis.range->from), check(axis.range->to);
    if (axis.drawn && axis.drawn->kind != Distribution::Kind::normal)
      check(axis.drawn->first), check(axis.drawn->second);
    if (axis.drawn && axis.drawn->kind == Distribution::Kind::normal &&
        (axis.drawn->min < input.min || axis.drawn->max > input.max))
      problems().error(axis.where, element,
                       fmt::format("what is drawn may be outside of its limits, {} to {}", input.min, input.max),
                       "give 'min' and 'max' within them");
    for (const std::string& file : axis.words) {
      try {
        Mechanism scratch = mechanism();
        read_inputs_from_files(scratch, {axis.name + "=" + file}, axis.held, plan_.files);
      } catch (const std::invalid_argument& error) {
        constexpr std::string_view prefix = "--input: ";
        std::string what = error.what();
        if (what.starts_with(prefix)) what.erase(0, prefix.size());
        problems().error(axis.where, element, what);
      }
    }
  }

  void read_sample(Fields& plan) {
    const YamlNode* node = plan.node("sample");
    const auto first =
        std::find_if(plan_.axes.begin(), plan_.axes.end(), [](const SweepAxis& a) { return a.drawn.has_value(); });
    if (node == nullptr) {
      if (first != plan_.axes.end())
        problems().error(first->where, element_label("variation", first->name), "nothing says how many are drawn",
                         "add 'sample: {random: 100}', or latin_hypercube or sobol");
      return;
    }
    Fields fields(reading(), *node, "sample", plan.where_of("sample"));
    constexpr std::string_view others[] = {"seed"};
    const auto kind = fields.kind(kSamplingMethods, others);
    if (!kind) return;
    const std::string_view known[] = {*kind, "seed"};
    fields.allow(known, fmt::format("a sample by '{}'", *kind));
    plan_.method = static_cast<SamplingMethod>(
        std::find(std::begin(kSamplingMethods), std::end(kSamplingMethods), *kind) - std::begin(kSamplingMethods));
    if (const auto count = read_count(fields, kind->c_str())) plan_.samples = *count;
    if (const auto seed = fields.number("seed")) {
      if (!(seed->value >= 0 && seed->value <= kMostCount && seed->value == std::floor(seed->value)))
        fields.error(seed->where, fmt::format("the seed is {}", seed->value), "give a whole number, 0 or more");
      else
        plan_.seed = static_cast<std::uint64_t>(seed->value);
    }
    if (first == plan_.axes.end() && problems().error_count() == 0)
      fields.error(node->where, "nothing is drawn",
                   "vary something by uniform, log_uniform or normal, or leave 'sample' out");
    if (plan_.method == SamplingMethod::sobol && plan_.drawn_axes() > SobolDimension::kDimensions)
      fields.error(node->where,
                   fmt::format("{} things are drawn, but sobol has {} dimensions", plan_.drawn_axes(),
                               SobolDimension::kDimensions),
                   "take latin_hypercube");
  }

  /// Names that constraints and the like may use: measures, and numbers that vary.
  std::vector<std::string> known_names() const {
    std::vector<std::string> names;
    for (const SweepMeasure& measure : plan_.measures) names.push_back(measure.name);
    for (const SweepAxis& axis : plan_.axes)
      if (axis.is_number()) names.push_back(axis.name);
    return names;
  }

  void check_expression(const YamlNode& node, const std::string& element) {
    PlanFile::check_expression(node, node.text, element, known_names(), "measure or variation");
  }

  void read_constraint(const YamlEntry& entry) {
    const std::string element = element_label("constraint", entry.key);
    const auto text = read_word(reading(), *entry.value, element, "it");
    if (!text) return;
    check_expression(*entry.value, element);
    plan_.constraints.push_back({entry.key, entry.where, *text});
  }

  void read_stop(const YamlNode& node, const SourceLocation& where) {
    Fields fields(reading(), node, "stop", where);
    constexpr std::string_view known[] = {"failures", "run_when"};
    fields.allow(known, "'stop'");
    if (fields.has("failures")) plan_.most_failures = read_count(fields, "failures");
    const YamlNode* when = fields.node("run_when");
    if (when == nullptr) return;
    const auto guard = when->kind == Kind::scalar ? guard_of(when->text) : std::nullopt;
    if (!guard) {
      fields.error(when->where, "'run_when' should be one comparison", "write 'run_when: SIGNAL > VALUE' or '<'");
      return;
    }
    plan_.stop_condition = when->text;
    plan_.stop_guard = guard_node(*when, *guard);
  }

  void read_trajectories(const YamlNode& node, const SourceLocation& where) {
    using Which = SweepPlan::Trajectories;
    if (node.kind == Kind::scalar) {
      if (node.text == "all") plan_.trajectories = Which::all;
      if (node.text == "failed") plan_.trajectories = Which::failed;
      if (node.text != "all" && node.text != "failed" && node.text != "none")
        problems().error(node.where, "trajectories", fmt::format("'{}' is not known", node.text),
                         "give all, failed, none or {worst: N, by: MEASURE}");
      return;
    }
    Fields fields(reading(), node, "trajectories", where);
    constexpr std::string_view known[] = {"worst", "by"};
    fields.allow(known, "'trajectories'");
    fields.require("worst", "write {worst: 5, by: MEASURE}");
    fields.require("by", "write {worst: 5, by: MEASURE}");
    const auto by = fields.word("by");
    const auto count = fields.has("worst") ? read_count(fields, "worst") : std::nullopt;
    if (by) check_expression(*fields.node("by"), "trajectories");
    if (!by || !count) return;
    plan_.trajectories = Which::worst;
    plan_.worst = *count;
    plan_.worst_by = by->value;
  }

  /// Each is a column of the table.
  void check_names() {
    std::set<std::string> taken{"run", "status", "feasible", "violated", "reason"};
    const auto take = [&](const std::string& name, const SourceLocation& where, const char* kind) {
      if (taken.insert(name).second) return;
      problems().error(where, element_label(kind, name), "the table has a column of that name already",
                       "choose another name");
    };
    for (const SweepAxis& axis : plan_.axes) take(axis.name, axis.where, "variation");
    for (const SweepMeasure& measure : plan_.measures) {
      take(measure.name, measure.where, "measure");
      if (!is_word(measure.name))
        problems().error(measure.where, element_label("measure", measure.name),
                         "the name cannot stand in an expression", "use letters, digits and '_', a letter first");
    }
  }

  SweepPlan& plan_;
};

}  // namespace

SweepPlan read_plan(const std::string& path) {
  SweepPlan plan;
  PlanReader(plan).read(path);
  return plan;
}

}  // namespace cardan
