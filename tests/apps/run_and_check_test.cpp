#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cardan/registry.hpp"
#include "program.hpp"

namespace cardan {
namespace {

using nlohmann::json;

class RunTest : public ProgramTest {
 protected:
  /// trajectory.csv by column.
  struct Trajectory {
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
    bool has(const std::string& column) const {
      return std::find(columns.begin(), columns.end(), column) != columns.end();
    }
    double at(std::size_t row, const std::string& column) const {
      const auto found = std::find(columns.begin(), columns.end(), column);
      return found == columns.end() ? std::nan("") : rows.at(row).at(found - columns.begin());
    }
  };
  Trajectory trajectory(const std::string& folder) const {
    Trajectory result;
    const std::vector<std::string> lines = split(read(folder + "/trajectory.csv"), '\n');
    if (lines.empty()) return result;
    result.columns = split(lines[0], ',');
    for (std::size_t i = 1; i < lines.size(); ++i) {
      std::vector<double>& row = result.rows.emplace_back();
      for (const std::string& field : split(lines[i], ',')) row.push_back(std::strtod(field.c_str(), nullptr));
    }
    return result;
  }
};

TEST_F(RunTest, CheckCountsWhatMovesAModelFromOutside) {
  write("press.yaml", R"(cardan: 1
name: press
points: {O: [0, 0, 0], P: [0, 0, 1]}
bodies: {ram: {box: [0.4, 0.4, 0.2], at: P, mass: 800}, wheel: {mass: 1, center: O, inertia: [1, 1, 1]}}
joints: {guide: {prismatic: [ground, ram], at: P, axis: z}, shaft: {revolute: [ground, wheel], at: O, axis: z}}
couplers: {teeth: {rack: [shaft, guide], radius: 0.1}}
inputs: {lever: 0.4}
signals: {held: {value: guide.q, every: 0.1}}
loads:
  jack: {cylinder: [ground, ram], at: [O, P], bore: 0.08, rod: 0.05, retracted: 0.7, stroke: 0.6, start: [2e6, 1e6]}
  valve: {valve: jack, supply: pump, command: lever, rated_flow: 8e-4}
  pump: {pump: 5e-4, volume: 1e-3, start: 4e6, relief: 1.5e7}
)");
  const Result text = cardan("check press.yaml");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "2 bodies, 2 joints, 1 load, 1 coupler, 0 drivers, 1 input, 4 states\n")) << text.out;
  const json checked = json::parse(cardan("check press.yaml --json").out);
  EXPECT_EQ(checked["inputs"], 1);
  EXPECT_EQ(checked["states"], 4);
}

TEST_F(RunTest, CheckCountsCoordinatesForEveryFormulation) {
  const Result text = cardan("check four_bar.yaml");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "four-bar: planar, 3 bodies, 4 joints, 0 loads, 0 drivers"));

  const Result result = cardan("check four_bar.yaml --json");
  EXPECT_EQ(result.code, 0) << result.err;
  const json checked = json::parse(result.out);
  EXPECT_EQ(checked["bodies"], 3);
  EXPECT_EQ(checked["joints"], 4);
  ASSERT_EQ(checked["formulations"].size(), formulations().size());
  for (const json& entry : checked["formulations"]) {
    EXPECT_EQ(entry["degrees_of_freedom"], 1) << entry;
    EXPECT_EQ(entry["redundant_constraints"], 0) << entry;
    if (entry["formulation"] == "global") {
      EXPECT_EQ(entry["coordinates"], 4);
      EXPECT_EQ(entry["constraints"], 3);
    }
    if (entry["formulation"] == "cartesian") {
      EXPECT_EQ(entry["coordinates"], 9);
      EXPECT_EQ(entry["constraints"], 8);
    }
    if (entry["formulation"] == "hybrid") {
      EXPECT_EQ(entry["coordinates"], 3);
      EXPECT_EQ(entry["constraints"], 2);
      EXPECT_EQ(entry["cut"].size(), 1U);
    }
  }
}

