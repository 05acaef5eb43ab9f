// The force at one point of contact, for any scalar type. With d the depth, d' its rate,
//     N = k d^n (1 + s d' / v),   0 where that is less      v the speed at which the contact began
// after Hunt and Crossley (J. Appl. Mech. 42 (1975) 440-445). Two bodies that meet with v and no other forces part with
// e v for any k, n and masses when (Gonthier, McPhee, Lange, Piedboeuf: Multibody System Dynamics 11 (2004) 209-233)
//     (1 + e) s = ln((1 + s) / (1 - e s)),
// which restitution_damping() solves, so that it holds for low e as well. Friction with x the displacement of the two
// bodies from where they stuck and v_t their sliding velocity, both along the surface, is
//     F = -g where |g| <= mu N,   -mu N g / |g| beyond,     g = k_t x + (mu N / v_0) v_t
// and x is brought back to k_t |x| <= mu N at the end of a step: what sticks is held by a spring and does not creep.
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
};

/// Below this a rebound is too little to tell: it counts as this much.
inline constexpr double kLeastRestitution = 0.01;
double restitution_damping(double restitution);

template <class T>
struct NormalForce {
  T elastic = T(0), force = T(0);
  double stiffness = 0, damping = 0;  // dN/dd, dN/dd'

  /// `began`: the speed at which the contact began, 0 when that is now.
  NormalForce(const ContactLaw& law, const T& depth, const T& rate, double began) {
    using std::pow;
    const double d = value_of(depth), v = value_of(rate);
    elastic = T(law.stiffness) * (law.exponent == 1 ? depth : T(pow(depth, law.exponent)));
    const double slope = law.exponent * value_of(elastic) / d;
    const double known = std::max(began, law.speed);
    const T factor = v > known ? T(1 + law.damping) : T(1) + T(law.damping / known) * rate;
    if (!(value_of(factor) > 0)) return;
    force = elastic * factor;
    stiffness = slope * value_of(factor);
    damping = v > known ? 0 : value_of(elastic) * law.damping / known;
  }
};

/// `normal`: N. Vectors lie in the surface.
template <class T>
struct FrictionForce {
  SmallVector<T, 3> force{{T(0), T(0), T(0)}};
  bool slips = false;
  double size = 0;  // |g|
  SmallVector<T, 3> g{{T(0), T(0), T(0)}};

  FrictionForce(const ContactLaw& law, const T& normal, const SmallVector<T, 3>& displacement,
                const SmallVector<T, 3>& velocity) {
    using std::sqrt;
    const T limit = T(law.friction) * normal;
    if (!(value_of(limit) > 0)) return;
    g = T(law.tangential) * displacement + (limit * T(1 / law.speed)) * velocity;
    const T square = dot(g, g);
    size = std::sqrt(value_of(square));
    slips = size > value_of(limit);
    force = slips ? (-limit / sqrt(square)) * g : T(-1) * g;
  }
};

}  // namespace cardan
