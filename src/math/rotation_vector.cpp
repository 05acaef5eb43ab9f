#include "math/rotation_vector.hpp"

#include <cmath>

#include "math/by_processor.hpp"

namespace cardan {
namespace {

/// T = I + a theta~ + b theta~^2 with a = (1 - cos p)/p^2, b = (p - sin p)/p^3, p = |theta|; da = a'/p, db = b'/p.
struct Coefficients {
  double a, b, da, db;
};

Coefficients coefficients(double p2) {
  // Below half a radian the closed forms cancel; these series are exact to rounding there.
  if (p2 < 0.25) {
    return {0.5 - p2 / 24 * (1 - p2 / 30 * (1 - p2 / 56 * (1 - p2 / 90 * (1 - p2 / 132 * (1 - p2 / 182))))),
            1.0 / 6 - p2 / 120 * (1 - p2 / 42 * (1 - p2 / 72 * (1 - p2 / 110 * (1 - p2 / 156 * (1 - p2 / 210))))),
            -1.0 / 12 + p2 / 180 - p2 * p2 / 6720 + p2 * p2 * p2 / 453600 - p2 * p2 * p2 * p2 / 47900160,
            -1.0 / 60 + p2 / 1260 - p2 * p2 / 60480 + p2 * p2 * p2 / 4989600 - p2 * p2 * p2 * p2 / 622702080};
  }
  const double p = std::sqrt(p2), s = std::sin(p), c = std::cos(p);
  return {(1 - c) / p2, (p - s) / (p2 * p), (p * s - 2 * (1 - c)) / (p2 * p2),
          (p * (1 - c) - 3 * (p - s)) / (p2 * p2 * p)};
}

// I + a theta~ + b theta~^2, with theta~^2 = theta theta^T - p^2 I
Mat3 polynomial_in_skew(const Vec3& theta, double p2, double a, double b) {
  const Vec3 u = a * theta, w = b * theta;
  const double xy = w.x() * theta.y(), yz = w.y() * theta.z(), zx = w.z() * theta.x(), c = 1 - b * p2;
  Mat3 result;
  result << c + w.x() * theta.x(), xy - u.z(), zx + u.y(),  //
      xy + u.z(), c + w.y() * theta.y(), yz - u.x(),        //
      zx - u.y(), yz + u.x(), c + w.z() * theta.z();
  return result;
}

}  // namespace

Quat rotation_from_vector(const Vec3& theta) {
  const double half2 = theta.squaredNorm() / 4;
  const double half = std::sqrt(half2);
  const double sinc = half < 1e-4 ? 1 - half2 / 6 : std::sin(half) / half;
  Quat result;
  result.w() = std::cos(half);
  result.vec() = 0.5 * sinc * theta;
  return result;
}

Vec3 vector_from_rotation(const Mat3& rotation) {
  const Eigen::AngleAxisd turn(rotation);
  return turn.angle() * turn.axis();
}

Mat3 rotation_vector_tangent(const Vec3& theta) {
  const double p2 = theta.squaredNorm();
  const Coefficients k = coefficients(p2);
  return polynomial_in_skew(theta, p2, k.a, k.b);
}

// sin p / p = 1 - b p^2
[[gnu::flatten]] CARDAN_BY_PROCESSOR RotationAndTangent rotation_and_tangent(const Vec3& theta) {
  const double p2 = theta.squaredNorm();
  const Coefficients k = coefficients(p2);
  return {polynomial_in_skew(theta, p2, 1 - k.b * p2, k.a), polynomial_in_skew(theta, p2, k.a, k.b)};
}

[[gnu::flatten]] CARDAN_BY_PROCESSOR Vec3 rotation_vector_bias(const Vec3& theta, const Vec3& rate) {
  const Coefficients k = coefficients(theta.squaredNorm());
  const double pp = theta.dot(rate);  // p p'
  const Vec3 turn = theta.cross(rate);
  return k.da * pp * turn + k.db * pp * theta.cross(turn) + k.b * rate.cross(turn);
}

}  // namespace cardan
