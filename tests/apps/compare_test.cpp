#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

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
  std::set<std::string> combinations(const std::string& folder) const {
    std::set<std::string> names;
    for (const auto& row : csv(folder)) names.insert(row[0] + " " + row[1]);
    return names;
  }
};

TEST_F(CompareTest, ShowsEveryCombinationWithItsError) {
  const Result result = cardan(
      "compare four_bar.yaml --formulations global,hybrid,recursive --integrators trapezoidal,sdirk3 --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "no progress on a pipe";
  EXPECT_TRUE(contains(result.out, "reference: hybrid, trapezoidal, step 0.0003125 s"));
  EXPECT_TRUE(contains(result.out, "left out: recursive with sdirk3: it needs a mass matrix"));
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

  const auto summary = nlohmann::json::parse(read("here/compare.json"));
  EXPECT_EQ(summary["status"], "ok");
  EXPECT_EQ(summary["analysis"], "compare");
  EXPECT_EQ(summary["runs"], 20);
  EXPECT_EQ(summary["failed"], 0);
  EXPECT_EQ(summary["left_out"].size(), 1U);
  EXPECT_LE(summary["cheapest"]["error"], 1e-3);
  EXPECT_TRUE(contains(result.out, fmt::format("cheapest within 0.001: --formulation {} --integrator {}",
                                               std::string(summary["cheapest"]["formulation"]),
                                               std::string(summary["cheapest"]["integrator"]))));
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

/// A line for each combination, and few around them, none longer than a screen is wide; where results were written may
/// be a long path.
void expect_one_screen(const std::string& text, std::size_t combinations) {
  const std::vector<std::string> lines = split(text, '\n');
  EXPECT_LE(lines.size(), combinations + 20) << text;
  for (const std::string& line : lines) {
    if (!line.starts_with("written: ")) EXPECT_LE(line.size(), 110U) << line;
  }
}

TEST_F(CompareTest, FitsAScreen) {
  const Result result = cardan("compare four_bar.yaml --until 2 --steps 0.04,0.02,0.01,0.005 --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  expect_one_screen(result.out, combinations("here").size());
  // A failure of the same sort in another joint is not explained twice.
  EXPECT_FALSE(contains(result.out, "[9]"));
  EXPECT_TRUE(contains(result.out, "left out: global, hybrid, topological, recursive with abm2, bdf: it needs"));
  EXPECT_TRUE(contains(result.out, "own h")) << "integrators that choose their steps";
}

TEST_F(CompareTest, TheDoubleFourBarFitsAScreenWithEveryCombination) {
  const Result result = cardan("compare " CARDAN_SOURCE_DIR "/models/double_four_bar.yaml --until 2 --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  const std::set<std::string> combinations = this->combinations("here");
  expect_one_screen(result.out, combinations.size());
  EXPECT_GE(combinations.size(), 39U);
  // One line each: after the head, those with an integrator in the second column.
  std::size_t shown = 0;
  std::set<std::string> integrators;
  for (const std::string& each : combinations) integrators.insert(each.substr(each.find(' ') + 1));
  for (const std::string& line : split(result.out, '\n')) {
    if (line.size() > 13 && integrators.contains(line.substr(13, line.find(' ', 13) - 13))) ++shown;
  }
  EXPECT_EQ(shown, combinations.size());
}

TEST_F(CompareTest, WritesOnePageWithTablesPlotsAndAnimation) {
  const Result result = cardan(
      "compare four_bar.yaml --until 1 --steps 0.04,0.02,0.01 --formulations hybrid,topological --integrators "
      "trapezoidal,rk4,dopri5 --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string page = read("here/compare.html");
  ASSERT_FALSE(page.empty()) << result.out;
  EXPECT_TRUE(contains(result.out, "compare.html"));
  const std::string mark = R"(id="cardan-data">)";
  const std::size_t begin = page.find(mark) + mark.size();
  const auto report = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_TRUE(contains(report["command"], "compare four_bar.yaml --until 1"));
  EXPECT_EQ(report["models"][0]["text"], kFourBar);
  EXPECT_EQ(report["tables"][0]["rows"].size(), 6U) << "a line for each combination";
  EXPECT_EQ(report["tables"].back()["rows"].size(), csv("here").size());
  EXPECT_EQ(report["tables"][1]["title"], "Failures");
  EXPECT_TRUE(contains(report["tables"][1]["rows"][0][4], "singular"));
  std::vector<std::string> titles;
  for (const auto& plot : report["plots"]) titles.push_back(plot["title"]);
  for (const char* title : {"Precision against work", "Error against the step", "Constraint violation against the step",
                            "Energy error against the step", "Energy error", "Constraint violation"}) {
    EXPECT_NE(std::find(titles.begin(), titles.end(), title), titles.end()) << title;
  }
  std::set<std::string> finished;
  for (const auto& row : csv("here")) {
    if (row[3] == "ok") finished.insert(row[0] + " " + row[1]);
  }
  EXPECT_EQ(report["plots"][0]["series"].size(), finished.size()) << "those that got to the end, at whatever step";
  EXPECT_EQ(report["plots"][0]["series"][0]["group"], "hybrid");
  ASSERT_GE(report["runs"].size(), 1U);
  EXPECT_EQ(report["runs"][0]["scene"]["name"], "four-bar");
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

TEST_F(CompareTest, MovesTheModelByItsInputs) {
  write("cart.yaml", R"(cardan: 1
name: cart
planar: true
inputs: {push: 0}
bodies: {cart: {box: [1, 0.5], at: [0, 0], mass: 2}}
joints: {rail: {prismatic: [ground, cart], at: [0, 0], axis: x}}
loads: {hand: {actuator: rail, effort: push}}
simulation: {until: 1, step: 0.01}
)");
  write("push.csv", "t,push\n0,4\n0.5,0\n");
  const std::string command =
      "compare cart.yaml --formulations hybrid --integrators trapezoidal --steps 0.1,0.05 --out here";
  EXPECT_EQ(cardan(command + " --input push.csv").code, 0);
  // 4 N on 2 kg over half a second, then as fast as it is: constant accelerations, which the rule has exactly.
  const std::vector<std::string> lines = split(read("here/good/trajectory.csv"), '\n');
  const std::vector<std::string> names = split(lines[0], ','), last = split(lines.back(), ',');
  const auto q = std::find(names.begin(), names.end(), "rail.q") - names.begin();
  EXPECT_NEAR(std::stod(last[q]), 0.25 + 0.5, 1e-9);
  const Result wrong = cardan(command + " --overwrite --input pull=push.csv");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "no input 'pull'"));
}

TEST_F(CompareTest, RefusesWhatItDoesNotKnow) {
  for (const char* arguments :
       {"--formulations hybird", "--integrators rk5", "--steps -1", "--reference hybrid",
        "--reference hybrid/trapezoidal/x", "--reference recursive/sdirk3/1e-3", "--accuracy 0"}) {
    const Result result = cardan(std::string("compare four_bar.yaml ") + arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_TRUE(contains(result.err, "cardan: ")) << arguments;
  }
}

}  // namespace
}  // namespace cardan
