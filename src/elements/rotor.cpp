// The rotor of a motor behind a gear.
#include <fmt/format.h>

#include "cardan/element.hpp"
#include "cardan/specs/loads.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

// Whose coordinates are angles or translations that the joint keeps apart from each other: all along or about one axis,
// or angles alone.
bool may_carry_rotor(JointType type, bool planar) {
  const int count = joint_coordinate_count(type, planar);
  bool one_axis = true, angles = true;
  for (int i = 0; i < count; ++i) {
    const CoordinateDirection direction = coordinate_direction(type, planar, i);
    one_axis &= direction.axis == coordinate_direction(type, planar, 0).axis;
    angles &= is_angle(type, planar, i);
  }
  return count > 0 && (one_axis || angles);
}

}  // namespace

ElementKind RotorSpec::kind() const { return {.name = "rotor", .called = "a rotor", .switchable = false}; }

void RotorSpec::fields(FieldVisitor& visit) {
  visit.joint(Field("rotor", "a revolute, prismatic, cylindrical, universal or screw joint").required(), joint,
              coordinate);
  visit.number(
      Field("inertia", "J, at the rotor", "kg m^2").required("add 'inertia', kg m^2").bounded(Bound::not_negative),
      inertia);
  visit.number(Field("gear", "G; its sign does not matter", "", "1").bounded(Bound::not_zero, "gear ratio"), gear);
}

void RotorSpec::lower(Lowering& to) const {
  const Joint& owner = to.mechanism().joints[static_cast<std::size_t>(to.joint(joint))];
  if (!may_carry_rotor(owner.type, to.mechanism().planar))
    return to.error(joint.where,
                    fmt::format("joint '{}' ({}) carries no rotor", owner.name, joint_type_name(owner.type)),
                    "name a revolute, prismatic, cylindrical, universal or screw joint");
  const auto q = to.coordinate(joint, coordinate);
  if (!q) return;
  to.add(Rotor{.joint = q->joint, .coordinate = q->index, .inertia = inertia.value, .gear = gear ? gear->value : 1});
}

}  // namespace cardan
