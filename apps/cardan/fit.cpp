// `cardan fit PLAN`: parameters of a model from a motion that was measured, and how sure they are.
#include "optimize/fit.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "command_options.hpp"
#include "design_folder.hpp"
#include "io/text_table.hpp"
#include "output.hpp"
#include "text/csv_text.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

std::string iterations_csv(const FitPlan& plan, const FitResult& result) {
  std::string text = "iteration,sum,step";
  for (const DesignVariable& variable : plan.variables) text += "," + csv_text(variable.name);
  text += "\n";
  for (const FitIteration& one : result.numbers.iterations) {
    text += fmt::format("{},{},{}", one.number, one.sum, one.step);
    for (const double x : one.x) text += fmt::format(",{}", x);
    text += "\n";
  }
  return text;
}

/// What was measured beside what the model says.
std::string comparison_csv(const FitPlan& plan, const FitResult& result) {
  std::string text = "t";
  for (const FitColumn& column : plan.columns)
    text += "," + csv_text(column.column) + "," + csv_text(column.column + " computed");
  text += "\n";
  for (std::size_t i = 0; i < plan.times.size(); ++i) {
    text += fmt::format("{}", plan.times[i]);
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      const double measured = plan.measured[c][i];
      text += std::isfinite(measured) ? fmt::format(",{}", measured) : ",";
      text += i < result.computed[c].size() ? fmt::format(",{}", result.computed[c][i]) : ",";
    }
    text += "\n";
  }
  return text;
}

Json json_of(const FitPlan& plan, const FitResult& result) {
  const LeastSquaresResult& numbers = result.numbers;
  Json all;
  for (std::size_t i = 0; i < plan.variables.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const std::string& name = plan.variables[i].name;
    if (numbers.at_bound[i])
      all["intervals"][name] = "at its bound";
    else if (!std::isfinite(numbers.interval[k]))
      all["intervals"][name] = "undetermined";
    else
      all["intervals"][name] = {numbers.x[k] - numbers.interval[k], numbers.x[k] + numbers.interval[k]};
    Json row = Json::array();
    for (std::size_t j = 0; j < plan.variables.size(); ++j) {
      const double c = numbers.covariance(k, static_cast<Eigen::Index>(j));
      row.push_back(std::isfinite(c) ? Json(c) : Json());
    }
    all["covariance"].push_back(row);
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    all["deviations"][plan.columns[c].column] = result.deviations[c];
  all["sum"] = numbers.at.r.squaredNorm();
  all["residuals"] = numbers.at.r.size();
  all["converged"] = numbers.converged;
  all["reason"] = numbers.reason;
  all["iterations"] = numbers.iterations.back().number;
  all["runs"] = result.runs;
  return all;
}

std::string numbers_text(const FitPlan& plan, const FitResult& result) {
  const LeastSquaresResult& numbers = result.numbers;
  TextTable table({{"parameter", TextTable::Align::left}, {"start"}, {"found"}, {"+-"}, {"", TextTable::Align::left}});
  for (std::size_t i = 0; i < plan.variables.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const bool unknown = !std::isfinite(numbers.interval[k]);
    table.add({plan.variables[i].name, fmt::format("{:.6g}", plan.variables[i].start),
               fmt::format("{:.6g}", numbers.x[k]),
               numbers.at_bound[i] || unknown ? "" : fmt::format("{:.2g}", numbers.interval[k]),
               numbers.at_bound[i] ? "at its bound"
               : unknown           ? "undetermined: what was measured does not tell it, or not apart from others"
                                   : ""});
  }
  std::string text = table.text(2);
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    text += fmt::format("  {}: off by {:.3g} (root mean square)\n", plan.columns[c].column, result.deviations[c]);
  return text;
}

}  // namespace

int fit_parameters(const DesignRequest& request) {
  const FitPlan plan = read_fit_plan(request.plan);
  const DesignFolder folder(request, plan);
  if (!request.json) print(fmt::format("{}\n{:>9} {:>15} {:>10}\n", plan.name, "iteration", "sum of squares", "step"));
  const FitResult result = fit(plan, [&](const FitIteration& one) {
    if (!request.json) print(fmt::format("{:>9} {:>15.8g} {:>10.3g}\n", one.number, one.sum, one.step));
    return request.stop == nullptr || !*request.stop;
  });
  folder.write("iterations.csv", iterations_csv(plan, result));
  folder.write("comparison.csv", comparison_csv(plan, result));
  folder.write_summary(result.numbers.x, json_of(plan, result));
  if (request.json) {
    print(folder.json(result.numbers.x, json_of(plan, result)) + "\n");
  } else {
    print(fmt::format("{}: {} residuals, {} runs with derivatives; +- holds the true number with 95 % probability\n",
                      result.numbers.reason, result.numbers.at.r.size(), result.runs));
    print(numbers_text(plan, result));
    print(fmt::format("  {}\n  written: {}, comparison.csv and iterations.csv\n",
                      design_command(plan, result.numbers.x), folder.path("summary.json").string()));
  }
  if (request.stop != nullptr && *request.stop) return exit_interrupted;
  return result.numbers.converged ? exit_done : exit_failed;
}

void add_fit(CLI::App& app, DesignRequest& request) {
  CLI::App& command = *app.add_subcommand("fit", "parameters of a model from a motion that was measured");
  add_design_options(command, request);
  command.footer(
      "DIR receives summary.json (numbers, intervals, covariance), comparison.csv (what was measured beside what the\n"
      "model says) and iterations.csv. docs/optimize.md has the plan's fields.\n\n"
      "examples:\n"
      "  cardan fit models/plans/puma_friction.yaml");
}

}  // namespace cardan
