#include "integration/coupled_solver.hpp"

#include <algorithm>

#include "math/pivot.hpp"
#include "math/sparse_symbolic.hpp"

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

Eigen::Index size_of(const std::vector<int>& list) { return static_cast<Eigen::Index>(list.size()); }

/// The rows of the states come last, each with its own coordinate alone.
int first_state_row(const Structure& structure) {
  return structure.couplings.empty() ? 0 : structure.loads.rows() - structure.states;
}

}  // namespace

CoupledSolver::CoupledSolver(std::unique_ptr<LinearSolver> symmetric, const Structure& structure,
                             const Equations& equations, bool may_be_whole)
    : symmetric_(std::move(symmetric)),
      structure_(structure),
      equations_(equations),
      n_(structure.coordinates - structure.states),
      states_(structure.states),
      forces_(distinct_rows(structure, first_state_row(structure), [](const auto& c) { return c.force; })),
      felt_(distinct_rows(structure, first_state_row(structure), [](const auto& c) { return c.felt; })),
      may_be_whole_(may_be_whole && !structure.couplings.empty()),
      weight_(VecX::Zero(static_cast<Eigen::Index>(structure.couplings.size()))),
      rows_(equations.load_gradient),
      D_(states_),
      through_(Eigen::MatrixXd::Zero(states_, size_of(forces_.all))),
      G_(Eigen::MatrixXd::Zero(size_of(forces_.all), size_of(felt_.all))),
      Y_(Eigen::MatrixXd::Zero(structure.coordinates, size_of(forces_.all))),
      R_(Y_),
      small_(static_cast<int>(forces_.all.size())),
      whole_(0),
      column_(VecX::Zero(structure.coordinates)),
      seen_(VecX::Zero(size_of(felt_.all))),
      response_(VecX::Zero(size_of(forces_.all))),
      z_(VecX::Zero(states_)) {
  const int first = first_state_row(structure);
  for (std::size_t i = 0; i < structure.couplings.size(); ++i) {
    const auto [force, felt] = structure.couplings[i];
    const bool from_state = felt >= first, on_state = force >= first;
    const Entry entry{on_state ? force - first : place_in(forces_.all, force),
                      from_state ? felt - first : place_in(felt_.all, felt), static_cast<int>(i)};
    (on_state ? (from_state ? ss_ : sm_) : (from_state ? ms_ : mm_)).push_back(entry);
    if (from_state && !on_state) add_once(following_, entry.force);
  }
  if (!may_be_whole_) return;
  list_groups();
  for (std::size_t i = 0; i < forces_.all.size(); ++i) forces_.activate(static_cast<int>(i));
  for (std::size_t i = 0; i < felt_.all.size(); ++i) felt_.activate(static_cast<int>(i));
  may_be_whole_ = whole_pays();
  if (may_be_whole_) whole_ = DenseLu(structure.coordinates);
}

void CoupledSolver::list_groups() {
  const RowPattern& loads = structure_.loads;
  for (std::size_t i = 0; i < structure_.couplings.size(); ++i) {
    const auto [force, felt] = structure_.couplings[i];
    const auto is_same = [force = force](const Group& group) { return group.force == force; };
    auto group = std::find_if(groups_.begin(), groups_.end(), is_same);
    if (group == groups_.end()) group = groups_.insert(group, {force, {}, {}});
    group->entries.push_back({force, felt, static_cast<int>(i)});
    for (int e = loads.start[felt]; e < loads.start[felt + 1]; ++e) add_once(group->columns, loads.column[e]);
  }
  const SparseSymbolic symbolic(structure_.pattern);
  symmetric_cost_ = symbolic.work().multiplications + symbolic.nonzeros();
  solution_cost_ = 2.0 * symbolic.nonzeros() + structure_.pattern.n;
}

void CoupledSolver::Rows::clear() {
  for (const int index : active) place[index] = -1;
  active.clear();
}

void CoupledSolver::Rows::activate(int index) {
  if (place[index] >= 0) return;
  place[index] = count();
  active.push_back(index);
}

