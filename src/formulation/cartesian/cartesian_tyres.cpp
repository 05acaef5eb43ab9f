// Tyres in Cartesian coordinates: a force F and a moment M at the wheel's centre c = r + A s, laws of c, of the axle
// a = A e and of the velocity v = c'. Their derivatives come from Dual numbers, those of c, a and v from the attitude.
#include "formulation/cartesian/cartesian_loads.hpp"

namespace cardan {

template <int D>
struct CartesianLoads<D>::WheelMotion {
  typename Attitude<D>::Tangent c_p, a_p, v_p;  // with respect to the attitude
  Vector arm;                                   // A s
  SmallVector<double, D> c, a, v;
};

template <int D>
typename CartesianLoads<D>::WheelMotion CartesianLoads<D>::wheel_motion(const TyreModel<D>& tyre,
                                                                        const Coordinates& coordinates) const {
  using A = Attitude<D>;
  const BodyCoordinates<D>& b = coordinates[tyre.body];
  const typename Space<D>::Rotation R = b.rotation;
  const Vector axle = R * tyre.axis;
  WheelMotion m;
  m.arm = R * tyre.center;
  m.c_p = A::tangent(b.p, tyre.center, m.arm);
  m.a_p = A::tangent(b.p, tyre.axis, axle);
  m.v_p = A::tangent_rate(b.p_rate, tyre.center, m.arm);
  const Vector velocity = b.r_rate + m.c_p * b.p_rate;
  for (int i = 0; i < D; ++i) m.c[i] = b.r[i] + m.arm[i], m.a[i] = axle[i], m.v[i] = velocity[i];
  return m;
}

template <int D>
void CartesianLoads<D>::add_tyres(const Coordinates& c, VecX& Q, double* gradients, double* stiffness,
                                  double* damping) const {
  using A = Attitude<D>;
  for (const TyreModel<D>& tyre : model_.tyres()) {
    const WheelMotion m = wheel_motion(tyre, c);
    const TyreForce<double, D> f = tyre.force(m.c, m.a, m.v);
    const auto spread = [&](const Vector& force, const Angular& moment, double* out) {
      Eigen::Map<Eigen::Matrix<double, kBody, 1>> row(out);
      row.template head<D>() += force;
      row.template tail<A::kSize>() += m.c_p.transpose() * force + A::torque(c[tyre.body].p, moment);
    };
    Vector force;
    Angular torque = Angular::Zero();
    for (int i = 0; i < D; ++i) force[i] = f.force[i];
    for (int i = 0; D == 3 && i < D; ++i) torque[i] = f.moment[i];
    spread(force, torque, Q.data() + tyre.body * kBody);
    for (const TyreRow<D>& r : TyreModel<D>::rows(f)) {
      std::fill(gradients, gradients + kBody, 0.0);
      spread(r.direction, moment(r.arm, r.direction), gradients);
      gradients += kBody;
      *stiffness++ = r.stiffness;
      *damping++ = r.damping;
    }
  }
}

/// Q = [F; c_p^T F + torque(p, M)]:  Q_q from F_q and M_q, and from c_pp and the torque's own p
template <int D>
void CartesianLoads<D>::add_tyre_tangents(const Coordinates& coordinates, BlockMatrix& K, BlockMatrix& C) const {
  using A = Attitude<D>;
  using Number = Dual<3 * D>;
  using Block = Eigen::Matrix<double, D, kBody>;
  for (const TyreModel<D>& tyre : model_.tyres()) {
    const WheelMotion m = wheel_motion(tyre, coordinates);
    SmallVector<Number, D> c, a, v;
    for (int i = 0; i < D; ++i) {
      c[i] = Number::variable(m.c[i], i);
      a[i] = Number::variable(m.a[i], D + i);
      v[i] = Number::variable(m.v[i], 2 * D + i);
    }
    const TyreForce<Number, D> f = tyre.template evaluate<Number>(c, a, v);
    Eigen::Matrix<double, 3 * D, kBody> by_q = Eigen::Matrix<double, 3 * D, kBody>::Zero(), by_v = by_q;
    by_q.template block<D, D>(0, 0).setIdentity();
    by_q.template block<D, A::kSize>(0, D) = m.c_p;
    by_q.template block<D, A::kSize>(D, D) = m.a_p;
    by_q.template block<D, A::kSize>(2 * D, D) = m.v_p;
    by_v.template block<D, D>(2 * D, 0).setIdentity();
    by_v.template block<D, A::kSize>(2 * D, D) = m.c_p;
    Vector force, torque;
    Block force_q, force_v, torque_q, torque_v;
    for (int i = 0; i < D; ++i) {
      force[i] = f.force[i].f;
      torque[i] = f.moment[i].f;
      force_q.row(i) = f.force[i].d.transpose() * by_q;
      force_v.row(i) = f.force[i].d.transpose() * by_v;
      torque_q.row(i) = f.moment[i].d.transpose() * by_q;
      torque_v.row(i) = f.moment[i].d.transpose() * by_v;
    }
    const int r = tyre.body * kBody, p = r + D;
    K.block<D, kBody>(r, r) -= force_q;
    C.block<D, kBody>(r, r) -= force_v;
    K.block<A::kSize, kBody>(p, r) -= m.c_p.transpose() * force_q;
    C.block<A::kSize, kBody>(p, r) -= m.c_p.transpose() * force_v;
    K.block<A::kSize, A::kSize>(p, p) -= A::curvature(force, tyre.center, m.arm);
    if constexpr (D == 3) {
      const Attitude<3>::Tangent map = 2 * Attitude<3>::inertial_map(coordinates[tyre.body].p);
      K.block<A::kSize, kBody>(p, r) -= map.transpose() * torque_q;
      C.block<A::kSize, kBody>(p, r) -= map.transpose() * torque_v;
      K.block<A::kSize, A::kSize>(p, p) -= A::torque_tangent(torque);
    }
  }
}

template void CartesianLoads<2>::add_tyres(const Coordinates&, VecX&, double*, double*, double*) const;
template void CartesianLoads<3>::add_tyres(const Coordinates&, VecX&, double*, double*, double*) const;
template void CartesianLoads<2>::add_tyre_tangents(const Coordinates&, BlockMatrix&, BlockMatrix&) const;
template void CartesianLoads<3>::add_tyre_tangents(const Coordinates&, BlockMatrix&, BlockMatrix&) const;

}  // namespace cardan
