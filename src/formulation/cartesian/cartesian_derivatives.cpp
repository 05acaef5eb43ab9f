// Exact derivatives of constraints, inertia and loads in Cartesian coordinates, as Psi's Jacobian takes them.
#include "formulation/cartesian/cartesian_formulation.hpp"

namespace cardan {
namespace {

template <int D>
typename MeasureDerivatives<D>::Row pair_of(const Measure<D>& m, int bodies, const VecX& x) {
  constexpr int n = BodyCoordinates<D>::kSize;
  typename MeasureDerivatives<D>::Row row = MeasureDerivatives<D>::Row::Zero();
  if (m.body1 < bodies) row.template head<n>() = x.segment<n>(m.body1 * n);
  if (m.body2 < bodies) row.template tail<n>() = x.segment<n>(m.body2 * n);
  return row;
}

}  // namespace

template <int D>
void CartesianFormulation<D>::differentiate(const VecX& a, const VecX& lambda, Workspace& work,
                                            MotionDerivatives& result) const {
  const Work& w = static_cast<const Work&>(work);
  result.set_zero();
  differentiate_constraints(a, lambda, w, result);
  differentiate_inertia(a, w, result);
  differentiate_rotors(a, w, result);
  loads_.add_tangents(w.t, w.bodies, w.kinematics, w.turns, result.stiffness, result.damping);
}

/// Of velocity constraints s_qq is B_q, whose transpose stands in the last two, and B' = B_q v.
/// Factors of driven rotations vary in time: Phi_tq belongs to (Phi_q v)_q, and (R s)'' to gamma.
/// (Phi_q^T lambda)_q = sum of lambda s_qq;  (Phi_q v)_q = v^T s_qq;  (Phi_q a)_q - gamma_q = a^T s_qq + (v^T s_qq v)_q
template <int D>
void CartesianFormulation<D>::differentiate_constraints(const VecX& a, const VecX& lambda, const Work& w,
                                                        MotionDerivatives& result) const {
  using Row = typename MeasureDerivatives<D>::Row;
  const int bodies = model_->bodies();
  for (int b = 0; b < normalizations_; ++b) {
    const int at = b * kBody + D, row = structure_.jacobian.start[b];
    result.stiffness.template block<A::kSize, A::kSize>(at, at).diagonal().array() += lambda[b];
    result.rate.template segment<A::kSize>(row) = w.bodies[b].p_rate;
    result.second.template segment<A::kSize>(row) = a.segment<A::kSize>(at);
  }
  MeasureDerivatives<D> s;
  for (int r = 0; r < constraints_.size(); ++r) {
    const int k = normalizations_ + r;
    const typename ConstraintRows<D>::Factors factors(constraints_.rows()[r], w.t);
    for (int i = constraints_.rows()[r].first; i < constraints_.rows()[r].last; ++i) {
      const auto add = [&, places = term_places_[i], start = structure_.jacobian.start[k]](const Row& x, VecX& rows) {
        if (places.body1 >= 0) rows.segment<kBody>(start + places.body1) += x.template head<kBody>();
        if (places.body2 >= 0) rows.segment<kBody>(start + places.body2) += x.template tail<kBody>();
      };
      const Measure<D>& m = w.constraints.terms()[i].measure;
      const Function::Value factor = factors(constraints_.terms()[i]);
      const double weight = constraints_.terms()[i].weight * factor.f;
      const BodyCoordinates<D>&one = w.bodies[m.body1], &two = w.bodies[m.body2];
      s.second(m, one, two);
      Row v;
      v << one.r_rate, one.p_rate, two.r_rate, two.p_rate;
      scatter<D>(m, bodies, s.hessian, weight * lambda[k], result.stiffness);
      if (m.is_velocity()) {
        add(weight * (s.hessian * v), result.turning);
        s.hessian.transposeInPlace();
      }
      add(weight * (s.hessian * v), result.rate);
      add(weight * (s.hessian * pair_of(m, bodies, a) + s.bias_gradient), result.second);
      if (factor.d1 == 0 && factor.d2 == 0) continue;
      const double own = constraints_.terms()[i].weight;
      add(own * factor.d1 * s.gradient, result.rate);
      add(own * (2 * factor.d1 * (s.hessian * v) + factor.d2 * s.gradient), result.second);
    }
  }
}

/// r = J s_q^T s'', s'' = s_q a + v^T s_qq v:  r_q = J (s_qq s'' + s_q^T (a^T s_qq + (v^T s_qq v)_q)),
/// r_v = 2 J s_q^T (v^T s_qq)
template <int D>
void CartesianFormulation<D>::differentiate_rotors(const VecX& a, const Work& w, MotionDerivatives& result) const {
  const int bodies = model_->bodies();
  MeasureDerivatives<D> s;
  typename MeasureDerivatives<D>::Square tangent;
  for (const auto& rotor : model_->rotors()) {
    const Measure<D>& m = rotor.measure;
    const BodyCoordinates<D>&one = w.bodies[m.body1], &two = w.bodies[m.body2];
    s.second(m, one, two);
    typename MeasureDerivatives<D>::Row v, own = pair_of(m, bodies, a);
    v << one.r_rate, one.p_rate, two.r_rate, two.p_rate;
    tangent = s.hessian * (s.gradient.dot(own) + s.bias) + s.gradient * (s.hessian * own + s.bias_gradient).transpose();
    scatter<D>(m, bodies, tangent, rotor.inertia, result.stiffness);
    tangent = 2 * s.gradient * (s.hessian * v).transpose();
    scatter<D>(m, bodies, tangent, rotor.inertia, result.damping);
  }
}

/// With G(p) x = -G(x) p and G(p)^T y = N(y) p, N(y) = [0, -y^T; y, y~ with the sign of G]:
///     (4 G^T J G a)_p  = 4 N(J G a) - 4 G^T J G(a)
///     (8 G'^T J G p')_p = -8 G'^T J G',   (8 G'^T J G p')_p' = 8 N(J G p') + 8 G'^T J G
template <int D>
void CartesianFormulation<D>::differentiate_inertia(const VecX& a, const Work& w, MotionDerivatives& result) const {
  if constexpr (D == 3) {
    const auto transposed = [](const Vec3& y) {  // N: G(p)^T y = N(y) p
      Eigen::Matrix4d N = Eigen::Matrix4d::Zero();
      N.block<1, 3>(0, 1) = -y.transpose();
      N.block<3, 1>(1, 0) = y;
      N.bottomRightCorner<3, 3>() = -skew(y);
      return N;
    };
    for (int b = 0; b < model_->bodies(); ++b) {
      const Mat3& J = model_->inertias()[b].inertia;
      const Eigen::Vector4d &p = w.bodies[b].p, &rate = w.bodies[b].p_rate, second = a.segment<4>(b * kBody + D);
      const Attitude<3>::Tangent G = Attitude<3>::body_map(p), G_rate = Attitude<3>::body_map(rate);
      const double mu = mu_[b];
      const int at = b * kBody + D;
      result.stiffness.template block<4, 4>(at, at) +=
          4 * (transposed(J * (G * second)) - G.transpose() * J * Attitude<3>::body_map(second)) -
          8 * G_rate.transpose() * J * G_rate +
          mu * (p.dot(second) + rate.squaredNorm()) * Eigen::Matrix4d::Identity() + mu * p * second.transpose();
      result.damping.template block<4, 4>(at, at) +=
          8 * (transposed(J * (G * rate)) + G_rate.transpose() * J * G) + 2 * mu * p * rate.transpose();
    }
  }
}

template void CartesianFormulation<2>::differentiate(const VecX&, const VecX&, Workspace&, MotionDerivatives&) const;
template void CartesianFormulation<3>::differentiate(const VecX&, const VecX&, Workspace&, MotionDerivatives&) const;

}  // namespace cardan
