#include <cmath>

#include "program.hpp"

namespace cardan {
namespace {

class CompareTest : public ProgramTest {
 protected:
  /// compare.csv without its header, split into fields (reasons may hold commas; they come last).
  std::vector<std::vector<std::string>> csv(const std::string& folder) const {
    std::vector<std::vector<std::string>> rows;
    const std::vector<std::string> lines = split(read(folder + "/compare.csv"), '\n');
    for (std::size_t i = 1; i < lines.size(); ++i) rows.push_back(split(lines[i], ','));
    return rows;
  }
};

TEST_F(CompareTest, ShowsEveryCombinationWithItsError) {
  const Result result = cardan(
      "compare four_bar.yaml --formulations global,hybrid,recursive --integrators trapezoidal,newmark --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "no progress on a pipe";
  EXPECT_TRUE(contains(result.out, "reference: hybrid, trapezoidal, step 0.0003125 s"));
  EXPECT_TRUE(contains(result.out, "left out: recursive with newmark: it needs a mass matrix"));
  EXPECT_TRUE(contains(result.out, "cheapest within 0.001: --formulation "));

  const auto rows = csv("here");
  ASSERT_EQ(rows.size(), 5U * 4U) << "five combinations, four steps";
  EXPECT_EQ(rows.front()[0], "global");
  EXPECT_EQ(rows.back()[0], "recursive");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][3], "ok");
    const double error = std::stod(rows[i][4]);
    EXPECT_GT(error, 0);
    EXPECT_LT(error, 0.05);
    if (i % 4 > 0) EXPECT_LT(error, std::stod(rows[i - 1][4])) << "half the step, smaller error";
  }
  // Order two: a quarter of the error.
  EXPECT_NEAR(std::stod(rows[10][4]) / std::stod(rows[11][4]), 4, 1);
}

TEST_F(CompareTest, IsTheSameWhateverFinishesFirst) {
  const std::string command =
      "compare four_bar.yaml --formulations hybrid,topological --integrators trapezoidal,rk4 --out ";
  EXPECT_EQ(cardan(command + "one").code, 0);
  EXPECT_EQ(cardan(command + "two").code, 0);
  const auto one = csv("one"), two = csv("two");
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t field : {0, 1, 2, 3, 4, 5, 7, 8, 10}) EXPECT_EQ(one[i][field], two[i][field]);
  }
}

TEST_F(CompareTest, OneFailureLeavesTheOthersAloneAndIsExplained) {
  // The upright four-bar passes a singular position within a second.
  const Result result = cardan(
      "compare four_bar.yaml --until 2 --steps 0.02,0.01 --formulations hybrid,topological --integrators trapezoidal "
      "--out here");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "[1] the equations became singular"));
  const auto rows = csv("here");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0][3], "ok");
  EXPECT_EQ(rows[1][3], "ok");
  EXPECT_EQ(rows[2][3], "failed");
  EXPECT_TRUE(contains(rows[2].back(), "singular position"));
}

TEST_F(CompareTest, FitsAScreen) {
  const Result result = cardan("compare four_bar.yaml --until 2 --steps 0.04,0.02,0.01,0.005 --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  const std::vector<std::string> lines = split(result.out, '\n');
  EXPECT_LE(lines.size(), 66U);
  for (const std::string& line : lines) {
    if (!line.starts_with("written: ")) EXPECT_LE(line.size(), 120U) << line;
  }
  // A failure of the same sort in another joint is not explained twice.
  EXPECT_FALSE(contains(result.out, "[9]"));
  EXPECT_TRUE(contains(result.out, "left out: global, hybrid, topological, recursive with abm2, bdf: it needs"));
}

TEST_F(CompareTest, TakesAReferenceAndSteps) {
  const Result result = cardan(
      "compare four_bar.yaml --reference global/trapezoidal/1e-3 --steps 0.01 --formulations hybrid "
      "--integrators trapezoidal --accuracy 1e-9 --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "reference: global, trapezoidal, step 0.001 s"));
  EXPECT_TRUE(contains(result.out, "no run stays within 1e-09 of the reference"));
  EXPECT_EQ(csv("here").size(), 1U);
}

TEST_F(CompareTest, RefusesWhatItDoesNotKnow) {
  for (const char* arguments :
       {"--formulations hybird", "--integrators rk5", "--steps -1", "--reference hybrid",
        "--reference hybrid/trapezoidal/x", "--reference recursive/newmark/1e-3", "--accuracy 0"}) {
    const Result result = cardan(std::string("compare four_bar.yaml ") + arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_TRUE(contains(result.err, "cardan: ")) << arguments;
  }
}

}  // namespace
}  // namespace cardan
