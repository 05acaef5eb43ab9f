// What the commands leave in their folders, also when something goes wrong.
#include <nlohmann/json.hpp>

#include "apps/program.hpp"

namespace cardan {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class ResultFolderTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("other.yaml", R"(cardan: 1
name: other
planar: true
gravity: [0, -9.81]
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 2}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
drivers: {motor: {joint: pin, position: t^2}}
simulation: {until: 0.2, step: 0.01}
)");
    write("falling.yaml", R"(cardan: 1
name: four-bar
planar: true
gravity: [0, -9.81]
bodies: {stone: {box: [1, 1, 1], at: [0, 0], mass: 2}}
joints: {nothing: {free: [ground, stone]}}
simulation: {until: 0.2, step: 0.01, start: equilibrium}
)");
    write("spring.yaml", R"(cardan: 1
name: spring
planar: true
gravity: [0, -9.81]
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 2}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
loads: {brake: {torsion: pin, stiffness: 50}}
)");
  }
  std::vector<std::string> files(const std::string& folder) const {
    std::vector<std::string> names;
    if (!fs::exists(folder_ / folder)) return names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / folder)) {
      names.push_back(entry.path().filename().string());
      EXPECT_GT(entry.is_regular_file() ? entry.file_size() : 1, 0U) << entry.path();
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  bool has_viewer() const { return !contains(cardan("view . --seconds 0.01").err, "not in this program"); }
};

TEST_F(ResultFolderTest, FoldersThatAreNamedAreMade) {
  for (const char* command : {"run four_bar.yaml", "inverse other.yaml", "equilibrium spring.yaml", "modes spring.yaml",
                              "compare four_bar.yaml --formulations hybrid --integrators trapezoidal --steps 0.01"}) {
    const std::string name = std::string(command).substr(0, std::string(command).find(' '));
    const Result result = cardan(std::string(command) + " --out new/" + name + "/deep");
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(fs::exists(folder_ / "new" / name / "deep")) << name;
  }
  if (!has_viewer()) return;
  EXPECT_EQ(cardan("run four_bar.yaml --out here --report made/for/page.html").code, 0);
  EXPECT_GT(read("made/for/page.html").size(), 1000U);
}

TEST_F(ResultFolderTest, AFailedAssemblyTouchesNothing) {
  const std::string report = has_viewer() ? " --report page.html" : "";
  EXPECT_EQ(cardan("run falling.yaml --out fresh" + report).code, 2);
  EXPECT_EQ(files("fresh"), std::vector<std::string>{});
  EXPECT_FALSE(fs::exists(folder_ / "page.html"));
  ASSERT_EQ(cardan("run four_bar.yaml --out here").code, 0);
  std::vector<std::string> before;
  for (const std::string& file : files("here")) before.push_back(read("here/" + file));
  EXPECT_EQ(before.size(), 5U);
  EXPECT_EQ(cardan("run falling.yaml --out here").code, 2);
  std::vector<std::string> after;
  for (const std::string& file : files("here")) after.push_back(read("here/" + file));
  EXPECT_EQ(before, after);
  EXPECT_EQ(cardan("inverse spring.yaml --out inverse").code, 2);
  EXPECT_EQ(files("inverse"), std::vector<std::string>{});
}

TEST_F(ResultFolderTest, ResultsOfAnotherModelAreNotReplacedSilently) {
  ASSERT_EQ(cardan("run four_bar.yaml --out here").code, 0);
  const std::string trajectory = read("here/trajectory.csv");
  for (const char* command : {"run", "inverse", "modes --at drawn"}) {
    const Result refused = cardan(std::string(command) + " other.yaml --out here");
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.err,
                         "here holds results of the model 'four-bar', this is 'other'; give another --out, or "
                         "--overwrite to replace them"));
  }
  EXPECT_EQ(read("here/trajectory.csv"), trajectory);
  EXPECT_EQ(cardan("run four_bar.yaml --set L=2 --out here").code, 0) << "the same model";
  EXPECT_EQ(cardan("run other.yaml --overwrite --out here").code, 0);
  EXPECT_EQ(json::parse(read("here/scene.json"))["name"], "other");
  EXPECT_EQ(cardan("inverse other.yaml --out here").code, 0);
  EXPECT_EQ(cardan("modes spring.yaml --out here").code, 2);
  EXPECT_EQ(cardan("modes spring.yaml --overwrite --out here").code, 0);
  EXPECT_EQ(cardan("run four_bar.yaml").code, 0);
  EXPECT_EQ(cardan("run four_bar.yaml --step 0.02").code, 0) << "the default folder of the same model";
}

