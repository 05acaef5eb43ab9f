#include "integration/state_space/implicit_stages.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {
constexpr double kNoiseOfIncrements = 1e-10;         // of the first one: those that stop shrinking there are rounding
constexpr double kToAndFro = 0.9, kShrinking = 0.6;  // ratios of increments: above, below
constexpr double kSmallestPart = 0.125;
}  // namespace

void ImplicitStages::resize(int f) {
  const int size = f * static_cast<int>(tangents_.size());
  for (Tangents& t : tangents_) t.mass = t.damping = t.stiffness = Eigen::MatrixXd::Zero(f, f);
  matrix_ = Eigen::MatrixXd::Zero(size, size);
  lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(size);
  part_ = VecX::Zero(f);
  psi_ = increment_ = guess_ = VecX::Zero(size);
}

void ImplicitStages::factorize(const Eigen::MatrixXd& b, const Eigen::MatrixXd& g) {
  const Eigen::Index f = part_.size();
  for (Eigen::Index i = 0; i < b.rows(); ++i) {
    const auto& [mass, damping, stiffness] = tangents_[i];
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      auto block = matrix_.block(i * f, j * f, f, f);
      if (i == j) {
        block = mass + g(i, j) * damping + b(i, j) * stiffness;
      } else {
        block = g(i, j) * damping + b(i, j) * stiffness;
      }
    }
  }
  lu_.compute(matrix_);
}

/// The largest change of a coordinate or velocity in any stage.
double ImplicitStages::norm(const Eigen::MatrixXd& b, const Eigen::MatrixXd& g, const ErrorUnits& units) {
  const Eigen::Index f = part_.size();
  double largest = 0;
  for (Eigen::Index j = 0; j < b.cols(); ++j) {
    const double in_position = b.col(j).cwiseAbs().maxCoeff(), in_velocity = g.col(j).cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < f; ++i) {
      const double change =
          std::abs(increment_[j * f + i]) * std::max(in_position / units.position[i], in_velocity / units.velocity[i]);
      if (!(change <= largest)) largest = change, worst_ = static_cast<int>(i);
    }
  }
  return largest;
}

/// Whether the last increment moves no coordinate further than rounding does.
bool ImplicitStages::within_rounding(const Eigen::MatrixXd& b, const ErrorUnits& units) const {
  const Eigen::Index f = part_.size();
  for (Eigen::Index j = 0; j < b.cols(); ++j) {
    const double in_position = b.col(j).cwiseAbs().maxCoeff();
    if (((in_position * increment_.segment(j * f, f)).array().abs() > units.rounding.array()).any()) return false;
  }
  return true;
}

/// v and v' of the stages from their v''.
void ImplicitStages::place(const Columns& v_past, const Columns& rate_past, const Eigen::MatrixXd& b,
                           const Eigen::MatrixXd& g, std::span<IndependentState> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    x[i].v = v_past.col(row) + b(row, 0) * x[0].second;
    x[i].rate = rate_past.col(row) + g(row, 0) * x[0].second;
    for (std::size_t j = 1; j < x.size(); ++j) {
      x[i].v += b(row, static_cast<Eigen::Index>(j)) * x[j].second;
      x[i].rate += g(row, static_cast<Eigen::Index>(j)) * x[j].second;
    }
  }
}

/// Psi, and the tangents if they are to be renewed.
StepStatus ImplicitStages::find_residual(std::span<IndependentState> x, bool renew) {
  const Eigen::Index f = part_.size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const StepStatus status = motion_.position(x[i].t, x[i].v);
    if (status != StepStatus::ok) return status;
    motion_.velocity(x[i].rate);
    motion_.dynamics();
    motion_.residual(x[i].second, part_);
    psi_.segment(static_cast<Eigen::Index>(i) * f, f) = part_;
    if (renew) motion_.tangents(tangents_[i].mass, tangents_[i].damping, tangents_[i].stiffness);
  }
  return StepStatus::ok;
}

