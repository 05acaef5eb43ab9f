// Linearization about a state: independent coordinates z are scalars of the bodies' poses, chosen so that they tell all
// motions apart that the constraints allow. Every (z, z') near those of the state is a state near it: loops are closed,
// dependent velocities follow, and the equations of motion give z''.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "cardan/analysis.hpp"
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
    for (int output : outputs_) {
      if (output >= 0 && output < std::ssize(view_.compiled().observer->columns())) continue;
      throw std::invalid_argument("an output is no signal of this system; System::signal() gives them");
    }
    choose_coordinates();
  }

  LinearSystem run(const std::vector<CoordinateHandle>& inputs) {
    const int f = static_cast<int>(chosen_.size()), o = static_cast<int>(outputs_.size());
    const auto& names = view_.compiled().observer->columns();
    LinearSystem result;
    for (int c : chosen_) result.states.push_back(scalars_->entries()[c].name);
    for (int c : chosen_) result.states.push_back(scalars_->entries()[c].name + " rate");
    for (int output : outputs_) result.outputs.push_back(names[output]);
    result.A.setZero(2 * f, 2 * f);
    result.C.setZero(o, 2 * f);
    result.A.topRightCorner(f, f).setIdentity();
    for (int i = 0; i < 2 * f; ++i) {
      const VecX derivative = derivative_of_state(i);
      result.A.col(i).tail(f) = derivative.head(f);
      result.C.col(i) = derivative.tail(o);
    }
    respond_to(inputs, result);
    return result;
  }

 private:
  static constexpr double kJoints = 1, kBodies = 0.1;          // who is preferred as a coordinate
  static constexpr double kPosition = 1e-4, kVelocity = 1e-5;  // steps of differences: rad, sizes; by second

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
    chosen_.resize(static_cast<std::size_t>(Z.cols()));
    std::sort(chosen_.begin(), chosen_.end());
    z_.resize(Z.cols());
    rate_.resize(Z.cols());
    for (Eigen::Index i = 0; i < Z.cols(); ++i) {
      z_[i] = scalars_->value(chosen_[i], state_, *work_);
      rate_[i] = scalars_->rate(chosen_[i], *work_);
    }
  }

  double unit(int scalar) const { return scalars_->entries()[scalar].is_length ? view_.compiled().length : 1; }

  /// z'' and the outputs at a neighbour of the state.
  VecX at(const VecX& z, const VecX& rate) {
    State state = state_;
    Closing(view_, *scalars_, chosen_).close(state, z, rate, *work_);
    state.acceleration = StateEquations(view_, state, *work_).accelerations({}).acceleration;
    return observe(state);
  }

  /// The same with the accelerations of the state, which the workspace holds, and these efforts beside the loads.
  VecX observe(const State& state, std::span<const AddedEffort> efforts = {}) {
    const auto f = static_cast<Eigen::Index>(chosen_.size()), o = static_cast<Eigen::Index>(outputs_.size());
    VecX result(f + o);
    view_.accelerate(state.acceleration, *work_);
    for (Eigen::Index i = 0; i < f; ++i) result[i] = scalars_->acceleration(chosen_[i], *work_);
    if (o == 0) return result;
    const VecX row = view_.sample(state, efforts);
    for (Eigen::Index i = 0; i < o; ++i) result[f + i] = row[outputs_[i]];
    return result;
  }

  /// By f' = (45 (f1 - f-1) - 9 (f2 - f-2) + (f3 - f-3)) / (60 h) + O(h^6)
  VecX derivative_of_state(int index) {
    constexpr double weights[] = {45, -9, 1};
    const auto f = static_cast<int>(chosen_.size());
    const bool of_position = index < f;
    const int i = index % std::max(f, 1);
    const double h = (of_position ? kPosition : kVelocity) * unit(chosen_[i]);
    VecX sum = VecX::Zero(f + static_cast<int>(outputs_.size()));
    for (int k = 1; k <= 3; ++k) {
      VecX there[2];
      for (int side : {0, 1}) {
        VecX z = z_, rate = rate_;
        (of_position ? z : rate)[i] += (side == 0 ? 1 : -1) * k * h;
        there[side] = at(z, rate);
      }
      sum += weights[k - 1] / (60 * h) * (there[0] - there[1]);
    }
    return sum;
  }

  /// Accelerations are linear in efforts, and signals in accelerations.
  void respond_to(const std::vector<CoordinateHandle>& inputs, LinearSystem& result) {
    const auto f = static_cast<Eigen::Index>(chosen_.size()), o = static_cast<Eigen::Index>(outputs_.size());
    const auto count = static_cast<Eigen::Index>(inputs.size());
    result.B.setZero(2 * f, count);
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
      result.B.col(i).tail(f) = change.head(f);
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
