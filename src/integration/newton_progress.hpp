// When Newton's iteration within a step has come to its end, by the norms of its increments and what is left of the
// constraints.
#pragma once

#include <algorithm>

namespace cardan {

struct NewtonProgress {
  /// Of the rate at which increments shrink.
  static constexpr double kMargin = 10;
  /// Increments, relative to the scales of the coordinates, that change nothing.
  static constexpr double kStandstill = 1e-15;
  /// Violation of the constraints, relative to their scales, below which positions are on them.
  static constexpr double kOpenConstraint = 1e-9;
  /// Increments that stand still so many times are accepted, if they and what is left of the constraints are below
  /// these.
  static constexpr int kPatience = 5;
  static constexpr double kStagnatedIncrement = 1e-3, kStagnatedConstraint = 1e-4;
  /// A tangent is kept where increments are so small, and as long as they shrink by this.
  static constexpr double kSmall = 1e-2, kGoodRate = 0.1;

  double first = 0, now = 0, previous = 0, best = 0;
  double rate = 1;         // of the last two increments; 1 where there is but one
  int slow = 0;            // so many in a row stood still
  bool small = false;      // the last one is as small as asked for
  double of_states = 0;    // the last one, of states themselves in units of their scales
  double part = 1;         // of the last one that was taken
  bool shortened = false;  // the last one was, and is looked at again

  /// The next increment; `count`: of them.
  void see(double increment, int count) {
    now = increment;
    rate = count > 1 && previous > 0 ? std::min(now / previous, 1.0) : 1;
  }
  /// Of the increment that comes next, a bound. The increments shrink by `rate`, so the first of those not taken is
  /// rate times the last, with a margin.
  double next(int count) const { return std::min(count > 1 && previous > 0 ? kMargin * now / previous : 1, 1.0) * now; }
  /// Automatic: far below the local truncation error, of which the first increment is a measure.
  bool is_small(int count) const { return next(count) <= std::min(1e-3 * first, 1e-7); }
  /// After `small` has been found. Near a singular position the multipliers are not unique and the increments stop
  /// shrinking. At rounding they go up and down; so both the last and the best count.
  void note(int count) {
    slow = count > 1 && (now > 0.5 * std::min(previous, best) || now <= kStandstill) ? slow + 1 : 0;
    previous = now;
    best = count == 1 ? now : std::min(best, now);
  }
  /// Near its end an iteration moves positions by so little that its tangent hardly changes: increments shrink at the
  /// rate that what it leaves out allows. Where they do not, it is made anew.
  bool keeps_tangent(int count) const { return slow == 0 && now < kSmall && (count == 1 || rate < kGoodRate); }
  /// Whether these increments end the iteration if the constraints do not object; `budget`: of iterations, or 0.
  bool may_end(int count, int budget, int patience) const {
    if (budget > 0) return count >= budget;
    return small || (slow >= patience && now < kStagnatedIncrement);
  }
  /// `phi`: the largest violation of a constraint; `with_tolerance`: increments are judged by a given one.
  bool is_converged(double phi, bool with_tolerance) const {
    return small && (with_tolerance || phi <= kOpenConstraint);
  }
  bool is_stuck(int count, int budget, int patience, double phi) const {
    return may_end(count, budget, patience) && slow >= patience && phi < kStagnatedConstraint &&
           of_states < kStagnatedIncrement;
  }
};

}  // namespace cardan
