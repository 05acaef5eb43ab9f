// `cardan compare MODEL`: every formulation, integrator and step side by side, as one table, compare.csv and
// compare.html.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "cardan/io.hpp"
#include "commands.hpp"
#include "compare_report.hpp"
#include "compare_table.hpp"
#include "comparison.hpp"
#include "io/input_file.hpp"
#include "io/result_folder.hpp"
#include "io/text_table.hpp"
#include "options/applicable_options.hpp"
#include "output.hpp"
#include "progress_line.hpp"

namespace cardan {
namespace {

/// "hybrid/trapezoidal/1e-4"
RunOptions parse_reference(const std::string& text, RunOptions options) {
  const std::size_t first = text.find('/'), second = first == std::string::npos ? first : text.find('/', first + 1);
  try {
    if (second == std::string::npos) throw std::invalid_argument("");
    std::size_t used = 0;
    const std::string step = text.substr(second + 1);
    options.step = std::stod(step, &used);
    if (used != step.size()) throw std::invalid_argument("");
  } catch (const std::exception&) {
    throw std::invalid_argument(
        fmt::format("the reference '{}' is not FORMULATION/INTEGRATOR/STEP, like hybrid/trapezoidal/1e-4", text));
  }
  options.formulation = text.substr(0, first);
  options.integrator = text.substr(first + 1, second - first - 1);
  options = without_foreign_options(options);
  options.check();
  return options;
}

ComparisonPlan plan_for(const Mechanism& mechanism, const CompareRequest& request) {
  ComparisonPlan plan;
  plan.formulations = request.formulations;
  plan.integrators = request.integrators;
  plan.base = RunOptions::for_mechanism(mechanism);
  if (request.until) plan.base.until = *request.until;
  plan.steps = request.steps;
  if (plan.steps.empty()) {
    for (double factor : {4.0, 2.0, 1.0, 0.5}) plan.steps.push_back(factor * plan.base.step);
  }
  std::sort(plan.steps.rbegin(), plan.steps.rend());
  plan.steps.erase(std::unique(plan.steps.begin(), plan.steps.end()), plan.steps.end());
  for (double step : plan.steps) {
    RunOptions options = plan.base;
    options.formulation = "hybrid";
    options.integrator = "trapezoidal";
    options.step = step;
    without_foreign_options(options).check();
  }
  if (!request.reference.empty()) plan.reference = parse_reference(request.reference, plan.base);
  if (!(request.accuracy > 0)) {
    throw std::invalid_argument(fmt::format("accuracy is {}, but must be a number above 0", request.accuracy));
  }
  plan.threads = std::max(1U, std::thread::hardware_concurrency());
  return plan;
}

std::string suggestion(const Comparison& comparison, const ComparisonPlan& plan, double accuracy) {
  const auto sentence = [&](const ComparedRun& run) {
    return fmt::format("--formulation {} --integrator {}{} (error {}, {} ms)", run.formulation, run.integrator,
                       run.step > 0 ? fmt::format(" --step {:g}", run.step) : "", brief(run.error),
                       brief(1e3 * run.summary.cpu_seconds));
  };
  const ComparedRun* best = cheapest(comparison, accuracy);
  if (!best) return fmt::format("no run stays within {:g} of the reference: try smaller --steps\n", accuracy);
  std::string text = wrapped(fmt::format("cheapest within {:g}:", accuracy), sentence(*best), kScreenWidth, 2);
  const ComparedRun* own = cheapest(comparison, accuracy, plan.base.formulation, plan.base.integrator);
  if (own && own != best) text += wrapped("by the model's own method:", sentence(*own), kScreenWidth, 2);
  return text;
}

}  // namespace

int compare_model(const CompareRequest& request) {
  std::vector<std::string> inputs;
  Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters), &inputs);
  read_inputs_from_files(mechanism, request.inputs, request.interpolation == "held", inputs);
  ComparisonPlan plan = plan_for(mechanism, request);
  plan.stop = request.stop;
  const ResultFolder folder(output_folder(request.out, mechanism.name));
  if (!request.overwrite) {
    for (const char* run : {"good", "worst"}) refuse_results_of_others(folder / run, mechanism.name);
  }
  refuse_to_replace(inputs, {folder / "compare.csv", folder / "compare.json", folder / "compare.html"});
  Comparison comparison;
  {
    ProgressLine line([](double fraction, double seconds) {
      return fmt::format("{:.0f} % of the runs, {}", 100 * fraction, time_left(fraction, seconds));
    });
    plan.progress = [&line](double fraction) { line.update(fraction); };
    comparison = compare(mechanism, plan);
  }
  const ComparisonTable table = comparison_table(comparison, plan, request.accuracy);
  const std::string head = wrapped(
      "",
      fmt::format(
          "{} until {:g} s: largest error in sizes of the mechanism or rad, by step h in s\n"
          "reference: {} (at twice that step {} away); {} on {} threads\n"
          "*: cheapest within {:g}, else most accurate; its violation of constraints, energy error, iterations a step, "
          "rejected steps, time, speed; [n]: failed",
          mechanism.name, plan.base.until, comparison.reference, brief(comparison.reference_error),
          counted(comparison.runs.size(), "run"), plan.threads, request.accuracy),
      kScreenWidth);
  const std::string tail = suggestion(comparison, plan, request.accuracy);
  std::string text = head + table.table.text() + table.failures;
  for (const std::string& what : comparison.left_out) text += wrapped("left out:", what, kScreenWidth, 4);
  print(text + tail);
  try {
    print(fmt::format("written: {}\n", write_comparison(folder.path(), mechanism, request, plan, comparison, table,
                                                        head + "\n" + tail)));
  } catch (const std::system_error& error) {
    throw std::runtime_error(error.what());  // by now it is not the input that is bad
  }
  if (comparison.missing == 0) return exit_done;
  complain(fmt::format("interrupted: {} left out", counted(comparison.missing, "run is", "runs are")));
  return exit_interrupted;
}

}  // namespace cardan
