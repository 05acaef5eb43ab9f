// BodyModel: what it remembers from step to step, full turns of angles and what loads keep.
#include <algorithm>
#include <array>
#include <cmath>

#include "formulation/body_model.hpp"

namespace cardan {

template <int D>
int BodyModel<D>::counted_angles() const {
  return static_cast<int>(joint_coordinates_.size()) + (D == 2 ? bodies() : 0);
}

template <int D>
void BodyModel<D>::predict_turns(const VecX& memory, double t, VecX& turns) const {
  const int n = counted_angles(), size = n + 1 + load_memory();
  if (turns.size() != size) turns = VecX::Zero(size);
  const double since = t - memory[2 * n];
  const double *angle = memory.data(), *rate = angle + n;
  double* turn = turns.data();
  for (int i = 0; i < n; ++i) turn[i] = angle[i] + since * rate[i];
  turn[n] = since;
  if (load_memory() > 0) turns.tail(load_memory()) = memory.segment(2 * n + 1, load_memory());
}

template <int D>
VecX BodyModel<D>::initial_turns(double t, const BodyKinematics<D>& assembled) const {
  VecX memory = VecX::Zero(turns_size());
  memory.head(counted_angles()) = expected_turns();
  restart_turns(t, assembled, memory);
  return memory;
}

template <int D>
double BodyModel<D>::drawn_value(int index) const {
  const JointCoordinate& c = joint_coordinates_[index];
  const std::vector<double>& names = mechanism_.joints[c.joint].drawn;
  const double value = c.measure.value(drawn());
  return c.angular ? nearest_turn(value, c.index < static_cast<int>(names.size()) ? names[c.index] : 0) : value;
}

template <int D>
VecX BodyModel<D>::expected_turns() const {
  VecX turns = VecX::Zero(counted_angles());
  const int count = static_cast<int>(joint_coordinates_.size());
  std::vector<bool> given(count, false);
  for (int i = 0; i < count; ++i) {
    const Joint& joint = mechanism_.joints[joint_coordinates_[i].joint];
    const std::size_t index = joint_coordinates_[i].index;
    turns[i] = joint.initial_position.value_or(index < joint.drawn.size() ? joint.drawn[index] : 0);
    given[i] = joint.initial_position.has_value();
  }
  // From gear to gear: what follows from a given position is given as well.
  for (bool found = true; found;) {
    found = false;
    for (const Coupler& c : mechanism_.couplers) {
      const int one = coordinate_index(c.joint1, c.coordinate1), two = coordinate_index(c.joint2, c.coordinate2);
      if (given[one] == given[two]) continue;
      if (given[one]) {
        turns[two] = drawn_value(two) + c.ratio * (turns[one] - drawn_value(one));
      } else {
        turns[one] = drawn_value(one) + (turns[two] - drawn_value(two)) / c.ratio;
      }
      given[one] = given[two] = found = true;
    }
  }
  return turns;
}

template <int D>
void BodyModel<D>::update_turns(double t, const BodyKinematics<D>& k, VecX& memory,
                                std::span<const KnownAngle> known) const {
  const int n = counted_angles(), coordinates = static_cast<int>(joint_coordinates_.size());
  const double since = t - memory[2 * n];
  for (int i = 0; i < n; ++i) memory[i] += since * memory[n + i];
  for (const KnownAngle& own : known) {
    memory[own.counted] = nearest_turn(own.angle, memory[own.counted]);
    memory[n + own.counted] = own.rate;
  }
  auto next = known.begin();
  const auto is_known = [&](int counted) {
    if (next == known.end() || next->counted != counted) return false;
    ++next;
    return true;
  };
  for (int i = 0; D == 3 && i < coordinates; ++i) {
    const JointCoordinate& c = joint_coordinates_[i];
    if (!c.angular || is_known(i)) continue;
    memory[i] = coordinate_value(i, k, memory);
    memory[n + i] = c.measure.rate(k, c.measure.gradient(k));
  }
  if constexpr (D == 2) {
    for (int b = 0; b < bodies(); ++b) {
      if (is_known(coordinates + b)) continue;
      memory[coordinates + b] = body_angle(b, k, memory);
      memory[n + coordinates + b] = angular<D>(k.twist[b])[0];
    }
    for (int i = 0; i < coordinates; ++i) {
      const JointCoordinate& c = joint_coordinates_[i];
      if (!c.angular) continue;
      const auto angle = [&](int b) { return b < bodies() ? memory[coordinates + b] : 0; };
      const auto rate = [&](int b) { return b < bodies() ? memory[n + coordinates + b] : 0; };
      const double turned = c.measure.axis[0] * (angle(c.measure.body2) - angle(c.measure.body1));
      memory[i] = nearest_turn(c.unturned + turned, memory[i]);
      memory[n + i] = c.measure.axis[0] * (rate(c.measure.body2) - rate(c.measure.body1));
    }
  }
  if (load_memory() > 0) remember(t, k, since, memory.data() + 2 * n + 1);
  memory[2 * n] = t;
}

template <int D>
void BodyModel<D>::remember(double t, const BodyKinematics<D>& k, double elapsed, double* memory) const {
  std::array<double, kMostRemembered> before;
  for (const WrenchModel<D>& wrench : custom_wrenches_) {
    if (wrench.memory() == 0) continue;
    double* own = memory + wrench.memory_at();
    std::copy_n(own, wrench.memory(), before.data());
    FramePair pair = wrench.frames().pair(t, k, origin_);
    pair.given = given(wrench.given(), t, k);
    pair.elapsed = elapsed;
    pair.memory = before.data();
    wrench.remember(pair, own);
  }
  if (!contacts_->empty()) contacts_->remember(k, memory);
  for (const int i : forgotten_) memory[i] = 0;
}

template <int D>
void BodyModel<D>::restart_turns(double t, const BodyKinematics<D>& k, VecX& memory) const {
  memory[2 * counted_angles()] = t;
  update_turns(t, k, memory);
}

template <int D>
double BodyModel<D>::body_angle(int body, const BodyKinematics<D>& k, const VecX& turns) const {
  return nearest_turn(std::atan2(k.rotation[body](1, 0), k.rotation[body](0, 0)),
                      turns[static_cast<int>(joint_coordinates_.size()) + body]);
}

template <int D>
double BodyModel<D>::coordinate_value(int index, const BodyKinematics<D>& k, const VecX& turns) const {
  const JointCoordinate& c = joint_coordinates_[index];
  const double value = c.measure.value(k);
  return c.angular ? nearest_turn(value, turns[index]) : value;
}

template class BodyModel<2>;
template class BodyModel<3>;

}  // namespace cardan
