#include "system/reactions.hpp"

#include <algorithm>

#include "math/decomposition/constraint_basis.hpp"
#include "math/rank.hpp"

namespace cardan {
namespace {

/// A wrench about the origin, taken about the point c, its moment in units of force times the mechanism's size.
template <int D>
typename Space<D>::Twist about(const typename Space<D>::Twist& w, const typename Space<D>::Vector& c, double length) {
  return twist<D>(linear<D>(w), (angular<D>(w) - moment(c, linear<D>(w))) / length);
}

/// The rows that take part in a dependency y^T A = 0, rising. In mechanisms too large for that, those that depend on
/// earlier ones.
std::vector<int> tied_rows(const SparseRows& A, const VecX& rounding) {
  constexpr int kLargestDense = 400;
  constexpr double kTakesPart = 1e-6;
  std::vector<int> dependent = dependent_rows(A, rounding);
  if (dependent.empty() || std::max(A.rows(), A.columns) > kLargestDense) return dependent;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(A.rows(), A.columns);
  for (int r = 0; r < A.rows(); ++r) {
    for (int k = A.start[r]; k < A.start[r + 1]; ++k) dense(r, A.column[k]) += A.value[k];
    const double length = dense.row(r).norm();
    if (length > rounding[r]) {
      dense.row(r) /= length;
    } else {
      dense.row(r).setZero();
    }
  }
  ConstraintBasis columns;
  columns.compute(dense.transpose());
  const Eigen::MatrixXd& y = columns.free();
  std::vector<int> tied;
  for (int r = 0; r < A.rows(); ++r) {
    if (y.row(r).norm() > kTakesPart) tied.push_back(r);
  }
  return tied;
}

constexpr double kRegularization = 1e-10;
constexpr int kRefinements = 4;
constexpr double kSettled = 1e-13;  // of the largest multiplier: a correction that small is the last
constexpr double kRoundings = 500;  // in an entry of the equilibrium, and a margin

}  // namespace

template <int D>
ReactionAnalysis<D>::ReactionAnalysis(const BodyModel<D>& model, const BodyKinematics<D>& assembled, double length,
                                      bool wanted, bool by_sweep)
    : model_(model), length_(length), rows_(model) {
  if (!wanted) return;
  const auto& joints = model_.mechanism().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    rows_.add_joint(static_cast<int>(j));
    joint_of_.resize(rows_.size(), static_cast<int>(j));
  }
  first_coupler_ = rows_.size();
  rows_.add_couplers();
  first_driver_ = rows_.size();
  rows_.add_drivers();
  first_disc_ = rows_.size();
  rows_.add_discs();
  first_velocity_ = rows_.size();
  rows_.add_velocities();
  joint_of_.resize(rows_.size(), -1);
  lay_out();
  fill_matrix(0, assembled);
  if (find_open_joints() && by_sweep) prepare_sweep();
}

/// Where every body hangs on joints that are always there.
template <int D>
void ReactionAnalysis<D>::prepare_sweep() {
  try {
    const SpanningTree tree = make_spanning_tree(model_.mechanism(), {});
    const auto is_there = [&](const TreeLink& link) { return model_.mechanism().joints[link.joint].present; };
    if (std::all_of(tree.links.begin(), tree.links.end(), is_there))
      sweep_ = std::make_unique<ReactionSweep<D>>(model_, tree, length_);
  } catch (const ModelError&) {  // no tree: links alone hold some body
  }
}

/// Which bodies every row acts on, the pattern of the equilibrium, and buffers for both.
template <int D>
void ReactionAnalysis<D>::lay_out() {
  const int bodies = model_.bodies(), count = rows_.size();
  std::vector<std::vector<int>> rows_at(bodies), ends_at(bodies);
  for (int r = 0; r < count; ++r) {
    const int first = static_cast<int>(ends_.size());
    const auto end_on = [&](int body) {
      if (body >= bodies) return -1;
      for (int i = first; i < static_cast<int>(ends_.size()); ++i) {
        if (ends_[i].body == body) return i;
      }
      ends_.push_back({r, body});
      rows_at[body].push_back(r);
      ends_at[body].push_back(static_cast<int>(ends_.size()) - 1);
      return static_cast<int>(ends_.size()) - 1;
    };
    for (int i = rows_.rows()[r].first; i < rows_.rows()[r].last; ++i) {
      const int one = end_on(rows_.terms()[i].measure.body1);
      term_ends_.push_back({one, end_on(rows_.terms()[i].measure.body2)});
    }
  }
  pattern_ = SymmetricPattern::from_cliques(count, rows_at);
  for (int body = 0; body < bodies; ++body) {
    for (int a : ends_at[body]) {
      for (int b : ends_at[body]) {
        if (b <= a) couplings_.push_back({a, b, pattern_.slot(ends_[a].row, ends_[b].row)});
      }
    }
  }
  if (count > 0) solver_ = make_linear_solver("automatic", pattern_);
  gradient_.assign(rows_.terms().size(), Twist::Zero());
  end_gradient_.assign(ends_.size(), Twist::Zero());
  rest_.assign(bodies, Twist::Zero());
  wanted_.assign(bodies + 1, Twist::Zero());
  values_ = VecX::Zero(pattern_.nonzeros());
  multiplier_ = rhs_ = VecX::Zero(count);
  joint_wrench_.assign(model_.mechanism().joints.size(), Twist::Zero());
}

