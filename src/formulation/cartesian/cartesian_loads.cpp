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
  for (const ScalarLoad& load : model.scalar_loads()) wrenches_at_ += row_size(load.measure);
  wrenches_at_ += kBody * TyreModel<D>::kRows * static_cast<int>(model.tyres().size());
  across_at_ = wrenches_at_;
  for (const WrenchModel<D>& wrench : model.custom_wrenches())
    across_at_ += WrenchModel<D>::kRows * row_size(wrench.frames().one.body, wrench.frames().two.body);
  contacts_at_.push_back(0);
  for (const auto& [body1, body2] : model.contacts().slot_bodies())
    contacts_at_.push_back(contacts_at_.back() + ContactSet<D>::kRows * row_size(body1, body2));
}

template <int D>
typename Space<D>::Vector CartesianLoads<D>::force(const PointForce& f, double t, const BodyKinematics<D>& k) const {
  Vector components;
  for (int i = 0; i < D; ++i) components[i] = BodyModel<D>::value(f.components[i], t, k);
  return components;
}

template <int D>
typename Space<D>::Angular CartesianLoads<D>::torque(const Torque& n, double t, const BodyKinematics<D>& k) const {
  const auto component = [&](int i) { return BodyModel<D>::value(n.components[i], t, k); };
  if constexpr (D == 2) {
    return Angular(component(2));
  } else {
    return {component(0), component(1), component(2)};
  }
}

template <int D>
void CartesianLoads<D>::add_forces(double t, const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns,
                                   Equations& e) const {
  VecX &Q = e.force, &gradients = e.load_gradient, &stiffness = e.stiffness, &damping = e.damping;
  const int bodies = model_.bodies();
  for (int b = 0; b < bodies; ++b) Q.segment<D>(b * kBody) += model_.inertias()[b].mass * model_.gravity();
  add_point_forces(t, c, k, Q);
  add_torques(t, c, k, Q);
  MeasureDerivatives<D> s;
  for (const auto& effort : model_.efforts()) {
    const Measure<D>& m = effort.measure;
    s.position(m, c[m.body1], c[m.body2]);
    scatter<D>(m, bodies, s.gradient, effort.sign * BodyModel<D>::value(effort.law, t, k), Q);
  }
  const std::size_t scalar = model_.scalar_loads().size();
  double *row = gradients.data(), *across = row + across_at_;
  double* across_stiffness = stiffness.data() + model_.first_row_across();
  for (std::size_t i = 0; i < scalar; ++i) {
    const ScalarLoad& load = model_.scalar_loads()[i];
    const Measure<D>& m = load.measure;
    s.velocity(m, c[m.body1], c[m.body2]);
    const Function::Value spring = load.spring.evaluate(BodyModel<D>::elongation(load, s.value, turns));
    const Function::Value damper = load.damper.evaluate(s.rate);
    scatter<D>(m, bodies, s.gradient, -(spring.f + damper.f), Q);
    double* const along = row;
    row = write_row(m, s.gradient, row);
    stiffness[i] = spring.d1;
    damping[i] = damper.d1;
    if (!BodyModel<D>::acts_along_line(load)) continue;
    const double resistance = stiffness_across(spring.f + damper.f, s.value + m.offset, spring.d1);
    if (resistance > 0) write_across(m, c, along, across);
    across += kAcross<D> * row_size(m);
    for (int j = 0; j < kAcross<D>; ++j) *across_stiffness++ = resistance;
  }
  add_tyres(c, Q, row, stiffness.data() + scalar, damping.data() + scalar);
  add_wrenches(t, c, k, turns, e);
  if (!model_.contacts().empty()) add_contacts(c, k, turns, across, e);
  across += contacts_at_.back();
  if (!model_.signals().empty()) write_signal_rows(c, k, across, stiffness, damping);
}

