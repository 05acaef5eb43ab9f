// A skate or blade: a point that does not move across an axis of its body.
#include "cardan/element.hpp"
#include "cardan/specs/velocity_constraints.hpp"

namespace cardan {

ElementKind KnifeEdgeSpec::kind() const {
  return {.name = "knife_edge", .called = "a knife edge", .section = "constraint", .switchable = false};
}

void KnifeEdgeSpec::fields(FieldVisitor& visit) {
  visit.two_bodies(
      Field("knife_edge", "the body that carries the edge, or `[BODY1, BODY2]`: on body 2, moving against body 1")
          .required()
          .like("[BODY, BODY]"),
      body1, body2, Ends::one_or_two);
  visit.place(Field("at", "the point of body 2 where the edge cuts", "", "the body's centre"), at);
  visit.direction(Field("axis", "across the edge, carried by body 2: the point has no velocity along it", "", "`y`"),
                  axis, Parity::polar, "y");
}

void KnifeEdgeSpec::lower(Lowering& to) const {
  KnifeEdge edge{.body1 = to.body(body1), .body2 = to.body(body2)};
  if (edge.body2 == kGround && !at) return to.error({}, "ground has no centre", "add 'at: POINT'");
  edge.point = at ? to.place(*at) : to.mechanism().bodies[static_cast<std::size_t>(edge.body2)].center;
  if (axis) edge.axis = to.direction(*axis);
  to.add(edge);
}

}  // namespace cardan
