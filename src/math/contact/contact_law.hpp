// The force at one point of contact, for any scalar type. With d the depth, d' its rate,
//     N = k d^n (1 + s d' / v),   0 where that is less      v the speed at which the contact began
// after Hunt and Crossley (J. Appl. Mech. 42 (1975) 440-445). Two bodies that meet with v and no other forces part with
// e v for any k, n and masses when (Gonthier, McPhee, Lange, Piedboeuf: Multibody System Dynamics 11 (2004) 209-233)
//     (1 + e) s = ln((1 + s) / (1 - e s)),
// which restitution_damping() solves, so that it holds for low e as well. Such an impact compresses them until
//     k d^(n+1) / (n + 1) = m v^2 w,     w = (s - ln(1 + s)) / s^2
// A contact that lasts, deeper than that, is loaded by something else: it is damped with the v of an impact that would
// have pressed it so deep, about critically, however heavy the load. Friction with x the displacement of the two bodies
// from where they stuck and v_t their sliding velocity, both along the surface, is
//     F = -g where |g| <= mu N,   -mu N g / |g| beyond,     g = k_t x + c_t v_t,   c_t = mu N / v_0 <= 2 sqrt(k_t m)
// and x is brought back to k_t |x| <= mu N at the end of a step: what sticks is held by a spring and does not creep.
// What is round is slowed by the moment f N R against rolling and spinning.
#pragma once

#include <algorithm>

#include "math/dual.hpp"

namespace cardan {

struct ContactLaw {
  double stiffness = 0;   // k, N/m^n
  double exponent = 1;    // n
  double damping = 0;     // s
  double friction = 0;    // mu
  double tangential = 0;  // k_t, N/m
  double speed = 0.05;    // v_0, m/s: slower than that, contacts are taken to begin with it
  double rolling = 0;     // f
  double share = 0.5;     // w, of the damping s
};

/// What the law knows of the two bodies and of what was before.
struct ContactPast {
  double mass = 0;       // m, that of the two bodies reduced; 0: not known
  double began = 0;      // v, m/s; 0 when it begins now
  bool settled = false;  // it is not the impact any more by which the contact began, or that was slower than v_0
};

/// Below this a rebound is too little to tell: it counts as this much.
inline constexpr double kLeastRestitution = 0.01;
double restitution_damping(double restitution);
/// w: of the energy m v^2 of an impact, what is elastic where it is deepest.
double elastic_share(double damping);

template <class T>
struct NormalForce {
  T elastic = T(0), force = T(0);
  double stiffness = 0, damping = 0;  // dN/dd, dN/dd'

  NormalForce(const ContactLaw& law, const T& depth, const T& rate, const ContactPast& past) {
    using std::pow;
    using std::sqrt;
    const double d = value_of(depth), v = value_of(rate);
    elastic = T(law.stiffness) * (law.exponent == 1 ? depth : T(pow(depth, law.exponent)));
    const double slope = law.exponent * value_of(elastic) / d;
    T began(std::max(past.began, law.speed));
    double deepening = 0;  // d began / dd
    if (past.settled && past.mass > 0) {
      const T pressed = sqrt(elastic * depth * T(1 / ((law.exponent + 1) * past.mass * law.share)));
      if (value_of(pressed) > value_of(began)) {
        began = pressed;
        deepening = 0.5 * (law.exponent + 1) * value_of(pressed) / d;
      }
    }
    const bool faster = v > value_of(began);
    const T factor = faster ? T(1 + law.damping) : T(1) + T(law.damping) * rate / began;
    if (!(value_of(factor) > 0)) return;
    force = elastic * factor;
    damping = faster ? 0 : value_of(elastic) * law.damping / value_of(began);
    stiffness = slope * value_of(factor) - damping * v / value_of(began) * deepening;
  }
};

/// `normal`: N. Vectors lie in the surface.
template <class T>
struct FrictionForce {
  SmallVector<T, 3> force{{T(0), T(0), T(0)}};
  bool slips = false;
  double size = 0;                   // |g|
  double viscous = 0, by_limit = 0;  // c_t, and how it follows mu N
  SmallVector<T, 3> g{{T(0), T(0), T(0)}};

  FrictionForce(const ContactLaw& law, const T& normal, const SmallVector<T, 3>& displacement,
                const SmallVector<T, 3>& velocity, const ContactPast& past) {
    using std::sqrt;
    const T limit = T(law.friction) * normal;
    if (!(value_of(limit) > 0)) return;
    const double most = past.mass > 0 ? 2 * std::sqrt(law.tangential * past.mass) : value_of(limit) / law.speed;
    const bool critical = value_of(limit) > most * law.speed;
    const T damping = critical ? T(most) : limit * T(1 / law.speed);
    viscous = value_of(damping), by_limit = critical ? 0 : 1 / law.speed;
    g = T(law.tangential) * displacement + damping * velocity;
    const T square = dot(g, g);
    size = std::sqrt(value_of(square));
    slips = size > value_of(limit);
    force = slips ? (-limit / sqrt(square)) * g : T(-1) * g;
  }
};

/// Against the angular velocity of one body relative to the other; `radius`: of what rolls.
template <class T>
SmallVector<T, 3> rolling_moment(const ContactLaw& law, const T& normal, const SmallVector<T, 3>& spin, double radius) {
  using std::sqrt;
  if (!(law.rolling * radius * value_of(normal) > 0)) return SmallVector<T, 3>{{T(0), T(0), T(0)}};
  const double slow = law.speed / radius;
  return (T(-law.rolling * radius) * normal / sqrt(dot(spin, spin) + T(slow * slow))) * spin;
}

}  // namespace cardan
