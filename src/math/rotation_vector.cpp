#include "math/rotation_vector.hpp"

#include <array>
#include <cmath>

#include "math/by_processor.hpp"

namespace cardan {
namespace {

/// T = I + a theta~ + b theta~^2 with a = (1 - cos p)/p^2, b = (p - sin p)/p^3, p = |theta|; da = a'/p, db = b'/p.
struct Coefficients {
  double a, b, da, db;
};

/// 1 / (N + 2 i)!
template <int N>
constexpr std::array<double, 7> kInverseFactorials = [] {
  std::array<double, 7> result{};
  double factorial = 1;
  for (int n = 2; n < N; ++n) factorial *= n;
  for (int i = 0; i < 7; ++i) {
    factorial *= i == 0 ? N : (N + 2 * i - 1) * (N + 2 * i);
    result[i] = 1 / factorial;
  }
  return result;
}();
/// The sum of (-x)^i / (N + 2 i)! from i = 0, which is a for N = 2 and b for N = 3.
template <int N>
double series(double x) {
  double sum = 0;
  for (int i = 6; i >= 0; --i) sum = kInverseFactorials<N>[i] - x * sum;
  return sum;
}
/// Their derivatives by p, over p.
template <int N>
double series_slope(double x) {
  double sum = 0;
  for (int i = 6; i >= 1; --i) sum = 2 * i * kInverseFactorials<N>[i] - x * sum;
  return -sum;
}

Coefficients coefficients(double p2) {
  // Below half a radian the closed forms cancel; these series are exact to rounding there.
  if (p2 < 0.25) {
    return {series<2>(p2), series<3>(p2), series_slope<2>(p2), series_slope<3>(p2)};
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
