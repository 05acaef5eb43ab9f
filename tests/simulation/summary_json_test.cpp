#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "cardan/simulation.hpp"

namespace cardan {
namespace {

using nlohmann::json;

TEST(SummaryJson, HasEveryPromisedKey) {
  const json summary = json::parse(RunSummary{}.json());
  for (const char* key : {"status",
                          "reason",
                          "model",
                          "formulation",
                          "integrator",
                          "solver",
                          "step",
                          "duration",
                          "steps",
                          "rejected_steps",
                          "iterations",
                          "factorizations",
                          "cpu_seconds",
                          "real_time_factor",
                          "energy",
                          "constraint_violation",
                          "constraint_violation_worst",
                          "coordinates",
                          "constraints",
                          "redundant_constraints",
                          "redundant",
                          "degrees_of_freedom",
                          "driven",
                          "events",
                          "allocations",
                          "warnings"}) {
    EXPECT_TRUE(summary.contains(key)) << key;
  }
  for (const char* key : {"formulation", "integrator", "solver"}) {
    EXPECT_TRUE(summary[key].contains("asked") && summary[key].contains("used")) << key;
  }
  for (const char* key : {"initial", "final", "max_error", "max_error_time"}) {
    EXPECT_TRUE(summary["energy"].contains(key)) << key;
  }
  for (const char* level : {"position", "velocity", "acceleration"}) {
    EXPECT_TRUE(summary["constraint_violation"][level].is_number()) << level;
    EXPECT_TRUE(summary["constraint_violation_worst"][level].contains("time")) << level;
    EXPECT_TRUE(summary["constraint_violation_worst"][level].contains("constraint")) << level;
  }
}

TEST(SummaryJson, ValuesArriveUnchanged) {
  RunSummary summary;
  summary.status = RunStatus::failed;
  summary.reason = "at t = 0.1 s: \"singular\"\n";
  summary.formulation_asked = summary.formulation_used = "hybrid";
  summary.step = 0.1;
  summary.steps = std::int64_t{1} << 40;
  summary.energy_max_error = -1.0 / 3;
  summary.velocity = {1e-9, 2.5, "pinA0: x"};
  summary.redundant_constraints = 1;
  summary.redundant = {"pinA0: x"};
  summary.allocations = 0;
  summary.events = {{"grip", 2, -0.5, 3, 1, 4, 2}};
  summary.warnings = {"one"};
  const json written = json::parse(summary.json());
  EXPECT_EQ(written["status"], "failed");
  EXPECT_EQ(written["reason"], summary.reason);
  EXPECT_EQ(written["formulation"]["used"], "hybrid");
  EXPECT_EQ(written["step"], 0.1);
  EXPECT_EQ(written["steps"], summary.steps);
  EXPECT_EQ(written["energy"]["max_error"], -1.0 / 3);
  EXPECT_EQ(written["constraint_violation"]["velocity"], 1e-9);
  EXPECT_EQ(written["constraint_violation_worst"]["velocity"]["time"], 2.5);
  EXPECT_EQ(written["constraint_violation_worst"]["velocity"]["constraint"], "pinA0: x");
  EXPECT_EQ(written["redundant"], json::array({"pinA0: x"}));
  EXPECT_EQ(written["allocations"], 0);
  EXPECT_EQ(written["events"], json::parse(R"([{"name": "grip", "time": 2, "energy": -0.5, "constraints": 3,
                                                "redundant_constraints": 1, "degrees_of_freedom": 4,
                                                "velocity_degrees_of_freedom": 0, "driven": 2}])"));
  EXPECT_EQ(written["warnings"], json::array({"one"}));
}

TEST(SummaryJson, WhatIsNotFiniteBecomesNullAndAWarning) {
  RunSummary summary;
  summary.energy_final = std::numeric_limits<double>::quiet_NaN();
  summary.real_time_factor = std::numeric_limits<double>::infinity();
  const json written = json::parse(summary.json());
  EXPECT_TRUE(written["energy"]["final"].is_null());
  EXPECT_TRUE(written["real_time_factor"].is_null());
  ASSERT_EQ(written["warnings"].size(), 2U);
  EXPECT_EQ(written["warnings"][0], "real_time_factor is infinite, written as null");
  EXPECT_EQ(written["warnings"][1], "energy.final is not a number, written as null");
}

TEST(SummaryJson, AllocationsThatWereNotCountedAreNull) {
  EXPECT_TRUE(json::parse(RunSummary{}.json())["allocations"].is_null());
}

TEST(SummaryJson, StaysValidWithNamesThatAreNotUtf8) {
  RunSummary summary;
  summary.model =
      "four\xff"
      "bar";
  EXPECT_NO_THROW({ EXPECT_TRUE(json::accept(summary.json())); });
}

}  // namespace
}  // namespace cardan
