// Links, couplers, screws, bushings, friction and rotors in every formulation: against closed forms, against the
// ordinary joints that they make up, and against each other.
#include <gtest/gtest.h>

#include <numbers>

#include "cardan/builder.hpp"
#include "formulation/loaded_mechanisms.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

const char* const kAll[] = {"global", "hybrid", "topological", "cartesian", "recursive"};
const char* const kExactClosures[] = {"global", "hybrid", "topological", "cartesian"};
constexpr double kPi = std::numbers::pi;

Mat3 diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

FinishedRun finish_well(const Mechanism& mechanism, const std::string& formulation, double step, double until) {
  FinishedRun result = finish(mechanism, options_of(formulation, step, until));
  EXPECT_EQ(result.summary.status, RunStatus::ok) << formulation << ": " << result.summary.reason;
  return result;
}

/// Angles as coordinates are exact at constant acceleration; points and Euler parameters of what turns are not, and
/// have the error of the rule.
double near(const std::string& formulation, double exact, double of_the_rule) {
  return formulation == "global" || formulation == "cartesian" ? of_the_rule : exact;
}

// ---- Couplers

/// Two discs on parallel axes that turn many times; `ratio` as of the gear.
Mechanism gear_pair(double ratio) {
  MechanismBuilder b("gear pair");
  b.gravity({0, 0, 0});
  b.body("one", 1, Vec3(0, 0, 0), diagonal(0.1, 0.1, 0.2)).body("two", 1, Vec3(1, 0, 0), diagonal(0.1, 0.1, 0.05));
  b.revolute("a", "ground", "one", Vec3(0, 0, 0), "z").revolute("b", "ground", "two", Vec3(1, 0, 0), "z");
  b.gear("teeth", "a", "b", ratio).actuator("motor", "a", Function::constant(8));
  return b.build();
}

TEST(Gear, TurnsTwoDiscsAsOneInertia) {
  for (const double ratio : {-2.5, 0.4, 12.0}) {
    const double a = 8 / (0.2 + ratio * ratio * 0.05), t = 1.5;
    for (const std::string formulation : kAll) {
      const FinishedRun run = finish_well(gear_pair(ratio), formulation, 0.002, t);
      const double by = near(formulation, 1e-6, 0.02) * a;
      EXPECT_NEAR(run.last["a.q"], a * t * t / 2, by) << formulation << " " << ratio;
      EXPECT_NEAR(run.last["b.q"], ratio * a * t * t / 2, by * std::abs(ratio)) << formulation << " " << ratio;
      EXPECT_NEAR(run.last["b.v"], ratio * a * t, by * std::abs(ratio)) << formulation << " " << ratio;
      EXPECT_NEAR(run.last["b.q"], ratio * run.last["a.q"], 1e-8 * std::abs(ratio) * a) << formulation << " " << ratio;
      EXPECT_NEAR(run.last["teeth.effort"], 0.05 * ratio * a, 1e-4 * a) << formulation << ", torque on the second";
    }
  }
}

TEST(Gear, CarriesAnInitialPositionOverFullTurns) {
  for (const std::string formulation : kAll) {
    MechanismBuilder b("train");
    b.planar().gravity({0, 0, 0});
    b.body("one", 1, Place(0, 0), 0.1).body("two", 1, Place(1, 0), 0.2).body("three", 1, Place(2, 0), 0.3);
    b.revolute("a", "ground", "one", Place(0, 0)).revolute("b", "ground", "two", Place(1, 0));
    b.revolute("c", "ground", "three", Place(2, 0));
    b.gear("first", "a", "b", -3).gear("second", "c", "b", 2).joint_position("a", 20).joint_velocity("a", 2);
    const FinishedRun run = finish_well(b.build(), formulation, 0.01, 1);
    const double by = near(formulation, 1e-7, 1e-3);
    EXPECT_NEAR(run.last["a.q"], 22, by) << formulation;
    EXPECT_NEAR(run.last["b.q"], -66, 3 * by) << formulation;
    EXPECT_NEAR(run.last["c.q"], -33, 3 * by) << formulation;
    EXPECT_NEAR(run.last["b.q"], -3 * run.last["a.q"], 1e-8) << formulation;
    EXPECT_NEAR(run.last["b.q"], 2 * run.last["c.q"], 1e-8) << formulation;
  }
}

