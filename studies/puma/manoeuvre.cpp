// The manoeuvre: smooth paths from pose to pose, and the torques that they take.
//   0 to 2 s   all six joints go from the start to the first pose
//   2 to 6 s   the hand's point is held at ground; the wrist turns, the arm follows, and only the wrist is driven
//   6 to 8 s   back to the start
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "cardan/analysis.hpp"
#include "cardan/io.hpp"
#include "studies/model_file.hpp"
#include "studies/puma/puma.hpp"

namespace cardan {
namespace {

constexpr int kJoints = 6, kWrist = 3;  // the last three
using Pose = std::array<double, kJoints>;
constexpr double kDegree = std::numbers::pi / 180;
constexpr double kGrip = 2, kLetGo = 6, kEnd = 8;  // s

// Assumed: the arm hangs, so that it comes to no harm from small errors of the torques.
constexpr Pose kFirst = {35 * kDegree, -75 * kDegree, -50 * kDegree, 30 * kDegree, 25 * kDegree, 20 * kDegree};
constexpr std::array<double, 3> kWristTurn = {35 * kDegree, 30 * kDegree, -40 * kDegree};

constexpr const char* kPhaseNames[] = {"reach", "turn", "back"};  // of the motors

struct Samples {
  std::vector<double> t;
  std::array<std::vector<double>, kJoints> effort;
};

std::string joint_name(int i) { return fmt::format("q{}", i + 1); }

Joint& joint_of(Mechanism& mechanism, const std::string& name) {
  return *std::find_if(mechanism.joints.begin(), mechanism.joints.end(),
                       [&](const Joint& j) { return j.name == name; });
}

int joint_index(const Mechanism& mechanism, const std::string& name) {
  const auto found =
      std::find_if(mechanism.joints.begin(), mechanism.joints.end(), [&](const Joint& j) { return j.name == name; });
  return static_cast<int>(found - mechanism.joints.begin());
}

void leave_out(const PumaVariant& variant, Mechanism& mechanism) {
  if (!variant.friction)
    std::erase_if(mechanism.joint_springs, [](const auto& load) { return load.name.starts_with("friction"); });
  if (!variant.rotors) mechanism.rotors.clear();
}

Pose start_of(const Mechanism& mechanism) {
  Pose pose;
  for (int i = 0; i < kJoints; ++i) pose[i] = *mechanism.joints[joint_index(mechanism, joint_name(i))].initial_position;
  return pose;
}

void set_start(Mechanism& mechanism, const Pose& pose) {
  for (int i = 0; i < kJoints; ++i) joint_of(mechanism, joint_name(i)).initial_position = pose[i];
}

void drive(Mechanism& mechanism, int i, double from, double to, double duration) {
  Driver driver;
  driver.name = "path" + joint_name(i);
  driver.joint = joint_index(mechanism, joint_name(i));
  driver.position = Function::smooth_step(0, from, duration, to);
  mechanism.drivers.push_back(driver);
}

/// Keeps the joint coordinates of the last row.
class LastPose final : public Sink {
 public:
  void start(const std::vector<std::string>& columns) override {
    for (int i = 0; i < kJoints; ++i)
      column_[i] = std::find(columns.begin(), columns.end(), joint_name(i) + ".q") - columns.begin();
  }
  void sample(const double* row, std::size_t) override {
    for (int i = 0; i < kJoints; ++i) pose[i] = row[column_[i]];
  }
  Pose pose{};

 private:
  std::array<std::ptrdiff_t, kJoints> column_{};
};

/// Efforts of the drivers from `begin` to `end`; returns where the arm is then.
Pose add_phase(const Mechanism& mechanism, double begin, double end, double sampling, Samples& samples) {
  InverseOptions options;
  options.step = sampling;
  options.until = end - begin;
  LastPose last;
  const InverseDynamics result = inverse_dynamics(mechanism, options, &last);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    samples.t.push_back(begin + result.time[k]);
    for (auto& effort : samples.effort) effort.push_back(0);
    for (std::size_t d = 0; d < mechanism.drivers.size(); ++d) {
      const std::string& name = mechanism.joints[mechanism.drivers[d].joint].name;
      samples.effort[name.back() - '1'].back() =
          result.effort(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(d));
    }
  }
  return last.pose;
}

std::array<Samples, 3> phases(const PumaVariant& variant, double sampling) {
  std::array<Samples, 3> result;
  const Mechanism arm = puma_arm(variant);
  const Pose start = start_of(arm);
  Mechanism open = arm;
  open.joints.erase(open.joints.begin() + joint_index(open, "hold"));

  Mechanism first = open;
  for (int i = 0; i < kJoints; ++i) drive(first, i, start[i], kFirst[i], kGrip);
  add_phase(first, 0, kGrip, sampling, result[0]);

  Mechanism held = open;
  set_start(held, kFirst);
  const int hand = static_cast<int>(held.bodies.size()) - 1;
  const BodyMotion at = Simulation(held, RunOptions::for_mechanism(held)).body(hand);
  Joint hold = arm.joints[joint_index(arm, "hold")];
  const Body& body = arm.bodies[hand];
  hold.frame1.origin = at.position + at.rotation * body.axes.transpose() * (hold.frame2.origin - body.center);
  hold.switched = false;
  hold.present = true;
  held.joints.push_back(hold);
  for (int i = 0; i < kWrist; ++i)
    drive(held, kWrist + i, kFirst[kWrist + i], kFirst[kWrist + i] + kWristTurn[i], kLetGo - kGrip);
  const Pose turned = add_phase(held, kGrip, kLetGo, sampling, result[1]);

  Mechanism back = open;
  set_start(back, turned);
  for (int i = 0; i < kJoints; ++i) drive(back, i, turned[i], start[i], kEnd - kLetGo);
  add_phase(back, kLetGo, kEnd, sampling, result[2]);
  return result;
}

}  // namespace

