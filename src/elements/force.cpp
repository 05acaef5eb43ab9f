// A force at a point of a body.
#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {

ElementKind ForceSpec::kind() const { return {"force", "a force"}; }

void ForceSpec::fields(FieldVisitor& visit) {
  visit.body(Field("force", "the body").required(), body);
  visit.place(Field("at", "where, in the drawing").required("add 'at: POINT'", "no point is given"), at);
  visit.components(Field("components", "`[Fx, Fy, Fz]` (planar: two), functions of `t`, or of signals", "N")
                       .required(visit.planar() ? "add 'components: [Fx, Fy]'" : "add 'components: [x, y, z]'"),
                   components, {.parity = Parity::polar, .body_axes = body_axes, .body = body});
  visit.choice(Field("frame", "`inertial` axes, or those of the `body`, turning with it", "", "`inertial`"), "inertial",
               "body", body_axes);
}

void ForceSpec::lower(Lowering& to) const {
  to.add(PointForce{.body = to.body(body),
                    .point = to.place(*at),
                    .components = {to.law(components[0]), to.law(components[1]), to.law(components[2])},
                    .body_axes = body_axes});
}

}  // namespace cardan