TEST(Rack, PushesAMass) {
  for (const std::string formulation : kAll) {
    MechanismBuilder b("rack");
    b.planar().gravity({0, 0, 0});
    b.body("pinion", 1, Place(0, 0.1), 0.02).body("rack", 3, Place(0, 0), 0.1);
    b.revolute("axle", "ground", "pinion", Place(0, 0.1)).prismatic("rail", "ground", "rack", Place(0, 0), "x");
    b.rack("teeth", "axle", "rail", 0.1).actuator("motor", "axle", Function::constant(2));
    const FinishedRun run = finish_well(b.build(), formulation, 0.001, 1);
    const double a = 2 / (0.02 + 3 * 0.01);
    EXPECT_NEAR(run.last["axle.q"], a / 2, near(formulation, 1e-6, 3e-3)) << formulation;
    EXPECT_NEAR(run.last["rail.q"], 0.1 * run.last["axle.q"], 1e-7) << formulation;
    EXPECT_NEAR(run.last["teeth.effort"], 3 * 0.1 * a, 1e-5) << formulation;
  }
}

/// A planet on a carrier: both joints of the gear share a body that moves.
Mechanism planetary() {
  const Vec3 axis = Vec3(0.2, -0.4, 0.9).normalized(), across = axis.unitOrthogonal();
  MechanismBuilder b("planetary");
  b.gravity({1, -3, -8});
  b.body("sun", 1.5, Vec3(0.1, 0, 0), diagonal(0.1, 0.2, 0.15))
      .revolute("centre", "ground", "sun", Vec3(0, 0, 0), axis);
  b.body("carrier", 1, Vec3(0.4 * across), diagonal(0.05, 0.06, 0.07));
  b.revolute("arm", "ground", "carrier", Vec3(0, 0, 0), axis);
  b.body("planet", 0.5, Vec3(0.8 * across + Vec3(0.05, 0.02, 0)), diagonal(0.01, 0.02, 0.015));
  b.revolute("pin", "carrier", "planet", Vec3(0.8 * across), axis);
  CouplerSpec mesh;
  mesh.name = "mesh";
  mesh.joint1 = "arm";
  mesh.joint2 = "pin";
  mesh.ratio = 3;
  b.add(mesh).gear("second", "centre", "arm", 0.5);
  b.joint_velocity("arm", 2);
  return b.build();
}

TEST(Gear, OnAMovingCarrierIsOneMotionOfSecondOrder) {
  const Mechanism mechanism = planetary();
  const FinishedRun reference = finish_well(mechanism, "hybrid", 1e-4, 1);
  for (const std::string formulation : kAll) {
    double error[2], energy[2];
    for (int i = 0; i < 2; ++i) {
      const FinishedRun run = finish_well(mechanism, formulation, i == 0 ? 0.008 : 0.004, 1);
      error[i] = LastSample::difference(run.last, reference.last, mechanism);
      energy[i] = std::abs(run.summary.energy_max_error);
      EXPECT_EQ(run.summary.redundant_constraints, 0) << formulation;
      EXPECT_EQ(run.summary.allocations, 0) << formulation;
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.2) << formulation << " " << error[0];
    EXPECT_LT(energy[1], 0.35 * energy[0]) << formulation;
  }
}

// ---- Screw

TEST(Screw, NutFallsSlowlyBecauseItMustSpin) {
  const double mass = 0.3, inertia = 2e-4, pitch = 0.05, g = 9.81;
  const double a = g * mass / (mass + inertia * std::pow(2 * kPi / pitch, 2));
  for (const std::string formulation : kAll) {
    MechanismBuilder b("nut");
    b.body("nut", mass, Vec3(0, 0, 0), diagonal(1e-4, 1e-4, inertia));
    b.screw("thread", "ground", "nut", Vec3(0, 0, 0), "z", pitch);
    const FinishedRun run = finish_well(b.build(), formulation, 0.0005, 0.5);
    const double fall = a / 8, turn = fall * 2 * kPi / pitch;
    EXPECT_NEAR(run.last["nut.z"], -fall, near(formulation, 1e-9, 1e-4) * fall) << formulation;
    EXPECT_NEAR(run.last["thread.q"], -turn, near(formulation, 1e-9, 1e-4) * turn) << formulation << ", over two turns";
    EXPECT_NEAR(run.last["nut.z"], run.last["thread.q"] * pitch / (2 * kPi), 1e-9) << formulation;
    EXPECT_NEAR(run.last["thread.fz"], mass * (g - a), 1e-5) << formulation;
    EXPECT_NEAR(run.last["thread.mz"], -inertia * a * 2 * kPi / pitch, 1e-6) << formulation;
  }
}

