#include "reference_motion.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {

double size_of(const Mechanism& mechanism) {
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
  const auto see = [&](const Vec3& p) { low = low.cwiseMin(p), high = high.cwiseMax(p); };
  for (const Body& body : mechanism.bodies) see(body.center);
  for (const Joint& joint : mechanism.joints) see(joint.frame1.origin), see(joint.frame2.origin);
  const double size = (high - low).norm();
  return size > 0 && std::isfinite(size) ? size : 1;
}

/// The cubic with these values and derivatives at the ends of an interval of length h, at the fraction s.
double hermite(double x0, double v0, double x1, double v1, double s, double h) {
  const double r = 1 - s;
  return r * r * ((1 + 2 * s) * x0 + s * h * v0) + s * s * ((3 - 2 * s) * x1 - r * h * v1);
}

/// q' of a quaternion (w, x, y, z) at the angular velocity w in inertial axes: half of (0, w) q.
Eigen::Vector4d quaternion_rate(const double* q, const double* w) {
  const Vec3 vector(q[1], q[2], q[3]), omega(w[0], w[1], w[2]);
  Eigen::Vector4d rate;
  rate << -0.5 * omega.dot(vector), 0.5 * (q[0] * omega + omega.cross(vector));
  return rate;
}

}  // namespace

ReferenceMotion::ReferenceMotion(const Mechanism& mechanism)
    : planar_(mechanism.planar),
      bodies_(mechanism.bodies.size()),
      width_(planar_ ? 6 : 13),
      stride_(1 + bodies_ * width_),
      size_(size_of(mechanism)) {}

void ReferenceMotion::sample(const double* row, std::size_t) { rows_.insert(rows_.end(), row, row + stride_); }

double ReferenceMotion::distance(const double* row) const {
  const std::size_t count = rows_.size() / stride_;
  if (count < 2) return std::nan("");
  // The last kept row that is not later, so that the interval holds the time.
  std::size_t low = 0, high = count - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (rows_[middle * stride_] <= row[0] ? low : high) = middle;
  }
  const double *before = rows_.data() + low * stride_, *after = before + stride_;
  const double h = after[0] - before[0], s = std::clamp((row[0] - before[0]) / h, 0.0, 1.0);
  double largest = 0;
  for (std::size_t b = 0; b < bodies_; ++b) {
    const std::size_t at = 1 + b * width_;
    const double distance = body_distance(row + at, before + at, after + at, s, h);
    if (!(distance <= largest)) largest = distance;
  }
  return largest;
}

double ReferenceMotion::largest_distance(const ReferenceMotion& other) const {
  double largest = 0;
  for (std::size_t at = 0; at < other.rows_.size(); at += stride_) {
    const double here = distance(other.rows_.data() + at);
    if (!(here <= largest)) largest = here;
  }
  return largest;
}

double ReferenceMotion::body_distance(const double* body, const double* before, const double* after, double s,
                                      double h) const {
  if (planar_) {  // x y angle vx vy w
    double difference[3];
    for (int i = 0; i < 3; ++i)
      difference[i] = body[i] - hermite(before[i], before[3 + i], after[i], after[3 + i], s, h);
    return std::max(std::hypot(difference[0], difference[1]) / size_, std::abs(difference[2]));
  }
  // x y z qw qx qy qz vx vy vz wx wy wz
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = body[i] - hermite(before[i], before[7 + i], after[i], after[7 + i], s, h);
    square += d * d;
  }
  const Eigen::Vector4d rate0 = quaternion_rate(before + 3, before + 10),
                        rate1 = quaternion_rate(after + 3, after + 10);
  Eigen::Vector4d expected, given;
  for (int i = 0; i < 4; ++i) {
    expected[i] = hermite(before[3 + i], rate0[i], after[3 + i], rate1[i], s, h);
    given[i] = body[3 + i];
  }
  expected.normalize();
  const double half =
      std::min((given - expected).norm(), (given + expected).norm());  // of two unit quaternions: 2 sin(angle / 4)
  return std::max(std::sqrt(square) / size_, 4 * std::asin(std::min(1.0, half / 2)));
}

}  // namespace cardan
