#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/at_rest.hpp"

namespace cardan {

std::string turned_over(const Mechanism& mechanism, const std::vector<BodyPose>& drawn,
                        const std::vector<BodyPose>& now) {
  constexpr double kOver = std::numbers::pi / 3;
  if (mechanism.gravity.isZero(0)) return {};
  const Vec3 down = mechanism.gravity.normalized();
  for (const Joint& joint : mechanism.joints) {
    const int body = joint.body1 == kGround ? joint.body2 : joint.body1;
    if (joint.type != JointType::free || (joint.body1 != kGround && joint.body2 != kGround)) continue;
    const auto b = static_cast<std::size_t>(body);
    const Vec3 then = now[b].rotation * drawn[b].rotation.transpose() * down;
    const double angle = std::acos(std::clamp(then.dot(down), -1.0, 1.0));
    if (angle > kOver)
      return fmt::format(
          "'{}' came to rest {:.0f} degrees over from how it is drawn: nothing holds it upright; is a support missing?",
          mechanism.bodies[b].name, 180 / std::numbers::pi * angle);
  }
  return {};
}

}  // namespace cardan
