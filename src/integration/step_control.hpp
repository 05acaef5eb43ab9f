// Step control by an error estimate d (the paper's Eqs. 21 and 22): err = max |d_i| / e_i, e_i = Atol + max(|y0|, |y1|)
// Rtol, velocities ten times looser, h_new = fac h (1/err)^(1/order of d).
#pragma once

#include <algorithm>
#include <cmath>

#include "cardan/math.hpp"

namespace cardan {

struct StepControl {
  double absolute = 1e-6, relative = 1e-6;  // of positions
  double velocity_factor = 10;              // by which velocities are looser
  double safety = 0.85;
  double most = 5, least = 0.2;  // change of the step from one to the next

  /// e_i
  void units(const VecX& y0, const VecX& y1, double factor, VecX& e) const {
    e = factor * (absolute + relative * y0.array().abs().max(y1.array().abs()));
  }
  /// h_new / h
  double change(double err, int order) const {
    return err > 0 ? std::clamp(safety * std::pow(1 / err, 1.0 / order), least, most) : most;
  }
};

}  // namespace cardan