/// Newton's iteration, with what ends it in the order in which it is asked.
StepStatus ImplicitStages::solve(const Columns& v_past, const Columns& rate_past, const Eigen::MatrixXd& b,
                                 const Eigen::MatrixXd& g, const ErrorUnits& units, std::span<IndependentState> x) {
  const Eigen::Index f = part_.size();
  if (f == 0) return motion_.position(x.back().t, x.back().v);
  bool renew = !settings_.keep_jacobian || !valid_, fresh = false;
  int since_fresh = 0;
  double first = 0, slowest = 0;
  double part = 1;  // of an increment that is taken
  if (!renew) factorize(b, g);
  for (std::size_t k = 0; k < x.size(); ++k) guess_.segment(static_cast<Eigen::Index>(k) * f, f) = x[k].second;
  std::fill_n(increments_, 3, 0.0);
  for (int i = 0;; ++i) {
    place(v_past, rate_past, b, g, x);
    const StepStatus status = find_residual(x, renew);
    if (status != StepStatus::ok) {
      valid_ = false;
      return status;
    }
    if (renew) {
      factorize(b, g);
      valid_ = fresh = true;
      since_fresh = 0;
    }
    increment_ = lu_.solve(psi_);
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k].second -= part * increment_.segment(static_cast<Eigen::Index>(k) * f, f);
    ++iterations_;
    ++since_fresh;
    const double previous = increments_[0], size = norm(b, g, units);
    increments_[2] = increments_[1];
    increments_[1] = previous;
    increments_[0] = size;
    if (!std::isfinite(size)) {
      valid_ = false;
      return StepStatus::not_finite;
    }
    // What is left after this increment: the next ones shrink at least as fast as the last did, in a first iteration
    // about as fast as those of the stages before (with a margin, as it is another stage: Hairer and Wanner II, IV.8).
    const double ratio = i > 0 ? size / previous : std::pow(rate_, 0.8);
    if (i > 0) slowest = std::max(slowest, ratio);
    // Increments that do not shrink with a Jacobian of their place go to and fro over a kink: smaller ones do not.
    if (settings_.kinks && fresh && previous > 0)
      part = ratio > kToAndFro    ? std::max(part / 2, kSmallestPart)
             : ratio < kShrinking ? std::min(2 * part, 1.0)
                                  : part;
    const double rest = ratio < 1 ? size * ratio / (1 - ratio) : size;
    if (i == 0) first = size;
    // Increments with a Jacobian of this very place shrink, unless they are rounding of the positions.
    const bool small = size < std::max(10 * settings_.accuracy, kNoiseOfIncrements * first) ||
                       (fresh && (since_fresh > 1 || (settings_.kinks && i > 0)) && within_rounding(b, units));
    const bool at_rounding = i > 1 && ratio > 0.3 && small;
    const double trusted = i > 0 ? settings_.accuracy : settings_.first_accuracy * settings_.accuracy;
    if (size <= settings_.accuracy || rest <= trusted || at_rounding) break;
    const bool slow = i > 0 && ratio > settings_.slow;
    // Renewals count anew, so all iterations together are limited as well.
    const bool endless = since_fresh >= settings_.iteration_limit || i >= 3 * settings_.iteration_limit;
    if (endless || (i > 4 && ratio > 2 && fresh && since_fresh > 1 && !settings_.kinks)) {
      valid_ = false;
      return StepStatus::not_converged;
    }
    // A Jacobian of another place led astray: from where it began, with one of its own.
    if (!fresh && i > 0 && ratio > 1) {
      for (std::size_t k = 0; k < x.size(); ++k) x[k].second = guess_.segment(static_cast<Eigen::Index>(k) * f, f);
      increments_[0] = 0;
    }
    renew = !settings_.keep_jacobian || (slow && (since_fresh > 1 || !fresh || settings_.kinks));
  }
  // With a Jacobian of this stage increments shrink quadratically, which tells nothing of the next one.
  if (fresh)
    rate_ = 1;
  else if (slowest > 0)
    rate_ = slowest;
  place(v_past, rate_past, b, g, x);
  return StepStatus::ok;
}

void ImplicitStages::apply_inverse(VecX& x) {
  increment_ = lu_.solve(x);
  x = increment_;
}

void ImplicitStages::recall(Eigen::Ref<const VecX> memory) {
  valid_ = memory[0] != 0;
  const double* from = memory.data() + 1;
  for (Tangents& t : tangents_) {
    for (Eigen::MatrixXd* matrix : {&t.mass, &t.damping, &t.stiffness}) {
      std::copy_n(from, matrix->size(), matrix->data());
      from += matrix->size();
    }
  }
}

void ImplicitStages::store(Eigen::Ref<VecX> memory) const {
  memory[0] = valid_ && settings_.keep_jacobian;
  double* to = memory.data() + 1;
  for (const Tangents& t : tangents_) {
    for (const Eigen::MatrixXd* matrix : {&t.mass, &t.damping, &t.stiffness}) {
      to = std::copy_n(matrix->data(), matrix->size(), to);
    }
  }
}

}  // namespace cardan
