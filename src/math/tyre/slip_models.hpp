// Forces of a tyre from load, slip and camber, for any scalar type: the linear model with a limit, and the Calspan
// formulas with longitudinal slip by similarity. Signs: kappa = -v_sx/|v_x| pushes forward where it is positive,
// side = v_sy/|v_x| = tan(alpha) pushes against y; x forward, y to the left, z up from the road.
#pragma once

#include "math/dual.hpp"

namespace cardan {

template <class T>
struct TyreSlip {
  T load, kappa, side, camber;  // N, 1, 1, rad
};

template <class T>
struct TyreForces {
  T forward = T(0), left = T(0);  // N
  T aligning = T(0);              // about the normal, when it rolls forward; N m
};

/// sqrt(x^2 + y^2) with a derivative at 0 too.
template <class T>
T smooth_norm(const T& x, const T& y) {
  using std::sqrt;
  return sqrt(x * x + y * y + T(1e-24));
}

/// F = C slip, straight up to (1 - d) mu N, rounded off, mu N from (1 + d) mu N on: in both directions by similarity.
struct LinearSlip {
  double longitudinal = 0, cornering = 0;  // stiffnesses N, N/rad
  double friction = 1;
  double trail = 0;                     // of the side force behind the contact, at small slip; m
  double sigma_x = 0.3, sigma_y = 0.3;  // relaxation lengths, m

  static constexpr double kRounding = 0.5;  // d

  /// Slips from where on the force grows no more.
  template <class T>
  T limit_x(const TyreSlip<T>& at) const {
    return T((1 + kRounding) * friction / longitudinal) * at.load;
  }
  template <class T>
  T limit_y(const TyreSlip<T>& at) const {
    return T((1 + kRounding) * friction / cornering) * at.load;
  }
  template <class T>
  TyreForces<T> forces(const TyreSlip<T>& at) const {
    const T most = T(friction) * at.load;
    const T x = T(longitudinal) * at.kappa / most, y = T(cornering) * at.side / most;
    const T size = smooth_norm(x, y);
    TyreForces<T> result;
    const T part = most * limited(size);
    result.forward = part * x;
    result.left = -part * y;
    const T left_over = T(1) - size * T(1 / (1 + kRounding));
    if (value_of(left_over) > 0) result.aligning = T(-trail) * left_over * result.left;
    return result;
  }

 private:
  /// Force over mu N, divided by x.
  template <class T>
  static T limited(const T& x) {
    constexpr double d = kRounding;
    if (value_of(x) <= 1 - d) return T(1);
    if (value_of(x) >= 1 + d) return T(1) / x;
    const T rest = T(1 + d) - x;
    return (T(1) - rest * rest * T(1 / (4 * d))) / x;
  }
};

/// The formulas stand at CalspanTyre; longitudinal slip counts as slip angle times `ratio`:
///     s_x = ratio C_alpha kappa / (mu N),   s_y = (C_alpha alpha + C_gamma gamma) / (mu N),   F = mu N g(|s|)/|s|
///     (s_x, -s_y)
struct CalspanSlip {
  double a0 = 0, a1 = 0, a2 = 1, a3 = 0, a4 = 1, b1 = 0, b3 = 1, b4 = 0, skid = 1, m1 = 0, m2 = 0;
  double ratio = 1;
  double sigma_x = 0.3, sigma_y = 0.3;  // m

  template <class T>
  T limit_x(const TyreSlip<T>& at) const {
    return limit_y(at) * T(1 / ratio);
  }
  template <class T>
  T limit_y(const TyreSlip<T>& at) const {
    const T most = limit(at.load), stiffness = by_slip(at.load), least = T(0.03) * most;
    return T(3) * most / (value_of(stiffness) > value_of(least) ? stiffness : least);
  }
  template <class T>
  TyreForces<T> forces(const TyreSlip<T>& at) const {
    using std::abs;
    using std::atan;
    const T most = limit(at.load), F = below(at.load);
    const T by_camber = T(a3) * F - T(a3 / a4) * F * F;
    const T x = T(ratio) * by_slip(at.load) * at.kappa / most;
    const T y = (by_slip(at.load) * atan(at.side) + by_camber * at.camber) / most;
    const T s = smooth_norm(x, y);
    const T part = most * (value_of(s) < 3 ? T(1) - s * T(1.0 / 3) + s * s * T(1.0 / 27) : T(1) / s);
    TyreForces<T> result;
    result.forward = part * x;
    result.left = -part * y;
    result.aligning = (T(m1) * at.load + T(m2) * abs(result.left)) * result.left;
    return result;
  }

 private:
  template <class T>
  T below(const T& load) const {
    return value_of(load) < a2 ? load : T(a2);
  }
  template <class T>
  T by_slip(const T& load) const {
    const T F = below(load);
    return T(a0) + T(a1) * F - T(a1 / a2) * F * F;
  }
  template <class T>
  T limit(const T& load) const {
    const T mu = T(skid) * (T(b1) * load + T(b3) + T(b4) * load * load);
    return (value_of(mu) > kLeast ? mu : T(kLeast)) * load;
  }
  static constexpr double kLeast = 1e-3;  // friction, where the formula would give none
};

}  // namespace cardan
