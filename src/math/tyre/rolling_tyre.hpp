// A tyre that rolls, drives, brakes and steers on its ground: a law of the wheel's motion and of what it remembers, for
// any scalar type; docs/theory/tyres.md has the theory. In the axes of the ground, with c, a, v, w the wheel's centre,
// axle, velocity and angular velocity:
//   shape     every contact has the depth d = H(n) - distance, H the support function of the wheel (wheel_shape.hpp)
//   normal    F = sum of k d + c d', never pulling; n its direction, N its size, the load
//   slip      v_s of the wheel's point that touches, along x = a x n and y = n x x; V = |v . x|
//   tread     a deflection u in the plane of contact, u' = v_s - V/sigma u: a spring at rest, a lag where it rolls;
//             held within what the tyre bears before it slides
//   force     by a slip model from kappa = -(u + T u')_x/sigma_x, tan(alpha) = (u + T u')_y/sigma_y, N and the camber
// u is integrated over the step from where it was at its start, exactly for slip velocities that change evenly.
#pragma once

#include <variant>

#include "math/contact/terrain.hpp"
#include "math/tyre/magic_formula.hpp"
#include "math/tyre/wheel_shape.hpp"

namespace cardan {

using SlipModel = std::variant<LinearSlip, CalspanSlip, MagicFormula>;

template <class T>
struct WheelMotion {
  SmallVector<T, 3> center, axle, velocity, spin;
};

/// What a wheel remembers from the start of a step; all zero where it did not touch.
struct TreadMemory {
  SmallVector<double, 3> deflection{}, slip_velocity{}, forward{};
  double rate_x = 0, rate_y = 0;  // V/sigma
  double touches = 0;
};

template <class T>
struct RollingForce {
  SmallVector<T, 3> force{{T(0), T(0), T(0)}}, moment{{T(0), T(0), T(0)}};  // on the wheel, about its centre
  SmallVector<T, 3> elastic{{T(0), T(0), T(0)}}, elastic_moment = elastic;  // the part of them that `energy` explains
  T energy = T(0);                                                          // of the radial spring, J
  T load = T(0), depth = T(0);
  TyreSlip<T> slip{T(0), T(0), T(0), T(0)};
  TyreForces<T> forces;
  SmallVector<T, 3> arm{{T(0), T(0), T(0)}};  // from the centre to the contact
  TreadMemory tread;                          // what to remember when the step ends here
};

class RollingTyre {
 public:
  WheelShape shape;
  Terrain ground;
  SlipModel model;
  double radius;              // m
  double stiffness;           // k, N/m
  double damping;             // c, N s/m
  double tread_damping;       // T, s
  double low_speed;           // m/s: sliding at rest is told from sliding at speed over this
  double rolling_resistance;  // over the load

  template <class T>
  RollingForce<T> evaluate(const WheelMotion<T>& wheel, const TreadMemory& memory, double elapsed) const {
    RollingForce<T> result;
    using Vector = SmallVector<T, 3>;
    Vector push{{T(0), T(0), T(0)}};
    press(wheel, push, result);
    const double square = value_of(dot(push, push));
    if (!(square > 0)) return result;
    using std::sqrt;
    result.depth = sqrt(dot(push, push));
    const Vector n = (T(1) / result.depth) * push;
    result.load = dot(n, result.force);
    if (!(value_of(result.load) > 0)) {
      result.force = result.moment = Vector{{T(0), T(0), T(0)}};
      result.load = T(0);
      return result;
    }
    std::visit([&](const auto& by) { roll(by, wheel, n, memory, elapsed, result); }, model);
    return result;
  }

 private:
  static constexpr double kEngage = 0.01;      // the damper sets in over this part of the radius
  static constexpr double kLeastSigma = 0.01;  // over the radius

