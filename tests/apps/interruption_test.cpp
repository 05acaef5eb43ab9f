// Runs that are ended from outside, and taken up again.
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/program.hpp"

namespace cardan {
namespace {

using nlohmann::json;

class InterruptionTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    // A spatial pendulum with a damper that is released on the way: quaternions, work of loads, an event.
    write("arm.yaml", R"(cardan: 1
name: arm
gravity: [0, 0, -9.81]
bodies:
  upper: {rod: [[0, 0, 0], [0.5, 0.1, 0.2]], mass: 2}
  lower: {rod: [[0.5, 0.1, 0.2], [0.9, 0.5, 0.1]], mass: 1}
joints:
  shoulder: {spherical: [ground, upper], at: [0, 0, 0]}
  elbow: {revolute: [upper, lower], at: [0.5, 0.1, 0.2], axis: [0, 1, 0.3]}
  hook: {spherical: [ground, lower], at: [0.9, 0.5, 0.1]}
loads:
  brake: {torsion: elbow, stiffness: 0, damping: 0.05}
events:
  let_go: {at: 0.11, release: hook}
simulation: {until: 0.3, step: 0.00005}
)");
  }

  /// Starts the program, waits until `file` has so many bytes, and sends it a signal.
  int interrupted(const std::string& arguments, const std::string& file, std::size_t bytes, int signal) const {
    const std::string script =
        "cd '" + folder_.string() + "' && exec '" CARDAN_PROGRAM "' " + arguments + " > stdout.txt 2> stderr.txt";
    const char* const words[] = {"sh", "-c", script.c_str(), nullptr};
    pid_t child = 0;
    EXPECT_EQ(posix_spawn(&child, "/bin/sh", nullptr, nullptr, const_cast<char* const*>(words), environ), 0);
    std::error_code missing;
    for (int i = 0; i < 3000; ++i) {
      const auto size = std::filesystem::file_size(folder_ / file, missing);
      if (!missing && size >= bytes) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  void expect_same_run(const std::string& one, const std::string& other) const {
    EXPECT_TRUE(read(one + "/trajectory.csv") == read(other + "/trajectory.csv"));
    EXPECT_TRUE(read(one + "/steps.csv") == read(other + "/steps.csv"));
    json a = json::parse(read(one + "/summary.json")), b = json::parse(read(other + "/summary.json"));
    for (json* summary : {&a, &b}) {
      EXPECT_EQ((*summary)["status"], "ok");
      for (const char* time : {"cpu_seconds", "real_time_factor"}) summary->erase(time);
    }
    EXPECT_EQ(a, b);
  }
};

TEST_F(InterruptionTest, EndsAtTheNextStepWithAllThatItHas) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove_all(folder_ / "here");
    const int code = interrupted("run four_bar.yaml --until 1e6 --every 10 --out here --report new/page.html",
                                 "here/trajectory.csv", 20000, signal);
    EXPECT_EQ(code, 130);
    EXPECT_TRUE(contains(read("stdout.txt"), "four-bar: interrupted at t = "));
    EXPECT_TRUE(contains(read("stderr.txt"), "the same command with --resume goes on from t = "));
    const json summary = json::parse(read("here/summary.json"));
    EXPECT_EQ(summary["status"], "interrupted");
    EXPECT_TRUE(contains(summary["reason"], "interrupted at t = "));
    const std::vector<std::string> rows = split(read("here/trajectory.csv"), '\n');
    EXPECT_NEAR(std::stod(rows.back()), summary["duration"].get<double>(), 1e-9) << "the last row is where it ended";
    if (!contains(read("stderr.txt"), "viewer, which is not in this program"))
      EXPECT_TRUE(contains(read("new/page.html"), "Interrupted at t = "));
  }
}

