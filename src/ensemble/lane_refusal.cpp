// What does not go in lanes, by name.
#include <fmt/format.h>

#include "ensemble/lane_model.hpp"

namespace cardan {

template <int D>
std::string not_in_lanes(const RelativeFormulation<D>& formulation, bool within_a_run) {
  const BodyModel<D>& model = formulation.model();
  const Mechanism& m = model.mechanism();
  const auto one_of = [](const char* kind, const auto& elements) {
    return elements.empty() ? std::string() : fmt::format("{} '{}'", kind, elements.front().name);
  };
  for (const std::string& text :
       {one_of("load", m.custom_wrenches), one_of("contact", m.contacts), one_of("constraint", m.knife_edges),
        one_of("constraint", m.rolling_discs), one_of("state", m.states), one_of("fmu", m.companions),
        within_a_run ? std::string() : one_of("event", m.events)})
    if (!text.empty()) return text;
  for (const Input& input : m.inputs)
    if (!within_a_run && (!input.is_given() || !input.track.t.empty()))
      return fmt::format("input '{}', which follows a file or samples", input.name);
  for (const auto& driver : model.drivers())
    if (driver.rotation) return fmt::format("driver '{}', which goes along a path of poses", driver.name);
  for (const auto& force : model.signal_forces()) {
    const Signal& signal = m.signals[static_cast<std::size_t>(force.signal)];
    if (signal.level != SignalLevel::given)
      return fmt::format("a load that follows '{}'", signal.name.empty() ? signal.expression.text() : signal.name);
  }
  const auto has_table = [](const Function& function) { return function.has_table(); };
  for (const auto& load : model.scalar_loads())
    if (has_table(load.spring) || has_table(load.damper)) return "a load by a table, whose ends are looked at";
  for (const auto& driver : model.drivers())
    if (has_table(driver.position)) return fmt::format("driver '{}', whose table's ends are looked at", driver.name);
  for (const auto& effort : model.efforts())
    if (has_table(effort.law.function)) return "an effort by a table, whose ends are looked at";
  const auto by_table = [&](const auto& loads) {
    for (const auto& load : loads)
      for (const Law& law : load.components)
        if (has_table(law.function)) return fmt::format("load '{}', whose table's ends are looked at", load.name);
    return std::string();
  };
  const std::string force = by_table(m.forces);
  return force.empty() ? by_table(m.torques) : force;
}

template std::string not_in_lanes(const RelativeFormulation<2>&, bool);
template std::string not_in_lanes(const RelativeFormulation<3>&, bool);

}  // namespace cardan
