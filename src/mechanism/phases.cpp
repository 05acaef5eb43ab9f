#include "mechanism/phases.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace cardan {
namespace {

/// What is not there, and how much lower roads are.
struct Absent {
  std::set<std::string> joints, elements;
  std::map<std::string, double> lowered;  // m
  bool operator==(const Absent&) const = default;
};

Absent absent_at_start(const Mechanism& mechanism) {
  Absent absent;
  for (const Joint& joint : mechanism.joints) {
    if (!joint.present) absent.joints.insert(joint.name);
  }
  std::set<std::string> seen;
  for (const Event& event : mechanism.events) {
    for (const std::string& target : event.targets) {
      if (seen.insert(target).second && event.action == Event::Action::on) absent.elements.insert(target);
    }
  }
  return absent;
}

void happen(const Event& event, Absent& absent) {
  for (const std::string& target : event.targets) {
    switch (event.action) {
      case Event::Action::attach:
        absent.joints.erase(target);
        break;
      case Event::Action::release:
        absent.joints.insert(target);
        break;
      case Event::Action::on:
        absent.elements.erase(target);
        break;
      case Event::Action::off:
        absent.elements.insert(target);
        break;
      case Event::Action::drop:
        absent.lowered[target] += event.by;
        break;
      case Event::Action::set:
      case Event::Action::end:
      case Event::Action::note:
        break;
    }
  }
}

/// What an element that is off does is nothing; others may have moved up.
void follow_element(const Mechanism& mechanism, const Absent& absent, Signal& signal) {
  if (absent.elements.contains(signal.owner)) {
    signal.kind = Signal::Kind::expression;
    signal.expression = SignalExpression::parse("0");
    signal.arguments.clear();
    return;
  }
  const auto move_up = [&](const auto& elements) {
    signal.index = static_cast<int>(std::count_if(elements.begin(), elements.begin() + signal.index,
                                                  [&](const auto& e) { return !absent.elements.contains(e.name); }));
  };
  if (signal.kind == Signal::Kind::tension) move_up(mechanism.springs);
  if (signal.kind == Signal::Kind::joint_pull) move_up(mechanism.joint_springs);
  if (signal.kind == Signal::Kind::bushing_pull) move_up(mechanism.bushings);
  if (signal.kind == Signal::Kind::tyre) move_up(mechanism.tyres);
  if (signal.kind == Signal::Kind::contact) move_up(mechanism.contacts);
}

Mechanism without(const Mechanism& mechanism, const Absent& absent) {
  Mechanism phase = mechanism;
  phase.events.clear();
  for (Joint& joint : phase.joints) joint.present = !absent.joints.contains(joint.name);
  visit_switchable(phase, [&](auto& elements) {
    std::erase_if(elements, [&](const auto& element) {
      if constexpr (std::is_same_v<std::decay_t<decltype(element)>, Driver>)
        if (!element.element.empty()) return absent.elements.contains(element.element);
      return absent.elements.contains(element.name);
    });
  });
  for (Signal& signal : phase.signals) follow_element(mechanism, absent, signal);
  for (Road& road : phase.roads) {
    const auto lowered = absent.lowered.find(road.name);
    if (lowered == absent.lowered.end()) continue;
    for (Vec2& point : road.profile) point.y() -= lowered->second;
    const int index = static_cast<int>(&road - phase.roads.data()), up = phase.planar ? 1 : 2;
    for (CustomWrench& wrench : phase.custom_wrenches)
      if (wrench.wheel && wrench.wheel->road == index) wrench.frame1.origin[up] -= lowered->second;
    road.origin[mechanism.planar ? 1 : 2] -= lowered->second;
    if (road.grid)
      for (double& height : road.grid->height) height -= lowered->second;
  }
  return phase;
}

}  // namespace

/// All that can be reached: events at given times happen in their order, those with conditions at any time.
Phases phases_of(const Mechanism& mechanism) {
  Phases phases;
  std::vector<Absent> known;
  const auto index_of = [&](const Absent& absent) {
    const auto found = std::find(known.begin(), known.end(), absent);
    const int index = static_cast<int>(found - known.begin());
    if (found == known.end()) {
      known.push_back(absent);
      phases.mechanisms.push_back(without(mechanism, absent));
      phases.next.emplace_back(mechanism.events.size(), -1);
      phases.entered_by.push_back(-1);
    }
    return index;
  };
  struct Reached {
    std::size_t behind;  // events at given times
    Absent absent;
    bool operator==(const Reached&) const = default;
  };
  std::vector<Reached> reached{{0, absent_at_start(mechanism)}};
  index_of(reached[0].absent);
  for (std::size_t i = 0; i < reached.size() && !phases.too_many; ++i) {
    for (std::size_t e = 0; e < mechanism.events.size(); ++e) {
      const Event& event = mechanism.events[e];
      if (!event.is_conditional() && e != reached[i].behind) continue;
      Reached after = reached[i];
      if (!event.is_conditional()) ++after.behind;
      happen(event, after.absent);
      const int from = index_of(reached[i].absent), to = index_of(after.absent);
      phases.next[static_cast<std::size_t>(from)][e] = to;
      if (to > 0 && phases.entered_by[static_cast<std::size_t>(to)] < 0)
        phases.entered_by[static_cast<std::size_t>(to)] = static_cast<int>(e);
      phases.too_many = known.size() > kMostPhases && mechanism.events.back().is_conditional();
      if (std::find(reached.begin(), reached.end(), after) == reached.end()) reached.push_back(after);
    }
  }
  return phases;
}

Mechanism with_load_alone(const Mechanism& phase, const std::string& name) {
  Absent absent;
  for (const Joint& joint : phase.joints)
    if (!joint.present) absent.joints.insert(joint.name);
  visit_switchable(phase, [&](const auto& elements) {
    for (const auto& element : elements)
      if constexpr (!std::is_same_v<std::decay_t<decltype(element)>, Driver>)
        if (element.name != name) absent.elements.insert(element.name);
  });
  return without(phase, absent);
}

Mechanism initial_phase(const Mechanism& mechanism) {
  return mechanism.events.empty() ? mechanism : without(mechanism, absent_at_start(mechanism));
}

}  // namespace cardan
