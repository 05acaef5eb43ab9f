// The equations of a system at one state, solved with redundant constraints: coordinates counted in their scales and
// constraint rows of unit length, so that one decomposition tells which rows are independent whatever the units.
#pragma once

#include "math/decomposition/constraint_basis.hpp"
#include "system/view.hpp"

namespace cardan {

class StateEquations {
 public:
  /// `work` holds the state, evaluated.
  StateEquations(const System::View& view, const State& state, Workspace& work);

  const Eigen::MatrixXd& mass() const { return mass_; }
  const VecX& force() const { return force_; }
  int freedom() const { return basis_.freedom(); }
  /// n x f: the motions that the constraints allow, v = free() y.
  Eigen::MatrixXd free() const { return scale_.asDiagonal() * basis_.free(); }
  /// With the efforts tau on the coordinates. Throws std::domain_error when nothing resists some motion.
  Accelerations accelerations(const VecX& tau) const;
  /// The shortest x with Phi_q x = b.
  VecX shortest(const VecX& b) const {
    return scale_.cwiseProduct(basis_.shortest(VecX(b.cwiseQuotient(row_length_))));
  }

 private:
  const System::View& view_;
  VecX scale_, row_length_;
  Eigen::MatrixXd mass_;
  VecX force_, gamma_;
  ConstraintBasis basis_;
};

/// Finds the nearest state with Phi = 0 in which scalars have given values and rates.
class Closing {
 public:
  Closing(const System::View& view, const ScalarList& scalars, std::vector<int> which)
      : view_(view), scalars_(scalars), which_(std::move(which)) {}

  /// Positions, then velocities; `work` holds the state in the end. Throws std::domain_error when it does not close.
  void close(State& state, const VecX& values, const VecX& rates, Workspace& work) const;

 private:
  const System::View& view_;
  const ScalarList& scalars_;
  std::vector<int> which_;
};

}  // namespace cardan
