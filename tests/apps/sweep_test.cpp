// `cardan sweep`: the table does not depend on who made it or how often they were killed; what is wrong with a plan is
// said before anything is written.
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "apps/program.hpp"

extern char** environ;

namespace cardan {
namespace {

using nlohmann::json;

constexpr const char* kPlan = R"(sweep: 1
name: lengths
model: four_bar.yaml
vary:
  L: {from: 0.8, to: 1.25, count: 6, spacing: log}
simulation: {formulation: [hybrid, global], until: 0.2}
measures:
  highest: {max: tip.y}
  turned: {end: pinA0.q}
  crossed: {first: crank.angle < 1.5}
  force: {max: abs(pinA1.fx)}
constraints: {near: highest < 1.1}
)";

class SweepTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    // A marker at the end of the crank.
    std::string model = kFourBar;
    model.insert(model.find("joints:"), "markers: {tip: {body: crank, at: B0}}\n");
    model.replace(model.find("{L: 1.0}"), 8, "{L: 1.0, mass: 1.0}");
    write("four_bar.yaml", model);
    write("plan.yaml", kPlan);
  }

  /// The numbers of the runs that journals hold, one for each line that is whole.
  std::vector<int> journal_runs(const std::string& folder) const {
    std::vector<int> runs;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / folder)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("journal-")) continue;
      std::string text = read(folder + "/" + name);
      text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
      for (const std::string& line : split(text, '\n')) runs.push_back(std::stoi(line.substr(9)));
    }
    return runs;
  }

  pid_t start(const std::string& arguments, int rank, int ranks) const {
    std::vector<std::string> words{CARDAN_PROGRAM, "sweep"};
    for (const std::string& word : split(arguments, ' ')) words.push_back(word);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<std::string> variables;
    if (ranks > 1)
      variables = {"OMPI_COMM_WORLD_RANK=" + std::to_string(rank), "OMPI_COMM_WORLD_SIZE=" + std::to_string(ranks),
                   "OMPI_COMM_WORLD_LOCAL_SIZE=" + std::to_string(ranks)};
    std::vector<char*> environment;
    for (char** one = environ; *one != nullptr; ++one) environment.push_back(*one);
    for (std::string& one : variables) environment.push_back(one.data());
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t pid = -1;
    EXPECT_EQ(posix_spawn(&pid, CARDAN_PROGRAM, &actions, nullptr, argv.data(), environment.data()), 0);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
  }
  static int wait_for(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(SweepTest, TableIsTheSameWhoeverMakesIt) {
  const Result one = cardan("sweep plan.yaml --threads 1 --out one");
  ASSERT_EQ(one.code, 0) << one.err;
  const std::string table = read("one/sweep.csv");
  EXPECT_EQ(split(table, '\n').size(), 13U) << table;
  EXPECT_EQ(split(table, '\n')[0], "run,L,formulation,status,highest,turned,crossed,force,feasible,violated,reason");
  EXPECT_TRUE(contains(read("one/summary.json"), "\"complete\""));
  ASSERT_EQ(cardan("sweep plan.yaml --threads 2 --out two").code, 0);
  EXPECT_EQ(read("two/sweep.csv"), table);
  // Ranks, as a launcher starts them.
  for (const int ranks : {2, 4}) {
    const std::string out = "ranks" + std::to_string(ranks);
    std::vector<pid_t> all;
    for (int rank = 0; rank < ranks; ++rank)
      all.push_back(start((folder_ / "plan.yaml").string() + " --out " + (folder_ / out).string(), rank, ranks));
    for (const pid_t pid : all) EXPECT_EQ(wait_for(pid), 0);
    EXPECT_EQ(read(out + "/sweep.csv"), table);
    EXPECT_EQ(journal_runs(out).size(), 12U);
  }
  // Parts of a job array in one folder, and in folders of their own that are brought together.
  for (const char* part : {"1/3", "2/3", "3/3"}) {
    ASSERT_EQ(cardan(std::string("sweep plan.yaml --out parts --part ") + part).code, 0);
    ASSERT_EQ(cardan(std::string("sweep plan.yaml --out apart") + part[0] + " --part " + part).code, 0);
  }
  EXPECT_EQ(read("parts/sweep.csv"), table);
  const Result merged = cardan("sweep plan.yaml --out merged --merge apart1 --merge apart2 --merge apart3");
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(read("merged/sweep.csv"), table);
  EXPECT_EQ(journal_runs("merged").size(), 12U);
}

TEST_F(SweepTest, UnderMpirunTheTableIsTheSame) {
  ASSERT_EQ(shell("mpirun --version").code, 0) << "make test installs mpirun";
  ASSERT_EQ(cardan("sweep plan.yaml --out alone").code, 0);
  for (const char* ranks : {"2", "4"}) {
    const Result result =
        shell(std::string("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n ") +
              ranks + " '" CARDAN_PROGRAM "' sweep plan.yaml --out ranks" + ranks);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(read(std::string("ranks") + ranks + "/sweep.csv"), read("alone/sweep.csv"));
    // One of them talks, whether or not the others have left it something to do.
    const std::string end = "12 of 12 runs done:";
    EXPECT_NE(result.out.find(end), std::string::npos) << result.out;
    EXPECT_EQ(result.out.find(end), result.out.rfind(end)) << result.out;
  }
}

TEST_F(SweepTest, KilledAtAnyMomentItGoesOn) {
  write("long.yaml", R"(sweep: 1
model: four_bar.yaml
vary: {L: {uniform: [0.8, 1.2]}}
sample: {sobol: 40, seed: 7}
simulation: {until: 1, step: 0.0005}
measures: {turned: {end: pinA0.q}}
)");
  ASSERT_EQ(cardan("sweep long.yaml --threads 2 --out whole").code, 0);
  std::mt19937 random(1);
  const auto nap = [&random] {
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(2'000, 60'000)(random)));
  };
  const auto command = [&](const char* out) {
    return (folder_ / "long.yaml").string() + " --threads 2 --out " + (folder_ / out).string();
  };
  for (int kill_number = 0; kill_number < 25; ++kill_number) {
    const pid_t pid = start(command("threads"), 0, 1);
    nap();
    kill(pid, SIGKILL);
    wait_for(pid);
  }
  // Of two ranks now one is killed, now the other; what it had in hand is taken over.
  pid_t ranks[2] = {start(command("ranks"), 0, 2), start(command("ranks"), 1, 2)};
  for (int kill_number = 0; kill_number < 25; ++kill_number) {
    const int which = kill_number % 2;
    nap();
    kill(ranks[which], SIGKILL);
    wait_for(ranks[which]);
    ranks[which] = start(command("ranks"), which, 2);
  }
  for (const pid_t rank : ranks) EXPECT_EQ(wait_for(rank), 0);
  ASSERT_EQ(cardan("sweep long.yaml --threads 2 --out threads").code, 0);
  for (const char* folder : {"threads", "ranks"}) {
    EXPECT_EQ(read(std::string(folder) + "/sweep.csv"), read("whole/sweep.csv")) << folder;
    std::vector<int> runs = journal_runs(folder);
    std::sort(runs.begin(), runs.end());
    EXPECT_TRUE(std::adjacent_find(runs.begin(), runs.end()) == runs.end()) << "a run was made twice";
    EXPECT_EQ(runs.size(), 40U);
  }
}

