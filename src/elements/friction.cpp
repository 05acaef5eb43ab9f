// Friction of a joint, given at the motor behind a gear of ratio G: viscous G^2, Coulomb |G| at the joint.
#include <fmt/format.h>

#include <cmath>

#include "cardan/load.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {
namespace {

constexpr double kVelocity = 0.01;  // rad/s or m/s, where friction over speed is rounded off

}  // namespace

LoadKind FrictionSpec::kind() const { return {"friction", "friction"}; }

void FrictionSpec::fields(FieldVisitor& visit) {
  visit.joint({.name = "friction", .meaning = "the joint", .required = ""}, joint, coordinate);
  visit.number({.name = "viscous",
                .meaning = "B",
                .unit = "N m s/rad or N s/m",
                .absent = "0",
                .bound = Bound::not_negative,
                .called = "viscous friction",
                .remedy = "friction opposes the motion: give 0 or more"},
               viscous);
  visit.levels({.name = "coulomb",
                .meaning = "Tc, or `[Tc+, Tc-]` with Tc+ of 0 or more and Tc- of 0 or less; one number stands for "
                           "`[Tc, -Tc]`",
                .unit = "N m or N",
                .absent = "0",
                .example = "[Tc+, Tc-]",
                .called = "Coulomb friction"},
               coulomb, coulomb_backward);
  visit.number({.name = "gear", .meaning = "G", .absent = "1", .bound = Bound::not_zero, .called = "gear ratio"}, gear);
  visit.number({.name = "velocity",
                .meaning = "v0, small against the speeds that matter; of the joint",
                .unit = "rad/s or m/s",
                .absent = "0.01",
                .bound = Bound::positive,
                .remedy = "give one above 0, small against those of the motion"},
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
  const auto q = to.coordinate(joint, coordinate);
  if (!q) return;
  to.add(JointSpringDamper{.joint = q->joint,
                           .coordinate = q->index,
                           .damper = Function::friction((viscous ? viscous->value : 0) * ratio * ratio, forward * ratio,
                                                        backward * ratio, velocity ? velocity->value : kVelocity)});
}

}  // namespace cardan
