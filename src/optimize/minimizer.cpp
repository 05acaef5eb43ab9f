#include "optimize/minimizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "optimize/quadratic_program.hpp"

namespace cardan {
namespace {

constexpr int kShortenings = 25;
constexpr double kEnough = 1e-4;         // of the fall that the first order promises
constexpr double kRelaxation = 1e4;      // what it costs to leave constraints open, relative to the gradient
constexpr double kOpenedAlready = 1e-9;  // of a constraint, relative to its first value, that holds

double violation_of(const VecX& c) { return c.size() > 0 ? (-c).cwiseMax(0).sum() : 0; }

/// In variables of which 1 is a change that counts.
class Sqp {
 public:
  Sqp(const DesignFunction& function, VecX start, VecX lower, VecX upper, VecX scale, const MinimizerOptions& options)
      : function_(function),
        scale_(std::move(scale)),
        lower_(lower.cwiseQuotient(scale_)),
        upper_(upper.cwiseQuotient(scale_)),
        x_(start.cwiseQuotient(scale_).cwiseMax(lower_).cwiseMin(upper_)),
        options_(options),
        ones_(VecX::Ones(x_.size())),
        B_(Eigen::MatrixXd::Identity(x_.size(), x_.size())) {}

  Minimum go(const std::function<bool(const MinimizerIteration&)>& told) {
    auto first = value(x_);
    if (!first) throw std::invalid_argument("the start has no value: its mechanism cannot be made, or its run fails");
    now_ = std::move(*first);
    rho_ = VecX::Zero(now_.c.size());
    if (const double slope = now_.df.norm(); slope > 0) B_ *= slope;
    Minimum result;
    note(result, 0, told);
    for (int i = 1; i <= options_.iterations && !ended_; ++i) {
      iterate(result);
      note(result, i, told);
    }
    if (!ended_) result.reason = fmt::format("not converged after {} iterations", options_.iterations);
    result.x = x_.cwiseProduct(scale_);
    result.value = now_;
    result.value.df = now_.df.cwiseQuotient(scale_);
    for (Eigen::Index k = 0; k < now_.dc.rows(); ++k)
      result.value.dc.row(k) = now_.dc.row(k).cwiseQuotient(scale_.transpose());
    result.multipliers = multipliers_;
    return result;
  }

 private:
  std::optional<DesignValue> value(const VecX& x) const {
    auto found = function_(x.cwiseProduct(scale_));
    if (!found || !std::isfinite(found->f) || !found->c.allFinite() || !found->df.allFinite() || !found->dc.allFinite())
      return std::nullopt;
    found->df = found->df.cwiseProduct(scale_);
    for (Eigen::Index k = 0; k < found->dc.rows(); ++k)
      found->dc.row(k) = found->dc.row(k).cwiseProduct(scale_.transpose());
    return found;
  }

