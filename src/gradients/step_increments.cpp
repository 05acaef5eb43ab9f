#include "gradients/step_increments.hpp"

#include <algorithm>
#include <cmath>

#include "gradients/tangent_tolerances.hpp"

namespace cardan {
namespace {

using namespace tangents;

}  // namespace

Derivative::Derivative(const Structure& structure) {
  for (VecX* x : {&moved, &residual, &pending, &foretold}) x->setZero(structure.coordinates);
  for (VecX* x : {&lambda, &violation}) x->setZero(structure.constraints);
  for (VecX& x : before) x = moved;
}

void Derivative::begin(const VecX& lambda_up, const VecX& lambda_down) {
  const auto& [last, one, two] = before;
  if (known == 0) moved.setZero();
  if (known == 1) moved = last;
  if (known == 2) moved = 2 * last - one;
  if (known == 3) moved = 3 * (last - one) + two;
  lambda = 0.5 * (lambda_up - lambda_down);
  rate *= kFading;
  ++age;
  previous = 0;
  ended = false;
}

void Derivative::keep() {
  std::rotate(before.begin(), before.end() - 1, before.end());
  before.front() = moved;
  known = std::min(known + 1, 3);
}

StepIncrements::StepIncrements(const Structure& structure)
    : structure_(structure),
      lacks_(structure.coordinates, std::min(kPairs, 2 * structure.coordinates)),
      inverse_scale_(structure.scale.cwiseInverse()) {
  for (VecX* x : {&rhs_, &scaled_, &lacking_}) x->setZero(structure.coordinates);
}

void StepIncrements::begin(const NewmarkStep& made, const VecX& q) {
  step_.emplace(made);
  if (made.h != h_) lacks_.forget();
  h_ = made.h;
  place_ = size_of(q);
}

double StepIncrements::size_of(const VecX& x) { return x.cwiseProduct(inverse_scale_).norm(); }

/// T x = -(c b h^2 DR + Phi_q^T w DPhi), Dd <- Dd + x, Dlambda <- Dlambda + w/(c b h^2) (DPhi + Phi_q x), after which
/// c b h^2 DR is what T lacks, (J - T) x, and DPhi what x has left of it: as far as that is known it is foretold, and
/// taken again.
void StepIncrements::increase(Derivative& d, const VecX& jacobian) {
  const double cbh2 = step_->rule.in_position(step_->h);
  const RowPattern& J = structure_.jacobian;
  d.pending.setZero();
  d.foretold.setZero();
  double enough = tolerance_;  // beyond what is foretold wrongly there is nothing to gain
  for (int i = 0; i < kForetold; ++i) {
    rhs_ = -d.residual;
    for (int k = 0; k < structure_.constraints; ++k) add_row(J, jacobian, k, -step_->weight[k] * d.violation[k], rhs_);
    step_->tangent.solve(rhs_);
    d.pending += rhs_;
    for (int k = 0; k < structure_.constraints; ++k) {
      d.violation[k] += row_times(J, jacobian, k, rhs_);
      d.lambda[k] += step_->weight[k] / cbh2 * d.violation[k];
    }
    scaled_ = rhs_.cwiseProduct(inverse_scale_);
    lacks_.apply(scaled_, d.residual);
    d.foretold += d.residual;
    const double size = scaled_.norm();
    if (i == 0) enough = std::max(enough, 0.5 * d.rate * size);
    if (size < enough) break;
  }
  d.foretold -= d.residual;
  d.moved += d.pending;
}

/// Until what increments leave is in the tolerance, by the rate at which they were seen to shrink, or rounding, where
/// they shrink no more.
bool StepIncrements::take(Derivative& d, const At& at, int count) {
  if (d.ended) return true;
  d.residual *= step_->rule.in_position(step_->h);
  const double of_q = size_of(at.q);
  tolerance_ = std::max(
      {kOfAcceleration * step_->rule.beta * h_ * h_ * size_of(at.A), kOfPosition * of_q, kRounding * (1 + place_)});
  smallest_ = kStandstill * (of_q + kOfScale);
  if (count > 0 && d.previous > kWorthKeeping * tolerance_) {
    lacking_ = d.residual + d.foretold;
    scaled_ = d.pending.cwiseProduct(inverse_scale_);
    lacks_.keep(scaled_, lacking_);
  }
  increase(d, at.jacobian);
  const double now = size_of(d.pending);
  if (count > 0) {
    if (now > 0.5 * d.previous && now < smallest_) return d.ended = true;
    d.rate = std::max(d.rate, now / d.previous);
    d.age = 0;
  }
  d.previous = now;
  const bool is_known = d.age < kForgotten;
  d.ended = now <= tolerance_ || (is_known && std::min(1.0, kMargin * d.rate) * now <= tolerance_);
  return d.ended;
}

bool StepIncrements::is_far(const Derivative& d, const VecX& q) { return d.previous > kFar * size_of(q); }

/// T y = P x + Phi_q^T mu, mu <- mu - w Phi_q y: what is left shrinks by 1 + kappa each time.
void find_multipliers(const Structure& structure, const NewmarkStep& made, const VecX& product, VecX& x, VecX& mu) {
  for (int pass = 0; pass < kPasses; ++pass) {
    x = product;
    for (int k = 0; k < structure.constraints; ++k) add_row(structure.jacobian, made.rows, k, mu[k], x);
    made.tangent.solve(x);
    double largest = 0;
    for (int k = 0; k < structure.constraints; ++k) {
      const double change = made.weight[k] * row_times(structure.jacobian, made.rows, k, x);
      mu[k] -= change;
      largest = std::max(largest, std::abs(change));
    }
    if (largest <= kOfMultipliers * mu.lpNorm<Eigen::Infinity>()) return;
  }
}

void project_onto(const Structure& structure, const NewmarkStep& made, const VecX& jacobian, double little, VecX& held,
                  VecX& violation, VecX& x) {
  x.setZero();
  for (int pass = 0; pass < kPasses; ++pass) {
    held = -held;
    for (int k = 0; k < structure.constraints; ++k)
      add_row(structure.jacobian, made.rows, k, -made.weight[k] * violation[k], held);
    made.tangent.solve(held);
    x += held;
    for (int k = 0; k < structure.constraints; ++k) violation[k] += row_times(structure.jacobian, jacobian, k, held);
    if (violation.lpNorm<Eigen::Infinity>() <= little) return;
    held.setZero();  // the equations hold with the multipliers that go with x
  }
}

}  // namespace cardan
