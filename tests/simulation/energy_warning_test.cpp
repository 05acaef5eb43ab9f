// How far an energy balance is off is said in words that can be read at any size.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"
#include "simulation/run_warnings.hpp"

namespace cardan {
namespace {

/// A step that moves a joule without a cause, where `kinetic` is all that moves.
std::string warning(double kinetic) {
  EnergyLedger ledger;
  ledger.begin(0, 0);
  ledger.book_step(0.01, 0.01, {.kinetic = kinetic, .potential = 1 - kinetic}, 0, 1);
  RunSummary summary;
  RunWarnings().write({}, 1, ledger, {}, summary);
  for (const std::string& said : summary.warnings)
    if (said.find("the energy balance is off") != std::string::npos) return said;
  return {};
}

TEST(EnergyWarning, SaysHowMuchInWordsThatCanBeRead) {
  EXPECT_EQ(warning(100), "");
  EXPECT_NE(warning(4).find("25 % of the largest kinetic energy"), std::string::npos) << warning(4);
  EXPECT_NE(warning(0.1).find("times the largest kinetic energy"), std::string::npos) << warning(0.1);
  for (double kinetic : {1e-4, 1e-11, 1e-20}) {
    const std::string said = warning(kinetic);
    EXPECT_NE(said.find("more than a thousand times the largest kinetic energy"), std::string::npos) << said;
    EXPECT_EQ(said.find("e+"), std::string::npos) << said;
    EXPECT_EQ(said.find('%'), std::string::npos) << said;
  }
}

/// Two rods in a line between three hinges, the last of them askew: nothing moves, and what is not there is no error,
/// wherever the weight is counted from.
TEST(EnergyWarning, IsNotGivenOfRoundingAtRest) {
  for (unsigned seed : {1u, 2u, 3u, 4u}) {
    const RandomPlace place(seed, false);
    MechanismBuilder b("locked");
    b.gravity(9.81 * place.along(0, 0, -1));
    b.rod("arm", Place(place.at(0, 0)), Place(place.at(1, 0)), 1, 0.02);
    b.rod("fore", Place(place.at(1, 0)), Place(place.at(2, 0)), 1, 0.02);
    b.revolute("shoulder", "ground", "arm", Place(place.at(0, 0)), Direction(place.along(0, 1, 0)));
    b.revolute("elbow", "arm", "fore", Place(place.at(1, 0)), Direction(place.along(0, 1, 0)));
    b.revolute("end", "ground", "fore", Place(place.at(2, 0)), Direction(place.along(0.1, 1, 0)));
    for (const char* formulation : {"hybrid", "global"}) {
      const RunSummary summary = finish(b.build(), options_of(formulation, 0.001, 0.2)).summary;
      EXPECT_EQ(summary.status, RunStatus::ok) << summary.reason;
      for (const std::string& said : summary.warnings)
        EXPECT_EQ(said.find("energy balance"), std::string::npos) << formulation << ": " << said;
    }
  }
}

/// What a driver does that jumps, between two steps or within one, is not blamed on the position or the step.
TEST(EnergyWarning, NamesTheDriverThatJumps) {
  for (const char* const position : {"t > 0.5 ? 1 : 0", "t > 0.12345 ? 0.3 : 0"}) {
    MechanismBuilder b("arm");
    b.planar();
    b.rod("arm", Place(0, 0), Place(1, 0), 1).revolute("hinge", "ground", "arm", Place(0, 0));
    b.driver("motor", "hinge", Function::expression(position, "t"));
    const RunSummary summary = finish(b.build(), options_of("hybrid", 0.001, 1)).summary;
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    ASSERT_EQ(summary.warnings.size(), 1u);
    EXPECT_EQ(summary.warnings[0].find("driver 'motor' jumps by "), 0u) << summary.warnings[0];
  }
}

}  // namespace
}  // namespace cardan