TEST_F(RunTest, CheckCountsWhatItCanWithoutAPosition) {
  write("apart.yaml", R"(cardan: 1
name: apart
planar: true
bodies:
  crank: {rod: [[0, 0], [0, 0.3]], mass: 1}
  rocker: {rod: [[2, 0], [2, 0.3]], mass: 1}
joints:
  a: {revolute: [ground, crank], at: [0, 0]}
  d: {revolute: [ground, rocker], at: [2, 0]}
  link: {distance: [crank, rocker], at: [[0, 0.3], [2, 0.3]], length: 1}
)");
  const Result text = cardan("check apart.yaml");
  EXPECT_EQ(text.code, 2);
  EXPECT_TRUE(contains(text.out + text.err, "joint 'link': the mechanism cannot be assembled"));
  EXPECT_TRUE(contains(text.out,
                       "counted without a position: 6 freedoms of the bodies, 5 constraints of joints and couplers, so "
                       "at least 1 degree of freedom"));
  const json checked = json::parse(cardan("check apart.yaml --json").out);
  EXPECT_EQ(checked["body_freedoms"], 6);
  EXPECT_EQ(checked["joint_constraints"], 5);
}

TEST_F(RunTest, CheckAndRunTellOfASingularPosition) {
  std::string flat = kFourBar;
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(flat.find(from), std::string::npos);
    flat.replace(flat.find(from), from.size(), to);
  };
  replace("B0: [0, L], B1: [L, L]", "B0: [L, 0], B1: [2*L, 0]");
  replace("initial: {crank: {angular_velocity: -1}}\n", "");
  write("flat.yaml", flat);
  const char* const told = "drawn in a singular position: the loop closed by 'pinB1 position";
  const Result text = cardan("check flat.yaml");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, told)) << text.out;
  const json checked = json::parse(cardan("check flat.yaml --json").out);
  EXPECT_TRUE(contains(checked["warnings"].dump(), told)) << checked["warnings"];
  for (const json& entry : checked["formulations"]) EXPECT_EQ(entry["degrees_of_freedom"], 1) << entry;
  const Result run = cardan("run flat.yaml --json");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(contains(json::parse(run.out)["warnings"].dump(), told)) << run.out;
  EXPECT_FALSE(contains(cardan("check four_bar.yaml").out, "singular"));
}

TEST_F(RunTest, WritesWhatItPromises) {
  const Result result = cardan("run four_bar.yaml");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "no progress on a pipe";
  EXPECT_TRUE(contains(result.out, "four-bar: done at t = 0.5 s after 50 steps"));

  const Trajectory motion = trajectory("out/four-bar");
  ASSERT_FALSE(motion.columns.empty());
  EXPECT_EQ(motion.columns[0], "t");
  for (const char* column : {"crank.x", "crank.y", "crank.angle", "crank.vx", "crank.vy", "crank.w", "rocker.angle",
                             "pinA0.q", "pinA0.v", "pinA0.fx", "pinB1.fy"}) {
    EXPECT_TRUE(motion.has(column)) << column;
  }
  ASSERT_EQ(motion.rows.size(), 51U);
  for (const auto& row : motion.rows) EXPECT_EQ(row.size(), motion.columns.size());
  EXPECT_EQ(motion.at(0, "t"), 0);
  EXPECT_EQ(motion.at(50, "t"), 0.5);
  EXPECT_NEAR(motion.at(0, "crank.y"), 0.5, 1e-12);
  EXPECT_NEAR(motion.at(0, "rocker.w"), -1, 1e-9);

  const json summary = json::parse(read("out/four-bar/summary.json"));
  EXPECT_EQ(summary["status"], "ok");
  EXPECT_EQ(summary["model"], "four-bar");
  EXPECT_EQ(summary["formulation"]["used"], "hybrid");
  EXPECT_EQ(summary["steps"], 50);
  EXPECT_EQ(summary["duration"], 0.5);
  EXPECT_EQ(summary["allocations"], 0);
}

