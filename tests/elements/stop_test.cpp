// Stops of joint coordinates: their law, the motion into one and out of it, and stops as fields of joints.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

constexpr double kStiffness = 5e3, kSoft = 0.02, kMax = 0.1, kSpeed = 1.5;

/// g(d) and S(d), as docs/model-file.md has them.
double push(double d) {
  if (d <= 0) return 0;
  return d < kSoft ? d * d * d / (kSoft * kSoft) - std::pow(d, 4) / (2 * std::pow(kSoft, 3)) : d - kSoft / 2;
}
double touch(double d) {
  const double u = std::min(1.0, std::max(0.0, d / kSoft));
  return u * u * (3 - 2 * u);
}

struct Motion {
  double q, v;
};

/// m q'' = -k g(q - max) - c S(q - max) q', by the classical method in steps of a microsecond.
Motion by_hand(double mass, double damping, double until) {
  const auto a = [&](const Motion& s) {
    return -(kStiffness * push(s.q - kMax) + damping * touch(s.q - kMax) * s.v) / mass;
  };
  Motion s{0, kSpeed};
  const int steps = static_cast<int>(std::lround(until / 1e-6));
  const double h = until / steps;
  for (int i = 0; i < steps; ++i) {
    const auto slope = [&](double part, const Motion& along) {
      const Motion at{s.q + part * h * along.q, s.v + part * h * along.v};
      return Motion{at.v, a(at)};
    };
    const Motion k1 = slope(0, {0, 0}), k2 = slope(0.5, k1), k3 = slope(0.5, k2), k4 = slope(1, k3);
    s.q += h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q);
    s.v += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
  }
  return s;
}

/// A block on a slide, or a disc on a hinge, or either on a joint of several coordinates, that flies into its stop.
MechanismBuilder flying(const RandomPlace& p, bool planar, bool turning, double damping) {
  MechanismBuilder b("flying");
  b.planar(planar).gravity(Vec3::Zero());
  const Vec3 axis = p.along(0.2, 0.5, planar ? 0 : 1);
  if (planar) {
    b.body("block", 2, Place(p.at(0, 0)), 2.0);
  } else {
    b.body("block", 2, Place(p.at(0, 0)), Mat3(2 * Mat3::Identity()));
  }
  StopSpec stop{.name = "end", .joint = "way", .min = Number(-1), .max = Number(kMax), .stiffness = kStiffness};
  if (damping > 0) stop.damping = Number(damping);
  stop.soft = Number(kSoft);
  if (planar && turning) {
    b.revolute("way", "ground", "block", p.at(0, 0)).joint_velocity("way", kSpeed);
  } else if (planar) {
    b.prismatic("way", "ground", "block", p.at(0, 0), axis).joint_velocity("way", kSpeed);
  } else {
    b.cylindrical("way", "ground", "block", p.at(0, 0), axis);
    const Vec3 motion = kSpeed * axis.normalized();
    turning ? b.angular_velocity("block", motion) : b.velocity("block", motion);
    stop.coordinate = Located<int>(turning ? 2 : 1);
  }
  return b.add(stop);
}

TEST(Stop, SendsABlockBackAsItsLawSays) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    for (const bool turning : {false, true}) {
      for (const double damping : {0.0, 60.0}) {
        const double until = 0.15;
        const Motion expected = by_hand(2, damping, until);
        if (damping == 0) EXPECT_NEAR(expected.v, -kSpeed, 1e-6);  // out again by then
        const RandomPlace p(11 + runs, planar);
        const Mechanism m = flying(p, planar, turning, damping).build();
        const std::string q = planar    ? "way.q"
                              : turning ? "way.q2"
                                        : "way.q1",
                          v = planar    ? "way.v"
                              : turning ? "way.v2"
                                        : "way.v1";
        for (const RegistryEntry& formulation : formulations()) {
          for (const RegistryEntry& integrator : integrators()) {
            if (!why_not(formulation.name, integrator.name).empty()) continue;
            SCOPED_TRACE(std::string(formulation.name) + " " + std::string(integrator.name));
            RunOptions options = options_of(std::string(formulation.name), 2e-4, until, std::string(integrator.name));
            const bool chooses = chooses_steps(formulation.name, integrator.name);
            if (chooses) options.absolute_tolerance = options.relative_tolerance = 1e-7;
            const FinishedRun run = finish(m, options);
            ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
            const double margin = integrator.name == "newmark" ? 3e-2 : 2e-3;  // of first order
            EXPECT_NEAR(run.last[q], expected.q, margin * kMax);
            EXPECT_NEAR(run.last[v], expected.v, margin * kSpeed);
            if (chooses) EXPECT_LT(run.summary.steps + run.summary.rejected_steps, 600);
            ++runs;
          }
        }
      }
    }
  }
  EXPECT_GE(runs, 8 * 36);
}

