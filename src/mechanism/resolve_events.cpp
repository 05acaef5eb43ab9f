// Events: their targets by name, and whether what they do can be done at that time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/phases.hpp"
#include "mechanism/resolver.hpp"
#include "mechanism/subsystem.hpp"

namespace cardan {
namespace {

bool concerns_joint(const Event& event) {
  return event.action == Event::Action::attach || event.action == Event::Action::release;
}

bool has_target(const Event& event, const std::string& name) {
  return std::find(event.targets.begin(), event.targets.end(), name) != event.targets.end();
}

/// "at t = 2 s by 'grip'"
std::string moment_of(const Event& event) { return fmt::format("at t = {:.6g} s by '{}'", event.time, event.name); }

constexpr const char* kTooLateForState =
    "a state takes values that are known from positions, velocities, states and inputs";

}  // namespace

void Resolver::resolve_events() {
  for (const EventSpec& spec : spec_.events) {
    Event event;
    if (resolve_event(spec, event)) result_.events.push_back(event);
  }
  std::stable_sort(result_.events.begin(), result_.events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  for (std::size_t j = 0; j < result_.joints.size(); ++j) follow_joint(static_cast<int>(j));
  visit_switchable(result_, [&](const auto& elements) {
    for (const auto& element : elements) follow_switch(element.name);
  });
  if (problems_.error_count() > 0 || result_.events.empty() || !result_.events.back().is_conditional()) return;
  if (phases_of(result_).too_many)
    problems_.error(result_.events.back().where, element_label("event", result_.events.back().name),
                    fmt::format("events with conditions can leave more than {} different mechanisms behind, depending "
                                "on their order",
                                kMostPhases),
                    "let one event switch several elements, or let laws follow a state that events set");
}

/// The condition as a signal, and what is set as signals.
void Resolver::resolve_condition(const EventSpec& spec, const std::string& element, Event& event) {
  const SourceLocation& where = first_known(spec.guard.where, event.where);
  event.time = std::numeric_limits<double>::infinity();
  event.condition = spec.condition;
  event.once = spec.once;
  event.hysteresis = spec.hysteresis.value;
  if (check_finite(spec.hysteresis, element, "'hysteresis'") && event.hysteresis < 0)
    problems_.error(first_known(spec.hysteresis.where, event.where), element, "'hysteresis' is negative",
                    "give it as 0 or more, in units of what 'when' compares");
  event.guard = signals_.signal(spec.guard.value, element, where);
  if (event.action == Event::Action::drop)
    problems_.error(where, element, "a road drops at a given time only", "give 'at' instead of 'when'");
}

void Resolver::resolve_assignments(const EventSpec& spec, const std::string& element, Event& event) {
  const auto index_of = [](const auto& list, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  };
  if (spec.action == Event::Action::set && spec.assignments.empty())
    problems_.error(event.where, element, "'set' says nothing", "write 'set: {STATE: VALUE}'");
  for (const EventSpec::Assignment& given : spec.assignments) {
    Event::Assignment assignment;
    assignment.index = index_of(result_.states, given.name.value);
    assignment.is_state = assignment.index >= 0;
    if (!assignment.is_state) assignment.index = index_of(result_.inputs, given.name.value);
    const SourceLocation& where = first_known(given.value.where, given.name.where);
    if (assignment.index < 0) {
      std::vector<std::string> known;
      for (const StateVariable& state : result_.states) known.push_back(state.name);
      for (const Input& input : result_.inputs) known.push_back(input.name);
      problems_.error(first_known(given.name.where, event.where), element,
                      fmt::format("no state or input is called '{}'", given.name.value),
                      known.empty() ? "the model has none; add one under 'states'"
                                    : suggestion(given.name.value, known, "there are"));
      continue;
    }
    assignment.signal = signals_.signal(given.value.value, element, where);
    signals_.require(assignment.signal, SignalLevel::velocity, element, where, kTooLateForState);
    event.assignments.push_back(assignment);
  }
}

bool Resolver::resolve_event(const EventSpec& spec, Event& event) {
  const std::string element = element_label("event", spec.name.value);
  check_name(spec.name, "event", spec.name.where);
  event.name = spec.name.value;
  event.where = spec.name.where;
  event.time = spec.time.value;
  event.action = spec.action;
  if (noted(spec).incomplete) return false;
  const std::size_t before = problems_.error_count();
  if (std::any_of(result_.events.begin(), result_.events.end(),
                  [&](const Event& other) { return other.name == event.name; })) {
    problems_.error(event.where, element, "there is an event of that name", "every event needs a name of its own");
  }
  const SourceLocation& when = first_known(spec.time.where, event.where);
  resolve_assignments(spec, element, event);
  if (spec.guard.value.given) {
    resolve_condition(spec, element, event);
  } else if (check_finite(spec.time, element, "'at'") && event.time < 0) {
    problems_.error(when, element, fmt::format("it happens at {} s, before the start", event.time),
                    "give 'at' as 0 or later");
  }
  event.by = spec.by.value;
  if (event.action == Event::Action::drop && check_finite(spec.by, element, "'by'") && event.by == 0) {
    problems_.error(first_known(spec.by.where, event.where), element, "the road does not move", "give 'by' in m");
  }
  for (const Name& target : spec.targets) {
    event.targets.push_back(target.value);
    if (event.action == Event::Action::drop) {
      find_road(target, element, event.where);
      continue;
    }
    if (concerns_joint(event)) {
      find_joint(target, element);
      continue;
    }
    std::vector<std::string> known = names_of_kind(spec_, "load or driver");
    if (std::find(known.begin(), known.end(), target.value) != known.end()) continue;
    std::sort(known.begin(), known.end());
    const auto other = elements_.find(target.value);
    problems_.error(
        first_known(target.where, event.where), element,
        other == elements_.end() ? fmt::format("no load or driver is called '{}'", target.value)
                                 : fmt::format("'{}' is a {}, not a load or driver", target.value, other->second.first),
        other != elements_.end() && other->second.first == "joint" ? "joints are attached and released"
                                                                   : suggestion(target.value, known, "there are"));
  }
  return problems_.error_count() == before;
}

/// The joint through its events, in order.
void Resolver::follow_joint(int index) {
  Joint& joint = result_.joints[static_cast<std::size_t>(index)];
  if (noted(spec_.joints[static_cast<std::size_t>(index)]).incomplete) return;
  const Event* last = nullptr;
  for (const Event& event : result_.events) {
    if (!concerns_joint(event) || !has_target(event, joint.name)) continue;
    const bool attaches = event.action == Event::Action::attach;
    const std::string element = element_label("event", event.name);
    if (JointEquations(joint.type, spec_.planar).empty()) {
      problems_.error(event.where, element,
                      fmt::format("'{}' is a {} joint, which holds nothing", joint.name, joint_type_name(joint.type)),
                      "leave it as it is; attach or release another joint");
      return;
    }
    if (attaches && !can_be_attached(joint.type, spec_.planar)) {
      problems_.error(
          event.where, element,
          fmt::format("'{}' is a {} joint, which cannot take hold where its bodies are", joint.name,
                      joint_type_name(joint.type)),
          fmt::format("attach a {} joint, a distance link or a point on a line{}",
                      spec_.planar ? "revolute or fixed" : "spherical or fixed", spec_.planar ? "" : " or plane"));
      return;
    }
    // One with a condition that has nothing to do any more does nothing.
    if (last && !event.is_conditional() && attaches == (last->action == Event::Action::attach)) {
      problems_.error(
          event.where, element,
          fmt::format("joint '{}' was {} already {}", joint.name, attaches ? "attached" : "released", moment_of(*last)),
          attaches ? "release it before" : "attach it before");
      return;
    }
    if (!last) joint.present = !attaches;
    joint.switched = true;
    last = &event;
  }
}

/// A load or driver through its events.
void Resolver::follow_switch(const std::string& name) {
  const Event* last = nullptr;
  for (const Event& event : result_.events) {
    const bool switches = event.action == Event::Action::on || event.action == Event::Action::off;
    if (!switches || !has_target(event, name)) continue;
    if (last && !event.is_conditional() && event.action == last->action) {
      const bool on = event.action == Event::Action::on;
      problems_.error(event.where, element_label("event", event.name),
                      fmt::format("'{}' was switched {} already {}", name, on ? "on" : "off", moment_of(*last)),
                      fmt::format("switch it {} before", on ? "off" : "on"));
      return;
    }
    last = &event;
  }
}

}  // namespace cardan
