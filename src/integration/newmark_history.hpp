// How accelerations and multipliers went on in the last steps, in State::stepper, so that a state that is restored goes
// on with the same bits. With x for both and divided differences over the ends of steps (Newton),
//     x[1] = (x_n - x_(n-1)) / h_n,   x[2] = (x[1] - x[1]_before) / (h_n + h_(n-1)),   ...
// a step of h seconds changes x, as far as a polynomial through the last ones goes, by
//     h x[1] + h (h + h_n) x[2] + h (h + h_n) (h + h_n + h_(n-1)) x[3]
// How many of these terms are worth taking is what the last step tells: as many as would have foretold it best. Of the
// multipliers that is another number: at singular positions they jump where accelerations do not.
#pragma once

#include <algorithm>
#include <array>

#include "formulation/equations.hpp"

namespace cardan {

class NewmarkHistory {
 public:
  static constexpr int kOrders = 3;

  /// From place `first` on in the stepper, which begins as zeros.
  NewmarkHistory(int first, const Structure& structure)
      : structure_(structure), first_(first), n_(structure.coordinates), size_(n_ + structure.constraints) {}
  int size() const { return kNumbers + kOrders * size_; }

  double last_step(const VecX& stepper) const { return stepper[first_ + kStep]; }
  /// x[1] of the accelerations; zero where it is not known.
  auto jerk(const VecX& stepper) const { return stepper.segment(first_ + kNumbers, n_); }

  struct Terms {
    int of_a = 0, of_lambda = 0;
    bool any() const { return of_a > 0 || of_lambda > 0; }
  };
  /// As the last step recommends.
  Terms terms(const VecX& stepper) const {
    return {static_cast<int>(stepper[first_ + kTerms]), static_cast<int>(stepper[first_ + kTermsOfLambda])};
  }

  /// Adds what so many terms say of a step of h seconds to what a and lambda change by.
  void foretell(const VecX& stepper, double h, const Terms& terms, VecX& a, VecX& lambda) const {
    const std::array<double, kOrders> weight = weights(stepper, h);
    const double* x = stepper.data() + first_ + kNumbers;
    for (int k = 0; k < known(stepper); ++k, x += size_) {
      if (k < terms.of_a)
        for (int i = 0; i < n_; ++i) a[i] += weight[k] * x[i];
      if (k < terms.of_lambda)
        for (int i = n_; i < size_; ++i) lambda[i - n_] += weight[k] * x[i];
    }
  }

  void forget(VecX& stepper) const { stepper.segment(first_, size()).setZero(); }

  /// A step of h seconds has changed a and lambda by so much.
  template <class Change, class ChangeOfLambda>
  void see(double h, const Change& a, const ChangeOfLambda& lambda, VecX& stepper) const {
    const std::array<double, kOrders> weight = weights(stepper, h);
    const std::array<double, kOrders> by{1 / weight[0], weight[0] / weight[1], weight[1] / weight[2]};
    const int count = known(stepper);
    double* const differences = stepper.data() + first_ + kNumbers;
    const auto see_one = [&](double left, double scale, int i, Left& sum) {
      double x = left * by[0];
      sum[0] += (left * scale) * (left * scale);
      for (int k = 0; k < kOrders; ++k) {
        double& difference = differences[k * size_ + i];
        left -= weight[k] * difference;
        sum[k + 1] += (left * scale) * (left * scale);
        const double change = x - difference;
        difference = x;
        if (k + 1 < kOrders) x = change * by[k + 1];
      }
    };
    Left of_a, of_lambda;
    for (int i = 0; i < n_; ++i) see_one(a[i], 1 / structure_.scale[i], i, of_a);
    for (int i = n_; i < size_; ++i) see_one(lambda[i - n_], structure_.constraint_scale[i - n_], i, of_lambda);
    stepper[first_ + kTerms] = best(of_a, count);
    stepper[first_ + kTermsOfLambda] = best(of_lambda, count);
    stepper[first_ + kKnown] = std::min(count + 1, kOrders);
    stepper[first_ + kBefore] = last_step(stepper);
    stepper[first_ + kStep] = h;
  }

 private:
  enum { kStep, kBefore, kKnown, kTerms, kTermsOfLambda, kNumbers };
  /// The square of what each number of terms would have left of the last step's change.
  struct Left : std::array<double, kOrders + 1> {
    Left() { fill(0); }
  };
  /// The square of what terms must leave at most to be taken.
  static constexpr double kWorth = 0.25;

  static int best(const Left& left, int count) {
    int result = 0;
    for (int k = 1; k <= count; ++k)
      if (left[k] < (result == 0 ? kWorth * left[0] : left[result])) result = k;
    return result;
  }
  int known(const VecX& stepper) const { return static_cast<int>(stepper[first_ + kKnown]); }
  /// h, h (h + h_n), h (h + h_n) (h + h_n + h_(n-1))
  std::array<double, kOrders> weights(const VecX& stepper, double h) const {
    const double second = h * (h + last_step(stepper));
    return {h, second, second * (h + last_step(stepper) + stepper[first_ + kBefore])};
  }

  const Structure& structure_;
  int first_, n_, size_;  // of a; of a and lambda together
};

}  // namespace cardan