TEST_F(ResultFolderTest, TheSummaryBelongsToWhatLiesBesideIt) {
  ASSERT_EQ(cardan("run four_bar.yaml --out here").code, 0);
  const Result result = shell(
      "'" CARDAN_PROGRAM
      "' run four_bar.yaml --until 1e6 --every 100 --out here & pid=$!; for i in $(seq 500); do [ -e here/summary.json "
      "] || break; sleep 0.02; done; kill -KILL $pid; wait $pid; ls here");
  EXPECT_FALSE(contains(result.out, "summary.json")) << "the old one went when the new run started";
  EXPECT_TRUE(contains(result.out, "trajectory.csv"));
}

TEST_F(ResultFolderTest, TwoRunsDoNotWriteIntoOneFolder) {
  const Result result = shell(
      "'" CARDAN_PROGRAM
      "' run four_bar.yaml --until 1e6 --every 100 --out here > first.txt & pid=$!; for i in $(seq 500); do [ -e "
      "here/trajectory.csv ] && break; sleep 0.02; done; cardan run four_bar.yaml --out here; echo code $?; kill -INT "
      "$pid; wait $pid; echo code $?; cardan run four_bar.yaml --out here > /dev/null; echo code $?");
  EXPECT_EQ(result.out, "code 2\ncode 130\ncode 0\n") << result.err;
  EXPECT_TRUE(contains(result.err, "another run is writing into here; wait until it has ended, or give another --out"));
}

TEST_F(ResultFolderTest, AnInputIsNeverWrittenOver) {
  write("part.yaml", "cardan: 1\nplanar: true\nbodies: {arm: {rod: [[0, 0], [1, 0]], mass: 2}}\n");
  write("whole.yaml", R"(cardan: 1
name: whole
planar: true
subsystems: {a: {file: part.yaml}}
joints: {pin: {revolute: [ground, a/arm], at: [0, 0]}}
)");
  fs::create_symlink("part.yaml", folder_ / "link.yaml");
  fs::create_directory(folder_ / "in");
  write(
      "in/scene.json",
      R"({"cardan": 1, "name": "whole", "planar": true, "bodies": {"a": {"mass": 1, "inertia": 1, "center": [1, 0]}}, "joints": {"pin": {"revolute": ["ground", "a"], "at": [0, 0]}}})");
  const std::string part = read("part.yaml"), whole = read("whole.yaml"), scene = read("in/scene.json");
  std::vector<std::string> commands = {"equilibrium spring.yaml --out spring.yaml",
                                       "modes spring.yaml --out ./spring.yaml", "run in/scene.json --out in"};
  if (has_viewer())
    for (const char* report : {"whole.yaml", "./whole.yaml", "part.yaml", "link.yaml"})
      commands.push_back(std::string("run whole.yaml --until 0.1 --report ") + report);
  for (const std::string& command : commands) {
    const Result result = cardan(command);
    EXPECT_EQ(result.code, 2) << command;
    EXPECT_TRUE(contains(result.err, "is read for the model and would be written over")) << command;
  }
  EXPECT_EQ(read("part.yaml"), part);
  EXPECT_EQ(read("whole.yaml"), whole);
  EXPECT_EQ(read("in/scene.json"), scene);
}

TEST_F(ResultFolderTest, WhatCannotBeWrittenEndsWith1AndTheSummaryOnTheTerminal) {
  for (const char* file : {"trajectory.csv", "steps.csv"}) {
    fs::remove_all(folder_ / "here");
    fs::create_directory(folder_ / "here");
    fs::create_symlink("/dev/full", folder_ / "here" / file);
    const Result full = cardan("run four_bar.yaml --out here");
    EXPECT_EQ(full.code, 1) << file;
    EXPECT_TRUE(contains(full.out, "four-bar: done at t = 0.5 s"));
    EXPECT_TRUE(contains(full.err, std::string("here/") + file + ": No space left on device"));
  }
  const Result limited = shell("ulimit -f 16; cardan run four_bar.yaml --out limited");
  EXPECT_EQ(limited.code, 1);
  EXPECT_TRUE(contains(limited.out, "four-bar: done at t = 0.5 s"));
  EXPECT_TRUE(contains(limited.err, "File too large"));

  const Result removed =
      shell("'" CARDAN_PROGRAM
            "' run four_bar.yaml --until 1e6 --every 100 --out gone & pid=$!; for i in $(seq 500); do [ -s "
            "gone/trajectory.csv ] && break; sleep 0.02; done; rm -r gone; kill -INT $pid; wait $pid");
  EXPECT_EQ(removed.code, 1);
  EXPECT_TRUE(contains(removed.out, "four-bar: interrupted at t = "));
  EXPECT_TRUE(contains(removed.err, "cannot write gone/summary.json: No such file or directory"));
  fs::create_directory(folder_ / "table");
  fs::create_symlink("/dev/full", folder_ / "table/compare.csv");
  const Result table =
      cardan("compare four_bar.yaml --formulations hybrid --integrators trapezoidal --steps 0.01 --out table");
  EXPECT_EQ(table.code, 1);
  EXPECT_TRUE(contains(table.out, "cheapest within"));
  EXPECT_TRUE(contains(table.err, "cannot write table/compare.csv: No space left on device"));
  if (!has_viewer()) return;
  const Result report = cardan("run four_bar.yaml --out here2 --report /dev/full");
  EXPECT_EQ(report.code, 1);
  EXPECT_TRUE(contains(report.out, "four-bar: done at t = 0.5 s"));
  EXPECT_TRUE(contains(report.err, "cannot write /dev/full: No space left on device"));
}

