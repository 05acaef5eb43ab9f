#include "mechanism/frames.hpp"

#include <cmath>

namespace cardan {

namespace {

Mat3 cross_matrix(const Vec3& v) {
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

// Rounding leaves the columns of a rotation slightly oblique; column `kept` is taken as exact.
Mat3 orthonormalized(const Mat3& r, int kept, const Vec3& value) {
  Mat3 result;
  const int second = (kept + 1) % 3, third = (kept + 2) % 3;
  result.col(kept) = value;
  result.col(second) = (r.col(second) - value * value.dot(r.col(second))).normalized();
  result.col(third) = value.cross(Vec3(result.col(second)));
  return result;
}

}  // namespace

std::optional<Vec3> inertial_axis(std::string_view name) {
  const bool against = name.size() == 2 && name.front() == '-';
  const std::size_t i = std::string_view("xyz").find(against ? name.substr(1) : name);
  if (name.size() != (against ? 2U : 1U) || i == std::string_view::npos) return std::nullopt;
  Vec3 axis = Vec3::Zero();  // without zeros below zero, as components that are written out have none
  axis[static_cast<Eigen::Index>(i)] = against ? -1 : 1;
  return axis;
}

Mat3 smallest_rotation(const Vec3& from, const Vec3& to, const Vec3& half_turn_axis) {
  const double cosine = from.dot(to);
  constexpr double kOpposite = 1e-14;
  if (1 + cosine < kOpposite) return 2 * half_turn_axis * half_turn_axis.transpose() - Mat3::Identity();
  const Mat3 cross = cross_matrix(from.cross(to));
  return Mat3::Identity() + cross + cross * cross / (1 + cosine);
}

Mat3 axes_with_z(const Vec3& z) {
  if (z == Vec3::UnitZ()) return Mat3::Identity();
  return orthonormalized(smallest_rotation(Vec3::UnitZ(), z, Vec3::UnitX()), 2, z);
}

Mat3 axes_with_x(const Vec3& x) {
  if (x.z() == 0) return (Mat3() << x.x(), -x.y(), 0, x.y(), x.x(), 0, 0, 0, 1).finished();
  return orthonormalized(smallest_rotation(Vec3::UnitX(), x, Vec3::UnitZ()), 0, x);
}

static bool is_identity(const AxesImage& image) {
  return image.turn == Mat3::Identity() && image.signs == Vec3::Ones();
}

Mat3 carried_over(const Mat3& axes, const AxesImage& image) {
  if (is_identity(image)) return axes;
  return image.turn * axes * image.signs.asDiagonal();
}

Mat3 carried_back(const Mat3& axes, const AxesImage& image) {
  if (is_identity(image)) return axes;
  return image.turn.transpose() * axes * image.signs.asDiagonal();
}

Mat3 turned_about_z(const Mat3& axes, const Vec3& direction) {
  const Vec3 z = axes.col(2);
  Mat3 result;
  result.col(0) = (direction - z * z.dot(direction)).normalized();
  result.col(1) = z.cross(Vec3(result.col(0)));
  result.col(2) = z;
  return result;
}

}  // namespace cardan