TEST_F(SweepTest, SaysHowMuchIsLeft) {
  ASSERT_EQ(cardan("sweep plan.yaml --out half --part 1/2").code, 0);
  const Result rest = cardan("sweep plan.yaml --out half");
  EXPECT_EQ(rest.code, 0);
  EXPECT_TRUE(contains(rest.out, "going on, 6 of 12 runs are done, 6 left"));
  // A third time there is nothing to do.
  EXPECT_EQ(journal_runs("half").size(), 12U);
  ASSERT_EQ(cardan("sweep plan.yaml --out half").code, 0);
  EXPECT_EQ(journal_runs("half").size(), 12U);
}

TEST_F(SweepTest, FailedRunsAreRows) {
  write("hard.yaml", R"(sweep: 1
model: four_bar.yaml
vary: {L: [1, -1, 0, 2]}
simulation: {until: 0.1}
measures: {turned: {end: pinA0.q}}
)");
  const Result result = cardan("sweep hard.yaml --out hard");
  EXPECT_EQ(result.code, 0) << result.err;
  const std::vector<std::string> rows = split(read("hard/sweep.csv"), '\n');
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_TRUE(contains(rows[1], "1,1,ok,"));
  EXPECT_TRUE(contains(rows[3], "3,0,failed,,"));
  EXPECT_TRUE(contains(rows[4], "4,2,ok,"));
  std::string plan = read("hard.yaml");
  write("hard.yaml", plan + "stop: {failures: 1}\n");
  const Result stopped = cardan("sweep hard.yaml --out stopped --threads 1");
  EXPECT_EQ(stopped.code, 1);
  EXPECT_TRUE(contains(stopped.err, "failures, as the plan asks"));
}

