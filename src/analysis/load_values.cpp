#include "analysis/load_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formulation/body_model.hpp"

namespace cardan {
namespace {

template <int D>
std::vector<LoadValue> values_in(const Mechanism& mechanism, const std::vector<BodyPose>& poses, const VecX& turns) {
  const BodyModel<D> model(mechanism);
  BodyKinematics<D> k(model.bodies());
  for (int b = 0; b < model.bodies(); ++b) {
    k.center[b] = poses[b].position.template head<D>() - model.origin();
    k.rotation[b] = poses[b].rotation.template topLeftCorner<D, D>();
  }
  std::vector<std::string> names;
  for (const SpringDamper& spring : mechanism.springs) names.push_back(spring.name);
  for (const JointSpringDamper& spring : mechanism.joint_springs) names.push_back(spring.name);
  std::vector<LoadValue> values;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& load = model.scalar_loads()[i];
    const double own = load.measure.value(k);
    const double length = load.turns_of < 0 ? own : nearest_turn(own, turns[load.turns_of]);
    values.push_back({names[i], length, load.spring(length - load.free)});
  }
  for (const TyreModel<D>& tyre : model.tyres()) {
    const double load = model.tyre_force(tyre, k).load;
    const double stiffness = tyre.tyre().stiffness;
    values.push_back({tyre.tyre().name, tyre.tyre().radius - (stiffness > 0 ? load / stiffness : 0), load});
  }
  return values;
}

/// Null of what an event has switched off.
const double* value_of(const Equilibrium& e, const std::string& column) {
  const auto found = std::find(e.columns.begin(), e.columns.end(), column);
  return found == e.columns.end() ? nullptr : &e.values[static_cast<std::size_t>(found - e.columns.begin())];
}

}  // namespace

std::vector<LoadValue> load_values(const Mechanism& mechanism, const std::vector<BodyPose>& poses, const VecX& turns) {
  return mechanism.planar ? values_in<2>(mechanism, poses, turns) : values_in<3>(mechanism, poses, turns);
}

void add_line_forces(const Mechanism& mechanism, Equilibrium& e) {
  for (const LineForce& line : mechanism.line_forces) {
    const double *length = value_of(e, line.name + ".length"), *force = value_of(e, line.name + ".force");
    if (length && force) e.loads.push_back({line.name, *length, *force});
  }
}

void note_stops(const Mechanism& mechanism, Equilibrium& e) {
  for (const LineForce& line : mechanism.line_forces) {
    if (const double* push = value_of(e, line.name + ".stop"); push && *push > 0)
      e.notes.push_back(fmt::format("'{}' rests on an end stop, which pushes with {:.4g} N", line.name, *push));
  }
}

}  // namespace cardan
