#include "studies/double_four_bar/linkage_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cardan {
namespace {

/// Keeps the newest sample.
class LastSample : public Sink {
 public:
  void start(const std::vector<std::string>& columns) override {
    columns_ = columns;
    row_.assign(columns.size(), std::numeric_limits<double>::quiet_NaN());
  }
  void sample(const double* row, std::size_t size) override { std::copy_n(row, size, row_.begin()); }

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<double>& row() const { return row_; }

 private:
  std::vector<std::string> columns_;
  std::vector<double> row_;
};

double within_half_a_turn(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

double per_step(const RunSummary& summary, double total) {
  return total / static_cast<double>(std::max<std::int64_t>(1, summary.steps));
}

}  // namespace

double LinkageRun::iterations_per_step() const { return per_step(summary, static_cast<double>(summary.iterations)); }
double LinkageRun::microseconds_per_step() const { return per_step(summary, 1e6 * summary.cpu_seconds); }

LinkageRun run_linkage(const Mechanism& linkage, RunOptions options, double closed_form_angle,
                       const RunControl& control) {
  options.until = kStudyDuration;
  options.every = std::numeric_limits<int>::max();  // the first and the last sample alone
  LastSample last;
  LinkageRun run;
  run.summary = cardan::run(linkage, options, &last, {}, nullptr, control);
  for (std::size_t i = 0; i < last.columns().size(); ++i) {
    const std::string& column = last.columns()[i];
    if (column == "rod0.angle") {
      // A rod's planar angle runs counter-clockwise from the horizontal.
      const double expected = std::numbers::pi / 2 - closed_form_angle;
      if (!run.failed()) run.crank_angle_error = within_half_a_turn(last.row()[i] - expected);
    } else if (column.starts_with("coupler") && column.ends_with(".angle")) {
      run.coupler_tilt = std::max(run.coupler_tilt, std::abs(within_half_a_turn(last.row()[i])));
    }
  }
  return run;
}

}  // namespace cardan
