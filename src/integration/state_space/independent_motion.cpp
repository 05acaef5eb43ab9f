#include "integration/state_space/independent_motion.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/constraint_rank.hpp"
#include "integration/matrix_entries.hpp"

namespace cardan {
namespace {
// Pivot relative to the largest at which no split is good any more: rounding e of positions is e / pivot^2 in H.
constexpr double kSingular = 1e-5;
// Of H, by which errors of v appear in u. Little above 1, so that a split is in use from where it becomes the best one
// to where it ceases to be: what the symmetric rules err on the way to its best position they regain after it.
constexpr double kLargestCoefficient = 1.05;
constexpr double kLargestRange = 1e3;         // of pivots, largest to smallest
constexpr double kPositionTolerance = 1e-14;  // of Phi, relative to its scale
constexpr double kOpened = 1e-6;              // likewise: a constraint that is off by this has opened
constexpr int kMany = 150;  // coordinates, from which on those that are not coupled are worth looking for
}  // namespace

IndependentMotion::IndependentMotion(const Formulation& formulation, Workspace& work, const std::string& solver)
    : formulation_(formulation),
      structure_(formulation.structure()),
      work_(work),
      n_(structure_.coordinates),
      wants_sparse_(solver == "sparse" || (solver != "dense" && n_ >= kMany)),
      pair_(0, {}),
      q_(VecX::Zero(n_)),
      v_(q_),
      a_(q_),
      lambda_(VecX::Zero(structure_.constraints)),
      momentum_(q_),
      velocities_(structure_),
      column_(q_),
      derivatives_(structure_) {}

StepStatus IndependentMotion::start(State& state) {
  const StepStatus status = formulation_.position(state.t, state.q, state, work_);
  if (status != StepStatus::ok) return status;
  if (partition_ || sparse_) {
    if (partition_) partition_->begin(state.partition);
    choose(state);
    begin(state);
    return StepStatus::ok;
  }
  const VecX& jacobian = work_.equations.jacobian;
  if (wants_sparse_ && velocities_.empty()) {
    rank_ = structure_.position_constraints() -
            static_cast<int>(dependent_position_constraints(structure_, jacobian).size());
  } else {
    partition_ = std::make_unique<Partition>(structure_, loop_groups(structure_, jacobian));
    rank_ = partition_->rank();
  }
  f_ = n_ - rank_;
  if (!velocities_.empty()) {
    velocities_.resize(f_);
    formulation_.velocity(state.v, work_);
    formulation_.dynamics(work_);
    double sum = 0;
    for (int j = 0; j < n_; ++j) sum += work_.equations.mass[structure_.pattern.column_start[j]];
    if (sum > 0) velocity_weight_ = sum / n_;
  }
  size(state);
  dependent_ = lifted_ = VecX::Zero(rank_);
  pair_right_ = VecX::Zero(n_ + rank_);
  previous_order_ = state.partition;
  complaint_.reserve(512);
  choose(state);
  begin(state);
  return StepStatus::ok;
}

void IndependentMotion::size(State& state) {
  if (!partition_) {
    sparse_ = std::make_unique<SparseSplit>(structure_, rank_);
    state.partition.setLinSpaced(rank_ + n_, -rank_, n_ - 1);
    for (int i = 0; i < rank_; ++i) state.partition[i] = i;
    return;
  }
  H_ = Eigen::MatrixXd::Zero(rank_, f_);
  rate_R_ = second_R_ = rate_carried_ = Eigen::MatrixXd::Zero(structure_.constraints, f_);
  R_ = carried_ = product_ = Eigen::MatrixXd::Zero(n_, f_);
  reduced_mass_ = Eigen::MatrixXd::Zero(f_, f_);
  cholesky_.compute(Eigen::MatrixXd::Identity(f_, f_));  // sized, and valid before the first step
  partition_->begin(state.partition);
}

/// Full pivoting, sorted, so that the same split is the same list.
void IndependentMotion::choose(State& state) {
  const VecX& jacobian = work_.equations.jacobian;
  sparse_ ? sparse_->choose(jacobian, state.partition) : partition_->choose(jacobian, state.partition);
  std::sort(state.partition.data() + 2 * rank_, state.partition.data() + rank_ + n_);
}

IndependentMotion::Split IndependentMotion::repartition(State& state) {
  if (rank_ == 0) return Split::same;
  formulation_.position(state.t, state.q, state, work_);
  previous_order_ = state.partition;
  choose(state);
  if (previous_order_.tail(f_) != state.partition.tail(f_)) return Split::changed;
  return previous_order_ != state.partition ? Split::reordered : Split::same;
}

void IndependentMotion::begin(const State& state) {
  from_ = &state;
  order_ = &state.partition;
  guess(state.t, state.q);
  v_ = state.v;
}

void IndependentMotion::pick(const VecX& full, VecX& independent) const {
  for (int i = 0; i < f_; ++i) independent[i] = full[(*order_)[2 * rank_ + i]];
}

void IndependentMotion::spread(const VecX& independent, VecX& full) {
  const Eigen::VectorXi& order = *order_;
  if (sparse_) {
    column_.setZero();
    for (int i = 0; i < f_; ++i) column_[order[2 * rank_ + i]] = independent[i];
    sparse_->reach(work_.equations.jacobian, column_, lifted_);
    sparse_->solve(lifted_);
  }
  for (int i = 0; i < f_; ++i) full[order[2 * rank_ + i]] = independent[i];
  for (int i = 0; i < rank_; ++i) full[order[rank_ + i]] = sparse_ ? lifted_[i] : H_.row(i).dot(independent);
}

/// Newton on Phi(u, v) = 0 for u, then H.
StepStatus IndependentMotion::position(double t, const VecX& v) {
  const Eigen::VectorXi& order = *order_;
  if (t != guessed_) q_ = from_->q + (t - from_->t) * from_->v;
  guessed_ = t;
  for (int i = 0; i < f_; ++i) q_[order[2 * rank_ + i]] = v[i];
  if (!v.allFinite()) return StepStatus::not_finite;
  const auto evaluate = [&] { return formulation_.position(t, q_, *from_, work_); };
  const StepStatus status = sparse_ ? sparse_->close(work_.equations, order, kPositionTolerance, q_, evaluate)
                                    : partition_->close(work_.equations, order, kPositionTolerance, q_, evaluate);
  if (status == StepStatus::not_converged) note_singular();
  if (status != StepStatus::ok || (rank_ == 0 && velocities_.empty())) return status;
  const VecX& pivots = this->pivots();
  if (rank_ > 0 && !(pivots.cwiseAbs().minCoeff() > kSingular * pivots.cwiseAbs().maxCoeff())) {
    note_singular();
    return StepStatus::singular;
  }
  if (sparse_) return StepStatus::ok;
  partition_->find_dependence(H_);
  if (!velocities_.empty()) velocities_.update(work_.equations.jacobian, order, rank_, H_);
  return StepStatus::ok;
}

void IndependentMotion::complete(const VecX& independent, const VecX& rhs, double sign, VecX& full) {
  const Eigen::VectorXi& order = *order_;
  if (sparse_) {
    spread(independent, full);
    for (int i = 0; i < rank_; ++i) dependent_[i] = sign * rhs[order[i]];
    sparse_->solve(dependent_);
    for (int i = 0; i < rank_; ++i) full[order[rank_ + i]] += dependent_[i];
    return;
  }
  for (int i = 0; i < rank_; ++i) dependent_[i] = sign * rhs[order[i]];
  if (rank_ > 0) partition_->solve(dependent_);
  dependent_.noalias() += H_ * independent;
  for (int i = 0; i < rank_; ++i) full[order[rank_ + i]] = dependent_[i];
  for (int i = 0; i < f_; ++i) full[order[2 * rank_ + i]] = independent[i];
}

void IndependentMotion::velocity(const VecX& rate) {
  complete(rate, work_.equations.phi_t, -1, v_);
  formulation_.velocity(v_, work_);
}

void IndependentMotion::dynamics() {
  ++evaluations_;
  formulation_.gamma(work_);
  formulation_.dynamics(work_);
}

void IndependentMotion::acceleration(const VecX& second) { complete(second, work_.equations.gamma, 1, a_); }

void IndependentMotion::raw_residual(const VecX& second, VecX& psi) {
  const Eigen::VectorXi& order = *order_;
  acceleration(second);
  momentum_ = -work_.equations.force;
  multiply_add(structure_.pattern, work_.equations.mass, a_, momentum_);
  for (int i = 0; i < rank_; ++i) dependent_[i] = momentum_[order[rank_ + i]];
  for (int i = 0; i < f_; ++i) psi[i] = momentum_[order[2 * rank_ + i]];
  if (!sparse_) {
    psi.noalias() += H_.transpose() * dependent_;
    return;
  }
  // H^T x = -Phi_v^T Phi_u^-T x
  lifted_ = dependent_;
  sparse_->solve_transposed(lifted_);
  column_.setZero();
  for (int i = 0; i < rank_; ++i) add_row(structure_.jacobian, work_.equations.jacobian, order[i], lifted_[i], column_);
  for (int i = 0; i < f_; ++i) psi[i] -= column_[order[2 * rank_ + i]];
}

void IndependentMotion::residual(const VecX& second, VecX& psi) {
  const Eigen::VectorXi& order = *order_;
  raw_residual(second, psi);
  lambda_.setZero();
  if (!velocities_.empty()) {
    velocities_.take_multipliers(psi, lambda_);
    velocities_.combine(a_, work_.equations.gamma, 1);
    velocities_.add_violation(velocity_weight_, psi);
    velocities_.add_force(lambda_, momentum_);
    for (int i = 0; i < rank_; ++i) dependent_[i] = momentum_[order[rank_ + i]];
  }
  if (sparse_) {
    dependent_ = lifted_;
  } else if (rank_ > 0) {
    partition_->solve_transposed(dependent_);
  }
  for (int i = 0; i < rank_; ++i) lambda_[order[i]] = -dependent_[i];
}

bool IndependentMotion::factorize_mass() {
  const Eigen::VectorXi& order = *order_;
  for (int j = 0; j < f_; ++j) {
    a_.setZero();
    a_[order[2 * rank_ + j]] = 1;
    for (int i = 0; i < rank_; ++i) a_[order[rank_ + i]] = H_(i, j);
    momentum_.setZero();
    multiply_add(structure_.pattern, work_.equations.mass, a_, momentum_);
    for (int i = 0; i < rank_; ++i) dependent_[i] = momentum_[order[rank_ + i]];
    reduced_mass_.col(j).noalias() = H_.transpose() * dependent_;
    for (int i = 0; i < f_; ++i) reduced_mass_(i, j) += momentum_[order[2 * rank_ + i]];
  }
  cholesky_.compute(reduced_mass_);
  return cholesky_.info() == Eigen::Success;
}

/// R^T M R v'' = R^T (Q - M q''), q'' at v'' = 0; then the nearest v'' that the velocity constraints allow.
bool IndependentMotion::solve_acceleration(VecX& second) {
  if (sparse_) return solve_pair(second);
  second.setZero();
  if (velocities_.empty()) {
    residual(second, second);
  } else {
    raw_residual(second, second);
  }
  if (f_ == 0) return true;
  if (!factorize_mass()) return false;
  second *= -1;
  cholesky_.solveInPlace(second);
  if (!velocities_.empty()) {
    acceleration(second);
    velocities_.combine(a_, work_.equations.gamma, 1);
    velocities_.correct(cholesky_, second);
  }
  return second.allFinite();
}

void IndependentMotion::build_pair() {
  if (pair_.size() > 0 && pair_rows_ == order_->head(rank_)) return;
  pair_rows_ = order_->head(rank_);
  std::vector<SparseLu::Entry> entries;
  each_of_pair(
      structure_, work_.equations, rank_, [&](int k) { return pair_rows_[k]; },
      [&](int i, int j, double) {
        entries.push_back({i, j});
      });
  pair_ = SparseLu(n_ + rank_, entries);
}

void IndependentMotion::recall(const double* numbers) {
  if (!sparse_) return;
  build_pair();
  pair_.recall_order(numbers);
}

/// [M Phi_q^T; Phi_q 0] [q''; lambda] = [Q; gamma]
bool IndependentMotion::solve_pair(VecX& second) {
  const Eigen::VectorXi& order = *order_;
  const auto row = [&](int k) { return order[k]; };
  build_pair();
  double* value = pair_.values().data();
  each_of_pair(structure_, work_.equations, rank_, row, [&](int, int, double entry) { *value++ = entry; });
  if (pair_.factorize() >= 0) return false;
  pair_right_.head(n_) = work_.equations.force;
  for (int i = 0; i < rank_; ++i) pair_right_[n_ + i] = work_.equations.gamma[order[i]];
  pair_.solve(pair_right_.data());
  for (int i = 0; i < f_; ++i) second[i] = pair_right_[order[2 * rank_ + i]];
  return second.allFinite();
}

bool IndependentMotion::project(VecX& rate, VecX& second) {
  velocity(rate);
  dynamics();
  if (f_ > 0 && !factorize_mass()) return false;
  velocities_.combine(v_, work_.equations.phi_t, -1);
  if (f_ > 0) velocities_.correct(cholesky_, rate);
  velocity(rate);
  dynamics();
  if (!solve_acceleration(second)) return false;
  column_.head(f_) = second;
  residual(second, second);
  second = column_.head(f_);
  return true;
}

double IndependentMotion::misfit() {
  if (rank_ == 0) return 0;
  const Eigen::VectorXi& order = *order_;
  double largest = sparse_ ? sparse_->largest(work_.equations.jacobian).size : 0;
  for (int j = 0; j < f_ && !sparse_; ++j) {
    const double scale = structure_.scale[order[2 * rank_ + j]];
    for (int i = 0; i < rank_; ++i) {
      largest = std::max(largest, std::abs(H_(i, j)) * scale / structure_.scale[order[rank_ + i]]);
    }
  }
  const VecX& pivots = this->pivots();
  const double range = pivots.cwiseAbs().maxCoeff() / pivots.cwiseAbs().minCoeff();
  return std::max(largest / kLargestCoefficient, range / kLargestRange);
}

void IndependentMotion::note_singular() {
  if (rank_ == 0) return;
  int pivot = 0;
  pivots().cwiseAbs().minCoeff(&pivot);
  complaint_ = "the constraint '";
  complaint_ += structure_.constraint_names[(*order_)[pivot]];
  complaint_ += "' no longer determines its coordinate (singular position)";
}

bool IndependentMotion::note_opened() {
  if (rank_ == structure_.position_constraints()) return false;
  int worst = 0;
  if (work_.equations.phi.cwiseQuotient(structure_.constraint_scale).cwiseAbs().maxCoeff(&worst) <= kOpened)
    return false;
  complaint_ = "the constraint '";
  complaint_ += structure_.constraint_names[worst];
  complaint_ += "' opens: it counted as redundant in the position of the start, which was singular";
  return true;
}

}  // namespace cardan