  /// Springs and dampers of all contacts.
  template <class T>
  void press(const WheelMotion<T>& wheel, SmallVector<T, 3>& push, RollingForce<T>& result) const {
    using Vector = SmallVector<T, 3>;
    const double engage = kEngage * radius;
    ground.visit_near(wheel.center, shape.reach(), [&](const Vector& n, const T& distance, double sign) {
      const Vector lowest = T(-1) * shape.furthest(wheel.axle, n);
      const T depth = -dot(n, lowest) - distance;
      if (!(value_of(depth) > 0)) return;
      const T rate = -dot(n, wheel.velocity + cross(wheel.spin, lowest));
      const T weight = value_of(depth) < engage ? depth * T(1 / engage) : T(1);
      const Vector spring = (T(sign * stiffness) * depth) * n;
      const Vector force = spring + (T(sign * damping) * weight * rate) * n;
      result.energy += T(0.5 * sign * stiffness) * depth * depth;
      push = push + (T(sign) * depth) * n;
      result.elastic = result.elastic + spring;
      result.elastic_moment = result.elastic_moment + cross(lowest, spring);
      result.force = result.force + force;
      result.moment = result.moment + cross(lowest, force);
    });
  }

  /// The deflection and what it does.
  template <class Model, class T>
  void roll(const Model& by, const WheelMotion<T>& wheel, const SmallVector<T, 3>& n, const TreadMemory& memory,
            double elapsed, RollingForce<T>& result) const {
    using std::abs;
    using std::atan;
    using std::sqrt;
    using Vector = SmallVector<T, 3>;
    constexpr double kFlat = 1e-12;  // the axle along the normal has no forward
    result.arm = result.depth * n - shape.furthest(wheel.axle, n);
    const Vector across = cross(wheel.axle, n);
    const T upright = sqrt(dot(across, across) + T(kFlat));
    const Vector ex = (T(1) / upright) * across, ey = cross(n, ex);
    const Vector point = wheel.velocity + cross(wheel.spin, result.arm);
    const Vector sliding = point - dot(n, point) * n;
    const T forward = dot(wheel.velocity, ex), speed = abs(forward);
    TyreSlip<T>& slip = result.slip;
    slip.load = result.load;
    slip.camber = atan(dot(wheel.axle, n) / upright);
    const T sigma_x = at_least(relaxation_x(by, slip)), sigma_y = at_least(relaxation_y(by, slip));
    const T rate_x = speed / sigma_x, rate_y = speed / sigma_y;
    Vector u = deflected(n, ex, sliding, rate_x, rate_y, memory, elapsed);
    // Held where the tyre slides; the faster it slides, the less that matters.
    const T x = dot(u, ex), y = dot(u, ey);
    const T used = smooth_norm(T(x / (sigma_x * by.limit_x(slip))), T(y / (sigma_y * by.limit_y(slip))));
    const T most = T(1) + sqrt(dot(sliding, sliding) + T(1e-16)) * T(1 / low_speed);
    if (value_of(used) > value_of(most)) u = (most / used) * u;
    const auto felt = [&](const Vector& axis, const T& rate) {
      const T part = dot(u, axis), T_eff = T(tread_damping) / (T(1) + T(tread_damping) * rate);
      return part + T_eff * (dot(sliding, axis) - rate * part);
    };
    slip.kappa = -felt(ex, rate_x) / sigma_x;
    slip.side = felt(ey, rate_y) / sigma_y;
    result.forces = by.forces(slip);
    const T way = forward / sqrt(forward * forward + T(low_speed * low_speed));
    result.forces.aligning = way * result.forces.aligning;
    const Vector tangential = result.forces.forward * ex + result.forces.left * ey;
    result.force = result.force + tangential;
    result.moment = result.moment + cross(result.arm, tangential) + result.forces.aligning * n +
                    resisting(by, wheel, forward, result) * wheel.axle;
    remember(u, sliding, ex, value_of(rate_x), value_of(rate_y), result.tread);
  }

