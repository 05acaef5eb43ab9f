// `cardan inverse MODEL`: the efforts that the paths of the drivers take.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cardan/analysis.hpp"
#include "cardan/csv_sink.hpp"
#include "cardan/io.hpp"
#include "cardan/scene.hpp"
#include "commands.hpp"
#include "interruption.hpp"
#include "io/columns.hpp"
#include "io/report.hpp"
#include "io/result_folder.hpp"
#include "io/text_table.hpp"
#include "output.hpp"

namespace cardan {
namespace {

/// trajectory.csv with the scene beside it. What an earlier analysis left goes once the mechanism is assembled.
class PathSink final : public Sink {
 public:
  PathSink(const Mechanism& mechanism, const ResultFolder& folder, Stop stop)
      : mechanism_(mechanism), folder_(folder), stop_(stop), csv_(folder / "trajectory.csv") {}

  void start(const std::vector<std::string>& columns) override {
    for (const char* old : {"summary.json", "inverse.csv"}) std::filesystem::remove(folder_ / old);
    write_file(folder_ / "scene.json", scene_json(mechanism_));
    csv_.start(columns);
  }
  void sample(const double* row, std::size_t size) override {
    csv_.sample(row, size);
    time_ = row[0];
    if (stop_ && *stop_) throw Interrupted();
  }
  void finish() override { csv_.finish(); }

  double time() const { return time_; }
  const std::string& error() const { return csv_.error(); }

 private:
  const Mechanism& mechanism_;
  const ResultFolder& folder_;
  Stop stop_;
  CsvSink csv_;
  double time_ = 0;
};

/// Where each driver's path begins and ends, and the most that it takes.
struct PathExtremes {
  double from, to, speed, effort, time;
};
PathExtremes extremes_of(const InverseDynamics& result, std::size_t driver) {
  const auto column = static_cast<Eigen::Index>(driver);
  const VecX efforts = result.effort.col(column).cwiseAbs();
  const double effort = efforts.maxCoeff();
  // The first of those that are alike but for rounding, as in a path that comes back.
  Eigen::Index row = 0;
  while (efforts[row] < (1 - 1e-9) * effort) ++row;
  // What rounding leaves of zero is zero.
  const double least = 1e-12 * result.position.col(column).cwiseAbs().maxCoeff();
  const auto position = [&](Eigen::Index at) {
    const double value = result.position(at, column);
    return std::abs(value) < least ? 0 : value;
  };
  return {position(0), position(result.position.rows() - 1), result.velocity.col(column).cwiseAbs().maxCoeff(), effort,
          result.time[static_cast<std::size_t>(row)]};
}

std::string headline(const InverseDynamics& result) {
  return fmt::format("{} along {}, {} of freedom", counted(result.time.size(), "sample"),
                     counted(result.names.size(), "path"), counted(result.degrees_of_freedom, "degree"));
}

const std::vector<TextTable::Column> kDriverColumns = {
    {"driver", TextTable::Align::left}, {"from"}, {"to"}, {"largest speed"}, {"largest effort"}, {"at, s"}};

std::vector<std::vector<std::string>> table_rows(const InverseDynamics& result) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t d = 0; d < result.names.size(); ++d) {
    const PathExtremes path = extremes_of(result, d);
    rows.push_back({result.names[d], fmt::format("{:.5g}", path.from), fmt::format("{:.5g}", path.to),
                    fmt::format("{:.5g}", path.speed), fmt::format("{:.6g}", path.effort),
                    fmt::format("{:.5g}", path.time)});
  }
  return rows;
}

std::string as_text(const Mechanism& mechanism, const InverseDynamics& result) {
  TextTable table(kDriverColumns);
  for (std::vector<std::string>& row : table_rows(result)) table.add(std::move(row));
  return fmt::format("{}: {}\n\n", mechanism.name, headline(result)) + table.text(2);
}

/// Efforts over time, one plot for each unit.
std::vector<ReportPlot> effort_plots(const Mechanism& mechanism, const InverseDynamics& result) {
  const std::map<std::string, std::string> units = column_units(mechanism);
  std::vector<ReportPlot> plots;
  for (std::size_t d = 0; d < result.names.size(); ++d) {
    const std::string label = "effort, " + units.at(result.names[d] + ".effort");
    auto plot = std::find_if(plots.begin(), plots.end(), [&](const ReportPlot& p) { return p.y_label == label; });
    if (plot == plots.end())
      plot = plots.insert(plots.end(), ReportPlot{"Efforts of the drivers", "t, s", label, false, false, {}, ""});
    const VecX effort = result.effort.col(static_cast<Eigen::Index>(d));
    plot->series.push_back({result.names[d], result.time, {effort.data(), effort.data() + effort.size()}, false, ""});
  }
  return plots;
}

