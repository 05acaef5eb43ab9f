// The dense system in Cartesian coordinates, which tell the forces on each body and have exact derivatives.
#pragma once

#include "analysis/dense_system.hpp"

namespace cardan {

/// The largest unbalanced force and moment on a body.
struct Unbalanced {
  double force = 0, moment = 0;
  int body = -1;
};

class CartesianSystem : public DenseSystem {
 public:
  explicit CartesianSystem(const Mechanism& mechanism, const StartingPoint& start = {})
      : DenseSystem(mechanism, "cartesian", start) {}

  /// After forces(): -Q_q + (Phi_q^T lambda)_q and -Q_v, `lambda` of the unit rows.
  void tangent(const VecX& lambda, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping);
  /// The same of forces by states, and of rates by positions, velocities and states, after tangent().
  struct StateTangent {
    Eigen::MatrixXd forces_by_states, rates_by_positions, rates_by_velocities, rates_by_states;
  };
  const StateTangent& of_states() const { return of_states_; }
  Unbalanced unbalanced(const VecX& residual) const;

 private:
  StateTangent of_states_;
  int body_size() const { return mechanism_.planar ? 3 : 7; }
};

}  // namespace cardan