TEST_F(ResultFolderTest, StandardErrorMayBeClosedOrFull) {
  write("bad.yaml", "cardan: 1\nbodies: {a: {mas: 1}}\n");
  for (const char* where : {"2>&-", "2>/dev/full"}) {
    EXPECT_EQ(shell(std::string("cardan check bad.yaml ") + where).code, 2) << where;
    EXPECT_EQ(shell(std::string("cardan run nothing.yaml ") + where).code, 2) << where;
    EXPECT_EQ(shell(std::string("cardan run four_bar.yaml --step 0 ") + where).code, 2) << where;
    const Result failed =
        shell(std::string("cardan run four_bar.yaml --formulation topological --until 10 --out here ") + where);
    EXPECT_EQ(failed.code, 1) << where;
    EXPECT_TRUE(contains(failed.out, "four-bar: failed at t = "));
    EXPECT_FALSE(contains(read("here/trajectory.csv"), "cardan:")) << "no file took the place of standard error";
  }
}

TEST_F(ResultFolderTest, TheStepHistoryFollowsTheSamplesOrIsSwitchedOff) {
  const auto rows = [this](const std::string& options) {
    EXPECT_EQ(cardan("run four_bar.yaml --out here " + options).code, 0) << options;
    return split(read("here/steps.csv"), '\n');
  };
  EXPECT_EQ(rows("").size(), 51U);
  const std::vector<std::string> all = rows("--every 7 --steps-file all"), some = rows("--every 7");
  EXPECT_EQ(all.size(), 51U);
  ASSERT_EQ(some.size(), 9U) << "7 rows of 7 steps, and the last step";
  // The largest values of the rows are those of all steps, and of the summary.
  const json summary = json::parse(read("here/summary.json"));
  for (const std::size_t column : {2U, 3U, 5U, 6U, 7U}) {
    const auto largest = [column](const std::vector<std::string>& lines) {
      double most = 0;
      for (std::size_t i = 1; i < lines.size(); ++i) {
        const double value = std::stod(split(lines[i], ',')[column]);
        if (std::abs(value) > std::abs(most)) most = value;
      }
      return most;
    };
    EXPECT_EQ(largest(all), largest(some)) << column;
    if (column == 5) EXPECT_EQ(largest(some), summary["energy"]["max_error"]);
    if (column == 6) EXPECT_EQ(largest(some), summary["constraint_violation"]["position"]);
  }
  rows("--steps-file none");
  EXPECT_FALSE(fs::exists(folder_ / "here/steps.csv"));
  EXPECT_EQ(cardan("run four_bar.yaml --steps-file some").code, 2);
}

TEST_F(ResultFolderTest, EveryCommandWritesASummary) {
  ASSERT_EQ(cardan("inverse other.yaml --out paths").code, 0);
  const json inverse = json::parse(read("paths/summary.json"));
  EXPECT_EQ(inverse["status"], "ok");
  EXPECT_EQ(inverse["analysis"], "inverse");
  EXPECT_EQ(inverse["drivers"][0]["name"], "motor");
  EXPECT_NEAR(inverse["drivers"][0]["largest_speed"].get<double>(), 0.4, 1e-12);
  EXPECT_TRUE(contains(cardan("inverse --help").out, "out/<model name>-inverse"));
  ASSERT_EQ(cardan("equilibrium spring.yaml --out rest/").code, 0);
  EXPECT_EQ(files("rest"),
            (std::vector<std::string>{"equilibrium.json", "scene.json", "summary.json", "trajectory.csv"}));
  EXPECT_EQ(json::parse(read("rest/summary.json"))["status"], "ok");
  EXPECT_EQ(split(read("rest/trajectory.csv"), '\n').size(), 2U);
}

}  // namespace
}  // namespace cardan
