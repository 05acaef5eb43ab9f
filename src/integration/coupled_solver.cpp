#include "integration/coupled_solver.hpp"

#include <algorithm>

namespace cardan {
namespace {

std::vector<int> distinct_forces(const Structure& structure) {
  std::vector<int> forces;
  for (const auto& coupling : structure.couplings) forces.push_back(coupling.force);
  std::sort(forces.begin(), forces.end());
  forces.erase(std::unique(forces.begin(), forces.end()), forces.end());
  return forces;
}

}  // namespace

CoupledSolver::CoupledSolver(std::unique_ptr<LinearSolver> symmetric, const Structure& structure,
                             const Equations& equations)
    : symmetric_(std::move(symmetric)),
      structure_(structure),
      equations_(equations),
      forces_(distinct_forces(structure)),
      weight_(VecX::Zero(static_cast<Eigen::Index>(structure.couplings.size()))),
      rows_(equations.load_gradient),
      Y_(Eigen::MatrixXd::Zero(structure.coordinates, static_cast<Eigen::Index>(forces_.size()))),
      small_(static_cast<int>(forces_.size())),
      column_(VecX::Zero(structure.coordinates)),
      response_(VecX::Zero(static_cast<Eigen::Index>(forces_.size()))) {
  for (const auto& coupling : structure.couplings) {
    const auto found = std::lower_bound(forces_.begin(), forces_.end(), coupling.force);
    force_of_.push_back(static_cast<int>(found - forces_.begin()));
  }
}

bool CoupledSolver::couple(double stiffness, double damping) {
  if (forces_.empty()) return true;
  weight_ = stiffness * equations_.coupling_stiffness + damping * equations_.coupling_damping;
  rows_ = equations_.load_gradient;
  Eigen::MatrixXd& M = small_.matrix();
  M.setIdentity();
  for (std::size_t f = 0; f < forces_.size(); ++f) {
    column_.setZero();
    add_row(structure_.loads, rows_, forces_[f], 1, column_);
    symmetric_->solve(column_);
    Y_.col(static_cast<Eigen::Index>(f)) = column_;
    for (std::size_t i = 0; i < force_of_.size(); ++i) {
      if (weight_[i] == 0) continue;
      M(force_of_[i], f) += weight_[i] * row_times(structure_.loads, rows_, structure_.couplings[i].felt, column_);
    }
  }
  coupled_ = small_.factorize() < 0;
  return coupled_;
}

void CoupledSolver::solve(VecX& x) const {
  symmetric_->solve(x);
  if (!coupled_) return;
  response_.setZero();
  for (std::size_t i = 0; i < force_of_.size(); ++i) {
    if (weight_[i] == 0) continue;
    response_[force_of_[i]] += weight_[i] * row_times(structure_.loads, rows_, structure_.couplings[i].felt, x);
  }
  small_.solve(response_);
  x.noalias() -= Y_ * response_;
}

std::unique_ptr<CoupledSolver> make_coupled_solver(const std::string& kind, const Structure& structure,
                                                   const Equations& equations) {
  return std::make_unique<CoupledSolver>(make_linear_solver(kind, structure.pattern), structure, equations);
}

}  // namespace cardan
