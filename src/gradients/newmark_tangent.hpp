// The derivative of a step of newmark.hpp along a direction in which the state at its start and what the mechanism is
// made of change together: docs/theory/gradients.md, symbol for symbol. A direction is given by two sides, mechanisms
// and states a small way forth and back along it; what the equations of the step say on them is subtracted, and the
// factorized tangent of the step itself is what the differences are solved with.
#pragma once

#include "integration/newmark.hpp"

namespace cardan {

/// A mechanism beside the one that is stepped, and its state: before a step, and then after it.
struct TangentSide {
  const Formulation& formulation;
  Workspace& work;
  State& state;
};

/// Which sides are looked at: both, or one, which is compared with the step itself.
enum class TangentSides { both, plus, minus };

class NewmarkTangent {
 public:
  /// What a direction keeps from one step to the next.
  struct Memory {
    VecX moved;       // n: derivative of d
    double rate = 1;  // at which increments shrank in the last step that had several
    int age = 0;      // so many steps ago
  };

  /// Both must outlive it.
  NewmarkTangent(const Formulation& formulation, const NewmarkIntegrator& integrator);

  /// After a step: what all directions share.
  StepStatus begin();
  /// Takes the sides that are looked at from the start of that step to its end.
  StepStatus step(TangentSide plus, TangentSide minus, TangentSides which, Memory& memory);

 private:
  /// What the equations of the step say at q1, v*, A* and lambda1.
  struct Evaluation {
    const Formulation* formulation = nullptr;
    Workspace* work = nullptr;
    State before;
    VecX d, lambda;              // n, m
    VecX q, v, a, A;             // n: by the rule from d
    VecX residual;               // n: M A* + Phi_q^T lambda - Q
    VecX phi, rate, second;      // m: Phi; Phi_q v1 + Phi_t; Phi_q A1 - gamma
    VecX held_v, held_A;         // n: P (v1 - v*) + Phi_q^T mu, P (A1 - A*) + Phi_q^T nu
    VecX predicted_q, predicted_v;
    void size(int n, int m);
  };

  StepStatus evaluate(Evaluation& e) const;
  void feel_projections(Evaluation& e) const;
  void see_gamma(Evaluation& e, const VecX& v) const;
  /// y += P x, P = T - Phi_q^T w Phi_q, of what the workspace holds.
  void add_projector(const Equations& e, const VecX& x, VecX& y) const;
  /// mu of P x + Phi_q^T mu = 0.
  void find_multipliers(const VecX& product, VecX& mu);
  StepStatus solve_positions(Memory& memory);
  /// x with P x + Phi_q^T (...) = -held, Phi_q x = -violation.
  void project(VecX& held, VecX& violation, VecX& x);
  void take_increment(Evaluation& e, double sign) const;
  void finish(Evaluation& e, double sign, State& state) const;
  double scaled_norm(const VecX& x) const;

  const Formulation& formulation_;
  const Structure& structure_;
  const NewmarkIntegrator& integrator_;
  std::unique_ptr<Workspace> work_;
  std::optional<NewmarkStep> step_;
  Evaluation base_, plus_, minus_;
  Evaluation *upper_ = nullptr, *lower_ = nullptr;  // of which differences are made
  double factor_ = 1;                               // of these
  VecX correction_v_, correction_A_;                // n: v1 - v*, A1 - A*
  VecX mu_, nu_;                                    // m
  VecX moved_, lambda_;                             // derivatives along the direction: n, m
  VecX projected_v_, projected_A_;                  // n: what projections add to those of v*, A*
  VecX rhs_, difference_, violation_;               // n, n, m
};

}  // namespace cardan
