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
  matrix_ = make_stage_matrix(motion_, count_);
  part_ = VecX::Zero(f);
  psi_ = increment_ = guess_ = VecX::Zero(f * count_);
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
    if (renew) matrix_->renew(static_cast<int>(i));
  }
  return StepStatus::ok;
}

/// Newton's iteration, with what ends it in the order in which it is asked.
StepStatus ImplicitStages::solve(const Columns& v_past, const Columns& rate_past, const Eigen::MatrixXd& b,
                                 const Eigen::MatrixXd& g, const ErrorUnits& units, std::span<IndependentState> x) {
  const Eigen::Index f = part_.size();
  if (f == 0) return motion_.position(x.back().t, x.back().v);
  Course course;
  bool renew = !settings_.keep_jacobian || !valid_;
  if (!renew) matrix_->factorize(b, g);
  for (std::size_t k = 0; k < x.size(); ++k) guess_.segment(static_cast<Eigen::Index>(k) * f, f) = x[k].second;
  std::fill_n(increments_, 3, 0.0);
  for (;; ++course.count) {
    place(v_past, rate_past, b, g, x);
    const StepStatus status = find_residual(x, renew);
    if (status != StepStatus::ok) return given_up(status);
    if (renew) {
      matrix_->factorize(b, g);
      valid_ = course.fresh = true;
      course.since_fresh = 0;
    }
    matrix_->solve(psi_, increment_);
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k].second -= course.part * increment_.segment(static_cast<Eigen::Index>(k) * f, f);
    ++iterations_;
    ++course.since_fresh;
    if (!std::isfinite(see_increment(course, norm(b, g, units)))) return given_up(StepStatus::not_finite);
    if (has_converged(course, b, units)) break;
    if (is_lost(course)) return given_up(StepStatus::not_converged);
    // A Jacobian of another place led astray: from where it began, with one of its own.
    if (!course.fresh && course.count > 0 && course.ratio > 1) {
      for (std::size_t k = 0; k < x.size(); ++k) x[k].second = guess_.segment(static_cast<Eigen::Index>(k) * f, f);
      increments_[0] = 0;
    }
    const bool slow = course.count > 0 && course.ratio > settings_.slow;
    renew = !settings_.keep_jacobian || (slow && (course.since_fresh > 1 || !course.fresh || settings_.kinks));
  }
  // With a Jacobian of this stage increments shrink quadratically, which tells nothing of the next one.
  if (course.fresh)
    rate_ = 1;
  else if (course.slowest > 0)
    rate_ = course.slowest;
  place(v_past, rate_past, b, g, x);
  return StepStatus::ok;
}

StepStatus ImplicitStages::given_up(StepStatus why) {
  valid_ = false;
  return why;
}

/// Its size, in error units, and how much smaller than the last one it is: in a first iteration about as much as in the
/// stages before (with a margin, as it is another stage: Hairer and Wanner II, IV.8).
double ImplicitStages::see_increment(Course& course, double size) {
  const double previous = increments_[0];
  increments_[2] = increments_[1];
  increments_[1] = previous;
  increments_[0] = size;
  course.ratio = course.count > 0 ? size / previous : std::pow(rate_, 0.8);
  if (course.count > 0)
    course.slowest = std::max(course.slowest, course.ratio);
  else
    course.first = size;
  // Increments that do not shrink with a Jacobian of their place go to and fro over a kink: smaller ones do not.
  if (settings_.kinks && course.fresh && previous > 0)
    course.part = course.ratio > kToAndFro    ? std::max(course.part / 2, kSmallestPart)
                  : course.ratio < kShrinking ? std::min(2 * course.part, 1.0)
                                              : course.part;
  return size;
}

bool ImplicitStages::has_converged(const Course& course, const Eigen::MatrixXd& b, const ErrorUnits& units) const {
  const double size = increments_[0], ratio = course.ratio;
  // What is left after this increment: the next ones shrink at least as fast as the last did.
  const double rest = ratio < 1 ? size * ratio / (1 - ratio) : size;
  const double trusted = course.count > 0 ? settings_.accuracy : settings_.first_accuracy * settings_.accuracy;
  if (size <= settings_.accuracy || rest <= trusted) return true;
  if (course.count <= 1 || ratio <= 0.3) return false;
  // Increments with a Jacobian of this very place shrink, unless they are rounding of the positions.
  return size < std::max(10 * settings_.accuracy, kNoiseOfIncrements * course.first) ||
         (course.fresh && (course.since_fresh > 1 || settings_.kinks) && within_rounding(b, units));
}

bool ImplicitStages::is_lost(const Course& course) const {
  // Renewals count anew, so all iterations together are limited as well.
  return course.since_fresh >= settings_.iteration_limit || course.count >= 3 * settings_.iteration_limit ||
         (course.count > 4 && course.ratio > 2 && course.fresh && course.since_fresh > 1 && !settings_.kinks);
}

void ImplicitStages::recall(Eigen::Ref<const VecX> memory) {
  valid_ = memory[0] != 0;
  matrix_->recall(memory.data() + 1);
}

void ImplicitStages::store(Eigen::Ref<VecX> memory) const {
  memory[0] = valid_ && settings_.keep_jacobian;
  matrix_->store(memory.data() + 1);
}

}  // namespace cardan