  /// The step of the quadratic program. Where the constraints contradict each other they are opened by a part s of what
  /// they are short of, dearly: (1 - s) c + dc d >= 0, 0 <= s <= 1.
  QuadraticSolution direction() const {
    const Eigen::Index n = x_.size(), m = now_.c.size();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m + 2 * n, n);
    VecX b(m + 2 * n);
    if (m > 0) A.topRows(m) = now_.dc;
    A.middleRows(m, n).setIdentity();
    A.bottomRows(n) = -Eigen::MatrixXd::Identity(n, n);
    b << -now_.c, lower_ - x_, x_ - upper_;
    // Bounds that are far away are no inequalities.
    const auto keep = [&](Eigen::MatrixXd& rows, VecX& least) {
      Eigen::Index kept = 0;
      for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        if (!std::isfinite(least[i])) continue;
        rows.row(kept) = rows.row(i);
        least[kept++] = least[i];
      }
      rows.conservativeResize(kept, Eigen::NoChange);
      least.conservativeResize(kept);
    };
    Eigen::MatrixXd rows = A;
    VecX least = b;
    keep(rows, least);
    if (auto found = solve_quadratic_program(B_, now_.df, rows, least)) return *found;
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n + 1, n + 1);
    B.topLeftCorner(n, n) = B_;
    B(n, n) = kRelaxation * (1 + now_.df.norm());
    VecX g(n + 1);
    g << now_.df, 0;
    rows = Eigen::MatrixXd::Zero(m + 2 * n + 2, n + 1);
    rows.topLeftCorner(m + 2 * n, n) = A;
    for (Eigen::Index k = 0; k < m; ++k) rows(k, n) = std::max(0.0, -now_.c[k]);
    rows(m + 2 * n, n) = 1;
    rows(m + 2 * n + 1, n) = -1;
    least.resize(m + 2 * n + 2);
    least << b, 0, -1;
    keep(rows, least);
    auto found = solve_quadratic_program(B, g, rows, least);
    if (!found) return {VecX::Zero(n), VecX::Zero(m)};
    found->d.conservativeResize(n);
    return *found;
  }

  double merit(const DesignValue& at) const {
    return at.f + (rho_.size() > 0 ? rho_.cwiseProduct((-at.c).cwiseMax(0)).sum() : 0);
  }

  void iterate(Minimum& result) {
    const Eigen::Index m = now_.c.size();
    const QuadraticSolution step = direction();
    multipliers_ = step.multiplier.head(std::min(m, step.multiplier.size()));
    for (Eigen::Index k = 0; k < multipliers_.size(); ++k)
      rho_[k] = std::max(1.1 * multipliers_[k], 0.5 * (rho_[k] + multipliers_[k]));
    const double reach = step.d.lpNorm<Eigen::Infinity>();
    // The fall that is promised, of the merit.
    const double open = rho_.size() > 0 ? rho_.cwiseProduct((-now_.c).cwiseMax(0)).sum() : 0;
    const double slope = now_.df.dot(step.d) - open;
    if (reach <= options_.tolerance || -slope <= options_.tolerance * options_.tolerance * (1 + std::abs(now_.f))) {
      const bool holds = violation_of(now_.c) <= kOpenedAlready * (1 + now_.c.cwiseAbs().sum());
      return end(result, holds, holds ? "converged" : "the constraints cannot be met near here");
    }
    double part = 1;
    std::optional<DesignValue> next;
    const double before = merit(now_);
    for (int i = 0; i < kShortenings; ++i) {
      next = value(within_bounds(x_ + part * step.d, lower_, upper_, ones_));
      if (next && merit(*next) <= before + kEnough * part * slope) break;
      next.reset();
      part *= i < 2 ? 0.5 : 0.3;
    }
    last_step_ = next ? part * reach : 0;
    if (!next) return give_up(result);
    const VecX moved = within_bounds(x_ + part * step.d, lower_, upper_, ones_) - x_;
    learn(moved, *next);
    const double fall = before - merit(*next);
    x_ += moved;
    now_ = std::move(*next);
    fresh_ = false;
    if (fall <= options_.tolerance * options_.tolerance * (1 + std::abs(now_.f)) &&
        violation_of(now_.c) <= kOpenedAlready * (1 + now_.c.cwiseAbs().sum()))
      end(result, true, "converged: what is left to gain is rounding");
  }

  /// A model of the Hessian may mislead: once more with a plain one, and then it is the end.
  void give_up(Minimum& result) {
    if (fresh_)
      return end(result, false,
                 "no step lowers the objective any more: derivatives are of no use here, or rounding is");
    B_.setIdentity();
    if (const double slope = now_.df.norm(); slope > 0) B_ *= slope;
    fresh_ = true;
  }

  void learn(const VecX& moved, const DesignValue& next) {
    VecX y = next.df - now_.df;
    for (Eigen::Index k = 0; k < multipliers_.size(); ++k)
      y -= multipliers_[k] * (next.dc.row(k) - now_.dc.row(k)).transpose();
    const VecX Bs = B_ * moved;
    const double sBs = moved.dot(Bs);
    if (!(sBs > 0)) return;
    const double sy = moved.dot(y), theta = sy >= 0.2 * sBs ? 1 : 0.8 * sBs / (sBs - sy);
    const VecX r = theta * y + (1 - theta) * Bs;
    B_ += r * r.transpose() / moved.dot(r) - Bs * Bs.transpose() / sBs;
  }

  void end(Minimum& result, bool converged, const std::string& why) {
    ended_ = true;
    result.converged = converged;
    result.reason = why;
  }

  void note(Minimum& result, int number, const std::function<bool(const MinimizerIteration&)>& told) {
    result.iterations.push_back({number, now_.f, violation_of(now_.c), last_step_, x_.cwiseProduct(scale_)});
    if (told && !told(result.iterations.back()) && !ended_) end(result, false, "interrupted");
  }

  const DesignFunction& function_;
  VecX scale_, lower_, upper_, x_;
  MinimizerOptions options_;
  VecX ones_;
  Eigen::MatrixXd B_;
  DesignValue now_;
  VecX rho_, multipliers_;
  double last_step_ = 0;
  bool ended_ = false, fresh_ = true;
};

}  // namespace

Minimum minimize(const DesignFunction& function, const VecX& start, const VecX& lower, const VecX& upper,
                 const VecX& scale, const MinimizerOptions& options,
                 const std::function<bool(const MinimizerIteration&)>& told) {
  return Sqp(function, start, lower, upper, scale, options).go(told);
}

}  // namespace cardan
