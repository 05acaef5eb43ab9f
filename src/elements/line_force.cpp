// A pull between two points that follows time or signals: a rope on a winch, a cylinder.
#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {

ElementKind LineForceSpec::kind() const { return {"pull", "a pull between two points"}; }

void LineForceSpec::fields(FieldVisitor& visit) {
  visit.varying(Field("pull", "positive towards each other: a function of `t`, or of signals", "N")
                    .required("add 'pull: FUNCTION'"),
                pull);
  visit.two_bodies(Field("force", "`[BODY1, BODY2]`").required("add 'force: [BODY1, BODY2]'").like("[ground, BODY]"),
                   body1, body2);
  visit.two_places(Field("at", "`[P1, P2]`, a place on each body, drawn apart")
                       .required("write 'at: [POINT, POINT]'", "a pull needs two points"),
                   at1, at2);
}

void LineForceSpec::lower(Lowering& to) const {
  const Vec3 point1 = to.place(*at1), point2 = to.place(*at2);
  if (point1 == point2)
    return to.error(at1->where, "the two points coincide, so the pull has no direction", "draw them apart");
  to.add(LineForce{
      .body1 = to.body(body1), .body2 = to.body(body2), .point1 = point1, .point2 = point2, .pull = to.law(pull)});
}

}  // namespace cardan
