// Links, couplers and screws in every formulation: against closed forms, against the ordinary joints that they make up,
// and against each other.
#include "simulation/joint_elements.hpp"

#include "formulation/loaded_mechanisms.hpp"

namespace cardan::joint_elements {
namespace {

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

}  // namespace
}  // namespace cardan::joint_elements
