// The force of a road on a wheel. A law of the wheel's centre c, axle a and velocity v, written for any scalar type:
// numbers in the loop, Dual numbers where exact derivatives are asked for.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "cardan/mechanism.hpp"
#include "math/disc_contact.hpp"
#include "math/space.hpp"

namespace cardan {

/// Side force F_y and aligning torque M_z from load, slip angle and camber angle: the formulas stand at CalspanTyre.
template <class T>
struct SideForce {
  T force = T(0), torque = T(0);
  double cornering = 0;  // -dF_y/dslip

  SideForce(const CalspanTyre& p, const T& load, const T& slip, const T& camber) {
    using std::abs;
    const T F = value_of(load) < p.a2 ? load : T(p.a2);
    const T c_slip = T(p.a0) + T(p.a1) * F - T(p.a1 / p.a2) * F * F;
    const T c_camber = T(p.a3) * F - T(p.a3 / p.a4) * F * F;
    const T limit = T(p.skid) * (T(p.b1) * load + T(p.b3) + T(p.b4) * load * load) * load;
    if (!(value_of(limit) > 0)) return;
    const T s = -(c_slip * slip + c_camber * camber) / limit;
    const double size = std::abs(value_of(s));
    const T shape = size < 3 ? s - s * abs(s) * T(1.0 / 3) + s * s * s * T(1.0 / 27) : T(value_of(s) < 0 ? -1.0 : 1.0);
    force = limit * shape;
    torque = (T(p.m1) * load + T(p.m2) * abs(force)) * force;
    cornering = size < 3 ? value_of(c_slip) * (1 - size / 3) * (1 - size / 3) : 0;
  }
};

/// What the road does to one wheel: force and moment about the wheel's centre. In the plane the moment is unused.
template <class T, int D>
struct TyreForce {
  T energy = T(0);  // stored in the tyre, J
  SmallVector<T, D> force{}, moment{};
  SmallVector<T, D> elastic{};  // the part of `force` that `energy` accounts for
  T load = T(0);                // radial, N
  // For the rows of approximate tangents: stiffness and damping at the centre in the plane of the profile (xx, xz, zz),
  // and the direction, place from the centre and damping of the side force.
  double stiffness[3] = {0, 0, 0}, damping[3] = {0, 0, 0};
  SmallVector<double, D> side{}, side_arm{};
  double side_damping = 0;
};

/// One row of the tangents: a force along `direction` at `arm` from the wheel's centre, with stiffness and damping.
template <int D>
struct TyreRow {
  typename Space<D>::Vector direction = Space<D>::Vector::Zero(), arm = Space<D>::Vector::Zero();
  double stiffness = 0, damping = 0;
};

template <int D>
class TyreModel {
 public:
  using Vector = typename Space<D>::Vector;
  static constexpr int kHeight = D - 1;    // the profile lies in x and the last coordinate
  static constexpr double kEngage = 0.01;  // damping sets in over this part of the radius

  int body = 0;                                           // index into BodyKinematics
  Vector center = Vector::Zero(), axis = Vector::Zero();  // in the body's axes, from its centre

  TyreModel(const Tyre& tyre, const Road& road) : tyre_(tyre), profile_(road.profile) {}
  const Tyre& tyre() const { return tyre_; }
  const Profile& profile() const { return profile_; }
  bool is_on_road(double x, double height) const { return profile_.covers(x) && height > profile_.height(x); }

  /// Not a number where the wheel is off the road.
  TyreForce<double, D> force(const SmallVector<double, D>& c, const SmallVector<double, D>& a,
                             const SmallVector<double, D>& v) const {
    TyreForce<double, D> result = evaluate<double>(c, a, v);
    if (!is_on_road(c[0], c[kHeight])) result.force[0] = std::numeric_limits<double>::quiet_NaN();
    return result;
  }

