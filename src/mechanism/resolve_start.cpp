// How the motion starts, gravity and the wishes for the simulation.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "mechanism/joint_types.hpp"
#include "mechanism/resolver.hpp"
#include "options/option_list.hpp"

namespace cardan {

void Resolver::resolve_initial() {
  for (const InitialSpec& spec : spec_.initial) {
    const std::string element = element_label("initial", spec.name.value);
    const auto body = bodies_.find(spec.name.value);
    const auto joint = joints_.find(spec.name.value);
    if (body == bodies_.end() && joint == joints_.end() && spec.name.value == InitialSpec::kWhole) {
      resolve_initial_motion(spec, element);
    } else if (body == bodies_.end() && joint == joints_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, unused] : bodies_) known.push_back(name);
      for (const auto& [name, unused] : joints_) known.push_back(name);
      problems_.error(spec.name.where, element, fmt::format("no body or joint is called '{}'", spec.name.value),
                      suggestion(spec.name.value, known, "there are"));
    } else if (noted(spec).incomplete) {
      continue;
    } else if (body != bodies_.end()) {
      resolve_body_initial(spec, element, result_.bodies[static_cast<std::size_t>(body->second)]);
    } else {
      resolve_joint_initial(spec, element, result_.joints[static_cast<std::size_t>(joint->second)]);
    }
  }
}

void Resolver::resolve_initial_motion(const InitialSpec& spec, const std::string& element) {
  if (noted(spec).incomplete) return;
  if (!spec.velocity || !spec.velocity->value.allFinite() || (spec_.planar && spec.velocity->value.z() != 0)) {
    problems_.error(
        spec.name.where, element,
        spec_.planar ? "the whole moves along with two numbers" : "the whole moves along with three numbers",
        spec_.planar ? "give 'velocity: [vx, vy]'" : "give 'velocity: [vx, vy, vz]'");
  } else {
    result_.initial_motion = spec.velocity->value;
  }
}

void Resolver::resolve_body_initial(const InitialSpec& spec, const std::string& element, Body& body) {
  body.initial_where = spec.name.where;
  if (spec.joint_position || spec.joint_velocity) {
    problems_.error(spec.name.where, element, "a body has no joint coordinate",
                    "give 'velocity' and 'angular_velocity' as vectors");
    return;
  }
  const auto take = [&](const std::optional<Located<Vec3>>& given, std::optional<Vec3>& target, const char* what) {
    if (!given) return;
    if (given->value.array().isInf().any()) {
      problems_.error(first_known(given->where, spec.name.where), element, fmt::format("the {} is not finite", what));
    } else if (target) {
      problems_.error(first_known(given->where, spec.name.where), element, fmt::format("the {} is given twice", what),
                      "give it once");
    } else {
      target = given->value;
    }
  };
  take(spec.velocity, body.initial_velocity, "velocity");
  take(spec.angular_velocity, body.initial_angular_velocity, "angular velocity");
  const auto given_and_not_zero = [](double value) { return !std::isnan(value) && value != 0; };
  if (spec_.planar && spec.velocity && given_and_not_zero(spec.velocity->value.z()))
    problems_.error(first_known(spec.velocity->where, spec.name.where), element,
                    "a velocity in a planar model has no z");
  if (spec_.planar && spec.angular_velocity &&
      (given_and_not_zero(spec.angular_velocity->value.x()) || given_and_not_zero(spec.angular_velocity->value.y())))
    problems_.error(first_known(spec.angular_velocity->where, spec.name.where), element,
                    "bodies of a planar model turn about z only", "leave x and y at 0");
}

