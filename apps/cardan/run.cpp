// `cardan run MODEL`: from the start to --until, with trajectory.csv and summary.json.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "commands.hpp"
#include "io/report.hpp"
#include "io/result_folder.hpp"
#include "io/viewer_page.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "simulation/applicable_options.hpp"

namespace cardan {
namespace {

template <typename T, typename U>
void override_by(T& value, const std::optional<U>& asked) {
  if (asked) value = *asked;
}

RunOptions options_for(const Mechanism& mechanism, const RunRequest& request) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  override_by(options.formulation, request.formulation);
  override_by(options.integrator, request.integrator);
  override_by(options.step_control, request.step_control);
  // Settings of the model that belong to its own method lapse when another is asked for.
  if (request.formulation || request.integrator || request.step_control) options = without_foreign_options(options);
  override_by(options.step_control, request.step_control);
  override_by(options.solver, request.solver);
  override_by(options.step, request.step);
  override_by(options.until, request.until);
  override_by(options.tolerance, request.tolerance);
  override_by(options.penalty, request.penalty);
  const auto belongs_to = [&](const char* option, bool given, std::initializer_list<std::string_view> integrators) {
    if (!given || std::find(integrators.begin(), integrators.end(), options.integrator) != integrators.end()) return;
    throw std::invalid_argument(fmt::format("{} belongs to {}, not to {}; leave it out, or choose --integrator {}",
                                            option, fmt::join(integrators, " and "), options.integrator,
                                            *integrators.begin()));
  };
  belongs_to("--dissipation", request.dissipation.has_value(), {"newmark", "hht"});
  belongs_to("--spectral-radius", request.spectral_radius.has_value(), {"generalized-alpha"});
  override_by(options.dissipation, request.dissipation);
  override_by(options.spectral_radius, request.spectral_radius);
  override_by(options.iterations, request.iterations);
  override_by(options.every, request.every);
  override_by(options.absolute_tolerance, request.absolute_tolerance);
  override_by(options.relative_tolerance, request.relative_tolerance);
  override_by(options.jacobian, request.jacobian);
  override_by(options.index, request.index);
  override_by(options.step_min, request.step_min);
  override_by(options.step_max, request.step_max);
  if (request.fixed_penalty) options.fixed_penalty = true;
  if (request.no_projections) options.projections = false;
  if (request.from_equilibrium) options.start = "equilibrium";
  if (!request.cut.empty()) options.cut = request.cut;
  options.check();
  return options;
}

/// 0.52, 16.9, 3750
std::string factor(double value) { return value < 100 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value); }

WrittenRun run_with_progress(const Mechanism& mechanism, const RunOptions& options,
                             const std::filesystem::path& folder) {
  ProgressLine line([until = options.until](double fraction, double seconds) {
    const double time = fraction * until;
    return fmt::format("t = {:.3f} of {} s, {} times real time, {}", time, until, factor(time / seconds),
                       time_left(fraction, seconds));
  });
  Progress progress;
  if (line.visible()) progress = [&](double time) { line.update(time / options.until); };
  return run_into_folder(mechanism, options, folder, progress);
}

std::string violation_text(const char* level, const ConstraintViolation& violation) {
  if (violation.value == 0) return fmt::format("{} 0", level);
  return fmt::format("{} {:.1e} at {:.6g} s ({})", level, violation.value, violation.time, violation.constraint);
}

