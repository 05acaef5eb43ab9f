// States of a model at rest: their rates g(q, z) are zero where nothing moves. States of which the rates say by
// themselves where they come to rest, like filters and pressures behind orifices, follow the positions, z(q), and what
// loads do with them becomes part of the forces and their tangent,
//     K - Q_z g_z^-1 g_q.
// Where there are others, as integrals of controllers, which rest where the mechanism has moved to what they want,
// positions and states are found together.
#pragma once

#include <string>
#include <vector>

#include "analysis/cartesian_system.hpp"

namespace cardan {

class StateBalance {
 public:
  explicit StateBalance(CartesianSystem& system) : system_(system) {}

  /// At the position reached: which states may vary, and whether these follow the positions. False when not, or when
  /// one cannot come to rest: complaint() says which.
  bool sort();
  const std::string& complaint() const { return complaint_; }
  /// Q with the states at rest, as long as there is no complaint.
  VecX forces();
  /// After forces() and CartesianSystem::tangent().
  void follow_motions(Eigen::MatrixXd& stiffness) const;
  /// Newton's method on positions and states, in steps of at most `step`.
  void balance_with_motions(int iterations, double step, int& taken);

 private:
  Eigen::MatrixXd pick(const Eigen::MatrixXd& A, bool rows, bool columns) const;
  Eigen::MatrixXd responses(const Eigen::MatrixXd& rates_by_states) const;
  VecX varying_rates() const;
  Eigen::MatrixXd tangent_of_all(VecX& rest);
  void name(const VecX& parts, const std::string& what);

  CartesianSystem& system_;
  std::vector<int> varying_;  // states
  bool follow_positions_ = false;
  std::string complaint_;
};

}  // namespace cardan
