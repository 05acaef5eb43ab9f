// FMUs in a model: against the same controller as expressions, saved and restored with the run, mechanisms coupled
// through an exported one, and what is refused by name.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "fmu_files.hpp"
#include "simulation/allocation_counter.hpp"

namespace cardan {
namespace {

constexpr const char* kCart = R"(cardan: 1
name: held-arm
planar: true
parameters: {kp: 40, ki: 15, kd: 6, P: 0.01}
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 2}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
simulation: {until: 2, step: 0.002}
)";

/// The controller of pid_fmu.c as expressions: sampled signals see the values before.
constexpr const char* kAsExpressions = R"yaml(
signals:
  u: 0.3 - pin.q
  last: {value: u, every: P, start: 0}
  steps: {value: steps + 1, every: P, start: -1}
  integral: {value: "steps < 0 ? 0 : integral + ki*last*P", every: P, start: 0}
  y: {value: "kp*u + (steps < 0 ? 0 : integral + ki*last*P) + (steps < 0 ? 0 : kd*((u - last)/P))", every: P}
loads: {motor: {actuator: pin, effort: y}}
)yaml";

std::string as_fmu(const char* more = "") {
  return std::string(R"(
fmus: {pid: {file: pid.fmu, step: P, inputs: {u: 0.3 - pin.q}, outputs: {y: y, count: n}, parameters: {kp: kp, ki: ki, kd: kd}}}
loads: {motor: {actuator: pin, effort: pid.y}}
)") + more;
}

class ImportTest : public FmuTest {
 protected:
  Mechanism model(const std::string& text) const {
    return read_mechanism_text(text, (folder_ / "model.yaml").string());
  }
  std::string error_of(const std::string& text) const {
    try {
      model(text);
      return "";
    } catch (const ModelError& error) {
      return error.what();
    }
  }
};

double value(Simulation& simulation, const std::string& name) {
  std::vector<double> row(simulation.columns().size());
  simulation.sample(row.data());
  const auto found = std::find(simulation.columns().begin(), simulation.columns().end(), name);
  EXPECT_NE(found, simulation.columns().end()) << name;
  return row[static_cast<std::size_t>(found - simulation.columns().begin())];
}

TEST_F(ImportTest, IsWhatItsLawIsAsExpressions) {
  for (const int version : {2, 3}) {
    write("pid.fmu", pid_fmu(version));
    const Mechanism written = model(std::string(kCart) + kAsExpressions), coupled = model(kCart + as_fmu());
    Simulation one(written, RunOptions::for_mechanism(written)), two(coupled, RunOptions::for_mechanism(coupled));
    int compared = 0;
    for (int k = 0; k < 1000; ++k) {
      ASSERT_EQ(one.step(), StepStatus::ok) << one.summary().reason;
      ASSERT_EQ(two.step(), StepStatus::ok) << two.summary().reason;
      for (const char* name : {"pin.q", "pin.v", "motor.effort"}) {
        ASSERT_NEAR(value(one, name), value(two, name), 1e-12 * (1 + std::abs(value(one, name))))
            << name << " at " << one.time();
        ++compared;
      }
    }
    EXPECT_EQ(compared, 3000);
    EXPECT_NEAR(value(two, "pin.q"), 0.3, 0.35);
    EXPECT_GT(std::abs(value(two, "pid.y")), 1);
    EXPECT_EQ(value(two, "pid.count"), 199);  // asked at 0, 0.01, ..., 1.99
  }
}

TEST_F(ImportTest, TheSameAnywhere) {
  write("pid.fmu", pid_fmu(3));
  const Mechanism coupled = model(kCart + as_fmu());
  RunOptions options = RunOptions::for_mechanism(coupled);
  std::vector<double> angles;
  for (const char* formulation : {"hybrid", "global", "cartesian"}) {
    options.formulation = formulation;
    options.step = 0.001;
    Simulation simulation(coupled, options);
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(simulation.step(), StepStatus::ok);
    angles.push_back(value(simulation, "pin.q"));
  }
  EXPECT_NEAR(angles[0], angles[1], 1e-6);
  EXPECT_NEAR(angles[0], angles[2], 1e-6);
}

TEST_F(ImportTest, StepsBetweenSamplesAllocateNothing) {
  write("pid.fmu", pid_fmu(3));
  const Mechanism coupled = model(kCart + as_fmu());
  Simulation simulation(coupled, RunOptions::for_mechanism(coupled));
  ASSERT_NE(allocation_counter, nullptr);
  ASSERT_EQ(simulation.step(), StepStatus::ok);
  const auto before = allocation_counter();
  for (int k = 0; k < 200; ++k) ASSERT_EQ(simulation.step(), StepStatus::ok);
  EXPECT_EQ(allocation_counter(), before);
}

