#include "analysis/state_balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/decomposition/decompositions.hpp"

namespace cardan {
namespace {

constexpr double kNothing = 1e-10;  // of the largest in a row
constexpr double kAtRest = 1e-12;   // of states, in their scales

/// Rows of length 1, where they have one.
Eigen::MatrixXd unit_rows(Eigen::MatrixXd A) {
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (A.row(i).norm() > 0) A.row(i).normalize();
  return A;
}

/// The direction that a matrix, rows of unit length, does least with; empty when that is not next to nothing.
VecX idle_direction(const Eigen::MatrixXd& A) {
  const SingularValues singular = singular_values(A);
  const Eigen::Index last = singular.values.size() - 1;
  if (singular.values[last] > kNothing) return {};
  return singular.right.col(last);
}

}  // namespace

bool StateBalance::sort() {
  varying_.clear();
  if (system_.states() == 0) return true;
  const VecX force = system_.forces(), rates = system_.rates();
  Eigen::MatrixXd K, C;
  system_.tangent(system_.basis().multipliers(force), K, C);
  const auto& tangent = system_.of_states();
  const Eigen::MatrixXd& Z = system_.basis().free();
  const Eigen::MatrixXd by_positions = tangent.rates_by_positions * Z, by_velocities = tangent.rates_by_velocities * Z;
  for (int i = 0; i < system_.states(); ++i) {
    const double by_states = tangent.rates_by_states.row(i).cwiseAbs().maxCoeff();
    const double at_rest = by_positions.row(i).norm() + by_states;
    if (at_rest > 0) {
      varying_.push_back(i);
      continue;
    }
    const StateVariable& state = system_.mechanism().states[static_cast<std::size_t>(i)];
    if (rates[i] != 0) {
      complaint_ = fmt::format("state '{}' has no equilibrium: its rate is {:.3g} wherever the mechanism rests",
                               state.name, rates[i] * state.scale);
    } else if (by_velocities.cols() > 0 && by_velocities.row(i).norm() > 0) {
      complaint_ = fmt::format(
          "state '{}' has no equilibrium of its own: its rate follows velocities alone, so that where it comes to rest "
          "depends on the way there (trapped fluid); give it a leak, or run the model until it rests",
          state.name);
    }
    if (!complaint_.empty()) return false;
  }
  follow_positions_ =
      varying_.empty() || idle_direction(unit_rows(pick(tangent.rates_by_states, true, true))).size() == 0;
  return follow_positions_;
}

Eigen::MatrixXd StateBalance::pick(const Eigen::MatrixXd& A, bool rows, bool columns) const {
  const auto count = static_cast<Eigen::Index>(varying_.size());
  Eigen::MatrixXd part(rows ? count : A.rows(), columns ? count : A.cols());
  for (Eigen::Index i = 0; i < part.rows(); ++i)
    for (Eigen::Index j = 0; j < part.cols(); ++j)
      part(i, j) =
          A(rows ? varying_[static_cast<std::size_t>(i)] : i, columns ? varying_[static_cast<std::size_t>(j)] : j);
  return part;
}

/// Where nothing changes a rate that is zero, its state stays: a bucket keeps what is in it once it is turned up.
Eigen::MatrixXd StateBalance::responses(const Eigen::MatrixXd& rates_by_states) const {
  Eigen::MatrixXd D = pick(rates_by_states, true, true);
  const VecX rates = varying_rates();
  for (Eigen::Index i = 0; i < D.rows(); ++i)
    if (rates[i] == 0 && D.row(i).isZero(0)) D(i, i) = 1;
  return D;
}

VecX StateBalance::varying_rates() const { return pick(system_.rates(), true, false); }

/// Newton's method, its steps halved until the next one, with the same matrix, is shorter (Deuflhard, Newton Methods
/// for Nonlinear Problems, 2004).
VecX StateBalance::forces() {
  VecX force = system_.forces();
  if (varying_.empty() || !follow_positions_ || !complaint_.empty()) return force;
  constexpr int kIterations = 100, kHalvings = 20;
  auto z = system_.state_values();
  for (int i = 0; i < kIterations; ++i) {
    const Eigen::MatrixXd D = responses(system_.rates_by_states());
    const VecX step = solve_square(D, varying_rates());
    if (!step.allFinite()) break;
    const VecX before = z;
    double part = 1;
    for (int halving = 0; halving < kHalvings; ++halving, part *= 0.5) {
      z = before;
      for (std::size_t j = 0; j < varying_.size(); ++j) z[varying_[j]] += part * step[static_cast<Eigen::Index>(j)];
      force = system_.forces();
      if (solve_square(D, varying_rates()).norm() <= (1 - 0.25 * part) * step.norm()) break;
    }
    if (step.cwiseAbs().maxCoeff() <= kAtRest * std::max(1.0, z.cwiseAbs().maxCoeff())) return force;
  }
  if (force.allFinite()) name(varying_rates(), "no equilibrium was found of");
  return force;
}

void StateBalance::follow_motions(Eigen::MatrixXd& stiffness) const {
  if (varying_.empty() || !follow_positions_) return;
  const auto& tangent = system_.of_states();
  stiffness -= pick(tangent.forces_by_states, false, true) *
               solve_square(responses(tangent.rates_by_states), pick(tangent.rates_by_positions, true, false));
}

/// Forces on the free motions, then rates of states: what is left, and minus its derivatives.
Eigen::MatrixXd StateBalance::tangent_of_all(VecX& rest) {
  const VecX force = system_.forces();
  const Eigen::MatrixXd& Z = system_.basis().free();
  rest.resize(Z.cols() + std::ssize(varying_));
  rest << Z.transpose() * force, varying_rates();
  Eigen::MatrixXd K, C;
  system_.tangent(system_.basis().multipliers(force), K, C);
  const auto& tangent = system_.of_states();
  const Eigen::Index f = Z.cols(), s = std::ssize(varying_);
  Eigen::MatrixXd J(f + s, f + s);
  J.topLeftCorner(f, f) = Z.transpose() * K * Z;
  J.topRightCorner(f, s) = Z.transpose() * pick(tangent.forces_by_states, false, true);
  J.bottomLeftCorner(s, f) = pick(tangent.rates_by_positions, true, false) * Z;
  J.bottomRightCorner(s, s) = pick(tangent.rates_by_states, true, true);
  return J;
}

void StateBalance::balance_with_motions(int iterations, double longest, int& taken) {
  constexpr int kHalvings = 20;
  VecX rest;
  for (taken = 0; complaint_.empty() && taken < iterations; ++taken) {
    const Eigen::MatrixXd J = tangent_of_all(rest), Z = system_.basis().free();
    const Eigen::Index f = Z.cols(), s = std::ssize(varying_);
    const VecX idle = idle_direction(unit_rows(J));
    if (idle.size() > 0)
      return name(idle.tail(s), "neither the loads nor the rates say where all comes to rest; undetermined is");
    VecX step = solve_square(J, rest);
    const double largest = f > 0 ? step.head(f).cwiseAbs().maxCoeff() : 0;
    if (largest > longest) step *= longest / largest;
    const State before = system_.state();
    double part = 1;
    for (int halving = 0; halving < kHalvings; ++halving, part *= 0.5) {
      system_.state() = before;
      for (Eigen::Index j = 0; j < s; ++j)
        system_.state_values()[varying_[static_cast<std::size_t>(j)]] += part * step[f + j];
      if (!system_.move(part * Z * step.head(f))) continue;
      const VecX force = system_.forces();
      VecX left(f + s);
      left << Z.transpose() * system_.basis().rest(force), varying_rates();
      if (solve_square(J, left).norm() <= std::max(1.0, largest / longest) * step.norm()) break;
    }
    system_.accept();
    if (step.cwiseAbs().maxCoeff() <= kAtRest * std::max(1.0, system_.state_values().cwiseAbs().maxCoeff())) return;
  }
  if (!complaint_.empty()) return;
  tangent_of_all(rest);
  name(rest.tail(std::ssize(varying_)), "no equilibrium was found; what is left is largest of");
}

void StateBalance::name(const VecX& parts, const std::string& what) {
  Eigen::Index worst = 0;
  if (parts.size() > 0) parts.cwiseAbs().maxCoeff(&worst);
  const auto index = static_cast<std::size_t>(varying_[static_cast<std::size_t>(worst)]);
  const StateVariable& state = system_.mechanism().states[index];
  complaint_ = fmt::format("{} state '{}', which is {:.4g} with the rate {:.3g}", what, state.name,
                           system_.state_values()[static_cast<Eigen::Index>(index)] * state.scale,
                           system_.rates()[static_cast<Eigen::Index>(index)] * state.scale);
}

}  // namespace cardan
