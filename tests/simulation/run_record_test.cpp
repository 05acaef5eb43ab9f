// Runs that are ended and taken up again, in every formulation with every integrator: the rows are those of one run.
#include <gtest/gtest.h>

#include <random>

#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "cardan/system.hpp"
#include "integration/linkages.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

/// Two rods on a ball and a hinge that turns at random in space, with a damper; a rope holds them until it is let go.
Mechanism roped_arm() {
  MechanismBuilder b("arm");
  b.gravity({1.2, -3.1, -8.9});
  b.rod("upper", Place(0.2, 0.1, 0.3), Place(0.7, 0.3, 0.5), 2)
      .rod("lower", Place(0.7, 0.3, 0.5), Place(1.1, 0.7, 0.4), 1);
  b.spherical("shoulder", "ground", "upper", Place(0.2, 0.1, 0.3));
  b.revolute("elbow", "upper", "lower", Place(0.7, 0.3, 0.5), Direction(0.1, 1, 0.3));
  b.distance("rope", "ground", "lower", Place(1.5, 0.2, 1.1), Place(1.1, 0.7, 0.4));
  b.torsion("brake", "elbow", 0.3, 0.05);
  b.angular_velocity("upper", {9, 7, -8});
  b.release("let_go", 0.073, "rope");
  return b.build();
}

/// A body that flies and turns round several times.
Mechanism spinning_top() {
  MechanismBuilder b("top");
  b.gravity({1.2, -3.1, -8.9});
  b.body("top", 2, Place(0.3, 0.1, -0.2), Mat3(Vec3(0.2, 0.5, 0.6).asDiagonal())).free("flight", "ground", "top");
  b.spring("string", "ground", "top", Place(1, 0, 0), Place(0.4, 0.1, 0), 30, 0.2);
  b.angular_velocity("top", {25, -30, 12});
  return b.build();
}

/// Keeps all rows one after the other, and asks for an end once it has so many. Allocates nothing on the way.
struct RecordedRows final : Sink {
  void start(const std::vector<std::string>& columns) override {
    width = columns.size();
    numbers.reserve(width * 500);
  }
  void sample(const double* row, std::size_t size) override {
    numbers.insert(numbers.end(), row, row + size);
    if (numbers.size() >= most * width) stop = true;
  }
  void keep(std::int64_t rows) { numbers.resize(static_cast<std::size_t>(rows) * width); }
  std::vector<double> numbers;
  std::size_t width = 0, most = 500;
  std::atomic<bool> stop = false;
};

/// Takes a record after every third step, and the last.
struct ThirdStepKeeper final : RunKeeper {
  void start(std::size_t numbers) override {
    record.numbers.reserve(numbers);
    capacity = record.numbers.capacity();
  }
  bool due() const override { return ++asked % 3 == 0; }
  RunRecord& room(bool) override { return record; }
  void keep(bool) override { ++kept; }
  RunRecord record;
  std::size_t capacity = 0;
  mutable int asked = 0;
  int kept = 0;
};

void expect_same_summary(const RunSummary& one, const RunSummary& two) {
  EXPECT_EQ(one.status, two.status);
  EXPECT_EQ(one.steps, two.steps);
  EXPECT_EQ(one.iterations, two.iterations);
  EXPECT_EQ(one.rejected_steps, two.rejected_steps);
  EXPECT_EQ(one.duration, two.duration);
  EXPECT_EQ(one.step_smallest, two.step_smallest);
  EXPECT_EQ(one.energy_initial, two.energy_initial);
  EXPECT_EQ(one.energy_final, two.energy_final);
  EXPECT_EQ(one.energy_max_error, two.energy_max_error);
  EXPECT_EQ(one.energy_max_error_time, two.energy_max_error_time);
  EXPECT_EQ(one.position.value, two.position.value);
  EXPECT_EQ(one.velocity.time, two.velocity.time);
  EXPECT_EQ(one.acceleration.constraint, two.acceleration.constraint);
  EXPECT_EQ(one.warnings, two.warnings);
  ASSERT_EQ(one.events.size(), two.events.size());
  for (std::size_t i = 0; i < one.events.size(); ++i) EXPECT_EQ(one.events[i].energy, two.events[i].energy);
}

