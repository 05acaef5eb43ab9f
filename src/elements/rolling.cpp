// A thin disc or an ideal wheel on a plane.
#include <fmt/format.h>

#include "cardan/element.hpp"
#include "cardan/specs/velocity_constraints.hpp"

namespace cardan {

ElementKind RollingSpec::kind() const {
  return {.name = "rolling", .called = "a rolling disc", .section = "constraint", .switchable = false};
}

void RollingSpec::fields(FieldVisitor& visit) {
  visit.two_bodies(Field("rolling", "the disc's body, or `[BODY1, BODY2]`: that of the plane, that of the disc")
                       .required()
                       .like("[ground, BODY]"),
                   body1, body2, Ends::one_or_two);
  visit.place(Field("at", "the disc's centre", "", "the body's centre"), at);
  if (!visit.planar()) visit.direction(Field("axis", "the axle (in space)", "", "`y`"), axis, Parity::axial, "y");
  visit.number(Field("radius", "r", "m").required("add 'radius'").bounded(Bound::positive), radius);
  visit.direction(Field("normal", "of the plane, towards the disc", "", "`z` (planar: `y`)"), normal, Parity::polar,
                  visit.planar() ? "y" : "z");
  visit.place(Field("on", "a point of the plane", "", "the disc touches it as drawn"), on);
  if (visit.planar()) return;
  visit.choice(Field("grip", "which slip there is not: `both`, `lateral` or `longitudinal` (in space)", "", "`both`"),
               {"both", "lateral", "longitudinal"}, grip);
}

void RollingSpec::lower(Lowering& to) const {
  constexpr double kFlat = 1e-3;  // sine of the tilt
  const bool planar = to.mechanism().planar;
  RollingDisc disc{.body1 = to.body(body1), .body2 = to.body(body2), .radius = radius->value};
  if (disc.body2 == kGround && !at) return to.error({}, "ground has no centre", "add 'at: POINT'");
  disc.center = at ? to.place(*at) : to.mechanism().bodies[static_cast<std::size_t>(disc.body2)].center;
  if (planar) disc.axis = Vec3::UnitZ(), disc.normal = Vec3::UnitY();
  if (axis && !planar) disc.axis = to.direction(*axis);
  if (normal) disc.normal = to.direction(*normal);
  const double sine = disc.axis.cross(disc.normal).norm();
  if (!(sine > kFlat))
    return to.error(axis ? axis->where : SourceLocation{},
                    "the disc lies flat on its plane: the axle is along the normal, and no point of it is the lowest",
                    "give an 'axis' that is not along 'normal'");
  const Vec3 up = disc.axis.cross(disc.normal).normalized().cross(disc.axis);
  disc.ground = on ? to.place(*on) : Vec3(disc.center - disc.radius * up);
  const double height = disc.normal.dot(disc.center - disc.ground);
  if (!(height > 0))
    return to.error(on ? on->where : SourceLocation{},
                    fmt::format("the disc's centre is drawn {:.6g} m below the plane", -height),
                    "let 'normal' point to the side of the disc");
  disc.holds_longitudinal = planar || grip != Grip::lateral;
  disc.holds_lateral = !planar && grip != Grip::longitudinal;
  to.add(disc);
}

}  // namespace cardan
