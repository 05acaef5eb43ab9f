// The PUMA 560 with rotors and friction on all joints, driven: torques against published inverse dynamics (data and
// check values of the Robotics Toolbox by P. Corke, after Armstrong, Khatib and Burdick).
#include <gtest/gtest.h>

#include <numbers>

#include "cardan/builder.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

struct Link {
  Vec3 point, axis, center;  // in the zero position, base axes
  double mass;
  Vec3 inertia;  // about the centre, in base axes
  double rotor, gear, viscous, forward, backward;
};

// Of link 1 only the inertia about its axis counts; it is given as a ball on that axis.
const Link kLinks[] = {
    {{0, 0, 0}, {0, 0, 1}, {0, 0, 0}, 1, {0.35, 0.35, 0.35}, 2e-4, -62.6111, 1.48e-3, 0.395, -0.435},
    {{0, 0, 0}, {0, -1, 0}, {0.068, -0.2275, 0.006}, 17.4, {0.13, 0.539, 0.524}, 2e-4, 107.815, 8.17e-4, 0.126, -0.071},
    {{0.4318, 0, 0},
     {0, -1, 0},
     {0.4318, -0.16415, 0.07},
     4.8,
     {0.066, 0.086, 0.0125},
     2e-4,
     -53.7063,
     1.38e-3,
     0.132,
     -0.105},
    {{0.4521, -0.15005, 0},
     {0, 0, 1},
     {0.4521, -0.15005, 0.4508},
     0.82,
     {1.8e-3, 1.8e-3, 1.3e-3},
     3.3e-5,
     76.0364,
     7.12e-5,
     0.0112,
     -0.0169},
    {{0.4521, -0.15005, 0.4318},
     {0, -1, 0},
     {0.4521, -0.15005, 0.4318},
     0.34,
     {3e-4, 4e-4, 3e-4},
     3.3e-5,
     71.923,
     8.26e-5,
     9.26e-3,
     -0.0145},
    {{0.4521, -0.15005, 0.4318},
     {0, 0, 1},
     {0.4521, -0.15005, 0.4638},
     0.09,
     {1.5e-4, 1.5e-4, 4e-5},
     3.3e-5,
     76.686,
     3.67e-5,
     3.96e-3,
     -0.0105}};

/// All joints at the nominal position with the given speed and acceleration at t = 0.
Mechanism driven_puma(double speed, double acceleration, bool friction) {
  constexpr double kPi = std::numbers::pi;
  const double nominal[] = {0, kPi / 4, kPi, 0, kPi / 4, 0};
  MechanismBuilder b("puma");
  std::string parent = "ground";
  for (int i = 0; i < 6; ++i) {
    const Link& link = kLinks[i];
    const std::string number = std::to_string(i + 1), name = "link" + number, joint = "joint" + number;
    BodySpec body{.name = name,
                  .shape = GivenInertia{link.center, Located<Mat3>(Mat3(link.inertia.asDiagonal()))},
                  .mass = Number(link.mass),
                  .density = {},
                  .axes = {}};
    body.unphysical = true;  // as published, link 3 breaks the triangle inequality
    b.add(body);
    b.revolute(joint, parent, name, link.point, link.axis);
    b.rotor("motor" + number, joint, link.rotor, link.gear);
    if (friction) {
      FrictionSpec load;
      load.name = "friction" + number;
      load.joint = joint;
      load.viscous = Number(link.viscous);
      load.coulomb = Number(link.forward);
      load.coulomb_backward = Number(link.backward);
      load.gear = Number(link.gear);
      b.add(load);
    }
    b.driver("drive" + number, joint, Function::polynomial({nominal[i], speed, acceleration / 2}));
    parent = name;
  }
  return b.build();
}

std::vector<double> torques_at_start(const Mechanism& mechanism, const std::string& formulation) {
  Simulation simulation(mechanism, options_of(formulation, 1e-3, 1));
  std::vector<double> row(simulation.columns().size()), torques;
  simulation.sample(row.data());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (simulation.columns()[i].ends_with(".effort")) torques.push_back(row[i]);
  }
  return torques;
}

TEST(Puma, InverseDynamicsWithRotorsAndFrictionIsThePublishedOne) {
  const double published[] = {32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781};
  for (const char* formulation : {"hybrid", "global", "topological", "cartesian", "recursive"}) {
    const std::vector<double> torques = torques_at_start(driven_puma(1, 1, true), formulation);
    ASSERT_EQ(torques.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(torques[i], published[i], 1e-5 * std::abs(published[i])) << formulation << " " << i;
    }
  }
}

TEST(Puma, FrictionHasALevelForEachDirection) {
  const std::vector<double> still = torques_at_start(driven_puma(-1, 0, false), "hybrid");
  const std::vector<double> rubbed = torques_at_start(driven_puma(-1, 0, true), "hybrid");
  for (std::size_t i = 0; i < 6; ++i) {
    const double gear = std::abs(kLinks[i].gear);
    EXPECT_NEAR(rubbed[i] - still[i], gear * (-kLinks[i].viscous * gear + kLinks[i].backward), 1e-7) << i;
  }
}

}  // namespace
}  // namespace cardan
