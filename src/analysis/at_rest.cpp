#include "analysis/at_rest.hpp"

#include "math/rotation_path.hpp"

namespace cardan {

Mechanism held_at_rest(Mechanism mechanism) {
  for (Driver& driver : mechanism.drivers) {
    driver.position = Function::constant(driver.position(0));
    if (driver.rotation) driver.rotation = std::make_shared<const RotationPath>(driver.rotation->evaluate(0).R);
  }
  for (Body& body : mechanism.bodies) body.initial_velocity.reset(), body.initial_angular_velocity.reset();
  for (Joint& joint : mechanism.joints) joint.initial_velocity.reset();
  mechanism.initial_motion.reset();
  return mechanism;
}

}  // namespace cardan
