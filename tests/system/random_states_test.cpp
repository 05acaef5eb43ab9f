// What a System says at states drawn at random, the same state in every formulation: coordinates differ, and what
// bodies do must not.
#include <gtest/gtest.h>

#include "system/asked_systems.hpp"

namespace cardan {
namespace {

/// Far from the drawing, loops closed and drivers as at t = 0; every rate that is free is drawn.
Context at_random(const System& system, std::mt19937& random) {
  const Context start = system.start();
  for (double part = 0.5; part > 1e-3; part *= 0.5) {
    Context context = start;
    context.q += part * scattered(random, system.coordinates());
    context.v += 2 * scattered(random, system.coordinates());
    try {
      return with_joints(system, context, {}, {}, {});
    } catch (const std::domain_error&) {  // the loops do not close so far away
    }
  }
  ADD_FAILURE() << system.mechanism().name << ": no state";
  return start;
}

/// The mechanism, drawn as it is but assembled and moving as in this state.
System as_in(const System& system, const Context& context, const std::string& formulation) {
  Mechanism mechanism = system.mechanism();
  SystemOptions options;
  for (Joint& joint : mechanism.joints) joint.initial_velocity.reset();
  for (Body& body : mechanism.bodies) {
    const BodyMotion motion = frame_motion(system, context, system.centre(body.name));
    options.poses.push_back({motion.position, motion.rotation});
    body.initial_velocity = motion.velocity;
    body.initial_angular_velocity = motion.angular_velocity;
  }
  return System(mechanism, formulation, options);
}

/// All that does not depend on coordinates: poses, twists, accelerations by the equations of motion with an effort on
/// every coordinate of a joint in turn, by Jacobians and their rates, energies, momenta, forces of loads.
VecX asked(const System& system) {
  const Mechanism& mechanism = system.mechanism();
  const Context context = system.start();
  std::vector<double> told;
  const auto tell = [&told](const auto& numbers) {
    for (Eigen::Index i = 0; i < numbers.size(); ++i) told.push_back(numbers.reshaped()[i]);
  };
  std::vector<VecX> efforts{VecX::Zero(system.coordinates())};
  for (const Joint& joint : mechanism.joints) {
    try {
      efforts.push_back(3 * effort_direction(system, context, system.coordinate(joint.name)));
    } catch (const std::invalid_argument&) {  // it has no coordinate of this kind
    }
  }
  for (const VecX& tau : efforts) {
    const VecX a = forward_dynamics(system, context, tau).acceleration;
    for (const Body& body : mechanism.bodies) {
      const FrameHandle frame =
          system.frame(body.name, body.center + (mechanism.planar ? Vec3(0.1, 0.2, 0) : Vec3(0.1, 0.2, 0.3)));
      tell(VecX(frame_jacobian(system, context, frame) * a + frame_bias(system, context, frame)));
    }
  }
  for (const Body& body : mechanism.bodies) {
    const BodyMotion motion = frame_motion(system, context, system.centre(body.name));
    tell(motion.position), tell(motion.rotation), tell(motion.velocity), tell(motion.angular_velocity);
    tell(motion.acceleration), tell(motion.angular_acceleration);
    for (const SpringDamper& spring : mechanism.springs) {
      const Wrench wrench = load_wrench(system, context, system.load(spring.name), system.body(body.name));
      tell(wrench.force), tell(wrench.moment);
    }
  }
  const EnergyParts parts = energy(system, context);
  const Momentum whole = momentum(system, context);
  tell(Vec2(parts.kinetic, parts.potential)), tell(whole.linear), tell(whole.angular);
  return Eigen::Map<const VecX>(told.data(), std::ssize(told));
}

TEST(RandomStates, AreTheSameInEveryFormulation) {
  int compared = 0;
  for (const Mechanism& mechanism : asked_and_turned()) {
    const System drawn(mechanism, "hybrid");
    for (unsigned seed = 1; seed <= 3; ++seed) {
      std::mt19937 random(seed);
      const Context context = at_random(drawn, random);
      VecX first;
      for (const RegistryEntry& formulation : formulations()) {
        SCOPED_TRACE(mechanism.name + " " + std::string(formulation.name) + " " + std::to_string(seed));
        const System system = as_in(drawn, context, std::string(formulation.name));
        const VecX found = asked(system);
        if (first.size() == 0) first = found;
        ASSERT_EQ(found.size(), first.size());
        EXPECT_LT(largest(found - first), 1e-9 * (1 + largest(first)));
        EXPECT_LT(largest(constraint_values(system, system.start())), 1e-10 * (1 + system.length()));
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 11 * 3 * 5);
}

}  // namespace
}  // namespace cardan