/// A screw as a joint, and as a cylindrical joint whose two coordinates a coupler ties together.
TEST(Screw, IsACylindricalJointWithACoupler) {
  const Vec3 axis = Vec3(0.4, 0.3, 0.8).normalized();
  const auto build = [&](bool coupled) {
    MechanismBuilder b("screw");
    b.body("arm", 1, Vec3(0.3, 0, 0), diagonal(0.02, 0.03, 0.04)).spherical("ball", "ground", "arm", Vec3(0, 0, 0));
    b.body("nut", 0.5, Vec3(0.6, 0.2, 0.1), diagonal(0.01, 0.02, 0.015));
    if (coupled) {
      b.cylindrical("thread", "nut", "arm", Vec3(0.6, 0, 0), axis);
      CouplerSpec lead;
      lead.name = "lead";
      lead.joint1 = lead.joint2 = "thread";
      lead.coordinate1 = 2;
      lead.coordinate2 = 1;
      lead.ratio = 0.3 / (2 * kPi);
      b.add(lead);
    } else {
      b.screw("thread", "nut", "arm", Vec3(0.6, 0, 0), axis, 0.3);
    }
    b.angular_velocity("arm", {1, 2, -1});
    b.spring("spring", "ground", "nut", Vec3(1, 1, 1), Vec3(0.6, 0.2, 0.1), 30);
    return b.build();
  };
  const Mechanism screw = build(false), coupled = build(true);
  for (const std::string formulation : kExactClosures) {
    const FinishedRun one = finish_well(screw, formulation, 0.0005, 0.5);
    const FinishedRun two = finish_well(coupled, formulation, 0.0005, 0.5);
    // Cartesian coordinates have the same equations for both, the others other coordinates.
    const double by = formulation == "cartesian" ? 1e-8 : 5e-4;
    EXPECT_LT(LastSample::difference(one.last, two.last, screw), by) << formulation;
  }
}

// ---- Links that make up ordinary joints

struct Composition {
  const char* name;
  bool planar;
  void (*joint)(MechanismBuilder&);
  void (*links)(MechanismBuilder&);  // beside a free or spherical joint
};

const Vec3 kAxis = Vec3(0.3, -0.5, 0.8).normalized();
const Vec3 kAcross = kAxis.cross(Vec3(1, 0.2, 0)).normalized();
const Vec3 kAt(0.5, 0.2, -0.3);

const Composition kCompositions[] = {
    {"cylindrical", false, [](MechanismBuilder& b) { b.cylindrical("joint", "upper", "lower", kAt, kAxis); },
     [](MechanismBuilder& b) {
       b.free("joint", "ground", "lower").parallel("one", "upper", "lower", kAxis);
       b.point_on_line("two", "upper", "lower", kAt, kAxis, kAt);
     }},
    {"planar", false, [](MechanismBuilder& b) { b.planar_joint("joint", "upper", "lower", kAt, kAxis); },
     [](MechanismBuilder& b) {
       b.free("joint", "ground", "lower").parallel("one", "lower", "upper", kAxis);
       b.point_on_plane("two", "upper", "lower", kAt, kAxis, kAt);
     }},
    {"universal", false, [](MechanismBuilder& b) { b.universal("joint", "upper", "lower", kAt, kAxis, kAcross); },
     [](MechanismBuilder& b) {
       b.spherical("joint", "upper", "lower", kAt).perpendicular("one", "upper", "lower", kAxis, kAcross);
     }},
    {"spherical", false, [](MechanismBuilder& b) { b.spherical("joint", "upper", "lower", kAt); },
     [](MechanismBuilder& b) {
       b.free("joint", "ground", "lower").point_on_line("one", "upper", "lower", kAt, kAxis, kAt);
       b.point_on_plane("two", "lower", "upper", kAt, kAxis, kAt);
     }},
    {"prismatic", true,
     [](MechanismBuilder& b) {
       b.prismatic("joint", "upper", "lower", Place(0.5, 0.2), {1, 0.4});
     },
     [](MechanismBuilder& b) {
       b.free("joint", "ground", "lower").parallel("one", "upper", "lower", Direction(0.2, 1));
       b.point_on_line("two", "upper", "lower", Place(0.5, 0.2), {1, 0.4}, Place(0.5, 0.2));
     }},
};

