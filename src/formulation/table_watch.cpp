#include "formulation/table_watch.hpp"

#include <fmt/format.h>

namespace cardan {

LeftTable left_table(const std::string& element, const char* of, double value, double time,
                     const Function::PassedEnd& end) {
  const char* what = end.beyond == Function::Beyond::hold     ? "the value at its end is held"
                     : end.beyond == Function::Beyond::linear ? "it is continued straight on"
                                                              : "its 'beyond: error' ends the run there";
  return {fmt::format("{}, {}", element, of),
          fmt::format("{} leaves its table at t = {:.6g} s: {} is {:.6g}, the table reaches from {:.6g} to {:.6g}; {}",
                      element, time, of, value, end.low, end.high, what),
          time, end.beyond == Function::Beyond::error};
}

template <int D>
TableWatch<D>::TableWatch(const BodyModel<D>& model) : model_(model) {
  const Mechanism& m = model.mechanism();
  int load = 0;
  const auto watch_load = [&](const std::string& name) {
    watch("load", name, model.scalar_loads()[load].spring, Argument::elongation, load);
    watch("load", name, model.scalar_loads()[load].damper, Argument::rate, load);
    ++load;
  };
  for (const SpringDamper& spring : m.springs) watch_load(spring.name);
  for (const JointSpringDamper& spring : m.joint_springs) watch_load(spring.name);
  for (const PointForce& force : m.forces)
    for (const Law& component : force.components) watch("load", force.name, component.function);
  for (const Torque& torque : m.torques)
    for (const Law& component : torque.components) watch("load", torque.name, component.function);
  for (const Actuator& actuator : m.actuators) watch("load", actuator.name, actuator.effort.function);
  for (const LineForce& force : m.line_forces) watch("load", force.name, force.pull.function);
  for (const Driver& driver : m.drivers) watch("driver", driver.name, driver.position);
}

template <int D>
void TableWatch<D>::watch(const std::string& kind, const std::string& name, const Function& function, Argument argument,
                          int load) {
  if (function.has_table()) tables_.push_back({fmt::format("{} '{}'", kind, name), function, argument, load});
}

template <int D>
bool TableWatch<D>::look(double t, const BodyKinematics<D>& k, const VecX& turns) {
  bool goes_on = true;
  for (Watched& table : tables_) {
    // What ends the run ends it each time, from a state that was restored too.
    if (table.left && table.end.beyond != Function::Beyond::error) continue;
    double x = t;
    if (table.argument != Argument::time) {
      const auto& load = model_.scalar_loads()[table.load];
      const auto [value, gradient] = load.measure.evaluate(k);
      x = table.argument == Argument::rate ? load.measure.rate(k, gradient)
                                           : BodyModel<D>::elongation(load, value, turns);
    }
    const auto end = table.function.passed_end(x);
    if (!end) continue;
    table.left = true;
    table.end = *end;
    table.value = x;
    table.time = t;
    goes_on = goes_on && end->beyond != Function::Beyond::error;
  }
  return goes_on;
}

template <int D>
std::vector<LeftTable> TableWatch<D>::left() const {
  std::vector<LeftTable> all;
  for (const Watched& table : tables_) {
    if (!table.left) continue;
    const char* of = table.argument == Argument::time ? "t" : table.argument == Argument::rate ? "the rate" : "x";
    all.push_back(left_table(table.element, of, table.value, table.time, table.end));
  }
  return all;
}

template class TableWatch<2>;
template class TableWatch<3>;

}  // namespace cardan