Mechanism puma_arm(const PumaVariant& variant) {
  Mechanism mechanism = read_mechanism(model_file("puma560.yaml").string());
  leave_out(variant, mechanism);
  mechanism.actuators.clear();
  mechanism.events.clear();
  for (Joint& joint : mechanism.joints) joint.initial_velocity.reset();
  return mechanism;
}

Mechanism puma_model(const PumaVariant& variant, double sampling) {
  Mechanism mechanism = read_mechanism(model_file("puma560.yaml").string());
  if (variant.friction && variant.rotors) return mechanism;
  leave_out(variant, mechanism);
  const std::array<Samples, 3> samples = phases(variant, sampling);
  for (Actuator& motor : mechanism.actuators) {
    const std::string name = motor.name.substr(motor.name.find('/') + 1);
    const auto phase = std::find_if(std::begin(kPhaseNames), std::end(kPhaseNames),
                                    [&](const char* begin) { return name.starts_with(begin); });
    const Samples& sampled = samples[phase - std::begin(kPhaseNames)];
    motor.effort = Function::table(sampled.t, sampled.effort[name.back() - '1'], Function::Interpolation::cubic);
  }
  return mechanism;
}

std::vector<Function> puma_torques(double sampling) {
  const std::array<Samples, 3> samples = phases({}, sampling);
  std::vector<Function> result;
  for (int i = 0; i < kJoints; ++i) {
    std::vector<Function> pieces;
    for (const Samples& phase : samples)
      pieces.push_back(Function::table(phase.t, phase.effort[i], Function::Interpolation::cubic));
    result.push_back(Function::piecewise({kGrip, kLetGo}, pieces));
  }
  return result;
}

std::string puma_torques_yaml(double sampling) {
  const std::array<Samples, 3> samples = phases({}, sampling);
  std::string text =
      "# Torques of the motors over the manoeuvre of puma560.yaml, by inverse dynamics along smooth paths: written by\n"
      "# cardan study puma. N m over s. Every phase has actuators of its own, which events switch; in the second, with "
      "the hand\n"
      "# held, only the wrist is driven.\n"
      "cardan: 1\nname: puma560-torques\n"
      "connections: {q1: joint, q2: joint, q3: joint, q4: joint, q5: joint, q6: joint}\nloads:\n";
  std::string members[3];
  for (std::size_t p = 0; p < samples.size(); ++p) {
    const Samples& phase = samples[p];
    for (int i = 0; i < kJoints; ++i) {
      const auto& effort = phase.effort[i];
      if (std::all_of(effort.begin(), effort.end(), [](double e) { return e == 0; })) continue;
      members[p] += fmt::format("{}{}{}", members[p].empty() ? "" : ", ", kPhaseNames[p], i + 1);
      text += fmt::format("  {}{}:\n    actuator: q{}\n    effort:\n      interpolation: cubic\n      table: [",
                          kPhaseNames[p], i + 1, i + 1);
      for (std::size_t k = 0; k < phase.t.size(); ++k)
        text += fmt::format("{}[{:.6g}, {:.9g}]",
                            k == 0       ? ""
                            : k % 6 == 0 ? ",\n        "
                                         : ", ",
                            phase.t[k], effort[k]);
      text += "]\n";
    }
  }
  text += "events:\n";
  const double times[] = {kGrip, kLetGo};
  for (int p = 0; p < 2; ++p) {
    text += fmt::format("  {}_ends: {{at: {}, off: [{}]}}\n", kPhaseNames[p], times[p], members[p]);
    text += fmt::format("  {}_begins: {{at: {}, on: [{}]}}\n", kPhaseNames[p + 1], times[p], members[p + 1]);
  }
  return text;
}

}  // namespace cardan
