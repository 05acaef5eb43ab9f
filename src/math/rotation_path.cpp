#include "math/rotation_path.hpp"

#include "math/jet.hpp"

namespace cardan {

RotationPath::RotationPath(const std::vector<double>& time, const std::vector<Quat>& rotation,
                           Function::Beyond beyond) {
  // q and -q are one rotation: each is taken on the side of the one before.
  std::array<std::vector<double>, 4> points;
  Eigen::Vector4d before = Eigen::Vector4d::Zero();
  for (const Quat& q : rotation) {
    Eigen::Vector4d s(q.w(), q.x(), q.y(), q.z());
    if (s.dot(before) < 0) s = -s;
    for (int i = 0; i < 4; ++i) points[static_cast<std::size_t>(i)].push_back(s[i]);
    before = s;
  }
  for (std::size_t i = 0; i < 4; ++i)
    spline_[i] = Function::table(time, points[i], Function::Interpolation::cubic, beyond);
}

RotationPath::RotationPath(const Mat3& rotation) {
  const Quat q(rotation);
  const double s[] = {q.w(), q.x(), q.y(), q.z()};
  for (std::size_t i = 0; i < 4; ++i) spline_[i] = Function::constant(s[i]);
}

/// R(s) = (matrix of squares and products of s) / |s|^2
RotationPath::Motion RotationPath::evaluate(double t) const {
  Jet s[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const Function::Value value = spline_[i].evaluate(t);
    s[i] = {value.f, value.d1, value.d2};
  }
  const auto& [w, x, y, z] = s;
  const Jet ww = w * w, xx = x * x, yy = y * y, zz = z * z, length = ww + xx + yy + zz;
  const Jet entries[3][3] = {{ww + xx - yy - zz, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), ww - xx + yy - zz, 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), ww - xx - yy + zz}};
  Motion motion;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Jet entry = entries[i][j] / length;
      motion.R(i, j) = entry.f, motion.rate(i, j) = entry.d1, motion.second(i, j) = entry.d2;
    }
  }
  return motion;
}

Vec3 RotationPath::Motion::angular_velocity() const {
  const Mat3 w = R.transpose() * rate;
  return {w(2, 1), w(0, 2), w(1, 0)};
}

}  // namespace cardan
