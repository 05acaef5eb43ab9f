// Good models: parameters, bodies, how the motion starts, warnings, and the models that come with the program.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "io/model_text.hpp"

namespace cardan {
namespace {

TEST(Parameters, MayStandInAnyOrder) { EXPECT_EQ(read(kPendulum).bodies[0].mass, 1.5); }

TEST(Parameters, AreReplacedFromOutsideAndWhatUsesThemFollows) {
  const Mechanism m = read(kPendulum, {{"L", 4.0}});
  EXPECT_EQ(m.bodies[0].mass, 3.0);
  EXPECT_EQ(m.bodies[0].center, Vec3(2, 0, 0));
  EXPECT_EQ(read(kPendulum, {{"rho", 7.0}}).bodies[0].mass, 21.0);
}

TEST(Parameters, UnknownOnesFromOutsideAreRefused) {
  EXPECT_EQ(error_of(kPendulum, {{"Rho", 1.0}}),
            "model.yaml: error: the model has no parameter 'Rho' to set; did you mean 'rho'?");
  EXPECT_EQ(error_of(kPendulum, {{"L", NAN}}), "model.yaml: error: parameter 'L' is set to nan; give a finite number");
}

TEST(Bodies, PlanarShapes) {
  const Mechanism m = read(R"(
planar: true
bodies:
  rod: {rod: [[0, 0], [0, 2]], mass: 3}
  box: {box: [2, 4], at: [1, 1], mass: 12, axes: {angle: 0.5}}
  plate: {box: [2, 4, 0.5], at: [1, 1], density: 3}
  given: {mass: 2, center: [3, 4], inertia: 5, axes: {x: [0, 1]}}
  massless: {mass: 0, center: [0, 0]}
joints:
  j1: {fixed: [ground, rod]}
  j2: {fixed: [rod, box]}
  j3: {free: [ground, given], at: [1, 2]}
  j4: {free: [ground, massless]}
  j5: {fixed: [ground, plate]}
)");
  EXPECT_EQ(m.gravity, Vec3(0, -9.81, 0));
  EXPECT_EQ(m.bodies[0].center, Vec3(0, 1, 0));
  EXPECT_DOUBLE_EQ(m.bodies[0].inertia(2, 2), 3 * 4 / 12.0);
  EXPECT_EQ(Vec3(m.bodies[0].axes.col(0)), Vec3(0, 1, 0));
  EXPECT_EQ(Vec3(m.bodies[0].axes.col(2)), Vec3(0, 0, 1));
  EXPECT_DOUBLE_EQ(m.bodies[1].inertia(2, 2), 20);
  EXPECT_NEAR(m.bodies[1].axes(1, 0), std::sin(0.5), kRounding);
  EXPECT_DOUBLE_EQ(m.bodies[2].mass, 12);
  EXPECT_EQ(m.bodies[3].inertia(2, 2), 5);
  EXPECT_EQ(Vec3(m.bodies[3].axes.col(0)), Vec3(0, 1, 0));
  EXPECT_EQ(m.bodies[4].mass, 0);
  EXPECT_EQ(m.joints[0].frame1.origin, Vec3(0, 1, 0))
      << "a free joint without a place sits at the centre of its second body";
  EXPECT_EQ(m.joints[2].frame1.origin, Vec3(1, 2, 0));
}

TEST(Bodies, SpatialShapes) {
  const Mechanism m = read(R"(
points: {O: [0, 0, 0], A: [0, 0, 2]}
bodies:
  rod: {rod: [O, A], mass: 3}
  bar: {rod: [O, A], mass: 3, radius: 0.1}
  cylinder: {cylinder: [O, A], radius: 0.5, density: 2}
  sphere: {sphere: 0.5, at: A, density: 3}
  box: {box: [1, 2, 3], at: A, mass: 12, axes: {x: [0, 1, 0], y: [-1, 0, 0]}}
  three: {mass: 2, center: A, inertia: [1, 2, 2.5]}
  six: {mass: 2, center: [1, 2, 3], inertia: [3, 4, 5, 0.1, 0.2, 0.3]}
  nine: {mass: 2, center: A, inertia: [[3, 0.1, 0], [0.1, 4, 0], [0, 0, 5]]}
joints:
  j1: {fixed: [ground, rod]}
  j2: {free: [ground, bar]}
  j3: {free: [ground, cylinder]}
  j4: {free: [ground, sphere]}
  j5: {free: [ground, box]}
  j6: {free: [ground, three]}
  j7: {free: [ground, six]}
  j8: {free: [ground, nine]}
)");
  EXPECT_EQ(m.gravity, Vec3(0, 0, -9.81));
  EXPECT_TRUE(m.bodies[0].inertia.isApprox(Mat3(Vec3(1, 1, 0).asDiagonal()), kRounding));
  EXPECT_EQ(Vec3(m.bodies[0].axes.col(0)), Vec3(0, 0, 1));
  EXPECT_TRUE(m.bodies[1].inertia.isApprox(Mat3(Vec3(3 * (0.03 + 4) / 12, 3 * (0.03 + 4) / 12, 0.015).asDiagonal()),
                                           kRounding));
  EXPECT_NEAR(m.bodies[2].mass, 2 * std::numbers::pi * 0.25 * 2, kRounding);
  EXPECT_NEAR(m.bodies[3].mass, 3 * 4.0 / 3 * std::numbers::pi * 0.125, kRounding);
  EXPECT_NEAR(m.bodies[3].inertia(1, 1), 0.4 * m.bodies[3].mass * 0.25, kRounding);
  EXPECT_TRUE(m.bodies[4].inertia.isApprox(Mat3(Vec3(10, 13, 5).asDiagonal()), kRounding))
      << "its x axis lies along inertial y";
  EXPECT_EQ(Vec3(m.bodies[5].inertia.diagonal()), Vec3(1, 2, 2.5));
  EXPECT_EQ(m.bodies[6].inertia(0, 1), 0.1);
  EXPECT_EQ(m.bodies[6].inertia(2, 0), 0.2);
  EXPECT_EQ(m.bodies[6].inertia(1, 2), 0.3);
  EXPECT_EQ(m.bodies[7].inertia(1, 0), 0.1);
}

TEST(Initial, BodiesAndOpenComponents) {
  const Mechanism m = read(std::string(kTwoBodies) + R"(
joints: {f: {free: [ground, a]}, pin: {revolute: [a, b], at: A, axis: z}}
initial: {a: {velocity: [free, 2, 3], angular_velocity: [0, 0, 1]}, pin: {position: 0.1, velocity: -1}}
)");
  EXPECT_TRUE(std::isnan((*m.bodies[0].initial_velocity)[0]));
  EXPECT_EQ((*m.bodies[0].initial_velocity)[1], 2);
  EXPECT_EQ(*m.bodies[0].initial_angular_velocity, Vec3(0, 0, 1));
  EXPECT_FALSE(m.bodies[1].initial_velocity);
  EXPECT_EQ(m.joints[1].initial_position, 0.1);
  EXPECT_EQ(m.joints[1].initial_velocity, -1.0);
}

TEST(SimulationBlock, EverySetting) {
  const Mechanism m = read(std::string(kPendulum) + R"(
simulation: {until: 3, step: 1e-3, formulation: global, integrator: hht, tolerance: 1e-7, penalty: 1e9, iterations: 3, every: 5,
             dissipation: 0.2, spectral_radius: 0.7, solver: sparse, cut: [pin], index: 3}
)");
  const SimulationDefaults& s = m.simulation;
  EXPECT_EQ(s.until, 3.0);
  EXPECT_EQ(s.step, 1e-3);
  EXPECT_EQ(s.formulation, "global");
  EXPECT_EQ(s.integrator, "hht");
  EXPECT_EQ(s.tolerance, 1e-7);
  EXPECT_EQ(s.penalty, 1e9);
  EXPECT_EQ(s.iterations, 3);
  EXPECT_EQ(s.every, 5);
  EXPECT_EQ(s.dissipation, 0.2);
  EXPECT_EQ(s.spectral_radius, 0.7);
  EXPECT_EQ(s.solver, "sparse");
  EXPECT_EQ(s.index, 3);
  EXPECT_EQ(s.cut, std::vector<std::string>{"pin"});
}

TEST(Warnings, UnphysicalInertiaIsLetThroughWhenMarked) {
  const Mechanism m = read(
      "bodies: {b: {mass: 1, center: [0, 0, 0], inertia: [1, 1, 3], unphysical: true}}\njoints: {j: {free: [ground, "
      "b]}}\n");
  ASSERT_EQ(m.warnings.size(), 1u);
  EXPECT_EQ(m.warnings[0].text(),
            "model.yaml:2:51: warning: body 'b': the principal moments of inertia 1, 1, 3 break the triangle "
            "inequality; let through "
            "because the body is marked unphysical");
}

TEST(Yaml, AnchorsAliasesAndJson) {
  const Mechanism m = read(
      "points: {O: &o [0, 0, 0]}\nbodies: {a: &box {box: [1, 2, 3], at: O, mass: 1}, b: *box}\n"
      "joints: {i: {free: [ground, a], at: *o}, j: {free: [ground, b]}}\n");
  EXPECT_EQ(m.bodies[1].inertia, m.bodies[0].inertia);
  const Mechanism json = read_mechanism_text(
      R"({"cardan": 1, "planar": true, "bodies": {"a": {"rod": [[0, 0], [1, 0]], "mass": 1}}, "joints": {"p": {"revolute": ["ground", "a"], "at": [0, 0]}}})",
      "model.json");
  EXPECT_EQ(json.joints[0].body2, 0);
}

TEST(Models, AllThatComeWithTheProgramRead) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(CARDAN_SOURCE_DIR) / "models")) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    EXPECT_NO_THROW(EXPECT_TRUE(read_mechanism(entry.path().string()).warnings.empty())) << entry.path();
  }
  EXPECT_GE(count, 7);
}

TEST(Models, StiffDoublePendulumStartsAsPublished) {
  const std::string path = std::string(CARDAN_SOURCE_DIR) + "/models/stiff_double_pendulum.yaml";
  const Mechanism set1 = read_mechanism(path);
  EXPECT_NEAR(set1.bodies[1].center.x(), 3.44888874, 1e-8);
  EXPECT_NEAR(set1.bodies[1].center.y(), -0.38822858, 2e-8) << "the table's last digit is off by one";
  EXPECT_NEAR(set1.bodies[0].inertia(2, 2), 1.0, kRounding);
  EXPECT_NEAR(set1.bodies[1].inertia(2, 2), 0.225, kRounding);
  const Mechanism set2 = read_mechanism(path, {{"tilt", 0}, {"spin", 60}});
  EXPECT_EQ(set2.bodies[1].center, Vec3(3.5, 0, 0));
  EXPECT_EQ(set2.bodies[1].initial_angular_velocity->z(), 60);
}

}  // namespace
}  // namespace cardan
