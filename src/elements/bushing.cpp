// Elastic and damped in all directions between two frames.
#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {

ElementKind BushingSpec::kind() const { return {"bushing", "a bushing"}; }

void BushingSpec::fields(FieldVisitor& visit) {
  visit.two_bodies(Field("bushing", "`[BODY1, BODY2]`").required().like("[ground, BODY]"), body1, body2);
  visit.two_places(
      Field("at",
            "the place of both frames, or `[P1, P2]`: on body 1 and on body 2; it is unloaded when the frames coincide")
          .required("add 'at: POINT'", "no place is given"),
      at1, at2, Ends::one_or_two);
  visit.axes(Field("axes", "of both frames in the drawing", "", "inertial, or those of markers at `at`"), axes,
             {at1, at2, provenance});
  const auto numbers = [&](const char* name, const char* meaning, const char* unit, bool rotational, auto& given) {
    visit.along_axes(Field(name, meaning, unit, "0").bounded(Bound::not_negative, "", "give it for every axis"), given,
                     rotational);
  };
  const char* along = "along the axes: one number, or `[x, y, z]` (planar: `[x, y]`)";
  const char* about = "about them: one number, or three (planar: one)";
  numbers("stiffness", along, "N/m", false, stiffness);
  numbers("damping", along, "N s/m", false, damping);
  numbers("rotational_stiffness", about, "N m/rad", true, rotational_stiffness);
  numbers("rotational_damping", about, "N m s/rad", true, rotational_damping);
}

void BushingSpec::lower(Lowering& to) const {
  if (!stiffness && !damping && !rotational_stiffness && !rotational_damping)
    return to.error({}, "the bushing does nothing",
                    "add 'stiffness', 'damping', 'rotational_stiffness' or 'rotational_damping'");
  const auto value = [](const std::optional<Located<Vec3>>& given) -> Vec3 {
    return given ? given->value : Vec3::Zero();
  };
  const auto [frame1, frame2] = to.frames(at1, at2, axes, provenance);
  to.add(Bushing{.body1 = to.body(body1),
                 .body2 = to.body(body2),
                 .frame1 = frame1,
                 .frame2 = frame2,
                 .stiffness = value(stiffness),
                 .damping = value(damping),
                 .rotational_stiffness = value(rotational_stiffness),
                 .rotational_damping = value(rotational_damping)});
}

}  // namespace cardan
