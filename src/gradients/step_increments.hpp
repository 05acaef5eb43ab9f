// The equations of a step's derivative solved by increments with the tangent that the step itself has ended with:
// docs/theory/gradients.md, symbol for symbol. What the tangent lacks is learnt from what increments leave behind, in
// all directions and steps together.
#pragma once

#include <array>
#include <optional>

#include "gradients/secant_pairs.hpp"
#include "integration/newmark.hpp"

namespace cardan {

/// Of d and lambda along one direction, in this step and those before.
struct Derivative {
  VecX moved, lambda;          // n, m
  VecX residual, violation;    // DR, then c b h^2 DR, and DPhi: n, m
  VecX pending, foretold;      // n: increments since the equations were asked; what J - T says on all but the last
  std::array<VecX, 3> before;  // n: the last steps' moved, the newest first
  int known = 0;               // how many of them there are
  double rate = 1;             // what an increment was seen to leave of itself in steps before, less and less of it
  int age = 0;                 // so many steps ago it was seen
  double previous = 0;         // size of the last increment
  bool ended = false;

  explicit Derivative(const Structure& structure);
  /// At the start of a step, from the multipliers on both sides: the guess is a parabola through the last three.
  void begin(const VecX& lambda_up, const VecX& lambda_down);
  /// At its end.
  void keep();
};

class StepIncrements {
 public:
  /// What goes with a derivative: those of q1 and A*, and Phi_q.
  struct At {
    const VecX &q, &A, &jacobian;
  };
  explicit StepIncrements(const Structure& structure);
  /// After a step, which ended at q.
  void begin(const NewmarkStep& made, const VecX& q);
  /// With what the equations say: the next increments. True where what they leave is small enough.
  bool take(Derivative& derivative, const At& at, int count);
  /// Whether the last increments count against the derivative of positions.
  bool is_far(const Derivative& derivative, const VecX& q);

 private:
  void increase(Derivative& derivative, const VecX& jacobian);
  double size_of(const VecX& increment);

  const Structure& structure_;
  std::optional<NewmarkStep> step_;
  SecantPairs lacks_;  // J - T, of increments in units of their scales
  double h_ = 0, place_ = 0, tolerance_ = 1, smallest_ = 0;
  VecX inverse_scale_;
  VecX rhs_, scaled_, lacking_;
};

/// mu of P x + Phi_q^T mu = 0 from `product` = P x, beginning with the mu that is there; `x` is a buffer.
void find_multipliers(const Structure& structure, const NewmarkStep& made, const VecX& product, VecX& x, VecX& mu);
/// x of P x + Phi_q^T (...) = -held, Phi_q x = -violation, until no more than `little` is left of the violation, which
/// both are overwritten by.
void project_onto(const Structure& structure, const NewmarkStep& made, const VecX& jacobian, double little, VecX& held,
                  VecX& violation, VecX& x);

}  // namespace cardan
