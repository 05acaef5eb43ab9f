// Acceleration of a fixed-point iteration x <- g(x) (Anderson's mixing). Differences of the iterates so far tell how
// the residual r = g(x) - x answers to changes of x; what they can take out of r is taken out before the plain step:
//     x <- x + r - sum_j (u_j . r) s_j
// with pairs (u_j, s_j) made of Delta r and Delta x + Delta r by the same combinations, the u_j orthonormal. On a
// linear problem this is GMRES; where g contracts strongly it is the plain iteration.
#pragma once

#include <algorithm>

#include "cardan/math.hpp"

namespace cardan {

class SecantAcceleration {
 public:
  void resize(int n, int depth) {
    u_ = s_ = Eigen::MatrixXd::Zero(n, depth);
    x_ = r_ = VecX::Zero(n);
  }
  /// To be called before the first advance() of an iteration.
  void begin() { count_ = oldest_ = 0, first_ = true; }

  /// From x and the residual there to the next x.
  void advance(VecX& x, const VecX& r) {
    if (!first_) remember(x, r);
    first_ = false;
    x_ = x;
    r_ = r;
    x += r;
    for (int j = 0; j < count_; ++j) x -= u_.col(j).dot(r) * s_.col(j);
  }

 private:
  /// The newest pair takes the place of the oldest.
  void remember(const VecX& x, const VecX& r) {
    constexpr double kDependent = 1e-8;  // what is left of a difference beside the others, relative
    const int depth = static_cast<int>(u_.cols());
    const int place = count_ < depth ? count_ : oldest_;
    auto u = u_.col(place), s = s_.col(place);
    u = r - r_;
    s = x - x_ + u;
    const double length = u.norm();
    for (int j = 0; j < count_; ++j) {
      if (j == place) continue;
      const double part = u_.col(j).dot(u);
      u -= part * u_.col(j);
      s -= part * s_.col(j);
    }
    const double left = u.norm();
    if (!(left > kDependent * length)) {
      u.setZero();
      s.setZero();
    } else {
      u /= left;
      s /= left;
    }
    if (count_ < depth) {
      ++count_;
    } else {
      oldest_ = (oldest_ + 1) % depth;
    }
  }

  Eigen::MatrixXd u_, s_;  // n x depth
  VecX x_, r_;             // of the iterate before
  int count_ = 0, oldest_ = 0;
  bool first_ = true;
};

}  // namespace cardan
