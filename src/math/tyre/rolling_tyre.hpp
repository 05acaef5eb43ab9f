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

#include <type_traits>
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

/// What the tread's law looks at, along x and y of the contact.
template <class T>
struct TreadMotion {
  T load, camber;                           // N, rad
  T forward, rim;                           // of the centre along x, of the rim about the axle; m/s
  SmallVector<T, 2> sliding;                // v_s
  SmallVector<T, 2> before, slid, heading;  // u, v_s and x at the start of the step
};

template <class T>
struct TreadForce {
  TyreSlip<T> slip{T(0), T(0), T(0), T(0)};
  TyreForces<T> forces;
  T resisting;                   // moment about the axle
  SmallVector<T, 2> deflection;  // u
  T rate_x, rate_y;              // V/sigma
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
    press(wheel, push, result, [](const Vector&, const Vector&, const T&) {});
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
    const Frame<T> frame = frame_of(wheel, n, result.depth);
    result.arm = frame.arm;
    const TreadMotion<T> motion = motion_of(wheel, frame, result.load, memory);
    const auto tread = std::visit([&](const auto& by) { return deflect(by, motion, memory, elapsed); }, model);
    result.slip = tread.slip;
    result.forces = tread.forces;
    add(wheel, frame, tread.forces, tread.resisting, result);
    remember(tread, motion, frame, result.tread);
    return result;
  }

  /// Of force and moment (rows) with respect to the wheel's place, turn, velocity and angular velocity: those of
  /// evaluate(), by the chain rule through the few numbers that the tread's law looks at.
  using Derivatives = Eigen::Matrix<double, 6, 12>;
  Derivatives derivatives(const WheelMotion<double>& wheel, const TreadMemory& memory, double elapsed) const;

 private:
  class Tangent;

  static constexpr double kEngage = 0.01;      // the damper sets in over this part of the radius
  static constexpr double kLeastSigma = 0.01;  // over the radius

  /// Axes of the contact, and from the wheel's centre to it.
  template <class T>
  struct Frame {
    SmallVector<T, 3> x, y, n, arm;
    T camber;
  };

  /// Springs and dampers of all contacts; `see(n, lowest point, N s/m)` is told of each. Corners that a piece of the
  /// ground ends or begins with come once for it and once, with the other sign, for themselves; on fine ground that is
  /// most of what is near, and it is nothing.
  template <class T, class See>
  void press(const WheelMotion<T>& wheel, SmallVector<T, 3>& push, RollingForce<T>& result, const See& see) const {
    SmallVector<T, 3> held_n{};
    T held_distance = T(0);
    double held_sign = 0;  // 0: none is held
    const auto is_held = [&](const SmallVector<T, 3>& n, const T& distance) {
      return value_of(distance) == value_of(held_distance) && value_of(n[0]) == value_of(held_n[0]) &&
             value_of(n[1]) == value_of(held_n[1]) && value_of(n[2]) == value_of(held_n[2]);
    };
    const auto press_by_held = [&] {
      if (held_sign != 0) press_by(held_n, held_distance, held_sign, wheel, push, result, see);
    };
    ground.visit_near(wheel.center, shape.reach(), [&](const SmallVector<T, 3>& n, const T& distance, double sign) {
      if (held_sign == -sign && is_held(n, distance)) {
        held_sign = 0;
        return;
      }
      press_by_held();
      held_n = n, held_distance = distance, held_sign = sign;
    });
    press_by_held();
  }

  template <class T, class See>
  void press_by(const SmallVector<T, 3>& n, const T& distance, double sign, const WheelMotion<T>& wheel,
                SmallVector<T, 3>& push, RollingForce<T>& result, const See& see) const {
    using Vector = SmallVector<T, 3>;
    const double engage = kEngage * radius;
    // Most pieces of the ground that are near are not touched.
    if (!std::is_same_v<T, double> && !(extent(wheel.axle, n) > value_of(distance))) return;
    const Vector lowest = T(-1) * shape.furthest(wheel.axle, n);
    const T depth = -dot(n, lowest) - distance;
    if (!(value_of(depth) > 0)) return;
    const T rate = -dot(n, wheel.velocity + cross(wheel.spin, lowest));
    const T weight = value_of(depth) < engage ? depth * T(1 / engage) : T(1);
    const T spring_force = T(sign * stiffness) * depth, resistance = T(sign * damping) * weight;
    const Vector force = (spring_force + resistance * rate) * n;
    see(n, lowest, resistance);
    push = push + (T(sign) * depth) * n;
    if constexpr (std::is_same_v<T, double>) {  // nobody asks for their derivatives
      const Vector spring = spring_force * n;
      result.energy += 0.5 * sign * stiffness * depth * depth;
      result.elastic = result.elastic + spring;
      result.elastic_moment = result.elastic_moment + cross(lowest, spring);
    }
    result.force = result.force + force;
    result.moment = result.moment + cross(lowest, force);
  }

  /// H(n)
  template <class T>
  double extent(const SmallVector<T, 3>& axle, const SmallVector<T, 3>& n) const {
    const auto values = [](const SmallVector<T, 3>& v) {
      return SmallVector<double, 3>{{value_of(v[0]), value_of(v[1]), value_of(v[2])}};
    };
    return dot(values(n), shape.furthest(values(axle), values(n)));
  }

  template <class T>
  Frame<T> frame_of(const WheelMotion<T>& wheel, const SmallVector<T, 3>& n, const T& depth) const {
    using std::atan;
    using std::sqrt;
    // An axle along the normal has no forward. Elsewhere x has the length 1 to the last digit: a deflection that is
    // held would creep otherwise.
    constexpr double kFlat = 1e-12, kNearlyFlat = 1e-3;
    const SmallVector<T, 3> across = cross(wheel.axle, n);
    const T square = dot(across, across), lying = T(1) - square * T(1 / kNearlyFlat);
    const T upright = sqrt(value_of(square) < kNearlyFlat ? square + T(kFlat) * lying * lying : square);
    const SmallVector<T, 3> x = (T(1) / upright) * across;
    return {x, cross(n, x), n, depth * n - shape.furthest(wheel.axle, n), atan(dot(wheel.axle, n) / upright)};
  }

  template <class T>
  TreadMotion<T> motion_of(const WheelMotion<T>& wheel, const Frame<T>& frame, const T& load,
                           const TreadMemory& memory) const {
    const SmallVector<T, 3> point = wheel.velocity + cross(wheel.spin, frame.arm);
    const auto along = [](const SmallVector<double, 3>& v, const SmallVector<T, 3>& axis) {
      return T(v[0]) * axis[0] + T(v[1]) * axis[1] + T(v[2]) * axis[2];
    };
    const auto in_plane = [&](const SmallVector<double, 3>& v) {
      return SmallVector<T, 2>{{along(v, frame.x), along(v, frame.y)}};
    };
    TreadMotion<T> motion{load,
                          frame.camber,
                          dot(wheel.velocity, frame.x),
                          dot(wheel.spin, wheel.axle) * T(radius),
                          {{dot(point, frame.x), dot(point, frame.y)}},
                          in_plane(memory.deflection),
                          in_plane(memory.slip_velocity),
                          in_plane(memory.forward)};
    if (!(memory.touches > 0)) motion.slid = motion.sliding;
    return motion;
  }

  /// The deflection and what it does.
  template <class Model, class T>
  TreadForce<T> deflect(const Model& by, const TreadMotion<T>& at, const TreadMemory& memory, double elapsed) const {
    using std::abs;
    using std::sqrt;
    TreadForce<T> result;
    TyreSlip<T>& slip = result.slip;
    slip.load = at.load;
    slip.camber = at.camber;
    const T sigma_x = at_least(relaxation_x(by, slip)), sigma_y = at_least(relaxation_y(by, slip));
    const T speed = abs(at.forward);
    result.rate_x = speed / sigma_x, result.rate_y = speed / sigma_y;
    SmallVector<T, 2> u = deflected(at, result.rate_x, result.rate_y, memory, elapsed);
    // Held where the tyre slides; the faster it slides, the less that matters.
    const T used = smooth_norm(T(u[0] / (sigma_x * by.limit_x(slip))), T(u[1] / (sigma_y * by.limit_y(slip))));
    const T most = T(1) + sqrt(dot(at.sliding, at.sliding) + T(1e-16)) * T(1 / low_speed);
    if (value_of(used) > value_of(most)) u = (most / used) * u;
    const auto felt = [&](int axis, const T& rate) {
      const T T_eff = T(tread_damping) / (T(1) + T(tread_damping) * rate);
      return u[axis] + T_eff * (at.sliding[axis] - rate * u[axis]);
    };
    slip.kappa = -felt(0, result.rate_x) / sigma_x;
    slip.side = felt(1, result.rate_y) / sigma_y;
    result.forces = by.forces(slip);
    const T way = at.forward / sqrt(at.forward * at.forward + T(low_speed * low_speed));
    result.forces.aligning = way * result.forces.aligning;
    result.resisting = resisting(by, at, result.forces.forward);
    result.deflection = u;
    return result;
  }

  /// u after the time that has elapsed since the memory: u' = v - rate u along the axes midway, v changing evenly.
  template <class T>
  SmallVector<T, 2> deflected(const TreadMotion<T>& at, const T& rate_x, const T& rate_y, const TreadMemory& memory,
                              double elapsed) const {
    using Plane = SmallVector<T, 2>;
    const bool touched = memory.touches > 0;
    Plane forward{{T(1), T(0)}};
    if (touched && value_of(at.heading[0]) > 0) forward = normalized(forward + at.heading);
    const auto along = [&](const Plane& axis, const T& rate, double rate_before) {
      const T z = T(0.5 * elapsed) * (rate + (touched ? T(rate_before) : rate));
      T decay, phi1, phi2;
      decayed(z, decay, phi1, phi2);
      return decay * dot(at.before, axis) +
             T(elapsed) * ((phi1 - phi2) * dot(at.slid, axis) + phi2 * dot(at.sliding, axis));
    };
    const Plane side{{-forward[1], forward[0]}};
    return along(forward, rate_x, memory.rate_x) * forward + along(side, rate_y, memory.rate_y) * side;
  }

  /// What the tread does, to force and moment.
  template <class T>
  static void add(const WheelMotion<T>& wheel, const Frame<T>& frame, const TyreForces<T>& tread, const T& resisting,
                  RollingForce<T>& result) {
    const SmallVector<T, 3> tangential = tread.forward * frame.x + tread.left * frame.y;
    result.force = result.force + tangential;
    result.moment = result.moment + cross(frame.arm, tangential) + tread.aligning * frame.n + resisting * wheel.axle;
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
  T resisting(const Model& by, const TreadMotion<T>& at, const T& pull) const {
    using std::sqrt;
    T part = T(rolling_resistance);
    if constexpr (std::is_same_v<Model, MagicFormula>)
      part = part + by.resistance(at.load, at.camber, pull, at.forward);
    if (value_of(part) == 0) return T(0);
    return -part * at.load * T(radius) * at.rim / sqrt(at.rim * at.rim + T(low_speed * low_speed));
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
  static void remember(const TreadForce<T>& tread, const TreadMotion<T>& motion, const Frame<T>& frame,
                       TreadMemory& memory) {
    const auto in_space = [&](const SmallVector<T, 2>& v, int i) {
      return value_of(v[0]) * value_of(frame.x[i]) + value_of(v[1]) * value_of(frame.y[i]);
    };
    for (int i = 0; i < 3; ++i) {
      memory.deflection[i] = in_space(tread.deflection, i);
      memory.slip_velocity[i] = in_space(motion.sliding, i);
      memory.forward[i] = value_of(frame.x[i]);
    }
    memory.rate_x = value_of(tread.rate_x);
    memory.rate_y = value_of(tread.rate_y);
    memory.touches = 1;
  }
};

}  // namespace cardan

#include "math/tyre/rolling_tyre_derivatives.hpp"
