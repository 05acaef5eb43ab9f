// Solves with the tangent of the Newmark family where forces follow signals. The couplings make it unsymmetric. With x
// the coordinates of the mechanism and z those of the states, S_F the rows that forces act on and S_L those that are
// felt, each w = c b h^2 k + c g h c,
//     | A + S_F^T W_mm S_L   S_F^T W_ms | |x|   |r|
//     | W_sm S_L             D          | |z| = |s|       A symmetric and factorized as ever, D of the states alone
// The states are eliminated first: z = D^-1 (s - W_sm S_L x), which leaves
//     (A + S_F^T G S_L) x = r - S_F^T W_ms D^-1 s,   G = W_mm - W_ms D^-1 W_sm
// and that by Woodbury, with Y = A^-1 S_F^T, one column for each force on the mechanism:
//     x = y - Y (1 + G S_L Y)^-1 G S_L y,   y = A^-1 (r - S_F^T W_ms D^-1 s)
// So the cost is one factorization of the size of the states, one solution for each force on the mechanism that follows
// something just now, few where there are many states, and a small factorization; without couplings nothing is done.
// Where forces are many, as under wheels that slip, the whole as one full matrix is cheaper: counts of operations
// decide, so that the same motion always takes the same way.
#pragma once

#include "formulation/equations.hpp"
#include "math/dense_lu.hpp"

namespace cardan {

class CoupledSolver final : public LinearSolver {
 public:
  /// `may_be_whole`: whether a full matrix may be made.
  CoupledSolver(std::unique_ptr<LinearSolver> symmetric, const Structure& structure, const Equations& equations,
                bool may_be_whole);

  const char* name() const override { return symmetric_->name(); }
  /// Of the symmetric part alone.
  int factorize(const VecX& values) override {
    way_ = Way::symmetric;
    return symmetric_->factorize(values);
  }
  /// With the couplings as they are in the equations. Returns -1, or a coordinate that has no pivot.
  int factorize(const VecX& values, double stiffness, double damping) {
    if (structure_.couplings.empty()) return symmetric_->factorize(values);
    return factorize_coupled(values, stiffness, damping);
  }
  void solve(VecX& x) const override;

 private:
  /// A coupling, by the places of its ends: forces and felt rows of the mechanism, or states.
  struct Entry {
    int force, felt;
    int coupling;
  };
  /// Rows of which some take part just now.
  struct Rows {
    std::vector<int> all;     // rows of the mechanism, each once
    std::vector<int> active;  // indices into `all`
    std::vector<int> place;   // of each of `all` in `active`, or -1

    explicit Rows(std::vector<int> rows) : all(std::move(rows)), place(all.size(), -1) { active.reserve(all.size()); }
    void clear();
    void activate(int index);
    int count() const { return static_cast<int>(active.size()); }
    int row(int i) const { return all[active[i]]; }
  };
  /// What acts on one row, of the mechanism or of a state.
  struct Group {
    int force;
    std::vector<Entry> entries;  // of which `felt` is a row of the loads
    std::vector<int> columns;    // that these rows touch
  };
  enum class Way { symmetric, by_forces, whole };

  void list_groups();
  void find_active();
  void keep_rows(const Rows& rows);
  bool whole_pays() const;
  int factorize_coupled(const VecX& values, double stiffness, double damping);
  int factorize_whole(const VecX& values);
  int reduce(const VecX& values);
  void find_responses();
  void feel(const VecX& x) const;
  /// G S_L x
  void respond(const VecX& x) const;

  std::unique_ptr<LinearSolver> symmetric_;
  const Structure& structure_;
  const Equations& equations_;
  int n_, states_;  // coordinates of the mechanism; states
  Rows forces_, felt_;
  std::vector<Entry> mm_, ms_, sm_, ss_;
  std::vector<int> following_;  // forces that follow states
  Way way_ = Way::symmetric;
  bool may_be_whole_;
  double symmetric_cost_ = 0, solution_cost_ = 0;  // of the symmetric part, in operations
  VecX weight_;                                    // of every coupling
  VecX rows_;                         // of the loads that take part, as they were when the tangent was made
  DenseLu D_;                         // states x states
  Eigen::MatrixXd through_;           // states x all forces: (W_ms D^-1)^T
  Eigen::MatrixXd G_;                 // active forces x active felt, in the upper left part
  Eigen::MatrixXd Y_;                 // n x active forces, likewise
  Eigen::MatrixXd R_;                 // n x active forces, likewise: (G S_L)^T, where that is less than S_L
  bool summed_ = false;               // R stands for G and S_L
  DenseLu small_;                     // 1 + G S_L Y
  std::vector<Group> groups_;         // where the whole may pay
  DenseLu whole_;                     // all coordinates, likewise
  mutable VecX column_;               // all coordinates
  mutable VecX seen_, response_, z_;  // active felt, active forces, states
};

std::unique_ptr<CoupledSolver> make_coupled_solver(const std::string& kind, const Structure& structure,
                                                   const Equations& equations);

}  // namespace cardan
