// RollingTyre::derivatives(): part of rolling_tyre.hpp.
//
// The tread's law looks at nine numbers alone: load, camber, the speeds of centre and rim, the slip velocity along x and
// y of the contact, and how x, y, n have turned, since what it remembers stays where it is. With e one of them,
//     d e_x = -w_y n + w_n e_y,   d e_y = w_x n - w_n e_x,   d n = -w_x e_y + w_y e_x
// for a turn (w_x, w_y, w_n) in these axes. Geometry depends on place and turn of the wheel; its velocities enter
// linearly.
#pragma once

#include "math/tyre/rolling_tyre.hpp"

namespace cardan {

class RollingTyre::Tangent {
 public:
  Tangent(const RollingTyre& tyre, const WheelMotion<double>& wheel) : tyre_(tyre), axle_(vec(wheel.axle)) {
    for (int i = 0; i < 3; ++i) {
      wheel_.center[i] = Place::variable(wheel.center[i], i);
      wheel_.axle[i] = Place(wheel.axle[i]);
      for (int j = 0; j < 3; ++j) wheel_.axle[i].d[3 + j] = Vec3::Unit(j).cross(axle_)[i];
      wheel_.velocity[i] = Place(wheel.velocity[i]);
      wheel_.spin[i] = Place(wheel.spin[i]);
    }
  }

  Derivatives derivatives(const TreadMemory& memory, double elapsed) {
    if (!touches()) return Derivatives::Zero();
    const Frame<Place> frame = tyre_.frame_of(wheel_, normal_, result_.depth);
    x_ = vec(frame.x), y_ = vec(frame.y), n_ = vec(frame.n), arm_ = vec(frame.arm);
    const TreadMotion<Place> seen = tyre_.motion_of(wheel_, frame, result_.load, {});
    const TreadMotion<Tread> motion = varied(seen, memory);
    const auto tread =
        std::visit([&](const auto& by) { return tyre_.deflect(by, motion, memory, elapsed); }, tyre_.model);
    Eigen::Matrix<double, 4, kCount> by_tread;
    by_tread << tread.forces.forward.d.transpose(), tread.forces.left.d.transpose(),
        tread.forces.aligning.d.transpose(), tread.resisting.d.transpose();
    const Eigen::Matrix<double, 4, 12> by = by_tread.lazyProduct(by_motion(seen, frame));
    const auto placed = [&](const Tread& number, int row) { return Place(number.f, by.row(row).head<6>()); };
    const TyreForces<Place> forces{placed(tread.forces.forward, 0), placed(tread.forces.left, 1),
                                   placed(tread.forces.aligning, 2)};
    add(wheel_, frame, forces, placed(tread.resisting, 3), result_);
    return collected(by);
  }

 private:
  using Place = Dual<6>;   // by place and turn of the wheel
  using Tread = Dual<10>;  // by what the tread looks at, and one more: pairs of numbers are faster
  using ByRate = Eigen::Matrix<double, 3, 6>;
  enum { kLoad, kCamber, kForward, kRim, kSliding, kTurn = kSliding + 2, kCount = kTurn + 3 + 1 };

  template <class Vector>
  static Vec3 vec(const Vector& v) {
    return {value_of(v[0]), value_of(v[1]), value_of(v[2])};
  }

  /// What presses on the wheel. A damper's force by the velocities: F = -c n n . (v + w x r)
  bool touches() {
    SmallVector<Place, 3> push{{Place(0), Place(0), Place(0)}};
    tyre_.press(wheel_, push, result_, [&](const auto& at, const auto& lowest, const Place& resistance) {
      const Vec3 n = vec(at), r = vec(lowest), force = -resistance.f * n, moment = r.cross(force);
      const Vec3 turn = r.cross(n);
      force_by_rate_.leftCols<3>() += force.lazyProduct(n.transpose());
      force_by_rate_.rightCols<3>() += force.lazyProduct(turn.transpose());
      moment_by_rate_.leftCols<3>() += moment.lazyProduct(n.transpose());
      moment_by_rate_.rightCols<3>() += moment.lazyProduct(turn.transpose());
    });
    const Place square = dot(push, push);
    if (!(square.f > 0)) return false;
    result_.depth = sqrt(square);
    normal_ = (Place(1) / result_.depth) * push;
    result_.load = dot(normal_, result_.force);
    return result_.load.f > 0;
  }

