// Whatever the clock, the person and the threads do: the motion is the one that the recorded inputs give offline.
#include "drive/drive_loop.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <random>
#include <thread>

#include "cardan/io.hpp"
#include "io/input_file.hpp"

namespace cardan {
namespace {

constexpr double kFast = std::numeric_limits<double>::infinity();
using Kind = DriveCommand::Kind;

class Drive : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "cardan_drive_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path recording() const { return folder_ / "drive.csv"; }

  /// The motion that the recording gives, a row at its end.
  std::vector<double> replayed(Mechanism mechanism, const RunOptions& options, double until) const {
    std::vector<std::string> files;
    read_inputs_from_files(mechanism, {recording().string()}, true, files);
    Simulation simulation(mechanism, options);
    while (simulation.time() < until - 1e-6 * options.step) EXPECT_EQ(simulation.step(), StepStatus::ok);
    return row_of(simulation);
  }
  static std::vector<double> row_of(Simulation& simulation) {
    std::vector<double> row(simulation.columns().size());
    simulation.sample(row.data());
    return row;
  }
  /// What those who look see last.
  static std::vector<double> last_row(DriveLoop& drive, const Mechanism& mechanism, const RunOptions& options) {
    Simulation look(mechanism, options);
    while (drive.frames().take()) {
    }
    const DriveFrame& frame = drive.frames().value();
    EXPECT_NO_THROW(look.restore(std::span(frame.record.data(), frame.size)));
    return row_of(look);
  }
  static void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << "at " << a[0] << " and " << b[0];
  }

  std::filesystem::path folder_;
};

const Mechanism& iltis() {
  static const Mechanism mechanism = read_mechanism(CARDAN_SOURCE_DIR "/models/iltis_driven.yaml");
  return mechanism;
}

RunOptions options_of(const Mechanism& mechanism, const char* formulation) {
  RunOptions options = RunOptions::for_mechanism(mechanism);
  options.formulation = formulation;
  return options;
}

/// A person who turns everything at once, pauses, saves, goes back, changes the pace and steps by hand.
void play(DriveLoop& drive, unsigned seed, const std::atomic<bool>& done) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1.2, 1.2);  // beyond the limits too
  int round = 0;
  while (!done) {
    const std::size_t input = random() % drive.inputs().size();
    drive.inputs().set(input, input == 3 ? 5 + value(random) : value(random), ++round);
    if (round % 40 == 0) drive.commands().put({Kind::pause});
    if (round % 40 == 1) drive.commands().put({Kind::single_step});
    if (round % 40 == 2) drive.commands().put({Kind::go_on});
    if (round == 60) drive.commands().put({Kind::save, 3});
    if (round == 120) drive.commands().put({Kind::go_back, 3});
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
}

TEST_F(Drive, IsReplayedBitForBit) {
  int drives = 0;
  for (const char* formulation : {"hybrid", "global"}) {
    for (unsigned seed : {1U, 2U}) {
      const RunOptions options = options_of(iltis(), formulation);
      DriveSettings settings;
      settings.scale = kFast;
      settings.until = 0.8;
      DriveLoop drive(iltis(), options, settings, recording());
      std::atomic<bool> done = false;
      const std::atomic<bool> stop = false;
      std::thread person([&] { play(drive, seed, done); });
      drive.run(stop);
      done = true;
      person.join();
      EXPECT_EQ(drive.finish_recording(), "");
      EXPECT_EQ(drive.summary().status, RunStatus::ok) << drive.summary().reason;
      const std::vector<double> live = last_row(drive, iltis(), options);
      EXPECT_NEAR(live[0], 0.8, 1e-9);
      expect_same_bits(live, replayed(iltis(), options, 0.8));
      EXPECT_EQ(drive.statistics().allocations, 0);
      EXPECT_EQ(drive.statistics().locks, 0);
      ++drives;
    }
  }
  EXPECT_EQ(drives, 4);
}

/// Of contacts a thread keeps room for itself, from the first time on: that is before the clock starts.
/// Where the Iltis is after some seconds over the first hill, steered and with the foot on the pedal, by so many
/// iterations a step; 0: until convergence.
std::vector<double> driven(int iterations) {
  RunOptions options = options_of(iltis(), "hybrid");
  options.iterations = iterations;
  Simulation simulation(iltis(), options);
  const int steer = simulation.input("steer"), throttle = simulation.input("throttle");
  constexpr int kSteps = 3000;
  for (int i = 0; i < kSteps; ++i) {
    if (i % 20 == 0) simulation.set_input(steer, 0.3 * std::sin(2e-3 * i));
    if (i % 20 == 0) simulation.set_input(throttle, 0.5 * std::sin(1e-3 * i));
    EXPECT_EQ(simulation.step(), StepStatus::ok);
  }
  if (iterations > 0) EXPECT_EQ(simulation.summary().iterations, kSteps * iterations);
  std::vector<double> poses(12 * iltis().bodies.size());
  simulation.poses(poses.data());
  return poses;
}