  /// u after the time that has elapsed since the memory: u' = v - rate u along the axes midway, v changing evenly.
  template <class T>
  SmallVector<T, 3> deflected(const SmallVector<T, 3>& n, const SmallVector<T, 3>& ex, const SmallVector<T, 3>& sliding,
                              const T& rate_x, const T& rate_y, const TreadMemory& memory, double elapsed) const {
    using Vector = SmallVector<T, 3>;
    const auto fixed = [](const SmallVector<double, 3>& v) { return Vector{{T(v[0]), T(v[1]), T(v[2])}}; };
    const bool touched = memory.touches > 0;
    const Vector before = fixed(memory.deflection), slid = touched ? fixed(memory.slip_velocity) : sliding;
    Vector forward = ex;
    if (touched && memory.forward[0] * value_of(ex[0]) + memory.forward[1] * value_of(ex[1]) +
                           memory.forward[2] * value_of(ex[2]) >
                       0) {
      const Vector sum = ex + fixed(memory.forward);
      forward = normalized(sum - dot(sum, n) * n);
    }
    const auto along = [&](const Vector& axis, const T& rate, double rate_before) {
      const T z = T(0.5 * elapsed) * (rate + (touched ? T(rate_before) : rate));
      T decay, phi1, phi2;
      decayed(z, decay, phi1, phi2);
      return decay * dot(before, axis) + T(elapsed) * ((phi1 - phi2) * dot(slid, axis) + phi2 * dot(sliding, axis));
    };
    const Vector side = cross(n, forward);
    return along(forward, rate_x, memory.rate_x) * forward + along(side, rate_y, memory.rate_y) * side;
  }

  /// exp(-z), (1 - exp(-z))/z and (1 - that)/z.
  template <class T>
  static void decayed(const T& z, T& decay, T& phi1, T& phi2) {
    using std::exp;
    decay = exp(-z);
    if (value_of(z) < 0.02) {
      phi2 = T(0.5) - z * (T(1.0 / 6) - z * (T(1.0 / 24) - z * (T(1.0 / 120) - z * T(1.0 / 720))));
      phi1 = T(1) - z * phi2;
    } else {
      phi1 = (T(1) - decay) / z;
      phi2 = (T(1) - phi1) / z;
    }
  }

  /// About the axle, against the spin.
  template <class Model, class T>
  T resisting(const Model& by, const WheelMotion<T>& wheel, const T& forward, const RollingForce<T>& result) const {
    using std::sqrt;
    T part = T(rolling_resistance);
    if constexpr (std::is_same_v<Model, MagicFormula>) part = part + by.resistance(result.forces.forward, forward);
    if (value_of(part) == 0) return T(0);
    const T rim = dot(wheel.spin, wheel.axle) * T(radius);
    return -part * result.load * T(radius) * rim / sqrt(rim * rim + T(low_speed * low_speed));
  }

  /// Constant, or by a formula.
  template <class Model, class T>
  static T relaxation_x(const Model& by, const TyreSlip<T>& slip) {
    if constexpr (requires { by.sigma_x; })
      return T(by.sigma_x);
    else
      return by.relaxation_x(slip);
  }
  template <class Model, class T>
  static T relaxation_y(const Model& by, const TyreSlip<T>& slip) {
    if constexpr (requires { by.sigma_y; })
      return T(by.sigma_y);
    else
      return by.relaxation_y(slip);
  }

  template <class T>
  T at_least(const T& sigma) const {
    return value_of(sigma) > kLeastSigma * radius ? sigma : T(kLeastSigma * radius);
  }

  template <class T>
  static void remember(const SmallVector<T, 3>& u, const SmallVector<T, 3>& sliding, const SmallVector<T, 3>& ex,
                       double rate_x, double rate_y, TreadMemory& tread) {
    for (int i = 0; i < 3; ++i) {
      tread.deflection[i] = value_of(u[i]);
      tread.slip_velocity[i] = value_of(sliding[i]);
      tread.forward[i] = value_of(ex[i]);
    }
    tread.rate_x = rate_x;
    tread.rate_y = rate_y;
    tread.touches = 1;
  }
};

}  // namespace cardan
