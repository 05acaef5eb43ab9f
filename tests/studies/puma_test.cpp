// The manoeuvre of the PUMA 560: the model's torques are those of its paths, and the hand comes back.
#include "studies/puma/puma.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cardan/io.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

TEST(Puma, HasSixCoordinates) {
  const FormulationCounts counts = count_coordinates(puma_arm(), "hybrid");
  EXPECT_EQ(counts.coordinates, 6);
}

TEST(Puma, TakesTheTorquesOfItsPaths) {
  std::ifstream stream(std::string(CARDAN_SOURCE_DIR) + "/models/parts/puma560_torques.yaml");
  std::ostringstream text;
  text << stream.rdbuf();
  const Mechanism model = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/puma560.yaml");
  const std::vector<Function> torques = puma_torques(0.02);
  ASSERT_EQ(model.actuators.size(), 6u);
  for (double t = 0.01; t < 8; t += 0.37)
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(model.actuators[i].effort(t), torques[i](t), 1e-5) << i << " " << t;
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
