// What happens at given times: loads and drivers that are switched, roads that drop. The state stays consistent, and
// the order of the methods is kept; joints that take hold are in attach_test.cpp.
#include <cmath>

#include "cardan/registry.hpp"
#include "simulation/caught_rod.hpp"

namespace cardan::events {
namespace {

/// Drawn straight, where its end cannot be held: what is attached later must not be judged there. The events fall
/// between the ends of steps.
Mechanism chain() {
  MechanismBuilder b("chain");
  b.planar();
  const int links = 4;
  for (int i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i + 1), before = i == 0 ? "ground" : "link" + std::to_string(i);
    b.rod(name, Place(0.3 * i, 0), Place(0.3 * (i + 1), 0), 0.5);
    b.revolute("pin" + std::to_string(i + 1), before, name, Place(0.3 * i, 0));
  }
  b.revolute("hold", "ground", "link4", Place(1.2, 0));
  b.attach("grip", 0.2123, "hold").release("let_go", 0.4567, "hold");
  return b.build();
}

/// The hand of a small arm in space, which is held at a point and let go.
Mechanism arm() {
  MechanismBuilder b("arm");
  b.body("shoulder", 2, Place(0, 0, 0.2), Vec3(0.02, 0.02, 0.03).asDiagonal().toDenseMatrix());
  b.rod("upper", Place(0, 0, 0.4), Place(0.6, 0, 0.4), 1.5, 0.05);
  b.rod("fore", Place(0.6, 0, 0.4), Place(1, 0.1, 0.2), 1, 0.04);
  b.revolute("turn", "ground", "shoulder", Place(0, 0, 0), "z")
      .revolute("lift", "shoulder", "upper", Place(0, 0, 0.4), "y");
  b.spherical("elbow", "upper", "fore", Place(0.6, 0, 0.4));
  b.spherical("hold", "ground", "fore", Place(1, 0.1, 0.2));
  b.joint_velocity("turn", 1.5);
  b.torsion("motor", "lift", 40, 0.5);
  b.attach("grip", 0.2123, "hold").release("let_go", 0.4567, "hold");
  return b.build();
}

struct MethodOfARun {
  const char* formulation;
  const char* integrator;
  int order;
  double step;
};

class EveryMethod : public testing::TestWithParam<MethodOfARun> {};

TEST_P(EveryMethod, KeepsItsOrderAcrossEvents) {
  const MethodOfARun method = GetParam();
  for (const Mechanism& mechanism : {chain(), arm()}) {
    const FinishedRun reference = finish(mechanism, options_of("hybrid", 1e-4, 0.6, "rk4"));
    ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const FinishedRun run =
          finish(mechanism, options_of(method.formulation, method.step / (1 << i), 0.6, method.integrator));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << mechanism.name << ": " << run.summary.reason;
      EXPECT_LT(run.summary.position.value, 1e-5) << mechanism.name;
      ASSERT_EQ(run.summary.events.size(), 2u);
      for (int e = 0; e < 2; ++e) {
        const double energy = reference.summary.events[e].energy;
        EXPECT_NEAR(run.summary.events[e].energy, energy, 0.02 * std::abs(energy) + 1e-6) << mechanism.name;
      }
      EXPECT_LT(run.summary.events[0].energy, -1e-3) << mechanism.name;
      error[i] = LastSample::difference(run.last, reference.last, mechanism);
    }
    EXPECT_LT(error[1], 0.1) << mechanism.name;
    EXPECT_GT(error[0] / error[1], 0.75 * (1 << method.order)) << mechanism.name << " " << error[0];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, EveryMethod,
    testing::Values(MethodOfARun{"global", "trapezoidal", 2, 2e-3}, MethodOfARun{"topological", "trapezoidal", 2, 2e-3},
                    MethodOfARun{"hybrid", "trapezoidal", 2, 2e-3}, MethodOfARun{"recursive", "trapezoidal", 2, 1e-3},
                    MethodOfARun{"cartesian", "trapezoidal", 2, 2e-3},
                    MethodOfARun{"hybrid", "generalized-alpha", 2, 2e-3}, MethodOfARun{"global", "hht", 2, 2e-3},
                    MethodOfARun{"hybrid", "sdirk3", 3, 4e-3}, MethodOfARun{"topological", "sdirk4", 3, 4e-3},
                    MethodOfARun{"cartesian", "abm2", 2, 2e-3}, MethodOfARun{"global", "rk4", 3, 4e-3},
                    MethodOfARun{"hybrid", "rk4", 3, 4e-3},
                    // of order one in closed loops, where multipliers follow from step to step
                    MethodOfARun{"recursive", "rk4", 1, 2e-3}),
    [](const auto& info) {
      std::string name = std::string(info.param.formulation) + "_" + info.param.integrator;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

/// Integrators that choose their steps.
TEST(VariableSteps, EndAtEvents) {
  const Mechanism mechanism = chain();
  const FinishedRun reference = finish(mechanism, options_of("hybrid", 1e-4, 0.6, "rk4"));
  struct Choice {
    const char *formulation, *integrator, *control;
  };
  for (const Choice& choice : {Choice{"hybrid", "dopri5", "error"}, Choice{"cartesian", "sdirk4", "error"},
                               Choice{"cartesian", "bdf", "error"}, Choice{"global", "trapezoidal", "error"}}) {
    RunOptions options = options_of(choice.formulation, 0.01, 0.6, choice.integrator);
    options.absolute_tolerance = options.relative_tolerance = 1e-7;
    options.step_control = choice.control;
    const FinishedRun run = finish(mechanism, options);
    ASSERT_EQ(run.summary.status, RunStatus::ok) << choice.integrator << ": " << run.summary.reason;
    EXPECT_EQ(run.summary.events.size(), 2u);
    EXPECT_LT(LastSample::difference(run.last, reference.last, mechanism), 0.01) << choice.integrator;

    Simulation simulation(mechanism, options);
    std::vector<double> ends;
    while (simulation.time() < 0.5) {
      ASSERT_EQ(simulation.step(1.0), StepStatus::ok) << choice.integrator;
      ends.push_back(simulation.time());
    }
    for (const Event& event : mechanism.events) {
      EXPECT_TRUE(std::any_of(ends.begin(), ends.end(), [&](double t) { return std::abs(t - event.time) < 1e-12; }))
          << choice.integrator;
    }
  }
}

class AllRows final : public Sink {
 public:
  void start(const std::vector<std::string>& names) override { columns = names; }
  void sample(const double* row, std::size_t size) override { rows.emplace_back(row, row + size); }
  double at(std::size_t row, const std::string& column) const {
    return rows[row][std::find(columns.begin(), columns.end(), column) - columns.begin()];
  }
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

TEST(Rows, KeepTheirTimesAndShowTheStateAfterAnEvent) {
  for (const char* integrator : {"trapezoidal", "dopri5"}) {
    AllRows motion, steps;
    // 0.3 is on the grid of the steps, 0.615 between two of its points.
    const RunSummary summary =
        run(caught_rod(0.3, 0.615), options_of("hybrid", 0.01, 1, integrator), &motion, {}, &steps);
    ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
    ASSERT_EQ(motion.rows.size(), 101u) << integrator;
    for (std::size_t i = 0; i <= 100; ++i) EXPECT_NEAR(motion.rows[i][0], 0.01 * static_cast<double>(i), 1e-9);
    EXPECT_NEAR(motion.at(29, "rod.w"), 2, 1e-9) << integrator;
    EXPECT_GT(std::abs(motion.at(30, "rod.w") - 2), 0.1) << integrator;
    EXPECT_NEAR(motion.at(30, "rod.w"), motion.at(61, "rod.w"), 1e-6) << integrator;
    // The reaction of the peg is the centripetal force, and nothing while the peg is not there.
    const auto force = [&](std::size_t row) { return std::hypot(motion.at(row, "peg.fx"), motion.at(row, "peg.fy")); };
    const double w = motion.at(40, "rod.w");
    EXPECT_EQ(force(29), 0) << integrator;
    EXPECT_NEAR(force(30), kMass * w * w * 0.5, 1e-5) << integrator;
    EXPECT_NEAR(force(61), kMass * w * w * 0.5, 1e-5) << integrator;
    EXPECT_EQ(force(62), 0) << integrator;
    if (std::string(integrator) == "trapezoidal") {
      EXPECT_EQ(summary.steps, 101);
      ASSERT_EQ(steps.rows.size(), 101u);
      EXPECT_NEAR(steps.at(61, "h"), 0.005, 1e-9);
      EXPECT_NEAR(steps.at(62, "h"), 0.005, 1e-9);
      EXPECT_NEAR(steps.at(62, "t"), 0.62, 1e-9);
    }
  }
}

TEST(Steps, CrossEventsAndKeepTheirLength) {
  Simulation simulation(caught_rod(0.303, 0.307), options_of("hybrid", 0.01, 1));
  for (int i = 1; i <= 50; ++i) {
    ASSERT_EQ(simulation.step(), StepStatus::ok);
    EXPECT_NEAR(simulation.time(), 0.01 * i, 1e-9);
  }
  EXPECT_EQ(simulation.summary().events.size(), 2u);
  EXPECT_EQ(simulation.summary().steps, 52);
}

/// A mass on a spring whose spring is switched off at its largest elongation and on again later.
TEST(Loads, ASpringSwitchedOffTakesItsEnergyAlong) {
  MechanismBuilder b("spring");
  b.planar().gravity({0, 0, 0});
  b.body("cart", 2, Place(1, 0), 1.0);
  b.prismatic("rail", "ground", "cart", Place(1, 0), Direction(1, 0));
  b.spring("spring", "ground", "cart", Place(0, 0), Place(1, 0), 50);
  b.velocity("cart", {0.5, 0, 0});
  const double w = 5, quarter = 0.5 * 3.141592653589793 / w;
  b.switch_off("off", 0.5 * quarter, {"spring"}).switch_on("on", quarter, {"spring"});
  const Mechanism mechanism = b.build();
  const double s = std::sin(0.25 * 3.141592653589793), x = 0.1 * s, v = 0.5 * s;
  for (const char* formulation : kFormulations) {
    const FinishedRun run = finish(mechanism, options_of(formulation, 1e-4, quarter * 1.2));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    ASSERT_EQ(run.summary.events.size(), 2u);
    const double x2 = x + 0.5 * quarter * v;
    EXPECT_NEAR(run.summary.events[0].energy, -0.5 * 50 * x * x, 1e-6) << formulation;
    EXPECT_NEAR(run.summary.events[1].energy, 0.5 * 50 * x2 * x2, 1e-6) << formulation;
    EXPECT_LT(std::abs(run.summary.energy_max_error), 1e-7) << formulation;
    const double rest = 0.2 * quarter * w;
    EXPECT_NEAR(run.last["cart.x"], 1 + x2 * std::cos(rest) + v / w * std::sin(rest), 1e-6) << formulation;
  }
}

/// A crank that is driven, let go, and driven again by a function that begins where it stands.
Mechanism driven_twice(double again) {
  MechanismBuilder b("driven");
  b.planar().gravity({0, 0, 0});
  b.rod("crank", Place(0, 0), Place(1, 0), 3);
  b.revolute("pin", "ground", "crank", Place(0, 0));
  b.driver("motor", "pin", Function::polynomial({0, 2}));
  b.driver("brake", "pin", Function::polynomial({again, -1}));
  b.switch_off("coast", 0.5, {"motor"}).switch_on("stop", 1, {"brake"});
  return b.build();
}

TEST(Drivers, AreSwitchedOffAndOn) {
  for (const char* formulation : kFormulations) {
    // 2 rad at t = 1: 3 - t; the error that coasting leaves (global: 3e-5 rad) is closed.
    const FinishedRun run = finish(driven_twice(3), options_of(formulation, 0.01, 1.5));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << ": " << run.summary.reason;
    EXPECT_NEAR(run.last["pin.q"], 1.5, 1e-8) << formulation;
    EXPECT_NEAR(run.last["crank.w"], -1, 1e-8) << formulation;
    ASSERT_EQ(run.summary.events.size(), 2u);
    EXPECT_NEAR(run.summary.events[0].energy, 0, 1e-9) << formulation;
    EXPECT_NEAR(run.summary.events[1].energy, 0.5 * 1 * (1 - 4), 1e-3) << formulation;
    EXPECT_LT(std::abs(run.summary.energy_max_error), 1e-3) << formulation;
    EXPECT_EQ(run.summary.degrees_of_freedom, 1) << formulation;
    EXPECT_TRUE(std::find(run.last.columns().begin(), run.last.columns().end(), "motor.effort") !=
                run.last.columns().end());
    EXPECT_EQ(run.last["motor.effort"], 0) << formulation;
  }
}

TEST(Drivers, ThatAskForAJumpEndTheRun) {
  for (const char* formulation : kFormulations) {
    const FinishedRun run = finish(driven_twice(3.25), options_of(formulation, 0.01, 1.5));
    EXPECT_EQ(run.summary.status, RunStatus::failed) << formulation;
    const std::string begin =
        "event 'stop' at t = 1 s switches on driver 'brake', which asks for 2.25 where the mechanism stands at ";
    ASSERT_TRUE(run.summary.reason.starts_with(begin)) << run.summary.reason;
    EXPECT_NEAR(std::stod(run.summary.reason.substr(begin.size())), 2, 1e-4) << formulation;
    EXPECT_TRUE(run.summary.reason.ends_with("; let its function begin there, since the mechanism does not jump"));
    EXPECT_NEAR(run.summary.duration, 1, 1e-9);
    EXPECT_EQ(run.summary.events.size(), 1u);
  }
}

/// A wheel that stands on its tyre until the road drops below it: the tyre's energy is gone, and the wheel falls.
TEST(Roads, DropUnderAWheel) {
  constexpr double kStiffness = 2e5, kRadius = 0.35, kSunk = 20 * 9.81 / kStiffness, kRest = 0.35 - kSunk;
  for (const char* formulation : kFormulations) {
    MechanismBuilder b("kerb");
    b.planar().body("wheel", 20, Place(0, kRest), 1.0);
    b.prismatic("guide", "ground", "wheel", Place(0, kRest), Direction(0, 1));
    RoadSpec road;
    road.name = "road";
    road.profile = Located<std::vector<Vec2>>({Vec2(-1, 0), Vec2(1, 0)});
    TyreSpec tyre;
    tyre.name = "tyre";
    tyre.body = "wheel";
    tyre.road = "road";
    tyre.radius = kRadius;
    tyre.stiffness = kStiffness;
    b.add(road).add(tyre).drop("kerb", 0.2503, "road", 0.1);
    for (const double until : {0.35, 0.5}) {
      const FinishedRun run = finish(b.build(), options_of(formulation, 1e-3, until));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << ": " << run.summary.reason;
      ASSERT_EQ(run.summary.events.size(), 1u);
      EXPECT_NEAR(run.summary.events[0].energy, -0.5 * kStiffness * kSunk * kSunk, 1e-9) << formulation;
      const double fall = until - 0.2503;
      if (until == 0.35) {
        EXPECT_NEAR(run.last["wheel.y"], kRest - 0.5 * 9.81 * fall * fall, 1e-9) << formulation;
        EXPECT_EQ(run.last["tyre.load"], 0) << formulation;
        EXPECT_LT(std::abs(run.summary.energy_max_error), 1e-9) << formulation;
      } else {
        // It has landed 0.1 m below and bounced, which is as elastic as the step allows.
        EXPECT_LT(std::abs(run.summary.energy_max_error), 0.1) << formulation;
      }
    }
  }
}

TEST(Events, AtTheSameTimeHappenInTheirOrder) {
  // Let go and caught again at once: the rod loses nothing, but is held where it is.
  MechanismBuilder b("again");
  b.planar();
  b.rod("rod", Place(0, 0), Place(1, 0), 1).free("air", "ground", "rod");
  b.revolute("pin", "ground", "rod", Place(0, 0));
  b.release("off", 0.25, "pin").attach("on", 0.25, "pin");
  for (const char* formulation : kFormulations) {
    const FinishedRun run = finish(b.build(), options_of(formulation, 1e-3, 0.5));
    MechanismBuilder plain("plain");
    plain.planar().rod("rod", Place(0, 0), Place(1, 0), 1).revolute("pin", "ground", "rod", Place(0, 0));
    const FinishedRun expected = finish(plain.build(), options_of(formulation, 1e-3, 0.5));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_EQ(run.summary.events.size(), 2u);
    EXPECT_NEAR(run.summary.events[0].energy + run.summary.events[1].energy, 0, 1e-9) << formulation;
    EXPECT_LT(LastSample::difference(run.last, expected.last, plain.build()), 2e-4) << formulation;
  }
}

TEST(Events, AtTheStartAndAfterTheEnd) {
  AllRows motion;
  const RunSummary first = run(caught_rod(0), options_of("hybrid", 0.01, 0.5), &motion);
  ASSERT_EQ(first.status, RunStatus::ok);
  EXPECT_EQ(first.events.size(), 1u);
  EXPECT_GT(std::abs(motion.at(0, "rod.w") - 2), 0.1);
  const FinishedRun never = finish(caught_rod(3), options_of("hybrid", 0.01, 0.5));
  EXPECT_EQ(never.summary.status, RunStatus::ok);
  EXPECT_TRUE(never.summary.events.empty());
  ASSERT_EQ(never.summary.warnings.size(), 1u);
  EXPECT_EQ(never.summary.warnings[0], "event 'catch' at 3 s comes after the end of the run at 0.5 s");
}

TEST(Events, AllocateNothing) {
  int runs = 0;
  for (const Mechanism& mechanism : {chain(), arm()}) {
    for (const RegistryEntry& formulation : formulations()) {
      for (const RegistryEntry& entry : integrators()) {
        const std::string integrator(entry.name);
        if (integrator == "bdf" || !why_not(formulation.name, integrator).empty()) continue;
        const RunOptions options = options_of(std::string(formulation.name), 2e-3, 0.6, integrator);
        const RunSummary summary = run(mechanism, options, nullptr);
        ++runs;
        EXPECT_EQ(summary.status, RunStatus::ok) << formulation.name << " " << integrator << ": " << summary.reason;
        EXPECT_EQ(summary.events.size(), 2u) << formulation.name << " " << integrator;
        EXPECT_EQ(summary.allocations, 0) << mechanism.name << " " << formulation.name << " " << integrator;
      }
    }
  }
  EXPECT_GE(runs, 2 * 38);
}

TEST(States, SavedBeforeAnEventGiveTheSameBitsAfterIt) {
  for (const Mechanism& mechanism : {chain(), arm()}) {
    for (const char* formulation : kFormulations) {
      for (const char* integrator : {"trapezoidal", "rk4"}) {
        const RunOptions options = options_of(formulation, 2e-3, 0.6, integrator);
        Simulation simulation(mechanism, options);
        std::vector<double> first(simulation.columns().size()), again(first);
        for (int i = 0; i < 50; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
        const Context before = simulation.state();
        for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
        const Context held = simulation.state();
        EXPECT_EQ(held.events, 1);
        for (int i = 0; i < 130; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
        EXPECT_EQ(simulation.state().events, 2);
        simulation.sample(first.data());
        for (const auto& [saved, steps] : {std::pair(before, 230), std::pair(held, 130)}) {
          simulation.restore(saved);
          EXPECT_EQ(simulation.state().t, saved.t);
          for (int i = 0; i < steps; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
          simulation.sample(again.data());
          EXPECT_EQ(first, again) << mechanism.name << " " << formulation << " " << integrator;
        }
      }
    }
  }
}

}  // namespace
}  // namespace cardan::events
