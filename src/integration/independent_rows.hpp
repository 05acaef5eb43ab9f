// Which constraints the steps of a Runge-Kutta method go by. Where a mechanism is assembled, redundant constraints
// follow from the others. The stages of a step are a little off: there the row of a redundant constraint is independent
// by some sigma as small as the stage is off, and asks for an acceleration of violation / sigma, which does not vanish
// with the step; it holds what is free to move. So steps go by independent rows alone, chosen at accepted states: what
// the others say follows as soon as the end of the step is projected. The choice is remembered in Context::partition,
// one flag for each constraint; an empty one means all of them.
#pragma once

#include "formulation/equations.hpp"

namespace cardan {

class IndependentRows {
 public:
  explicit IndependentRows(const Structure& structure) : structure_(structure) {}

  /// Sizes the buffers; to be called once, where there are redundant constraints.
  void resize();
  bool empty() const { return rest_.size() == 0; }
  /// Those of the Jacobian at an accepted state that are well conditioned, by orthogonalization with pivoting. True
  /// when the choice is another one than before.
  bool choose(const VecX& jacobian, Eigen::VectorXi& kept);

 private:
  int longest() const;

  const Structure& structure_;
  Eigen::MatrixXd rest_;  // n x m: what is left of every row beside those chosen
  VecX length2_;          // m
  VecX rounding_;         // m: of the dimensionless rows
  VecX spanned_;          // m: distance of a unit row from the span of the others that is none
  Eigen::VectorXi last_;  // m: the choice before
};

}  // namespace cardan
