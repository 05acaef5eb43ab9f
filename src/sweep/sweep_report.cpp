#include "sweep/sweep_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

#include "io/report.hpp"
#include "io/yaml_sections.hpp"
#include "sweep/case_pages.hpp"
#include "sweep/run_maker.hpp"

namespace cardan {
namespace {

constexpr std::uint64_t kPoints = 1500;  // of a scatter, chosen evenly among the runs
constexpr std::uint64_t kLines = 300;    // of the parallel coordinates
constexpr std::size_t kMostBins = 30;    // of a histogram
constexpr std::size_t kGroups = 10;      // of a main effect, where numbers are many
constexpr std::size_t kMostPlots = 36;

/// 2 n^(1/3) bins (Rice's rule), as many as so many runs can fill.
std::size_t bins_for(std::uint64_t runs) {
  const double wanted = std::ceil(2 * std::cbrt(static_cast<double>(runs)));
  return std::min(kMostBins, static_cast<std::size_t>(wanted));
}

bool is_log(const SweepAxis& axis) {
  return (axis.range && axis.range->log) || (axis.drawn && axis.drawn->kind == Distribution::Kind::log_uniform);
}

/// Lowest and highest place of an axis among the runs.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

/// The mean of a measure over the runs that share a value of an axis, or over a tenth of its extent.
class MainEffect {
 public:
  MainEffect(bool few, const Extent& extent, bool log) : few_(few), extent_(extent), log_(log) {}
  void add(double x, double y) {
    Sum& sum = sums_[few_ ? x : std::floor(std::min(1 - 1e-12, part(x)) * static_cast<double>(kGroups))];
    sum.x += x, sum.y += y;
    ++sum.count;
  }
  ReportSeries curve() const {
    ReportSeries mean;
    mean.name = "mean";
    mean.points = true;
    for (const auto& [group, sum] : sums_) {
      mean.x.push_back(sum.x / static_cast<double>(sum.count));
      mean.y.push_back(sum.y / static_cast<double>(sum.count));
    }
    return mean;
  }
  /// Between the highest and the lowest mean.
  double strength() const {
    Extent means;
    for (const auto& [group, sum] : sums_) means.add(sum.y / static_cast<double>(sum.count));
    return sums_.size() < 2 ? 0 : means.high - means.low;
  }

 private:
  struct Sum {
    double x = 0, y = 0;
    std::uint64_t count = 0;
  };
  double part(double x) const {
    if (!(extent_.high > extent_.low)) return 0;
    return log_ ? std::log(x / extent_.low) / std::log(extent_.high / extent_.low)
                : (x - extent_.low) / (extent_.high - extent_.low);
  }
  bool few_;
  Extent extent_;
  bool log_;
  std::map<double, Sum> sums_;
};

class SweepPage {
 public:
  SweepPage(const SweepPlan& plan, const SweepFolder& folder, const SweepResult& result,
            const std::filesystem::path& file)
      : plan_(plan), result_(result), pages_(plan, folder, file), extents_(plan.axes.size()) {
    for_each_row(plan, folder, [this](const SweepRow& row) {
      for (std::size_t i = 0; i < plan_.axes.size(); ++i) extents_[i].add(place_on(plan_.axes[i], row.point[i]));
    });
    for (const SweepMeasure& measure : plan.measures) {
      const MeasureStatistics& of = result.measures[static_cast<std::size_t>(&measure - plan.measures.data())];
      histograms_.push_back(std::vector<double>(of.count > 0 ? bins_for(of.count) : 0, 0.0));
    }
    make_plots();
    for_each_row(plan, folder, [this](const SweepRow& row) { add(row); });
  }

  ReportData data(const std::string& command) {
    ReportData data;
    data.title = plan_.name;
    data.text = fmt::format("{} of {} runs of {}: {} ok, {} stopped, {} failed", result_.done(), result_.planned,
                            plan_.model, result_.ok, result_.stopped, result_.failed);
    if (!plan_.constraints.empty()) data.text += fmt::format("; {} are feasible", result_.feasible);
    data.text += fmt::format(". Their steps took {:.3g} s of processor time.", result_.stepping_seconds);
    data.command = command;
    std::string why_not;
    for (const std::string& file : plan_.files)
      if (file.ends_with(".yaml"))
        if (auto text = read_text(file, why_not)) data.models.push_back({file, std::move(*text)});
    data.tables = tables();
    data.parallel = std::move(parallel_);
    data.plots = chosen_plots();
    return data;
  }

