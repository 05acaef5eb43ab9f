#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "cardan/simulation.hpp"

namespace cardan {
namespace {

/// The sentence with which these options are refused; empty when they are accepted.
std::string refusal_of(const RunOptions& options) {
  try {
    options.check();
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

template <typename Change>
std::string refusal_after(Change change) {
  RunOptions options;
  change(options);
  return refusal_of(options);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(RunOptions, DefaultsAreAccepted) { EXPECT_EQ(refusal_of(RunOptions{}), ""); }

TEST(RunOptions, TheModelOverridesTheDefaults) {
  Mechanism mechanism;
  mechanism.simulation.step = 0.02;
  mechanism.simulation.integrator = "newmark";
  mechanism.simulation.penalty = 1e9;
  mechanism.simulation.cut = {"pin"};
  const RunOptions options = RunOptions::for_mechanism(mechanism);
  EXPECT_EQ(options.step, 0.02);
  EXPECT_EQ(options.integrator, "newmark");
  EXPECT_EQ(options.penalty, 1e9);
  EXPECT_EQ(options.cut, std::vector<std::string>{"pin"});
  EXPECT_EQ(RunOptions{}.formulation, "auto");
  EXPECT_EQ(options.formulation, "hybrid") << "what auto stands for here";
  EXPECT_EQ(options.tolerance, std::nullopt);
}

TEST(RunOptions, AnUnknownNameIsRefusedWithTheNearestAndAll) {
  const std::string formulation = refusal_after([](RunOptions& o) { o.formulation = "hybird"; });
  EXPECT_TRUE(contains(formulation, "no formulation is called 'hybird'; did you mean 'hybrid'?")) << formulation;
  EXPECT_TRUE(contains(formulation, "global")) << formulation;
  EXPECT_TRUE(contains(formulation, "topological")) << formulation;
  const std::string integrator = refusal_after([](RunOptions& o) { o.integrator = "Newmrk"; });
  EXPECT_TRUE(contains(integrator, "did you mean 'newmark'?")) << integrator;
  const std::string solver = refusal_after([](RunOptions& o) { o.solver = "xyzzy"; });
  EXPECT_TRUE(contains(solver, "no solver is called 'xyzzy'. Known: automatic, dense, sparse")) << solver;
}

TEST(RunOptions, StepControlIsNamedAndItsTolerancesAreChecked) {
  EXPECT_EQ(refusal_after([](RunOptions& o) { o.step_control = "error"; }), "");
  EXPECT_TRUE(contains(refusal_after([](RunOptions& o) { o.step_control = "eror"; }), "did you mean 'error'?"));
  EXPECT_TRUE(contains(refusal_after([](RunOptions& o) { o.jacobian = "stale"; }), "kept"));
  EXPECT_TRUE(contains(refusal_after([](RunOptions& o) { o.absolute_tolerance = 0; }), "absolute_tolerance is 0"));
  EXPECT_TRUE(contains(refusal_after([](RunOptions& o) { o.relative_tolerance = -1; }), "relative_tolerance is -1"));
  EXPECT_EQ(refusal_after([](RunOptions& o) { o.relative_tolerance = 0, o.step_control = "error"; }), "");
  Mechanism mechanism;
  mechanism.simulation.step_control = "error";
  mechanism.simulation.absolute_tolerance = 1e-4;
  EXPECT_EQ(RunOptions::for_mechanism(mechanism).step_control, "error");
  EXPECT_EQ(RunOptions::for_mechanism(mechanism).absolute_tolerance, 1e-4);
}

TEST(RunOptions, NumbersOutOfRangeAreRefusedByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (double bad : {0.0, -0.01, nan, infinity}) {
    EXPECT_TRUE(contains(refusal_after([bad](RunOptions& o) { o.step = bad; }), "step is ")) << bad;
    EXPECT_TRUE(contains(refusal_after([bad](RunOptions& o) { o.until = bad; }), "until is ")) << bad;
    EXPECT_TRUE(contains(refusal_after([bad](RunOptions& o) { o.tolerance = bad; }), "tolerance is ")) << bad;
    EXPECT_TRUE(contains(refusal_after([bad](RunOptions& o) { o.penalty = bad; }), "penalty is ")) << bad;
  }
  EXPECT_TRUE(contains(refusal_after([](RunOptions& o) { o.step = 1e-17; }), "lost in the rounding of until"));
  EXPECT_TRUE(contains(refusal_after([](RunOptions& o) { o.iterations = -1; }), "iterations is -1"));
  EXPECT_TRUE(contains(refusal_after([](RunOptions& o) { o.every = 0; }), "every is 0"));
  for (double bad : {-0.1, 1.1, nan}) {
    EXPECT_TRUE(contains(refusal_after([bad](RunOptions& o) { o.spectral_radius = bad; }), "spectral_radius is "));
    EXPECT_TRUE(contains(refusal_after([bad](RunOptions& o) { o.dissipation = bad; }), "dissipation is "));
  }
}

TEST(RunOptions, TheRangeOfDissipationIsThatOfTheIntegrator) {
  const auto with = [](const char* integrator, double dissipation) {
    return refusal_after([=](RunOptions& o) {
      o.integrator = integrator;
      o.dissipation = dissipation;
    });
  };
  EXPECT_EQ(with("hht", 1.0 / 3), "");
  EXPECT_TRUE(contains(with("hht", 0.34), "from 0 to 1/3"));
  EXPECT_EQ(with("newmark", 0.34), "");
  EXPECT_TRUE(contains(with("newmark", 1.01), "from 0 to 1 "));
}

}  // namespace
}  // namespace cardan
