// States of a System that are set: by coordinates of joints, by frames, inputs, states of the model.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cardan/system.hpp"
#include "formulation/input_values.hpp"
#include "math/rotation_vector.hpp"
#include "system/state_equations.hpp"

namespace cardan {
namespace {

/// The motion of one frame as seen from another, in its axes.
FrameMotion seen(const System::View& view, const FrameHandle& frame, const FrameHandle& from, Workspace& work) {
  const BodyMotion one = view.motion(from, work), two = view.motion(frame, work);
  const Mat3 back = one.rotation.transpose();
  const Vec3 between = two.position - one.position;
  FrameMotion motion;
  motion.position = back * between;
  motion.rotation = back * two.rotation;
  motion.velocity = back * (two.velocity - one.velocity - one.angular_velocity.cross(between));
  motion.angular_velocity = back * (two.angular_velocity - one.angular_velocity);
  return motion;
}

/// The attitude of a frame and, unless it is to be left alone, its place; with their rates.
class FrameGoal final : public Goal {
 public:
  FrameGoal(const System::View& view, const FrameHandle& frame, const FrameHandle& from, const FrameMotion& motion,
            bool with_place)
      : view_(view),
        frame_(frame),
        from_(from),
        motion_(motion),
        place_(with_place ? 3 : 0),
        rates_(rates_of(motion)) {}

  /// The turn that leads from the wanted attitude to that of the state.
  VecX excess(const State&, Workspace& work) const override {
    constexpr double kLargestTurn = 0.5;  // rad, of one iteration: far from there it would not find the way
    const FrameMotion now = seen(view_, frame_, from_, work);
    const Quat turn = Quat(now.rotation).normalized() * Quat(motion_.rotation).conjugate();
    const Vec3 angle = vector_from_rotation(turn.toRotationMatrix());
    VecX more(place_ + 3);
    more << angle, (now.position - motion_.position).head(place_);
    return std::min(1.0, kLargestTurn / std::max(angle.norm(), kLargestTurn)) * more;
  }
  VecX rates(Workspace& work) const override { return rates_of(seen(view_, frame_, from_, work)); }
  const VecX& wanted_rates() const override { return rates_; }

 private:
  VecX rates_of(const FrameMotion& motion) const {
    VecX rates(place_ + 3);
    rates << motion.angular_velocity, motion.velocity.head(place_);
    return rates;
  }

