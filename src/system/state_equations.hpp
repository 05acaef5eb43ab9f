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

/// What a state is to have beside closed loops; of what the workspace holds.
class Goal {
 public:
  virtual ~Goal() = default;
  /// How much more than wanted there is of each quantity; of what is far off a part, in the same direction.
  virtual VecX excess(const State& state, Workspace& work) const = 0;
  virtual VecX rates(Workspace& work) const = 0;
  virtual const VecX& wanted_rates() const = 0;
};

/// Scalars with given values and rates.
class ScalarGoal final : public Goal {
 public:
  ScalarGoal(const ScalarList& scalars, const std::vector<int>& which, const VecX& values, const VecX& rates)
      : scalars_(scalars), which_(which), values_(values), rates_(rates) {}
  VecX excess(const State& state, Workspace& work) const override;
  VecX rates(Workspace& work) const override { return scalars_.rates(which_, work); }
  const VecX& wanted_rates() const override { return rates_; }

 private:
  const ScalarList& scalars_;
  const std::vector<int>& which_;
  const VecX &values_, &rates_;
};

/// Finds the nearest state with Phi = 0 that has what a goal wants: positions, then velocities; `work` holds it in the
/// end. Throws std::domain_error when it does not close.
void close(const System::View& view, const Goal& goal, State& state, Workspace& work);

}  // namespace cardan