Mechanism composed(const Composition& c, bool links) {
  MechanismBuilder b(c.name);
  b.planar(c.planar).gravity(c.planar ? Vec3(0.5, -9, 0) : Vec3(0.5, -1, -9));
  if (c.planar) {
    b.body("upper", 1.3, Place(0.3, 0.1), 0.06).body("lower", 0.8, Place(0.7, 0.4), 0.03);
    b.revolute("ball", "ground", "upper", Place(0, 0));
    b.spring("spring", "ground", "lower", Place(1, 1), Place(0.7, 0.5), 20, 0.5).angular_velocity("upper", {0, 0, 1});
  } else {
    b.body("upper", 1.3, Vec3(0.3, 0.1, -0.2), diagonal(0.05, 0.08, 0.06));
    b.body("lower", 0.8, Vec3(0.7, 0.4, -0.5), diagonal(0.03, 0.02, 0.04));
    b.spherical("ball", "ground", "upper", Vec3(0, 0, 0));
    b.spring("spring", "ground", "lower", Vec3(1, 1, 0.5), Vec3(0.7, 0.5, -0.4), 20, 0.5);
    b.angular_velocity("upper", {1, -0.5, 0.7});
  }
  links ? c.links(b) : c.joint(b);
  return b.build();
}

TEST(Links, MakeUpOrdinaryJoints) {
  for (const Composition& c : kCompositions) {
    const Mechanism mechanism = composed(c, true);
    const FinishedRun reference = finish_well(composed(c, false), "hybrid", 1e-4, 0.5);
    for (const std::string formulation : kAll) {
      const bool recursive = formulation == "recursive";
      const FinishedRun run = finish_well(mechanism, formulation, 5e-4, 0.5);
      EXPECT_LT(LastSample::difference(run.last, reference.last, mechanism), 1e-3) << c.name << " " << formulation;
      EXPECT_LT(run.summary.position.value, recursive ? 1e-4 : 1e-9) << c.name << " " << formulation;
      EXPECT_EQ(run.summary.redundant_constraints, 0) << c.name << " " << formulation;
      EXPECT_EQ(run.summary.allocations, 0) << c.name << " " << formulation;
      // What holds the upper body is the same, whoever holds the lower one to it.
      for (const char* f : {"ball.fx", "ball.fy"}) {
        EXPECT_NEAR(run.last[f], reference.last[f], 0.02 * (1 + std::abs(reference.last[f]))) << c.name << formulation;
      }
    }
  }
}

TEST(Links, TakeParallelAxesDrawnHalfATurnOffAsTheyAre) {
  MechanismBuilder b("antiparallel");
  b.gravity({0, 0, -9});
  b.body("a", 1, Vec3(0.2, 0.1, 0), diagonal(0.02, 0.03, 0.04)).spherical("ball", "ground", "a", Vec3(0, 0, 0));
  b.body("b", 1, Vec3(1.2, 0, 0), diagonal(0.02, 0.03, 0.04)).spherical("other", "ground", "b", Vec3(1, 0, 0));
  JointSpec link{.name = "aligned", .type = JointType::parallel, .body1 = "a", .body2 = "b"};
  link.axis1 = Direction(kAxis);
  link.axis2 = Direction(Vec3(-kAxis));
  b.add(link).angular_velocity("a", {1, 2, 3});
  const Mechanism mechanism = b.build();
  const FinishedRun reference = finish_well(mechanism, "hybrid", 1e-4, 0.5);
  for (const std::string formulation : kExactClosures) {
    const FinishedRun run = finish_well(mechanism, formulation, 1e-3, 0.5);
    EXPECT_LT(LastSample::difference(run.last, reference.last, mechanism), 1e-3) << formulation;
  }
}

// ---- All elements in one mechanism

TEST(JointElements, AreOneMotionInEveryFormulation) {
  for (const Mechanism& mechanism : {elements_in_plane(), elements_in_space()}) {
    const FinishedRun reference = finish_well(mechanism, "hybrid", 5e-5, 0.5);
    for (const std::string formulation : kExactClosures) {
      double error[2], energy[2];
      for (int i = 0; i < 2; ++i) {
        const FinishedRun run = finish_well(mechanism, formulation, i == 0 ? 0.004 : 0.001, 0.5);
        error[i] = LastSample::difference(run.last, reference.last, mechanism);
        energy[i] = std::abs(run.summary.energy_max_error);
        EXPECT_LT(run.summary.position.value, 1e-8) << formulation;
        EXPECT_EQ(run.summary.allocations, 0) << formulation;
      }
      EXPECT_NEAR(std::log2(error[0] / error[1]) / 2, 2, 0.2) << formulation << " " << error[0];
      EXPECT_LT(energy[1], 0.1 * energy[0]) << formulation;
    }
  }
}

