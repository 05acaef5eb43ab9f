// Friction of a joint, given at the motor behind a gear of ratio G: viscous G^2, Coulomb |G| at the joint.
#include <fmt/format.h>

#include <cmath>

#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {
namespace {

constexpr double kVelocity = 0.01;  // rad/s or m/s, where friction over speed is rounded off

}  // namespace

ElementKind FrictionSpec::kind() const { return {"friction", "friction"}; }

void FrictionSpec::fields(FieldVisitor& visit) {
  visit.joint(Field("friction", "the joint").required(), joint, coordinate);
  visit.number(Field("viscous", "B", "N m s/rad or N s/m", "0")
                   .bounded(Bound::not_negative, "viscous friction", "friction opposes the motion: give 0 or more"),
               viscous);
  visit.levels(
      Field("coulomb",
            "Tc, or `[Tc+, Tc-]` with Tc+ of 0 or more and Tc- of 0 or less; one number stands for `[Tc, -Tc]`",
            "N m or N", "0")
          .like("[Tc+, Tc-]")
          .bounded(Bound::any, "Coulomb friction"),
      coulomb, coulomb_backward);
  visit.number(Field("gear", "G", "", "1").bounded(Bound::not_zero, "gear ratio"), gear);
  visit.number(Field("velocity", "v0, small against the speeds that matter; of the joint", "rad/s or m/s", "0.01")
                   .bounded(Bound::positive, "", "give one above 0, small against those of the motion"),
               velocity);
}

void FrictionSpec::lower(Lowering& to) const {
  if (!viscous && !coulomb) return to.error({}, "the friction does nothing", "add 'viscous' or 'coulomb'");
  const double ratio = gear ? std::abs(gear->value) : 1;
  const double forward = coulomb ? coulomb->value : 0;
  const double backward = coulomb_backward ? coulomb_backward->value : -forward;
  const auto refuse = [&](const Number& level, const char* direction, const char* right) {
    to.error(level.where, fmt::format("the Coulomb friction at {} speed is {}", direction, level.value),
             fmt::format("friction opposes the motion: give 0 or {}", right));
  };
  if (forward < 0) return refuse(*coulomb, "positive", "more");
  if (backward > 0) return refuse(*coulomb_backward, "negative", "less");
  const double at_joint = (viscous ? viscous->value : 0) * ratio * ratio;
  if (!std::isfinite(at_joint + (forward - backward) * ratio)) {
    return to.error(gear ? gear->where : SourceLocation{},
                    fmt::format("behind a gear of {} the friction is no finite number", gear ? gear->value : 1),
                    "check the gear");
  }
  const auto q = to.coordinate(joint, coordinate);
  if (!q) return;
  to.add(JointSpringDamper{.joint = q->joint,
                           .coordinate = q->index,
                           .damper = Function::friction(at_joint, forward * ratio, backward * ratio,
                                                        velocity ? velocity->value : kVelocity)});
}

}  // namespace cardan