void Resolver::resolve_joint_initial(const InitialSpec& spec, const std::string& element, Joint& joint) {
  joint.initial_where = spec.name.where;
  if (spec.velocity || spec.angular_velocity) {
    problems_.error(spec.name.where, element, "a joint starts with one number",
                    "give 'position' or 'velocity' as a number");
    return;
  }
  const int count = joint_coordinate_count(joint.type, spec_.planar);
  if (count != 1) {
    problems_.error(spec.name.where, element,
                    fmt::format("a {} joint has {} coordinates, so no single position or velocity",
                                joint_type_name(joint.type), count),
                    "give the velocity of a body instead");
    return;
  }
  if (spec.joint_position && check_finite(*spec.joint_position, element, "the position"))
    joint.initial_position = spec.joint_position->value;
  constexpr double kTurns = 4 * std::numbers::pi;
  if (joint.initial_position && std::abs(*joint.initial_position) > kTurns && is_angle(joint.type, spec_.planar, 0))
    problems_.warning(
        first_known(spec.joint_position->where, spec.name.where), element,
        fmt::format("it starts {:.3g} full turns from the drawing", *joint.initial_position / (2 * std::numbers::pi)),
        "angles are in rad: 90 degrees are pi/2");
  if (spec.joint_velocity && check_finite(*spec.joint_velocity, element, "the velocity"))
    joint.initial_velocity = spec.joint_velocity->value;
}

void Resolver::resolve_gravity() {
  constexpr double kStandard = 9.81;  // m/s^2
  result_.gravity = spec_.planar ? Vec3(0, -kStandard, 0) : Vec3(0, 0, -kStandard);
  if (spec_.gravity) result_.gravity = spec_.gravity->value;
  for (const Located<Vec3>& other : spec_.subsystem_gravity)
    if (other.value != result_.gravity)
      problems_.error(other.where, "gravity", "it differs from that of the model which includes this file",
                      "leave it out here");
  if (!spec_.gravity) return;
  if (!result_.gravity.allFinite())
    problems_.error(spec_.gravity->where, "gravity", "a component is not a finite number");
  if (spec_.planar && result_.gravity.z() != 0)
    problems_.error(spec_.gravity->where, "gravity", "gravity of a planar model has no z", "give it in the plane");
}

void Resolver::resolve_simulation() {
  const std::string element = "simulation";
  const auto refuse = [&](const auto& given, const RunOption& option, const std::string& remedy) {
    problems_.error(given->where, element, fmt::format("'{}' is {}", option.name, given->value), remedy);
  };
  const auto is_within = [](const RunOption& option, double value) {
    return (option.above ? value > option.least : value >= option.least) && value <= option.most &&
           std::isfinite(value);
  };
  const auto number = [&](const RunOption& option, const std::optional<Number>& given, std::optional<double>& result) {
    if (is_within(option, given->value)) {
      result = given->value;
    } else {
      refuse(given, option,
             std::isfinite(option.most) ? fmt::format("give {} to {}", option.least, option.most)
                                        : fmt::format("give it {}", option.above ? "above 0" : "as 0 or more"));
    }
  };
  const auto count = [&](const RunOption& option, const std::optional<Located<int>>& given,
                         std::optional<int>& result) {
    if (is_within(option, given->value)) {
      result = given->value;
    } else if (*option.remedy != '\0') {
      refuse(given, option, option.remedy);
    } else {
      refuse(given, option,
             given->value < option.least ? fmt::format("give {} or more", option.least)
                                         : fmt::format("give {} at most", option.most));
    }
  };
  const auto choice = [&](const RunOption& option, const std::optional<Name>& given,
                          std::optional<std::string>& result) {
    std::vector<std::string> known;
    for (const RegistryEntry& entry : option.choices()) known.emplace_back(entry.name);
    if (std::find(known.begin(), known.end(), given->value) != known.end()) {
      result = given->value;
    } else {
      problems_.error(given->where, element, fmt::format("no {} is called '{}'", option.kind, given->value),
                      suggestion(given->value, known, fmt::format("the {}s are", option.kind)));
    }
  };
  const auto take = [&]<class T>(const RunOption& option, const std::optional<Located<T>>& given,
                                 std::optional<T>& result) {
    if (!given) return;
    if constexpr (std::is_same_v<T, double>) number(option, given, result);
    if constexpr (std::is_same_v<T, int>) count(option, given, result);
    if constexpr (std::is_same_v<T, std::string>) choice(option, given, result);
    if constexpr (std::is_same_v<T, bool>) result = given->value;
  };
  visit_options(take, spec_.simulation, result_.simulation);
  for (const Name& name : spec_.simulation.cut)
    if (find_joint(name, element)) result_.simulation.cut.push_back(name.value);
}

}  // namespace cardan
