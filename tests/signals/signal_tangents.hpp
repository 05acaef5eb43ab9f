// The tangents of a formulation with signals, K = -dQ/dq and C = -dQ/dv, against central differences of its forces Q.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "formulation/formulation.hpp"
#include "system/compile.hpp"

namespace cardan {

/// Directions that the constraints leave free: only there do natural coordinates have poses of bodies.
inline Eigen::MatrixXd free_directions(const Structure& s, const Equations& e) {
  if (s.constraints == 0) return Eigen::MatrixXd::Identity(s.coordinates, s.coordinates);
  Eigen::MatrixXd jacobian(s.constraints, s.coordinates);
  for (int j = 0; j < s.coordinates; ++j)
    for (int k = 0; k < s.constraints; ++k)
      jacobian(k, j) = row_times(s.jacobian, e.jacobian, k, VecX::Unit(s.coordinates, j));
  return jacobian.fullPivLu().kernel().colwise().normalized();
}

/// In the state of the start. `states_only`: so many at the end are compared, the rates of states. `met_at`: what
/// touches has met so many times as fast; 0: it is not remembered.
inline void expect_tangents_of_differences(const Mechanism& mechanism, const std::string& name, double margin,
                                           int states_only = 0, double met_at = 0) {
  const CompiledMechanism compiled = compile(mechanism, name, {});
  const Formulation& f = *compiled.formulation;
  const auto work = f.make_workspace();
  State state;
  f.start(state, *work);
  if (met_at > 0) {
    State met = state;
    met.v *= met_at;
    met.acceleration = met.algorithmic = VecX::Zero(met.v.size());
    EXPECT_EQ(f.position(0, met.q, state, *work), StepStatus::ok);
    f.velocity(met.v, *work);
    EXPECT_EQ(f.accept(state, met, *work), StepStatus::ok);
    state.memory = met.memory;
  }
  const auto force = [&](const VecX& q, const VecX& v) {
    EXPECT_EQ(f.position(0, q, state, *work), StepStatus::ok);
    f.velocity(v, *work);
    f.dynamics(*work);
    return VecX(work->equations.force);
  };
  const Structure& s = f.structure();
  const int n = s.coordinates;
  force(state.q, state.v);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), C = K;
  const Equations& e = work->equations;
  for (int row = 0; row < s.loads.rows(); ++row) {
    add_outer(s.loads, e.load_gradient, row, row, e.stiffness[row], K);
    add_outer(s.loads, e.load_gradient, row, row, e.damping[row], C);
  }
  for (std::size_t i = 0; i < s.couplings.size(); ++i) {
    add_outer(s.loads, e.load_gradient, s.couplings[i].force, s.couplings[i].felt, e.coupling_stiffness[i], K);
    add_outer(s.loads, e.load_gradient, s.couplings[i].force, s.couplings[i].felt, e.coupling_damping[i], C);
  }
  constexpr double kStep = 1e-5;
  const Eigen::MatrixXd free =
      name == "global" ? free_directions(s, e) : Eigen::MatrixXd(Eigen::MatrixXd::Identity(n, n));
  for (int j = 0; j < free.cols(); ++j) {
    for (const bool rate : {false, true}) {
      VecX up = rate ? state.v : state.q, down = up;
      up += kStep * free.col(j), down -= kStep * free.col(j);
      const VecX change =
          rate ? VecX(force(state.q, up) - force(state.q, down)) : VecX(force(up, state.v) - force(down, state.v));
      const Eigen::MatrixXd& tangent = rate ? C : K;
      for (int i = states_only > 0 ? n - states_only : 0; i < n; ++i) {
        const double said = -tangent.row(i).dot(free.col(j));
        EXPECT_NEAR(change[i] / (2 * kStep), said, margin)
            << name << " " << s.coordinate_names[i] << " by direction " << j << (rate ? "'" : "");
      }
    }
  }
}

}  // namespace cardan