/// Accelerations and reactions of one instant do not depend on how the motion is written.
TEST(JointElements, GiveTheSameAccelerationsAndReactionsInEveryFormulation) {
  for (const Mechanism& mechanism : {elements_in_plane(), elements_in_space()}) {
    Simulation reference(mechanism, options_of("hybrid", 1e-3, 1));
    std::vector<double> expected(reference.columns().size()), row(expected.size());
    reference.sample(expected.data());
    for (const std::string formulation : kAll) {
      Simulation simulation(mechanism, options_of(formulation, 1e-3, 1));
      for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
        const BodyMotion one = simulation.body(static_cast<int>(b)), two = reference.body(static_cast<int>(b));
        EXPECT_LT((one.acceleration - two.acceleration).norm(), 1e-9 * (1 + two.acceleration.norm())) << formulation;
        EXPECT_LT((one.angular_acceleration - two.angular_acceleration).norm(),
                  1e-9 * (1 + two.angular_acceleration.norm()))
            << formulation;
      }
      simulation.sample(row.data());
      for (std::size_t i = 0; i < row.size(); ++i) {
        EXPECT_NEAR(row[i], expected[i], 2e-8 * (1 + std::abs(expected[i])))
            << formulation << " " << reference.columns()[i];
      }
    }
  }
}

TEST(JointElements, MoveAsTheirMirrorImageInAMirroredSubsystem) {
  MechanismBuilder part = elements_of_space(), whole("mirrored");
  part.gravity({0.2, 0, -9.81});
  whole.gravity({0.2, 0, -9.81});
  whole.add(part.spec(), {.name = "s", .placement = {.mirror = {false, true, false}}});
  const Mechanism original = part.build(), image = whole.build();
  const FinishedRun one = finish_well(original, "hybrid", 1e-3, 0.3), two = finish_well(image, "hybrid", 1e-3, 0.3);
  for (const Body& body : original.bodies) {
    for (const char* same : {".x", ".z", ".vx", ".vz", ".wy"}) {
      EXPECT_NEAR(two.last["s/" + body.name + same], one.last[body.name + same], 1e-7) << body.name << same;
    }
    for (const char* opposite : {".y", ".vy", ".wx", ".wz"}) {
      EXPECT_NEAR(two.last["s/" + body.name + opposite], -one.last[body.name + opposite], 1e-7)
          << body.name << opposite;
    }
  }
}

// ---- Bushing

TEST(Bushing, SwingsAboutEveryAxis) {
  const Vec3 k(400, 900, 1600), turn(2, 3, 5), inertia(0.02, 0.03, 0.04);
  const double mass = 2, t = 0.3;
  const Mat3 axes = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  for (int i = 0; i < 3; ++i) {
    MechanismBuilder b("bushing");
    b.gravity({0, 0, 0});
    b.body("block", mass, Vec3(0.3, 0.1, 0.2), Mat3(axes * inertia.asDiagonal() * axes.transpose()));
    b.free("loose", "ground", "block");
    BushingSpec rubber;
    rubber.name = "rubber";
    rubber.body1 = "ground";
    rubber.body2 = "block";
    rubber.at1 = Place(Vec3(0.3, 0.1, 0.2));
    rubber.axes = AxesSpec{.x = Direction(Vec3(axes.col(0))), .y = Direction(Vec3(axes.col(1)))};
    rubber.stiffness = Located<Vec3>(k);
    rubber.rotational_stiffness = Located<Vec3>(turn);
    b.add(rubber).velocity("block", 0.01 * axes.col(i)).angular_velocity("block", 0.01 * axes.col(i));
    for (const std::string formulation : kAll) {
      const FinishedRun run = finish_well(b.build(), formulation, 1e-4, t);
      const Vec3 v = run.last.vector("block.vx", "block.vy", "block.vz");
      const Vec3 w = run.last.vector("block.wx", "block.wy", "block.wz");
      EXPECT_NEAR(v.dot(axes.col(i)), 0.01 * std::cos(std::sqrt(k[i] / mass) * t), 1e-6) << formulation;
      EXPECT_NEAR(w.dot(axes.col(i)), 0.01 * std::cos(std::sqrt(turn[i] / inertia[i]) * t), 1e-6) << formulation;
    }
  }
}

