// The driven Iltis on hills from a file of heights: it drives over them by its own wheels, in two formulations alike.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cardan/io.hpp"
#include "last_sample.hpp"

namespace cardan::driven_on_grid {
namespace {

double hill(double x, double y) {
  if (x < 6) return 0;
  return 0.4 * (1 - std::cos(0.5 * (x - 6))) * (1 + 0.3 * std::sin(0.8 * y));
}

/// models/iltis_driven.yaml with its track given as a grid of half a metre.
Mechanism iltis_on_hills(const std::filesystem::path& heights) {
  constexpr double kSpacing = 0.5, kFrom = -10;
  constexpr int kColumns = 101, kRows = 41;
  std::ofstream file(heights);
  file.precision(17);
  for (int j = kRows - 1; j >= 0; --j)
    for (int i = 0; i < kColumns; ++i)
      file << hill(kFrom + kSpacing * i, kFrom + kSpacing * j) << (i + 1 < kColumns ? ", " : "\n");
  file.close();
  std::stringstream text;
  text << std::ifstream(CARDAN_SOURCE_DIR "/models/iltis_driven.yaml").rdbuf();
  std::string model = text.str();
  const std::size_t from = model.find("\nroads:\n"), to = model.find("\nsignals:\n");
  EXPECT_NE(from, std::string::npos);
  model.replace(from, to - from, "\nroads: {track: {grid: " + heights.string() + ", at: [-10, -10], spacing: 0.5}}");
  return read_mechanism_text(model, CARDAN_SOURCE_DIR "/models/iltis_driven.yaml");
}

TEST(DrivenOnGrid, TheIltisDrivesOverAHeightMap) {
  const auto heights = std::filesystem::temp_directory_path() / ("cardan_hills_" + std::to_string(::getpid()) + ".csv");
  const Mechanism iltis = iltis_on_hills(heights);
  std::filesystem::remove(heights);
  std::vector<FinishedRun> runs;
  for (const char* formulation : {"hybrid", "global"}) {
    runs.push_back(finish(iltis, options_of(formulation, 0.001, 4)));
    const auto& [summary, last] = runs.back();
    ASSERT_EQ(summary.status, RunStatus::ok) << formulation << ": " << summary.reason;
    EXPECT_GT(last["chassis.x"], 16);  // the first hill, of 0.8 m, is behind it, and the engine keeps its speed
    EXPECT_LT(last["chassis.x"], 21);
    const double ground = hill(last["chassis.x"], last["chassis.y"]);
    EXPECT_NEAR(last["chassis.z"] - ground, 0.57, 0.15) << formulation;
    EXPECT_LE(summary.allocations, 0);
  }
  EXPECT_LT(LastSample::difference(runs[0].last, runs[1].last, iltis), 1e-3);
}

}  // namespace
}  // namespace cardan::driven_on_grid
