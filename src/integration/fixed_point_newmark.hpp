// The rules of newmark_rule.hpp by fixed-point iteration, for formulations that find accelerations themselves:
//     v1 = v^ + c g h A1,   q1 = q^ + c b h^2 A1,   A1 = A(t1, q1, v1)
// repeated from A1 = A0, and accelerated by the differences of the iterates (secant_acceleration.hpp). No Jacobian, no
// factorization: each iteration costs one evaluation, and stiff loads or large steps need many or do not converge,
// which ends the step with not_converged.
#pragma once

#include "integration/integrator.hpp"
#include "integration/loop_multipliers.hpp"
#include "integration/newmark_rule.hpp"
#include "integration/secant_acceleration.hpp"

namespace cardan {

struct FixedPointSettings {
  LoopSettings loops;
  std::optional<double> tolerance;  // on the norm of the increment of q; automatic otherwise
  int iteration_budget = 0;         // fixed number of iterations (0: until convergence)
  int iteration_limit = 100;        // a step that needs more has failed
  int depth = 12;                   // differences of iterates that are made use of
  double length = 1;                // size of the mechanism, m

  static FixedPointSettings for_options(const RunOptions& options, double length);
};

class FixedPointNewmark final : public Integrator {
 public:
  FixedPointNewmark(const Formulation& formulation, const DirectDynamics& dynamics, Workspace& work,
                    const NewmarkRule& rule, const FixedPointSettings& settings);

  StepStatus start(State& state) override;
  StepStatus step(State& state, double h) override;
  const char* solver_name() const override { return "none"; }
  std::pair<double, double> penalty_range(const State& state, double h) const override {
    return accelerations_.penalty_range(state, h);
  }

 private:
  StepStatus iterate(double h);
  /// What iterations so far have shown: norms of the residual A(t1, q1, v1) - A1, lengths relative to the size.
  struct Progress {
    double first = 0, second = 0, smallest = 0, last = 0, now = 0;
  };
  bool has_converged(int iteration, const Progress& residual, double in_q) const;
  /// Notes it in the report.
  bool has_diverged(const Progress& residual);

  NewmarkRule rule_;
  FixedPointSettings settings_;
  LoopMultipliers accelerations_;

  // Buffers of a step, sized by start().
  State before_;
  SecantAcceleration acceleration_;
  VecX known_q_, known_v_, known_a_;  // q^, v^ and a^, n
  VecX q_, v_, A_, lambda_;           // n, n, n, m
  VecX guess_, residual_;             // A1 and what it lacks, lengths relative to the size; n
};

}  // namespace cardan
