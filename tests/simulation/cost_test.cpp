// What counts as the cost of stepping, and how long a step may be.
#include <gtest/gtest.h>

#include <limits>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"
#include "simulation/thread_clock.hpp"

namespace cardan {
namespace {

constexpr double kDear = 2e-3;  // s of processor time that every answer takes

/// A controller that takes its time.
class DearRun final : public CompanionRun {
 public:
  bool start(double, const double*, double* outputs) override { return answer(outputs); }
  bool step(double, double, const double*, double* outputs) override { return answer(outputs); }
  bool reset() override { return true; }
  bool can_save() const override { return false; }
  bool save(std::vector<std::uint8_t>&) override { return false; }
  bool restore(const std::vector<std::uint8_t>&) override { return false; }
  const std::string& complaint() const override { return complaint_; }

 private:
  static bool answer(double* outputs) {
    for (const double begin = thread_cpu_seconds(); thread_cpu_seconds() - begin < kDear;) {
    }
    outputs[0] = 1;
    return true;
  }
  std::string complaint_;
};

class DearModel final : public CompanionModel {
 public:
  std::unique_ptr<CompanionRun> instantiate(const std::string&, const SourceLocation&) const override {
    return std::make_unique<DearRun>();
  }
  const std::string& identity() const override { return name_; }

 private:
  std::string name_ = "dear";
};

Mechanism controlled() {
  MechanismBuilder b("controlled");
  b.planar().body("cart", 2, {0, 0}, 0.1).prismatic("slide", "ground", "cart", {0, 0}, "x");
  CompanionSpec spec;
  spec.name = "controller";
  spec.period = 0.01;
  spec.outputs.push_back({"force", 0, ""});
  spec.model = std::make_shared<DearModel>();
  MechanismSpec whole = b.spec();
  whole.companions.push_back(std::move(spec));
  MechanismBuilder with(std::move(whole));
  with.actuator("motor", "slide", SignalExpression::parse("controller.force"));
  return with.build();
}

TEST(Cost, CountsSampledControllers) {
  RunOptions options;
  options.step = 0.005;
  options.until = 0.1;
  const Mechanism mechanism = controlled();
  const RunSummary summary = run(mechanism, options);
  ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
  EXPECT_GE(summary.cpu_seconds, 9 * kDear);  // of ten answers the first may be found before the run
  EXPECT_DOUBLE_EQ(summary.real_time_factor, summary.duration / summary.cpu_seconds);
  EXPECT_GT(summary.energy_final, 0);
  Simulation simulation(mechanism, options);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
  EXPECT_GE(simulation.summary().cpu_seconds, 9 * kDear);
}

/// A load whose law costs nothing, and whose energy, which only the balance asks for, takes its time.
TEST(Cost, CountsTheBalanceOfEnergy) {
  MechanismBuilder b("balanced");
  b.planar().body("cart", 2, {0, 0}, 0.1).prismatic("slide", "ground", "cart", {0, 0}, "x");
  WrenchSpec push;
  push.name = "push";
  push.body2 = std::string("cart");
  push.at1 = Place(0, 0);
  push.law = [](const FramePair&) { return Wrench{Vec3(1, 0, 0), Vec3::Zero()}; };
  auto calls = std::make_shared<int>(0);
  push.energy = [calls](const FramePair& frames) {
    ++*calls;
    for (const double begin = thread_cpu_seconds(); thread_cpu_seconds() - begin < kDear;) {
    }
    return -frames.two.position.x();
  };
  b.add(push);
  RunOptions options;
  options.step = 0.005;
  Simulation simulation(b.build(), options);
  const int before = *calls;
  for (int i = 0; i < 20; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
  ASSERT_GE(*calls - before, 20);  // a step
  const double cost = simulation.summary().cpu_seconds;
  EXPECT_GE(cost, 20 * kDear);
  EXPECT_DOUBLE_EQ(simulation.summary().real_time_factor, 0.1 / cost);
}

TEST(Cost, RefusesStepsThatLeadNowhere) {
  MechanismBuilder b("cart");
  b.planar().body("cart", 2, {0, 0}, 0.1).prismatic("slide", "ground", "cart", {0, 0}, "x");
  for (const char* integrator : {"trapezoidal", "dopri5"}) {
    RunOptions options;
    options.integrator = integrator;
    Simulation simulation(b.build(), options);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double h : {0.0, -0.01, nan, -std::numeric_limits<double>::infinity()}) {
      EXPECT_THROW(simulation.step(h), std::invalid_argument) << integrator << " " << h;
      EXPECT_THROW(simulation.step_to_event(h), std::invalid_argument) << integrator << " " << h;
    }
    EXPECT_EQ(simulation.time(), 0);
    EXPECT_EQ(simulation.step(0.01), StepStatus::ok);
  }
  Simulation simulation(b.build(), {});
  EXPECT_THROW(simulation.step(std::numeric_limits<double>::infinity()), std::invalid_argument);
}

}  // namespace
}  // namespace cardan
