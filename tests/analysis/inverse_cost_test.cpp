// Inverse dynamics of a Stewart platform of 13 bodies costs about what a run of the same motion does.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "cardan/analysis.hpp"
#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

/// The least of several, since others may disturb one; processor time of this program.
template <class Work>
double seconds(const Work& work) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

TEST(InverseDynamicsCost, IsThatOfAFewRuns) {
  const Mechanism platform = read_mechanism(CARDAN_SOURCE_DIR "/models/stewart_platform.yaml");
  const RunOptions options = RunOptions::for_mechanism(platform);
  double effort = 0;
  const double inverse = seconds([&] {
    effort = inverse_dynamics(platform, {.step = options.step, .until = options.until}).effort.cwiseAbs().maxCoeff();
  });
  const double forward = seconds([&] { EXPECT_EQ(run(platform, options).status, RunStatus::ok); });
  EXPECT_GT(effort, 100);  // it holds the weight
  EXPECT_LT(inverse, 5 * forward) << inverse << " s against " << forward << " s";
}

}  // namespace
}  // namespace cardan