/// What follows nothing just now, as a wheel in the air, costs nothing.
void CoupledSolver::find_active() {
  forces_.clear();
  felt_.clear();
  for (const Entry& e : mm_) {
    if (weight_[e.coupling] == 0) continue;
    forces_.activate(e.force);
    felt_.activate(e.felt);
  }
  for (const Entry& e : ms_)
    if (weight_[e.coupling] != 0) forces_.activate(e.force);
  for (const Entry& e : sm_)
    if (weight_[e.coupling] != 0) felt_.activate(e.felt);
}

void CoupledSolver::keep_rows(const Rows& rows) {
  const std::vector<int>& start = structure_.loads.start;
  for (int i = 0; i < rows.count(); ++i) {
    const int row = rows.row(i);
    const double* const gradient = equations_.load_gradient.data();
    std::copy(gradient + start[row], gradient + start[row + 1], rows_.data() + start[row]);
  }
}

// Operations with single numbers, as in sparse columns and rows, cost so many of those of full columns: counts of
// instructions are 6 to 7 for a multiplication there, 4 to 5 here (n = 24 to 48, GCC 12 -O3).
constexpr double kScattered = 1.4;

/// Multiplications of both ways; each has one solution for every right-hand side beside them.
bool CoupledSolver::whole_pays() const {
  if (!may_be_whole_) return false;
  const double n = structure_.coordinates, forces = forces_.count(), states = states_;
  double felt = 0;
  for (int l = 0; l < felt_.count(); ++l)
    felt += structure_.loads.start[felt_.row(l) + 1] - structure_.loads.start[felt_.row(l)];
  const double small = forces * forces * forces / 3 + forces * forces * felt_.count() + states * states * states / 3;
  const double by_forces = kScattered * (symmetric_cost_ + forces * (solution_cost_ + felt)) + small;
  return n * n * n / 3 + 2 * n * n < by_forces;
}

int CoupledSolver::factorize_coupled(const VecX& values, double stiffness, double damping) {
  // Couplings that still do are as good with the responses of a matrix as near by.
  if (equations_.couplings_kept && way_ == Way::by_forces) return symmetric_->factorize(values);
  weight_ = stiffness * equations_.coupling_stiffness + damping * equations_.coupling_damping;
  find_active();
  if (states_ == 0 && forces_.active.empty()) return factorize(values);
  if (whole_pays()) return factorize_whole(values);
  const int singular = factorize(values);
  return singular >= 0 ? singular : reduce(values);
}

