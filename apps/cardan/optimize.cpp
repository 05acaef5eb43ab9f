// `cardan optimize PLAN`: the best numbers of a model, or a front between two objectives.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command_options.hpp"
#include "design_folder.hpp"
#include "io/text_table.hpp"
#include "optimize/optimization.hpp"
#include "output.hpp"
#include "text/csv_text.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

std::string iterations_csv(const OptimizePlan& plan, const OptimizationResult& result) {
  std::string text = "design,iteration,objective,violation,step";
  for (const DesignVariable& variable : plan.variables) text += "," + csv_text(variable.name);
  text += "\n";
  for (std::size_t i = 0; i < result.designs.size(); ++i)
    for (const MinimizerIteration& one : result.designs[i].minimum.iterations) {
      text += fmt::format("{},{},{},{},{}", i + 1, one.number, one.f, one.violation, one.step);
      for (const double x : one.x) text += fmt::format(",{}", x);
      text += "\n";
    }
  return text;
}

/// A row for each design: numbers, objectives, measures.
std::string designs_csv(const OptimizePlan& plan, const OptimizationResult& result) {
  std::string text = "design";
  for (const DesignVariable& variable : plan.variables) text += "," + csv_text(variable.name);
  for (const std::string& objective : plan.minimize) text += "," + csv_text(objective);
  for (const SweepMeasure& measure : plan.measures) text += "," + csv_text(measure.name);
  text += "\n";
  for (std::size_t i = 0; i < result.designs.size(); ++i) {
    const OptimizedDesign& design = result.designs[i];
    text += fmt::format("{}", i + 1);
    for (const VecX* numbers : {&design.minimum.x, &design.objectives, &design.measures})
      for (const double x : *numbers) text += fmt::format(",{}", x);
    text += "\n";
  }
  return text;
}

Json json_of(const OptimizePlan& plan, const OptimizationResult& result) {
  Json all;
  all["objective_at_start"] = result.start;
  all["gradient"] = result.gradient;
  for (const OptimizedDesign& design : result.designs) {
    Json one;
    if (!design.title.empty()) one["title"] = design.title;
    for (std::size_t i = 0; i < plan.variables.size(); ++i)
      one["parameters"][plan.variables[i].name] = design.minimum.x[static_cast<Eigen::Index>(i)];
    for (std::size_t i = 0; i < plan.minimize.size(); ++i)
      one["objectives"][plan.minimize[i]] = design.objectives[static_cast<Eigen::Index>(i)];
    for (std::size_t i = 0; i < plan.measures.size(); ++i)
      one["measures"][plan.measures[i].name] = design.measures[static_cast<Eigen::Index>(i)];
    for (std::size_t i = 0; i < plan.constraints.size(); ++i)
      one["constraints"][plan.constraints[i].name] = design.minimum.value.c[static_cast<Eigen::Index>(i)];
    one["converged"] = design.minimum.converged;
    one["reason"] = design.minimum.reason;
    one["iterations"] = design.minimum.iterations.back().number;
    one["runs"] = design.runs;
    all["designs"].push_back(one);
  }
  return all;
}

std::string numbers_text(const OptimizePlan& plan, const OptimizedDesign& design) {
  TextTable table(
      {{"parameter", TextTable::Align::left}, {"start"}, {"best"}, {"from"}, {"to"}, {"", TextTable::Align::left}});
  for (std::size_t i = 0; i < plan.variables.size(); ++i) {
    const DesignVariable& one = plan.variables[i];
    const double x = design.minimum.x[static_cast<Eigen::Index>(i)];
    table.add({one.name, fmt::format("{:.6g}", one.start), fmt::format("{:.6g}", x), fmt::format("{:.6g}", one.min),
               fmt::format("{:.6g}", one.max), x <= one.min || x >= one.max ? "at its bound" : ""});
  }
  std::string text = table.text(2);
  for (std::size_t i = 0; i < plan.constraints.size(); ++i) {
    const double c = design.minimum.value.c[static_cast<Eigen::Index>(i)];
    text += fmt::format("  {}: {} by {:.3g}\n", plan.constraint_texts[i], c >= -1e-9 ? "holds" : "is violated",
                        std::abs(c));
  }
  return text;
}

std::string front_text(const OptimizePlan& plan, const OptimizationResult& result) {
  std::vector<TextTable::Column> columns;
  for (const std::string& objective : plan.minimize) columns.push_back({objective});
  for (const DesignVariable& variable : plan.variables) columns.push_back({variable.name});
  columns.push_back({"", TextTable::Align::left});
  TextTable table(columns);
  for (const OptimizedDesign& design : result.designs) {
    std::vector<std::string> cells;
    for (const VecX* numbers : {&design.objectives, &design.minimum.x})
      for (const double x : *numbers) cells.push_back(fmt::format("{:.6g}", x));
    cells.push_back(design.minimum.converged ? "" : design.minimum.reason);
    table.add(cells);
  }
  return table.text(2);
}

}  // namespace

int optimize_design(const DesignRequest& request) {
  const OptimizePlan plan = read_optimize_plan(request.plan);
  const DesignFolder folder(request, plan);
  std::string last_title;
  if (!request.json)
    print(fmt::format("{}\n{:>9} {:>15} {:>11} {:>10}\n", plan.name, "iteration", "objective", "violation", "step"));
  const OptimizationResult result = optimize(plan, [&](const std::string& title, const MinimizerIteration& one) {
    if (!request.json) {
      if (title != last_title) print(title + "\n");
      last_title = title;
      print(fmt::format("{:>9} {:>15.8g} {:>11.3g} {:>10.3g}\n", one.number, one.f, one.violation, one.step));
    }
    return request.stop == nullptr || !*request.stop;
  });
  folder.write("iterations.csv", iterations_csv(plan, result));
  folder.write("designs.csv", designs_csv(plan, result));
  const OptimizedDesign& first = result.designs.front();
  folder.write_summary(first.minimum.x, json_of(plan, result));
  bool converged = true;
  for (const OptimizedDesign& design : result.designs) converged = converged && design.minimum.converged;
  if (request.json) {
    print(folder.json(first.minimum.x, json_of(plan, result)) + "\n");
  } else {
    print(fmt::format("{}: {:.8g} after {:.8g} at the start, {} runs with derivatives ({})\n", first.minimum.reason,
                      first.minimum.value.f, result.start, first.runs, result.gradient));
    print(plan.front > 0 ? front_text(plan, result) : numbers_text(plan, first));
    print(fmt::format("  {}\n  written: {}, designs.csv and iterations.csv\n", design_command(plan, first.minimum.x),
                      folder.path("summary.json").string()));
  }
  if (request.stop != nullptr && *request.stop) return exit_interrupted;
  return converged ? exit_done : exit_failed;
}

void add_optimize(CLI::App& app, DesignRequest& request) {
  CLI::App& command = *app.add_subcommand("optimize", "the best parameters of a model, within bounds and constraints");
  add_design_options(command, request);
  command.footer(
      "DIR receives summary.json, designs.csv (the best, or the points of a front) and iterations.csv.\n"
      "docs/optimize.md has the plan's fields.\n\n"
      "examples:\n"
      "  cardan optimize models/plans/four_bar_path.yaml\n"
      "  cardan optimize models/plans/iltis_front.yaml --out out/front");
}

}  // namespace cardan
