// A rolling tyre (math/tyre/rolling_tyre.hpp) as the law of a wrench between two frames: frame 1 is that of the ground
// under it, which does not move, frame 2 that of the wheel, whose y axis is the axle.
#pragma once

#include <memory>

#include "cardan/wrench.hpp"
#include "math/tyre/rolling_tyre.hpp"

namespace cardan {

class SlipTyreLaw {
 public:
  static constexpr int kMemory = 12;

  SlipTyreLaw(RollingTyre tyre) : tyre_(std::make_shared<const RollingTyre>(std::move(tyre))) {}

  Wrench wrench(const FramePair& at) const {
    const RollingForce<double> f = result(at);
    return {at.one.rotation * vec(f.force), at.one.rotation * vec(f.moment)};
  }
  Wrench elastic(const FramePair& at) const {
    const RollingForce<double> f = result(at);
    return {at.one.rotation * vec(f.elastic), at.one.rotation * vec(f.elastic_moment)};
  }
  RollingForce<double> result(const FramePair& at) const {
    return tyre_->evaluate(wheel(at), memory(at), at.elapsed);
  }
  /// With the place, the turn, the velocity and the angular velocity of the wheel as variables.
  WrenchTangent tangent(const FramePair& at) const {
    const RollingTyre::Derivatives by = tyre_->derivatives(wheel(at), memory(at), at.elapsed);
    WrenchTangent result;
    result.position2 = turned(by.leftCols<6>(), at.one.rotation);
    result.velocity2 = turned(by.rightCols<6>(), at.one.rotation);
    return result;
  }
  void remember(const FramePair& at, double* memory) const {
    const TreadMemory tread = result(at).tread;
    for (int i = 0; i < 3; ++i) {
      memory[i] = tread.deflection[i], memory[3 + i] = tread.slip_velocity[i];
      memory[6 + i] = tread.forward[i];
    }
    memory[9] = tread.rate_x, memory[10] = tread.rate_y, memory[11] = tread.touches;
  }

 private:
  static Vec3 vec(const SmallVector<double, 3>& v) { return {v[0], v[1], v[2]}; }
  /// From the axes of the ground.
  static WrenchTangent::Block turned(const WrenchTangent::Block& block, const Mat3& R) {
    if (R.isIdentity(0)) return block;
    WrenchTangent::Block result;
    for (int i = 0; i < 6; i += 3)
      for (int j = 0; j < 6; j += 3)
        result.block<3, 3>(i, j) = R * block.block<3, 3>(i, j) * R.transpose();
    return result;
  }
  static WheelMotion<double> wheel(const FramePair& at) {
    const auto m = motion(at);
    WheelMotion<double> wheel;
    for (int i = 0; i < 3; ++i) {
      wheel.center[i] = m(i, 0), wheel.axle[i] = m(i, 1);
      wheel.velocity[i] = m(i, 2), wheel.spin[i] = m(i, 3);
    }
    return wheel;
  }
  /// Centre, axle, velocity and angular velocity in the axes of the ground.
  static Eigen::Matrix<double, 3, 4> motion(const FramePair& at) {
    Eigen::Matrix<double, 3, 4> m;
    m << at.two.position - at.one.position, at.two.rotation.col(1), at.two.velocity, at.two.angular_velocity;
    return at.one.rotation.transpose() * m;
  }
  static TreadMemory memory(const FramePair& at) {
    TreadMemory tread;
    if (at.memory == nullptr) return tread;
    for (int i = 0; i < 3; ++i) {
      tread.deflection[i] = at.memory[i], tread.slip_velocity[i] = at.memory[3 + i];
      tread.forward[i] = at.memory[6 + i];
    }
    tread.rate_x = at.memory[9], tread.rate_y = at.memory[10], tread.touches = at.memory[11];
    return tread;
  }

  std::shared_ptr<const RollingTyre> tyre_;
};

}  // namespace cardan
