// A torque on a body, or between two.
#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {

ElementKind TorqueSpec::kind() const { return {"torque", "a torque"}; }

void TorqueSpec::fields(FieldVisitor& visit) {
  visit.two_bodies(Field("torque", "the body it acts on, or `[BODY1, BODY2]`: acts on body 2, its opposite on body 1")
                       .required()
                       .like("[BODY, BODY]"),
                   body1, body2, Ends::one_or_two);
  const Field in_space = Field("components", "space: `[Mx, My, Mz]`, functions of `t`, or of signals", "N m")
                             .required("add 'components: [x, y, z]'");
  const Field in_plane =
      Field("value", "planar: a function of `t`, about z", "N m").required("add 'value: FUNCTION of t'");
  visit.components(visit.planar() ? in_plane : in_space, components,
                   {.parity = Parity::axial, .body_axes = body_axes, .body = body2});
  visit.choice(Field("frame", "`inertial` axes, or those of the `body` it acts on", "", "`inertial`"), "inertial",
               "body", body_axes);
}

void TorqueSpec::lower(Lowering& to) const {
  to.add(Torque{.body1 = to.body(body1),
                .body2 = to.body(body2),
                .components = {to.law(components[0]), to.law(components[1]), to.law(components[2])},
                .body_axes = body_axes});
}

}  // namespace cardan