template <int D>
void CartesianLoads<D>::project(const std::vector<typename Space<D>::Twist>& wrenches, const Coordinates& c,
                                double* force) const {
  for (int b = 0; b < model_.bodies(); ++b)
    force = std::copy_n(spread(wrenches[b], -c[b].r, c[b]).data(), kBody, force);
}

template <int D>
void CartesianLoads<D>::write_signal_rows(const Coordinates& c, const BodyKinematics<D>& k, double* row,
                                          VecX& stiffness, VecX& damping) const {
  std::size_t index = model_.first_signal_row();
  const auto write = [&](int body1, int body2, const typename Space<D>::Twist& w) {
    for (const auto& [body, sign] : {std::pair(body1, -1.0), std::pair(body2, 1.0)}) {
      if (is_ground(body)) continue;
      row = std::copy_n(Part(sign * spread(w, -c[body].r, c[body])).data(), kBody, row);
    }
    stiffness[index] = damping[index] = 0;
    ++index;
  };
  const SignalSet<D>& signals = model_.signals();
  for (const int leaf : signals.rows_of_leaves())
    write(signals.leaves()[leaf].body1, signals.leaves()[leaf].body2, signals.wrench(leaf, *k.signals));
  for (const auto& force : model_.signal_forces()) write(force.body1, force.body2, model_.wrench(force, k));
}

template <int D>
double* CartesianLoads<D>::write_row(const Measure<D>& m, const Row& gradient, double* row) const {
  if (!is_ground(m.body1)) row = std::copy_n(gradient.data(), kBody, row);
  if (!is_ground(m.body2)) row = std::copy_n(gradient.data() + kBody, kBody, row);
  return row;
}

/// What a unit force along e does at the end of the line on body 2, and its opposite at that on body 1.
template <int D>
typename CartesianLoads<D>::Row CartesianLoads<D>::unit_pull(const Measure<D>& line, const Vector& e,
                                                             const Coordinates& c) const {
  using A = Attitude<D>;
  Row row;
  const auto on_body = [&](int body, const Vector& local, const Vector& pull) {
    Eigen::Matrix<double, kBody, 1> part;
    part << pull, A::pull(c[body].p, local, c[body].rotation * local, pull);
    return part;
  };
  row << on_body(line.body1, line.point1, -e), on_body(line.body2, line.point2, e);
  return row;
}

template <int D>
void CartesianLoads<D>::write_across(const Measure<D>& line, const Coordinates& c, double* along,
                                     double* across) const {
  const auto point = [&](int body, const Vector& local) { return Vector(c[body].r + c[body].rotation * local); };
  const auto directions = line_directions<D>(point(line.body2, line.point2) - point(line.body1, line.point1));
  write_row(line, unit_pull(line, directions[0], c), along);
  for (int i = 1; i < D; ++i) across = write_row(line, unit_pull(line, directions[i], c), across);
}

template <int D>
void CartesianLoads<D>::add_point_forces(double t, const Coordinates& c, const BodyKinematics<D>& k, VecX& Q) const {
  using A = Attitude<D>;
  for (std::size_t i = 0; i < force_points_.size(); ++i) {
    const PointForce& load = model_.mechanism().forces[i];
    const int b = model_.measures().body_index(load.body);
    if (is_ground(b)) continue;
    const typename Space<D>::Rotation R = c[b].rotation;
    const Vector& s = force_points_[i];
    Vector f = force(load, t, k);
    if (load.body_axes) f = R * f;
    Q.segment<D>(b * kBody) += f;
    Q.segment<A::kSize>(b * kBody + D) += A::pull(c[b].p, s, R * s, f);
  }
}

