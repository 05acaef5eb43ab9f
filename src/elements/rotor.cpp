// The rotor of a motor behind a gear.
#include <fmt/format.h>

#include "cardan/load.hpp"
#include "cardan/specs/loads.hpp"

namespace cardan {
namespace {

// Whose coordinates are angles or translations that the joint keeps apart from each other.
bool may_carry_rotor(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic || type == JointType::cylindrical ||
         type == JointType::universal || type == JointType::screw;
}

}  // namespace

LoadKind RotorSpec::kind() const { return {"rotor", "a rotor", false}; }

void RotorSpec::fields(FieldVisitor& visit) {
  visit.joint(
      {.name = "rotor", .meaning = "a revolute, prismatic, cylindrical, universal or screw joint", .required = ""},
      joint, coordinate);
  visit.number({.name = "inertia",
                .meaning = "J, at the rotor",
                .unit = "kg m^2",
                .required = "add 'inertia', kg m^2",
                .bound = Bound::not_negative},
               inertia);
  visit.number({.name = "gear",
                .meaning = "G; its sign does not matter",
                .absent = "1",
                .bound = Bound::not_zero,
                .called = "gear ratio"},
               gear);
}

void RotorSpec::lower(Lowering& to) const {
  const Joint& owner = to.mechanism().joints[static_cast<std::size_t>(to.joint(joint))];
  if (!may_carry_rotor(owner.type))
    return to.error(joint.where,
                    fmt::format("joint '{}' ({}) carries no rotor", owner.name, joint_type_name(owner.type)),
                    "name a revolute, prismatic, cylindrical, universal or screw joint");
  const auto q = to.coordinate(joint, coordinate);
  if (!q) return;
  to.add(Rotor{.joint = q->joint, .coordinate = q->index, .inertia = inertia.value, .gear = gear ? gear->value : 1});
}

}  // namespace cardan
