// The ground under a wheel, in axes of its own: level at height 0, or a line of height over x that is the same all
// along the third axis. What it tells is what a convex body needs to find its contacts: nearest points with the
// direction from there to the body's centre.
#pragma once

#include <optional>
#include <vector>

#include "math/disc_contact.hpp"

namespace cardan {

class WheelGround {
 public:
  /// Level; `up`: the axis of the height, 2, or 1 in the plane.
  explicit WheelGround(int up) : up_(up) {}
  /// Beyond its ends the profile goes on level.
  WheelGround(int up, std::vector<Vec2> profile) : up_(up) {
    constexpr double kFar = 1e6;  // m
    profile.insert(profile.begin(), Vec2(profile.front().x() - kFar, profile.front().y()));
    profile.emplace_back(profile.back().x() + kFar, profile.back().y());
    profile_.emplace(std::move(profile));
  }

  int up() const { return up_; }
  double height(double x) const { return profile_ ? profile_->height(x) : 0; }

  /// visit(n, distance, sign) for every contact that a body about `center` may have: the unit normal from the nearest
  /// point to the centre, how far that is, and -1 for what two contacts share and must count once.
  template <class T, class Visit>
  void visit_near(const SmallVector<T, 3>& center, double reach, const Visit& visit) const {
    using std::sqrt;
    const auto in_space = [this](const T& x, const T& height) {
      SmallVector<T, 3> n{{x, T(0), T(0)}};
      n[up_] = height;
      return n;
    };
    if (!profile_) return visit(in_space(T(0), T(1)), center[up_], 1);
    const SmallVector<T, 2> c{{center[0], center[up_]}};
    profile_->visit_near(c, reach, [&](const T& x, const T& height, double sign) {
      const SmallVector<T, 2> from{{c[0] - x, c[1] - height}};
      const T distance = sqrt(dot(from, from));
      if (value_of(distance) < reach) visit(in_space(from[0] / distance, from[1] / distance), distance, sign);
    });
  }

 private:
  int up_;
  std::optional<Profile> profile_;
};

}  // namespace cardan
