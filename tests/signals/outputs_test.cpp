// Which columns results have, and inputs from files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "cardan/io.hpp"
#include "io/input_file.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

constexpr const char* kModel = R"(
cardan: 1
name: pushed
bodies: {block: {box: [0.2, 0.1, 0.1], at: [0.1, 0.3, 0.2], mass: 3}, other: {box: [0.1, 0.1, 0.1], at: [0, 1, 0], mass: 1}}
joints: {rail: {prismatic: [ground, block], at: [0, 0.3, 0.2], axis: [1, 0.4, 0.2]}, pin: {fixed: [ground, other], at: [0, 1, 0]}}
inputs: {push: {start: 1, min: -5, max: 50}, pull: 0}
loads: {motor: {actuator: rail, effort: 4*push - pull - 2*rail.v}}
signals: {twice: 2*rail.q, at: {position: block}}
)";

Mechanism model(const std::string& more = "") { return read_mechanism_text(kModel + more, "pushed.yaml"); }

std::string refusal(const std::string& more) {
  try {
    model(more);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

class File {
 public:
  explicit File(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("cardan_input_" + std::to_string(++count()) + ".csv")) {
    std::ofstream(path_) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  static int& count() {
    static int number = static_cast<int>(::getpid()) * 100;
    return number;
  }
  std::filesystem::path path_;
};

std::string refusal_of_file(const std::string& given) {
  Mechanism mechanism = model();
  std::vector<std::string> files;
  try {
    read_inputs_from_files(mechanism, {given}, true, files);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Outputs, ChooseColumnsInTheirOrderAndKeepThePoses) {
  const std::vector<std::string> columns =
      Simulation(model("outputs: [twice, rail.fx, push, '*.effort', at]\n"), RunOptions()).columns();
  const std::vector<std::string> first{"t", "twice", "rail.fx", "push", "motor.effort", "at.x", "at.y", "at.z"};
  ASSERT_GE(columns.size(), first.size());
  EXPECT_EQ(std::vector(columns.begin(), columns.begin() + 8), first);
  EXPECT_EQ(columns.size(), 8U + 2 * 7);
}

TEST(Outputs, HaveTheValuesOfTheSameColumns) {
  const Mechanism all = model(), some = model("outputs: [rail.v, twice]\n");
  for (const std::string formulation : {"hybrid", "global", "cartesian"}) {
    const FinishedRun one = finish(all, options_of(formulation, 0.01, 0.5)),
                      two = finish(some, options_of(formulation, 0.01, 0.5));
    ASSERT_EQ(two.summary.status, RunStatus::ok) << two.summary.reason;
    for (const std::string& column : two.last.columns()) EXPECT_EQ(one.last[column], two.last[column]) << column;
    EXPECT_EQ(two.summary.allocations, 0);
  }
}

TEST(Outputs, UnknownOnesAreRefusedWithTheNearest) {
  EXPECT_NE(refusal("outputs: [rail.vv]\n").find("did you mean 'rail.v'"), std::string::npos)
      << refusal("outputs: [rail.vv]\n");
  EXPECT_NE(refusal("outputs: ['*.nothing']\n").find("no column '*.nothing'"), std::string::npos);
  EXPECT_NE(refusal("outputs: twice\n").find("a list of columns"), std::string::npos);
}

/// At every step from a program, and from a file: the same bits.
TEST(InputFiles, GiveTheSameBitsAsAProgram) {
  std::string text = "t,push,pull\n";
  const auto push = [](int i) { return 3 + 2 * std::sin(0.37 * i); };
  const auto pull = [](int i) { return std::cos(0.91 * i); };
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i) + "e-2," + std::to_string(push(i)) + "," + std::to_string(pull(i)) + "\n";
  const File file(text);
  Mechanism from_file = model();
  std::vector<std::string> files;
  read_inputs_from_files(from_file, {file.path()}, true, files);
  EXPECT_EQ(files, std::vector{file.path()});
  for (const std::string integrator : {"trapezoidal", "generalized-alpha", "rk4", "sdirk3", "abm2"}) {
    const RunOptions options = options_of(integrator == "abm2" ? "cartesian" : "hybrid", 0.01, 0.6, integrator);
    Simulation program(model(), options), reader(from_file, options);
    const int handle = program.input("push"), other = program.input("pull");
    for (int i = 0; i < 60; ++i) {
      program.set_input(handle, std::stod(std::to_string(push(i))));
      program.set_input(other, std::stod(std::to_string(pull(i))));
      ASSERT_EQ(program.step(0.01), StepStatus::ok);
      ASSERT_EQ(reader.step(0.01), StepStatus::ok);
      ASSERT_EQ(program.state().q, reader.state().q) << integrator << i;
      ASSERT_EQ(program.state().v, reader.state().v) << integrator << i;
    }
    const FinishedRun whole = finish(from_file, options);
    EXPECT_EQ(whole.summary.allocations, 0) << integrator;
  }
}

TEST(InputFiles, WhatIsWrongIsSaidWithItsLine) {
  const auto says = [](const std::string& text, const std::string& part, const std::string& name = "push=") {
    const File file(text);
    const std::string message = refusal_of_file(name + file.path());
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says("t,push\n0,1\n0.5,2\n0.4,3\n", ":4: t = 0.4 s comes after 0.5 s; times must rise");
  says("t,push\n0,1\n0.5,60\n", ":3: 60 is outside of the limits of input 'push', -5 to 50");
  says("t,push\n0,1\n0.5\n", ":3: the line has 1 cells");
  says("t,push\n0,1\n0.5,two\n", ":3:5: 'two' is not a finite number");
  says("t,a,b\n0,1,2\n", "has no column 'push'");
  says("t,push\n", "names but no rows");
  says("", "has no rows");
  says("t,psh\n0,1\n", "no input 'psh'; did you mean 'push'", "");
  says("-1,1\n", "before the start");
  says("push,pull\n0,1\n", "has no column 't'; call that of the time, in s, so");
  EXPECT_NE(refusal_of_file("push=/no/such/file.csv").find("/no/such/file.csv"), std::string::npos);
  EXPECT_NE(refusal_of_file("pushh=x.csv").find("x.csv"), std::string::npos);
}

/// Time is the column that is called so, wherever it stands.
TEST(InputFiles, TimeMayStandAnywhere) {
  for (const char* text : {"push,t\n2,0\n3,0.2\n", "pull,time,push\n0,0,2\n1,0.2,3\n"}) {
    const File file(text);
    Mechanism mechanism = model();
    std::vector<std::string> files;
    read_inputs_from_files(mechanism, {"push=" + file.path()}, false, files);
    EXPECT_EQ(mechanism.inputs[0].track.t, (std::vector{0.0, 0.2})) << text;
    EXPECT_EQ(mechanism.inputs[0].track.value, (std::vector{2.0, 3.0})) << text;
  }
}

TEST(InputFiles, ThatEndEarlyAreSaid) {
  const File file("0,1\n0.2,3\n");
  Mechanism mechanism = model();
  std::vector<std::string> files;
  read_inputs_from_files(mechanism, {"push=" + file.path()}, false, files);
  const FinishedRun run = finish(mechanism, options_of("hybrid", 0.01, 0.5));
  ASSERT_EQ(run.summary.warnings.size(), 1U);
  EXPECT_NE(run.summary.warnings[0].find("'push' end at 0.2 s, the run at 0.5 s"), std::string::npos);
  EXPECT_EQ(run.last["push"], 3);
}

}  // namespace
}  // namespace cardan
