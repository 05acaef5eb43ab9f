#include "analysis/at_rest.hpp"

namespace cardan {

Mechanism held_at_rest(Mechanism mechanism) {
  for (Driver& driver : mechanism.drivers) driver.position = Function::constant(driver.position(0));
  for (Body& body : mechanism.bodies) body.initial_velocity.reset(), body.initial_angular_velocity.reset();
  for (Joint& joint : mechanism.joints) joint.initial_velocity.reset();
  mechanism.initial_motion.reset();
  return mechanism;
}

}  // namespace cardan
