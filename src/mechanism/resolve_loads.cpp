// Loads: springs and dampers between points and on joint coordinates, forces, torques, actuators.
#include <fmt/format.h>

#include <cmath>

#include "mechanism/resolver.hpp"

namespace cardan {

bool is_rotation_vector(JointType type, bool planar, int index) {
  return type == JointType::spherical || (type == JointType::free && !planar && index >= 3);
}

bool is_angle(JointType type, bool planar, int index) {
  switch (type) {
    case JointType::revolute:
    case JointType::universal:
    case JointType::screw:
      return true;
    case JointType::cylindrical:
      return index == 1;
    case JointType::planar:
      return index == 2;
    case JointType::free:
      return planar && index == 2;
    default:
      return false;
  }
}

std::optional<int> Resolver::find_coordinate(int joint, const std::optional<Located<int>>& asked, Sort sort,
                                             const std::string& element, const SourceLocation& where,
                                             const char* other_sort) {
  if (other_sort == nullptr)
    other_sort = sort == Sort::angle ? "use 'joint_spring' for translations" : "use 'torsion' for angles";
  const JointSpec& spec = spec_.joints[static_cast<std::size_t>(joint)];
  const int count = joint_coordinate_count(spec.type, spec_.planar);
  const std::string what = fmt::format("joint '{}' ({})", spec.name.value, joint_type_name(spec.type));
  if (count == 0) {
    problems_.error(where, element, fmt::format("{} has no coordinate", what), "name a joint that can move");
    return std::nullopt;
  }
  const auto fits = [&](int index) {
    return sort == Sort::any || (sort == Sort::angle) == is_angle(spec.type, spec_.planar, index);
  };
  const auto is_vector = [&](int index) { return is_rotation_vector(spec.type, spec_.planar, index); };
  std::vector<int> choice;
  for (int i = 0; i < count; ++i)
    if (!is_vector(i) && fits(i)) choice.push_back(i);
  if (!asked) {
    if (choice.size() == 1 && (sort != Sort::any || count == 1)) return choice[0];
    if (is_vector(count - 1) && choice.empty()) {
      problems_.error(where, element,
                      fmt::format("{} turns by a rotation vector, which has no angles of its own", what),
                      "use a joint with one or two angles");
    } else if (choice.empty()) {
      problems_.error(where, element, fmt::format("{} has no {}", what, sort == Sort::angle ? "angle" : "translation"),
                      other_sort);
    } else {
      problems_.error(where, element, fmt::format("{} has {} coordinates", what, count),
                      fmt::format("add 'coordinate', 1 to {}", count));
    }
    return std::nullopt;
  }
  const int index = asked->value - 1;
  const SourceLocation& at = first_known(asked->where, where);
  if (index < 0 || index >= count) {
    problems_.error(at, element, fmt::format("{} has no coordinate {}", what, asked->value),
                    count == 1 ? "it has only 1" : fmt::format("give 1 to {}", count));
  } else if (is_vector(index)) {
    problems_.error(at, element,
                    fmt::format("coordinate {} of {} is part of a rotation vector, which has no angles of its own",
                                asked->value, what),
                    "use a joint with one or two angles");
  } else if (!fits(index)) {
    problems_.error(at, element,
                    fmt::format("coordinate {} of {} is {}", asked->value, what,
                                sort == Sort::angle ? "a translation" : "an angle"),
                    other_sort);
  } else {
    return index;
  }
  return std::nullopt;
}

bool Resolver::check_function(const Located<Function>& function, double at, bool derivatives,
                              const std::string& element, const SourceLocation& where, const char* variable) {
  const Function::Value value = function.value.evaluate(at);
  const char* what = !std::isfinite(value.f)                   ? "the function"
                     : derivatives && !std::isfinite(value.d1) ? "the first derivative of the function"
                     : derivatives && !std::isfinite(value.d2) ? "the second derivative of the function"
                                                               : nullptr;
  if (what == nullptr) return true;
  problems_.error(first_known(function.where, where), element,
                  fmt::format("{} is not finite at the start ({} = {:.6g})", what, variable, at),
                  "change it so that it has a value there");
  return false;
}

bool Resolver::choose_law(const std::optional<Number>& factor, const std::optional<Located<Function>>& law,
                          const char* factor_name, const char* law_name, const std::string& element,
                          const SourceLocation& where, Function& result) {
  if (factor && law) {
    problems_.error(first_known(law->where, where), element,
                    fmt::format("both '{}' and '{}' are given", factor_name, law_name), "give one of them");
    return false;
  }
  if (factor) {
    if (!check_finite(*factor, element, factor_name)) return false;
    if (factor->value < 0)
      problems_.warning(first_known(factor->where, where), element,
                        fmt::format("the {} is negative ({}): it drives the motion instead of holding it back",
                                    factor_name, factor->value),
                        "check the sign");
    result = Function::polynomial({0, factor->value});
  }
  if (law) result = law->value;
  return true;
}

void Resolver::resolve_springs() {
  for (const SpringSpec& spec : spec_.springs) {
    SpringDamper load;
    load.name = spec.name.value;
    load.where = spec.name.where;
    result_.springs.push_back(load);
    if (spec.incomplete) continue;
    const std::string element = element_label("load", spec.name.value);
    const SourceLocation& where = spec.name.where;
    const auto body1 = find_body(spec.body1, element), body2 = find_body(spec.body2, element);
    if (!spec.at1 || !spec.at2) {
      problems_.error(where, element, "a spring needs two points", "write 'at: [POINT, POINT]'");
      continue;
    }
    const auto point1 = find_place(*spec.at1, element), point2 = find_place(*spec.at2, element);
    if (!choose_law(spec.stiffness, spec.force, "stiffness", "force", element, where, load.spring) ||
        !choose_law(spec.damping, spec.damping_force, "damping", "damping_force", element, where, load.damper))
      continue;
    if (!spec.stiffness && !spec.force && !spec.damping && !spec.damping_force) {
      problems_.error(where, element, "the spring does nothing",
                      "add 'stiffness', 'damping', 'force' or 'damping_force'");
      continue;
    }
    if (!body1 || !body2 || !point1 || !point2) continue;
    if (!check_two_bodies(*body1, *body2, element, first_known(spec.body1.where, where))) continue;
    if (spec.along) {
      const auto axis = find_direction(*spec.along, element, "along");
      if (!axis) continue;
      load.axis = axis->normalized();
    }
    const double drawn = load.axis ? load.axis->dot(*point2 - *point1) : (*point2 - *point1).stableNorm();
    if (!load.axis && !(drawn > 0)) {
      problems_.error(first_known(spec.at1->where, where), element,
                      "the two points coincide, so the spring has no direction", "draw them apart");
      continue;
    }
    load.free_length = spec.free_length ? spec.free_length->value : drawn;
    if ((!load.axis && !(load.free_length >= 0)) || !std::isfinite(load.free_length)) {
      problems_.error(first_known(spec.free_length ? spec.free_length->where : where, where), element,
                      fmt::format("the free length is {}", load.free_length), "give it as 0 or more");
      continue;
    }
    if (spec.force) check_function(*spec.force, drawn - load.free_length, false, element, where, "x");
    if (spec.damping_force) check_function(*spec.damping_force, 0, false, element, where, "x");
    load.body1 = *body1;
    load.body2 = *body2;
    load.point1 = *point1;
    load.point2 = *point2;
    result_.springs.back() = load;
  }
}

void Resolver::resolve_joint_springs() {
  for (const JointSpringSpec& spec : spec_.joint_springs) {
    JointSpringDamper load;
    load.name = spec.name.value;
    load.where = spec.name.where;
    result_.joint_springs.push_back(load);
    if (spec.incomplete) continue;
    const std::string element = element_label("load", spec.name.value);
    const SourceLocation& where = spec.name.where;
    const auto joint = find_joint(spec.joint, element);
    const char* law = spec.torsion ? "torque" : "force";
    const char* damping_law = spec.torsion ? "damping_torque" : "damping_force";
    if (!choose_law(spec.stiffness, spec.force, "stiffness", law, element, where, load.spring) ||
        !choose_law(spec.damping, spec.damping_force, "damping", damping_law, element, where, load.damper))
      continue;
    if (!spec.stiffness && !spec.force && !spec.damping && !spec.damping_force) {
      problems_.error(where, element, "the spring does nothing",
                      fmt::format("add 'stiffness', 'damping', '{}' or '{}'", law, damping_law));
      continue;
    }
    if (spec.free_position &&
        !check_finite(*spec.free_position, element, spec.torsion ? "the free angle" : "the free position"))
      continue;
    if (!joint || spec_.joints[static_cast<std::size_t>(*joint)].incomplete) continue;
    const auto coordinate = find_coordinate(*joint, spec.coordinate, spec.torsion ? Sort::angle : Sort::translation,
                                            element, first_known(spec.joint.where, where));
    if (!coordinate) continue;
    load.joint = *joint;
    load.coordinate = *coordinate;
    load.free_position = spec.free_position ? spec.free_position->value : 0;
    const auto& drawn = spec_.joints[static_cast<std::size_t>(*joint)].drawn.value;
    const auto index = static_cast<std::size_t>(*coordinate);
    const double start = (index < drawn.size() ? drawn[index] : 0) - load.free_position;
    if (spec.force) check_function(*spec.force, start, false, element, where, "x");
    if (spec.damping_force) check_function(*spec.damping_force, 0, false, element, where, "x");
    result_.joint_springs.back() = load;
  }
}

void Resolver::resolve_forces() {
  for (const ForceSpec& spec : spec_.forces) {
    PointForce load;
    load.name = spec.name.value;
    load.where = spec.name.where;
    load.body_axes = spec.body_axes;
    if (!spec.incomplete) {
      const std::string element = element_label("load", spec.name.value);
      const auto body = find_body(spec.body, element);
      if (body && *body == kGround)
        problems_.error(first_known(spec.body.where, load.where), element, "a force on ground moves nothing",
                        "name a body");
      if (!spec.at) problems_.error(load.where, element, "no point is given", "add 'at: POINT'");
      const auto point = spec.at ? find_place(*spec.at, element) : std::nullopt;
      if (body) load.body = *body;
      if (point) load.point = *point;
      for (std::size_t i = 0; i < 3; ++i) {
        check_function(spec.components[i], 0, false, element, load.where, "t");
        load.components[i] = spec.components[i].value;
      }
      if (spec_.planar && !load.components[2].is_zero())
        problems_.error(load.where, element, "a force in a planar model has no z component", "leave it at 0");
    }
    result_.forces.push_back(load);
  }
}

void Resolver::resolve_torques() {
  for (const TorqueSpec& spec : spec_.torques) {
    Torque load;
    load.name = spec.name.value;
    load.where = spec.name.where;
    load.body_axes = spec.body_axes;
    if (!spec.incomplete) {
      const std::string element = element_label("load", spec.name.value);
      const auto body1 = find_body(spec.body1, element), body2 = find_body(spec.body2, element);
      if (body1 && body2 && check_two_bodies(*body1, *body2, element, first_known(spec.body2.where, load.where))) {
        load.body1 = *body1;
        load.body2 = *body2;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        check_function(spec.components[i], 0, false, element, load.where, "t");
        load.components[i] = spec.components[i].value;
      }
      if (spec_.planar && (!load.components[0].is_zero() || !load.components[1].is_zero()))
        problems_.error(load.where, element, "a torque in a planar model acts about z", "leave x and y at 0");
    }
    result_.torques.push_back(load);
  }
}

void Resolver::resolve_actuators() {
  for (const ActuatorSpec& spec : spec_.actuators) {
    Actuator load;
    load.name = spec.name.value;
    load.where = spec.name.where;
    load.effort = spec.effort.value;
    if (!spec.incomplete) {
      const std::string element = element_label("load", spec.name.value);
      check_function(spec.effort, 0, false, element, load.where, "t");
      const auto joint = find_joint(spec.joint, element);
      if (joint && !spec_.joints[static_cast<std::size_t>(*joint)].incomplete) {
        const auto coordinate =
            find_coordinate(*joint, spec.coordinate, Sort::any, element, first_known(spec.joint.where, load.where));
        load.joint = *joint;
        load.coordinate = coordinate.value_or(0);
      }
    }
    result_.actuators.push_back(load);
  }
}

}  // namespace cardan
