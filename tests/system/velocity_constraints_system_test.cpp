// What a System, counts, analyses and events make of constraints on velocities.
#include <gtest/gtest.h>

#include "cardan/analysis.hpp"
#include "cardan/system.hpp"
#include "simulation/rolling_mechanisms.hpp"

namespace cardan {
namespace {

TEST(VelocityConstraintsOfASystem, AccelerationsAreTheTextbooks) {
  const Disc disc(11);
  DiscOde::X start;
  start << 1.1, 0.3, 0.7, -0.4, 2.1, 0, 0;
  const Mechanism mechanism = disc.build(start);
  const DiscOde::X d = disc.ode.rate(start);
  const Disc::Axes e = disc.axes(start[0], start[1]);
  // w' = p' u + q' h + s' a + Omega x w, Omega = p u + q h + p cot a
  const Vec3 turning = start[2] * e.u + start[3] * e.h + start[2] / std::tan(start[0]) * e.a;
  const Vec3 expected = d[2] * e.u + d[3] * e.h + d[4] * e.a + turning.cross(disc.angular_velocity(start));
  int formulations = 0;
  for (const char* formulation : kAllFormulations) {
    const System system(mechanism, formulation);
    const Context context = system.start();
    const BodyMotion motion = frame_motion(system, context, system.frame("disc", disc.center(start)));
    EXPECT_LT((motion.velocity - disc.velocity(start)).norm(), 1e-12) << formulation;
    EXPECT_LT((motion.angular_acceleration - expected).norm(), 1e-9) << formulation;
    EXPECT_LT((disc.ode.m * motion.acceleration - disc.force(start) + disc.ode.m * disc.ode.g * e.n).norm(), 1e-9)
        << formulation;
    const VecX row = signals(system, context);
    EXPECT_NEAR(row[system.signal("rim.load")], disc.force(start).dot(e.n), 1e-9) << formulation;
    const VecX left = constraint_jacobian(system, context) * context.v;
    EXPECT_LT(left.norm(), 1e-12) << formulation;
    ++formulations;
  }
  EXPECT_EQ(formulations, 5);
}

/// Positions go anywhere; velocities to the nearest that the rows allow.
TEST(VelocityConstraintsOfASystem, JointsAreSetAcrossThem) {
  const Sleigh sleigh(12, true);
  for (const char* formulation : kAllFormulations) {
    const System system(sleigh.build(), formulation);
    const Context context = system.start();
    const auto y = system.coordinate("ice", 2);
    const double aside = joint_position(system, context, y) + 0.2;
    const Context moved = with_joints(system, context, {y}, VecX::Constant(1, aside),
                                      VecX::Constant(1, joint_velocity(system, context, y)));
    EXPECT_NEAR(joint_position(system, moved, y), aside, 1e-12) << formulation;
    EXPECT_LT((constraint_jacobian(system, moved) * moved.v).norm(), 1e-12) << formulation;
  }
}

TEST(VelocityConstraintsOfASystem, AreCountedOfPositionsAndVelocities) {
  const Sleigh sleigh(13, false);
  const Disc disc(14);
  DiscOde::X start;
  start << 1.2, 0, 0.3, 0, 2, 0, 0;
  for (const char* formulation : kAllFormulations) {
    const FormulationCounts of_sleigh = count_coordinates(sleigh.build(), formulation);
    EXPECT_EQ(of_sleigh.degrees_of_freedom, 3) << formulation;
    EXPECT_EQ(of_sleigh.velocity_degrees_of_freedom, 2) << formulation;
    const FormulationCounts of_disc = count_coordinates(disc.build(start), formulation);
    EXPECT_EQ(of_disc.degrees_of_freedom, 5) << formulation;
    EXPECT_EQ(of_disc.velocity_degrees_of_freedom, 3) << formulation;
  }
}

TEST(VelocityConstraintsOfASystem, AnalysesThatCannotHaveThemRefuseThemByName) {
  const Mechanism mechanism = Sleigh(15, true).build();
  const System system(mechanism, "hybrid");
  const auto refusal = [](const auto& analysis) -> std::string {
    try {
      analysis();
    } catch (const ModelError& error) {
      return error.what();
    }
    return "nothing was refused";
  };
  int refused = 0;
  for (const std::string& text : {refusal([&] { find_equilibrium(mechanism); }), refusal([&] { linearize(mechanism); }),
                                  refusal([&] { inverse_dynamics(mechanism, InverseOptions{}); }),
                                  refusal([&] { linearize(system, system.start()); })}) {
    EXPECT_NE(text.find("constraint 'blade': "), std::string::npos) << text;
    EXPECT_NE(text.find("are found of models whose velocities are as free as their positions"), std::string::npos)
        << text;
    ++refused;
  }
  EXPECT_EQ(refused, 4);
}

/// A driver that asks for what an edge already says would fight it.
TEST(VelocityConstraintsOfASystem, DriversThatFightThemAreRefused) {
  MechanismBuilder b("fight");
  b.planar()
      .gravity(Vec3::Zero())
      .body("slide", 1, Place(0, 0), 0.1)
      .prismatic("rail", "ground", "slide", Place(0, 0), "x");
  b.add(KnifeEdgeSpec{.name = "edge", .body2 = "slide", .axis = "x"})
      .driver("push", "rail", Function::polynomial({0, 1}));
  try {
    System(b.build(), "hybrid");
    ADD_FAILURE() << "the driver was taken";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("driver 'push': its motion is already given"), std::string::npos)
        << error.what();
  }
}

/// What is caught on the way jumps to velocities that the edge allows; positions keep what they were.
TEST(VelocityConstraintsOfASystem, ImpulsesRespectThem) {
  const Sleigh sleigh(16, true);
  MechanismBuilder b = sleigh.builder();
  const Vec3 at = sleigh.place.at(1.1, 0.2);
  b.body("bob", 0.7, at, 0.05).free("anywhere", "ground", "bob");
  b.add(JointSpec{.name = "catch", .type = JointType::fixed, .body1 = "sleigh", .body2 = "bob"});
  b.attach("now", 0.2, "catch");
  const Mechanism mechanism = b.build();
  Vec3 first = Vec3::Zero();
  int formulations = 0;
  for (const char* formulation : kAllFormulations) {
    const FinishedRun run = finish(mechanism, options_of(formulation, 1e-3, 0.5, "rk4"));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << " " << run.summary.reason;
    ASSERT_EQ(run.summary.events.size(), 1u);
    EXPECT_EQ(run.summary.events[0].degrees_of_freedom, 3) << formulation;
    EXPECT_EQ(run.summary.events[0].velocity_degrees_of_freedom, 2) << formulation;
    EXPECT_LT(run.summary.events[0].energy, -1e-3) << formulation;
    EXPECT_LT(run.summary.velocity.value, 1e-9) << formulation;
    const Vec3 now(run.last["sleigh.x"], run.last["sleigh.y"], run.last["sleigh.w"]);
    if (formulations++ == 0) first = now;
    EXPECT_LT((now - first).norm(), 1e-6) << formulation;
  }
  EXPECT_EQ(formulations, 5);
}

}  // namespace
}  // namespace cardan