  template <class T>
  TyreForce<T, D> evaluate(const SmallVector<T, D>& c, const SmallVector<T, D>& a, const SmallVector<T, D>& v) const {
    using std::sqrt;
    TyreForce<T, D> result;
    for (int i = 0; i < D; ++i) result.force[i] = result.moment[i] = result.elastic[i] = T(0);
    const auto contact =
        profile_.touch<T>({{c[0], c[kHeight]}}, {{v[0], v[kHeight]}}, tyre_.radius, kEngage * tyre_.radius);
    const double k = tyre_.stiffness, d = tyre_.damping;
    result.energy = T(k) * contact.energy;
    SmallVector<T, 2> radial;  // spring and damper; a damper does not pull the wheel to the road
    for (int i = 0; i < 2; ++i) radial[i] = T(k) * contact.push[i] - T(d) * contact.drag[i];
    if (value_of(dot(radial, contact.push)) < 0) radial = {{T(0), T(0)}};
    for (int i = 0; i < 3; ++i) {
      result.stiffness[i] = k * contact.normals[i];
      result.damping[i] = d * contact.drags[i];
    }
    result.force[0] = radial[0], result.force[kHeight] = radial[1];
    result.elastic[0] = T(k) * contact.push[0], result.elastic[kHeight] = T(k) * contact.push[1];
    const double square = value_of(dot(radial, radial));
    if (square > 0) result.load = sqrt(dot(radial, radial));
    if constexpr (D == 3) {
      if (tyre_.lateral && square > 0) add_side_force(radial, contact.push, a, v, result);
    }
    return result;
  }

  static constexpr int kRows = D == 3 ? 3 : 2;
  /// The principal directions of the stiffness K = sum of k n n^T at the wheel's centre, and the side force. What a
  /// corner takes away may make a principal stiffness negative, which a tangent does without.
  static std::array<TyreRow<D>, kRows> rows(const TyreForce<double, D>& f) {
    std::array<TyreRow<D>, kRows> result;
    const double mean = 0.5 * (f.stiffness[0] + f.stiffness[2]), half = 0.5 * (f.stiffness[0] - f.stiffness[2]);
    const double spread = std::sqrt(half * half + f.stiffness[1] * f.stiffness[1]);
    // Half of the angle of (half, stiffness[1]), whose larger one of sine and cosine is found first.
    double cosine = 1, sine = 0;
    if (spread > 0 && half >= 0) {
      cosine = std::sqrt((spread + half) / (2 * spread));
      sine = f.stiffness[1] / (2 * spread * cosine);
    } else if (spread > 0) {
      sine = std::copysign(std::sqrt((spread - half) / (2 * spread)), f.stiffness[1]);
      cosine = f.stiffness[1] / (2 * spread * sine);
    }
    for (int i = 0; i < 2; ++i) {
      const double x = i == 0 ? cosine : -sine, z = i == 0 ? sine : cosine;
      result[i].direction[0] = x, result[i].direction[kHeight] = z;
      result[i].stiffness = std::max(0.0, i == 0 ? mean + spread : mean - spread);
      result[i].damping = std::max(0.0, f.damping[0] * x * x + 2 * f.damping[1] * x * z + f.damping[2] * z * z);
    }
    if constexpr (D == 3) {
      for (int i = 0; i < 3; ++i) result[2].direction[i] = f.side[i], result[2].arm[i] = f.side_arm[i];
      result[2].damping = f.side_damping;
    }
    return result;
  }

 private:
  /// The contact's axes: x along the wheel's track, y to its side, z = n the normal; the wheel touches the road at the
  /// end of its spoke e_z, which is perpendicular to the axle.
  template <class T>
  void add_side_force(const SmallVector<T, 2>& radial, const SmallVector<T, 2>& push, const SmallVector<T, 3>& a,
                      const SmallVector<T, 3>& v, TyreForce<T, 3>& result) const {
    using std::atan;
    using std::sqrt;
    const CalspanTyre& p = *tyre_.lateral;
    const T load = sqrt(dot(radial, radial)), depth = sqrt(dot(push, push));
    const SmallVector<T, 3> n{{radial[0] / load, T(0), radial[1] / load}};
    const SmallVector<T, 3> ex = normalized(cross(a, n)), ey = cross(n, ex), ez = cross(ex, a);
    const T vx = dot(v, ex), vy = dot(v, ey), upright = dot(n, ez);
    const T speed = sqrt(vx * vx + T(p.low_speed * p.low_speed));
    const T slip = atan(vy / speed), camber = atan(dot(n, a) / upright);
    const SideForce<T> side(p, load, slip, camber);
    const SmallVector<T, 3> arm = (-(T(tyre_.radius) - depth) / upright) * ez;
    result.force = result.force + side.force * ey;
    // The trail is behind the wheel, wherever it rolls to and however its axle is counted.
    result.moment = cross(arm, result.force) + (side.torque * vx / speed) * n;
    const double w = value_of(vy) / value_of(speed);
    result.side_damping = side.cornering / (value_of(speed) * (1 + w * w));
    for (int i = 0; i < 3; ++i) result.side[i] = value_of(ey[i]), result.side_arm[i] = value_of(arm[i]);
  }

  Tyre tyre_;
  Profile profile_;
};

}  // namespace cardan
