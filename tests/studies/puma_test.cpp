// The manoeuvre of the PUMA 560: the model's torques are those of its paths, and the hand comes back.
#include "studies/puma/puma.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "cardan/analysis.hpp"
#include "cardan/io.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

TEST(Puma, HasSixCoordinates) {
  const FormulationCounts counts = count_coordinates(puma_arm(), "hybrid");
  EXPECT_EQ(counts.coordinates, 6);
  EXPECT_LE(count_coordinates(puma_arm(), "global").coordinates, 45);  // published
}

// Unit tests of the Robotics Toolbox (P. Corke), four digits: mass matrix, gravity and torques at the pose qn.
TEST(Puma, HasThePublishedDynamics) {
  Mechanism arm = puma_arm();
  std::erase_if(arm.joints, [](const Joint& joint) { return joint.name == "hold"; });
  constexpr double kPi = 3.14159265358979;
  const VecX q{{0, kPi / 4, kPi, 0, kPi / 4, 0}}, ones = VecX::Ones(6), zero = VecX::Zero(6);
  const double mass[6][6] = {{3.6594, -0.4044, 0.1006, -0.0025, 0, 0}, {-0.4044, 4.4137, 0.3509, 0, 0.0024, 0},
                             {0.1006, 0.3509, 0.9378, 0, 0.0015, 0},   {-0.0025, 0, 0, 0.1925, 0, 0},
                             {0, 0.0024, 0.0015, 0, 0.1713, 0},        {0, 0, 0, 0, 0, 0.1941}};
  const Eigen::MatrixXd M = joint_space_mass_matrix(arm, q);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) EXPECT_NEAR(M(i, j), mass[i][j], 6e-5) << i << j;
  const double gravity[6] = {0, 31.6399, 6.0351, 0, 0.0283, 0};
  const VecX weight = gravity_torques(arm, q);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(weight[i], gravity[i], 6e-5) << i;
  const double torque[6] = {32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781};
  const VecX effort = inverse_dynamics_at(arm, q, ones, ones);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(effort[i], torque[i], 1e-4 * std::abs(torque[i])) << i;
  // qdd at given torques: M^-1 (torque - h(q, qd)), with friction hardly rounded off
  arm = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/puma560.yaml", {{"v0", 1e-3}});
  arm.actuators.clear(), arm.events.clear();
  std::erase_if(arm.joints, [](const Joint& joint) { return joint.name == "hold"; });
  const VecX v{{0.1, 0.2, 0.8, 0.2, 0.5, 1.0}}, given{{1.0, 3.2, 1.8, 0.1, 0.7, 4.6}};
  const VecX a = M.ldlt().solve(given - inverse_dynamics_at(arm, q, v, zero));
  const double published[6] = {-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(a[i], published[i], 1e-3) << i;
}

TEST(Puma, TakesTheTorquesOfItsPaths) {
  const Mechanism model = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/puma560.yaml");
  const std::vector<Function> torques = puma_torques(0.02);
  ASSERT_EQ(model.actuators.size(), 15u);
  for (const Actuator& motor : model.actuators) {
    const std::string phase = motor.name.substr(motor.name.find('/') + 1);
    const double begin = phase[0] == 'r' ? 0 : phase[0] == 't' ? 2 : 6, end = phase[0] == 't' ? 6 : begin + 2;
    const std::size_t joint = static_cast<std::size_t>(phase.back() - '1');
    for (double t = begin + 0.01; t < end; t += 0.37)
      EXPECT_NEAR(motor.effort.function(t), torques[joint](t), 1e-5) << phase << t;
  }
}

/// Every variant comes back along the same paths, with torques of its own: what friction and rotors do is in the
/// errors.
TEST(Puma, ComesBackWithoutFrictionAndRotors) {
  double error[3];
  int i = 0;
  for (const PumaVariant& variant : kPumaVariants) {
    const Mechanism model = puma_model(variant, 0.02);
    EXPECT_EQ(model.rotors.size(), variant.rotors ? 6u : 0u);
    EXPECT_EQ(model.joint_springs.size(), variant.friction ? 6u : 0u);
    RunOptions options = RunOptions::for_mechanism(model);
    options.formulation = "hybrid";
    Simulation simulation(model, options);
    const Vec3 start = simulation.body(5).position;
    for (int k = 0; k < 800; ++k) ASSERT_EQ(simulation.step(), StepStatus::ok) << variant.name;
    error[i++] = (simulation.body(5).position - start).norm();
  }
  ASSERT_EQ(i, 3);
  EXPECT_LT(error[2], 5e-3);
  EXPECT_GT(error[1], 3 * error[0]);
  EXPECT_GT(error[2], 10 * error[1]);
}

TEST(Puma, ComesBackInEveryFormulation) {
  const Mechanism model = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/puma560.yaml");
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    RunOptions options = RunOptions::for_mechanism(model);
    options.formulation = formulation;
    Simulation simulation(model, options);
    const Vec3 start = simulation.body(5).position;
    for (int i = 0; i < 800; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok) << formulation;
    EXPECT_LT((simulation.body(5).position - start).norm(), 5e-4) << formulation;
  }
}

}  // namespace
}  // namespace cardan
