// `cardan modes MODEL`: small motions about the equilibrium or the drawn position.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cardan/analysis.hpp"
#include "cardan/io.hpp"
#include "cardan/scene.hpp"
#include "commands.hpp"
#include "io/report.hpp"
#include "io/result_folder.hpp"
#include "io/text_table.hpp"
#include "output.hpp"

namespace cardan {
namespace {

/// The entries that matter most: "arm.x 1, arm.angle -0.4 ...".
std::string largest_entries(const Linearization& result, const Mode& mode) {
  std::vector<std::size_t> order(mode.shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(mode.shape[a]) > 1.0001 * std::abs(mode.shape[b]);
  });
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, order.size()); ++i) {
    const std::complex<double> entry = mode.shape[order[i]];
    if (std::abs(entry) < 1e-3 * std::abs(mode.shape[order[0]])) break;
    const double phase = std::arg(entry) * (180 / M_PI);
    // In phase or against it: a sign says it.
    const bool real = std::abs(std::remainder(phase, 180)) < 0.5;
    parts.push_back(real ? fmt::format("{} {:.3g}", result.columns[order[i]], entry.real())
                         : fmt::format("{} {:.3g} at {:.0f} deg", result.columns[order[i]], std::abs(entry), phase));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::vector<std::string>> table_rows(const Linearization& result) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const Mode& mode = result.modes[i];
    const std::complex<double> value = mode.eigenvalue;
    const std::string eigenvalue = value.imag() == 0 ? fmt::format("{:.5g}", value.real())
                                                     : fmt::format("{:.5g} +- {:.5g}i", value.real(), value.imag());
    rows.push_back({std::to_string(i + 1), fmt::format("{:.6g}", mode.frequency),
                    fmt::format("{:.6g}", mode.natural_frequency), fmt::format("{:.4g}", mode.damping_ratio),
                    eigenvalue,
                    mode.rigid      ? "rigid"
                    : mode.unstable ? "unstable"
                                    : "",
                    largest_entries(result, mode)});
  }
  return rows;
}

const std::vector<TextTable::Column> kColumns{{"mode"},
                                              {"frequency, Hz"},
                                              {"natural, Hz"},
                                              {"damping ratio"},
                                              {"eigenvalue, 1/s"},
                                              {"", TextTable::Align::left},
                                              {"shape (largest entries)", TextTable::Align::left}};

/// "7 modes about the equilibrium position, unbalanced 1.2e-09 N, 3.1e-10 N m"
std::string headline(const ModesRequest& request, const Linearization& result) {
  return fmt::format("{} about the {} position, unbalanced {:.2e} N, {:.2e} N m", counted(result.modes.size(), "mode"),
                     request.at == "drawn" ? "drawn" : "equilibrium", result.force, result.moment);
}

std::string as_text(const Mechanism& mechanism, const ModesRequest& request, const Linearization& result) {
  std::string text = fmt::format("{}: {}\n\n", mechanism.name, headline(request, result));
  TextTable table(kColumns);
  for (std::vector<std::string>& row : table_rows(result)) table.add(std::move(row));
  text += table.text(2);
  for (const std::string& note : result.notes) text += fmt::format("\nnote: {}\n", note);
  return text;
}

/// The table and the modes in motion, as one page.
void report_modes(const ModesRequest& request, const Mechanism& mechanism, const Linearization& result) {
  ReportData report;
  report.title = mechanism.name + ": modes";
  report.text = headline(request, result) + ".";
  for (const std::string& note : result.notes) report.text += "\n\nNote: " + note;
  report.command = request.command_line;
  report.models = model_texts(mechanism);
  ReportTable table{"Modes", {}, table_rows(result), "", ""};
  for (const TextTable::Column& column : kColumns) table.headers.push_back(column.title);
  report.tables.push_back(std::move(table));
  ReportRun run;
  run.name = mechanism.name;
  run.scene = scene_json(mechanism);
  run.modes = result.json();
  report.runs.push_back(std::move(run));
  write_report(request.report, report);
}

/// Scene, modes and a summary, for `cardan view`. Returns what was written.
std::string write_folder(const ModesRequest& request, const Mechanism& mechanism,
                         const std::vector<std::string>& inputs, const Linearization& result) {
  const ResultFolder folder(output_folder(request.out, mechanism.name + "-modes"));
  if (!request.overwrite) refuse_results_of_others(folder.path(), mechanism.name);
  refuse_to_replace(inputs, {folder / "scene.json", folder / "modes.json", folder / "summary.json"});
  std::filesystem::remove(folder / "summary.json");
  write_file(folder / "scene.json", scene_json(mechanism));
  write_file(folder / "modes.json", result.json());
  const nlohmann::ordered_json summary{{"status", "ok"},
                                       {"reason", ""},
                                       {"model", mechanism.name},
                                       {"analysis", "modes"},
                                       {"duration", 0.0},
                                       {"unbalanced_force", result.force},
                                       {"unbalanced_moment", result.moment},
                                       {"warnings", result.notes}};
  write_file(folder / "summary.json", summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return (folder / "modes.json").string() + ", scene.json and summary.json";
}

}  // namespace

int find_modes_of_model(const ModesRequest& request) {
  std::vector<std::string> inputs;
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters), &inputs);
  if (!request.report.empty()) prepare_report(request.report, inputs);
  const bool into_file = std::filesystem::path(request.out).has_extension();
  if (into_file) prepare_output(request.out, inputs);
  Linearization result;
  if (request.at == "drawn") {
    result = linearize(mechanism);
  } else {
    const Equilibrium equilibrium = find_equilibrium(mechanism);
    if (!equilibrium.converged) {
      complain(equilibrium.reason);
      return exit_failed;
    }
    result = linearize(mechanism, equilibrium);
  }
  std::string written = request.out;
  if (into_file) {
    write_result(request.out, result.json());
  } else {
    written = write_folder(request, mechanism, inputs, result);
  }
  if (!request.report.empty()) {
    report_modes(request, mechanism, result);
    written += ", " + request.report;
  }
  print(request.json ? result.json() + "\n"
                     : as_text(mechanism, request, result) + fmt::format("\nwritten: {}\n", written));
  return exit_done;
}

}  // namespace cardan