/// Which reactions are not unique: rows of the equilibrium that depend on each other. A dependency involves every joint
/// that takes part in the null space, not only the last one.
template <int D>
bool ReactionAnalysis<D>::find_open_joints() {
  SparseRows rows;
  rows.columns = model_.bodies() * S::kTwist;
  rows.start = {0};
  for (std::size_t end = 0, r = 0; r < static_cast<std::size_t>(rows_.size()); ++r) {
    for (; end < ends_.size() && ends_[end].row == static_cast<int>(r); ++end) {
      for (int i = 0; i < S::kTwist; ++i) {
        rows.column.push_back(ends_[end].body * S::kTwist + i);
        rows.value.push_back(end_gradient_[end][i]);
      }
    }
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }
  const VecX rounding = kRoundings * model_.rounding(length_) / length_ * rows_.scales(length_);
  const std::vector<int> tied = tied_rows(rows, rounding);
  for (int r : tied) {
    if (joint_of_[r] < 0) continue;
    const std::string& name = model_.mechanism().joints[joint_of_[r]].name;
    if (open_joints_.empty() || open_joints_.back() != name) open_joints_.push_back(name);
  }
  return tied.empty();
}

template <int D>
void ReactionAnalysis<D>::fill_matrix(double t, const BodyKinematics<D>& k) {
  for (Twist& w : end_gradient_) w.setZero();
  for (const auto& row : rows_.rows()) {
    const typename ConstraintRows<D>::Factors factors(row, t);
    for (int i = row.first; i < row.last; ++i) {
      const auto& term = rows_.terms()[i];
      const Measure<D>& m = term.measure;
      gradient_[i] = factors(term).f * m.gradient(k);
      const auto [one, two] = term_ends_[i];
      if (one >= 0) end_gradient_[one] -= term.weight * about<D>(gradient_[i], k.center[m.body1], length_);
      if (two >= 0) end_gradient_[two] += term.weight * about<D>(gradient_[i], k.center[m.body2], length_);
    }
  }
  values_.setZero();
  for (const Coupling& c : couplings_) values_[c.slot] += end_gradient_[c.end1].dot(end_gradient_[c.end2]);
}

template <int D>
void ReactionAnalysis<D>::solve(double t, const BodyKinematics<D>& k, const std::vector<Twist>& applied,
                                const VecX& attached) {
  const int bodies = model_.bodies();
  if (rows_.size() == 0) return;
  for (int b = 0; b < bodies; ++b) {
    const RigidInertia<D> M = model_.inertia(b, k);
    wanted_[b] = M * k.acceleration[b] + carried_wrench_rate<D>(k.twist[b], M * k.twist[b]) - applied[b];
  }
  if (sweep_ && sweep_->solve(t, k, attached, wanted_, joint_wrench_)) {
    const Eigen::Index others = rows_.size() - first_coupler_;
    multiplier_.tail(others) = sweep_->multipliers().tail(others);
    return;
  }
  rows_.hold(attached);
  solve_all(t, k);
}

/// (A^T A + e D) dx = A^T (b - A x), repeated: converges to the least-squares solution of minimum norm.
template <int D>
void ReactionAnalysis<D>::solve_all(double t, const BodyKinematics<D>& k) {
  const int bodies = model_.bodies();
  fill_matrix(t, k);
  for (int r = 0; r < pattern_.n; ++r) {
    double& diagonal = values_[pattern_.column_start[r]];
    diagonal += kRegularization * std::max(diagonal, 1e-6);
  }
  multiplier_.setZero();
  if (solver_->factorize(values_) < 0) {
    for (int pass = 0; pass < kRefinements; ++pass) {
      for (int b = 0; b < bodies; ++b) rest_[b] = about<D>(wanted_[b], k.center[b], length_);
      for (std::size_t i = 0; i < ends_.size(); ++i) {
        rest_[ends_[i].body] -= multiplier_[ends_[i].row] * end_gradient_[i];
      }
      rhs_.setZero();
      for (std::size_t i = 0; i < ends_.size(); ++i) {
        rhs_[ends_[i].row] += end_gradient_[i].dot(rest_[ends_[i].body]);
      }
      solver_->solve(rhs_);
      multiplier_ += rhs_;
      if (rhs_.template lpNorm<Eigen::Infinity>() <= kSettled * multiplier_.template lpNorm<Eigen::Infinity>()) break;
    }
  }
  for (Twist& w : joint_wrench_) w.setZero();
  for (int r = 0; r < rows_.size(); ++r) {
    for (int i = rows_.rows()[r].first; joint_of_[r] >= 0 && i < rows_.rows()[r].last; ++i) {
      joint_wrench_[joint_of_[r]] += multiplier_[r] * rows_.terms()[i].weight * gradient_[i];
    }
  }
}

template class ReactionAnalysis<2>;
template class ReactionAnalysis<3>;

}  // namespace cardan
