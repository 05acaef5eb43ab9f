// Contacts in Cartesian coordinates: forces and moments n about the centres of both bodies, Q_r = F, Q_p = 2 E(p)^T n.
// Their exact derivatives by small motions and velocities come from Dual numbers; with p the turn is 2 E(p) dp / |p|^2,
// and so is the angular velocity w = 2 E(p) p', which changes with p too.
#include "formulation/cartesian/cartesian_loads.hpp"

namespace cardan {

template <int D>
void CartesianLoads<D>::add_contacts(const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns,
                                     double* gradients, Equations& e) const {
  using Twist = typename Space<D>::Twist;
  const ContactSet<D>& contacts = model_.contacts();
  const auto first = static_cast<Eigen::Index>(model_.first_contact_row());
  const auto first_coupling = static_cast<Eigen::Index>(model_.first_contact_coupling());
  e.stiffness.segment(first, D * contacts.slots()).setZero();
  e.damping.segment(first, D * contacts.slots()).setZero();
  e.coupling_stiffness.segment(first_coupling, (D - 1) * contacts.coupled_slots()).setZero();
  e.coupling_damping.segment(first_coupling, (D - 1) * contacts.coupled_slots()).setZero();
  for (const auto& point : model_.touching(k, turns)) {
    const int b1 = point.body1, b2 = point.body2;
    const Vector place = point.place().template head<D>();
    const auto on_bodies = [&](const Vec3& force, const Angular& couple, const auto& use) {
      const Twist wrench = twist<D>(Vector(force.template head<D>()), couple);
      if (!is_ground(b1)) use(b1, Part(-spread(wrench, Vector(place - c[b1].r), c[b1])));
      if (!is_ground(b2)) use(b2, Part(spread(wrench, Vector(place - c[b2].r), c[b2])));
    };
    const Angular couple = point.moment().template tail<Space<D>::kAngular>();
    on_bodies(point.force(), couple,
              [&](int b, const Part& part) { e.force.template segment<kBody>(b * kBody) += part; });
    if (point.slot < 0) continue;
    const auto tangent = contacts.tangent(point);
    double* row = gradients + contacts_at_[static_cast<std::size_t>(point.slot)];
    for (int i = 0; i < D; ++i) {
      on_bodies(tangent.direction[i], Angular::Zero(),
                [&](int, const Part& part) { row = std::copy_n(part.data(), kBody, row); });
      e.stiffness[first + D * point.slot + i] = tangent.stiffness[i];
      e.damping[first + D * point.slot + i] = tangent.damping[i];
      if (i == 0 || point.slot >= contacts.coupled_slots()) continue;
      const Eigen::Index coupling = first_coupling + (D - 1) * point.slot + i - 1;
      e.coupling_stiffness[coupling] = tangent.by_load[i] * tangent.stiffness[0];
      e.coupling_damping[coupling] = tangent.by_load[i] * tangent.damping[0];
    }
  }
}

template <int D>
void CartesianLoads<D>::add_contact_tangents(const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns,
                                             BlockMatrix& K, BlockMatrix& C) const {
  using A = Attitude<D>;
  constexpr int n = Space<D>::kTwist;
  using Twist = typename Space<D>::Twist;
  using Columns = Eigen::Matrix<double, n, kBody>;
  for (const auto& point : model_.touching(k, turns)) {
    const auto by = model_.contacts().derivatives(point, k);
    const int body[2] = {point.body1, point.body2};
    const Vector place = point.place().template head<D>(), force = point.force().template head<D>();
    const Angular couple = point.moment().template tail<Space<D>::kAngular>();
    for (int j = 0; j < 2; ++j) {  // whose coordinates change
      if (is_ground(body[j])) continue;
      const BodyCoordinates<D>& b = c[body[j]];
      const double square = D == 3 ? b.p.squaredNorm() : 1;
      Columns motion_q = Columns::Zero(), velocity_q = Columns::Zero(), velocity_v = Columns::Zero();
      motion_q.template topLeftCorner<D, D>().setIdentity();
      velocity_v.template topLeftCorner<D, D>().setIdentity();
      for (int i = 0; i < A::kSize; ++i) {
        const typename A::Parameters unit = A::Parameters::Unit(i);
        const Angular spin = A::angular_velocity(b.p, unit);
        motion_q.col(D + i).template tail<Space<D>::kAngular>() = spin / square;
        velocity_v.col(D + i).template tail<Space<D>::kAngular>() = spin;
        if constexpr (D == 3) velocity_q.col(D + i).template tail<3>() = A::angular_velocity(unit, b.p_rate);
      }
      for (int i = 0; i < 2; ++i) {  // on whom it acts
        if (is_ground(body[i])) continue;
        const auto by_motion = by.template block<n, n>(i * n, j * n);
        const auto by_velocity = by.template block<n, n>(i * n, (2 + j) * n);
        const Columns wrench_q = by_motion * motion_q + by_velocity * velocity_q, wrench_v = by_velocity * velocity_v;
        for (int column = 0; column < kBody; ++column) {
          const int at = body[j] * kBody + column;
          const Vector none = Vector::Zero();
          K.template block<kBody, 1>(body[i] * kBody, at) -= spread(Twist(wrench_q.col(column)), none, c[body[i]]);
          C.template block<kBody, 1>(body[i] * kBody, at) -= spread(Twist(wrench_v.col(column)), none, c[body[i]]);
        }
        if (i != j) continue;
        const int p = body[i] * kBody + D;
        const Angular moment_now = (i == 0 ? -1.0 : 1.0) * (moment(Vector(place - c[body[i]].r), force) + couple);
        K.template block<A::kSize, A::kSize>(p, p) -= A::torque_tangent(moment_now);
      }
    }
  }
}

template void CartesianLoads<2>::add_contacts(const Coordinates&, const BodyKinematics<2>&, const VecX&, double*,
                                              Equations&) const;
template void CartesianLoads<3>::add_contacts(const Coordinates&, const BodyKinematics<3>&, const VecX&, double*,
                                              Equations&) const;
template void CartesianLoads<2>::add_contact_tangents(const Coordinates&, const BodyKinematics<2>&, const VecX&,
                                                      BlockMatrix&, BlockMatrix&) const;
template void CartesianLoads<3>::add_contact_tangents(const Coordinates&, const BodyKinematics<3>&, const VecX&,
                                                      BlockMatrix&, BlockMatrix&) const;

}  // namespace cardan