TEST_F(RunTest, JsonOnStandardOutputIsTheSummaryAlone) {
  const Result result = cardan("run four_bar.yaml --json --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(json::accept(result.out)) << result.out;
  EXPECT_EQ(result.out, read("here/summary.json"));
}

TEST_F(RunTest, OptionsOverrideTheModel) {
  const Result result = cardan(
      "run four_bar.yaml --json --out here --formulation global --integrator newmark --step 0.02 --until 0.25 "
      "--solver sparse --every 5");
  EXPECT_EQ(result.code, 0) << result.err;
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["formulation"]["asked"], "global");
  EXPECT_EQ(summary["integrator"]["asked"], "newmark");
  EXPECT_EQ(summary["solver"]["used"], "sparse");
  EXPECT_EQ(summary["step"], 0.02);
  EXPECT_EQ(summary["steps"], 13) << "the last one is shortened";
  const Trajectory motion = trajectory("here");
  ASSERT_EQ(motion.rows.size(), 4U) << "steps 0, 5, 10 and the last";
  EXPECT_EQ(motion.at(3, "t"), 0.25);
}

TEST_F(RunTest, ParametersChangeTheModel) {
  EXPECT_EQ(cardan("run four_bar.yaml --set L=2 --out long").code, 0);
  EXPECT_NEAR(trajectory("long").at(0, "crank.y"), 1, 1e-12);
}

TEST_F(RunTest, TheCutJointCanBeChosen) {
  const Result result = cardan("run four_bar.yaml --cut pinA1 --json --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  const Result unknown = cardan("run four_bar.yaml --cut pinA9 --json --out here");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "pinA9"));
}

TEST_F(RunTest, AnUnwritableFolderIsRefusedBeforeTheRun) {
  write("file", "");
  for (const char* out : {"file", "file/below"}) {
    const Result result = cardan(std::string("run four_bar.yaml --out ") + out);
    EXPECT_EQ(result.code, 2);
    EXPECT_TRUE(contains(result.err, std::string("cannot create the folder ") + out));
    EXPECT_EQ(result.out, "");
  }
  std::filesystem::create_directories(folder_ / "taken/trajectory.csv");
  const Result taken = cardan("run four_bar.yaml --out taken");
  EXPECT_EQ(taken.code, 2);
  EXPECT_TRUE(contains(taken.err, "cannot write taken/trajectory.csv"));
}

TEST_F(RunTest, AReaderThatGoesAwayCostsNothing) {
  const Result result = shell("{ cardan run four_bar.yaml --json --out here; echo $? > code; } | true");
  EXPECT_EQ(read("code"), "0\n") << result.err;
  EXPECT_TRUE(json::accept(read("here/summary.json")));
  EXPECT_EQ(trajectory("here").rows.size(), 51U);
}

TEST_F(RunTest, AFailedRunExitsWith1AndKeepsItsRows) {
  // Lying flat the four-bar is singular, which independent coordinates cannot pass.
  const Result result = cardan("run four_bar.yaml --formulation topological --until 10 --out here");
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(contains(result.err, "the simulation failed: "));
  EXPECT_TRUE(contains(result.out, "four-bar: failed at t = "));
  const json summary = json::parse(read("here/summary.json"));
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_NE(summary["reason"], "");
  const Trajectory motion = trajectory("here");
  ASSERT_GT(motion.rows.size(), 10U);
  EXPECT_LE(motion.rows.back()[0], summary["duration"].get<double>() + 1e-12);
}

TEST_F(RunTest, SameInputSameBits) {
  ASSERT_EQ(cardan("run four_bar.yaml --out one").code, 0);
  ASSERT_EQ(cardan("run four_bar.yaml --out two").code, 0);
  EXPECT_EQ(read("one/trajectory.csv"), read("two/trajectory.csv"));
}

}  // namespace
}  // namespace cardan
