// `cardan tune MODEL`: formulation, integrator and step for a wanted error at the least cost, or for a real-time loop
// at the least error, as one table, tune.csv, and the lines to put into the model.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cardan/io.hpp"
#include "commands.hpp"
#include "compare_table.hpp"
#include "io/input_file.hpp"
#include "io/result_folder.hpp"
#include "io/result_table.hpp"
#include "io/text_table.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "tuning.hpp"

namespace cardan {
namespace {

TuningPlan plan_for(const Mechanism& mechanism, const TuneRequest& request) {
  TuningPlan plan;
  plan.formulations = request.formulations;
  plan.integrators = request.integrators;
  plan.base = RunOptions::for_mechanism(mechanism);
  if (request.until) plan.base.until = *request.until;
  plan.base.check();
  const auto above_zero = [](const char* name, double value) {
    if (value > 0 && std::isfinite(value)) return;
    throw std::invalid_argument(fmt::format("{} is {}, but must be a number above 0", name, value));
  };
  above_zero("--error", request.error);
  plan.error = request.error;
  plan.deadline = request.deadline;
  if (request.deadline) above_zero("--deadline", *request.deadline);
  above_zero("--share", request.share);
  plan.share = request.share;
  plan.stop = request.stop;
  return plan;
}

std::string command_of(const TunedMethod& method) {
  const RunOptions& options = method.options;
  std::string text = fmt::format("--formulation {} --integrator {}", options.formulation, options.integrator);
  if (options.step_control) text += " --step-control " + *options.step_control;
  if (method.adaptive)
    return text + fmt::format(" --absolute-tolerance {0:.3g} --relative-tolerance {0:.3g}", options.absolute_tolerance);
  return text + fmt::format(" --step {:.6g}", options.step);
}

/// For the model file.
std::string block_of(const TunedMethod& method) {
  const RunOptions& options = method.options;
  std::string text =
      fmt::format("simulation: {{formulation: {}, integrator: {}", options.formulation, options.integrator);
  if (options.step_control) text += ", step_control: " + *options.step_control;
  if (method.adaptive)
    return text +
           fmt::format(", absolute_tolerance: {0:.3g}, relative_tolerance: {0:.3g}}}", options.absolute_tolerance);
  return text + fmt::format(", step: {:.6g}}}", options.step);
}

ResultTable table_of(const Tuning& tuning, const std::filesystem::path& file, double until) {
  ResultTable table(file, {{"formulation", "formulation"},
                           {"integrator", "integrator"},
                           {"step_control", ""},
                           {"step", "h, s", [](double h) { return h > 0 ? fmt::format("{:.3g}", h) : "own"; }},
                           {"tolerance", "tolerance", [](double e) { return e > 0 ? fmt::format("{:.1e}", e) : ""; }},
                           {"error", "error", powers(2)},
                           {"cpu_seconds", "time, ms", [](double s) { return brief(1e3 * s, 3); }},
                           {"real_time_factor", "x real time", [](double x) { return thousands(x); }},
                           {"step_time", "step, us", [](double s) { return brief(1e6 * s, 2); }},
                           {"runs", ""},
                           {"why_not", ""}});
  for (const TunedMethod& method : tuning.methods) {
    if (!method.why_not.empty()) continue;
    const RunOptions& options = method.options;
    const std::string control = options.step_control.value_or("");
    table.add(options.formulation, options.integrator + (control.empty() ? "" : " by " + control), control,
              method.adaptive ? 0 : options.step, method.adaptive ? options.absolute_tolerance : 0, method.error,
              method.cpu_seconds, until / method.cpu_seconds, method.step_time, method.runs, method.why_not);
  }
  return table;
}

std::string failures_of(const Tuning& tuning) {
  std::string text;
  for (const TunedMethod& method : tuning.methods) {
    if (method.why_not.empty()) continue;
    text += wrapped(fmt::format("not {}, {}{}:", method.options.formulation, method.options.integrator,
                                method.options.step_control ? " by " + *method.options.step_control : ""),
                    method.why_not.substr(0, method.why_not.find('\n')), kScreenWidth, 4);
  }
  return text;
}

/// tune.json: the same for scripts.
std::string summary_of(const Mechanism& mechanism, const TuningPlan& plan, const Tuning& tuning) {
  nlohmann::ordered_json json{{"status", tuning.interrupted ? "interrupted" : "ok"},
                              {"analysis", "tune"},
                              {"model", mechanism.name},
                              {"until", plan.base.until},
                              {"reference", tuning.reference},
                              {"reference_error", tuning.reference_error}};
  if (plan.deadline) {
    json["deadline"] = *plan.deadline;
    json["share"] = plan.share;
  } else {
    json["error"] = plan.error;
  }
  json["methods"] = nlohmann::ordered_json::array();
  for (const TunedMethod& method : tuning.methods) {
    const RunOptions& options = method.options;
    nlohmann::ordered_json one{{"formulation", options.formulation}, {"integrator", options.integrator}};
    if (options.step_control) one["step_control"] = *options.step_control;
    if (!method.why_not.empty()) {
      one["why_not"] = method.why_not;
    } else {
      one[method.adaptive ? "tolerance" : "step"] = method.adaptive ? options.absolute_tolerance : options.step;
      one["error"] = method.error;
      one["cpu_seconds"] = method.cpu_seconds;
      one["step_time"] = method.step_time;
      one["options"] = command_of(method);
    }
    json["methods"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

int tune_model(const TuneRequest& request) {
  std::vector<std::string> inputs;
  Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters), &inputs);
  read_inputs_from_files(mechanism, request.inputs, request.interpolation == "held", inputs);
  TuningPlan plan = plan_for(mechanism, request);
  const ResultFolder folder(output_folder(request.out, mechanism.name));
  refuse_to_replace(inputs, {folder / "tune.csv", folder / "tune.json"});
  Tuning tuning;
  {
    ProgressLine line([](double fraction, double seconds) {
      return fmt::format("{:.0f} % of the methods, {}", 100 * fraction, time_left(fraction, seconds));
    });
    plan.progress = [&line](double fraction) { line.update(fraction); };
    tuning = tune(mechanism, plan);
  }
  const std::string aim = plan.deadline ? fmt::format("the least error with {:.0f} % of a period of {:g} s",
                                                      100 * plan.share, *plan.deadline)
                                        : fmt::format("an error of {:g} at the least cost", plan.error);
  print(wrapped("",
                fmt::format("{} until {:g} s: {}; errors in sizes of the mechanism or rad\n"
                            "reference: {}, known to {}; a step takes the given time or less, 999 times of 1000",
                            mechanism.name, plan.base.until, aim, tuning.reference, brief(tuning.reference_error)),
                kScreenWidth) +
        table_of(tuning, folder / "tune.csv", plan.base.until).text() + failures_of(tuning));
  const TunedMethod* best = tuning.methods.empty() || !tuning.methods[0].why_not.empty() ? nullptr : &tuning.methods[0];
  if (best) {
    print(fmt::format("take: cardan run {} {}\nor in the model:\n  {}\n", shell_word(request.model), command_of(*best),
                      block_of(*best)));
  } else {
    print(plan.deadline ? "no method has the time: try a longer --deadline, or a larger --share\n"
                        : "no method holds that error: try a larger --error\n");
  }
  write_result((folder / "tune.json").string(), summary_of(mechanism, plan, tuning));
  print(fmt::format("written: {}, tune.json\n", (folder / "tune.csv").string()));
  if (tuning.interrupted) {
    complain("interrupted: some methods are left out");
    return exit_interrupted;
  }
  return best ? exit_done : exit_failed;
}

}  // namespace cardan
