#include "system/sampled_signals.hpp"

#include <algorithm>

#include "math/expression.hpp"

namespace cardan {

template <int D>
SampledSignals<D>::SampledSignals(const BodyModel<D>& model, const ReactionAnalysis<D>& reactions)
    : model_(model), reactions_(reactions) {
  std::vector<char> seen(model.mechanism().signals.size(), 0);
  for (int i = 0; i < static_cast<int>(seen.size()); ++i) list(i, seen);
}

/// Each after what it is made of.
template <int D>
void SampledSignals<D>::list(int index, std::vector<char>& seen) {
  const Signal& s = model_.mechanism().signals[static_cast<std::size_t>(index)];
  if (s.level != SignalLevel::sampled || seen[static_cast<std::size_t>(index)] != 0) return;
  seen[static_cast<std::size_t>(index)] = 1;
  for (const int argument : s.arguments) list(argument, seen);
  list_.emplace_back(index, 0);
}

template <int D>
void SampledSignals<D>::find_columns(const std::vector<std::string>& columns) {
  for (auto& [signal, column] : list_) {
    const std::string& name = model_.mechanism().signals[static_cast<std::size_t>(signal)].name;
    column = static_cast<int>(std::find(columns.begin(), columns.end(), name) - columns.begin());
  }
}

template <int D>
void SampledSignals<D>::evaluate(const Sample& sample, const BodyKinematics<D>& k, VecX& values) const {
  for (const auto& [signal, column] : list_) values[signal] = value(signal, column, sample, k, values);
}

template <int D>
double SampledSignals<D>::value(int index, int column, const Sample& sample, const BodyKinematics<D>& k,
                                const VecX& values) const {
  using Kind = Signal::Kind;
  const Signal& s = model_.mechanism().signals[static_cast<std::size_t>(index)];
  const auto& measures = model_.measures();
  const int b = measures.body_index(s.body2), axes = measures.body_index(s.body1);
  const auto along = [&] { return Vector(k.rotation[axes] * measures.local_direction(s.body1, s.direction)); };
  switch (s.kind) {
    case Kind::column:
      return sample.columns[column];
    case Kind::acceleration: {
      const Vector p = k.point(b, measures.local_point(s.body2, s.point2));
      const typename S::Angular w = angular<D>(k.twist[b]);
      return along().dot(velocity_at<D>(k.acceleration[b], p) + cross(w, velocity_at<D>(k.twist[b], p)));
    }
    case Kind::angular_acceleration:
      if constexpr (D == 2) {
        return angular<D>(k.acceleration[b])[0];
      } else {
        return along().dot(angular<D>(k.acceleration[b]));
      }
    case Kind::coordinate_acceleration: {
      const Measure<D>& m = model_.joint_coordinates()[model_.coordinate_index(s.index, s.component)].measure;
      return m.acceleration(k, m.gradient(k));
    }
    case Kind::reaction:
      return inertial_reaction(s.index, k)[s.component < 3 ? s.component : D + (D == 2 ? 0 : s.component - 3)];
    case Kind::rotor: {
      const auto& rotor = model_.rotors()[s.index];
      return -rotor.inertia * rotor.measure.acceleration(k, rotor.measure.gradient(k));
    }
    case Kind::energy:
      return energy_quantity(s.component, sample, k);
    case Kind::function:
      return s.of(values[s.arguments[0]]);
    default:
      break;
  }
  double arguments[Expression::kMostVariables];
  for (std::size_t j = 0; j < s.arguments.size(); ++j) arguments[j] = values[s.arguments[j]];
  return s.expression.evaluate(arguments);
}

template <int D>
typename Space<D>::Twist SampledSignals<D>::inertial_reaction(int j, const BodyKinematics<D>& k) const {
  const Joint& joint = model_.mechanism().joints[j];
  const Vector point = k.point(model_.measures().body_index(joint.body2),
                               model_.measures().local_point(joint.body2, joint.frame2.origin));
  const Twist& wrench = reactions_.joint_wrench(j);
  const Vector f = linear<D>(wrench);
  return twist<D>(f, typename S::Angular(angular<D>(wrench) - moment(point, f)));
}

/// As energy_quantities() counts them.
template <int D>
double SampledSignals<D>::energy_quantity(int component, const Sample& sample, const BodyKinematics<D>& k) const {
  const auto potential = [&] { return model_.potential_energy(k, sample.turns); };
  switch (component) {
    case 0:
      return model_.kinetic_energy(k);
    case 1:
      return potential();
    case 2:
      return model_.kinetic_energy(k) + potential();
    case 3:
      return model_.external_power(sample.columns[0], k, sample.turns) + model_.driver_power(k, sample.wrenches);
    case 4:
      return sample.work;
    default:
      return sample.error;
  }
}

template class SampledSignals<2>;
template class SampledSignals<3>;

}  // namespace cardan
