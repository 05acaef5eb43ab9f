// What depends on time and inputs alone in a mechanism that goes in lanes.
#pragma once

#include <vector>

#include "formulation/input_values.hpp"
#include "formulation/relative/relative_formulation.hpp"
#include "formulation/signal_formulation.hpp"
#include "simulation/phase_set.hpp"

namespace cardan {

/// Without what only signals add; null where it is another one.
template <int D>
const RelativeFormulation<D>* relative_formulation(const Phase& phase) {
  const Formulation* formulation = phase.compiled.formulation.get();
  if (const auto* with_signals = dynamic_cast<const SignalFormulation<D>*>(formulation))
    formulation = &with_signals->inner();
  return dynamic_cast<const RelativeFormulation<D>*>(formulation);
}

/// At time t: position, rate and second derivative of every driver, each effort, components of forces and torques, one
/// after the other to `put`. `seen` is a buffer.
template <int D, class Put>
void each_law_of_time(const BodyModel<D>& model, const Mechanism& m, const VecX& inputs, double t,
                      std::vector<Function::Value>& seen, const Put& put) {
  seen.resize(m.inputs.size());
  for (std::size_t i = 0; i < m.inputs.size(); ++i) seen[i] = input_values::seen(m.inputs[i], inputs, i, t);
  const auto value = [&](const Law& law) {
    return law.function(t) + (law.signal < 0 ? 0 : given_signal(m.signals, law.signal, t, seen.data()).f);
  };
  for (const auto& driver : model.drivers()) {
    const Function::Value path =
        driver.signal < 0 ? driver.position.evaluate(t) : given_signal(m.signals, driver.signal, t, seen.data());
    put(path.f), put(path.d1), put(path.d2);
  }
  for (const auto& effort : model.efforts()) put(value(effort.law));
  const auto put_all = [&](const std::array<Law, 3>& components) {
    for (const Law& law : components) put(value(law));
  };
  for (const PointForce& force : m.forces) put_all(force.components);
  for (const Torque& torque : m.torques) put_all(torque.components);
}

}  // namespace cardan
