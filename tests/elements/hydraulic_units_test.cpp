// Numbers of a data sheet in a hydraulic model: let through, with a warning that names the unit.
#include <gtest/gtest.h>

#include "cardan/io.hpp"

namespace cardan {
namespace {

std::vector<Diagnostic> warnings_of(const std::string& jack, const std::string& valve, const std::string& pump,
                                    const std::string& bladder) {
  return read_mechanism_text(R"(
cardan: 1
points: {O: [0, 0, 0], P: [0, 0, 1]}
bodies: {ram: {box: [0.4, 0.4, 0.2], at: P, mass: 800}}
joints: {guide: {prismatic: [ground, ram], at: P, axis: z}}
loads:
  jack: {cylinder: [ground, ram], at: [O, P], retracted: 0.7, stroke: 0.6, )" +
                                 jack + "}\n  valve: {valve: jack, supply: pump, command: 0.4, " + valve +
                                 "}\n  pump: {volume: 1e-3, " + pump +
                                 "}\n  bladder: {accumulator: pump, volume: 1e-3, " + bladder + "}\n",
                             "press.yaml")
      .warnings;
}

TEST(HydraulicUnits, NumbersOfDataSheetsAreWarnedOf) {
  const std::string jack = "bore: 0.08, rod: 0.05", valve = "rated_flow: 8e-4", pump = "pump: 5e-4, relief: 1.5e7",
                    bladder = "precharge: 3e6, rated_flow: 2e-3";
  EXPECT_TRUE(warnings_of(jack, valve, pump, bladder).empty());
  const auto expect = [](const std::vector<Diagnostic>& warnings, const std::string& sentence) {
    ASSERT_EQ(warnings.size(), 1u) << sentence;
    EXPECT_NE(warnings[0].text().find(sentence), std::string::npos) << warnings[0].text();
    EXPECT_GT(warnings[0].where.line, 0);
  };
  expect(warnings_of("bore: 80, rod: 50", valve, pump, bladder),
         "load 'jack': its bore is 80 m wide, as if it were in mm; lengths are in m");
  expect(warnings_of(jack, "rated_flow: 48", pump, bladder),
         "load 'valve': its rated flow is 48 m^3/s, as if it were in l/min; flows are in m^3/s: 60 l/min are 1e-3");
  expect(warnings_of(jack, valve + ", rated_drop: 5", pump, bladder), "its rated drop is 5 Pa, as if it were in bar");
  expect(warnings_of(jack, valve + ", port_relief: 250", pump, bladder), "the relief pressure of a port is 250 Pa");
  expect(warnings_of(jack, valve, "pump: 30, relief: 1.5e7", bladder), "load 'pump': its flow is 30 m^3/s");
  expect(warnings_of(jack, valve, "pump: 5e-4, relief: 150", bladder), "its relief pressure is 150 Pa");
  expect(warnings_of(jack, valve, pump, "precharge: 30, rated_flow: 2e-3"), "load 'bladder': its precharge is 30 Pa");
}

}  // namespace
}  // namespace cardan
