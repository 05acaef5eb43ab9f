// A bare run gives the samples of any other, bit for bit: what it leaves out only warns or identifies.
#include <gtest/gtest.h>

#include <stdexcept>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

struct AllSamples final : Sink {
  std::vector<double> numbers;
  void start(const std::vector<std::string>&) override {}
  void sample(const double* row, std::size_t size) override { numbers.insert(numbers.end(), row, row + size); }
};

RunSummary run_of(const Mechanism& mechanism, const RunOptions& options, bool bare, AllSamples& samples) {
  RunControl control;
  control.bare = bare;
  return run(mechanism, options, &samples, {}, nullptr, control);
}

TEST(BareRun, GivesTheSameSamples) {
  const std::string models = std::string(CARDAN_SOURCE_DIR) + "/models/";
  for (const char* name : {"four_bar.yaml", "double_four_bar.yaml", "slider_crank.yaml", "iltis.yaml", "forklift.yaml",
                           "puma560.yaml", "excavator.yaml", "bricard.yaml"}) {
    const Mechanism mechanism = read_mechanism(models + name);
    for (const char* formulation : {"hybrid", "global"}) {
      RunOptions options = RunOptions::for_mechanism(mechanism);
      options.formulation = formulation;
      options.until = 10 * options.step;
      AllSamples plain, bare;
      const RunSummary one = run_of(mechanism, options, false, plain), other = run_of(mechanism, options, true, bare);
      EXPECT_EQ(one.status, other.status) << name;
      EXPECT_GT(plain.numbers.size(), 10U) << name;
      EXPECT_EQ(plain.numbers, bare.numbers) << name << ' ' << formulation;
    }
  }
}

TEST(BareRun, WarnsOfNothingAboutTheDrawing) {
  // A square drawn flat: all its hinges on one line, from where it can leave in two ways.
  const Mechanism mechanism = read_mechanism_text(R"(cardan: 1
planar: true
points: {A: [0, 0], B: [1, 0], C: [2, 0], D: [1, 0]}
bodies: {one: {rod: [A, B], mass: 1}, two: {rod: [B, C], mass: 1}, three: {rod: [D, C], mass: 1}}
joints:
  a: {revolute: [ground, one], at: A}
  b: {revolute: [one, two], at: B}
  c: {revolute: [two, three], at: C}
  d: {revolute: [ground, three], at: D}
)",
                                                  "flat.yaml", {});
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.until = 0.05;
  options.step = 0.01;
  AllSamples plain, bare;
  const RunSummary one = run_of(mechanism, options, false, plain), other = run_of(mechanism, options, true, bare);
  const auto tells = [](const RunSummary& summary) {
    for (const std::string& warning : summary.warnings)
      if (warning.find("singular position") != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(tells(one));
  EXPECT_FALSE(tells(other));
  EXPECT_EQ(plain.numbers, bare.numbers);
}

TEST(BareRun, CannotBeKeptOrCompared) {
  const Mechanism mechanism = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/four_bar.yaml");
  RunControl control;
  control.bare = control.estimate_error = true;
  EXPECT_THROW(run(mechanism, RunOptions::for_mechanism(mechanism), nullptr, {}, nullptr, control),
               std::invalid_argument);
}

}  // namespace
}  // namespace cardan