TEST_F(SweepTest, ClosedFormsOfAProjectileAndAPendulum) {
  write("ball.yaml", R"(cardan: 1
name: ball
planar: true
gravity: [0, -10]
parameters: {v: 5}
bodies: {ball: {mass: 1, inertia: 1, center: [0, 0]}}
joints: {fly: {free: [ground, ball]}}
initial: {ball: {velocity: [2, v]}}
simulation: {until: 3, step: 0.002}
)");
  write("ball_plan.yaml", R"(sweep: 1
model: ball.yaml
vary: {v: [2, 5, 10]}
measures:
  height: {max: ball.y}
  landed: {first: ball.y < -1e-9}
  far: {end: ball.x}
  mean: {mean: ball.vy, from: 0, to: v/5}
  fall: {at: 1.0003, of: ball.y}
stop: {run_when: ball.y < -2}
)");
  ASSERT_EQ(cardan("sweep ball_plan.yaml --out ball").code, 0);
  const std::vector<std::string> rows = split(read("ball/sweep.csv"), '\n');
  for (int i = 0; i < 3; ++i) {
    const std::vector<std::string> cells = split(rows[i + 1], ',');
    const double v = std::stod(cells[1]), end = (v + std::sqrt(v * v + 40)) / 10;
    EXPECT_EQ(cells[2], "stopped");
    EXPECT_NEAR(std::stod(cells[3]), v * v / 20, 1e-5);
    EXPECT_NEAR(std::stod(cells[4]), v / 5, 1e-5);
    EXPECT_NEAR(std::stod(cells[5]), 2 * end, 1e-7);
    // The window is that of the model's own v, 1 s.
    if (end > 1) EXPECT_NEAR(std::stod(cells[6]), v - 5, 1e-6);
    if (end > 1.0003) EXPECT_NEAR(std::stod(cells[7]), v * 1.0003 - 5 * 1.0003 * 1.0003, 1e-5);
  }
  // A pendulum that swings little: T = 2 pi sqrt(L/g) (1 + a^2/16), so its first upright passage is T/4.
  write("pendulum.yaml", R"(cardan: 1
name: pendulum
planar: true
gravity: [0, -9.81]
parameters: {L: 1, a: 0.05}
points: {O: [0, 0], P: [L*sin(a), -L*cos(a)]}
bodies: {bob: {mass: 1, inertia: 1e-9, center: P}}
joints: {pin: {revolute: [ground, bob], at: O}}
simulation: {until: 1.5, step: 0.001}
)");
  write("pendulum_plan.yaml", R"(sweep: 1
model: pendulum.yaml
vary: {L: {from: 0.5, to: 2, count: 4}}
measures: {passed: {first: bob.x < 0}, speed: {max: abs(pin.v)}}
)");
  ASSERT_EQ(cardan("sweep pendulum_plan.yaml --out pendulum").code, 0);
  const std::vector<std::string> swings = split(read("pendulum/sweep.csv"), '\n');
  for (int i = 1; i <= 4; ++i) {
    const std::vector<std::string> cells = split(swings[i], ',');
    const double length = std::stod(cells[1]), a = 0.05, w = std::sqrt(9.81 / length);
    EXPECT_NEAR(std::stod(cells[3]), std::acos(-1) / 2 / w * (1 + a * a / 16), 2e-6);
    EXPECT_NEAR(std::stod(cells[4]), 2 * w * std::sin(a / 2), 1e-6);
  }
}

