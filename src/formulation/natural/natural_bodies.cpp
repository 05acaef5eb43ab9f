// Between natural coordinates and bodies: their poses, twists and accelerations, and the forces that wrenches on them
// are.
#include "formulation/natural/natural_formulation.hpp"

namespace cardan {

/// Virtual power f . p0' + n0 . w with w = sum_k (d^k x d_k')/2, n0 the moment about p0: the force on d_k is (n0 x
/// d^k)/2.
template <int D>
void NaturalFormulation<D>::spread_wrench(int body, const Twist& wrench, const Work& w, const std::vector<int>& places,
                                          double sign, double* out) const {
  if (body == model_->bodies()) return;
  const NaturalBody<D>& basis = natural_.bodies()[body];
  const Vector p0 = entity_value(basis.origin, w.q, false);
  const Vector f = sign * linear<D>(wrench);
  const typename S::Angular n0 = sign * angular<D>(wrench) - moment(p0, f);
  const auto put = [&](int place, const Vector& force) {
    if (place < 0) return;
    for (int i = 0; i < D; ++i) out[place + i] += force[i];
  };
  put(places[0], f);
  for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
    const Vector force = (D == 2 ? 1.0 : 0.5) * cross(n0, Vector(w.reciprocal[body].col(k)));
    put(places[k + 1], force);
    if (!natural_.entities()[basis.direction[k]].is_vector) put(places[0], -force);
  }
}

template <int D>
typename Space<D>::Vector NaturalFormulation<D>::entity_value(int entity, const VecX& q, bool rate) const {
  const Entity<D>& e = natural_.entities()[entity];
  if (e.fixed) return rate ? Vector(Vector::Zero()) : e.start;
  const Vector value = q.segment<D>(e.first);
  return rate ? value : Vector(value + e.shift);
}

template <int D>
void NaturalFormulation<D>::pose_bodies(Work& w) const {
  for (int b = 0; b < model_->bodies(); ++b) {
    const NaturalBody<D>& basis = natural_.bodies()[b];
    const Vector p0 = entity_value(basis.origin, w.q, false);
    Eigen::Matrix<double, D, D> directions;
    for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
      directions.col(k) = entity_value(basis.direction[k], w.q, false);
      if (!natural_.entities()[basis.direction[k]].is_vector) directions.col(k) -= p0;
    }
    if constexpr (D == 2) {
      const Vec2 d = directions.col(0);
      directions.col(1) = perpendicular(d);
      w.reciprocal[b] = d / d.squaredNorm();
    } else {
      w.reciprocal[b] = directions.inverse().transpose();
    }
    w.kinematics.rotation[b] = directions * basis.local_inverse;
    w.kinematics.center[b] = p0 - w.kinematics.rotation[b] * basis.origin_local;
  }
  w.bodies_posed = true;
}

template <int D>
void NaturalFormulation<D>::move_bodies(Work& w) const {
  for (int b = 0; b < model_->bodies(); ++b) {
    const NaturalBody<D>& basis = natural_.bodies()[b];
    const Vector p0 = entity_value(basis.origin, w.q, false), p0_rate = entity_value(basis.origin, w.v, true);
    typename S::Angular omega = S::Angular::Zero();
    for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
      Vector rate = entity_value(basis.direction[k], w.v, true);
      if (!natural_.entities()[basis.direction[k]].is_vector) rate -= p0_rate;
      omega += (D == 2 ? 1.0 : 0.5) * moment(Vector(w.reciprocal[b].col(k)), rate);
    }
    w.kinematics.twist[b] = twist<D>(p0_rate - cross(omega, p0), omega);
  }
  w.bodies_moved = true;
}

template <int D>
void NaturalFormulation<D>::body_accelerations(Work& w, const VecX* a, std::vector<Twist>& out) const {
  for (int b = 0; b < model_->bodies(); ++b) {
    const NaturalBody<D>& basis = natural_.bodies()[b];
    const auto second = [&](int entity) { return a ? entity_value(entity, *a, true) : Vector(Vector::Zero()); };
    const Vector p0 = entity_value(basis.origin, w.q, false), p0_rate = entity_value(basis.origin, w.v, true);
    const Vector p0_second = second(basis.origin);
    const typename S::Angular omega = angular<D>(w.kinematics.twist[b]);
    typename S::Angular omega_rate = S::Angular::Zero();
    Vector rate[NaturalBody<D>::kDirections];
    for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
      rate[k] = entity_value(basis.direction[k], w.v, true);
      Vector d_second = second(basis.direction[k]);
      if (!natural_.entities()[basis.direction[k]].is_vector) rate[k] -= p0_rate, d_second -= p0_second;
      const Vector reciprocal = w.reciprocal[b].col(k);
      if constexpr (D == 2) {
        omega_rate += moment(reciprocal, d_second) - 2 * reciprocal.dot(rate[k]) * omega;
      } else {
        omega_rate += 0.5 * moment(reciprocal, d_second);
      }
    }
    if constexpr (D == 3) {
      // (d^k)' = -sum_j (d^k . d_j') d^j
      for (int k = 0; k < 3; ++k) {
        Vec3 reciprocal_rate = Vec3::Zero();
        for (int j = 0; j < 3; ++j) {
          reciprocal_rate -= w.reciprocal[b].col(k).dot(rate[j]) * w.reciprocal[b].col(j);
        }
        omega_rate += 0.5 * reciprocal_rate.cross(rate[k]);
      }
    }
    // s' = p0' - w x p0
    out[b] = twist<D>(p0_second - cross(omega_rate, p0) - cross(omega, p0_rate), omega_rate);
  }
}

template class NaturalFormulation<2>;
template class NaturalFormulation<3>;

}  // namespace cardan
