// A joint coordinate, or the distance of two points, given as a function of time.
#include <fmt/format.h>

#include "cardan/element.hpp"
#include "cardan/specs/joints.hpp"

namespace cardan {

ElementKind DriverSpec::kind() const {
  return {.name = joint ? "joint" : "distance",
          .called = joint ? "a driver of a joint" : "a driver of a distance",
          .section = "driver"};
}

void DriverSpec::fields(FieldVisitor& visit) {
  if (joint) {
    visit.joint(Field("joint", "the joint").required(), *joint, coordinate);
  } else {
    visit.two_bodies(Field("distance", "`[BODY1, BODY2]`").required().like("[ground, BODY]"), body1, body2);
    visit.two_places(Field("at", "`[P1, P2]`, a place on each body, drawn apart")
                         .required("write 'at: [POINT, POINT]'", "a distance needs two points"),
                     at1, at2);
  }
  Field path("position", "a function of `t`, or of inputs", joint ? "rad or m" : "m");
  path.required("add 'position: FUNCTION of t'").differentiable();
  visit.varying(joint ? path.turning() : path, position);
}

void DriverSpec::lower(Lowering& to) const {
  if (joint) {
    const auto q = to.coordinate(*joint, coordinate);
    if (!q) return;
    const Law path = to.law(position);
    to.add(Driver{.joint = q->joint, .coordinate = q->index, .position = path.function, .signal = path.signal});
    return;
  }
  const Vec3 point1 = to.place(*at1), point2 = to.place(*at2);
  if (point1 == point2)
    return to.error(at1->where, "the two points coincide, so the distance has no direction", "draw them apart");
  const Law path = to.law(position);
  if (const double start = path.function(0); path.signal < 0 && start <= 0)
    return to.error(position.where, fmt::format("the distance at the start is {}", start), "give a distance above 0");
  to.add(Driver{.body1 = to.body(body1),
                .body2 = to.body(body2),
                .point1 = point1,
                .point2 = point2,
                .position = path.function,
                .signal = path.signal});
}

}  // namespace cardan