  const System::View& view_;
  const FrameHandle &frame_, &from_;
  const FrameMotion& motion_;
  const Eigen::Index place_;
  const VecX rates_;
};

/// Of what integrators and balances remember nothing is true of a state that was set; accelerations are found anew.
Context set_anew(const System& system, State state) {
  state.books.resize(0);  // a simulation that takes it up begins its balance and its steps anew
  state.stepper.resize(0);
  const Accelerations found = forward_dynamics(system, state);
  state.acceleration = state.algorithmic = found.acceleration;
  state.lambda = found.multipliers;
  return state;
}

Context closed(const System& system, const Context& context, const Goal& goal, Workspace& work) {
  const System::View& view = view_of(system);
  State state = context;
  close(view, goal, state, work);
  if (view.formulation().accept(context, state, work) != StepStatus::ok) {
    throw std::domain_error("the state that was asked for is at or beyond a singular position: " +
                            view.formulation().complaint(work));
  }
  return set_anew(system, std::move(state));
}

Context with_motion(const System& system, const Context& context, const FrameHandle& frame, const FrameHandle& from,
                    const FrameMotion& motion, bool with_place) {
  const System::View& view = view_of(system);
  view.check(frame);
  view.check(from);
  const Mat3& R = motion.rotation;
  const bool finite = R.allFinite() && motion.position.allFinite() && motion.velocity.allFinite() &&
                      motion.angular_velocity.allFinite();
  if (!finite || !(R.transpose() * R).isIdentity(1e-6) || R.determinant() < 0)
    throw std::invalid_argument("what a frame is given must be finite numbers, and its rotation a rotation");
  const auto work = view.evaluated(context);
  return closed(system, context, FrameGoal(view, frame, from, motion, with_place), *work);
}

Eigen::Index place_of_state(const System& system, const Context& context, int state) {
  const auto& states = system.mechanism().states;
  view_of(system).check(context);
  if (state < 0 || state >= std::ssize(states)) throw std::invalid_argument("there is no such state");
  return context.v.size() - std::ssize(states) + state;
}

}  // namespace

double joint_position(const System& system, const Context& context, CoordinateHandle coordinate) {
  view_of(system).check(coordinate);
  const auto work = view_of(system).evaluated(context);
  return view_of(system).scalars(*work)->value(coordinate.index, context, *work);
}

double joint_velocity(const System& system, const Context& context, CoordinateHandle coordinate) {
  view_of(system).check(coordinate);
  const auto work = view_of(system).evaluated(context);
  return view_of(system).scalars(*work)->rate(coordinate.index, *work);
}

Context with_joints(const System& system, const Context& context, const std::vector<CoordinateHandle>& coordinates,
                    const VecX& positions, const VecX& velocities) {
  const auto count = static_cast<Eigen::Index>(coordinates.size());
  if (positions.size() != count || velocities.size() != count) {
    throw std::invalid_argument("a position and a velocity are needed for each coordinate");
  }
  const System::View& view = view_of(system);
  const std::vector<int> which = view.indices(coordinates);
  const auto work = view.evaluated(context);
  const auto scalars = view.scalars(*work);
  return closed(system, context, ScalarGoal(*scalars, which, positions, velocities), *work);
}

FrameMotion relative_motion(const System& system, const Context& context, const FrameHandle& frame,
                            const FrameHandle& seen_from) {
  const System::View& view = view_of(system);
  view.check(frame);
  view.check(seen_from);
  const auto work = view.evaluated(context);
  return seen(view, frame, seen_from, *work);
}

Context with_frame(const System& system, const Context& context, const FrameHandle& frame, const FrameMotion& motion,
                   const FrameHandle& seen_from) {
  return with_motion(system, context, frame, seen_from, motion, true);
}

Context with_attitude(const System& system, const Context& context, const FrameHandle& frame, const Mat3& rotation,
                      const Vec3& angular_velocity, const FrameHandle& seen_from) {
  FrameMotion motion;
  motion.rotation = rotation;
  motion.angular_velocity = angular_velocity;
  return with_motion(system, context, frame, seen_from, motion, false);
}

double input_value(const System& system, const Context& context, int input) {
  view_of(system).check(context);
  if (input < 0 || input >= std::ssize(system.mechanism().inputs))
    throw std::invalid_argument("there is no such input");
  return context.inputs[static_cast<Eigen::Index>(input_values::kNumbers) * input];
}

Context with_input(const System& system, const Context& context, int input, double value) {
  view_of(system).check(context);
  const double within = input_values::admitted(system.mechanism(), input, value);
  State state = context;
  const auto index = static_cast<std::size_t>(input);
  input_values::set(system.mechanism().inputs[index], state.inputs, index, state.t, within);
  return set_anew(system, std::move(state));
}

double state_value(const System& system, const Context& context, int state) {
  const Eigen::Index place = place_of_state(system, context, state);
  return context.v[place] * system.mechanism().states[static_cast<std::size_t>(state)].scale;
}

Context with_state(const System& system, const Context& context, int state, double value) {
  const Eigen::Index place = place_of_state(system, context, state);
  if (!std::isfinite(value)) throw std::invalid_argument("a state must be a finite number");
  State changed = context;
  changed.v[place] = value / system.mechanism().states[static_cast<std::size_t>(state)].scale;
  return set_anew(system, std::move(changed));
}

Context carried_over(const System& from, const Context& context, const System& to) {
  const System::View &before = view_of(from), &after = view_of(to);
  before.check(context);
  if (before.origin() != after.origin()) {
    throw std::invalid_argument("'" + to.mechanism().name +
                                "' is in other coordinates: make its system like the one that this context is of");
  }
  State state = context;
  state.system = after.id();
  return set_anew(to, std::move(state));
}

}  // namespace cardan