 private:
  struct Dependence {
    std::size_t axis, measure;
    ReportSeries runs, infeasible;
    MainEffect effect;
  };

  void make_plots() {
    for (std::size_t m = 0; m < plan_.measures.size(); ++m)
      for (std::size_t a = 0; a < plan_.axes.size(); ++a) {
        const SweepAxis& axis = plan_.axes[a];
        if (axis.size() == 1 && !axis.drawn) continue;
        Dependence& one = dependences_.emplace_back(
            Dependence{a, m, {}, {}, MainEffect(!axis.drawn && axis.size() <= 2 * kGroups, extents_[a], is_log(axis))});
        one.runs.name = "runs", one.infeasible.name = "infeasible";
        for (ReportSeries* series : {&one.runs, &one.infeasible}) series->points = true, series->line = false;
      }
    for (const SweepAxis& axis : plan_.axes) parallel_.columns.push_back({axis.name, {}, axis.words, is_log(axis)});
    for (const SweepMeasure& measure : plan_.measures) parallel_.columns.push_back({measure.name, {}, {}, false});
  }

  void add(const SweepRow& row) {
    if (row.status == "failed") return;
    const std::uint64_t place = shuffled(row.run - 1, result_.planned, 1);
    for (std::size_t m = 0; m < plan_.measures.size(); ++m) {
      const MeasureStatistics& of = result_.measures[m];
      if (!std::isfinite(row.measures[m])) continue;
      const double part = of.highest > of.lowest ? (row.measures[m] - of.lowest) / (of.highest - of.lowest) : 0.5;
      const std::size_t bins = histograms_[m].size();
      ++histograms_[m][std::min(bins - 1, static_cast<std::size_t>(part * static_cast<double>(bins)))];
    }
    for (Dependence& one : dependences_) {
      const double x = place_on(plan_.axes[one.axis], row.point[one.axis]), y = row.measures[one.measure];
      if (!std::isfinite(y)) continue;
      one.effect.add(x, y);
      if (place >= kPoints) continue;
      ReportSeries& series = row.feasible ? one.runs : one.infeasible;
      series.x.push_back(x), series.y.push_back(y);
    }
    if (place >= kLines) return;
    for (std::size_t i = 0; i < plan_.axes.size(); ++i)
      parallel_.columns[i].values.push_back(place_on(plan_.axes[i], row.point[i]));
    for (std::size_t i = 0; i < plan_.measures.size(); ++i)
      parallel_.columns[plan_.axes.size() + i].values.push_back(row.measures[i]);
  }

  /// Steps around the bins.
  ReportPlot histogram(std::size_t m) const {
    const MeasureStatistics& of = result_.measures[m];
    ReportPlot plot;
    plot.title = "Distribution of " + plan_.measures[m].name;
    plot.x_label = plan_.measures[m].name, plot.y_label = "runs";
    ReportSeries& series = plot.series.emplace_back();
    const std::size_t bins = histograms_[m].size();
    const double width = (of.highest > of.lowest ? of.highest - of.lowest : 1) / static_cast<double>(bins);
    series.x.push_back(of.lowest), series.y.push_back(0);
    for (std::size_t i = 0; i < bins; ++i)
      for (const std::size_t edge : {i, i + 1}) {
        series.x.push_back(of.lowest + static_cast<double>(edge) * width);
        series.y.push_back(histograms_[m][i]);
      }
    series.x.push_back(of.lowest + static_cast<double>(bins) * width), series.y.push_back(0);
    series.name = "runs";
    return plot;
  }

  ReportPlot dependence_plot(const Dependence& one) const {
    const SweepAxis& axis = plan_.axes[one.axis];
    ReportPlot plot;
    plot.title = fmt::format("{} by {}", plan_.measures[one.measure].name, axis.name);
    plot.x_label = axis.name, plot.y_label = plan_.measures[one.measure].name;
    plot.x_log = is_log(axis) && extents_[one.axis].low > 0;
    plot.series = {one.runs};
    if (!one.infeasible.x.empty()) plot.series.push_back(one.infeasible);
    plot.series.push_back(one.effect.curve());
    std::string words;
    for (std::size_t i = 0; i < axis.words.size(); ++i)
      words += fmt::format("{}{}: {}", i == 0 ? "" : ", ", i + 1, axis.words[i]);
    plot.note = words;
    return plot;
  }

