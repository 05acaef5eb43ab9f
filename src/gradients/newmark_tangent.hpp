// The derivative of a step of newmark.hpp along a direction in which the state at its start and what the mechanism is
// made of change together: docs/theory/gradients.md, symbol for symbol. A direction is given by two sides, mechanisms
// and states a small way forth and back along it; what the equations of the step say on them is subtracted. The tangent
// that the differences are solved with is made anew where the step has ended, whatever the step itself went by; what it
// lacks is learnt from what it left behind, in all directions and steps together.
#pragma once

#include <array>
#include <optional>

#include "gradients/secant_pairs.hpp"
#include "integration/newmark.hpp"

namespace cardan {

/// A mechanism beside the one that is stepped, and its state: before a step, and then after it.
struct TangentSide {
  const Formulation& formulation;
  Workspace& work;
  State& state;
};

/// Which sides are looked at: both, or one, of which the other is the mirror image but for what the two had in common
/// when both were looked at last.
enum class TangentSides { both, plus, minus };

class NewmarkTangent {
 public:
  /// What equations of the step say on a side: R, Phi; Phi_q v1 + Phi_t, Phi_q A1 - gamma; P (v1 - v*) + Phi_q^T mu and
  /// P (A1 - A*) + Phi_q^T nu.
  struct Said {
    VecX residual, phi, rate, second, held_v, held_A;  // n, m, m, m, n, n
    void size(int n, int m);
  };
  /// What a direction keeps from one step to the next.
  struct Memory {
    std::array<VecX, 3> moved{};  // n: derivatives of d, the newest first
    int count = 0;                // how many of them there are
    double rate = 1;              // what an increment was seen to leave of itself in steps before, less and less of it
    double floor = 1;             // what increments are by rounding, in tolerances
    double first = 0;             // the first increment of steps before, likewise
    int age = 0;                  // so many steps ago the rate was seen
    bool in_turn = false;         // one side at a time is looked at
    std::optional<Said> even{};   // then: mean of both sides less what is said between them
  };

  /// Both must outlive it.
  NewmarkTangent(const Formulation& formulation, const NewmarkIntegrator& integrator);

  /// After a step: what all directions share; `between`: with what sides that are looked at alone are compared with.
  StepStatus begin(bool between);
  /// Takes the sides that are looked at from the start of that step to its end; answers in `which` whether both were
  /// after all, as where a guess is further off than ever before.
  StepStatus step(TangentSide plus, TangentSide minus, TangentSides& which, Memory& memory);

 private:
  /// Of one side, at q1, v*, A* and lambda1.
  struct Evaluation : Said {
    const Formulation* formulation = nullptr;
    Workspace* work = nullptr;
    State before;
    VecX d, lambda;   // n, m
    VecX q, v, a, A;  // n: by the rule from d
    VecX predicted_q, predicted_v;
  };

  void express(Evaluation& e) const;
  StepStatus evaluate(Evaluation& e) const;
  StepStatus factorize();
  void feel_projections(Evaluation& e) const;
  void see_gamma(Evaluation& e, const VecX& v) const;
  /// y += P x, P = T - Phi_q^T w Phi_q, of what the workspace holds.
  void add_projector(const Equations& e, const VecX& x, VecX& y) const;
  void guess(const Memory& memory);
  bool looks_at(const Evaluation& e) const {
    return sides_ == TangentSides::both || (sides_ == TangentSides::plus) == (&e == &plus_);
  }
  /// Visits the sides that are looked at.
  template <class Visit>
  void each(const Visit& visit) {
    if (looks_at(plus_)) visit(plus_, 1.0);
    if (looks_at(minus_)) visit(minus_, -1.0);
  }
  /// Half the difference of what both sides say, of one alone by what they had in common.
  void subtract(VecX Said::*what, Memory& memory, VecX& difference);
  void set_tolerances();
  StepStatus see_differences(Memory& memory);
  void increase();
  StepStatus solve_positions(Memory& memory);
  /// How many times what may be left of it the increment is, by the largest part of the mechanism and of the states.
  double in_tolerances(const VecX& increment);
  /// x with P x + Phi_q^T (...) = -held, Phi_q x = -violation.
  void project(VecX& held, VecX& violation, VecX& x);
  void project_rates(Memory& memory);
  void finish(Evaluation& e, double sign, State& state) const;

  const Formulation& formulation_;
  const Structure& structure_;
  const NewmarkIntegrator& integrator_;
  std::unique_ptr<Workspace> work_;
  std::unique_ptr<CoupledSolver> solver_;  // T at the end of the step
  VecX tangent_;                           // on the pattern
  SecantPairs lacks_;                      // J - T, of increments in units of their scales
  std::optional<NewmarkStep> step_;
  double h_ = 0;  // of the step before
  Evaluation base_, plus_, minus_;
  TangentSides sides_ = TangentSides::both;
  double row_size_ = 0;                         // the largest number of Phi_q
  VecX correction_v_, correction_A_;            // n: v1 - v*, A1 - A*
  VecX mu_, nu_;                                // m
  VecX moved_, lambda_;                         // derivatives along the direction: n, m
  VecX projected_v_, projected_A_;              // n: what projections add to those of v*, A*
  VecX residual_, violation_;                   // c b h^2 DR, DPhi: n, m
  VecX pending_, scaled_, lacking_, foretold_;  // n: increments since an evaluation; J - T on them
  VecX rhs_, difference_;                       // n
  double tolerance_[2] = {1, 1};                // of increments: of the mechanism, of the states
  double smallest_ = 0;                         // that may have ceased to shrink
};

}  // namespace cardan
