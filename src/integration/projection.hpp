// Back onto the constraints, or their rates, along the motions that the factorized matrix finds cheapest:
//     T dx = -Phi_q^T w (violation of x),   x <- x + dx,   T = P + Phi_q^T w Phi_q
// Phi_q is that of T, also where the position has changed since: then P dx is a combination of its rows, and dx has no
// part along the motions that they allow. Rows newer by dPhi_q would give such a motion s a part of
// w (dPhi_q s) (violation) / (s P s), and w is large.
#pragma once

#include <algorithm>
#include <cmath>

#include "formulation/bare_rows.hpp"

namespace cardan {

class Projection {
 public:
  Projection(const Structure& structure, const Equations& equations, const LinearSolver& solver)
      : structure_(structure),
        equations_(equations),
        solver_(solver),
        rows_(equations.jacobian),
        is_twin_(twins_of(structure.jacobian)),
        violation_(VecX::Zero(structure.constraints)),
        increment_(VecX::Zero(structure.coordinates)) {}

  /// To be called where T is made, at the same position.
  void remember_rows() { rows_ = equations_.jacobian; }
  const VecX& rows() const { return rows_; }
  /// The rows of T, and those of where the equations are now.
  BareRows rows_of_tangent() const { return {structure_.jacobian, rows_, is_twin_}; }
  BareRows rows_now() const { return {structure_.jacobian, equations_.jacobian, is_twin_}; }

  /// Again until the largest of the violations that `find` writes is below the tolerance; `least` passes in any case.
  /// `correct(dx)` applies a correction. Close to a singular position some motions are hardly constrained: there the
  /// first pass leaves them almost as they are, and further passes, which would move them by the violation over a
  /// vanishing number, are recognized by how little they mend and taken back. Constraints of no weight are left out.
  template <class Find, class Correct>
  [[gnu::always_inline]] void run(const VecX& weight, double tolerance, int least, const Find& find,
                                  const Correct& correct) {
    double last = 0;
    for (int pass = 0; pass < kPasses && structure_.constraints > 0; ++pass) {
      find(violation_.data());
      double worst = 0;
      for (int k = 0; k < structure_.constraints; ++k) {
        if (weight[k] != 0) worst = std::max(worst, std::abs(violation_[k]));
      }
      if (pass > 1 && worst > kWeak * last) return correct(-increment_);
      if (pass >= least && worst <= tolerance) return;
      increment_.setZero();
      BareRows(structure_.jacobian, rows_, is_twin_, &weight)
          .add([&](int k) { return -weight[k] * violation_[k]; }, increment_.data());
      solver_.solve(increment_);
      correct(increment_);
      last = worst;
    }
  }

 private:
  static constexpr int kPasses = 8;
  static constexpr double kWeak = 0.1;  // a further pass that leaves more than this part of the violation is taken back

  const Structure& structure_;
  const Equations& equations_;
  const LinearSolver& solver_;
  VecX rows_;  // of Phi_q, as in T
  std::vector<unsigned char> is_twin_;
  VecX violation_;  // m
  VecX increment_;  // n
};

}  // namespace cardan
