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
    const double distance = body_distance(row + at, between(before + at, after + at, s, h));
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

void ReferenceMotion::half_way(const double* before, const double* after, std::vector<double>& row) const {
  row.assign(stride_, 0);
  row[0] = 0.5 * (before[0] + after[0]);
  for (std::size_t b = 0; b < bodies_; ++b) {
    const std::size_t at = 1 + b * width_;
    const Pose pose = between(before + at, after + at, 0.5, after[0] - before[0]);
    std::copy_n(pose.begin(), planar_ ? 3 : 7, row.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

/// Columns are x y angle vx vy w, or x y z qw qx qy qz vx vy vz wx wy wz.
ReferenceMotion::Pose ReferenceMotion::between(const double* before, const double* after, double s, double h) const {
  Pose pose{};
  const int places = 3, rates = planar_ ? 3 : 7;  // where the rates of the first three begin
  for (int i = 0; i < places; ++i)
    pose[static_cast<std::size_t>(i)] = hermite(before[i], before[rates + i], after[i], after[rates + i], s, h);
  if (planar_) return pose;
  const Eigen::Vector4d rate0 = quaternion_rate(before + 3, before + 10),
                        rate1 = quaternion_rate(after + 3, after + 10);
  Eigen::Map<Eigen::Vector4d> turn(pose.data() + 3);
  for (int i = 0; i < 4; ++i) turn[i] = hermite(before[3 + i], rate0[i], after[3 + i], rate1[i], s, h);
  turn.normalize();
  return pose;
}

double ReferenceMotion::body_distance(const double* body, const Pose& expected) const {
  const Vec3 off(body[0] - expected[0], body[1] - expected[1], body[2] - expected[2]);
  if (planar_) return std::max(std::hypot(off.x(), off.y()) / size_, std::abs(off.z()));
  const Eigen::Map<const Eigen::Vector4d> given(body + 3), turn(expected.data() + 3);
  const double half = std::min((given - turn).norm(), (given + turn).norm());  // of unit quaternions: 2 sin(angle / 4)
  return std::max(off.norm() / size_, 4 * std::asin(std::min(1.0, half / 2)));
}

void DistanceMeter::sample(const double* row, std::size_t size) {
  if (ends_of_steps_) {
    if (!before_.empty()) {
      reference_.half_way(before_.data(), row, middle_);
      see(middle_.data());
    }
    before_.assign(row, row + size);
  }
  see(row);
}

void DistanceMeter::see(const double* row) {
  const double here = reference_.distance(row);
  if (here > largest_ || std::isnan(here)) largest_ = here;
}

}  // namespace cardan
