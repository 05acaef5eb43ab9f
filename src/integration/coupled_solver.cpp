#include "integration/coupled_solver.hpp"

#include <algorithm>

namespace cardan {
namespace {

void add_once(std::vector<int>& list, int row) {
  if (std::find(list.begin(), list.end(), row) == list.end()) list.push_back(row);
}

int place_in(const std::vector<int>& list, int row) {
  return static_cast<int>(std::find(list.begin(), list.end(), row) - list.begin());
}

/// The rows of the mechanism in some couplings, each once.
template <class End>
std::vector<int> distinct_rows(const Structure& structure, int first_state, const End& end) {
  std::vector<int> rows;
  for (const auto& coupling : structure.couplings)
    if (end(coupling) < first_state) add_once(rows, end(coupling));
  return rows;
}

/// The rows of the states come last, each with its own coordinate alone.
int first_state_row(const Structure& structure) {
  return structure.couplings.empty() ? 0 : structure.loads.rows() - structure.states;
}

}  // namespace

CoupledSolver::CoupledSolver(std::unique_ptr<LinearSolver> symmetric, const Structure& structure,
                             const Equations& equations)
    : symmetric_(std::move(symmetric)),
      structure_(structure),
      equations_(equations),
      n_(structure.coordinates - structure.states),
      states_(structure.states),
      forces_(distinct_rows(structure, first_state_row(structure), [](const auto& c) { return c.force; })),
      felt_(distinct_rows(structure, first_state_row(structure), [](const auto& c) { return c.felt; })),
      weight_(VecX::Zero(static_cast<Eigen::Index>(structure.couplings.size()))),
      rows_(equations.load_gradient),
      D_(states_),
      through_(Eigen::MatrixXd::Zero(states_, static_cast<Eigen::Index>(forces_.size()))),
      G_(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(forces_.size()), static_cast<Eigen::Index>(felt_.size()))),
      SY_(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(felt_.size()), static_cast<Eigen::Index>(forces_.size()))),
      Y_(Eigen::MatrixXd::Zero(structure.coordinates, static_cast<Eigen::Index>(forces_.size()))),
      small_(static_cast<int>(forces_.size())),
      column_(VecX::Zero(structure.coordinates)),
      seen_(VecX::Zero(static_cast<Eigen::Index>(felt_.size()))),
      response_(VecX::Zero(static_cast<Eigen::Index>(forces_.size()))),
      z_(VecX::Zero(states_)) {
  const int first = first_state_row(structure);
  for (std::size_t i = 0; i < structure.couplings.size(); ++i) {
    const auto [force, felt] = structure.couplings[i];
    const bool from_state = felt >= first, on_state = force >= first;
    const Entry entry{on_state ? force - first : place_in(forces_, force),
                      from_state ? felt - first : place_in(felt_, felt), static_cast<int>(i)};
    (on_state ? (from_state ? ss_ : sm_) : (from_state ? ms_ : mm_)).push_back(entry);
    if (from_state && !on_state) add_once(following_, entry.force);
  }
}

bool CoupledSolver::couple(double stiffness, double damping) {
  if (structure_.couplings.empty()) return true;
  weight_ = stiffness * equations_.coupling_stiffness + damping * equations_.coupling_damping;
  rows_ = equations_.load_gradient;
  Eigen::MatrixXd& D = D_.matrix();
  D.setZero();
  for (int i = 0; i < states_; ++i) D(i, i) = (*symmetric_values_)[structure_.pattern.column_start[n_ + i]];
  for (const Entry& e : ss_) D(e.force, e.felt) += weight_[e.coupling];
  coupled_ = D_.factorize() < 0 && reduce();
  return coupled_;
}

/// G, Y and 1 + G S_L Y.
bool CoupledSolver::reduce() {
  through_.setZero();
  for (const Entry& e : ms_) through_(e.felt, e.force) += weight_[e.coupling];
  G_.setZero();
  for (const Entry& e : mm_) G_(e.force, e.felt) += weight_[e.coupling];
  for (const int force : following_) {
    z_ = through_.col(force);
    D_.solve_transposed(z_);
    through_.col(force) = z_;
  }
  for (const Entry& e : sm_)
    for (const int force : following_) G_(force, e.felt) -= weight_[e.coupling] * through_(e.force, force);
  for (std::size_t f = 0; f < forces_.size(); ++f) {
    const auto force = static_cast<Eigen::Index>(f);
    column_.setZero();
    add_row(structure_.loads, rows_, forces_[f], 1, column_);
    symmetric_->solve(column_);
    Y_.col(force) = column_;
    for (std::size_t l = 0; l < felt_.size(); ++l)
      SY_(static_cast<Eigen::Index>(l), force) = row_times(structure_.loads, rows_, felt_[l], column_);
  }
  small_.matrix() = G_.lazyProduct(SY_);
  small_.matrix().diagonal().array() += 1;
  return small_.factorize() < 0;
}

void CoupledSolver::solve(VecX& x) const {
  if (!coupled_) return symmetric_->solve(x);
  z_ = x.tail(states_);
  x.tail(states_).setZero();
  for (const int f : following_) add_row(structure_.loads, rows_, forces_[f], -through_.col(f).dot(z_), x);
  symmetric_->solve(x);
  const auto feel = [&] {
    for (std::size_t l = 0; l < felt_.size(); ++l) seen_[l] = row_times(structure_.loads, rows_, felt_[l], x);
  };
  feel();
  response_.noalias() = G_ * seen_;
  small_.solve(response_);
  x.noalias() -= Y_ * response_;
  if (states_ == 0) return;
  feel();
  for (const Entry& e : sm_) z_[e.force] -= weight_[e.coupling] * seen_[e.felt];
  D_.solve(z_);
  x.tail(states_) = z_;
}

std::unique_ptr<CoupledSolver> make_coupled_solver(const std::string& kind, const Structure& structure,
                                                   const Equations& equations) {
  return std::make_unique<CoupledSolver>(make_linear_solver(kind, structure.pattern), structure, equations);
}

}  // namespace cardan
