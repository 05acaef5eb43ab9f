// A program as the controller: computed torque along a path of the PUMA robot, at every step from the state.
#include <gtest/gtest.h>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "cardan/system.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

constexpr int kJoints = 6;

/// The arm of the model alone: its own torques, events and hand are left out, its motors follow inputs.
Mechanism arm() {
  Mechanism m = read_mechanism(CARDAN_SOURCE_DIR "/models/puma560.yaml");
  m.actuators.clear();
  m.events.clear();
  std::erase_if(m.joints, [](const Joint& joint) { return joint.switched; });
  m.inputs.clear();
  m.signals.clear();
  for (int i = 0; i < kJoints; ++i) {
    const std::string name = "u" + std::to_string(i + 1);
    Input input;
    input.name = name;
    m.inputs.push_back(input);
    Signal signal;
    signal.kind = Signal::Kind::input;
    signal.name = name;
    signal.index = i;
    m.signals.push_back(signal);
    Actuator motor;
    motor.name = "motor" + std::to_string(i + 1);
    motor.joint = i;
    motor.effort = Law(Function(), i);
    m.actuators.push_back(motor);
  }
  return m;
}

/// From rest to rest over two seconds, C2.
Function::Value path(int joint, double t) {
  const double far[kJoints] = {0.9, -0.7, 0.8, 0.6, -0.9, 1.2};
  const double x = std::clamp(t / 2, 0.0, 1.0);
  return {far[joint] * x * x * x * (10 + x * (-15 + 6 * x)), far[joint] * 30 * x * x * (1 - x) * (1 - x) / 2,
          far[joint] * 60 * x * (1 + x * (-3 + 2 * x)) / 4};
}

TEST(ComputedTorque, KeepsThePumaOnItsPath) {
  const Mechanism mechanism = arm();
  ASSERT_GE(mechanism.joints.size(), static_cast<std::size_t>(kJoints));
  const System system(mechanism);
  std::vector<CoordinateHandle> joints;
  for (int i = 0; i < kJoints; ++i) joints.push_back(system.coordinate(mechanism.joints[i].name));
  // How far it strays with and without feedback, when it starts beside its path.
  double strayed[2] = {};
  for (const bool feedback : {true, false}) {
    Simulation simulation(mechanism, options_of("hybrid", 0.001, 2.5));
    std::vector<int> inputs;
    for (int i = 0; i < kJoints; ++i) inputs.push_back(simulation.input("u" + std::to_string(i + 1)));
    VecX away(kJoints);
    away << 0.02, -0.01, 0.015, 0.01, -0.02, 0.03;
    simulation.restore(with_joints(system, system.start(), joints, away, VecX::Zero(kJoints)));
    for (int step = 0; step < 2500; ++step) {
      const Context& now = simulation.state();
      VecX wanted = VecX::Zero(system.coordinates());
      for (int i = 0; i < kJoints; ++i) {
        const Function::Value r = path(i, simulation.time());
        const double e = r.f - joint_position(system, now, joints[i]),
                     de = r.d1 - joint_velocity(system, now, joints[i]);
        wanted[i] = r.d2 + (feedback ? 400 * e + 40 * de : 0);  // both poles at -20 / s
      }
      Context unloaded = now;  // efforts as they would be without motors
      unloaded.inputs = system.start().inputs;
      const VecX efforts = inverse_dynamics(system, unloaded, wanted, joints);
      for (int i = 0; i < kJoints; ++i) simulation.set_input(inputs[i], efforts[i]);
      ASSERT_EQ(simulation.step(0.001), StepStatus::ok) << simulation.summary().reason;
    }
    for (int i = 0; i < kJoints; ++i) {
      const double off = joint_position(system, simulation.state(), joints[i]) - path(i, simulation.time()).f;
      strayed[feedback ? 0 : 1] = std::max(strayed[feedback ? 0 : 1], std::abs(off));
    }
  }
  EXPECT_LT(strayed[0], 1e-6);  // exp(-20 / s * 2.5 s) of 0.03 rad, and the error of holding efforts over a step
  EXPECT_GT(strayed[1], 0.01);
}

}  // namespace
}  // namespace cardan
