// Elements beyond springs that act between frames or on coordinates of joints: bushings, friction, rotors, couplers.
#include <fmt/format.h>

#include <cmath>

#include "mechanism/frames.hpp"
#include "mechanism/resolver.hpp"

namespace cardan {

namespace {

constexpr double kFrictionVelocity = 0.01;  // rad/s or m/s, where friction over speed is rounded off

// Whose coordinates are angles or translations that the joint keeps apart from each other.
bool may_carry_rotor(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic || type == JointType::cylindrical ||
         type == JointType::universal || type == JointType::screw;
}

}  // namespace

bool Resolver::place_bushing(const BushingSpec& spec, const std::string& element, Bushing& bushing) {
  const auto body1 = find_body(spec.body1, element), body2 = find_body(spec.body2, element);
  if (!spec.at1) problems_.error(spec.name.where, element, "no place is given", "add 'at: POINT'");
  const auto point1 = spec.at1 ? find_place(*spec.at1, element) : std::nullopt;
  const auto point2 = spec.at2 ? find_place(*spec.at2, element) : point1;
  if (!body1 || !body2 || !point1 || !point2) return false;
  if (!check_two_bodies(*body1, *body2, element, first_known(spec.body1.where, spec.name.where))) return false;
  bushing.body1 = *body1;
  bushing.body2 = *body2;
  bushing.frame1.origin = *point1;
  bushing.frame2.origin = *point2;
  const auto axes = spec.axes ? find_axes(*spec.axes, element, spec.image) : Mat3(Mat3::Identity());
  if (!axes) return false;
  bushing.frame1.axes = bushing.frame2.axes = carried_over(*axes, spec.image);
  if (spec.axes) return true;
  const Marker* marker1 = marker_named(spec.at1->name);
  const Marker* marker2 = spec.at2 ? marker_named(spec.at2->name) : marker1;
  if (marker1 != nullptr) bushing.frame1.axes = marker1->axes * spec.marker_signs1.asDiagonal();
  if (marker2 != nullptr)
    bushing.frame2.axes = marker2->axes * (spec.at2 ? spec.marker_signs2 : spec.marker_signs1).asDiagonal();
  return true;
}

void Resolver::resolve_bushings() {
  for (const BushingSpec& spec : spec_.bushings) {
    Bushing bushing;
    bushing.name = spec.name.value;
    bushing.where = spec.name.where;
    if (!spec.incomplete) {
      const std::string element = element_label("load", spec.name.value);
      place_bushing(spec, element, bushing);
      const auto take = [&](const std::optional<Located<Vec3>>& given, const char* what, Vec3& target) {
        if (!given) return;
        if (!(given->value.array() >= 0).all() || !given->value.allFinite()) {
          problems_.error(first_known(given->where, bushing.where), element,
                          fmt::format("the {} is not a finite number of 0 or more", what), "give it for every axis");
          return;
        }
        target = given->value;
      };
      take(spec.stiffness, "stiffness", bushing.stiffness);
      take(spec.damping, "damping", bushing.damping);
      take(spec.rotational_stiffness, "rotational stiffness", bushing.rotational_stiffness);
      take(spec.rotational_damping, "rotational damping", bushing.rotational_damping);
      if (!spec.stiffness && !spec.damping && !spec.rotational_stiffness && !spec.rotational_damping)
        problems_.error(bushing.where, element, "the bushing does nothing",
                        "add 'stiffness', 'damping', 'rotational_stiffness' or 'rotational_damping'");
    }
    result_.bushings.push_back(bushing);
  }
}

std::optional<double> Resolver::find_gear(const std::optional<Number>& gear, const std::string& element) {
  if (!gear) return 1;
  if (std::isfinite(gear->value) && gear->value != 0) return gear->value;
  problems_.error(gear->where, element, fmt::format("the gear ratio is {}", gear->value), "give another than 0");
  return std::nullopt;
}

/// Of values at the motor, behind a gear of ratio G: viscous G^2, Coulomb |G| at the joint.
void Resolver::resolve_frictions() {
  for (const FrictionSpec& spec : spec_.frictions) {
    JointSpringDamper load;
    load.name = spec.name.value;
    load.where = spec.name.where;
    result_.joint_springs.push_back(load);
    if (spec.incomplete) continue;
    const std::string element = element_label("load", spec.name.value);
    const auto gear = find_gear(spec.gear, element);
    bool sound = gear.has_value();
    const auto take = [&](const std::optional<Number>& given, const char* what, double sign, double absent) {
      if (!given) return absent;
      if (!(sign * given->value >= 0) || !std::isfinite(given->value)) {
        problems_.error(
            first_known(given->where, load.where), element, fmt::format("{} is {}", what, given->value),
            sign > 0 ? "friction opposes the motion: give 0 or more" : "friction opposes the motion: give 0 or less");
        sound = false;
      }
      return given->value;
    };
    const double viscous = take(spec.viscous, "the viscous friction", 1, 0);
    const double forward = take(spec.coulomb, "the Coulomb friction at positive speed", 1, 0);
    const double backward = take(spec.coulomb_backward, "the Coulomb friction at negative speed", -1, -forward);
    const double velocity = spec.velocity ? spec.velocity->value : kFrictionVelocity;
    if (!(velocity > 0) || !std::isfinite(velocity)) {
      problems_.error(first_known(spec.velocity->where, load.where), element,
                      fmt::format("the velocity is {}", velocity),
                      "give one above 0, small against those of the motion");
      sound = false;
    }
    if (!spec.viscous && !spec.coulomb) {
      problems_.error(load.where, element, "the friction does nothing", "add 'viscous' or 'coulomb'");
      sound = false;
    }
    const auto joint = find_joint(spec.joint, element);
    if (!joint || spec_.joints[static_cast<std::size_t>(*joint)].incomplete || !sound) continue;
    const auto coordinate =
        find_coordinate(*joint, spec.coordinate, Sort::any, element, first_known(spec.joint.where, load.where));
    if (!coordinate) continue;
    load.joint = *joint;
    load.coordinate = *coordinate;
    const double ratio = std::abs(*gear);
    if (!std::isfinite((viscous * ratio + forward - backward) * ratio)) {
      problems_.error(spec.gear ? first_known(spec.gear->where, load.where) : load.where, element,
                      fmt::format("behind a gear of {} the friction is no finite number", *gear), "check the gear");
      continue;
    }
    load.damper = Function::friction(viscous * ratio * ratio, forward * ratio, backward * ratio, velocity);
    result_.joint_springs.back() = load;
  }
}

void Resolver::resolve_rotors() {
  for (const RotorSpec& spec : spec_.rotors) {
    Rotor rotor;
    rotor.name = spec.name.value;
    rotor.where = spec.name.where;
    rotor.inertia = spec.inertia.value;
    if (!spec.incomplete) {
      const std::string element = element_label("load", spec.name.value);
      if (!(rotor.inertia >= 0) || !std::isfinite(rotor.inertia))
        problems_.error(first_known(spec.inertia.where, rotor.where), element,
                        fmt::format("the inertia is {}", rotor.inertia), "give it as 0 or more");
      rotor.gear = find_gear(spec.gear, element).value_or(1);
      const auto joint = find_joint(spec.joint, element);
      if (joint && !spec_.joints[static_cast<std::size_t>(*joint)].incomplete) {
        const JointSpec& owner = spec_.joints[static_cast<std::size_t>(*joint)];
        const SourceLocation& where = first_known(spec.joint.where, rotor.where);
        if (!may_carry_rotor(owner.type)) {
          problems_.error(
              where, element,
              fmt::format("joint '{}' ({}) carries no rotor", owner.name.value, joint_type_name(owner.type)),
              "name a revolute, prismatic, cylindrical, universal or screw joint");
        } else {
          rotor.joint = *joint;
          rotor.coordinate = find_coordinate(*joint, spec.coordinate, Sort::any, element, where).value_or(0);
        }
      }
    }
    result_.rotors.push_back(rotor);
  }
}

void Resolver::resolve_couplers() {
  for (const CouplerSpec& spec : spec_.couplers) {
    Coupler coupler;
    coupler.name = spec.name.value;
    coupler.where = spec.name.where;
    coupler.ratio = spec.ratio.value;
    result_.couplers.push_back(coupler);
    if (spec.incomplete) continue;
    const std::string element = element_label("coupler", spec.name.value);
    if (!std::isfinite(coupler.ratio) || coupler.ratio == 0) {
      problems_.error(first_known(spec.ratio.where, coupler.where), element,
                      fmt::format("the {} is {}", spec.rack ? "radius" : "ratio", coupler.ratio),
                      "give another than 0");
      continue;
    }
    const auto find = [&](const Name& name, const std::optional<Located<int>>& asked, Sort sort, int& joint,
                          int& coordinate) {
      const auto found = find_joint(name, element);
      if (!found || spec_.joints[static_cast<std::size_t>(*found)].incomplete) return false;
      const auto which = find_coordinate(*found, asked, sort, element, first_known(name.where, coupler.where),
                                         "a rack takes an angle, then a translation; use 'gear' for others");
      joint = *found;
      coordinate = which.value_or(0);
      return which.has_value();
    };
    const bool first =
        find(spec.joint1, spec.coordinate1, spec.rack ? Sort::angle : Sort::any, coupler.joint1, coupler.coordinate1);
    const bool second = find(spec.joint2, spec.coordinate2, spec.rack ? Sort::translation : Sort::any, coupler.joint2,
                             coupler.coordinate2);
    if (!first || !second) continue;
    if (coupler.joint1 == coupler.joint2 && coupler.coordinate1 == coupler.coordinate2) {
      problems_.error(first_known(spec.joint2.where, coupler.where), element,
                      "both ends are the same coordinate of one joint", "name two joints");
      continue;
    }
    result_.couplers.back() = coupler;
  }
}

}  // namespace cardan