TEST_F(SweepTest, WhatIsWrongWithAPlanIsSaidAndNothingWritten) {
  const std::map<std::string, std::string> wrong{
      {"vary: {mas: [1, 2]}",
       "plan2.yaml:3:8: error: variation 'mas': the model has no parameter 'mas'; did you mean 'mass'?"},
      {"vary: {L: []}", "the list of values is empty"},
      {"vary: {L: {from: 1, to: 1, count: 5}}", "the range is empty: it goes from 1 to 1"},
      {"vary: {L: {uniform: [2, 1]}}\nsample: {random: 10}", "the range is empty"},
      {"vary: {L: {uniform: [1, 2]}}", "nothing says how many are drawn"},
      {"vary: {L: {from: 0, to: 1, count: 5, spacing: log}}", "has no logarithm"},
      {"vary: {L: {from: 1, to: 2, count: 1e12}}", "the plan has 1e+12 runs; vary less, or give --yes"},
      {"vary: {L: {unifrm: [1, 2]}}", "did you mean 'uniform'?"},
      {"vary: {L: [1]}\nmeasures: {top: {max: crnk.y}}", "plan2.yaml:4:23: error: measure 'top'"},
      {"vary: {L: [1]}\nmeasures: {top: {max: crank.y}}\nconstraints: {low: tpo < 1}", "did you mean 'top'?"},
      {"vary: {L: [1]}\nsimulation: {formulation: [hybrd]}", "did you mean 'hybrid'?"},
      {"vary: {L: [1]}\ninputs: {throttle: 1}", "the model has no input 'throttle'"}};
  for (const auto& [text, message] : wrong) {
    write("plan2.yaml", "sweep: 1\nmodel: four_bar.yaml\n" + text + "\n");
    const Result result = cardan("sweep plan2.yaml --out nothing < /dev/null");
    EXPECT_EQ(result.code, 2) << text;
    EXPECT_TRUE(contains(result.err, message));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "nothing")) << text;
  }
}

TEST_F(SweepTest, ResultsOfAnotherPlanStay) {
  ASSERT_EQ(cardan("sweep plan.yaml --out out").code, 0);
  const std::string table = read("out/sweep.csv");
  std::string other = read("plan.yaml");
  other.replace(other.find("count: 6"), 8, "count: 7");
  write("plan.yaml", other);
  const Result result = cardan("sweep plan.yaml --out out");
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, "holds the runs of another plan: 'plan.yaml' is not what it was"));
  EXPECT_EQ(read("out/sweep.csv"), table);
  ASSERT_EQ(cardan("run four_bar.yaml --out run").code, 0);
  EXPECT_TRUE(contains(cardan("sweep plan.yaml --out run").err, "holds other results"));
}

TEST_F(SweepTest, AFullDiskIsSaidAndWhatIsDoneStays) {
  write("many.yaml", R"(sweep: 1
model: four_bar.yaml
vary: {L: {from: 0.5, to: 2, count: 200}}
simulation: {until: 0.02}
measures: {turned: {end: pinA0.q}}
)");
  // A limit of 8 kB on the size of files ends the journal in the middle of a line.
  const Result full = shell("ulimit -f 8; cardan sweep many.yaml --out full --threads 2");
  EXPECT_EQ(full.code, 1);
  EXPECT_TRUE(contains(full.err, "cannot write"));
  EXPECT_TRUE(contains(full.err, "the same command goes on"));
  const std::size_t kept = journal_runs("full").size();
  EXPECT_GT(kept, 10U);
  EXPECT_LT(kept, 200U);
  ASSERT_EQ(cardan("sweep many.yaml --out full").code, 0);
  ASSERT_EQ(cardan("sweep many.yaml --out free").code, 0);
  EXPECT_EQ(read("full/sweep.csv"), read("free/sweep.csv"));
}

