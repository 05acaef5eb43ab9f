// Where a mechanism of a test stands: turned, shifted and scaled at random, always the same for one seed.
#pragma once

#include <numbers>
#include <random>

#include "cardan/math.hpp"

namespace cardan {

class RandomPlace {
 public:
  /// In the plane the turn is about z and nothing leaves it.
  RandomPlace(unsigned seed, bool planar) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const Vec3 axis = planar ? Vec3(0, 0, 1) : Vec3(number(random), number(random), number(random)).normalized();
    turn_ = Eigen::AngleAxisd(std::numbers::pi * number(random), axis);
    shift_ = Vec3(2 * number(random), 2 * number(random), planar ? 0 : 2 * number(random));
    size_ = std::pow(2, number(random));
  }
  double size() const { return size_; }
  Vec3 at(double x, double y, double z = 0) const { return shift_ + turn_ * (size_ * Vec3(x, y, z)); }
  Vec3 along(double x, double y, double z = 0) const { return turn_ * Vec3(x, y, z); }

 private:
  Quat turn_;
  Vec3 shift_;
  double size_;
};

}  // namespace cardan
