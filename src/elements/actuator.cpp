// An effort on one coordinate of a joint.
#include "cardan/load.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {

LoadKind ActuatorSpec::kind() const { return {"actuator", "an actuator"}; }

void ActuatorSpec::fields(FieldVisitor& visit) {
  visit.joint({.name = "actuator", .meaning = "the joint", .required = ""}, joint, coordinate);
  visit.function({.name = "effort",
                  .meaning = "a function of `t`",
                  .unit = "N m or N",
                  .required = "add 'effort: FUNCTION of t'",
                  .turns = true},
                 "t", effort);
}

void ActuatorSpec::lower(Lowering& to) const {
  const auto q = to.coordinate(joint, coordinate);
  if (q) to.add(Actuator{.joint = q->joint, .coordinate = q->index, .effort = effort.value});
}

}  // namespace cardan