TEST(RunRecord, ARunInThreePartsIsTheSameBitForBit) {
  const Mechanism mechanism = roped_arm();
  int combinations = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      if (!why_not(formulation.name, integrator.name).empty()) continue;
      SCOPED_TRACE(std::string(formulation.name) + " " + std::string(integrator.name));
      RunOptions options = options_of(std::string(formulation.name), 2e-3, 0.2, std::string(integrator.name));
      options.every = 2;
      RunControl control;
      control.steps_every = 3;
      RecordedRows whole, whole_steps, parts, steps;
      const RunSummary all = run(mechanism, options, &whole, {}, &whole_steps, control);
      ASSERT_EQ(all.status, RunStatus::ok) << all.reason;
      ++combinations;

      // Ended before the event and after it; what was sampled beyond the record is taken back.
      RunRecord record;
      RunSummary last;
      for (const std::size_t most : {std::size_t{11}, std::size_t{32}, std::size_t{500}}) {
        ThirdStepKeeper keeper;
        control.keeper = &keeper;
        control.from = record.numbers.empty() ? nullptr : &record;
        control.stop = &parts.stop;
        parts.stop = false;
        parts.most = most;
        parts.keep(record.rows);
        steps.keep(record.step_rows);
        last = run(mechanism, options, &parts, {}, &steps, control);
        ASSERT_EQ(last.status, most == 500 ? RunStatus::ok : RunStatus::interrupted) << last.reason;
        EXPECT_EQ(keeper.record.numbers.capacity(), keeper.capacity) << "records fit into the room made for them";
        EXPECT_GT(keeper.kept, 1);
        if (integrator.name != "bdf") EXPECT_EQ(last.allocations, 0);
        record = keeper.record;
      }
      EXPECT_TRUE(whole.numbers == parts.numbers);
      EXPECT_TRUE(whole_steps.numbers == steps.numbers);
      expect_same_summary(all, last);
    }
  }
  EXPECT_GE(combinations, 25);
}

TEST(RunRecord, OfAnotherMechanismIsRefused) {
  RecordedRows rows;
  ThirdStepKeeper keeper;
  RunControl control;
  control.keeper = &keeper;
  run(roped_arm(), options_of("hybrid", 0.01, 0.1), &rows, {}, nullptr, control);
  control.keeper = nullptr;
  control.from = &keeper.record;
  EXPECT_THROW(run(roped_arm(), options_of("global", 0.01, 0.1), &rows, {}, nullptr, control), std::invalid_argument);
  keeper.record.numbers.resize(5);
  EXPECT_THROW(run(roped_arm(), options_of("hybrid", 0.01, 0.1), &rows, {}, nullptr, control), std::invalid_argument);
}