TEST_F(Drive, AFixedBudgetIsWhatEveryStepTakesAndTheSecondIterationIsNearlyAll) {
  const std::vector<double> converged = driven(0);
  const auto off = [&](int iterations) {
    const std::vector<double> poses = driven(iterations);
    double most = 0;
    for (std::size_t i = 0; i < poses.size(); ++i) most = std::max(most, std::abs(poses[i] - converged[i]));
    return most;
  };
  const double by_one = off(1), by_two = off(2);
  EXPECT_GT(by_one, 0);
  EXPECT_LT(by_one, 0.01);  // m, or components of axes
  EXPECT_LT(by_two, 0.05 * by_one);
}

TEST_F(Drive, AThreadOfItsOwnAllocatesNothing) {
  const Mechanism forklift = read_mechanism(CARDAN_SOURCE_DIR "/models/forklift_driven.yaml");
  const RunOptions options = RunOptions::for_mechanism(forklift);
  DriveSettings settings;
  settings.scale = kFast;
  settings.until = 0.1;
  DriveLoop drive(forklift, options, settings, recording());
  drive.commands().put({Kind::save, 1});
  drive.commands().put({Kind::go_back, 1});
  drive.commands().put({Kind::reset});
  const std::atomic<bool> stop = false;
  std::thread([&] { drive.run(stop); }).join();
  EXPECT_EQ(drive.statistics().allocations, 0);
  EXPECT_EQ(drive.statistics().locks, 0);
  EXPECT_EQ(drive.finish_recording(), "");
  expect_same_bits(last_row(drive, forklift, options), replayed(forklift, options, 0.1));
}

TEST_F(Drive, ThePaceChangesNothing) {
  const RunOptions options = options_of(iltis(), "hybrid");
  std::vector<std::vector<double>> rows;
  for (const double scale : {0.1, 1.0, 10.0, kFast}) {
    DriveSettings settings;
    settings.scale = scale;
    settings.until = 0.05;
    DriveLoop drive(iltis(), options, settings);
    const std::atomic<bool> stop = false;
    const auto begin = std::chrono::steady_clock::now();
    drive.run(stop);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(took.count(), (0.05 - options.step) / scale * 0.999) << scale;
    EXPECT_EQ(drive.statistics().steps, 50);
    EXPECT_EQ(drive.statistics().step.count(), 50);
    rows.push_back(last_row(drive, iltis(), options));
  }
  for (const std::vector<double>& row : rows) expect_same_bits(row, rows[0]);
}

/// A pace that no machine keeps.
TEST_F(Drive, WhoComesLateDoesWhatWasAskedFor) {
  const RunOptions options = options_of(iltis(), "hybrid");
  for (const Overrun overrun : {Overrun::catch_up, Overrun::slow_down, Overrun::stop}) {
    DriveSettings settings;
    settings.scale = 1e7;
    settings.until = 0.05;
    settings.overrun = overrun;
    settings.most_behind = 1e-4;
    DriveLoop drive(iltis(), options, settings);
    const std::atomic<bool> stop = false;
    drive.run(stop);
    const DriveStatistics& s = drive.statistics();
    EXPECT_EQ(drive.stopped_late(), overrun == Overrun::stop);
    EXPECT_EQ(s.steps, overrun == Overrun::stop ? 1 : 50);
    EXPECT_EQ(s.late.count(), s.steps);
    EXPECT_EQ(s.fell_behind, 1) << "and never came back";
    EXPECT_EQ(s.given_up > 0, overrun != Overrun::stop);
  }
}

TEST_F(Drive, AFailureWaitsForAPersonWhoGoesBack) {
  const char* const text = R"yaml(cardan: 1
name: pendulum
planar: true
inputs: {push: {start: 0, unit: N m}}
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 1}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
loads: {motor: {actuator: pin, effort: sqrt(1 - push)}}
simulation: {step: 0.001}
)yaml";
  const Mechanism mechanism = read_mechanism_text(text, "pendulum.yaml");
  const RunOptions options = options_of(mechanism, "hybrid");
  DriveSettings settings;
  settings.stays = true;
  DriveLoop drive(mechanism, options, settings);
  std::atomic<bool> stop = false;
  std::thread thread([&] { drive.run(stop); });
  const auto wait_for = [&](DriveMode mode) {
    for (int i = 0; i < 5000; ++i) {
      drive.frames().take();
      if (drive.frames().value().mode == mode && drive.frames().value().size > 0) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  };
  drive.inputs().set(0, 2);  // no root
  EXPECT_TRUE(wait_for(DriveMode::failed));
  drive.inputs().set(0, 0.5);
  drive.commands().put({Kind::reset});
  EXPECT_TRUE(wait_for(DriveMode::paused));
  drive.commands().put({Kind::go_on});
  EXPECT_TRUE(wait_for(DriveMode::runs));
  drive.commands().put({Kind::end});
  thread.join();
  EXPECT_EQ(drive.summary().status, RunStatus::ok) << drive.summary().reason;
}

TEST_F(Drive, AnIntegratorThatChoosesItsStepsIsRefused) {
  RunOptions options = options_of(iltis(), "hybrid");
  options.integrator = "dopri5";
  try {
    DriveLoop drive(iltis(), options, {});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("the integrator dopri5 chooses its steps"), std::string::npos);
  }
}

}  // namespace
}  // namespace cardan