TEST(Bushing, KeepsItsEnergyInLargeTurnsToTheOrderOfTheRule) {
  MechanismBuilder b("bushing");
  b.body("block", 2, Vec3(0.3, 0.1, 0.2), diagonal(0.02, 0.03, 0.04)).free("loose", "ground", "block");
  BushingSpec rubber;
  rubber.name = "rubber";
  rubber.body1 = "ground";
  rubber.body2 = "block";
  rubber.at1 = Place(Vec3(0.2, 0.1, 0.3));
  rubber.stiffness = Located<Vec3>(Vec3(400, 900, 1600));
  rubber.rotational_stiffness = Located<Vec3>(Vec3(2, 3, 5));
  b.add(rubber).velocity("block", {1, 0.5, -1}).angular_velocity("block", {4, -5, 3});
  for (const std::string formulation : kAll) {
    const double coarse = std::abs(finish_well(b.build(), formulation, 2e-3, 1).summary.energy_max_error);
    const double fine = std::abs(finish_well(b.build(), formulation, 5e-4, 1).summary.energy_max_error);
    EXPECT_LT(fine, 0.1 * coarse) << formulation;
    EXPECT_LT(fine, 0.05) << formulation;
  }
}

// ---- Friction

TEST(Friction, StopsABlockAsCoulombAndStokesSay) {
  // m v' = -B v - T, so v = (v0 + T/B) e^(-B t/m) - T/B; another level on the way back.
  const double m = 2, B = 0.7, forward = 3, backward = 1.5, t = 0.4;
  for (const double v0 : {4.0, -4.0}) {
    MechanismBuilder b("friction");
    b.planar().gravity({0, 0, 0});
    b.body("block", m, Place(0, 0), 0.1).prismatic("rail", "ground", "block", Place(0, 0), "x");
    FrictionSpec friction;
    friction.name = "drag";
    friction.joint = "rail";
    friction.viscous = Number(B / 16);
    friction.coulomb = Number(forward / 4);
    friction.coulomb_backward = Number(-backward / 4);
    friction.gear = Number(-4);
    b.add(friction).joint_velocity("rail", v0);
    const double T = v0 > 0 ? forward : backward, sign = v0 > 0 ? 1 : -1;
    const double v = sign * ((std::abs(v0) + T / B) * std::exp(-B * t / m) - T / B);
    for (const std::string formulation : kAll) {
      const FinishedRun run = finish_well(b.build(), formulation, 1e-3, t);
      EXPECT_NEAR(run.last["rail.v"], v, 1e-6) << formulation;
      EXPECT_LT(std::abs(run.summary.energy_max_error), 1e-5) << formulation << ": what friction takes is counted";
    }
  }
}

TEST(Friction, HoldsABlockOnASlopeButForACreep) {
  MechanismBuilder b("slope");
  b.planar();
  b.body("block", 1, Place(0, 0), 0.1).prismatic("rail", "ground", "block", Place(0, 0), Direction(1, -0.5));
  b.friction("drag", "rail", 0, 8);
  const double pull = 9.81 * 0.5 / std::sqrt(1.25);
  const FinishedRun run = finish_well(b.build(), "hybrid", 1e-3, 1);
  EXPECT_NEAR(run.last["rail.v"], 0.01 * std::atanh(pull / 8), 1e-9);
}

// ---- Rotors

