// The step history: its columns and what they have to do with the summary.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

class Rows final : public Sink {
 public:
  void start(const std::vector<std::string>& names) override { columns = names; }
  void sample(const double* row, std::size_t size) override { rows.emplace_back(row, row + size); }
  std::vector<double> operator[](const std::string& name) const {
    const auto column = std::find(columns.begin(), columns.end(), name) - columns.begin();
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(row.at(static_cast<std::size_t>(column)));
    return values;
  }
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

double largest_of(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
}

TEST(StepHistory, HasTheSummarysLargestErrorsInItsRows) {
  const Mechanism linkage = read_mechanism(CARDAN_SOURCE_DIR "/models/double_four_bar.yaml");
  for (const char* integrator : {"trapezoidal", "rk4", "dopri5"}) {
    RunOptions options = RunOptions::for_mechanism(linkage);
    options.formulation = "global";
    options.integrator = integrator;
    options.until = 1;
    Rows history;
    const RunSummary summary = run(linkage, options, nullptr, {}, &history);
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    ASSERT_EQ(history.rows.size(), static_cast<std::size_t>(summary.steps));
    EXPECT_EQ(largest_of(history["energy_error"]), summary.energy_max_error) << integrator;
    EXPECT_EQ(largest_of(history["position_violation"]), summary.position.value) << integrator;
    EXPECT_EQ(largest_of(history["velocity_violation"]), summary.velocity.value) << integrator;
    EXPECT_NE(summary.energy_max_error, 0);
    EXPECT_GT(summary.position.value, 0);
    EXPECT_NEAR(history["t"].back(), 1, 1e-12);
  }
}

TEST(StepHistory, CountsWhatComesWithEventsAsNoError) {
  const Mechanism suspension = read_mechanism(CARDAN_SOURCE_DIR "/models/iltis_suspension.yaml");
  RunOptions options = RunOptions::for_mechanism(suspension);
  Rows history;
  const RunSummary summary = run(suspension, options, nullptr, {}, &history);
  ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
  ASSERT_FALSE(summary.events.empty());
  EXPECT_EQ(largest_of(history["energy_error"]), summary.energy_max_error);
  // A jump of the energy at the event would show.
  const std::vector<double> error = history["energy_error"];
  double jump = 0;
  for (std::size_t i = 1; i < error.size(); ++i) jump = std::max(jump, std::abs(error[i] - error[i - 1]));
  EXPECT_LT(jump, 0.5 * std::abs(summary.events[0].energy));
}

}  // namespace
}  // namespace cardan