TEST(Context, RestoredTheBalanceOfEnergyGoesOn) {
  const Mechanism mechanism = roped_arm();
  for (const RegistryEntry& formulation : formulations()) {
    Simulation simulation(mechanism, options_of(std::string(formulation.name), 1e-3, 1));
    for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    const Context saved = simulation.state();
    const double energy = simulation.energy();
    for (int i = 0; i < 300; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    EXPECT_GT(std::abs(simulation.energy() - energy), 0.1) << "the damper has taken energy";
    const double error = simulation.summary().energy_max_error;
    simulation.restore(saved);
    EXPECT_NEAR(simulation.energy(), energy, 1e-9) << formulation.name;
    for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
    EXPECT_LT(std::abs(simulation.summary().energy_max_error), 2 * std::abs(error) + 1e-3) << formulation.name;
  }
}

TEST(Context, RestoredElsewhereItHasTheSameBooksBitForBit) {
  int compared = 0;
  for (const Mechanism& mechanism : {roped_arm(), spinning_top()}) {
    for (const RegistryEntry& formulation : formulations()) {
      const RunOptions options = options_of(std::string(formulation.name), 1e-3, 1);
      Simulation one(mechanism, options), two(mechanism, options);
      std::vector<double> first(one.columns().size()), second(first);
      std::vector<double> steps(Simulation::step_columns().size()), other(steps);
      for (int i = 0; i < 300; ++i) {
        ASSERT_EQ(one.step(), StepStatus::ok);
        one.sample(first.data());
      }
      two.restore(one.state());
      EXPECT_EQ(one.energy(), two.energy());
      for (int i = 0; i < 50; ++i) {
        ASSERT_EQ(one.step(), StepStatus::ok);
        ASSERT_EQ(two.step(), StepStatus::ok);
        one.sample(first.data()), two.sample(second.data());
        one.step_row(steps.data()), two.step_row(other.data());
        ASSERT_EQ(first, second) << formulation.name;  // quaternions with their signs
        ASSERT_EQ(steps, other) << formulation.name;   // the energy error among them
      }
      EXPECT_EQ(one.summary().energy_max_error, two.summary().energy_max_error) << formulation.name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 10);
}

TEST(Context, OfAnotherSimulationIsRefused) {
  const RunOptions options = options_of("hybrid", 1e-3, 1);
  Simulation simulation(roped_arm(), options);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok);
  const Context own = simulation.state();
  EXPECT_THROW(simulation.restore(Context{}), std::invalid_argument);
  EXPECT_THROW(simulation.restore(Simulation(spinning_top(), options).state()), std::invalid_argument);
  EXPECT_THROW(simulation.restore(Simulation(roped_arm(), options_of("global", 1e-3, 1)).state()),
               std::invalid_argument);
  EXPECT_THROW(simulation.restore(Simulation(roped_arm(), options_of("hybrid", 1e-3, 1, "dopri5")).state()),
               std::invalid_argument);
  Context damaged = own;
  damaged.memory[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(simulation.restore(damaged), std::invalid_argument);
  damaged = own;
  damaged.events = 1000;
  EXPECT_THROW(simulation.restore(damaged), std::invalid_argument);
  EXPECT_EQ(simulation.time(), own.t);  // and nothing has changed
  simulation.restore(own);
  EXPECT_EQ(simulation.step(), StepStatus::ok);
}

/// Whatever numbers stand where coordinates and constraints are named: refused, or a motion that is told of; nothing
/// beyond a buffer is read.
TEST(Context, DamagedChoicesOfCoordinatesAreRefused) {
  std::mt19937 random(5);
  int refused = 0;
  for (const char* formulation : {"topological", "cartesian", "hybrid", "global"}) {
    for (const char* integrator : {"trapezoidal", "rk4", "sdirk4"}) {
      Simulation simulation(closed_four_bar(), options_of(formulation, 1e-3, 1, integrator));
      ASSERT_EQ(simulation.step(), StepStatus::ok);
      const Context own = simulation.state();
      for (int i = 0; i < 20 && own.partition.size() > 0; ++i) {
        Context damaged = own;
        const auto at = std::uniform_int_distribution<Eigen::Index>(0, own.partition.size() - 1)(random);
        damaged.partition[at] = std::uniform_int_distribution<int>(-2, 40)(random);
        if (damaged.partition == own.partition) continue;
        try {
          simulation.restore(damaged);
          simulation.step();
        } catch (const std::invalid_argument&) {
          ++refused;
        }
        simulation.restore(own);
        EXPECT_EQ(simulation.step(), StepStatus::ok);
      }
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(Context, OfASystemIsWhereARunGoesOn) {
  int runs = 0;
  for (const RegistryEntry& formulation : formulations()) {
    const std::string name(formulation.name);
    const Mechanism mechanism = roped_arm();
    const System system(mechanism, name);
    const CoordinateHandle joint = system.coordinate("elbow");
    const Context context =
        with_joints(system, system.start(), {joint}, VecX::Constant(1, 0.1), VecX::Constant(1, -0.4));
    Simulation simulation(mechanism, options_of(name, 1e-3, 1));
    for (const bool on_the_way : {false, true}) {
      if (on_the_way) {
        simulation.restore(with_joints(system, simulation.state(), {joint}, VecX::Constant(1, 0.1), VecX::Zero(1)));
      } else {
        simulation.restore(context);
      }
      EXPECT_NEAR(joint_position(system, simulation.state(), joint), 0.1, 1e-12) << name;
      for (int i = 0; i < 10; ++i) ASSERT_EQ(simulation.step(), StepStatus::ok) << name;
      EXPECT_NE(joint_position(system, simulation.state(), joint), 0.1) << name;
      EXPECT_LT(std::abs(simulation.summary().energy_max_error), 1e-3 * energy(system, context).kinetic) << name;
    }
    ++runs;
  }
  EXPECT_EQ(runs, 5);
}

/// Mechanisms of the same sizes: pendulums that differ in one number, one law, one name.
std::vector<Mechanism> alike(bool planar) {
  struct Difference {
    double length = 1, mass = 2, stiffness = 5;
    bool mirrored = false;
    const char* name = "arm";
  };
  std::vector<Mechanism> result;
  for (const Difference& d : {Difference{}, Difference{.length = 1.1}, Difference{.mass = 2.5},
                              Difference{.stiffness = 5.5}, Difference{.mirrored = true}, Difference{.name = "leg"}}) {
    const RandomPlace place(21, planar);
    const double x = d.mirrored ? -d.length : d.length;
    MechanismBuilder b("pendulum");
    b.planar(planar).rod(d.name, place.at(0, 0), place.at(x, 0.2), d.mass, planar ? 0 : 0.1);
    b.rod("forearm", place.at(x, 0.2), place.at(x, 1.2), 1, planar ? 0 : 0.1);
    if (planar) {
      b.revolute("pin", "ground", d.name, place.at(0, 0)).revolute("elbow", d.name, "forearm", place.at(x, 0.2));
    } else {
      b.revolute("pin", "ground", d.name, place.at(0, 0), place.along(0, 0, 1));
      b.revolute("elbow", d.name, "forearm", place.at(x, 0.2), place.along(0, 1, 1));
    }
    b.torsion("spring", "pin", d.stiffness);
    result.push_back(b.build());
  }
  return result;
}

TEST(Context, OfAnotherMechanismOfTheSameSizeIsRefused) {
  int refused = 0, taken = 0;
  for (const bool planar : {true, false}) {
    const std::vector<Mechanism> mechanisms = alike(planar);
    for (const RegistryEntry& formulation : formulations()) {
      const std::string name(formulation.name);
      const RunOptions options = options_of(name, 1e-3, 1);
      std::vector<Context> contexts;
      std::vector<std::vector<double>> records;
      for (const Mechanism& mechanism : mechanisms) {
        Simulation simulation(mechanism, options);
        ASSERT_EQ(simulation.step(), StepStatus::ok);
        contexts.push_back(simulation.state());
        records.emplace_back(simulation.record_size());
        records.back().resize(simulation.save(records.back().data()));
      }
      for (std::size_t i = 0; i < mechanisms.size(); ++i) {
        Simulation simulation(mechanisms[i], options);
        const System system(mechanisms[i], name);
        for (std::size_t j = 0; j < mechanisms.size(); ++j) {
          ASSERT_EQ(contexts[i].q.size(), contexts[j].q.size());
          if (i == j) {
            EXPECT_NO_THROW(simulation.restore(contexts[j])) << name;
            EXPECT_NO_THROW(mass_matrix(system, contexts[j])) << name;
            EXPECT_NO_THROW(simulation.restore(records[j])) << name;
            ++taken;
            continue;
          }
          EXPECT_THROW(simulation.restore(contexts[j]), std::invalid_argument) << name << i << j;
          EXPECT_THROW(mass_matrix(system, contexts[j]), std::invalid_argument) << name << i << j;
          EXPECT_THROW(simulation.restore(records[j]), std::invalid_argument) << name << i << j;
          ++refused;
        }
      }
      EXPECT_THROW(mass_matrix(System(mechanisms[0], name), Context()), std::invalid_argument);
    }
  }
  EXPECT_EQ(taken, 2 * 5 * 6);
  EXPECT_EQ(refused, 2 * 5 * 30);
}

/// Relative coordinates count from where a mechanism was assembled.
TEST(Context, OfAnotherAssemblyIsRefused) {
  const Mechanism mechanism = alike(true)[0];
  SystemOptions elsewhere;
  elsewhere.poses = find_equilibrium(mechanism).bodies;
  const System drawn(mechanism), resting(mechanism, "hybrid", elsewhere);
  EXPECT_NO_THROW(mass_matrix(resting, resting.start()));
  EXPECT_THROW(mass_matrix(resting, drawn.start()), std::invalid_argument);
  RunOptions options = options_of("hybrid", 1e-3, 1);
  options.start = "equilibrium";
  EXPECT_THROW(Simulation(mechanism, options).restore(drawn.start()), std::invalid_argument);
  EXPECT_NO_THROW(Simulation(mechanism, options).restore(resting.start()));
}

}  // namespace
}  // namespace cardan
