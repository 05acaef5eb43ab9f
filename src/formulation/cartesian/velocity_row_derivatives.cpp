// Velocities that are rates of no scalar, B v: the row B with the derivatives that MeasureDerivatives tells. B is the
// force e at the point K as a generalized force on the coordinates of the two bodies,
//     B = [-e; -torque(p1, (K - r1) x e); e; torque(p2, (K - r2) x e)],
// written once for any scalar type. B_q is not symmetric: with H_ij = dB_i / dq_j the rate has the gradient H^T v, and
// B changes by H v.
#include "formulation/cartesian/measure_derivatives.hpp"
#include "math/dual.hpp"
#include "math/nested_dual.hpp"

namespace cardan {
namespace {

template <class T, int D>
using Small = SmallVector<T, D>;

template <class T>
Small<T, 2> turned(const T* p, const Vec2& s) {
  using std::cos, std::sin;
  const T c = cos(p[0]), n = sin(p[0]);
  return {{c * T(s[0]) - n * T(s[1]), n * T(s[0]) + c * T(s[1])}};
}
/// (e0^2 - e.e) s + 2 e (e.s) + 2 e0 e x s
template <class T>
Small<T, 3> turned(const T* p, const Vec3& local) {
  const Small<T, 3> e{{p[1], p[2], p[3]}}, s{{T(local[0]), T(local[1]), T(local[2])}};
  return (p[0] * p[0] - dot(e, e)) * s + (T(2) * dot(e, s)) * e + (T(2) * p[0]) * cross(e, s);
}

/// The generalized force of the force f with the arm r, on an attitude.
template <class T>
void write_torque(const T*, const Small<T, 2>& r, const Small<T, 2>& f, T* out) {
  out[0] = r[0] * f[1] - r[1] * f[0];
}
template <class T>
void write_torque(const T* p, const Small<T, 3>& r, const Small<T, 3>& f, T* out) {
  const Small<T, 3> e{{p[1], p[2], p[3]}}, n = cross(r, f), turned = p[0] * n - cross(e, n);
  out[0] = T(-2) * dot(e, n);
  for (int i = 0; i < 3; ++i) out[1 + i] = T(2) * turned[i];
}

/// Lowest point and directions of a disc, see rolling_disc.hpp.
template <class T>
void feel_disc(bool, const Small<T, 2>& normal, const Small<T, 2>&, double radius, Small<T, 2>& e, Small<T, 2>& point) {
  point = point - T(radius) * normal;
  e = {{-normal[1], normal[0]}};
}
template <class T>
void feel_disc(bool lateral, const Small<T, 3>& normal, const Small<T, 3>& axle, double radius, Small<T, 3>& e,
               Small<T, 3>& point) {
  const Small<T, 3> heading = normalized(cross(axle, normal));
  point = point - T(radius) * cross(heading, axle);
  e = lateral ? cross(normal, heading) : heading;
}

/// B at the coordinates q of body 1 and body 2.
template <class T, int D>
void write_row(const Measure<D>& m, const T* q, T* row) {
  using Kind = typename Measure<D>::Kind;
  constexpr int kBody = BodyCoordinates<D>::kSize;
  const T *one = q, *two = q + kBody;
  Small<T, D> r1, r2;
  for (int i = 0; i < D; ++i) r1[i] = one[i], r2[i] = two[i];
  Small<T, D> e = turned(two + D, m.e2), point = r2 + turned(two + D, m.point2);
  if (m.kind != Kind::across)
    feel_disc(m.kind == Kind::lateral, turned(one + D, m.e1), Small<T, D>(e), m.radius, e, point);
  for (int i = 0; i < D; ++i) row[i] = -e[i], row[kBody + i] = e[i];
  write_torque(one + D, point - r1, e, row + D);
  write_torque(two + D, point - r2, e, row + kBody + D);
  for (int i = D; i < kBody; ++i) row[i] = -row[i];
}

}  // namespace

template <int D>
void MeasureDerivatives<D>::evaluate_velocity(Level level, const Measure<D>& m, const BodyCoordinates<D>& one,
                                              const BodyCoordinates<D>& two) {
  Row q, v;
  q << one.r, one.p, two.r, two.p;
  v << one.r_rate, one.p_rate, two.r_rate, two.p_rate;
  value = 0;
  if (level == Level::position) return write_row<double, D>(m, q.data(), gradient.data());
  using Rate = NestedDual<double, 1>;
  if (level == Level::velocity) {
    Rate at[kSize], row[kSize];
    for (int i = 0; i < kSize; ++i) at[i].f = q[i], at[i].d[0] = v[i];
    write_row<Rate, D>(m, at, row);
    bias = 0;
    for (int i = 0; i < kSize; ++i) gradient[i] = row[i].f, bias += row[i].d[0] * v[i];
  } else {
    using Second = NestedDual<Rate, kSize>;
    Second at[kSize], row[kSize];
    for (int i = 0; i < kSize; ++i) at[i].f.f = q[i], at[i].f.d[0] = v[i], at[i].d[i] = 1;
    write_row<Second, D>(m, at, row);
    bias = 0;
    bias_gradient.setZero();
    for (int i = 0; i < kSize; ++i) {
      gradient[i] = row[i].f.f;
      bias += row[i].f.d[0] * v[i];
      for (int j = 0; j < kSize; ++j) {
        hessian(i, j) = row[i].d[j].f;
        bias_gradient[j] += row[i].d[j].d[0] * v[i];
      }
    }
  }
  rate = gradient.dot(v);
}

template void MeasureDerivatives<2>::evaluate_velocity(Level, const Measure<2>&, const BodyCoordinates<2>&,
                                                       const BodyCoordinates<2>&);
template void MeasureDerivatives<3>::evaluate_velocity(Level, const Measure<3>&, const BodyCoordinates<3>&,
                                                       const BodyCoordinates<3>&);

}  // namespace cardan
