// BodyModel: what acts on the bodies, with tangents, energy and power.
#include "formulation/body_model.hpp"
#include "math/by_processor.hpp"

namespace cardan {

/// In the body's own axes, where its inertia is constant.
static Space<2>::Angular angular_in_body(const Space<2>::Rotation&, const Space<2>::Angular& w) { return w; }
static Vec3 angular_in_body(const Mat3& rotation, const Vec3& w) { return rotation.transpose() * w; }

template <int D>
RigidInertia<D> BodyModel<D>::inertia(int body, const BodyKinematics<D>& k) const {
  const BodyInertia& i = inertias_[body];
  return RigidInertia<D>::of_body(i.mass, k.center[body], i.turning.turned(k.rotation[body]));
}

template <int D>
double BodyModel<D>::tension(const ScalarLoad& load, const BodyKinematics<D>& k, const VecX& turns) const {
  const auto [s, w] = load.measure.evaluate(k);
  return load.spring(elongation(load, s, turns)) + load.damper(load.measure.rate(k, w));
}

template <int D>
[[gnu::flatten]] CARDAN_BY_PROCESSOR TyreForce<double, D> BodyModel<D>::tyre_force(const TyreModel<D>& tyre,
                                                                                   const BodyKinematics<D>& k) const {
  const Vector c = k.point(tyre.body, tyre.center), a = k.rotation[tyre.body] * tyre.axis;
  const Vector v = velocity_at<D>(k.twist[tyre.body], c);
  SmallVector<double, D> place, axle, velocity;
  for (int i = 0; i < D; ++i) place[i] = c[i], axle[i] = a[i], velocity[i] = v[i];
  return tyre.force(place, axle, velocity);
}

template <int D>
typename Space<D>::Vector BodyModel<D>::force_components(const PointForce& force, double t, const BodyKinematics<D>& k,
                                                         int body) const {
  Vector f;
  for (int i = 0; i < D; ++i) f[i] = value(force.components[i], t, k);
  return force.body_axes ? Vector(k.rotation[body] * f) : f;
}

template <int D>
typename Space<D>::Angular BodyModel<D>::torque_components(const Torque& torque, double t, const BodyKinematics<D>& k,
                                                           int body) const {
  if constexpr (D == 2) {
    (void)body;
    return typename S::Angular(value(torque.components[2], t, k));
  } else {
    Vec3 n;
    for (int i = 0; i < 3; ++i) n[i] = value(torque.components[i], t, k);
    return torque.body_axes ? Vec3(k.rotation[body] * n) : n;
  }
}

template <int D>
CARDAN_BY_PROCESSOR void BodyModel<D>::apply_gravity(const BodyKinematics<D>& k, std::vector<Twist>& wrenches) const {
  for (int b = 0; b < bodies(); ++b) wrenches[b] = force_at<D>(inertias_[b].mass * gravity_, k.center[b]);
}

template <int D>
bool BodyModel<D>::finds_loads_or_drivers() const {
  return !mechanism_.forces.empty() || !mechanism_.torques.empty() || !efforts_.empty() || !scalar_loads_.empty() ||
         !tyres_.empty() || !custom_wrenches_.empty() || !contacts_->empty() || !drivers_.empty() || !signals_->empty();
}

template <int D>
void BodyModel<D>::apply_loads(double t, const BodyKinematics<D>& k, const VecX& turns, std::vector<Twist>& wrenches,
                               LoadTangents* tangents) const {
  if (!loaded_) return;
  for (std::size_t i = 0; i < mechanism_.forces.size(); ++i) {
    const PointForce& f = mechanism_.forces[i];
    const int body = measures_.body_index(f.body);
    wrenches[body] += force_at<D>(force_components(f, t, k, body), k.point(body, force_points_[i]));
  }
  for (const Torque& torque : mechanism_.torques) {
    const int b1 = measures_.body_index(torque.body1), b2 = measures_.body_index(torque.body2);
    const Twist n = twist<D>(Vector::Zero(), torque_components(torque, t, k, b2));
    wrenches[b2] += n;
    wrenches[b1] -= n;
  }
  for (const Effort& e : efforts_) {
    const Twist w = e.measure.gradient(k) * (e.sign * value(e.law, t, k));
    wrenches[e.measure.body2] += w;
    wrenches[e.measure.body1] -= w;
  }
  apply_springs(k, turns, wrenches, tangents);
  apply_tyres(k, wrenches, tangents);
  apply_wrenches(t, k, turns, wrenches, tangents);
  if (!contacts_->empty()) apply_contacts(k, turns, wrenches, tangents);
  if (!tangents) return;
  std::size_t row = first_signal_row();
  const auto write = [&](const Twist& w) {
    tangents->gradients[load_rows_[row].wrench1] = w;
    tangents->write(row, 0, 0);
    tangents->equations.live[row++] = true;
  };
  for (const int leaf : signals_->rows_of_leaves()) write(signals_->wrench(leaf, *k.signals));
  for (const SignalForce& force : signal_forces_) write(wrench(force, k));
}

template <int D>
CARDAN_BY_PROCESSOR void BodyModel<D>::apply_springs(const BodyKinematics<D>& k, const VecX& turns,
                                                     std::vector<Twist>& wrenches, LoadTangents* tangents) const {
  std::size_t across = first_row_across();
  for (std::size_t i = 0; i < scalar_loads_.size(); ++i) {
    const ScalarLoad& load = scalar_loads_[i];
    // A damper about a pin needs no angle.
    const bool damps = load.measure.kind == Measure<D>::Kind::angle && load.spring.is_zero();
    const auto [s, w] = damps ? typename Measure<D>::Evaluation{0, load.measure.gradient(k)} : load.measure.evaluate(k);
    const Function::Value spring = damps ? Function::Value{} : load.spring.evaluate(elongation(load, s, turns));
    const Function::Value damper = load.damper.evaluate(load.measure.rate(k, w));
    const Twist pull = -(spring.f + damper.f) * w;
    wrenches[load.measure.body2] += pull;
    wrenches[load.measure.body1] -= pull;
    if (!tangents) continue;
    tangents->gradients[i] = w;
    tangents->write(i, spring.d1, damper.d1);
    if (!acts_along_line(load)) continue;
    const double resistance = stiffness_across(spring.f + damper.f, s + load.measure.offset, spring.d1);
    if (resistance > 0) write_across(load.measure, k, &load_rows_[across], tangents->gradients[i], tangents->gradients);
    for (int j = 0; j < kAcross<D>; ++j) tangents->write(across++, resistance, 0);
  }
}

template <int D>
typename Space<D>::Twist BodyModel<D>::wrench(const SignalForce& force, const BodyKinematics<D>& k) const {
  using Sort = typename SignalForce::Sort;
  const auto turned = [&](bool body_axes) {
    return body_axes ? typename S::Rotation(k.rotation[force.body2]) : typename S::Rotation(S::Rotation::Identity());
  };
  if (force.sort == Sort::effort) return efforts_[force.index].sign * efforts_[force.index].measure.gradient(k);
  if (force.sort == Sort::force) {
    const Vector axis = turned(mechanism_.forces[force.index].body_axes).col(force.component);
    return force_at<D>(axis, k.point(force.body2, force_points_[force.index]));
  }
  if constexpr (D == 2) {
    return twist<D>(Vector::Zero(), typename S::Angular(1.0));
  } else {
    return twist<D>(Vector::Zero(), Vec3(turned(mechanism_.torques[force.index].body_axes).col(force.component)));
  }
}

template <int D>
CARDAN_BY_PROCESSOR void BodyModel<D>::write_across(const Measure<D>& line, const BodyKinematics<D>& k,
                                                    const LoadRow* across, Twist& along,
                                                    std::vector<Twist>& wrenches) const {
  const Vector p1 = k.point(line.body1, line.point1), p2 = k.point(line.body2, line.point2);
  const auto directions = line_directions<D>(p2 - p1);
  along = force_at<D>(directions[0], p2);
  for (int i = 1; i < D; ++i, ++across) {
    wrenches[across->wrench1] = force_at<D>(directions[i], p1);
    wrenches[across->wrench2] = force_at<D>(directions[i], p2);
  }
}

template <int D>
CARDAN_BY_PROCESSOR void BodyModel<D>::apply_tyres(const BodyKinematics<D>& k, std::vector<Twist>& wrenches,
                                                   LoadTangents* tangents) const {
  std::size_t row = scalar_loads_.size();
  for (const TyreModel<D>& tyre : tyres_) {
    const TyreForce<double, D> f = tyre_force(tyre, k);
    const Vector c = k.point(tyre.body, tyre.center);
    Vector force;
    for (int i = 0; i < D; ++i) force[i] = f.force[i];
    wrenches[tyre.body] += force_at<D>(force, c);
    if constexpr (D == 3) wrenches[tyre.body].template tail<3>() += Vec3(f.moment[0], f.moment[1], f.moment[2]);
    if (!tangents) continue;
    for (const TyreRow<D>& r : TyreModel<D>::rows(f)) {
      tangents->gradients[row] = force_at<D>(r.direction, Vector(c + r.arm));
      tangents->write(row++, r.stiffness, r.damping);
    }
  }
}

template <int D>
void BodyModel<D>::apply_wrenches(double t, const BodyKinematics<D>& k, const VecX& turns, std::vector<Twist>& wrenches,
                                  LoadTangents* tangents) const {
  using Resistance = typename WrenchModel<D>::Resistance;
  constexpr int n = WrenchModel<D>::kRows;
  std::size_t row = first_wrench_row();
  Eigen::Index coupling = 0;
  for (const WrenchModel<D>& load : custom_wrenches_) {
    const FrameOnBody<D>&one = load.frames().one, &two = load.frames().two;
    const FramePair pair = frame_pair(load, t, k, turns);
    const Vector point = k.point(two.body, two.point);
    const Twist wrench = WrenchModel<D>::moved(load.wrench(pair), point);
    wrenches[two.body] += wrench;
    wrenches[one.body] -= wrench;
    if (!tangents) continue;
    Equations& e = tangents->equations;
    const Resistance resistance = load.resistance(pair);
    const bool resists = !resistance.is_zero();
    for (int i = 0; i < n; ++i, ++row) {
      if (resists) tangents->gradients[load_rows_[row].wrench1] = WrenchModel<D>::moved(Twist::Unit(i), point);
      tangents->write(row, Resistance::on_row(resistance.stiffness, i), Resistance::on_row(resistance.damping, i));
      e.live[row] = resists;
      for (int j = 0; j < n; ++j, ++coupling) {
        e.coupling_stiffness[coupling] = Resistance::beside_row(resistance.stiffness, i, j);
        e.coupling_damping[coupling] = Resistance::beside_row(resistance.damping, i, j);
      }
    }
  }
}

template <int D>
void BodyModel<D>::apply_contacts(const BodyKinematics<D>& k, const VecX& turns, std::vector<Twist>& wrenches,
                                  LoadTangents* tangents) const {
  const auto first = static_cast<Eigen::Index>(first_contact_row());
  const auto first_coupling = static_cast<Eigen::Index>(first_contact_coupling());
  if (tangents) {
    Equations& e = tangents->equations;
    const Eigen::Index rows = ContactSet<D>::kRows * contacts_->slots(),
                       couplings = (D - 1) * contacts_->coupled_slots();
    e.stiffness.segment(first, rows).setZero();
    e.damping.segment(first, rows).setZero();
    std::fill_n(e.live.begin() + first, rows, 0);
    e.coupling_stiffness.segment(first_coupling, couplings).setZero();
    e.coupling_damping.segment(first_coupling, couplings).setZero();
  }
  for (const auto& point : touching(k, turns)) {
    const Vector place = point.place().template head<D>();
    const Twist wrench =
        force_at<D>(Vector(point.force().template head<D>()), place) +
        twist<D>(Vector(Vector::Zero()), typename S::Angular(point.moment().template tail<S::kAngular>()));
    wrenches[point.body2] += wrench;
    wrenches[point.body1] -= wrench;
    if (!tangents || point.slot < 0) continue;
    const auto tangent = contacts_->tangent(point);
    for (int i = 0; i < D; ++i) {
      const auto row = static_cast<std::size_t>(first + ContactSet<D>::kRows * point.slot + i);
      tangents->gradients[load_rows_[row].wrench1] =
          force_at<D>(Vector(tangent.direction[i].template head<D>()), place);
      tangents->write(row, tangent.stiffness[i], tangent.damping[i]);
      tangents->equations.live[row] = 1;
      if (i == 0 || point.slot >= contacts_->coupled_slots()) continue;
      const Eigen::Index coupling = first_coupling + (D - 1) * point.slot + i - 1;
      tangents->equations.coupling_stiffness[coupling] = tangent.by_load[i] * tangent.stiffness[0];
      tangents->equations.coupling_damping[coupling] = tangent.by_load[i] * tangent.damping[0];
    }
  }
}

template <int D>
void BodyModel<D>::apply_rotors(const BodyKinematics<D>& k, std::vector<Twist>& wrenches) const {
  for (const ScalarInertia& rotor : rotors_) {
    const Twist w = rotor.measure.gradient(k);
    const Twist effort = -rotor.inertia * rotor.measure.acceleration(k, w) * w;
    wrenches[rotor.measure.body2] += effort;
    wrenches[rotor.measure.body1] -= effort;
  }
}

template <int D>
CARDAN_BY_PROCESSOR double BodyModel<D>::kinetic_energy(const BodyKinematics<D>& k) const {
  double twice = 0;
  for (int b = 0; b < bodies(); ++b) {
    const BodyInertia& i = inertias_[b];
    const typename S::Angular w = angular_in_body(k.rotation[b], angular<D>(k.twist[b]));
    twice += i.mass * velocity_at<D>(k.twist[b], k.center[b]).squaredNorm() + w.dot(i.inertia * w);
  }
  for (const ScalarInertia& rotor : rotors_) {
    const double rate = rotor.measure.rate(k, rotor.measure.gradient(k));
    twice += rotor.inertia * rate * rate;
  }
  return 0.5 * twice;
}

template <int D>
double BodyModel<D>::potential_energy(const BodyKinematics<D>& k, const VecX& turns) const {
  double sum = 0;
  for (int b = 0; b < bodies(); ++b) sum -= inertias_[b].mass * gravity_.dot(place(b, k));
  for (const ScalarLoad& load : scalar_loads_) {
    if (!load.spring.is_zero()) sum += load.spring.integral(0, elongation(load, load.measure.value(k), turns));
  }
  for (const TyreModel<D>& tyre : tyres_) sum += tyre_force(tyre, k).energy;
  for (const WrenchModel<D>& load : custom_wrenches_) {
    if (load.stores_energy()) sum += load.energy(frame_pair(load, 0, k, turns));
  }
  if (contacts_->empty()) return sum;
  for (const auto& point : touching(k, turns)) sum += contacts_->energy(point);
  return sum;
}

template <int D>
double BodyModel<D>::external_power(double t, const BodyKinematics<D>& k, const VecX& turns) const {
  double power = 0;
  for (std::size_t i = 0; i < mechanism_.forces.size(); ++i) {
    const PointForce& f = mechanism_.forces[i];
    const int body = measures_.body_index(f.body);
    power += force_components(f, t, k, body).dot(velocity_at<D>(k.twist[body], k.point(body, force_points_[i])));
  }
  for (const Torque& torque : mechanism_.torques) {
    const int b1 = measures_.body_index(torque.body1), b2 = measures_.body_index(torque.body2);
    power += torque_components(torque, t, k, b2).dot(angular<D>(k.twist[b2]) - angular<D>(k.twist[b1]));
  }
  for (const Effort& e : efforts_) power += e.sign * value(e.law, t, k) * e.measure.rate(k, e.measure.gradient(k));
  for (const ScalarLoad& load : scalar_loads_) {
    if (load.damper.is_zero()) continue;
    const double rate = load.measure.rate(k, load.measure.gradient(k));
    power -= load.damper(rate) * rate;
  }
  for (const TyreModel<D>& tyre : tyres_) {
    const TyreForce<double, D> f = tyre_force(tyre, k);
    const Vector v = velocity_at<D>(k.twist[tyre.body], k.point(tyre.body, tyre.center));
    for (int i = 0; i < D; ++i) power += (f.force[i] - f.elastic[i]) * v[i];
    if constexpr (D == 3) power += Vec3(f.moment[0], f.moment[1], f.moment[2]).dot(angular<3>(k.twist[tyre.body]));
  }
  for (const WrenchModel<D>& load : custom_wrenches_) {
    const FrameOnBody<D>&one = load.frames().one, &two = load.frames().two;
    const Twist working = load.working(frame_pair(load, t, k, turns));
    const Twist wrench = WrenchModel<D>::moved(working, k.point(two.body, two.point));
    power += wrench.dot(k.twist[two.body] - k.twist[one.body]);
  }
  if (contacts_->empty()) return power;
  for (const auto& point : touching(k, turns)) power += contacts_->power(point);
  return power;
}

template <int D>
CARDAN_BY_PROCESSOR double BodyModel<D>::driver_power(const BodyKinematics<D>& k,
                                                      const std::vector<Twist>& wrenches) const {
  if (drivers_.empty()) return 0;
  double power = 0;
  for (int b = 0; b < bodies(); ++b) {
    // Of the rate of a momentum, what comes of its being carried along does no work.
    const BodyInertia& i = inertias_[b];
    const Twist &z = k.twist[b], &rate = k.acceleration[b];
    const auto turning = [&](const Twist& twist) { return angular_in_body(k.rotation[b], angular<D>(twist)); };
    power += i.mass * velocity_at<D>(z, k.center[b]).dot(velocity_at<D>(rate, k.center[b])) +
             turning(z).dot(i.inertia * turning(rate)) - z.dot(wrenches[b]);
  }
  return power;
}

template class BodyModel<2>;
template class BodyModel<3>;

}  // namespace cardan
