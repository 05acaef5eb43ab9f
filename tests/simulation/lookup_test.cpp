// Bodies and columns of a simulation by their names.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

TEST(Lookup, FindsBodiesAndColumnsByName) {
  MechanismBuilder b("double pendulum");
  b.planar().rod("one", Place(0, 0), Place(1, 0), 1).rod("two", Place(1, 0), Place(2, 0), 1);
  b.revolute("a", "ground", "one", Place(0, 0)).revolute("b", "one", "two", Place(1, 0));
  Simulation simulation(b.build(), options_of("hybrid", 0.01, 1));
  ASSERT_EQ(simulation.step(), StepStatus::ok);
  EXPECT_EQ(simulation.body("two").position, simulation.body(1).position);
  EXPECT_NE(simulation.body("two").position, simulation.body("one").position);
  std::vector<double> row(simulation.columns().size());
  simulation.sample(row.data());
  EXPECT_EQ(row[static_cast<std::size_t>(simulation.column("two.y"))], simulation.body("two").position.y());
  try {
    simulation.body("tow");
    ADD_FAILURE() << "a body that is not there was found";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("two"), std::string::npos) << error.what();
  }
  EXPECT_THROW(simulation.column("two.z"), std::invalid_argument);
}

}  // namespace
}  // namespace cardan
