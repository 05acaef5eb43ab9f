// The manoeuvre of the PUMA 560: the model's torques are those of its paths, and the hand comes back.
#include "studies/puma/puma.hpp"

#include <gtest/gtest.h>

#include "cardan/io.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

TEST(Puma, HasSixCoordinates) {
  const FormulationCounts counts = count_coordinates(puma_arm(), "hybrid");
  EXPECT_EQ(counts.coordinates, 6);
  EXPECT_LE(count_coordinates(puma_arm(), "global").coordinates, 45);  // published
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
      EXPECT_NEAR(motor.effort(t), torques[joint](t), 1e-5) << phase << t;
  }
}

TEST(Puma, ComesBackInEveryFormulation) {
  const Mechanism model = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/puma560.yaml");
  for (const char* formulation : {"global", "hybrid", "topological"}) {
    RunOptions options = RunOptions::for_mechanism(model);
    options.formulation = formulation;
    Simulation simulation(model, options);
    const Vec3 start = simulation.body(5).position;
    for (int i = 0; i < 800; ++i) ASSERT_EQ(simulation.step(), StepStatus::Ok) << formulation;
    EXPECT_LT((simulation.body(5).position - start).norm(), 5e-4) << formulation;
  }
}

}  // namespace
}  // namespace cardan
