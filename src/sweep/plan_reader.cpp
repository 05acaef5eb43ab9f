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
#include "io/model_template.hpp"
#include "math/expression.hpp"
#include "sweep/measure_reader.hpp"
#include "sweep/option_reader.hpp"
#include "sweep/plan.hpp"
#include "sweep/variation_reader.hpp"

namespace cardan {
namespace {

using Kind = YamlNode::Kind;

constexpr int kVersion = 1;
constexpr std::string_view kSections[] = {"sweep",  "name",     "model",       "vary", "inputs",      "simulation",
                                          "sample", "measures", "constraints", "stop", "trajectories"};

bool is_word(const std::string& name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

class PlanReader {
 public:
  explicit PlanReader(const std::string& path)
      : reading_{.problems = problems_, .parameters = {}, .broken_parameters = {}, .places = {}, .file = path} {
    plan_.file = path;
    reading_.files = &plan_.files;
  }

  SweepPlan read() {
    std::string why_not;
    const auto text = read_text(plan_.file, why_not);
    if (!text) problems_.error({plan_.file, 0, 0}, "", why_not);
    problems_.throw_errors();
    document_ = parse_yaml(*text, plan_.file, problems_);
    if (document_ && document_->kind != Kind::map)
      problems_.error({plan_.file, 1, 1}, "",
                      fmt::format("a plan is a block of sections, but this is {}", document_->kind_name()),
                      fmt::format("a plan starts with 'sweep: {}'", kVersion));
    problems_.throw_errors();
    plan_.files.push_back(plan_.file);
    Fields plan(reading_, *document_, "", document_->where);
    check_version(plan);
    plan.allow(kSections, "a plan");
    read_model(plan);
    if (const auto name = plan.word("name")) plan_.name = name->value;
    if (plan_.name.empty()) plan_.name = std::filesystem::path(plan_.file).stem().string();
    each(plan, "vary", [this](const YamlEntry& entry) { read_parameter(entry); });
    each(plan, "inputs", [this](const YamlEntry& entry) { read_input(entry); });
    if (const YamlNode* section = plan.node("simulation"))
      read_options(reading_, *section, plan.where_of("simulation"), plan_);
    if (plan_.axes.empty() && problems_.error_count() == 0)
      plan.error(plan.where(), "nothing varies", "add 'vary: {PARAMETER: [1, 2, 3]}'");
    read_sample(plan);
    each(plan, "measures", [this](const YamlEntry& entry) {
      if (auto measure = read_measure(reading_, entry)) plan_.measures.push_back(std::move(*measure));
    });
    each(plan, "constraints", [this](const YamlEntry& entry) { read_constraint(entry); });
    if (const YamlNode* stop = plan.node("stop")) read_stop(*stop, plan.where_of("stop"));
    if (const YamlNode* which = plan.node("trajectories")) read_trajectories(*which, plan.where_of("trajectories"));
    check_names();
    problems_.throw_errors();
    return std::move(plan_);
  }

 private:
  void check_version(Fields& plan) {
    const YamlNode* version = plan.node("sweep");
    if (version == nullptr) {
      plan.error(plan.where(), "'sweep', the version of the format, is missing",
                 plan.has("cardan") ? "this is a model; a plan names one and starts with 'sweep: 1'"
                                    : fmt::format("start with 'sweep: {}'", kVersion));
      problems_.throw_errors();
    }
    if (version->text != std::to_string(kVersion))
      plan.error(version->where, fmt::format("version '{}' of the format is not known", version->text),
                 fmt::format("this program reads 'sweep: {}'", kVersion));
  }

  /// Its parameters are known in all numbers of the plan.
  void read_model(Fields& plan) {
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

  template <class Read>
  void each(Fields& plan, const char* key, const Read& read) {
    const YamlNode* section = plan.node(key);
    if (section == nullptr || section->kind == Kind::null) return;
    if (section->kind != Kind::map)
      return wrong_kind(reading_, *section, "", fmt::format("'{}'", key), "a block of names");
    for (const YamlEntry& entry : section->entries) read(entry);
  }

  SweepAxis& add_axis(SweepAxis::Kind kind, const YamlEntry& entry) {
    SweepAxis& axis = plan_.axes.emplace_back();
    axis.kind = kind, axis.name = entry.key, axis.where = entry.where;
    return axis;
  }

  void read_parameter(const YamlEntry& entry) {
    const std::string element = element_label("variation", entry.key);
    SweepAxis& axis = add_axis(SweepAxis::Kind::parameter, entry);
    if (entry.key.find('/') == std::string::npos) {
      if (reading_.parameters.count(entry.key) == 0) {
        std::vector<std::string> known;
        for (const ModelParameter& parameter : plan_.parameters) known.push_back(parameter.name);
        problems_.error(entry.where, element, fmt::format("the model has no parameter '{}'", entry.key),
                        known.empty()
                            ? fmt::format("'{}' has none: add 'parameters: {{NAME: VALUE}}' to it", plan_.model)
                            : suggestion(entry.key, known, "its parameters are"));
      }
    }
    read_variation(reading_, *entry.value, element, axis);
    if (entry.key.find('/') != std::string::npos && axis.size() > 0) check_part(axis, element);
  }

  /// The reader of models knows what parts have.
  void check_part(const SweepAxis& axis, const std::string& element) {
    try {
      ModelSources ignored;
      template_->make({{axis.name, axis.drawn ? axis.drawn->quantile(0.5) : axis.number(0)}}, ignored);
    } catch (const ModelError& error) {
      const Diagnostic& first = error.diagnostics().front();
      problems_.error(axis.where, element, first.message, first.remedy);
    }
  }

  void read_input(const YamlEntry& entry) {
    const std::string element = element_label("input", entry.key);
    std::vector<std::string> known;
    for (const Input& input : mechanism_.inputs)
      if (input.is_given()) known.push_back(input.name);
    SweepAxis& axis = add_axis(SweepAxis::Kind::input, entry);
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
      problems_.error(entry.where, element, fmt::format("the model has no input '{}'", entry.key),
                      known.empty() ? "it has no inputs" : suggestion(entry.key, known, "its inputs are"));
      return;
    }
    read_variation(reading_, *entry.value, element, axis);
    check_input(axis, element);
  }

  void check_input(const SweepAxis& axis, const std::string& element) {
    const Input& input = *std::find_if(mechanism_.inputs.begin(), mechanism_.inputs.end(),
                                       [&](const Input& one) { return one.name == axis.name; });
    const auto check = [&](double value) {
      if (value >= input.min && value <= input.max) return;
      problems_.error(axis.where, element,
                      fmt::format("{} is outside of its limits, {} to {}", value, input.min, input.max),
                      "stay within them");
    };
    for (const double value : axis.values) check(value);
    if (axis.range) check(axis.range->from), check(axis.range->to);
    if (axis.drawn && axis.drawn->kind != Distribution::Kind::normal)
      check(axis.drawn->first), check(axis.drawn->second);
    if (axis.drawn && axis.drawn->kind == Distribution::Kind::normal &&
        (axis.drawn->min < input.min || axis.drawn->max > input.max))
      problems_.error(axis.where, element,
                      fmt::format("what is drawn may be outside of its limits, {} to {}", input.min, input.max),
                      "give 'min' and 'max' within them");
    for (const std::string& file : axis.words) {
      try {
        Mechanism scratch = mechanism_;
        read_inputs_from_files(scratch, {axis.name + "=" + file}, axis.held, plan_.files);
      } catch (const std::invalid_argument& error) {
        constexpr std::string_view prefix = "--input: ";
        std::string what = error.what();
        if (what.starts_with(prefix)) what.erase(0, prefix.size());
        problems_.error(axis.where, element, what);
      }
    }
  }

  void read_sample(Fields& plan) {
    const YamlNode* node = plan.node("sample");
    const auto first =
        std::find_if(plan_.axes.begin(), plan_.axes.end(), [](const SweepAxis& a) { return a.drawn.has_value(); });
    if (node == nullptr) {
      if (first != plan_.axes.end())
        problems_.error(first->where, element_label("variation", first->name), "nothing says how many are drawn",
                        "add 'sample: {random: 100}', or latin_hypercube or sobol");
      return;
    }
    Fields fields(reading_, *node, "sample", plan.where_of("sample"));
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
    if (first == plan_.axes.end() && problems_.error_count() == 0)
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
    const std::vector<std::string> known = known_names();
    std::vector<std::string> used;
    try {
      Expression::compile_open(node.text, {}, used);
      for (const std::string& name : used) {
        if (std::find(known.begin(), known.end(), name) != known.end() || reading_.parameters.count(name) > 0) continue;
        problems_.error(node.where, element, fmt::format("no measure or variation is called '{}'", name),
                        suggestion(name, known, "there are"));
      }
    } catch (const ExpressionError& error) {
      problems_.error(node.where, element, error.what());
    }
  }

  void read_constraint(const YamlEntry& entry) {
    const std::string element = element_label("constraint", entry.key);
    const auto text = read_word(reading_, *entry.value, element, "it");
    if (!text) return;
    check_expression(*entry.value, element);
    plan_.constraints.push_back({entry.key, entry.where, *text});
  }

  void read_stop(const YamlNode& node, const SourceLocation& where) {
    Fields fields(reading_, node, "stop", where);
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
        problems_.error(node.where, "trajectories", fmt::format("'{}' is not known", node.text),
                        "give all, failed, none or {worst: N, by: MEASURE}");
      return;
    }
    Fields fields(reading_, node, "trajectories", where);
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
      problems_.error(where, element_label(kind, name), "the table has a column of that name already",
                      "choose another name");
    };
    for (const SweepAxis& axis : plan_.axes) take(axis.name, axis.where, "variation");
    for (const SweepMeasure& measure : plan_.measures) {
      take(measure.name, measure.where, "measure");
      if (!is_word(measure.name))
        problems_.error(measure.where, element_label("measure", measure.name), "the name cannot stand in an expression",
                        "use letters, digits and '_', a letter first");
    }
  }

  SweepPlan plan_;
  Problems problems_;
  Reading reading_;
  YamlPointer document_;
  std::optional<ModelTemplate> template_;
  Mechanism mechanism_;
};

}  // namespace

SweepPlan read_plan(const std::string& path) { return PlanReader(path).read(); }

}  // namespace cardan