/// In every formulation with every integrator: see tests/simulation/run_record_test.cpp.
TEST_F(InterruptionTest, AResumedRunGivesTheSameBits) {
  const struct {
    const char *model, *options;
  } cases[] = {{"four_bar.yaml", "--step 0.0002 --until 3 --every 3"},
               {"arm.yaml", "--formulation hybrid --every 4"},
               {"arm.yaml", "--formulation global --integrator dopri5 --steps-file all"}};
  int resumed = 0;
  for (const auto& [model, options] : cases) {
    SCOPED_TRACE(std::string(model) + " " + options);
    const std::string command = std::string("run ") + model + " " + options;
    std::filesystem::remove_all(folder_ / "whole");
    std::filesystem::remove_all(folder_ / "parts");
    const Result whole = cardan(command + " --out whole");
    ASSERT_EQ(whole.code, 0) << whole.err;
    // In pieces that end at odd places: the end of a piece is free, whatever it was interrupted by.
    const double until = json::parse(read("whole/summary.json"))["duration"];
    const int code = interrupted(command + " --out parts", "parts/trajectory.csv", 2000, SIGINT);
    ASSERT_TRUE(code == 130 || code == 0) << read("stderr.txt");
    if (code == 130) {
      ++resumed;
      const double reached = json::parse(read("parts/summary.json"))["duration"];
      EXPECT_LT(reached, until);
      const Result rest = cardan(command + " --out parts --resume");
      ASSERT_EQ(rest.code, 0) << rest.err;
    }
    expect_same_run("whole", "parts");
  }
  EXPECT_GE(resumed, 1) << "some run must have been caught under way";
}

TEST_F(InterruptionTest, AKilledRunGoesOnFromItsLastSavedState) {
  const std::string command = "run four_bar.yaml --step 2e-5 --until 4 --every 100 --save-every 0.02";
  const int code = interrupted(command + " --out parts", "parts/state.json", 100, SIGKILL);
  ASSERT_EQ(code, -SIGKILL) << "or the run was too short";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "parts/summary.json"));
  const double saved = json::parse(read("parts/state.json"))["time"];
  EXPECT_GT(saved, 0);
  const Result rest = cardan(command + " --out parts --resume");
  ASSERT_EQ(rest.code, 0) << rest.err;
  ASSERT_EQ(cardan(command + " --out whole").code, 0);
  expect_same_run("whole", "parts");
}

TEST_F(InterruptionTest, AFinishedRunCanGoFurther) {
  ASSERT_EQ(cardan("run four_bar.yaml --until 0.3 --out parts").code, 0);
  ASSERT_EQ(cardan("run four_bar.yaml --until 0.5 --out parts --resume").code, 0);
  ASSERT_EQ(cardan("run four_bar.yaml --until 0.5 --out whole").code, 0);
  // The step that ended at 0.3 was set to end there exactly, which rounding tells from one on the way.
  const std::vector<std::string> parts = split(read("parts/trajectory.csv"), '\n'),
                                 whole = split(read("whole/trajectory.csv"), '\n');
  ASSERT_EQ(parts.size(), whole.size());
  const std::vector<std::string> last = split(parts.back(), ','), other = split(whole.back(), ',');
  for (std::size_t i = 0; i < last.size(); ++i) EXPECT_NEAR(std::stod(last[i]), std::stod(other[i]), 1e-6);
  const std::string before = read("parts/trajectory.csv");
  ASSERT_EQ(cardan("run four_bar.yaml --until 0.5 --out parts --resume").code, 0) << "nothing is left to do";
  EXPECT_TRUE(read("parts/trajectory.csv") == before);
  EXPECT_EQ(json::parse(read("parts/summary.json"))["status"], "ok");
  const Result back = cardan("run four_bar.yaml --until 0.2 --out parts --resume");
  EXPECT_EQ(back.code, 2);
  EXPECT_TRUE(contains(back.err, "is at t = 0.5 s, beyond the end at 0.2 s"));
}