TEST_F(ImportTest, IsSavedAndRestoredWithTheRun) {
  write("pid.fmu", pid_fmu(3));
  const Mechanism coupled = model(kCart + as_fmu());
  const RunOptions options = RunOptions::for_mechanism(coupled);
  Simulation simulation(coupled, options), other(coupled, options);
  const Context at_start = simulation.state();
  const auto go = [](Simulation& s, int steps) {
    for (int k = 0; k < steps; ++k) EXPECT_EQ(s.step(), StepStatus::ok);
    return std::bit_cast<std::uint64_t>(value(s, "pin.q"));
  };
  go(simulation, 203);
  const Context saved = simulation.state();
  std::vector<double> record(simulation.record_size());
  record.resize(simulation.save(record.data()));
  const std::uint64_t first = go(simulation, 300);
  simulation.restore(saved);
  EXPECT_EQ(go(simulation, 300), first);
  ASSERT_NO_THROW(other.restore(record));
  EXPECT_EQ(go(other, 300), first);
  other.restore(at_start);
  go(other, 203);
  EXPECT_EQ(go(other, 300), first);
  // A state of another FMU, and one that is damaged.
  Context damaged = saved;
  damaged.companions[1] = 1e9;
  EXPECT_THROW(other.restore(damaged), std::invalid_argument);
  EXPECT_EQ(go(other, 1), go(simulation, 1));
}

TEST_F(ImportTest, WhatCannotBeSavedSaysSo) {
  write("pid.fmu", pid_fmu(2));
  const Mechanism coupled = model(kCart + as_fmu());
  Simulation simulation(coupled, RunOptions::for_mechanism(coupled));
  simulation.step();
  const auto& warnings = simulation.summary().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "'pid' cannot save its state: this run cannot be set back or taken up again");
  const Context saved = simulation.state();
  simulation.step();
  EXPECT_THROW(simulation.restore(saved), std::invalid_argument);
  EXPECT_EQ(simulation.step(), StepStatus::ok);
}

TEST_F(ImportTest, AFailureEndsTheRunWithItsMessage) {
  write("pid.fmu", pid_fmu(2));
  const Mechanism coupled = model(kCart + as_fmu());
  Mechanism failing = read_mechanism_text(kCart + as_fmu(), (folder_ / "model.yaml").string(), {{"ki", -1}});
  const RunSummary summary = run(failing, RunOptions::for_mechanism(failing));
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_EQ(summary.reason,
            "'pid' failed at t = 1.02 s: its step from 1.01 s over 0.01 s: the integral ran away at 1.01 s");
}

/// A pendulum driven by the angle of another, which is an exported mechanism: as one model, but for the step of the
/// coupling.
TEST_F(ImportTest, CouplesMechanisms) {
  const std::string arm = R"(
planar: true
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 1}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
)";
  write("other.yaml", "cardan: 1\nname: other" + arm + R"(
inputs: {torque: {start: 0, unit: N m}}
loads: {motor: {actuator: pin, effort: torque}}
outputs: [pin.q, pin.v]
simulation: {until: 2, step: 0.0005}
)");
  for (const int version : {2, 3}) {
    export_and_unpack("other", "other.yaml", version);
    const auto coupled = [&](double step) {
      return model("cardan: 1\nname: one" + arm + "fmus: {other: {file: other.fmu, step: " + std::to_string(step) +
                   ", inputs: {torque: 5*(pin.q - 0.5)}, outputs: {q: pin.q}}}\n"
                   "loads: {link: {actuator: pin, effort: -3*other.q}}\nsimulation: {until: 1, step: 0.0005}\n");
    };
    const Mechanism together = model(R"(cardan: 1
planar: true
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 1}, arm2: {rod: [[0, 0], [1, 0]], mass: 1}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}, pin2: {revolute: [ground, arm2], at: [0, 0]}}
loads: {link: {actuator: pin, effort: -3*pin2.q}, motor: {actuator: pin2, effort: 5*(pin.q - 0.5)}}
simulation: {until: 1, step: 0.0005}
)");
    const auto end_of = [](const Mechanism& mechanism) {
      Simulation simulation(mechanism, RunOptions::for_mechanism(mechanism));
      for (int k = 0; k < 2000; ++k) EXPECT_EQ(simulation.step(), StepStatus::ok) << simulation.summary().reason;
      return value(simulation, "pin.q");
    };
    const double exact = end_of(together), coarse = end_of(coupled(0.004)) - exact,
                 fine = end_of(coupled(0.002)) - exact;
    EXPECT_LT(std::abs(fine), 0.03);
    EXPECT_NEAR(coarse / fine, 2, 0.2);  // values are held: the coupling is of first order
  }
}

