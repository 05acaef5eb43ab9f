// Spring and damper on a joint coordinate: `torsion` on an angle, `joint_spring` on a translation.
#include "cardan/specs/loads.hpp"
#include "elements/spring_laws.hpp"

namespace cardan {

LoadKind JointSpringSpec::kind() const {
  return torsion ? LoadKind{"torsion", "a torsion spring"} : LoadKind{"joint_spring", "a joint spring"};
}

void JointSpringSpec::fields(FieldVisitor& visit) {
  visit.joint({.name = kind().name, .meaning = "the joint", .required = ""}, joint, coordinate,
              torsion ? CoordinateSort::angle : CoordinateSort::translation);
  visit.number({.name = "stiffness",
                .meaning = "k",
                .unit = torsion ? "N m/rad" : "N/m",
                .absent = "0",
                .bound = Bound::resisting},
               stiffness);
  visit.function({.name = torsion ? "torque" : "force",
                  .meaning = "instead of k: a function of `x` = q - q0",
                  .unit = torsion ? "N m, of rad" : "N, of m",
                  .turns = true},
                 "x", force);
  visit.number({.name = torsion ? "free_angle" : "free_position",
                .meaning = "q0",
                .unit = torsion ? "rad" : "m",
                .absent = "0, which is the drawing unless the joint's `drawn` says otherwise",
                .turns = true},
               free_position);
  visit.number({.name = "damping",
                .meaning = "c",
                .unit = torsion ? "N m s/rad" : "N s/m",
                .absent = "0",
                .bound = Bound::resisting},
               damping);
  visit.function({.name = torsion ? "damping_torque" : "damping_force",
                  .meaning = "instead of c: a function of `x` = q'",
                  .unit = torsion ? "N m, of rad/s" : "N, of m/s",
                  .turns = true},
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
