#include "formulation/cartesian/cartesian_loads.hpp"

namespace cardan {
namespace {

/// The torque that a body turns with it, in inertial axes, and its derivative with respect to the attitude.
Space<2>::Angular carried_torque(const Attitude<2>::Parameters&, const Space<2>::Angular& n) { return n; }
Vec3 carried_torque(const Attitude<3>::Parameters& p, const Vec3& n) { return Attitude<3>::rotation(p) * n; }
Attitude<2>::Square carried_torque_tangent(const Attitude<2>::Parameters&, const Space<2>::Angular&) {
  return Attitude<2>::Square::Zero();
}
Attitude<3>::Tangent carried_torque_tangent(const Attitude<3>::Parameters& p, const Vec3& n) {
  return Attitude<3>::tangent(p, n, n);
}

/// w = torque_map p'
Attitude<2>::Square torque_map(const Attitude<2>::Parameters&) { return Attitude<2>::Square::Ones(); }
Attitude<3>::Tangent torque_map(const Attitude<3>::Parameters& p) { return 2 * Attitude<3>::inertial_map(p); }

}  // namespace

template <int D>
CartesianLoads<D>::CartesianLoads(const BodyModel<D>& model) : model_(model) {
  for (const PointForce& f : model.mechanism().forces)
    force_points_.push_back(model.measures().local_point(f.body, f.point));
}

template <int D>
typename Space<D>::Vector CartesianLoads<D>::force(const PointForce& f, double t) const {
  Vector components;
  for (int i = 0; i < D; ++i) components[i] = f.components[i](t);
  return components;
}

template <int D>
typename Space<D>::Angular CartesianLoads<D>::torque(const Torque& n, double t) const {
  if constexpr (D == 2) {
    return Angular(n.components[2](t));
  } else {
    return {n.components[0](t), n.components[1](t), n.components[2](t)};
  }
}

template <int D>
void CartesianLoads<D>::add_forces(double t, const Coordinates& c, const VecX& turns, VecX& Q, VecX& gradients,
                                   VecX& stiffness, VecX& damping) const {
  const int bodies = model_.bodies();
  for (int b = 0; b < bodies; ++b) Q.segment<D>(b * kBody) += model_.inertias()[b].mass * model_.gravity();
  add_point_forces(t, c, Q);
  add_torques(t, c, Q);
  MeasureDerivatives<D> s;
  for (const auto& effort : model_.efforts()) {
    const Measure<D>& m = effort.measure;
    s.position(m, c[m.body1], c[m.body2]);
    scatter<D>(m, bodies, s.gradient, effort.effort(t), Q);
  }
  double* row = gradients.data();
  for (std::size_t i = 0; i < model_.scalar_loads().size(); ++i) {
    const ScalarLoad& load = model_.scalar_loads()[i];
    const Measure<D>& m = load.measure;
    s.velocity(m, c[m.body1], c[m.body2]);
    const Function::Value spring = load.spring.evaluate(BodyModel<D>::elongation(load, s.value, turns));
    const Function::Value damper = load.damper.evaluate(s.rate);
    scatter<D>(m, bodies, s.gradient, -(spring.f + damper.f), Q);
    if (m.body1 < bodies) row = std::copy_n(s.gradient.data(), kBody, row);
    if (m.body2 < bodies) row = std::copy_n(s.gradient.data() + kBody, kBody, row);
    stiffness[i] = spring.d1;
    damping[i] = damper.d1;
  }
  const std::size_t scalar = model_.scalar_loads().size();
  add_tyres(c, Q, row, stiffness.data() + scalar, damping.data() + scalar);
}

template <int D>
void CartesianLoads<D>::add_point_forces(double t, const Coordinates& c, VecX& Q) const {
  using A = Attitude<D>;
  for (std::size_t i = 0; i < force_points_.size(); ++i) {
    const PointForce& load = model_.mechanism().forces[i];
    const int b = model_.measures().body_index(load.body);
    if (is_ground(b)) continue;
    const typename Space<D>::Rotation R = A::rotation(c[b].p);
    const Vector& s = force_points_[i];
    Vector f = force(load, t);
    if (load.body_axes) f = R * f;
    Q.segment<D>(b * kBody) += f;
    Q.segment<A::kSize>(b * kBody + D) += A::tangent(c[b].p, s, R * s).transpose() * f;
  }
}

/// Q = [f; (A s)_p^T f]
template <int D>
void CartesianLoads<D>::add_point_force_tangents(double t, const Coordinates& c, Eigen::MatrixXd& K) const {
  using A = Attitude<D>;
  for (std::size_t i = 0; i < force_points_.size(); ++i) {
    const PointForce& load = model_.mechanism().forces[i];
    const int b = model_.measures().body_index(load.body);
    if (is_ground(b)) continue;
    const typename Space<D>::Rotation R = A::rotation(c[b].p);
    const Vector& s = force_points_[i];
    const Vector local = force(load, t);
    const Vector f = load.body_axes ? Vector(R * local) : local;
    const int r = b * kBody, p = r + D;
    K.block<A::kSize, A::kSize>(p, p) -= A::curvature(f, s, R * s);
    if (!load.body_axes) continue;
    const typename A::Tangent f_p = A::tangent(c[b].p, local, f);
    K.block<D, A::kSize>(r, p) -= f_p;
    K.block<A::kSize, A::kSize>(p, p) -= A::tangent(c[b].p, s, R * s).transpose() * f_p;
  }
}

template <int D>
void CartesianLoads<D>::add_torques(double t, const Coordinates& c, VecX& Q) const {
  using A = Attitude<D>;
  for (const Torque& load : model_.mechanism().torques) {
    const int b1 = model_.measures().body_index(load.body1), b2 = model_.measures().body_index(load.body2);
    Angular n = torque(load, t);
    if (load.body_axes) n = carried_torque(c[b2].p, n);
    if (!is_ground(b2)) Q.segment<A::kSize>(b2 * kBody + D) += A::torque(c[b2].p, n);
    if (!is_ground(b1)) Q.segment<A::kSize>(b1 * kBody + D) -= A::torque(c[b1].p, n);
  }
}

/// Q_p = 2 E(p)^T n, linear in p and in n
template <int D>
void CartesianLoads<D>::add_torque_tangents(double t, const Coordinates& c, Eigen::MatrixXd& K) const {
  using A = Attitude<D>;
  for (const Torque& load : model_.mechanism().torques) {
    const int body[2] = {model_.measures().body_index(load.body1), model_.measures().body_index(load.body2)};
    const Angular local = torque(load, t);
    const Angular n = load.body_axes ? carried_torque(c[body[1]].p, local) : local;
    for (int i = 0; i < 2; ++i) {
      if (is_ground(body[i])) continue;
      const double sign = i == 0 ? -1 : 1;
      const int p = body[i] * kBody + D;
      K.block<A::kSize, A::kSize>(p, p) -= sign * A::torque_tangent(n);
      if (!load.body_axes || is_ground(body[1])) continue;
      K.block<A::kSize, A::kSize>(p, body[1] * kBody + D) -=
          sign * torque_map(c[body[i]].p).transpose() * carried_torque_tangent(c[body[1]].p, local);
    }
  }
}

template <int D>
void CartesianLoads<D>::add_tangents(double t, const Coordinates& c, const VecX& turns, Eigen::MatrixXd& K,
                                     Eigen::MatrixXd& C) const {
  const int bodies = model_.bodies();
  add_point_force_tangents(t, c, K);
  add_torque_tangents(t, c, K);
  add_tyre_tangents(c, K, C);
  MeasureDerivatives<D> s;
  typename MeasureDerivatives<D>::Square tangent;
  for (const auto& effort : model_.efforts()) {
    const Measure<D>& m = effort.measure;
    s.second(m, c[m.body1], c[m.body2]);
    scatter<D>(m, bodies, s.hessian, -effort.effort(t), K);
  }
  // Q = -s_q^T F, F = spring(s) + damper(s'):  -Q_q = k s_q^T s_q + c s_q^T (s_q v)_q + F s_qq,  -Q_v = c s_q^T s_q
  for (const ScalarLoad& load : model_.scalar_loads()) {
    const Measure<D>& m = load.measure;
    s.second(m, c[m.body1], c[m.body2]);
    const Function::Value spring = load.spring.evaluate(BodyModel<D>::elongation(load, s.value, turns));
    const Function::Value damper = load.damper.evaluate(s.rate);
    typename MeasureDerivatives<D>::Row v;
    v << c[m.body1].r_rate, c[m.body1].p_rate, c[m.body2].r_rate, c[m.body2].p_rate;
    const typename MeasureDerivatives<D>::Row rate_gradient = s.hessian * v;
    tangent = s.gradient * (spring.d1 * s.gradient + damper.d1 * rate_gradient).transpose() +
              (spring.f + damper.f) * s.hessian;
    scatter<D>(m, bodies, tangent, 1, K);
    tangent = damper.d1 * s.gradient * s.gradient.transpose();
    scatter<D>(m, bodies, tangent, 1, C);
  }
}

template class CartesianLoads<2>;
template class CartesianLoads<3>;

}  // namespace cardan