/// The result folder as one page.
void report_inverse(const InverseRequest& request, const Mechanism& mechanism, const InverseDynamics& result,
                    const ResultFolder& folder) {
  ReportData report;
  report.title = mechanism.name + ": inverse dynamics";
  report.text = headline(result) + ".";
  for (const std::string& note : result.notes) report.text += "\n\nNote: " + note;
  report.command = request.command_line;
  report.models = model_texts(mechanism);
  ReportTable table{"Drivers", {}, table_rows(result), "", ""};
  for (const TextTable::Column& column : kDriverColumns) table.headers.push_back(column.title);
  report.tables.push_back(std::move(table));
  report.plots = asked_plots(mechanism, folder.path());
  for (ReportPlot& plot : effort_plots(mechanism, result)) report.plots.push_back(std::move(plot));
  report.runs.push_back(read_report_run(mechanism.name, folder.path()));
  write_report(request.report, report);
}

/// summary.json: the keys that a run has too, and the drivers.
std::string summary_of(const Mechanism& mechanism, const InverseOptions& options, const InverseDynamics& result,
                       bool interrupted, double time) {
  nlohmann::ordered_json json{{"status", interrupted ? "interrupted" : "ok"},
                              {"reason", interrupted ? fmt::format("interrupted at t = {:.6g} s", time) : ""},
                              {"model", mechanism.name},
                              {"analysis", "inverse"},
                              {"step", options.step},
                              {"duration", time},
                              {"samples", result.time.size()},
                              {"degrees_of_freedom", result.degrees_of_freedom},
                              {"drivers", nlohmann::ordered_json::array()},
                              {"warnings", result.notes}};
  for (std::size_t d = 0; d < result.names.size(); ++d) {
    const PathExtremes path = extremes_of(result, d);
    json["drivers"].push_back({{"name", result.names[d]},
                               {"from", path.from},
                               {"to", path.to},
                               {"largest_speed", path.speed},
                               {"largest_effort", path.effort},
                               {"largest_effort_time", path.time}});
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

int run_inverse_dynamics(const InverseRequest& request) {
  std::vector<std::string> inputs;
  const Mechanism mechanism = read_mechanism(request.model, parse_parameters(request.parameters), &inputs);
  const RunOptions defaults = RunOptions::for_mechanism(mechanism);
  const InverseOptions options{request.step.value_or(defaults.step), request.until.value_or(defaults.until)};
  options.check();
  const ResultFolder folder(output_folder(request.out, mechanism.name + "-inverse"));
  if (!request.overwrite) refuse_results_of_others(folder.path(), mechanism.name);
  refuse_to_replace(
      inputs, {folder / "trajectory.csv", folder / "inverse.csv", folder / "scene.json", folder / "summary.json"});

  if (!request.report.empty()) prepare_report(request.report, inputs);

  PathSink sink(mechanism, folder, request.stop);
  InverseDynamics result;
  bool interrupted = false;
  try {
    result = inverse_dynamics(mechanism, options, &sink);
  } catch (const Interrupted&) {
    interrupted = true;
    sink.finish();
  }
  std::string written = (folder / "trajectory.csv").string(), error = sink.error();
  try {
    if (!interrupted) {
      std::string csv = result.csv();
      csv.pop_back();  // write_file() ends the last line
      write_file(folder / "inverse.csv", csv);
      written = (folder / "inverse.csv").string() + ", trajectory.csv";
    }
    write_file(folder / "summary.json", summary_of(mechanism, options, result, interrupted, sink.time()));
    if (!interrupted && !request.report.empty()) {
      report_inverse(request, mechanism, result, folder);
      written += ", " + request.report;
    }
  } catch (const std::runtime_error& failure) {
    if (error.empty()) error = failure.what();
  }
  std::string text = interrupted ? fmt::format("{}: interrupted at t = {:.6g} s\n", mechanism.name, sink.time())
                                 : as_text(mechanism, result);
  text += fmt::format("\nwritten: {}, scene.json and summary.json\n", written);
  for (const std::string& note : result.notes) text += fmt::format("note: {}\n", note);
  print_marked(text);
  if (!error.empty()) {
    complain(fmt::format("not everything is written: {}: {}", folder.path().string(), error));
    return exit_failed;
  }
  if (!interrupted) return exit_done;
  complain("interrupted; the samples so far are kept, the efforts are not");
  return exit_interrupted;
}

}  // namespace cardan
