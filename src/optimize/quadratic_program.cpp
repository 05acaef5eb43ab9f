#include "optimize/quadratic_program.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <vector>

namespace cardan {
namespace {

constexpr double kRounding = 1e-14;

/// Least squares in the columns that are free, zero in the others.
VecX solve_free(const Eigen::MatrixXd& E, const VecX& f, const std::vector<bool>& free) {
  std::vector<Eigen::Index> columns;
  for (std::size_t j = 0; j < free.size(); ++j)
    if (free[j]) columns.push_back(static_cast<Eigen::Index>(j));
  VecX result = VecX::Zero(E.cols());
  if (columns.empty()) return result;
  Eigen::MatrixXd part(E.rows(), std::ssize(columns));
  for (std::size_t k = 0; k < columns.size(); ++k) part.col(static_cast<Eigen::Index>(k)) = E.col(columns[k]);
  const VecX solution = part.colPivHouseholderQr().solve(f);
  for (std::size_t k = 0; k < columns.size(); ++k) result[columns[k]] = solution[static_cast<Eigen::Index>(k)];
  return result;
}

}  // namespace

VecX nonnegative_least_squares(const Eigen::MatrixXd& E, const VecX& f) {
  const Eigen::Index n = E.cols();
  std::vector<bool> free(static_cast<std::size_t>(n), false);
  VecX u = VecX::Zero(n);
  const double tolerance = kRounding * (1 + E.cwiseAbs().maxCoeff()) * (1 + f.norm());
  for (Eigen::Index round = 0; round < 10 * n + 10; ++round) {
    const VecX w = E.transpose() * (f - E * u);
    Eigen::Index enters = -1;
    for (Eigen::Index j = 0; j < n; ++j)
      if (!free[static_cast<std::size_t>(j)] && w[j] > tolerance && (enters < 0 || w[j] > w[enters])) enters = j;
    if (enters < 0) break;
    free[static_cast<std::size_t>(enters)] = true;
    while (true) {
      const VecX s = solve_free(E, f, free);
      // As far towards s as nothing becomes negative.
      double part = 1;
      Eigen::Index leaves = -1;
      for (Eigen::Index j = 0; j < n; ++j) {
        if (!free[static_cast<std::size_t>(j)] || s[j] > 0) continue;
        const double up_to = u[j] > 0 ? u[j] / (u[j] - s[j]) : 0;
        if (leaves < 0 || up_to < part) part = up_to, leaves = j;
      }
      u += part * (s - u);
      if (leaves < 0) break;
      for (Eigen::Index j = 0; j < n; ++j)
        if (free[static_cast<std::size_t>(j)] && (j == leaves || u[j] <= kRounding))
          free[static_cast<std::size_t>(j)] = false, u[j] = 0;
    }
  }
  return u;
}

VecX within_bounds(const VecX& x, const VecX& lower, const VecX& upper, const VecX& scale) {
  VecX result = x.cwiseMax(lower).cwiseMin(upper);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (result[i] - lower[i] < 1e-10 * scale[i]) result[i] = lower[i];
    if (upper[i] - result[i] < 1e-10 * scale[i]) result[i] = upper[i];
  }
  return result;
}

std::optional<QuadraticSolution> solve_quadratic_program(const Eigen::MatrixXd& B, const VecX& g,
                                                         const Eigen::MatrixXd& A, const VecX& b) {
  const Eigen::LLT<Eigen::MatrixXd> factor(B);
  const auto L = factor.matrixL();
  if (A.rows() == 0) return QuadraticSolution{factor.solve(-g), VecX()};
  const VecX down = L.solve(g);
  // Rows are made comparable: their lengths say nothing.
  Eigen::MatrixXd G = L.solve(A.transpose()).transpose();
  VecX h = b + G * down;
  VecX length = VecX::Ones(G.rows());
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    const double norm = std::max(G.row(i).norm(), std::abs(h[i]));
    if (norm > 0) length[i] = norm;
    G.row(i) /= length[i];
    h[i] /= length[i];
  }
  const Eigen::Index n = B.rows();
  Eigen::MatrixXd E(n + 1, G.rows());
  E << G.transpose(), h.transpose();
  VecX f = VecX::Zero(n + 1);
  f[n] = 1;
  const VecX u = nonnegative_least_squares(E, f);
  const VecX r = E * u - f;
  if (r.norm() <= 1e-10 || !(r[n] < 0)) return std::nullopt;
  QuadraticSolution result;
  const VecX y = -r.head(n) / r[n];
  result.d = L.transpose().solve(VecX(y - down));
  result.multiplier = (u / -r[n]).cwiseQuotient(length);
  return result;
}

}  // namespace cardan
