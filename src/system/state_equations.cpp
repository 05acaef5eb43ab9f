#include "system/state_equations.hpp"

#include <Eigen/Cholesky>
#include <stdexcept>

namespace cardan {
namespace {

/// Makes rows of unit length and answers how long they were. A row that has all but vanished stays small: stretched,
/// its rounding would ask for large motions.
VecX make_unit_rows(Eigen::MatrixXd& rows) {
  VecX length = rows.rowwise().norm();
  const double longest = length.size() > 0 ? length.maxCoeff() : 1;
  length = length.cwiseMax(1e-8 * longest);
  if (longest > 0) rows = length.cwiseInverse().asDiagonal() * rows;
  return longest > 0 ? length : VecX::Ones(length.size());
}

}  // namespace

StateEquations::StateEquations(const System::View& view, const State& state, Workspace& work)
    : view_(view), scale_(view.structure().scale), mass_(view.mass(state, work)), force_(view.force(state, work)) {
  gamma_ = view.gamma(work);
  Eigen::MatrixXd rows = view.jacobian(work) * scale_.asDiagonal();
  row_length_ = make_unit_rows(rows);
  basis_.compute(rows);
}

/// a = a0 + Z y with Phi_q a0 = gamma and Phi_q Z = 0:   Z^T M Z y = Z^T (Q + tau - M a0)
Accelerations StateEquations::accelerations(const VecX& tau) const {
  VecX force = force_;
  if (tau.size() > 0) force += tau;
  Accelerations result;
  result.acceleration = shortest(gamma_);
  const Eigen::MatrixXd Z = free();
  if (Z.cols() > 0) {
    const Eigen::LDLT<Eigen::MatrixXd> inertia(Z.transpose() * mass_ * Z);
    const VecX pivots = inertia.vectorD();
    if (!(pivots.minCoeff() > 1e-14 * pivots.maxCoeff())) {
      throw std::domain_error("nothing resists some motion of '" + view_.mechanism().name +
                              "': it moves no mass. Give the bodies that it moves a mass or an inertia");
    }
    result.acceleration += Z * inertia.solve(Z.transpose() * (force - mass_ * result.acceleration));
  }
  const VecX left = scale_.cwiseProduct(force - mass_ * result.acceleration);
  result.multipliers = basis_.multipliers(left).cwiseQuotient(row_length_);
  return result;
}

VecX ScalarGoal::excess(const State& state, Workspace& work) const {
  VecX more = -values_;
  for (Eigen::Index i = 0; i < more.size(); ++i)
    more[i] += scalars_.value(which_[static_cast<std::size_t>(i)], state, work);
  return more;
}

void close(const System::View& view, const Goal& goal, State& state, Workspace& work) {
  constexpr int kIterations = 50;
  constexpr double kClosed = 1e-15, kNearly = 1e-11, kContradicts = 1e-8;
  const VecX& scale = view.structure().scale;
  const int m = view.structure().constraints, count = static_cast<int>(goal.wanted_rates().size());
  const int velocities = view.structure().velocity_constraints;
  Eigen::MatrixXd rows(m + count, scale.size());
  VecX left(m + count), length;
  ConstraintBasis basis;
  const auto look = [&](bool of_positions) {
    view.evaluate(state, work);
    rows.topRows(m) = view.jacobian(work);
    if (of_positions) rows.middleRows(m - velocities, velocities).setZero();
    rows.bottomRows(count) = view.slopes([&] { return goal.rates(work); }, state, work);
    rows = rows * scale.asDiagonal();
    length = make_unit_rows(rows);
    basis.compute(rows);
  };
  const auto refuse_contradiction = [&](double size, const char* what) {
    if (left.size() == 0 || left.cwiseQuotient(length).cwiseAbs().maxCoeff() <= kContradicts * size) return;
    throw std::domain_error(std::string(what) + " that were asked for contradict the loops of '" +
                            view.mechanism().name + "'");
  };
  double last = 1e300;
  for (int i = 0;; ++i) {
    look(true);
    left.head(m) = view.closure(work);
    left.tail(count) = goal.excess(state, work);
    const VecX x = basis.shortest(VecX(-left.cwiseQuotient(length)));
    const double size = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
    if (size <= kClosed || (size <= kNearly && size > 0.5 * last)) break;
    if (!(size < 1e3) || i == kIterations) {
      throw std::domain_error("no state near this one closes the loops of '" + view.mechanism().name +
                              "' with the values that were asked for");
    }
    last = size;
    state.q += scale.cwiseProduct(x);
  }
  // The rows of dependent constraints and values that contradict each other do not vanish with the step.
  refuse_contradiction(1, "the values");
  if (velocities > 0) look(false);
  // The nearest velocity: v + x with Phi_q (v + x) = -Phi_t and the rates asked for.
  const auto see_rates = [&] {
    left.head(m) = view.closure_rate(state, work);
    left.tail(count) = goal.rates(work) - goal.wanted_rates();
  };
  see_rates();
  state.v += scale.cwiseProduct(basis.shortest(VecX(-left.cwiseQuotient(length))));
  view.evaluate(state, work);
  see_rates();
  const VecX& rates = goal.wanted_rates();
  refuse_contradiction(1 + (rates.size() > 0 ? rates.cwiseAbs().maxCoeff() : 0), "the rates");
}

}  // namespace cardan