/// Q = [f; (A s)_p^T f]
template <int D>
void CartesianLoads<D>::add_point_force_tangents(double t, const Coordinates& c, const BodyKinematics<D>& k,
                                                 BlockMatrix& K) const {
  using A = Attitude<D>;
  for (std::size_t i = 0; i < force_points_.size(); ++i) {
    const PointForce& load = model_.mechanism().forces[i];
    const int b = model_.measures().body_index(load.body);
    if (is_ground(b)) continue;
    const typename Space<D>::Rotation R = c[b].rotation;
    const Vector& s = force_points_[i];
    const Vector local = force(load, t, k);
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
void CartesianLoads<D>::add_torques(double t, const Coordinates& c, const BodyKinematics<D>& k, VecX& Q) const {
  using A = Attitude<D>;
  for (const Torque& load : model_.mechanism().torques) {
    const int b1 = model_.measures().body_index(load.body1), b2 = model_.measures().body_index(load.body2);
    Angular n = torque(load, t, k);
    if (load.body_axes) n = carried_torque(c[b2].p, n);
    if (!is_ground(b2)) Q.segment<A::kSize>(b2 * kBody + D) += A::torque(c[b2].p, n);
    if (!is_ground(b1)) Q.segment<A::kSize>(b1 * kBody + D) -= A::torque(c[b1].p, n);
  }
}

/// Q_p = 2 E(p)^T n, linear in p and in n
template <int D>
void CartesianLoads<D>::add_torque_tangents(double t, const Coordinates& c, const BodyKinematics<D>& k,
                                            BlockMatrix& K) const {
  using A = Attitude<D>;
  for (const Torque& load : model_.mechanism().torques) {
    const int body[2] = {model_.measures().body_index(load.body1), model_.measures().body_index(load.body2)};
    const Angular local = torque(load, t, k);
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
void CartesianLoads<D>::add_tangents(double t, const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns,
                                     BlockMatrix& K, BlockMatrix& C) const {
  const int bodies = model_.bodies();
  add_point_force_tangents(t, c, k, K);
  add_torque_tangents(t, c, k, K);
  add_tyre_tangents(c, K, C);
  add_wrench_tangents(t, c, k, turns, K, C);
  if (!model_.contacts().empty()) add_contact_tangents(c, k, turns, K, C);
  MeasureDerivatives<D> s;
  typename MeasureDerivatives<D>::Square tangent;
  for (const auto& effort : model_.efforts()) {
    const Measure<D>& m = effort.measure;
    s.second(m, c[m.body1], c[m.body2]);
    scatter<D>(m, bodies, s.hessian, -effort.sign * BodyModel<D>::value(effort.law, t, k), K);
  }
  // Q = -s_q^T F, F = spring(s) + damper(s'):  -Q_q = k s_q^T s_q + c s_q^T (s_q v)_q + F s_qq,  -Q_v = c s_q^T s_q
  for (const ScalarLoad& load : model_.scalar_loads()) {
    const Measure<D>& m = load.measure;
    s.second(m, c[m.body1], c[m.body2]);
    const Function::Value spring = load.spring.evaluate(BodyModel<D>::elongation(load, s.value, turns));
    const Function::Value damper = load.damper.evaluate(s.rate);
    if (BodyModel<D>::acts_along_line(load) && s.value + m.offset == 0 && spring.f == 0) {
      add_tangents_of_meeting_ends(m, c, spring.d1, damper.d1, K, C);
      continue;
    }
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

/// F = k s along d / s is k d: a spring of no free length resists all motions of its ends alike, where they meet too.
/// So does a damper those that begin there.
template <int D>
void CartesianLoads<D>::add_tangents_of_meeting_ends(const Measure<D>& line, const Coordinates& c, double k,
                                                     double damping, BlockMatrix& K, BlockMatrix& C) const {
  for (int i = 0; i < D; ++i) {
    const Row row = unit_pull(line, Vector::Unit(i), c);
    const typename MeasureDerivatives<D>::Square square = row * row.transpose();
    scatter<D>(line, model_.bodies(), square, k, K);
    scatter<D>(line, model_.bodies(), square, damping, C);
  }
}

template class CartesianLoads<2>;
template class CartesianLoads<3>;

}  // namespace cardan
