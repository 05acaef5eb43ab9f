// How long the next step may be, from the error of the last one as a multiple of what is allowed:
//     r = (nu / e)^(1/(p+1)) e_before^beta,   h_new = r h,   r within bounds
// beta = 0 is the elementary rule of THEORY section 3; beta > 0 the smoother PI rule of Hairer and Wanner.
#pragma once

#include <algorithm>
#include <cmath>

namespace cardan {

struct StepController {
  double exponent = 1.0 / 3;        // 1 / (p + 1)
  double safety = 0.9;              // nu
  double beta = 0;
  double shrink = 0.2, grow = 2;    // bounds of r
  double h_min = 0, h_max = 1e300;  // s
  int rejections_in_a_row = 50;     // more mean failure

  double ratio(double error, double error_before) const {
    if (!(error < 1e300)) return shrink;
    const double e = std::max(error, 1e-10);
    return std::clamp(std::pow(safety / e, exponent - 0.75 * beta) * std::pow(std::max(error_before, 1e-4), beta), shrink, grow);
  }
  double ratio_after_rejection(double error) const {
    if (!(error < 1e300)) return shrink;
    return std::clamp(std::pow(safety / error, exponent), shrink, 0.9);
  }
};

}  // namespace cardan
