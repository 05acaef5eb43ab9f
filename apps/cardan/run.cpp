// `cardan run MODEL`: from the start to --until, with trajectory.csv and summary.json.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "commands.hpp"
#include "hdf5/h5_sink.hpp"
#include "io/columns.hpp"
#include "io/input_file.hpp"
#include "io/report.hpp"
#include "io/result_folder.hpp"
#include "mechanism/asked_options.hpp"
#include "output.hpp"
#include "progress_line.hpp"

namespace cardan {
namespace {

/// 0.52, 16.9, 3750
std::string factor(double value) { return value < 100 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value); }

WrittenRun run_with_progress(const Mechanism& mechanism, const RunOptions& options, const ResultFolder& folder,
                             FolderRun how) {
  ProgressLine line([until = options.until](double fraction, double seconds) {
    const double time = fraction * until;
    return fmt::format("t = {:.3f} of {} s, {} times real time, {}", time, until, factor(time / seconds),
                       time_left(fraction, seconds));
  });
  if (line.visible()) how.progress = [&](double time) { line.update(time / options.until); };
  return run_into_folder(mechanism, options, folder, how);
}

std::string violation_text(const char* level, const ConstraintViolation& violation) {
  if (violation.value == 0) return fmt::format("{} 0", level);
  return fmt::format("{} {:.1e} at {:.6g} s ({})", level, violation.value, violation.time, violation.constraint);
}

/// "0.01 s", or from the shortest to the longest where the integrator chose them.
std::string step_lengths(const RunSummary& s) {
  if (s.step_control_used == "fixed" || s.steps == 0) return fmt::format("{:.6g} s", s.step);
  if (s.step_smallest == s.step_largest) return fmt::format("{:.3g} s", s.step_largest);
  return fmt::format("{:.3g} to {:.3g} s", s.step_smallest, s.step_largest);
}

std::string readable(const RunSummary& s, const ResultFolder& folder, const RunRequest& request) {
  std::string text;
  const auto line = [&text](const char* label, const std::string& value) {
    text += fmt::format("  {:<22}{}\n", label, value);
  };
  const double steps = static_cast<double>(std::max<std::int64_t>(1, s.steps));
  text += fmt::format("{}: {} at t = {:.6g} s after {} of {}\n", s.model,
                      s.status == RunStatus::ok ? "done" : status_name(s.status), s.duration,
                      counted(static_cast<std::size_t>(s.steps), "step"), step_lengths(s));
  if (s.status == RunStatus::ok && !s.reason.empty()) line("ended by", s.reason);
  line("formulation",
       fmt::format("{}: {}, {} ({} redundant), {}", s.formulation_used,
                   counted(static_cast<std::size_t>(s.coordinates), "coordinate"),
                   counted(static_cast<std::size_t>(s.constraints), "constraint"), s.redundant_constraints,
                   freedom(s.degrees_of_freedom, s.driven, s.velocity_degrees_of_freedom)));
  if (!s.formulation_because.empty() && s.formulation_used != "hybrid")
    line("", fmt::format("chosen since {}", s.formulation_because));
  line("integrator", s.solver_used == "none" ? s.integrator_used + ", without a matrix to solve"
                                             : fmt::format("{}, {} solver", s.integrator_used, s.solver_used));
  if (s.integrator_asked != s.integrator_used && !s.trials.empty())
    line("", fmt::format("chosen since {}", s.integrator_because));
  line("cost",
       fmt::format("{:.3g} s, {} times real time; {:.3g} us and {:.3g} iterations per step", s.cpu_seconds,
                   factor(s.real_time_factor), 1e6 * s.cpu_seconds / steps, static_cast<double>(s.iterations) / steps));
  if (!s.trials.empty()) {
    double seconds = 0;
    for (const MethodTrial& trial : s.trials) seconds += trial.cpu_seconds;
    line("", fmt::format("{} before it, {:.3g} s", counted(s.trials.size(), "trial run"), seconds));
  }
  // Its zero is arbitrary, its change is not.
  line("energy", fmt::format("{:+.6g} J from start to end; largest error {:.3g} J at {:.6g} s",
                             s.energy_final - s.energy_initial, s.energy_max_error, s.energy_max_error_time));
  if (s.error_estimate >= 0) {
    line("error", fmt::format("about {:.1e} of the mechanism's size, or rad; {}", s.error_estimate,
                              s.error_step > 0 ? fmt::format("1e-3 with steps of {:.2g} s", s.error_step)
                                               : fmt::format("{:.2g} times the tolerance", s.error_tolerances)));
  }
  for (const EventSummary& event : s.events) {
    line(&event == s.events.data() ? "events" : "",
         fmt::format("{} at {:.6g} s: {:.6g} J, then {}", event.name, event.time, event.energy,
                     freedom(event.degrees_of_freedom, event.driven, event.velocity_degrees_of_freedom)));
  }
  if (s.event_count > static_cast<std::int64_t>(s.events.size()))
    line("", fmt::format("and {} more", s.event_count - static_cast<std::int64_t>(s.events.size())));
  line("constraint violation", violation_text("position", s.position));
  line("", violation_text("velocity", s.velocity));
  line("", violation_text("acceleration", s.acceleration));
  if (s.allocations >= 0) line("heap allocations", fmt::format("{} between first and last step", s.allocations));
  std::string others;
  for (std::size_t i = 1; i < request.formats.size(); ++i) others += ", trajectory." + request.formats[i];
  if (request.steps_file != "none") others += ", steps.csv";
  line("written", fmt::format("{}{}, scene.json and summary.json",
                              (folder.path() / ("trajectory." + request.formats[0])).string(), others));
  for (const std::string& warning : s.warnings) text += fmt::format("warning: {}\n", warning);
  return text;
}

/// The result folder as one page.
void report_run(const RunRequest& request, const Mechanism& mechanism, const RunSummary& summary,
                const ResultFolder& folder) {
  ReportData report;
  report.title = summary.model;
  const char* const ended = summary.status == RunStatus::ok       ? "Done"
                            : summary.status == RunStatus::failed ? "Failed"
                                                                  : "Interrupted";
  report.text = fmt::format("{} at t = {:.6g} s after {} with {} and {}.", ended, summary.duration,
                            counted(static_cast<std::size_t>(summary.steps), "step"), summary.formulation_used,
                            summary.integrator_used);
  if (summary.status == RunStatus::failed) report.text += " " + summary.reason;
  report.command = request.command_line;
  report.models = model_texts(mechanism);
  report.summary = summary.json();
  report.plots = asked_plots(mechanism, folder.path());
  for (ReportPlot& plot : step_history_plots({{"", folder.path()}})) report.plots.push_back(std::move(plot));
  report.runs.push_back(read_report_run(summary.model, folder.path()));
  write_report(request.report, report);
}

/// A run whose end nobody gives ends with the files of its inputs.
RunOptions options_of(const RunRequest& request, const Mechanism& mechanism) {
  SimulationDefaults asked = request.options;
  if (!asked.until && !mechanism.simulation.until) asked.until = end_of_inputs(mechanism);
  return asked_options(mechanism, asked);
}

/// Which files the rows go into.
void choose_formats(const RunRequest& request, const Mechanism& mechanism, FolderRun& how) {
  const auto asked = [&](const char* format) {
    return std::find(request.formats.begin(), request.formats.end(), format) != request.formats.end();
  };
  how.csv = asked("csv");
  if (!how.csv && !request.report.empty())
    throw std::invalid_argument("a report is made of trajectory.csv; ask for --format csv,h5");
  if (!asked("h5")) return;
  how.open_h5 = [&mechanism](const std::filesystem::path& file, std::int64_t rows_kept) {
    return std::make_unique<H5Sink>(file, H5Sink::Description{mechanism.name, column_units(mechanism)}, rows_kept);
  };
}

}  // namespace

