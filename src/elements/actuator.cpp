// An effort on one coordinate of a joint.
#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {

ElementKind ActuatorSpec::kind() const { return {"actuator", "an actuator"}; }

void ActuatorSpec::fields(FieldVisitor& visit) {
  visit.joint(Field("actuator", "the joint").required(), joint, coordinate);
  visit.varying(
      Field("effort", "a function of `t`, or of signals", "N m or N").required("add 'effort: FUNCTION of t'").turning(),
      effort);
}

void ActuatorSpec::lower(Lowering& to) const {
  const auto q = to.coordinate(joint, coordinate);
  if (q) to.add(Actuator{.joint = q->joint, .coordinate = q->index, .effort = to.law(effort)});
}

}  // namespace cardan
