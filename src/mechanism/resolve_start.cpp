// How the motion starts, gravity and the wishes for the simulation.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"
#include "mechanism/resolver.hpp"

namespace cardan {

void Resolver::resolve_initial() {
  for (const InitialSpec& spec : spec_.initial) {
    const std::string element = element_label("initial", spec.name.value);
    const auto body = bodies_.find(spec.name.value);
    const auto joint = joints_.find(spec.name.value);
    if (body == bodies_.end() && joint == joints_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, unused] : bodies_) known.push_back(name);
      for (const auto& [name, unused] : joints_) known.push_back(name);
      problems_.error(spec.name.where, element, fmt::format("no body or joint is called '{}'", spec.name.value),
                      suggestion(spec.name.value, known, "there are"));
    } else if (spec.incomplete) {
      continue;
    } else if (body != bodies_.end()) {
      resolve_body_initial(spec, element, result_.bodies[static_cast<std::size_t>(body->second)]);
    } else {
      resolve_joint_initial(spec, element, result_.joints[static_cast<std::size_t>(joint->second)]);
    }
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
  const SimulationSpec& wish = spec_.simulation;
  SimulationDefaults& result = result_.simulation;
  const std::string element = "simulation";
  const auto number = [&](const std::optional<Number>& given, std::optional<double>& target, const char* name,
                          bool zero_allowed, double most) {
    if (!given) return;
    const double value = given->value;
    if (!(zero_allowed ? value >= 0 : value > 0) || !(value <= most) || !std::isfinite(value)) {
      const std::string range = !std::isfinite(most)
                                    ? fmt::format("give it {}", zero_allowed ? "as 0 or more" : "above 0")
                                    : fmt::format("give 0 to {}", most);
      problems_.error(given->where, element, fmt::format("'{}' is {}", name, value), range);
      return;
    }
    target = value;
  };
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  number(wish.until, result.until, "until", false, kNoLimit);
  number(wish.step, result.step, "step", false, kNoLimit);
  number(wish.tolerance, result.tolerance, "tolerance", false, kNoLimit);
  number(wish.penalty, result.penalty, "penalty", false, kNoLimit);
  number(wish.dissipation, result.dissipation, "dissipation", true, 1);
  number(wish.spectral_radius, result.spectral_radius, "spectral_radius", true, 1);
  number(wish.absolute_tolerance, result.absolute_tolerance, "absolute_tolerance", false, kNoLimit);
  number(wish.relative_tolerance, result.relative_tolerance, "relative_tolerance", true, kNoLimit);
  number(wish.step_min, result.step_min, "step_min", true, kNoLimit);
  number(wish.step_max, result.step_max, "step_max", false, kNoLimit);
  result.fixed_penalty = wish.fixed_penalty;
  result.projections = wish.projections;
  const auto count = [&](const std::optional<Located<int>>& given, std::optional<int>& target, const char* name,
                         int least, int most) {
    if (!given) return;
    if (given->value < least || given->value > most) {
      problems_.error(
          given->where, element, fmt::format("'{}' is {}", name, given->value),
          given->value < least ? fmt::format("give {} or more", least) : fmt::format("give {} at most", most));
      return;
    }
    target = given->value;
  };
  count(wish.iterations, result.iterations, "iterations", 0, RunOptions::kMostIterations);
  count(wish.every, result.every, "every", 1, std::numeric_limits<int>::max());
  if (wish.index && wish.index->value != 2 && wish.index->value != 3) {
    problems_.error(wish.index->where, element, fmt::format("'index' is {}", wish.index->value),
                    "give 2, the stabilized form, or 3");
  } else if (wish.index) {
    result.index = wish.index->value;
  }
  const auto choice = [&](const std::optional<Name>& given, std::optional<std::string>& target, const char* what,
                          std::span<const RegistryEntry> entries) {
    if (!given) return;
    std::vector<std::string> known;
    for (const RegistryEntry& entry : entries) {
      known.emplace_back(entry.name);
      if (entry.name == given->value) target = given->value;
    }
    if (!target)
      problems_.error(given->where, element, fmt::format("no {} is called '{}'", what, given->value),
                      suggestion(given->value, known, fmt::format("the {}s are", what)));
  };
  choice(wish.formulation, result.formulation, "formulation", formulations());
  choice(wish.integrator, result.integrator, "integrator", integrators());
  choice(wish.solver, result.solver, "solver", solvers());
  choice(wish.step_control, result.step_control, "step control", step_controls());
  choice(wish.jacobian, result.jacobian, "jacobian rule", jacobian_rules());
  choice(wish.start, result.start, "start", starts());
  for (const Name& name : wish.cut)
    if (find_joint(name, element)) result.cut.push_back(name.value);
}

}  // namespace cardan
