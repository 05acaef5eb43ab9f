// Whole files as robots have them: much that is not read, meshes that are not there, roots and sensors without mass.
#include <gtest/gtest.h>

#include "cardan/formats.hpp"
#include "cardan/simulation.hpp"
#include "cardan/system.hpp"
#include "formats/robot_text.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

// Wheels on axles: what is damped slows down as exp(-c t/I), what has `joint_properties`, which URDF has none of, spins
// on.
TEST(UrdfFiles, MobileBase) {
  const Mechanism m = read_mechanism(kRobots + "mobile_base.urdf");
  EXPECT_EQ(m.bodies.size(), 4u);
  EXPECT_EQ(m.joints.size(), 4u);
  EXPECT_EQ(m.warnings.size(), 1u);
  const System system(m);
  const CoordinateHandle left = system.coordinate("left_axle"), right = system.coordinate("right_axle");
  const Context spinning = with_joints(system, system.start(), {left, right}, Vec2(0, 0), Vec2(3, 3));
  const VecX a = forward_dynamics(system, spinning).acceleration;
  EXPECT_NEAR(effort_direction(system, spinning, left).dot(a), -0.1 * 3 / 2.1e-5, 1e-6);
  EXPECT_NEAR(effort_direction(system, spinning, right).dot(a), 0, 1e-9);
}

// Let go, it falls: nothing inside moves its mass centre otherwise, and the energy stays, with a link that has mass and
// no inertia among the others.
TEST(UrdfFiles, LeggedRobotFalls) {
  ImportOptions options;
  options.floating = true;
  const Mechanism m = read_mechanism_text(import_model(kRobots + "legged.urdf", options), kRobots + "legged.yaml");
  EXPECT_EQ(m.bodies.size(), 6u);
  EXPECT_EQ(m.markers.size(), 2u);  // the base and a shoulder have no mass
  const FinishedRun run = finish(m, options_of("hybrid", 1e-3, 0.5));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  double mass = 0, fallen = 0;
  for (const Body& body : m.bodies) {
    mass += body.mass;
    fallen += body.mass * (run.last[body.name + ".z"] - body.center.z());
  }
  EXPECT_NEAR(fallen / mass, -9.81 * 0.5 * 0.5 / 2, 1e-6);
  EXPECT_LT(std::abs(run.summary.energy_max_error), 1e-6);
}

TEST(UrdfFiles, Forklift) {
  const Mechanism m = read_mechanism(kRobots + "forklift.urdf");
  ASSERT_EQ(m.bodies.size(), 4u);
  EXPECT_EQ(m.bodies[0].name, "base_link_0");
  EXPECT_EQ(m.bodies[1].name, "wheel_left_front");
  // The fork is drawn at its offset above the mast's foot.
  EXPECT_LT((m.bodies[3].center - Vec3(0, 0, 0.3)).norm(), 1e-15);
  ASSERT_EQ(m.warnings.size(), 1u);  // the mesh that is not there
  const FinishedRun run = finish(m, options_of("hybrid", 1e-3, 0.2));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_EQ(run.summary.degrees_of_freedom, 2);
  // The mast goes down by s and the fork, on top of it, by 3 s: (3 + 0.5*3*3) s'' = (3 + 0.5*3) g.
  const double s = -0.5 * 9.81 * 4.5 / 7.5 * 0.04;
  EXPECT_NEAR(run.last["lift.q"], s, 1e-9);
  EXPECT_NEAR(run.last["fork_lift.q"], 2 * s + 0.1, 1e-9);
}

}  // namespace
}  // namespace cardan
