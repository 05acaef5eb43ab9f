// Wrenches of a program's own in Cartesian coordinates: F and M at the point P2 = r2 + A2 s2, on body 2, and their
// opposite on body 1. With n_b the moment about the centre of body b,
//     Q_r = F, Q_p = 2 E(p)^T n,   n_2 = (A2 s2) x F + M,   n_1 = -((P2 - r1) x F + M)
// A law sees the rotation of p / |p|, so that it depends on p through the turn 2 E(p) dp / |p|^2 alone.
#include "formulation/cartesian/cartesian_loads.hpp"

namespace cardan {

/// A frame and its body, with the derivatives of its motion [place; turn] and [velocity; angular velocity].
template <int D>
struct CartesianLoads<D>::FrameDerivatives {
  using Columns = Eigen::Matrix<double, Space<D>::kTwist, kBody>;
  Vector arm, place;  // A s; from the origin of places
  FrameMotion motion;
  Columns place_q = Columns::Zero();     // motion by q
  Columns velocity_q = Columns::Zero();  // velocities by q
  Columns velocity_v = Columns::Zero();  // velocities by v

  FrameDerivatives(const FrameOnBody<D>& frame, const BodyCoordinates<D>& b, const Vector& origin, bool moves) {
    using A = Attitude<D>;
    const double square = D == 3 ? b.p.squaredNorm() : 1;
    const typename Space<D>::Rotation R = b.rotation / square;
    const Angular w = A::angular_velocity(b.p, b.p_rate);
    arm = R * frame.point;
    place = b.r + arm;
    motion = frame.motion(R, origin + place, b.r_rate + cross(w, arm), w);
    if (!moves) return;
    place_q.template topLeftCorner<D, D>().setIdentity();
    velocity_v.template topLeftCorner<D, D>().setIdentity();
    for (int i = 0; i < A::kSize; ++i) {
      const typename A::Parameters unit = A::Parameters::Unit(i);
      const Angular spin = A::angular_velocity(b.p, unit), turn = spin / square;
      Angular spin_q = Angular::Zero();
      if constexpr (D == 3) spin_q = A::angular_velocity(unit, b.p_rate);
      place_q.col(D + i) << cross(turn, arm), turn;
      velocity_q.col(D + i) << cross(spin_q, arm) + cross(w, cross(turn, arm)), spin_q;
      velocity_v.col(D + i) << cross(spin, arm), spin;
    }
  }
};

/// Generalized force on a body of the wrench [f; m] at a point `lever` from its centre.
template <int D>
typename CartesianLoads<D>::Part CartesianLoads<D>::spread(const typename Space<D>::Twist& wrench, const Vector& lever,
                                                           const BodyCoordinates<D>& b) const {
  Part part;
  const Vector f = linear<D>(wrench);
  part << f, Attitude<D>::torque(b.p, Angular(moment(lever, f) + angular<D>(wrench)));
  return part;
}

template <int D>
void CartesianLoads<D>::add_wrenches(double t, const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns,
                                     Equations& e) const {
  using Resistance = typename WrenchModel<D>::Resistance;
  using Twist = typename Space<D>::Twist;
  constexpr int n = WrenchModel<D>::kRows;
  double* gradients = e.load_gradient.data() + wrenches_at_;
  auto row = static_cast<Eigen::Index>(model_.first_wrench_row());
  Eigen::Index coupling = 0;
  for (const WrenchModel<D>& load : model_.custom_wrenches()) {
    const int b1 = load.frames().one.body, b2 = load.frames().two.body;
    const FrameDerivatives one(load.frames().one, c[b1], model_.origin(), false);
    const FrameDerivatives two(load.frames().two, c[b2], model_.origin(), false);
    FramePair pair{t, one.motion, two.motion};
    model_.give(load, k, turns, pair);
    const Vector lever1 = two.place - c[b1].r;
    const Twist wrench = load.wrench(pair);
    if (!is_ground(b2)) e.force.segment<kBody>(b2 * kBody) += spread(wrench, two.arm, c[b2]);
    if (!is_ground(b1)) e.force.segment<kBody>(b1 * kBody) -= spread(wrench, lever1, c[b1]);
    const Resistance resistance = load.resistance(pair);
    for (int i = 0; i < n; ++i, ++row) {
      const auto put = [&](const Part& part) { gradients = std::copy_n(part.data(), kBody, gradients); };
      if (!is_ground(b1)) put(-spread(Twist::Unit(i), lever1, c[b1]));
      if (!is_ground(b2)) put(spread(Twist::Unit(i), two.arm, c[b2]));
      e.stiffness[row] = Resistance::on_row(resistance.stiffness, i);
      e.damping[row] = Resistance::on_row(resistance.damping, i);
      for (int j = 0; j < n; ++j, ++coupling) {
        e.coupling_stiffness[coupling] = Resistance::beside_row(resistance.stiffness, i, j);
        e.coupling_damping[coupling] = Resistance::beside_row(resistance.damping, i, j);
      }
    }
  }
}

template <int D>
void CartesianLoads<D>::add_wrench_tangents(double t, const Coordinates& c, const BodyKinematics<D>& k,
                                            const VecX& turns, BlockMatrix& K, BlockMatrix& C) const {
  using A = Attitude<D>;
  using Twist = typename Space<D>::Twist;
  for (const WrenchModel<D>& load : model_.custom_wrenches()) {
    const int body[2] = {load.frames().one.body, load.frames().two.body};
    const FrameDerivatives one(load.frames().one, c[body[0]], model_.origin(), !is_ground(body[0]));
    const FrameDerivatives two(load.frames().two, c[body[1]], model_.origin(), !is_ground(body[1]));
    FramePair pair{t, one.motion, two.motion};
    model_.give(load, k, turns, pair);
    const Twist wrench = load.wrench(pair);
    const auto by = load.tangent(pair);
    const Vector force = linear<D>(wrench), lever[2] = {two.place - c[body[0]].r, two.arm};
    for (int j = 0; j < 2; ++j) {  // whose coordinates change
      if (is_ground(body[j])) continue;
      const FrameDerivatives& frame = j == 0 ? one : two;
      const auto& by_place = j == 0 ? by.position1 : by.position2;
      const auto& by_velocity = j == 0 ? by.velocity1 : by.velocity2;
      const auto wrench_q = (by_place * frame.place_q + by_velocity * frame.velocity_q).eval();
      const auto wrench_v = (by_velocity * frame.velocity_v).eval();
      for (int i = 0; i < 2; ++i) {  // on whom it acts
        if (is_ground(body[i])) continue;
        const double sign = i == 0 ? -1 : 1;
        const BodyCoordinates<D>& b = c[body[i]];
        for (int column = 0; column < kBody; ++column) {
          Vector lever_q = Vector::Zero();  // of P2 from the centre of body i
          if (j == 1) lever_q = linear<D>(Twist(frame.place_q.col(column)));
          if (i == j && column < D) lever_q -= Vector::Unit(column);
          Twist change = wrench_q.col(column);
          change.template tail<Space<D>::kAngular>() += moment(lever_q, force);
          const int at = body[j] * kBody + column;
          K.template block<kBody, 1>(body[i] * kBody, at) -= sign * spread(change, lever[i], b);
          C.template block<kBody, 1>(body[i] * kBody, at) -= sign * spread(wrench_v.col(column), lever[i], b);
        }
        if (i != j) continue;
        const int p = body[i] * kBody + D;
        const Angular n = sign * (moment(lever[i], force) + angular<D>(wrench));
        K.template block<A::kSize, A::kSize>(p, p) -= A::torque_tangent(n);
      }
    }
  }
}

template void CartesianLoads<2>::add_wrenches(double, const Coordinates&, const BodyKinematics<2>&, const VecX&,
                                              Equations&) const;
template void CartesianLoads<3>::add_wrenches(double, const Coordinates&, const BodyKinematics<3>&, const VecX&,
                                              Equations&) const;
template void CartesianLoads<2>::add_wrench_tangents(double, const Coordinates&, const BodyKinematics<2>&, const VecX&,
                                                     BlockMatrix&, BlockMatrix&) const;
template void CartesianLoads<3>::add_wrench_tangents(double, const Coordinates&, const BodyKinematics<3>&, const VecX&,
                                                     BlockMatrix&, BlockMatrix&) const;

}  // namespace cardan
