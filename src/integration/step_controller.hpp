// How long the next step may be, from the error of the last one as a multiple of what is allowed:
//     r = (nu / e)^(1/(p+1)) e_before^beta,   h_new = r h,   r within bounds
// beta = 0 is the elementary rule of docs/theory/variable-step.md; beta > 0 the smoother PI rule of Hairer and Wanner.
// And the loop that tries shorter and shorter steps. What it remembers from step to step is in Context::stepper: the
// next step, the last error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/integrator.hpp"

namespace cardan {

struct StepController {
  double exponent = 1.0 / 3;  // 1 / (p + 1)
  double safety = 0.9;        // nu
  double beta = 0;
  double shrink = 0.2, grow = 2;    // bounds of r
  double h_min = 0, h_max = 1e300;  // s
  int rejections_in_a_row = 50;     // so many mean failure

  double ratio(double error, double error_before = 1) const {
    const double e = std::max(error, 1e-10);
    return std::clamp(std::pow(safety / e, exponent - 0.75 * beta) * std::pow(std::max(error_before, 1e-4), beta),
                      shrink, grow);
  }
  double ratio_after_rejection(double error) const {
    return std::isfinite(error) ? std::clamp(std::pow(safety / error, exponent), shrink, 0.9) : shrink;
  }

  /// One step of at most h_most seconds from `before`. `try_step(h)` takes one into `state` and writes report.error;
  /// `retreat(status)` puts `state` and `before` back after a rejected one.
  template <class TryStep, class Retreat>
  StepStatus advance(State& state, const State& before, double h_most, StepReport& report, const TryStep& try_step,
                     const Retreat& retreat) const {
    double h = std::clamp(before.stepper[0], h_min, h_max);
    for (;;) {
      const bool cut = h >= h_most;
      if (cut) h = h_most;
      const StepStatus status = try_step(h);
      if (status == StepStatus::ok && report.error <= 1) {
        const double next = h * ratio(report.error, before.stepper[1]);
        state.stepper[0] = cut ? std::max(next, before.stepper[0]) : report.rejected > 0 ? std::min(next, h) : next;
        state.stepper[1] = std::max(report.error, 1e-4);
        return status;
      }
      if (!(report.error > 1)) report.error = std::numeric_limits<double>::infinity();
      retreat(status);
      ++report.rejected;
      if (report.rejected >= rejections_in_a_row) {
        report.refusal = "too many tries in a row were rejected";
      } else if (h <= h_min || before.t + 1e-3 * h == before.t) {
        report.refusal = "the shortest step allowed was reached";
      }
      if (report.refusal) return status == StepStatus::ok ? StepStatus::not_converged : status;
      h = std::max(h * ratio_after_rejection(report.error), h_min);
    }
  }
};

}  // namespace cardan
