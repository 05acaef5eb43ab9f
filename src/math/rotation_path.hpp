// A rotation over time through given ones: the quaternion of length 1 along a natural cubic spline s(t) through theirs,
//     q = s / |s|
// With two continuous derivatives, exact; rotations before or after all of them turn the whole path, since they turn s.
// Neighbours must be nearer than kFarthest for s to stay away from zero.
#pragma once

#include <array>
#include <vector>

#include "cardan/function.hpp"
#include "cardan/math.hpp"

namespace cardan {

class RotationPath {
 public:
  static constexpr double kFarthest = 2.0943951023931953;  // rad: a third of a turn

  /// Times rise, at least two. `beyond` the first and the last.
  RotationPath(const std::vector<double>& time, const std::vector<Quat>& rotation, Function::Beyond beyond);
  /// What stays as it is.
  explicit RotationPath(const Mat3& rotation);

  /// R and its derivatives in time, entry by entry.
  struct Motion {
    Mat3 R, rate, second;
    Function::Value entry(int i, int j) const { return {R(i, j), rate(i, j), second(i, j)}; }
    /// In the axes that R turns into: R^T R' = w~
    Vec3 angular_velocity() const;
  };
  Motion evaluate(double t) const;
  /// Of s: w, x, y, z.
  const Function& component(int i) const { return spline_[static_cast<std::size_t>(i)]; }

 private:
  std::array<Function, 4> spline_;
};

}  // namespace cardan
