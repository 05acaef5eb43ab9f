// Plans of `cardan optimize`.
#include <fmt/format.h>

#include <algorithm>

#include "io/yaml_sections.hpp"
#include "optimize/design_reader.hpp"
#include "sweep/measure_reader.hpp"

namespace cardan {
namespace {

/// Objectives and constraints may use measures and what is chosen.
void check_expression(const OptimizePlan& plan, DesignReader& reader, const YamlNode& node, const std::string& text,
                      const std::string& element) {
  std::vector<std::string> known;
  for (const SweepMeasure& measure : plan.measures) known.push_back(measure.name);
  for (const DesignVariable& variable : plan.variables) known.push_back(variable.name);
  reader.check_expression(node, text, element, known, "measure or parameter");
}

void read_objective(OptimizePlan& plan, DesignReader& reader, Fields& fields) {
  fields.require("minimize", "add 'minimize: EXPRESSION' of measures and parameters");
  const YamlNode* node = fields.node("minimize");
  if (node == nullptr) return;
  const auto add = [&](const YamlNode& one) {
    const auto text = read_word(reader.reading(), one, "minimize", "it");
    if (!text) return;
    check_expression(plan, reader, one, *text, "minimize");
    plan.minimize.push_back(*text);
  };
  if (node->kind == YamlNode::Kind::sequence) {
    for (const YamlPointer& item : node->items) add(*item);
    if (node->items.size() != 2)
      reader.problems().error(node->where, "minimize", "a front is between two objectives", "give two, or one alone");
    plan.front = 7;
  } else {
    add(*node);
  }
  const auto front = fields.integer("front");
  if (!front) return;
  if (plan.front == 0)
    reader.problems().error(front->where, "front", "there is one objective", "let 'minimize' be a list of two");
  else if (front->value < 3)
    reader.problems().error(front->where, "front", "a front has three points or more", "leave it out: 7");
  plan.front = front->value;
}

void read_constraint(OptimizePlan& plan, DesignReader& reader, const YamlEntry& entry) {
  const std::string element = element_label("constraint", entry.key);
  const auto text = read_word(reader.reading(), *entry.value, element, "it");
  if (!text) return;
  const auto guard = guard_of(*text);
  if (!guard) {
    reader.problems().error(entry.value->where, element, "a constraint is one comparison", "write 'MEASURE < VALUE'");
    return;
  }
  check_expression(plan, reader, *entry.value, *guard, element);
  plan.constraints.push_back({entry.key, entry.where, *guard});
  plan.constraint_texts.push_back(*text);
}

void read_gradient(OptimizePlan& plan, DesignReader& reader, Fields& fields) {
  const auto word = fields.word("gradient");
  if (!word) return;
  if (word->value == "direct")
    plan.gradient = GradientMode::direct;
  else if (word->value == "adjoint")
    plan.gradient = GradientMode::adjoint;
  else if (word->value != "auto")
    reader.problems().error(word->where, "gradient", fmt::format("'{}' is not known", word->value),
                            "give direct, adjoint or auto");
  if (plan.gradient == GradientMode::adjoint && (!plan.direct || plan.alternate))
    reader.problems().error(word->where, "gradient", "an adjoint is that of the steps", "leave 'derivatives' out");
}

}  // namespace

OptimizePlan read_optimize_plan(const std::string& path) {
  OptimizePlan plan;
  DesignReader reader("optimize", plan);
  reader.read(path, {"measures", "minimize", "front", "constraints", "gradient"}, [&](Fields& fields) {
    reader.each(fields, "measures", [&](const YamlEntry& entry) {
      if (auto measure = read_measure(reader.reading(), entry)) plan.measures.push_back(std::move(*measure));
    });
    read_objective(plan, reader, fields);
    reader.each(fields, "constraints", [&](const YamlEntry& entry) { read_constraint(plan, reader, entry); });
    read_gradient(plan, reader, fields);
  });
  return plan;
}

}  // namespace cardan