void check_run(const RunRequest& request) {
  Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters));
  std::vector<std::string> files;
  read_inputs_from_files(mechanism, request.inputs, request.interpolation == "held", files);
  options_of(request, mechanism);
}

int run_model(const RunRequest& request) {
  FolderRun how;
  how.parameters = parse_parameters(request.parameters);
  Mechanism mechanism = read_mechanism(request.model, how.parameters, &how.inputs);
  read_inputs_from_files(mechanism, request.inputs, request.interpolation == "held", how.inputs);
  const RunOptions options = options_of(request, mechanism);
  if (!request.plots.empty()) mechanism.plots = plots_asked_for(mechanism, request.plots);
  if (!request.report.empty()) prepare_report(request.report, how.inputs);
  const ResultFolder folder(output_folder(request.out, mechanism.name));
  if (!request.overwrite) refuse_results_of_others(folder.path(), mechanism.name);
  how.stop = request.stop;
  how.steps_file = request.steps_file;
  choose_formats(request, mechanism, how);
  how.keep_state = request.keep_state;
  how.save_every = request.save_every;
  how.resume = request.resume;
  how.estimate_error = !request.no_error_estimate;

  auto [summary, write_error] = run_with_progress(mechanism, options, folder, how);
  if (summary.status == RunStatus::interrupted && !request.keep_state)
    return exit_interrupted;  // `cardan view` has ended
  if (request.json) {
    print(summary.json() + "\n");
  } else {
    print_marked(readable(summary, folder, request));
  }
  if (!request.report.empty()) {
    try {
      report_run(request, mechanism, summary, folder);
      if (!request.json) print(fmt::format("  {:<22}{}\n", "report", request.report));
    } catch (const std::exception& error) {
      write_error += (write_error.empty() ? "" : "; ") + fmt::format("no report: {}", error.what());
    }
  }

  if (!write_error.empty()) complain(fmt::format("not everything is written: {}", write_error));
  if (summary.status == RunStatus::failed) complain("the simulation failed: " + summary.reason);
  if (summary.status == RunStatus::interrupted) {
    complain(fmt::format("interrupted; the same command with --resume goes on from t = {:.6g} s", summary.duration));
  }
  if (!write_error.empty() || summary.status == RunStatus::failed) return exit_failed;
  return summary.status == RunStatus::interrupted ? exit_interrupted : exit_done;
}

}  // namespace cardan
