#include "optimize/least_squares.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "optimize/quadratic_program.hpp"

namespace cardan {
namespace {

constexpr double kFirst = 1e-3;          // mu at the start
constexpr double kUndetermined = 1e-10;  // singular value, relative to the largest, that is none
constexpr int kTries = 30;

bool is_finite(const std::optional<Residuals>& at) { return at && at->r.allFinite() && at->J.allFinite(); }

/// Covariance and intervals of a solution, in the variables' own units.
void judge(const VecX& lower, const VecX& upper, LeastSquaresResult& result) {
  const Eigen::Index n = result.x.size(), N = result.at.r.size();
  std::vector<Eigen::Index> free;
  for (Eigen::Index j = 0; j < n; ++j) {
    const bool held = result.x[j] <= lower[j] || result.x[j] >= upper[j];
    result.at_bound.push_back(held);
    if (!held) free.push_back(j);
  }
  result.covariance = Eigen::MatrixXd::Zero(n, n);
  result.interval = VecX::Zero(n);
  const auto count = static_cast<Eigen::Index>(free.size());
  if (N <= count || count == 0) return;
  result.deviation = result.at.r.norm() / std::sqrt(static_cast<double>(N - count));
  Eigen::MatrixXd J(N, count);
  VecX length(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    J.col(k) = result.at.J.col(free[static_cast<std::size_t>(k)]);
    length[k] = J.col(k).norm();
    if (length[k] > 0) J.col(k) /= length[k];
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(J, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VecX& s = svd.singularValues();
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const VecX v = svd.matrixV().col(i);
    if (s[i] > kUndetermined * s[0]) {
      inverse += v * v.transpose() / (s[i] * s[i]);
    } else {
      for (Eigen::Index k = 0; k < count; ++k)
        if (std::abs(v[k]) > 0.1) length[k] = 0;
    }
  }
  const double t = student_interval(static_cast<double>(N - count));
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index j = free[static_cast<std::size_t>(k)];
    if (length[k] == 0) result.undetermined.push_back(static_cast<int>(j));
    for (Eigen::Index l = 0; l < count; ++l)
      result.covariance(j, free[static_cast<std::size_t>(l)]) =
          length[k] > 0 && length[l] > 0 ? result.deviation * result.deviation * inverse(k, l) / (length[k] * length[l])
                                         : (k == l ? std::numeric_limits<double>::infinity() : 0);
    result.interval[j] = t * std::sqrt(result.covariance(j, j));
  }
}

/// The d within bounds at which 1/2 d^T (J^T J + diag(damping)) d + g^T d is least; nothing where bounds leave none.
std::optional<VecX> damped_step(const Eigen::MatrixXd& J, const VecX& g, const VecX& damping, const VecX& lower,
                                const VecX& upper) {
  constexpr double kFar = 1e20;  // stands for infinity
  const Eigen::Index n = g.size();
  Eigen::MatrixXd B = J.transpose() * J, A(2 * n, n);
  B.diagonal() += damping;
  A << Eigen::MatrixXd::Identity(n, n), -Eigen::MatrixXd::Identity(n, n);
  VecX b(2 * n);
  b << lower, -upper;
  const auto step = solve_quadratic_program(B, g, A, b.cwiseMax(-kFar));
  return step ? std::optional(step->d) : std::nullopt;
}

}  // namespace

/// By Hill's expansion about the normal distribution (Communications of the ACM 13, 1970, algorithm 396), exact for 1
/// and 2.
double student_interval(double nu) {
  constexpr double z = 1.959963984540054;  // of the normal distribution
  if (nu < 1.5) return 12.706204736174698;
  if (nu < 2.5) return 4.302652729749464;
  const double z2 = z * z, g1 = (z2 + 1) / 4, g2 = ((5 * z2 + 16) * z2 + 3) / 96,
               g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
               g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z * (1 + (g1 + (g2 + (g3 + g4 / nu) / nu) / nu) / nu);
}

LeastSquaresResult least_squares(const std::function<std::optional<Residuals>(const VecX&)>& function,
                                 const VecX& start, const VecX& lower, const VecX& upper, const VecX& scale,
                                 const LeastSquaresOptions& options,
                                 const std::function<bool(const FitIteration&)>& told) {
  LeastSquaresResult result;
  const Eigen::Index n = start.size();
  result.x = start.cwiseMax(lower).cwiseMin(upper);
  auto first = function(result.x);
  if (!is_finite(first))
    throw std::invalid_argument("the start has no value: its mechanism cannot be made, or its run fails");
  result.at = std::move(*first);
  VecX D = VecX::Zero(n);
  double mu = kFirst, reach = 0;
  bool ended = false;
  const auto end = [&](bool converged, const char* why) {
    ended = true, result.converged = converged, result.reason = why;
  };
  const auto note = [&](int number) {
    result.iterations.push_back({number, result.at.r.squaredNorm(), reach, result.x});
    if (told && !told(result.iterations.back()) && !ended) end(false, "interrupted");
  };
  note(0);
  for (int i = 1; i <= options.iterations && !ended; ++i) {
    const Eigen::MatrixXd Js = result.at.J * scale.asDiagonal();
    const VecX g = Js.transpose() * result.at.r;
    const double sum = result.at.r.squaredNorm();
    D = D.cwiseMax(Js.colwise().norm().transpose());
    const double least = 1e-12 * std::max(D.maxCoeff(), 1e-300);
    bool taken = false;
    for (int attempt = 0; attempt < kTries && !taken && !ended; ++attempt) {
      const std::optional<VecX> d =
          damped_step(Js, g, mu * D.cwiseMax(least).cwiseAbs2(), (lower - result.x).cwiseQuotient(scale),
                      (upper - result.x).cwiseQuotient(scale));
      if (!d) {
        end(false, "the bounds leave no way");
        break;
      }
      reach = d->lpNorm<Eigen::Infinity>();
      const double promised = sum - (result.at.r + Js * *d).squaredNorm();
      if (reach <= options.tolerance || promised <= options.tolerance * options.tolerance * sum || sum == 0) {
        end(true, "converged");
        break;
      }
      const VecX there = within_bounds(result.x + d->cwiseProduct(scale), lower, upper, scale);
      auto next = function(there);
      const double gain = is_finite(next) ? (sum - next->r.squaredNorm()) / promised : -1;
      mu = gain > 0.75 ? mu / 5 : gain < 0.25 ? mu * 4 : mu;
      if (!(gain > 1e-4)) {
        // A fall that is promised but smaller than rounding cannot be seen.
        if (is_finite(next) && promised <= 1e-9 * sum) end(true, "converged: what is left to gain is rounding");
        continue;
      }
      taken = true;
      result.x = there;
      result.at = std::move(*next);
    }
    if (!taken && !ended) end(false, "no step lowers the sum any more");
    note(i);
  }
  if (!ended) result.reason = "not converged after as many iterations as allowed";
  judge(lower, upper, result);
  return result;
}

}  // namespace cardan
