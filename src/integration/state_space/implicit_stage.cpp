#include "integration/state_space/implicit_stage.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {
constexpr double kNoiseOfIncrements = 1e-10;  // of the first one: those that stop shrinking there are rounding
}  // namespace

void ImplicitStage::resize(int f) {
  mass_ = damping_ = stiffness_ = matrix_ = Eigen::MatrixXd::Zero(f, f);
  lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(f);
  psi_ = increment_ = VecX::Zero(f);
}

void ImplicitStage::factorize(double b, double g) {
  matrix_ = mass_ + g * damping_ + b * stiffness_;
  lu_.compute(matrix_);
}

double ImplicitStage::norm(double b, double g, const ErrorUnits& units) {
  double largest = 0;
  for (Eigen::Index i = 0; i < increment_.size(); ++i) {
    const double size = std::abs(increment_[i]) * std::max(b / units.position[i], g / units.velocity[i]);
    if (!(size <= largest)) largest = size, worst_ = static_cast<int>(i);
  }
  return largest;
}

StepStatus ImplicitStage::solve(double t, const VecX& v_past, const VecX& rate_past, double b, double g,
                                const ErrorUnits& units, IndependentState& x) {
  if (psi_.size() == 0) {
    x.t = t;
    return motion_.position(t, x.v);
  }
  bool renew = !settings_.keep_jacobian || !valid_, fresh = false;
  int since_fresh = 0;
  double first = 0;
  if (!renew) factorize(b, g);
  std::fill_n(increments_, 3, 0.0);
  for (int i = 0;; ++i) {
    x.v = v_past + b * x.second;
    x.rate = rate_past + g * x.second;
    const StepStatus status = motion_.position(t, x.v);
    if (status != StepStatus::Ok) {
      valid_ = false;
      return status;
    }
    motion_.velocity(x.rate);
    motion_.dynamics();
    motion_.residual(x.second, psi_);
    if (renew) {
      motion_.tangents(mass_, damping_, stiffness_);
      factorize(b, g);
      valid_ = fresh = true;
      since_fresh = 0;
      rate_ = 1;
    }
    increment_ = lu_.solve(psi_);
    x.second -= increment_;
    ++iterations_;
    ++since_fresh;
    const double previous = increments_[0], size = norm(b, g, units);
    increments_[2] = increments_[1];
    increments_[1] = previous;
    increments_[0] = size;
    if (!std::isfinite(size)) {
      valid_ = false;
      return StepStatus::NonFinite;
    }
    // What is left after this increment: the next ones shrink at least as fast as the last did, in a first iteration
    // about as fast as those of the stages before (with a margin, as it is another stage: Hairer and Wanner II, IV.8).
    const double ratio = i > 0 ? size / previous : std::pow(rate_, 0.8);
    if (i > 0) rate_ = ratio;
    const double rest = ratio < 1 ? size * ratio / (1 - ratio) : size;
    if (i == 0) first = size;
    const bool at_rounding =
        i > 1 && ratio > 0.3 && size < std::max(10 * settings_.accuracy, kNoiseOfIncrements * first);
    const double trusted = i > 0 ? settings_.accuracy : settings_.first_accuracy * settings_.accuracy;
    if (size <= settings_.accuracy || rest <= trusted || at_rounding) break;
    const bool slow = i > 0 && ratio > settings_.slow;
    // Renewals count anew, so all iterations together are limited as well.
    const bool endless = since_fresh >= settings_.iteration_limit || i >= 3 * settings_.iteration_limit;
    if (endless || (i > 4 && ratio > 2 && fresh)) {
      valid_ = false;
      return StepStatus::NotConverged;
    }
    renew = !settings_.keep_jacobian || (slow && since_fresh > 1) || (!fresh && slow);
  }
  x.t = t;
  x.v = v_past + b * x.second;
  x.rate = rate_past + g * x.second;
  return StepStatus::Ok;
}

void ImplicitStage::apply_inverse(VecX& x) {
  increment_ = lu_.solve(x);
  x = increment_;
}

void ImplicitStage::recall(Eigen::Ref<const VecX> memory) {
  const Eigen::Index f = psi_.size();
  valid_ = memory[0] != 0;
  const double* from = memory.data() + 1;
  for (Eigen::MatrixXd* matrix : {&mass_, &damping_, &stiffness_}) {
    std::copy_n(from, f * f, matrix->data());
    from += f * f;
  }
}

void ImplicitStage::store(Eigen::Ref<VecX> memory) const {
  const Eigen::Index f = psi_.size();
  memory[0] = valid_ && settings_.keep_jacobian;
  double* to = memory.data() + 1;
  for (const Eigen::MatrixXd* matrix : {&mass_, &damping_, &stiffness_}) to = std::copy_n(matrix->data(), f * f, to);
}

}  // namespace cardan
