#include "analysis/reactions.hpp"

#include <algorithm>

#include "math/rank.hpp"

namespace cardan {
namespace {

/// A wrench about the origin, taken about the point c, its moment in units of force times the mechanism's size.
template <int D>
typename Space<D>::Twist about(const typename Space<D>::Twist& w, const typename Space<D>::Vector& c, double length) {
  return twist<D>(linear<D>(w), (angular<D>(w) - moment(c, linear<D>(w))) / length);
}

constexpr double kRegularization = 1e-10;
constexpr int kRefinements = 4;

}  // namespace

template <int D>
ReactionAnalysis<D>::ReactionAnalysis(const BodyModel<D>& model, const BodyKinematics<D>& assembled, double length)
    : model_(model), length_(length) {
  const auto& joints = model_.mechanism().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    for (const NamedMeasure<D>& c : model_.measures().constraints(joints[j])) {
      held_.add(static_cast<int>(rows_.size()), c);
      rows_.push_back({c.measure, static_cast<int>(j)});
    }
  }
  first_driver_ = static_cast<int>(rows_.size());
  for (const auto& driver : model_.drivers()) rows_.push_back({driver.measure, -1});

  const int bodies = model_.bodies(), count = static_cast<int>(rows_.size());
  std::vector<std::vector<int>> rows_at(bodies);
  for (int r = 0; r < count; ++r) {
    for (const int body : {rows_[r].measure.body1, rows_[r].measure.body2}) {
      if (body < bodies) rows_at[body].push_back(r);
    }
  }
  pattern_ = SymmetricPattern::from_cliques(count, rows_at);
  for (int body = 0; body < bodies; ++body) {
    for (int a : rows_at[body]) {
      for (int b : rows_at[body]) {
        if (b > a) continue;
        const double sign = (rows_[a].measure.body2 == body ? 1 : -1) * (rows_[b].measure.body2 == body ? 1 : -1);
        couplings_.push_back({a, b, pattern_.slot(a, b), body, sign});
      }
    }
  }
  if (count > 0) solver_ = make_linear_solver("automatic", pattern_);
  gradient_.assign(count, Twist::Zero());
  gradient_at_[0] = gradient_at_[1] = gradient_;
  wanted_.assign(bodies, Twist::Zero());
  rest_ = wanted_;
  values_ = VecX::Zero(pattern_.nonzeros());
  multiplier_ = rhs_ = VecX::Zero(count);
  joint_wrench_.assign(joints.size(), Twist::Zero());

  // Which reactions are not unique: rows of the equilibrium that depend on each other. A dependency involves every
  // joint that takes part in the null space, not only the last one.
  fill_matrix(assembled);
  SparseRows rows;
  rows.columns = bodies * S::kTwist;
  rows.start = {0};
  for (int r = 0; r < count; ++r) {
    for (int end = 0; end < 2; ++end) {
      const int body = end == 0 ? rows_[r].measure.body2 : rows_[r].measure.body1;
      for (int i = 0; body < bodies && i < S::kTwist; ++i) {
        rows.column.push_back(body * S::kTwist + i);
        rows.value.push_back((end == 0 ? 1 : -1) * gradient_at_[end][r][i]);
      }
    }
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }
  for (int r : dependent_rows(rows)) {
    if (rows_[r].joint < 0) continue;
    const std::string& name = joints[rows_[r].joint].name;
    if (std::find(open_joints_.begin(), open_joints_.end(), name) == open_joints_.end()) open_joints_.push_back(name);
  }
}

template <int D>
void ReactionAnalysis<D>::fill_matrix(const BodyKinematics<D>& k) {
  const int bodies = model_.bodies();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Measure<D>& m = rows_[r].measure;
    gradient_[r] = m.gradient(k);
    gradient_at_[0][r] = m.body2 < bodies ? about<D>(gradient_[r], k.center[m.body2], length_) : Twist(Twist::Zero());
    gradient_at_[1][r] = m.body1 < bodies ? about<D>(gradient_[r], k.center[m.body1], length_) : Twist(Twist::Zero());
  }
  values_.setZero();
  for (const Coupling& c : couplings_) {
    const Twist& a = gradient_at_[rows_[c.row1].measure.body2 == c.body ? 0 : 1][c.row1];
    const Twist& b = gradient_at_[rows_[c.row2].measure.body2 == c.body ? 0 : 1][c.row2];
    values_[c.slot] += c.sign * a.dot(b);
  }
}

/// (A^T A + e D) dx = A^T (b - A x), repeated: converges to the least-squares solution of minimum norm.
template <int D>
void ReactionAnalysis<D>::solve(const BodyKinematics<D>& k, const std::vector<Twist>& applied, const VecX& attached) {
  if (rows_.empty()) return;
  held_.hold(attached, [&](int row) -> Measure<D>& { return rows_[row].measure; });
  const int bodies = model_.bodies();
  fill_matrix(k);
  for (int r = 0; r < pattern_.n; ++r) {
    double& diagonal = values_[pattern_.column_start[r]];
    diagonal += kRegularization * std::max(diagonal, 1e-6);
  }
  multiplier_.setZero();
  if (solver_->factorize(values_) < 0) {
    for (int b = 0; b < bodies; ++b) {
      const RigidInertia<D> M = model_.inertia(b, k);
      const Twist rate = M * k.acceleration[b] + carried_wrench_rate<D>(k.twist[b], M * k.twist[b]);
      wanted_[b] = about<D>(rate - applied[b], k.center[b], length_);
    }
    for (int pass = 0; pass < kRefinements; ++pass) {
      for (int b = 0; b < bodies; ++b) rest_[b] = wanted_[b];
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Measure<D>& m = rows_[r].measure;
        if (m.body2 < bodies) rest_[m.body2] -= multiplier_[r] * gradient_at_[0][r];
        if (m.body1 < bodies) rest_[m.body1] += multiplier_[r] * gradient_at_[1][r];
      }
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Measure<D>& m = rows_[r].measure;
        rhs_[r] = (m.body2 < bodies ? gradient_at_[0][r].dot(rest_[m.body2]) : 0) -
                  (m.body1 < bodies ? gradient_at_[1][r].dot(rest_[m.body1]) : 0);
      }
      solver_->solve(rhs_);
      multiplier_ += rhs_;
    }
  }
  for (Twist& w : joint_wrench_) w.setZero();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rows_[r].joint >= 0) joint_wrench_[rows_[r].joint] += multiplier_[r] * gradient_[r];
  }
}

template class ReactionAnalysis<2>;
template class ReactionAnalysis<3>;

}  // namespace cardan
