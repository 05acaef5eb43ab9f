// How far an energy balance is off is said in words that can be read at any size.
#include <gtest/gtest.h>

#include "simulation/run_warnings.hpp"

namespace cardan {
namespace {

/// A step that moves a joule without a cause, where `kinetic` is all that moves.
std::string warning(double kinetic) {
  EnergyLedger ledger;
  ledger.begin(0, 0);
  ledger.book_step(0.01, 0.01, {.kinetic = kinetic, .potential = 1 - kinetic}, 0, 1);
  RunSummary summary;
  RunWarnings().write({}, ledger, {}, summary);
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

}  // namespace
}  // namespace cardan