/// T + sum over the forces of S_f^T (sum of w S_l over what it feels)
int CoupledSolver::factorize_whole(const VecX& values) {
  way_ = Way::whole;
  const SymmetricPattern& pattern = structure_.pattern;
  const RowPattern& loads = structure_.loads;
  const VecX& gradient = equations_.load_gradient;
  Eigen::MatrixXd& T = whole_.matrix();
  T.setZero();
  for (int j = 0; j < pattern.n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
      T(pattern.row[k], j) = T(j, pattern.row[k]) = values[k];
  for (const Group& group : groups_) {
    bool follows = false;
    for (const Entry& e : group.entries) {
      if (weight_[e.coupling] == 0) continue;
      if (!follows)
        for (const int column : group.columns) column_[column] = 0;
      follows = true;
      add_row(loads, gradient, e.felt, weight_[e.coupling], column_);
    }
    if (!follows) continue;
    const int begin = loads.start[group.force], end = loads.start[group.force + 1];
    for (const int column : group.columns)
      for (int e = begin; e < end; ++e) T(loads.column[e], column) += gradient[e] * column_[column];
  }
  const int singular = whole_.factorize();
  for (int j = 0; singular < 0 && j < pattern.n; ++j)
    if (pivot_vanishes(T(j, j), values[pattern.column_start[j]])) return j;
  return singular;
}

/// D, G, Y and 1 + G S_L Y.
int CoupledSolver::reduce(const VecX& values) {
  way_ = Way::by_forces;
  keep_rows(forces_);
  keep_rows(felt_);
  Eigen::MatrixXd& D = D_.matrix();
  D.setZero();
  for (int i = 0; i < states_; ++i) D(i, i) = values[structure_.pattern.column_start[n_ + i]];
  for (const Entry& e : ss_) D(e.force, e.felt) += weight_[e.coupling];
  if (const int singular = D_.factorize(); singular >= 0) return n_ + singular;
  auto G = G_.topLeftCorner(forces_.count(), felt_.count());
  G.setZero();
  through_.setZero();
  for (const Entry& e : ms_) through_(e.felt, e.force) += weight_[e.coupling];
  for (const Entry& e : mm_)
    if (weight_[e.coupling] != 0) G(forces_.place[e.force], felt_.place[e.felt]) += weight_[e.coupling];
  for (const int force : following_) {
    z_ = through_.col(force);
    D_.solve_transposed(z_);
    through_.col(force) = z_;
  }
  for (const Entry& e : sm_) {
    if (weight_[e.coupling] == 0) continue;
    for (const int force : following_) {
      if (forces_.place[force] < 0) continue;
      G(forces_.place[force], felt_.place[e.felt]) -= weight_[e.coupling] * through_(e.force, force);
    }
  }
  find_responses();
  int singular = small_.factorize();
  for (int f = 0; singular < 0 && f < forces_.count(); ++f)
    if (pivot_vanishes(small_.matrix()(f, f), 1)) singular = f;
  return singular < 0 ? -1 : structure_.loads.column[structure_.loads.start[forces_.row(singular)]];
}

/// Y, and 1 + G S_L Y by columns.
void CoupledSolver::find_responses() {
  const int forces = forces_.count(), felt = felt_.count();
  summed_ = states_ == 0 && forces < felt;
  for (int f = 0; summed_ && f < forces; ++f) {
    column_.setZero();
    for (int l = 0; l < felt; ++l) add_row(structure_.loads, rows_, felt_.row(l), G_(f, l), column_);
    R_.col(f) = column_;
  }
  small_.set_size(forces);
  for (int f = 0; f < forces; ++f) {
    column_.setZero();
    add_row(structure_.loads, rows_, forces_.row(f), 1, column_);
    symmetric_->solve(column_);
    Y_.col(f) = column_;
    respond(column_);
    small_.matrix().col(f).head(forces) = response_.head(forces);
    small_.matrix()(f, f) += 1;
  }
}

void CoupledSolver::feel(const VecX& x) const {
  for (int l = 0; l < felt_.count(); ++l) seen_[l] = row_times(structure_.loads, rows_, felt_.row(l), x);
}

void CoupledSolver::respond(const VecX& x) const {
  const int forces = forces_.count(), felt = felt_.count();
  if (summed_) {
    for (int f = 0; f < forces; ++f) response_[f] = R_.col(f).dot(x);
    return;
  }
  feel(x);
  response_.head(forces) = G_.topLeftCorner(forces, felt).lazyProduct(seen_.head(felt));
}

void CoupledSolver::solve(VecX& x) const {
  if (way_ == Way::symmetric) return symmetric_->solve(x);
  if (way_ == Way::whole) return whole_.solve(x);
  const int forces = forces_.count();
  z_ = x.tail(states_);
  x.tail(states_).setZero();
  for (const int f : following_) {
    if (forces_.place[f] < 0) continue;
    add_row(structure_.loads, rows_, forces_.all[f], -through_.col(f).dot(z_), x);
  }
  symmetric_->solve(x);
  respond(x);
  small_.solve(response_);
  for (int f = 0; f < forces; ++f) x -= response_[f] * Y_.col(f);
  if (states_ == 0) return;
  feel(x);
  for (const Entry& e : sm_)
    if (weight_[e.coupling] != 0) z_[e.force] -= weight_[e.coupling] * seen_[felt_.place[e.felt]];
  D_.solve(z_);
  x.tail(states_) = z_;
}

std::unique_ptr<CoupledSolver> make_coupled_solver(const std::string& kind, const Structure& structure,
                                                   const Equations& equations) {
  return std::make_unique<CoupledSolver>(make_linear_solver(kind, structure.pattern), structure, equations,
                                         kind != "sparse");
}

}  // namespace cardan
