#include "formulation/equations.hpp"

namespace cardan {

void RowPattern::locate(const SymmetricPattern& pattern) {
  slot.clear();
  slot_start.assign(1, 0);
  for (int row = 0; row < rows(); ++row) {
    for (int a = start[row]; a < start[row + 1]; ++a) {
      for (int b = start[row]; b <= a; ++b) slot.push_back(pattern.slot(column[a], column[b]));
    }
    slot_start.push_back(static_cast<int>(slot.size()));
  }
}

void Structure::complete(std::vector<std::vector<int>> cliques) {
  for (const RowPattern* rows : {&jacobian, &loads}) {
    for (int row = 0; row < rows->rows(); ++row) {
      cliques.emplace_back(rows->column.begin() + rows->start[row], rows->column.begin() + rows->start[row + 1]);
    }
  }
  pattern = SymmetricPattern::from_cliques(coordinates, cliques);
  jacobian.locate(pattern);
  loads.locate(pattern);
}

void multiply_rows(const RowPattern& p, const VecX& values, const Eigen::MatrixXd& X, Eigen::MatrixXd& Y) {
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    const double* const x = X.col(j).data();
    double* const y = Y.col(j).data();
    for (int row = 0; row < p.rows(); ++row) {
      double sum = 0;
      for (int e = p.start[row]; e < p.start[row + 1]; ++e) sum += values[e] * x[p.column[e]];
      y[row] = sum;
    }
  }
}

Eigen::MatrixXd full_rows(const RowPattern& p, const VecX& values, int n) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(p.rows(), n);
  for (int row = 0; row < p.rows(); ++row)
    for (int e = p.start[row]; e < p.start[row + 1]; ++e) result(row, p.column[e]) = values[e];
  return result;
}

Equations::Equations(const Structure& s)
    : phi(VecX::Zero(s.constraints)),
      phi_t(VecX::Zero(s.constraints)),
      jacobian(VecX::Zero(static_cast<Eigen::Index>(s.jacobian.column.size()))),
      gamma(VecX::Zero(s.constraints)),
      mass(VecX::Zero(s.pattern.nonzeros())),
      force(VecX::Zero(s.coordinates)),
      live(static_cast<std::size_t>(s.loads.rows()), 0),
      load_gradient(VecX::Zero(static_cast<Eigen::Index>(s.loads.column.size()))),
      stiffness(VecX::Zero(s.loads.rows())),
      damping(VecX::Zero(s.loads.rows())),
      coupling_stiffness(VecX::Zero(static_cast<Eigen::Index>(s.couplings.size()))),
      coupling_damping(coupling_stiffness) {}

}  // namespace cardan
