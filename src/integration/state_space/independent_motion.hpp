// The state-space equations of motion: coordinates split q = (u, v) by the pivots of Phi_q, everything dependent
// recovered from the constraints. With H = -Phi_u^-1 Phi_v and R = [H; I]:
//     u from Phi = 0,  u' = H v' - Phi_u^-1 Phi_t,  u'' = H v'' + Phi_u^-1 gamma,
//     lambda = Phi_u^-T (Q - M q'')_u,   Psi = R^T (M q'' - Q),
// and the exact Jacobian of Psi for changes dv'' with dv' = g dv'' and dv = b dv'' is  M^ + g C^ + b K^ (Eq. 19
// of [N], docs/theory/notation.md). Constraints on velocities are put into Psi: velocity_rows.hpp.
#pragma once

#include <Eigen/Cholesky>
#include <cstdint>

#include "formulation/formulation.hpp"
#include "formulation/relative/partition.hpp"
#include "integration/state_space/sparse_split.hpp"
#include "integration/state_space/velocity_rows.hpp"

namespace cardan {

class IndependentMotion {
 public:
  /// `solver`: "dense", "sparse", or "automatic", which is sparse where coordinates are many. Constraints on velocities
  /// make it dense.
  IndependentMotion(const Formulation& formulation, Workspace& work, const std::string& solver = "automatic");

  int independent_count() const { return f_; }
  int dependent_count() const { return rank_; }

  /// Chooses the first split, at the state's position. Returns Singular when the constraints leave nothing to choose.
  /// How many coordinates are independent is found by the first call.
  StepStatus start(State& state);
  /// Takes `state` as what the next evaluations start from; its memory and partition must stay as they are meanwhile.
  void begin(const State& state);
  enum class Split { same, reordered, changed };
  /// Chooses a split again at the state: `changed` when other coordinates became independent, `reordered` when only the
  /// order of elimination is another.
  Split repartition(State& state);
  /// How badly the split fits at the last position: above 1, and above what it was when chosen, it should be chosen
  /// again. By the largest entry of H, lengths in units of the mechanism's size, and by the range of the pivots.
  double misfit();

  void pick(const VecX& full, VecX& independent) const;
  /// R x at the last position: a small change of all coordinates that belongs to one of the independent ones.
  void spread(const VecX& independent, VecX& full);

  /// Where position() looks for the dependent coordinates of time t first; otherwise where the velocities at the start
  /// of the step carry them.
  void guess(double t, const VecX& q) { guessed_ = t, q_ = q; }
  // One level after the other, each at the values that the one before left behind.
  StepStatus position(double t, const VecX& v);
  void velocity(const VecX& rate);
  /// gamma, M and Q
  void dynamics();
  /// v'' of the equations of motion. False when R^T M R is singular.
  bool solve_acceleration(VecX& second);
  bool has_velocity_constraints() const { return !velocities_.empty(); }
  /// The nearest v' to the one of the last velocity() that respects the velocity constraints, and v'' there, with all
  /// that belongs to them. False when R^T M R is singular.
  bool project(VecX& rate, VecX& second);
  /// q'' and lambda at given v'', and Psi
  void residual(const VecX& second, VecX& psi);
  /// q'' without Psi
  void acceleration(const VecX& second);
  /// Whether there are so many coordinates that H and R are never made.
  bool is_sparse() const { return sparse_ != nullptr; }
  /// At the values of the last residual().
  const MotionDerivatives& differentiate();
  const Structure& structure() const { return structure_; }
  const Equations& equations() const { return work_.equations; }
  /// Chosen rows, dependent columns, independent columns.
  const Eigen::VectorXi& order() const { return *order_; }
  /// What a restored state goes on with in the same order of elimination.
  int memory_size() const { return sparse_ ? 4 * (n_ + rank_) : 0; }
  void recall(const double* numbers);
  void store(double* numbers) const {
    if (sparse_) pair_.store_order(numbers);
  }
  /// M^, C^ and K^ at the values of the last residual(), where they are not many
  void tangents(Eigen::MatrixXd& mass, Eigen::MatrixXd& damping, Eigen::MatrixXd& stiffness);

  const VecX& q() const { return q_; }
  const VecX& v() const { return v_; }
  const VecX& a() const { return a_; }
  const VecX& lambda() const { return lambda_; }

  /// Of Phi_u at the last position, in the order of elimination.
  const VecX& pivots() const { return sparse_ ? sparse_->pivots() : partition_->pivots(); }
  /// Evaluations of the equations of motion, and of their derivatives, since the start.
  std::int64_t evaluations() const { return evaluations_; }
  std::int64_t differentiations() const { return differentiations_; }
  /// What position() met when it failed; empty otherwise.
  const std::string& complaint() const { return complaint_; }
  void note_singular();
  /// Whether a constraint is open at the last position, which only one that is not among those chosen can be: it
  /// counted as redundant where the rank was found. Complains of it.
  bool note_opened();
  void clear_complaint() { complaint_.clear(); }

 private:
  void size(State& state);
  void choose(State& state);
  void build_pair();
  bool solve_pair(VecX& second);
  /// R^T (M q'' - Q) at given v''
  void raw_residual(const VecX& second, VecX& psi);
  bool factorize_mass();
  /// The full vector with the given independent part that satisfies Phi_q x = rhs.
  void complete(const VecX& independent, const VecX& rhs, double sign, VecX& full);

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  int n_, rank_ = 0, f_ = 0;
  bool wants_sparse_;
  std::unique_ptr<Partition> partition_;  // or, where coordinates are many,
  std::unique_ptr<SparseSplit> sparse_;
  SparseLu pair_;              // [M Phi_q^T; Phi_q 0] of the rows chosen, likewise
  Eigen::VectorXi pair_rows_;  // that it is of
  const State* from_ = nullptr;
  const Eigen::VectorXi* order_ = nullptr;  // of from_: chosen rows, dependent columns, independent columns

  // Position level
  VecX q_;              // n
  double guessed_ = 0;  // the time for which q_ holds a first guess
  Eigen::MatrixXd H_;   // rank x f
  // Velocity and acceleration level
  VecX v_, a_, lambda_;  // n, n, m
  // Dynamics
  VecX momentum_;  // n: M q'' - Q
  Eigen::MatrixXd reduced_mass_;
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
  VelocityRows velocities_;
  double velocity_weight_ = 1;  // of the velocity constraints in Psi, an inertia; that of the first start
  // Buffers
  VecX dependent_, lifted_, column_;  // rank, rank, n
  VecX pair_right_;                   // n + rank
  Eigen::MatrixXd R_, rate_R_, second_R_, rate_carried_, carried_, product_;
  MotionDerivatives derivatives_;
  Eigen::VectorXi previous_order_;
  std::int64_t evaluations_ = 0, differentiations_ = 0;
  std::string complaint_;
};

}  // namespace cardan
