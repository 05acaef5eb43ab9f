// The tangents of a formulation with signals, K = -dQ/dq and C = -dQ/dv, against central differences of its forces Q.
#pragma once

#include <gtest/gtest.h>

#include "formulation/formulation.hpp"
#include "system/compile.hpp"

namespace cardan {

/// In the state of the start. `states_only`: so many at the end are compared, the rates of states.
inline void expect_tangents_of_differences(const Mechanism& mechanism, const std::string& name, double margin,
                                           int states_only = 0) {
  const CompiledMechanism compiled = compile(mechanism, name, {});
  const Formulation& f = *compiled.formulation;
  const auto work = f.make_workspace();
  State state;
  f.start(state, *work);
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
  for (int j = 0; j < n; ++j) {
    for (const bool rate : {false, true}) {
      VecX up = rate ? state.v : state.q, down = up;
      up[j] += kStep, down[j] -= kStep;
      const VecX change =
          rate ? VecX(force(state.q, up) - force(state.q, down)) : VecX(force(up, state.v) - force(down, state.v));
      const Eigen::MatrixXd& tangent = rate ? C : K;
      for (int i = states_only > 0 ? n - states_only : 0; i < n; ++i) {
        EXPECT_NEAR(change[i] / (2 * kStep), -tangent(i, j), margin)
            << name << " " << s.coordinate_names[i] << " by " << s.coordinate_names[j] << (rate ? "'" : "");
      }
    }
  }
}

}  // namespace cardan