std::string readable(const RunSummary& s, const std::filesystem::path& folder) {
  std::string text;
  const auto line = [&text](const char* label, const std::string& value) {
    text += fmt::format("  {:<22}{}\n", label, value);
  };
  const double steps = static_cast<double>(std::max<std::int64_t>(1, s.steps));
  text += fmt::format(
      "{}: {} at t = {:.6g} s after {} of {:.6g} s\n", s.model,
      s.status == "ok" ? colored("done", Color::green, STDOUT_FILENO) : colored("failed", Color::red, STDOUT_FILENO),
      s.duration, counted(static_cast<std::size_t>(s.steps), "step"), s.step);
  line("formulation",
       fmt::format("{}: {}, {} ({} redundant), {} of freedom", s.formulation_used,
                   counted(static_cast<std::size_t>(s.coordinates), "coordinate"),
                   counted(static_cast<std::size_t>(s.constraints), "constraint"), s.redundant_constraints,
                   counted(static_cast<std::size_t>(s.degrees_of_freedom), "degree")));
  line("integrator", fmt::format("{}, {} solver", s.integrator_used, s.solver_used));
  line("cost",
       fmt::format("{:.3g} s, {} times real time; {:.3g} us and {:.3g} iterations per step", s.cpu_seconds,
                   factor(s.real_time_factor), 1e6 * s.cpu_seconds / steps, static_cast<double>(s.iterations) / steps));
  line("energy", fmt::format("{:.6g} J, at the end {:.6g} J; largest error {:.3g} J at {:.6g} s", s.energy_initial,
                             s.energy_final, s.energy_max_error, s.energy_max_error_time));
  for (const EventSummary& event : s.events) {
    line(&event == s.events.data() ? "events" : "",
         fmt::format("{} at {:.6g} s: {:.6g} J, then {} of freedom", event.name, event.time, event.energy,
                     counted(static_cast<std::size_t>(event.degrees_of_freedom), "degree")));
  }
  line("constraint violation", violation_text("position", s.position));
  line("", violation_text("velocity", s.velocity));
  line("", violation_text("acceleration", s.acceleration));
  if (s.allocations >= 0) line("heap allocations", fmt::format("{} between first and last step", s.allocations));
  line("written", fmt::format("{}, steps.csv, scene.json and summary.json", (folder / "trajectory.csv").string()));
  for (const std::string& warning : s.warnings)
    text += fmt::format("{} {}\n", colored("warning:", Color::yellow, STDOUT_FILENO), warning);
  return text;
}

/// The result folder as one page.
void report_run(const RunRequest& request, const Mechanism& mechanism, const RunSummary& summary,
                const std::filesystem::path& folder) {
  ReportData report;
  report.title = summary.model;
  report.text = fmt::format("{} at t = {:.6g} s after {} with {} and {}.", summary.status == "ok" ? "Done" : "Failed",
                            summary.duration, counted(static_cast<std::size_t>(summary.steps), "step"),
                            summary.formulation_used, summary.integrator_used);
  if (summary.status != "ok") report.text += " " + summary.reason;
  report.command = request.command_line;
  report.models = model_texts(mechanism);
  report.summary = summary.json();
  report.plots = step_history_plots({{"", folder}});
  report.runs.push_back(read_report_run(summary.model, folder));
  write_report(request.report, report);
}

}  // namespace

void check_run(const RunRequest& request) {
  options_for(read_mechanism(request.model, parse_parameters(request.parameters)), request);
}

int run_model(const RunRequest& request) {
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters));
  const RunOptions options = options_for(mechanism, request);
  if (!request.report.empty() && viewer_page().empty()) {
    throw std::invalid_argument(
        fmt::format("--report needs the viewer, which is not in this program: {}", viewer_page_missing()));
  }
  if (!request.report.empty() && !std::ofstream(request.report, std::ios::app)) {
    throw std::system_error(errno, std::generic_category(), "cannot write the report " + request.report);
  }
  const std::string fallback = std::filesystem::path(request.model).stem().string();
  const std::filesystem::path folder = output_folder(request.out, mechanism.name.empty() ? fallback : mechanism.name);

  const auto [summary, write_error] = run_with_progress(mechanism, options, folder);
  print(request.json ? summary.json() + "\n" : readable(summary, folder));
  if (!request.report.empty()) {
    report_run(request, mechanism, summary, folder);
    if (!request.json) print(fmt::format("  {:<22}{}\n", "report", request.report));
  }

  if (summary.status != "ok") {
    complain("the simulation failed: " + summary.reason);
    return kSimulationFailed;
  }
  if (!write_error.empty()) {
    complain(fmt::format("{} is incomplete: {}", folder.string(), write_error));
    return kSimulationFailed;
  }
  return kDone;
}

}  // namespace cardan
