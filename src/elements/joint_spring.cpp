// Spring and damper on a joint coordinate: `torsion` on an angle, `joint_spring` on a translation.
#include "cardan/specs/loads.hpp"
#include "elements/spring_laws.hpp"

namespace cardan {

ElementKind JointSpringSpec::kind() const {
  return torsion ? ElementKind{"torsion", "a torsion spring"} : ElementKind{"joint_spring", "a joint spring"};
}

void JointSpringSpec::fields(FieldVisitor& visit) {
  visit.joint(Field(kind().name, "the joint").required(), joint, coordinate,
              torsion ? CoordinateSort::angle : CoordinateSort::translation);
  visit.number(Field("stiffness", "k", torsion ? "N m/rad" : "N/m", "0").bounded(Bound::resisting), stiffness);
  visit.function(Field(torsion ? "torque" : "force", "instead of k: a function of `x` = q - q0",
                       torsion ? "N m, of rad" : "N, of m")
                     .turning(),
                 "x", force);
  visit.number(Field(torsion ? "free_angle" : "free_position", "q0", torsion ? "rad" : "m",
                     "0, which is the drawing unless the joint's `drawn` says otherwise")
                   .turning(),
               free_position);
  visit.number(Field("damping", "c", torsion ? "N m s/rad" : "N s/m", "0").bounded(Bound::resisting), damping);
  visit.function(Field(torsion ? "damping_torque" : "damping_force", "instead of c: a function of `x` = q'",
                       torsion ? "N m, of rad/s" : "N, of m/s")
                     .turning(),
                 "x", damping_force);
}

void JointSpringSpec::lower(Lowering& to) const {
  const auto q = to.coordinate(joint, coordinate, torsion ? CoordinateSort::angle : CoordinateSort::translation);
  if (!q) return;
  const double free = free_position ? free_position->value : 0;
  const SpringLaws laws{stiffness,
                        damping,
                        force,
                        damping_force,
                        torsion ? "torque" : "force",
                        torsion ? "damping_torque" : "damping_force"};
  laws.check(to, q->drawn - free);
  to.add(JointSpringDamper{.joint = q->joint,
                           .coordinate = q->index,
                           .free_position = free,
                           .spring = laws.spring(),
                           .damper = laws.damper()});
}

}  // namespace cardan
