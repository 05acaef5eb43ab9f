// A force at a point of a body.
#include "cardan/load.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {

LoadKind ForceSpec::kind() const { return {"force", "a force"}; }

void ForceSpec::fields(FieldVisitor& visit) {
  visit.body({.name = "force", .meaning = "the body", .required = ""}, body);
  visit.place(
      {.name = "at", .meaning = "where, in the drawing", .required = "add 'at: POINT'", .missing = "no point is given"},
      at);
  visit.components({.name = "components",
                    .meaning = "`[Fx, Fy, Fz]` (planar: two), functions of `t`",
                    .unit = "N",
                    .required = visit.planar() ? "add 'components: [Fx, Fy]'" : "add 'components: [x, y, z]'"},
                   components, {.parity = Parity::polar, .body_axes = body_axes, .body = body});
  visit.choice(
      {.name = "frame", .meaning = "`inertial` axes, or those of the `body`, turning with it", .absent = "`inertial`"},
      "inertial", "body", body_axes);
}

void ForceSpec::lower(Lowering& to) const {
  to.add(PointForce{.body = to.body(body),
                    .point = to.place(*at),
                    .components = {components[0].value, components[1].value, components[2].value},
                    .body_axes = body_axes});
}

}  // namespace cardan
