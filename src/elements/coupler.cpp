// Gears and racks: two joint coordinates tied together.
#include "cardan/element.hpp"
#include "cardan/specs/joints.hpp"

namespace cardan {

ElementKind CouplerSpec::kind() const {
  return {
      .name = rack ? "rack" : "gear", .called = rack ? "a rack" : "a gear", .section = "coupler", .switchable = false};
}

void CouplerSpec::fields(FieldVisitor& visit) {
  const char* ends =
      rack ? "`[JOINT1, JOINT2]`: an angle, the pinion's, and a translation, the rack's" : "`[JOINT1, JOINT2]`";
  visit.two_joints(Field(kind().name, ends).required().like("[JOINT, JOINT]"),
                   Field("coordinates", "`[i, j]`: which coordinates of the two joints, counted from 1", "",
                         rack ? "the only angle, the only translation" : "the only ones"),
                   {joint1, coordinate1, rack ? CoordinateSort::angle : CoordinateSort::any},
                   {joint2, coordinate2, rack ? CoordinateSort::translation : CoordinateSort::any});
  Field factor = rack ? Field("radius", "r", "m/rad").required("add 'radius', m of translation for a radian")
                      : Field("ratio", "r, for any two coordinates", "1, m/rad or rad/m").required("add 'ratio'");
  visit.number(factor.bounded(Bound::not_zero).turning(), ratio);
}

void CouplerSpec::lower(Lowering& to) const {
  const char* other_sort = "a rack takes an angle, then a translation; use 'gear' for others";
  const auto one = to.coordinate(joint1, coordinate1, rack ? CoordinateSort::angle : CoordinateSort::any, other_sort);
  const auto two =
      to.coordinate(joint2, coordinate2, rack ? CoordinateSort::translation : CoordinateSort::any, other_sort);
  if (!one || !two) return;
  if (one->joint == two->joint && one->index == two->index)
    return to.error(joint2.where, "both ends are the same coordinate of one joint", "name two joints");
  to.add(Coupler{.joint1 = one->joint,
                 .joint2 = two->joint,
                 .coordinate1 = one->index,
                 .coordinate2 = two->index,
                 .ratio = ratio.value});
}

}  // namespace cardan
