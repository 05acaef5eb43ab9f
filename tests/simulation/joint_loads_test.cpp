// Bushings, friction and rotors in every formulation, against closed forms.
#include "simulation/joint_elements.hpp"

namespace cardan::joint_elements {
namespace {

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
}  // namespace cardan::joint_elements