TEST_F(ImportTest, RefusesByName) {
  write("pid.fmu", pid_fmu(2));
  const std::string start = kCart;
  const auto with = [&](const std::string& fields) {
    return error_of(start + "fmus: {pid: {file: pid.fmu, step: 0.01, " + fields + "}}\n");
  };
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
  };
  EXPECT_EQ(with("inputs: {u: pin.q}"), "");
  says(with("inputs: {v: pin.q}"), "fmu 'pid': 'pid.fmu' has no input 'v'; there are u, on");
  says(with("inputs: {y: pin.q}"), "'y' of 'pid.fmu' is no input but of causality output");
  says(with("inputs: {u: pin.w}"), "pin.w");
  says(with("inputs: [u]"), "'inputs'");
  says(with("outputs: [Y]"), "no output 'Y'; did you mean 'y'?");
  says(with("outputs: [word]"), "'word' of 'pid.fmu' is no real, integer or boolean number");
  says(with("outputs: 3"), "'outputs'");
  says(with("outputs: []"), "it has no outputs");
  says(with("parameters: {kP: 1}"), "did you mean 'kp'?");
  says(with("parameters: {kp: big}"), "'big'");
  says(with("files: 3"), "files");
  says(error_of(start + "fmus: {pid: {file: pid.fmu}}\n"), "'step' is missing");
  says(error_of(start + "fmus: {pid: {step: 0.01}}\n"), "'file' is missing");
  says(error_of(start + "fmus: {pid: {file: pid.fmu, step: 0}}\n"), "its step is 0 s; give it above 0, in s");
  says(error_of(start + "fmus: {pid: {file: none.fmu, step: 0.01}}\n"),
       "none.fmu' cannot be read: it cannot be opened");
  says(error_of(start + "fmus: {pin: {file: pid.fmu, step: 0.01}}\n"), "pin");
  write("pid.fmu", pid_fmu(2, "needsExecutionTool=\"true\""));
  says(with("outputs: [y]"), "needs another program");
  write("pid.fmu", pid_fmu(2, "canBeInstantiatedOnlyOncePerProcess=\"true\""));
  const Mechanism coupled = model(kCart + as_fmu());
  const Simulation one(coupled, RunOptions::for_mechanism(coupled));
  EXPECT_THROW(Simulation(coupled, RunOptions::for_mechanism(coupled)), ModelError);
}

/// The models of docs/connect.md: the one that holds an FMU with one of another tool, and with the one that the page
/// makes.
TEST_F(ImportTest, RunsAsDocumented) {
  const std::string page = bytes_of(CARDAN_SOURCE_DIR "/docs/connect.md");
  const auto block = [&](const std::string& name) {
    const std::size_t begin = page.find("```yaml apart\ncardan: 1\nname: " + name + "\n") + 14;
    EXPECT_GT(begin, 14u) << name;
    return page.substr(begin, page.find("```", begin) - begin);
  };
  write("pid.yaml", block("pid"));
  ASSERT_NE(allocation_counter, nullptr);
  for (const bool made_here : {false, true}) {
    if (made_here) {
      const Result made = shell("'" CARDAN_PROGRAM "' export fmu pid.yaml -o pid.fmu");
      ASSERT_EQ(made.code, 0) << made.out;
    } else {
      write("pid.fmu", pid_fmu(2));
    }
    const Mechanism documented = model(block("held-arm"));
    Simulation simulation(documented, RunOptions::for_mechanism(documented));
    for (int k = 0; k < 4000; ++k) {
      // Once it has started, which the first step does, nothing is allocated, by the FMU neither.
      const std::uint64_t before = allocation_counter();
      ASSERT_EQ(simulation.step(), StepStatus::ok) << simulation.summary().reason;
      if (k > 10) ASSERT_EQ(allocation_counter(), before) << "step " << k;
    }
    EXPECT_NEAR(value(simulation, "pin.q"), 0.3, 0.05) << made_here;
  }
}

/// The run that tells the error starts its FMU late, when the other one's state is there to be kept already.
TEST_F(ImportTest, ShortRunsAreKept) {
  write("pid.fmu", pid_fmu(3));
  write("model.yaml", std::string(kCart) + as_fmu());
  for (const char* until : {"0.002", "0.05", "0.1"}) {
    const Result ran = shell(std::string("'" CARDAN_PROGRAM "' run model.yaml --overwrite --until ") + until);
    EXPECT_EQ(ran.code, 0) << ran.out;
  }
}

TEST_F(ImportTest, PartsBringTheirOwn) {
  write("pid.fmu", pid_fmu(3));
  write("part.yaml", kCart + as_fmu());
  const Mechanism whole = model(
      "cardan: 1\nplanar: true\nsubsystems: {left: {file: part.yaml}, right: {file: part.yaml, parameters: {kp: "
      "80}}}\nsimulation: {until: 1, "
      "step: 0.002}\n");
  Simulation simulation(whole, RunOptions::for_mechanism(whole));
  for (int k = 0; k < 200; ++k) ASSERT_EQ(simulation.step(), StepStatus::ok) << simulation.summary().reason;
  EXPECT_NE(value(simulation, "left/pid.y"), value(simulation, "right/pid.y"));
  EXPECT_EQ(value(simulation, "left/pid.count"), value(simulation, "right/pid.count"));
}

}  // namespace
}  // namespace cardan