TEST_F(SweepTest, TrajectoriesOfTheWorst) {
  write("worst.yaml", R"(sweep: 1
model: four_bar.yaml
vary: {L: [0.9, 1, 1.1, 1.2]}
simulation: {until: 0.1}
measures: {highest: {max: tip.y}}
trajectories: {worst: 2, by: highest}
)");
  ASSERT_EQ(cardan("sweep worst.yaml --out worst").code, 0);
  for (const char* run : {"3", "4"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "worst/runs" / run / "trajectory.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "worst/runs/1"));
  const json summary = json::parse(read("worst/summary.json"));
  EXPECT_EQ(summary["worst"][0]["run"], 4);
  EXPECT_EQ(summary["measures"]["highest"]["highest"]["run"], 4);
}

/// The same runs one by one: a rule that never stops one keeps them out of lanes.
TEST_F(SweepTest, InLanesRunsEqualSingleOnes) {
  const std::string plan = R"(sweep: 1
model: four_bar.yaml
vary: {L: {uniform: [0.8, 1.2]}, mass: {log_uniform: [0.5, 2]}}
sample: {sobol: 70}
simulation: {formulation: hybrid, integrator: trapezoidal, until: 0.3037, step: 0.01, every: 3}
measures:
  turned: {end: pinA0.q}
  fastest: {max: abs(pinA0.v)}
  force: {rms: pinA1.fx}
constraints: {slow: fastest < 3}
)";
  write("lanes.yaml", plan);
  write("single.yaml", plan + "stop: {run_when: tip.y > 1e6}\n");
  const Result lanes = cardan("sweep lanes.yaml --threads 2 --out lanes"),
               single = cardan("sweep single.yaml --out single");
  ASSERT_EQ(lanes.code, 0) << lanes.err;
  ASSERT_EQ(single.code, 0) << single.err;
  EXPECT_TRUE(contains(lanes.out, "4 runs at a time")) << lanes.out;
  EXPECT_TRUE(contains(single.out, "one by one, since")) << single.out;
  const std::vector<std::string> rows = split(read("lanes/sweep.csv"), '\n'),
                                 others = split(read("single/sweep.csv"), '\n');
  ASSERT_EQ(rows.size(), 71U);
  ASSERT_EQ(others.size(), 71U);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string> cells = split(rows[i], ','), other = split(others[i], ',');
    ASSERT_EQ(cells.size(), other.size()) << rows[i];
    for (std::size_t c = 0; c < cells.size(); ++c) {
      char* end = nullptr;
      const double number = std::strtod(cells[c].c_str(), &end), same = std::strtod(other[c].c_str(), nullptr);
      if (end == cells[c].c_str()) {
        EXPECT_EQ(cells[c], other[c]);
      } else {
        EXPECT_NEAR(number, same, 1e-8 * std::max(1.0, std::abs(same))) << rows[i] << '\n' << others[i];
      }
    }
  }
  // Bit for bit whoever makes them, whatever the processor has.
  ASSERT_EQ(cardan("sweep lanes.yaml --threads 1 --out alone").code, 0);
  EXPECT_EQ(read("alone/sweep.csv"), read("lanes/sweep.csv"));
  setenv("CARDAN_LANES", "plain", 1);
  const Result plain = cardan("sweep lanes.yaml --threads 2 --out plain");
  unsetenv("CARDAN_LANES");
  EXPECT_TRUE(contains(plain.out, "(plain)")) << plain.out;
  EXPECT_EQ(read("plain/sweep.csv"), read("lanes/sweep.csv"));
}

TEST_F(SweepTest, InLanesKilledAtAnyMomentItGoesOn) {
  write("long.yaml", R"(sweep: 1
model: four_bar.yaml
vary: {L: {uniform: [0.8, 1.2]}}
sample: {sobol: 90, seed: 7}
simulation: {formulation: hybrid, until: 1, step: 0.0005}
measures: {turned: {end: pinA0.q}}
)");
  const Result whole = cardan("sweep long.yaml --threads 2 --out whole");
  ASSERT_EQ(whole.code, 0) << whole.err;
  ASSERT_TRUE(contains(whole.out, "4 runs at a time")) << whole.out;
  std::mt19937 random(2);
  for (int kill_number = 0; kill_number < 12; ++kill_number) {
    const pid_t pid =
        start((folder_ / "long.yaml").string() + " --threads 2 --out " + (folder_ / "killed").string(), 0, 1);
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<int>(2'000, 60'000)(random)));
    kill(pid, SIGKILL);
    wait_for(pid);
  }
  ASSERT_EQ(cardan("sweep long.yaml --threads 2 --out killed").code, 0);
  EXPECT_EQ(read("killed/sweep.csv"), read("whole/sweep.csv"));
  std::vector<int> runs = journal_runs("killed");
  std::sort(runs.begin(), runs.end());
  EXPECT_TRUE(std::adjacent_find(runs.begin(), runs.end()) == runs.end()) << "a run was made twice";
  EXPECT_EQ(runs.size(), 90U);
}

TEST_F(SweepTest, CasesOfAReportAreAClickAway) {
  write("inputs.yaml", R"(sweep: 1
model: pushed.yaml
inputs: {push: [1, 2, 4]}
simulation: {until: 0.1}
measures: {far: {end: pinA0.q}}
)");
  std::string model = read("four_bar.yaml");
  model.insert(model.find("joints:"), "inputs: {push: {start: 0}}\nloads: {motor: {actuator: pinA0, effort: push}}\n");
  write("pushed.yaml", model);
  const Result made = cardan("sweep inputs.yaml --out inputs --report page.html");
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string page = read("page.html");
  for (const char* run : {"1", "3"}) {
    const std::string address = std::string("page-cases/run-") + run + ".html";
    EXPECT_TRUE(contains(page, address)) << address;
    EXPECT_TRUE(contains(read(address), "cardan-data")) << address;
    EXPECT_TRUE(contains(read(address), "push = ")) << address;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "page-cases/run-2.html"));
}

}  // namespace
}  // namespace cardan