TEST(Rotor, AddsGSquaredJToItsCoordinateOnly) {
  // Driven joints: the elbow's rotor adds G^2 J q2'' to the elbow's effort and nothing to the shoulder's.
  const auto build = [](double inertia) {
    MechanismBuilder b("arm");
    b.body("upper", 2, Vec3(0.3, 0, 0), diagonal(0.02, 0.1, 0.1))
        .body("lower", 1, Vec3(0.9, 0, 0.1), diagonal(0.01, 0.05, 0.06));
    b.revolute("shoulder", "ground", "upper", Vec3(0, 0, 0), Vec3(0, 0.2, 1));
    b.revolute("elbow", "upper", "lower", Vec3(0.6, 0, 0), Vec3(0.1, 1, 0));
    b.driver("one", "shoulder", Function::sine(0.5, 2)).driver("two", "elbow", Function::sine(0.7, 3, 0.4));
    b.rotor("motor", "elbow", inertia, -50);
    return b.build();
  };
  for (const std::string formulation : kAll) {
    const FinishedRun with = finish_well(build(2e-4), formulation, 1e-3, 0.5);
    const FinishedRun without = finish_well(build(0), formulation, 1e-3, 0.5);
    const double q_second = -0.7 * 9 * std::sin(3 * 0.5 + 0.4);
    const double by = formulation == "recursive" ? 1e-4 : 1e-6;
    EXPECT_NEAR(with.last["two.effort"] - without.last["two.effort"], 0.5 * q_second, by) << formulation;
    EXPECT_NEAR(with.last["one.effort"], without.last["one.effort"], by) << formulation;
    EXPECT_NEAR(with.last["shoulder.mx"], without.last["shoulder.mx"], by * 10) << formulation;
    EXPECT_LT(std::abs(with.summary.energy_max_error), 1e-4) << formulation;
  }
}

TEST(Rotor, SlowsAPendulum) {
  // Without gravity under a constant torque: q'' = T / (I + G^2 J).
  for (const std::string formulation : kAll) {
    MechanismBuilder b("disc");
    b.gravity({0, 0, 0});
    b.body("disc", 1, Vec3(0, 0, 0), diagonal(0.1, 0.1, 0.2)).revolute("pin", "ground", "disc", Vec3(0, 0, 0), "z");
    b.actuator("torque", "pin", Function::constant(3)).rotor("motor", "pin", 1e-3, 20);
    const FinishedRun run = finish_well(b.build(), formulation, 1e-3, 1);
    EXPECT_NEAR(run.last["pin.q"], 0.5 * 3 / (0.2 + 0.4), near(formulation, 1e-9, 1e-5)) << formulation;
    EXPECT_NEAR(run.summary.energy_final, 3 * run.last["pin.q"], near(formulation, 1e-8, 1e-4)) << formulation;
  }
}

/// A four-bar with a rotor on every joint, so that one of them is on the joint that is cut.
Mechanism four_bar_of_motors() {
  MechanismBuilder b("four-bar");
  b.planar();
  b.rod("crank", Place(0, 0), Place(0.1, 0.9), 1).rod("coupler", Place(0.1, 0.9), Place(2, 1.4), 2);
  b.rod("rocker", Place(1.8, 0), Place(2, 1.4), 1.5);
  b.revolute("A", "ground", "crank", Place(0, 0)).revolute("B", "crank", "coupler", Place(0.1, 0.9));
  b.revolute("C", "coupler", "rocker", Place(2, 1.4)).revolute("D", "ground", "rocker", Place(1.8, 0));
  for (const char* joint : {"A", "B", "C", "D"}) b.rotor(std::string("motor") + joint, joint, 0.002, 15);
  b.joint_velocity("A", 1.2);
  return b.build();
}

TEST(Rotor, OnACutJointIsARowOfTheMassMatrix) {
  const Mechanism mechanism = four_bar_of_motors();
  const FinishedRun reference = finish_well(mechanism, "cartesian", 1e-4, 1);
  for (const std::string formulation : kExactClosures) {
    const FinishedRun run = finish_well(mechanism, formulation, 1e-3, 1);
    EXPECT_LT(LastSample::difference(run.last, reference.last, mechanism), 1e-4) << formulation;
    EXPECT_LT(std::abs(run.summary.energy_max_error), 5e-4) << formulation;
  }
}

TEST(Rotor, KeepsItsJointInTheTree) {
  for (std::size_t spared = 0; spared < 4; ++spared) {
    Mechanism m = four_bar_of_motors();
    m.rotors.erase(m.rotors.begin() + static_cast<long>(spared));
    const FormulationCounts counts = count_coordinates(m, "recursive");
    ASSERT_EQ(counts.cut.size(), 1U);
    EXPECT_EQ(counts.cut[0], m.joints[spared].name);
  }
}

TEST(Rotor, OnACutJointIsRefusedByRecursive) {
  try {
    finish(four_bar_of_motors(), options_of("recursive", 1e-3, 0.1));
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("' closes a loop, and recursive needs rotors on joints of the tree; open the "
                                         "loop at another joint with 'cut', or use another formulation"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace cardan
