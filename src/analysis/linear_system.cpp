// Linearization about a state: independent coordinates z are scalars of the bodies' poses, chosen so that they tell all
// motions apart that the constraints allow. Every (z, z') near those of the state is a state near it: loops are closed,
// dependent velocities follow, and the equations of motion give z''. States s of the model come after z and z': their
// rates are the accelerations of the coordinates that stand for their integrals (formulation/signal_formulation.hpp).
#include <algorithm>
#include <array>
#include <stdexcept>

#include "analysis/dense_system.hpp"
#include "cardan/analysis.hpp"
#include "formulation/input_values.hpp"
#include "math/decomposition/decompositions.hpp"
#include "system/state_equations.hpp"

namespace cardan {
namespace {

class StateLinearizer {
 public:
  StateLinearizer(const System& system, const Context& context, const std::vector<int>& outputs)
      : view_(view_of(system)),
        state_(context),
        outputs_(outputs),
        work_(view_.evaluated(context)),
        scalars_(view_.scalars(*work_)) {
    refuse_velocity_constraints(view_.mechanism(), "linear systems");
    for (int output : outputs_) {
      if (output >= 0 && output < std::ssize(view_.compiled().observer->columns())) continue;
      throw std::invalid_argument("an output is no signal of this system; System::signal() gives them");
    }
    choose_coordinates();
  }

  LinearSystem run(const std::vector<CoordinateHandle>& inputs) {
    const int f = static_cast<int>(chosen_.size()), o = static_cast<int>(outputs_.size()), size = 2 * f + own_;
    const auto& names = view_.compiled().observer->columns();
    LinearSystem result;
    for (int c : chosen_) result.states.push_back(scalars_->entries()[c].name);
    for (int c : chosen_) result.states.push_back(scalars_->entries()[c].name + " rate");
    for (const StateVariable& state : view_.mechanism().states) result.states.push_back(state.name);
    for (int output : outputs_) result.outputs.push_back(names[output]);
    result.A.setZero(size, size);
    result.C.setZero(o, size);
    result.A.block(0, f, f, f).setIdentity();
    for (int i = 0; i < size; ++i) {
      const VecX derivative = derivative_of_state(i);
      result.A.col(i).tail(f + own_) = derivative.head(f + own_);
      result.C.col(i) = derivative.tail(o);
    }
    respond_to(inputs, result);
    follow_inputs(result);
    return result;
  }

 private:
  static constexpr double kJoints = 1, kBodies = 0.1;          // who is preferred as a coordinate
  static constexpr double kPosition = 1e-4, kVelocity = 1e-5;  // steps of differences: rad, sizes; by second
  static constexpr double kOwn = 1e-4;                         // of states and inputs, in their scales

