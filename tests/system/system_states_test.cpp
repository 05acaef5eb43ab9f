// States of a System that are set by frames, inputs, states of the model and parameters.
#include <gtest/gtest.h>

#include "cardan/io.hpp"
#include "math/rotation_vector.hpp"
#include "system/asked_systems.hpp"

namespace cardan {
namespace {

class SystemStates : public testing::TestWithParam<const char*> {};

Mat3 random_turn(std::mt19937& random) {
  return rotation_from_vector(3 * Vec3(scattered(random, 3)).normalized()).toRotationMatrix();
}

void expect_same(const FrameMotion& one, const FrameMotion& two, double within) {
  EXPECT_LT((one.position - two.position).norm(), within);
  EXPECT_LT((one.rotation - two.rotation).norm(), within);
  EXPECT_LT((one.velocity - two.velocity).norm(), within);
  EXPECT_LT((one.angular_velocity - two.angular_velocity).norm(), within);
}

/// Turns of three radians, of a ball joint and of bodies that nothing holds.
TEST_P(SystemStates, HaveTheAttitudesAndPosesThatBodiesAreGiven) {
  std::mt19937 random(11);
  const Mat3 inertia = Vec3(0.1, 0.2, 0.25).asDiagonal();
  MechanismBuilder b("three");
  b.body("ball", 1, {0, 0, -0.5}, inertia).body("kite", 2, {2, 0, 0}, inertia).body("stone", 3, {4, 1, 0}, inertia);
  b.spherical("eye", "ground", "ball", {0, 0, 0}).free("air", "ground", "kite").free("space", "kite", "stone");
  const Mechanism mechanism = b.build();
  const System system(mechanism, GetParam());
  Context context = system.start();
  const FrameHandle from = system.joint_frame("eye", 1), to = system.joint_frame("eye", 2);
  for (int i = 0; i < 5; ++i) {
    const Mat3 turn = random_turn(random);
    const Vec3 spin = 3 * scattered(random, 3);
    context = with_attitude(system, context, to, turn, spin, from);
    const FrameMotion eye = relative_motion(system, context, to, from);
    expect_same(eye, {Vec3::Zero(), turn, Vec3::Zero(), spin}, 1e-10);
    for (const char* body : {"kite", "stone"}) {
      const FrameHandle frame = system.frame(body, mechanism.bodies[system.body(body)].center + Vec3(0.1, 0.2, 0.3));
      const FrameMotion wanted{10 * scattered(random, 3), random_turn(random), scattered(random, 3),
                               2 * scattered(random, 3)};
      context = with_frame(system, context, frame, wanted);
      expect_same(relative_motion(system, context, frame, {}), wanted, 1e-9);
      const BodyMotion motion = frame_motion(system, context, frame);
      EXPECT_LT((motion.position - wanted.position).norm() + (motion.velocity - wanted.velocity).norm(), 1e-9);
      // What was set before has stayed.
      expect_same(relative_motion(system, context, to, from), {Vec3::Zero(), turn, Vec3::Zero(), spin}, 1e-9);
    }
  }
  // A simulation takes it up.
  RunOptions options;
  options.formulation = GetParam();
  Simulation simulation(mechanism, options);
  simulation.restore(context);
  const BodyMotion stone = frame_motion(system, context, system.centre("stone"));
  ASSERT_EQ(simulation.step(1e-3), StepStatus::ok);
  EXPECT_LT((simulation.body("stone").position - stone.position - 1e-3 * stone.velocity).norm(), 1e-5);
}

/// Where a loop goes by itself, it can be set to by any of its bodies.
TEST_P(SystemStates, CloseTheLoopsAroundAFrameThatIsSet) {
  int set = 0;
  for (const Mechanism& mechanism : asked_and_turned()) {
    SCOPED_TRACE(mechanism.name);
    if (!mechanism.drivers.empty()) continue;
    const System system(mechanism, GetParam());
    const Context there = with_joints(system, moved(mechanism, GetParam()), {}, {}, {});
    for (const Body& body : mechanism.bodies) {
      const FrameHandle frame = system.centre(body.name);
      const FrameMotion wanted = relative_motion(system, there, frame, {});
      const Context context = with_frame(system, system.start(), frame, wanted);
      expect_same(relative_motion(system, context, frame, {}), wanted, 1e-8 * (1 + wanted.angular_velocity.norm()));
      EXPECT_LT(largest(constraint_values(system, context)), 1e-11 * (1 + system.length()));
      EXPECT_LT(largest(constraint_jacobian(system, context) * context.v), 1e-9 * (1 + largest(context.v)));
      ++set;
    }
  }
  EXPECT_GT(set, 20);
}

TEST_P(SystemStates, RefuseWhatTheLoopsDoNotLetBe) {
  const System system(loaded_in_plane(false), GetParam());
  const FrameHandle crank = system.centre("crank");
  FrameMotion wanted = relative_motion(system, system.start(), crank, {});
  const FrameMotion own = wanted;
  wanted.position.x() += 0.2;
  EXPECT_THROW(with_frame(system, system.start(), crank, wanted), std::domain_error);
  wanted = own;
  wanted.velocity.x() += 0.2;  // the pin holds it
  EXPECT_THROW(with_frame(system, system.start(), crank, wanted), std::domain_error);
  wanted = own;
  wanted.position.z() = 0.1;  // out of the plane
  EXPECT_THROW(with_frame(system, system.start(), crank, wanted), std::domain_error);
  wanted = own;
  wanted.rotation *= 2;
  EXPECT_THROW(with_frame(system, system.start(), crank, wanted), std::invalid_argument);
  const Context turned =
      with_attitude(system, system.start(), crank, rotation_from_vector(Vec3(0, 0, 0.1)).toRotationMatrix(), {0, 0, 2});
  EXPECT_LT(largest(constraint_values(system, turned)), 1e-12);
}

const char* const kPump = R"(cardan: 1
name: pump
planar: true
gravity: [0, -9.81]
parameters: {m: 2, area: 0.5}
bodies:
  piston: {mass: m, inertia: 0.1, center: [0, 0]}
joints:
  bore: {prismatic: [ground, piston], at: [0, 0], axis: [1, 0]}
inputs:
  valve: {start: 0.2, min: -1, max: 1}
  slow: {start: 0.1, lag: 0.5}
states:
  p: {start: 3, scale: 10, rate: valve + 2*slow - 0.1*p}
signals:
  sum: valve + slow + p
loads:
  push: {actuator: bore, effort: area*p + 4*valve - 2*bore.v}
)";

TEST_P(SystemStates, HaveInputsAndStatesByHandle) {
  const Mechanism mechanism = read_mechanism_text(kPump, "pump.yaml");
  const System system(mechanism, GetParam());
  const int valve = system.input("valve"), slow = system.input("slow"), p = system.state("p");
  Context context = system.start();
  EXPECT_EQ(input_value(system, context, valve), 0.2);
  EXPECT_NEAR(state_value(system, context, p), 3, 1e-14);
  context = with_state(system, with_input(system, context, valve, 0.7), p, -2);
  EXPECT_NEAR(state_value(system, context, p), -2, 1e-14);
  const VecX a = forward_dynamics(system, context).acceleration;
  EXPECT_LT(largest(a - context.acceleration), 1e-14);
  EXPECT_NEAR(load_effort(system, context, system.load("push")).effort, -0.5 * 2 + 4 * 0.7, 1e-12);
  EXPECT_NEAR(signals(system, context)[system.signal("sum")], 0.7 + 0.1 - 2, 1e-12);
  EXPECT_EQ(input_value(system, with_input(system, context, valve, 5), valve), 1);                        // its limit
  EXPECT_NEAR(signals(system, with_input(system, context, slow, 9))[system.signal("slow")], 0.1, 1e-12);  // the lag
  EXPECT_THROW(with_input(system, context, valve, std::nan("")), std::invalid_argument);
  EXPECT_THROW(with_input(system, context, 7, 1), std::invalid_argument);
  EXPECT_THROW(with_state(system, context, p, std::nan("")), std::invalid_argument);
  EXPECT_THROW(system.input("valv"), std::invalid_argument);
  EXPECT_THROW(system.state("q"), std::invalid_argument);
  // As a simulation that is told the same.
  RunOptions options;
  options.formulation = GetParam();
  Simulation one(mechanism, options), two(mechanism, options);
  one.restore(with_input(system, system.start(), valve, 0.7));
  two.set_input(two.input("valve"), 0.7);
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(one.step(0.01), StepStatus::ok);
    ASSERT_EQ(two.step(0.01), StepStatus::ok);
  }
  EXPECT_LT(largest(one.state().v - two.state().v), 1e-12);
  EXPECT_NE(two.state().v[0], 0);
}

