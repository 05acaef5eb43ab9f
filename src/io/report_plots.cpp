// Plots that reports make of the files of a result.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/columns.hpp"
#include "io/report.hpp"
#include "io/trajectory_file.hpp"

namespace cardan {
namespace {

constexpr std::size_t kRowsRead = 200'000;

}  // namespace

std::vector<ReportPlot> asked_plots(const Mechanism& mechanism, const std::filesystem::path& folder) {
  std::vector<ReportPlot> plots;
  if (mechanism.plots.empty()) return plots;
  const TrajectoryFile file(folder / "trajectory.csv");
  file.wait();
  const TrajectoryFile::Status status = file.status();
  const std::map<std::string, std::string> units = column_units(mechanism);
  for (const Plot& asked : mechanism.plots) {
    const std::size_t first = plots.size();
    for (const std::string& name : asked.columns) {
      const auto column = std::find(status.columns.begin(), status.columns.end(), name);
      if (status.rows == 0 || column == status.columns.end()) continue;
      const auto unit = units.find(name);
      const std::string label = unit == units.end() ? "" : unit->second;
      const auto same = std::find_if(plots.begin() + static_cast<std::ptrdiff_t>(first), plots.end(),
                                     [&](const ReportPlot& plot) { return plot.y_label == label; });
      ReportPlot& plot =
          same == plots.end() ? plots.emplace_back(ReportPlot{"", "t, s", label, false, false, {}, ""}) : *same;
      const std::vector<std::size_t> wanted{0, static_cast<std::size_t>(column - status.columns.begin())};
      TrajectoryFile::Table table = file.sample(0, status.rows, kRowsRead, wanted);
      plot.series.push_back({name, std::move(table.columns[0]), std::move(table.columns[1]), false, ""});
    }
    const bool several = plots.size() > first + 1;
    for (std::size_t i = first; i < plots.size(); ++i) {
      const std::string own =
          fmt::format("{}{}", plots[i].series[0].name, plots[i].series.size() > 1 ? " and others" : "");
      plots[i].title = asked.title.empty() ? own : several ? fmt::format("{}: {}", asked.title, own) : asked.title;
    }
  }
  return plots;
}

std::vector<ReportPlot> step_history_plots(const std::vector<NamedResult>& results) {
  struct Curve {
    const char *column, *name;  // the name stands beside another curve of the same plot
  };
  struct Wanted {
    ReportPlot plot;
    std::vector<Curve> curves;
  };
  const auto plot = [](const char* title, const char* y_label, bool y_log) {
    return ReportPlot{title, "t, s", y_label, false, y_log, {}, ""};
  };
  std::vector<Wanted> wanted{
      {plot("Energy error", "energy error, J", false), {{"energy_error", ""}}},
      {plot("Constraint violation", "violation", true),
       {{"position_violation", "positions"}, {"velocity_violation", "velocities"}}},
      {plot("Step", "step, s", false), {{"h", ""}}},
      {plot("Iterations", "iterations of a step", false), {{"iterations", ""}}},
  };
  ReportPlot &energy = wanted[0].plot, &violation = wanted[1].plot, &step = wanted[2].plot;
  energy.note = "Energy less its initial value, the work of loads and drivers and what came with events.";
  violation.note = "Positions in m or 1, velocities relative to the largest rate of a coordinate; zeros not drawn.";
  for (const NamedResult& result : results) {
    if (!std::filesystem::exists(result.folder / "steps.csv")) continue;
    const TrajectoryFile file(result.folder / "steps.csv");
    file.wait();
    const TrajectoryFile::Status status = file.status();
    const auto time = std::find(status.columns.begin(), status.columns.end(), "t");
    if (status.rows == 0 || time == status.columns.end()) continue;
    for (auto& [plot, curves] : wanted) {
      for (const Curve& curve : curves) {
        const auto column = std::find(status.columns.begin(), status.columns.end(), curve.column);
        if (column == status.columns.end()) continue;
        const std::vector<std::size_t> columns{static_cast<std::size_t>(time - status.columns.begin()),
                                               static_cast<std::size_t>(column - status.columns.begin())};
        TrajectoryFile::Table table = file.sample(0, status.rows, kRowsRead, columns);
        std::vector<double>& y = table.columns[1];
        if (plot.y_log && std::none_of(y.begin(), y.end(), [](double value) { return value > 0; })) continue;
        const bool alone = curves.size() == 1;
        plot.series.push_back({alone ? result.name : curve.name, table.columns[0], y, false, alone ? "" : result.name});
      }
    }
  }
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const ReportSeries& series : step.series) {
    const auto [low, high] = std::minmax_element(series.y.begin(), series.y.end());
    smallest = std::min(smallest, *low), largest = std::max(largest, *high);
  }
  step.y_log = smallest > 0 && largest > 20 * smallest;
  std::vector<ReportPlot> plots;
  for (Wanted& each : wanted) {
    if (!each.plot.series.empty()) plots.push_back(std::move(each.plot));
  }
  return plots;
}

}  // namespace cardan