  /// With what the tread looks at as variables.
  TreadMotion<Tread> varied(const TreadMotion<Place>& seen, const TreadMemory& memory) const {
    const auto variable = [](const Place& number, int index) { return Tread::variable(number.f, index); };
    const auto in_plane = [&](const SmallVector<double, 3>& v) {
      const double x = vec(v).dot(x_), y = vec(v).dot(y_), n = vec(v).dot(n_);
      SmallVector<Tread, 2> result{{Tread(x), Tread(y)}};
      result[0].d[kTurn + 1] = -n, result[0].d[kTurn + 2] = y;
      result[1].d[kTurn] = n, result[1].d[kTurn + 2] = -x;
      return result;
    };
    TreadMotion<Tread> motion{variable(seen.load, kLoad),
                              variable(seen.camber, kCamber),
                              variable(seen.forward, kForward),
                              variable(seen.rim, kRim),
                              {{variable(seen.sliding[0], kSliding), variable(seen.sliding[1], kSliding + 1)}},
                              in_plane(memory.deflection),
                              in_plane(memory.slip_velocity),
                              in_plane(memory.forward)};
    if (!(memory.touches > 0)) motion.slid = motion.sliding;
    return motion;
  }

  /// What the tread looks at by the motion of the wheel.
  Eigen::Matrix<double, kCount, 12> by_motion(const TreadMotion<Place>& seen, const Frame<Place>& frame) const {
    Eigen::Matrix<double, kCount, 12> by = Eigen::Matrix<double, kCount, 12>::Zero();
    by.row(kLoad).head<6>() = seen.load.d;
    by.row(kCamber).head<6>() = seen.camber.d;
    by.row(kForward).head<6>() = seen.forward.d;
    by.row(kRim).head<6>() = seen.rim.d;
    for (int i = 0; i < 2; ++i) by.row(kSliding + i).head<6>() = seen.sliding[i].d;
    for (int i = 0; i < 3; ++i) {
      by.row(kTurn).head<6>() -= y_[i] * frame.n[i].d;
      by.row(kTurn + 1).head<6>() += x_[i] * frame.n[i].d;
      by.row(kTurn + 2).head<6>() += y_[i] * frame.x[i].d;
    }
    by.row(kLoad).tail<6>() = n_.transpose().lazyProduct(force_by_rate_);
    by.block<1, 3>(kForward, 6) = x_;
    by.block<1, 3>(kRim, 9) = tyre_.radius * axle_;
    by.block<1, 3>(kSliding, 6) = x_;
    by.block<1, 3>(kSliding, 9) = arm_.cross(x_);
    by.block<1, 3>(kSliding + 1, 6) = y_;
    by.block<1, 3>(kSliding + 1, 9) = arm_.cross(y_);
    return by;
  }

  /// `by`: of the forces of the tread, as in add().
  Derivatives collected(const Eigen::Matrix<double, 4, 12>& by) const {
    Derivatives result;
    for (int i = 0; i < 3; ++i) {
      result.row(i).head<6>() = result_.force[i].d;
      result.row(3 + i).head<6>() = result_.moment[i].d;
    }
    for (int j = 0; j < 6; ++j) {
      const auto column = by.col(6 + j);
      const Vec3 tangential = column[0] * x_ + column[1] * y_;
      result.block<3, 1>(0, 6 + j) = force_by_rate_.col(j) + tangential;
      result.block<3, 1>(3, 6 + j) = moment_by_rate_.col(j) + arm_.cross(tangential) + column[2] * n_ + column[3] * axle_;
    }
    return result;
  }

  const RollingTyre& tyre_;
  Vec3 axle_, x_, y_, n_, arm_;
  WheelMotion<Place> wheel_;
  RollingForce<Place> result_;
  SmallVector<Place, 3> normal_;
  ByRate force_by_rate_ = ByRate::Zero(), moment_by_rate_ = ByRate::Zero();
};

inline RollingTyre::Derivatives RollingTyre::derivatives(const WheelMotion<double>& wheel, const TreadMemory& memory,
                                                         double elapsed) const {
  return Tangent(*this, wheel).derivatives(memory, elapsed);
}

}  // namespace cardan