  std::vector<ReportPlot> chosen_plots() const {
    std::vector<ReportPlot> plots;
    for (std::size_t m = 0; m < plan_.measures.size() && plots.size() < kMostPlots; ++m) {
      if (result_.measures[m].count == 0) continue;
      plots.push_back(histogram(m));
      for (const Dependence& one : dependences_)
        if (one.measure == m && plots.size() < kMostPlots) plots.push_back(dependence_plot(one));
    }
    return plots;
  }

  std::vector<ReportTable> tables() {
    std::vector<ReportTable> tables{measure_table()};
    if (plan_.axes.size() > 1 && !dependences_.empty()) tables.push_back(effect_table());
    tables.push_back(case_table());
    if (result_.failed > 0) tables.push_back(failure_table());
    return tables;
  }

  static std::string brief(double value) { return fmt::format("{:.5g}", value); }

  ReportTable measure_table() const {
    ReportTable table{"Measures", {"measure", "runs", "lowest", "mean", "deviation", "highest"}, {}, "", ""};
    for (std::size_t m = 0; m < plan_.measures.size(); ++m) {
      const MeasureStatistics& of = result_.measures[m];
      table.rows.push_back({plan_.measures[m].name, std::to_string(of.count), brief(of.lowest), brief(of.mean),
                            brief(of.deviation()), brief(of.highest)});
    }
    return table;
  }

  ReportTable effect_table() const {
    ReportTable table{"Main effects", {"measure"}, {}, "", ""};
    table.text =
        "Between the highest and the lowest mean of a measure over runs that share a value, or a tenth of what varies.";
    for (const Dependence& one : dependences_)
      if (one.measure == 0) table.headers.push_back(plan_.axes[one.axis].name);
    for (std::size_t m = 0; m < plan_.measures.size(); ++m) {
      table.rows.push_back({plan_.measures[m].name});
      for (const Dependence& one : dependences_)
        if (one.measure == m) table.rows.back().push_back(brief(one.effect.strength()));
    }
    return table;
  }

  /// The ends of every measure and the worst runs, each with a page that shows it.
  ReportTable case_table() {
    ReportTable table{"Cases to look at", {"case", "run"}, {}, "", ""};
    for (const SweepAxis& axis : plan_.axes) table.headers.push_back(axis.name);
    table.headers.push_back("animation");
    RunMaker maker(plan_);
    const auto add = [&](const std::string& what, std::uint64_t run) {
      std::vector<std::string> row{what, std::to_string(run)};
      const std::vector<std::string> cells = maker.point_cells(run - 1);
      for (std::size_t i = 0; i < cells.size(); ++i)
        row.push_back(plan_.axes[i].is_number() ? brief(place_on(plan_.axes[i], cells[i])) : cells[i]);
      table.links.push_back(pages_.address(run, what, maker));
      row.push_back(table.links.back().empty() ? "none" : "show");
      table.rows.push_back(std::move(row));
    };
    for (const auto& [value, run] : result_.worst) add(fmt::format("{} = {}", plan_.worst_by, brief(value)), run);
    for (std::size_t m = 0; m < plan_.measures.size(); ++m) {
      const MeasureStatistics& of = result_.measures[m];
      if (of.count == 0) continue;
      add(fmt::format("highest {}, {}", plan_.measures[m].name, brief(of.highest)), of.highest_run);
      add(fmt::format("lowest {}, {}", plan_.measures[m].name, brief(of.lowest)), of.lowest_run);
    }
    return table;
  }

  ReportTable failure_table() const {
    ReportTable table{"Failures", {"runs", "reason"}, {}, "", ""};
    for (const auto& [reason, count] : result_.reasons) table.rows.push_back({std::to_string(count), reason});
    return table;
  }

  const SweepPlan& plan_;
  const SweepResult& result_;
  CasePages pages_;
  std::vector<Extent> extents_;
  std::vector<Dependence> dependences_;
  std::vector<std::vector<double>> histograms_;
  ReportParallel parallel_;
};

}  // namespace

void write_sweep_report(const std::filesystem::path& file, const SweepPlan& plan, const SweepFolder& folder,
                        const SweepResult& result, const std::string& command) {
  write_report(file, SweepPage(plan, folder, result, file).data(command));
}

}  // namespace cardan