TEST_P(SystemStates, GoOverToASystemWithOtherParameters) {
  const auto pump = [](double m) { return read_mechanism_text(kPump, "pump.yaml", {{"m", m}}); };
  const System light(pump(2), GetParam()), heavy(light, pump(5)), anew(pump(5), GetParam());
  const Context context = with_state(light, light.start(), light.state("p"), 8);
  const Context over = carried_over(light, context, heavy);
  // Natural coordinates share the inertia about the centre, which stays.
  const double mass = mass_matrix(light, context)(0, 0);
  if (std::string(GetParam()) != "global") EXPECT_NEAR(mass_matrix(heavy, over)(0, 0), 2.5 * mass, 1e-12);
  const Context same = with_state(anew, anew.start(), 0, 8);
  const Vec3 push = frame_motion(heavy, over, heavy.centre("piston")).acceleration;
  EXPECT_GT(push.norm(), 0.5);
  EXPECT_LT((push - frame_motion(anew, same, anew.centre("piston")).acceleration).norm(), 1e-12);
  EXPECT_NEAR(state_value(heavy, over, 0), 8, 1e-12);
  EXPECT_LT(largest(forward_dynamics(heavy, over).acceleration - over.acceleration), 1e-13);
  EXPECT_EQ(carried_over(heavy, over, light).q, context.q);
  EXPECT_THROW(mass_matrix(heavy, context), std::invalid_argument);
  EXPECT_THROW(carried_over(light, context, anew), std::invalid_argument);
  for (const bool driven : {true, false}) {
    Mechanism mechanism = loaded_in_plane(driven);
    const System system(mechanism, GetParam());
    const Context state = moved(mechanism, GetParam());
    for (Body& body : mechanism.bodies) body.mass *= 2, body.inertia *= 2;
    mechanism.gravity *= 2;
    const System twice(system, mechanism);
    const Context other = carried_over(system, state, twice);
    EXPECT_LT(largest(mass_matrix(twice, other) - 2 * mass_matrix(system, state)), 1e-9);
    EXPECT_LT(largest(constraint_jacobian(twice, other) - constraint_jacobian(system, state)), 1e-12);
    mechanism.joints[0].frame1.origin.x() += 0.1;
    EXPECT_THROW(System(system, mechanism), std::invalid_argument);
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, SystemStates,
                         testing::Values("global", "hybrid", "topological", "recursive", "cartesian"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace cardan