TEST_F(InterruptionTest, AStateOfAnotherRunIsRefused) {
  EXPECT_EQ(cardan("run four_bar.yaml --out here --resume").code, 2);
  EXPECT_TRUE(contains(read("stderr.txt"), "there is no here/state.json to go on from"));
  ASSERT_EQ(cardan("run four_bar.yaml --until 0.2 --out here").code, 0);
  const std::string trajectory = read("here/trajectory.csv"), summary = read("here/summary.json");
  const std::string other_name = std::string(kFourBar).replace(std::string(kFourBar).find("four-bar"), 8, "three-bar");
  write("other.yaml", other_name);
  write("heavy.yaml", std::string(kFourBar) + "# changed\n");
  const struct {
    const char *arguments, *sentence;
  } cases[] = {{"four_bar.yaml --step 0.02", "it was saved with step 0.01, now 0.02"},
               {"four_bar.yaml --formulation global", "it was saved with formulation hybrid, now global"},
               {"four_bar.yaml --every 2", "it was saved with every 1, now 2"},
               {"four_bar.yaml --steps-file none", "it was saved with steps_file every, now none"},
               {"four_bar.yaml --tolerance 1e-9", "it was saved with tolerance automatic, now 1e-09"},
               {"four_bar.yaml --set L=1.5", "it was saved with the parameter L as the model has it, now 1.5"},
               {"heavy.yaml", "the model has been changed since it was saved"},
               {"other.yaml --overwrite", "it was saved by the model 'four-bar', this is 'three-bar'"}};
  for (const auto& [arguments, sentence] : cases) {
    const Result result = cardan(std::string("run ") + arguments + " --out here --resume");
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_TRUE(contains(result.err, sentence)) << arguments;
  }
  std::string damaged = read("here/state.json");
  const std::size_t digit = damaged.find_first_of("123456789", damaged.find("numbers"));
  damaged[digit] = damaged[digit] == '1' ? '2' : '1';
  write("here/state.json", damaged);
  EXPECT_TRUE(contains(cardan("run four_bar.yaml --out here --resume").err, "here/state.json is damaged"));
  const std::string version = "\"cardan_state\": ";
  damaged[damaged.find(version) + version.size()] = '1';
  write("here/state.json", damaged);
  EXPECT_TRUE(contains(cardan("run four_bar.yaml --out here --resume").err,
                       "here/state.json was saved by another version of the program (its format is 1"));
  EXPECT_EQ(read("here/trajectory.csv"), trajectory) << "nothing was touched";
  EXPECT_EQ(read("here/summary.json"), summary);
}

/// Ended later and later, until there was something to keep: how long that takes is the machine's business.
TEST_F(InterruptionTest, CompareAndStudyKeepWhatTheyHave) {
  const struct {
    const char *arguments, *table, *page;
  } cases[] = {{"compare four_bar.yaml --until 3 --steps 0.02,1e-6 --reference hybrid/trapezoidal/1e-3 --formulations "
                "hybrid,global --integrators trapezoidal --out here",
                "here/compare.csv", "here/compare.html"},
               {"study double-four-bar --out study", "study/given_penalty.csv", "study/double-four-bar.html"}};
  for (const auto& [arguments, table, page] : cases) {
    std::size_t rows = 0;
    for (double wait = 0.5; wait < 40 && rows < 2; wait *= 1.5) {
      const Result result = shell("'" CARDAN_PROGRAM "' " + std::string(arguments) + " & pid=$!; sleep " +
                                  std::to_string(wait) + "; kill -INT $pid; wait $pid");
      ASSERT_EQ(result.code, 130) << arguments << result.out << result.err;
      EXPECT_TRUE(contains(result.err, "interrupted"));
      rows = split(read(table), '\n').size();
      if (rows >= 2 && !contains(result.out, "which is not in this program")) EXPECT_FALSE(read(page).empty());
    }
    EXPECT_GE(rows, 2U) << arguments;
    EXPECT_TRUE(read(table).ends_with('\n'));
  }
}

}  // namespace
}  // namespace cardan