/// In the stop the column is all that it does, the spring of it included, and its energy is kept.
TEST(Stop, TellsItsEffortAndKeepsItsEnergy) {
  for (const bool planar : {true, false}) {
    for (const RegistryEntry& formulation : formulations()) {
      SCOPED_TRACE(formulation.name);
      const RandomPlace p(21, planar);
      MechanismBuilder b = flying(p, planar, false, 60);
      b.signal("effort", SignalExpression::parse("end.effort"))
          .signal("energy", SignalExpression::parse("energy.total"));
      Simulation s(b.build(), options_of(std::string(formulation.name), 1e-3, 1, "rk4"));
      std::vector<double> row(s.columns().size());
      const auto value = [&](const char* name) {
        return row[static_cast<std::size_t>(std::find(s.columns().begin(), s.columns().end(), name) -
                                            s.columns().begin())];
      };
      while (s.time() < 0.075) ASSERT_EQ(s.step(), StepStatus::ok);
      s.sample(row.data());
      const double q = value(planar ? "way.q" : "way.q1"), v = value(planar ? "way.v" : "way.v1");
      ASSERT_GT(q, kMax);
      EXPECT_NEAR(value("end.effort"), -kStiffness * push(q - kMax) - 60 * touch(q - kMax) * v, 1e-8);
      EXPECT_EQ(value("effort"), value("end.effort"));
      double stored = 0;  // of the spring, by the trapezoidal rule
      for (int i = 0; i < 2000; ++i)
        stored +=
            (q - kMax) / 2000 * kStiffness * (push((q - kMax) * i / 2000) + push((q - kMax) * (i + 1) / 2000)) / 2;
      EXPECT_NEAR(value("energy"), v * v + stored, 1e-4);
      EXPECT_LT(std::abs(s.summary().energy_max_error), 5e-3);
    }
  }
}

constexpr const char* kBetween = R"(
cardan: 1
planar: true
bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}}
joints: {pin: {revolute: [ground, a], at: [0, 0]%s}}
%s
)";

std::string between(const std::string& field, const std::string& load) {
  std::string text = kBetween;
  text.replace(text.find("%s"), 2, field);
  return text.replace(text.find("%s"), 2, load);
}

TEST(Stop, OfAJointIsTheSameAsALoad) {
  const Mechanism field = read_mechanism_text(
      between(", stops: {min: -0.2, max: 1, stiffness: 300, damping: 2, soft: 0.05}", ""), "a.yaml");
  const Mechanism load = read_mechanism_text(
      between("", "loads: {pin_stop: {stop: pin, min: -0.2, max: 1, stiffness: 300, damping: 2, soft: 0.05}}"),
      "a.yaml");
  const FinishedRun one = finish(field, options_of("hybrid", 1e-3, 1)),
                    two = finish(load, options_of("hybrid", 1e-3, 1));
  EXPECT_EQ(one.last.columns(), two.last.columns());
  EXPECT_EQ(one.last.row(), two.last.row());
  const Mechanism list =
      read_mechanism_text(between(", stops: [{min: -0.2, stiffness: 300}, {max: 1, stiffness: 300}]", ""), "a.yaml");
  ASSERT_EQ(list.joint_springs.size(), 2u);
  EXPECT_EQ(list.joint_springs[1].name, "pin_stop2");
  EXPECT_EQ(list.joint_springs[0].spring(0.9), 0);
  EXPECT_GT(list.joint_springs[1].spring(1.1), 0);
  EXPECT_LT(list.joint_springs[0].spring(-0.3), 0);
}

/// The angle of a planar hinge turns round in a mirror, and its ends with it.
TEST(Stop, ChangesItsEndsInAMirror) {
  MechanismBuilder part("part");
  part.planar().rod("a", Vec3(0, 0, 0), Vec3(1, 0, 0), 1).revolute("pin", "ground", "a", Vec3(0, 0, 0));
  part.add(StopSpec{.name = "end", .joint = "pin", .min = Number(-0.3), .stiffness = 400.0, .damping = Number(3)});
  part.joint_velocity("pin", -1);
  MechanismBuilder whole("whole");
  whole.planar();
  SubsystemUse use;
  use.name = "left", use.placement.mirror = {true, false, false};
  whole.add(part.spec(), use);
  const FinishedRun one = finish(part.build(), options_of("hybrid", 1e-3, 1));
  const FinishedRun two = finish(whole.build(), options_of("hybrid", 1e-3, 1));
  EXPECT_NEAR(two.last["left/pin.q"], -one.last["pin.q"], 1e-10);
  EXPECT_LT(one.last["pin.q"], -0.3);
  EXPECT_NEAR(two.last["left/end.effort"], -one.last["end.effort"], 1e-8);
}

TEST(Stop, IsRefusedWithoutEnds) {
  const auto complaint = [](const std::string& fields) -> std::string {
    try {
      read_mechanism_text(between(", stops: {" + fields + "}", ""), "a.yaml");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("stiffness: 3"),
            "a.yaml:5:58: error: load 'pin_stop': the stop has no end; add 'min', 'max' or both");
  EXPECT_EQ(complaint("min: 2, max: 1, stiffness: 3"),
            "a.yaml:5:64: error: load 'pin_stop': min is 2, not below max, 1; exchange them");
  EXPECT_NE(complaint("min: 2").find("a stop has no stiffness; add 'stiffness', N m/rad or N/m"), std::string::npos);
}

}  // namespace
}  // namespace cardan
