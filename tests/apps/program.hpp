// Runs the built program in a folder of its own and keeps what it said.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace cardan {

/// A four-bar whose links have length L: one window of the double four-bar.
inline constexpr const char* kFourBar = R"(cardan: 1
name: four-bar
planar: true
gravity: [0, -9.81]
parameters: {L: 1.0}
points: {A0: [0, 0], B0: [0, L], B1: [L, L], A1: [L, 0]}
bodies:
  crank:   {rod: [A0, B0], mass: 1}
  coupler: {rod: [B0, B1], mass: 1}
  rocker:  {rod: [A1, B1], mass: 1}
joints:
  pinA0: {revolute: [ground, crank], at: A0}
  pinB0: {revolute: [crank, coupler], at: B0}
  pinB1: {revolute: [coupler, rocker], at: B1}
  pinA1: {revolute: [ground, rocker], at: A1}
initial: {crank: {angular_velocity: -1}}
simulation: {until: 0.5, step: 0.01, formulation: hybrid}
)";

class ProgramTest : public testing::Test {
 protected:
  struct Result {
    int code = -1;
    std::string out, err;
  };

  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "cardan_apps_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    write("four_bar.yaml", kFourBar);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// `command` is what a shell gets, with `cardan` the program under test.
  Result shell(const std::string& command) const {
    const std::string script = "cd '" + folder_.string() + "' && cardan() { '" CARDAN_PROGRAM "' \"$@\"; }; { " +
                               command + "; } > stdout.txt 2> stderr.txt";
    const int status = std::system(script.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("stdout.txt"), read("stderr.txt")};
  }
  Result cardan(const std::string& arguments) const { return shell("cardan " + arguments); }

  std::string read(const std::string& file) const {
    std::ifstream in(folder_ / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }

  std::filesystem::path folder_;
};

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

inline testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in:\n" << text;
}

}  // namespace cardan