  void choose_coordinates() {
    const StateEquations equations(view_, state_, *work_);
    const Eigen::MatrixXd Z = equations.free();
    const auto& entries = scalars_->entries();
    std::vector<int> all(entries.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    Eigen::MatrixXd rates = view_.gradients(*scalars_, all, state_, *work_) * Z;
    for (std::size_t i = 0; i < all.size(); ++i) {
      rates.row(static_cast<Eigen::Index>(i)) *= (entries[i].is_joint ? kJoints : kBodies) / unit(all[i]);
    }
    chosen_ = pivoted_columns(rates.transpose());
    own_ = view_.structure().states;
    chosen_.resize(static_cast<std::size_t>(Z.cols() - own_));
    std::sort(chosen_.begin(), chosen_.end());
    z_.resize(Z.cols() - own_);
    rate_.resize(z_.size());
    for (Eigen::Index i = 0; i < z_.size(); ++i) {
      z_[i] = scalars_->value(chosen_[i], state_, *work_);
      rate_[i] = scalars_->rate(chosen_[i], *work_);
    }
  }

  double unit(int scalar) const { return scalars_->entries()[scalar].is_length ? view_.compiled().length : 1; }

  double scale_of_state(int i) const { return view_.mechanism().states[static_cast<std::size_t>(i)].scale; }

  /// z'', s' and the outputs at a neighbour of the state, of which s and inputs are already changed.
  VecX at(State state, const VecX& z, const VecX& rate) {
    close(view_, ScalarGoal(*scalars_, chosen_, z, rate), state, *work_);
    state.acceleration = StateEquations(view_, state, *work_).accelerations({}).acceleration;
    return observe(state);
  }

  /// The same with the accelerations of the state, which the workspace holds, and these efforts beside the loads.
  VecX observe(const State& state, std::span<const AddedEffort> efforts = {}) {
    const auto f = static_cast<Eigen::Index>(chosen_.size()), o = static_cast<Eigen::Index>(outputs_.size());
    VecX result(f + own_ + o);
    view_.accelerate(state.acceleration, *work_);
    for (Eigen::Index i = 0; i < f; ++i) result[i] = scalars_->acceleration(chosen_[i], *work_);
    for (int i = 0; i < own_; ++i)
      result[f + i] = scale_of_state(i) * state.acceleration[state.acceleration.size() - own_ + i];
    if (o == 0) return result;
    const VecX row = view_.sample(state, efforts);
    for (Eigen::Index i = 0; i < o; ++i) result[f + own_ + i] = row[outputs_[i]];
    return result;
  }

  /// By f' = (45 (f1 - f-1) - 9 (f2 - f-2) + (f3 - f-3)) / (60 h) + O(h^6)
  VecX derivative_of_state(int index) {
    const auto f = static_cast<int>(chosen_.size());
    if (index >= 2 * f) {
      const int own = index - 2 * f;
      return derivative(kOwn * scale_of_state(own), [&](State& state, VecX&, VecX&, double change) {
        state.v[state.v.size() - own_ + own] += change / scale_of_state(own);
      });
    }
    const bool of_position = index < f;
    const int i = index % std::max(f, 1);
    return derivative((of_position ? kPosition : kVelocity) * unit(chosen_[i]),
                      [&](State&, VecX& z, VecX& rate, double change) { (of_position ? z : rate)[i] += change; });
  }

  template <class Move>
  VecX derivative(double h, const Move& move) {
    constexpr double weights[] = {45, -9, 1};
    VecX sum = VecX::Zero(static_cast<int>(chosen_.size()) + own_ + static_cast<int>(outputs_.size()));
    for (int k = 1; k <= 3; ++k) {
      VecX there[2];
      for (int side : {0, 1}) {
        State state = state_;
        VecX z = z_, rate = rate_;
        move(state, z, rate, (side == 0 ? 1 : -1) * k * h);
        there[side] = at(std::move(state), z, rate);
      }
      sum += weights[k - 1] / (60 * h) * (there[0] - there[1]);
    }
    return sum;
  }

  /// Inputs of the mechanism as signals see them: a lag before that is not part of the system.
  void follow_inputs(LinearSystem& result) {
    const std::vector<Input>& inputs = view_.mechanism().inputs;
    const auto f = static_cast<Eigen::Index>(chosen_.size()), o = static_cast<Eigen::Index>(outputs_.size());
    const Eigen::Index before = result.B.cols();
    result.B.conservativeResize(Eigen::NoChange, before + std::ssize(inputs));
    result.D.conservativeResize(Eigen::NoChange, before + std::ssize(inputs));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto first = static_cast<Eigen::Index>(input_values::kNumbers * i);
      const double size = std::max(1.0, std::abs(state_.inputs[first]));
      const VecX change = derivative(kOwn * size, [&](State& state, VecX&, VecX&, double change) {
        state.inputs[first] += change;
        state.inputs[first + 1] += change;
      });
      const Eigen::Index column = before + static_cast<Eigen::Index>(i);
      result.inputs.push_back(inputs[i].name);
      result.B.col(column).head(f).setZero();
      result.B.col(column).tail(f + own_) = change.head(f + own_);
      result.D.col(column) = change.tail(o);
    }
  }

  /// Accelerations are linear in efforts, and signals in accelerations.
  void respond_to(const std::vector<CoordinateHandle>& inputs, LinearSystem& result) {
    const auto f = static_cast<Eigen::Index>(chosen_.size()), o = static_cast<Eigen::Index>(outputs_.size());
    const auto count = static_cast<Eigen::Index>(inputs.size());
    result.B.setZero(2 * f + own_, count);
    result.D.setZero(o, count);
    view_.evaluate(state_, *work_);
    std::vector<int> which;
    for (const CoordinateHandle& input : inputs) {
      view_.check(input);
      which.push_back(input.index);
    }
    const Eigen::MatrixXd directions = view_.gradients(*scalars_, which, state_, *work_);
    const StateEquations equations(view_, state_, *work_);
    State state = state_;
    state.acceleration = equations.accelerations({}).acceleration;
    const VecX without = observe(state);
    for (Eigen::Index i = 0; i < count; ++i) {
      std::string name = scalars_->entries()[which[i]].name;
      result.inputs.push_back(name.replace(name.rfind(".q"), 2, ".effort"));
      state.acceleration = equations.accelerations(directions.row(i).transpose()).acceleration;
      view_.evaluate(state_, *work_);
      const VecX change = observe(state, std::array{AddedEffort{which[i], 1}}) - without;
      result.B.col(i).tail(f + own_) = change.head(f + own_);
      result.D.col(i) = change.tail(o);
    }
  }

  const System::View& view_;
  const State state_;
  const std::vector<int>& outputs_;
  System::View::Borrowed work_;
  std::unique_ptr<ScalarList> scalars_;
  std::vector<int> chosen_;
  VecX z_, rate_;
  int own_ = 0;  // states of the model
};

}  // namespace

LinearSystem linearize(const System& system, const Context& context, const std::vector<CoordinateHandle>& inputs,
                       const std::vector<int>& outputs) {
  std::vector<CoordinateHandle> efforts = inputs;
  if (efforts.empty()) {
    const Mechanism& mechanism = system.mechanism();
    for (const Actuator& a : mechanism.actuators) {
      efforts.push_back(system.coordinate(mechanism.joints[a.joint].name, a.coordinate + 1));
    }
  }
  return StateLinearizer(system, context, outputs).run(efforts);
}

}  // namespace cardan
