#include "gradients/newmark_tangent.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cardan {
namespace {

/// Increments of a derivative, relative to those of accelerations and of positions, that are small enough.
constexpr double kOfAcceleration = 1e-8, kOfPosition = 1e-13;
/// Increments that are rounding of the coordinates; those that have ceased to shrink are too, if they are below this
/// part of the positions' derivative.
constexpr double kRounding = 5e-16, kStandstill = 1e-6;
/// Of the coordinates' scales: a derivative below, as of what does not depend on the parameter, is not told from none.
constexpr double kOfScale = 1e-6;
constexpr int kIterations = 25;
constexpr double kMargin = 3, kMarginBefore = 30;  // of the rate at which increments shrink, or shrank in steps before
constexpr int kForgotten = 5;                     // after so many steps
constexpr int kPasses = 6;     // of a projection

}  // namespace

void NewmarkTangent::Evaluation::size(int n, int m) {
  for (VecX* x : {&d, &q, &v, &a, &A, &residual, &held_v, &held_A, &predicted_q, &predicted_v}) x->setZero(n);
  for (VecX* x : {&lambda, &phi, &rate, &second}) x->setZero(m);
}

NewmarkTangent::NewmarkTangent(const Formulation& formulation, const NewmarkIntegrator& integrator)
    : formulation_(formulation),
      structure_(formulation.structure()),
      integrator_(integrator),
      work_(formulation.make_workspace()) {
  const int n = structure_.coordinates, m = structure_.constraints;
  for (Evaluation* e : {&base_, &plus_, &minus_}) e->size(n, m);
  for (VecX* x : {&correction_v_, &correction_A_, &moved_, &projected_v_, &projected_A_, &rhs_, &difference_})
    x->setZero(n);
  for (VecX* x : {&mu_, &nu_, &lambda_, &violation_}) x->setZero(m);
}

double NewmarkTangent::scaled_norm(const VecX& x) const { return x.cwiseQuotient(structure_.scale).norm(); }

/// P = M + c (g h C + b h^2 K)
void NewmarkTangent::add_projector(const Equations& e, const VecX& x, VecX& y) const {
  const NewmarkRule& rule = step_->rule;
  const double stiff = rule.in_position(step_->h), damped = rule.in_velocity(step_->h);
  multiply_add(structure_.pattern, e.mass, x, y);
  const auto add = [&](int force, int felt, double w) {
    if (w != 0)
      add_row(structure_.loads, e.load_gradient, force, w * row_times(structure_.loads, e.load_gradient, felt, x), y);
  };
  for (int k = 0; k < structure_.loads.rows(); ++k) add(k, k, damped * e.damping[k] + stiff * e.stiffness[k]);
  for (std::size_t i = 0; i < structure_.couplings.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    add(structure_.couplings[i].force, structure_.couplings[i].felt,
        damped * e.coupling_damping[k] + stiff * e.coupling_stiffness[k]);
  }
}

StepStatus NewmarkTangent::evaluate(Evaluation& e) const {
  const NewmarkRule& rule = step_->rule;
  const NewmarkRule::Start start{e.before.q, e.before.v, e.before.algorithmic, e.before.acceleration};
  const double h = step_->h;
  rule.predict(h, start, e.predicted_q, e.predicted_v);
  rule.expressions(h, start, e.predicted_q, e.predicted_v, e.d, e.q, e.v, e.a, e.A);
  const StepStatus status = e.formulation->position(e.before.t + h, e.q, e.before, *e.work);
  if (status != StepStatus::ok) return status;
  e.formulation->velocity(e.v, *e.work);
  e.formulation->dynamics(*e.work);
  const Equations& now = e.work->equations;
  e.residual = -now.force;
  multiply_add(structure_.pattern, now.mass, e.A, e.residual);
  for (int k = 0; k < structure_.constraints; ++k)
    add_row(structure_.jacobian, now.jacobian, k, e.lambda[k], e.residual);
  e.phi = now.phi;
  for (int k = structure_.position_constraints(); k < structure_.constraints; ++k)
    e.phi[k] = rule.beta * h / rule.gamma * (row_times(structure_.jacobian, now.jacobian, k, e.v) + now.phi_t[k]);
  return e.residual.allFinite() ? StepStatus::ok : StepStatus::not_finite;
}

void NewmarkTangent::feel_projections(Evaluation& e) const {
  const Equations& now = e.work->equations;
  e.held_v.setZero();
  e.held_A.setZero();
  add_projector(now, correction_v_, e.held_v);
  add_projector(now, correction_A_, e.held_A);
  for (int k = 0; k < structure_.constraints; ++k) {
    add_row(structure_.jacobian, now.jacobian, k, mu_[k], e.held_v);
    add_row(structure_.jacobian, now.jacobian, k, nu_[k], e.held_A);
    e.rate[k] = row_times(structure_.jacobian, now.jacobian, k, e.v) +
                row_times(structure_.jacobian, now.jacobian, k, correction_v_) + now.phi_t[k];
  }
}

void NewmarkTangent::see_gamma(Evaluation& e, const VecX& v) const {
  e.formulation->velocity(v, *e.work);
  e.formulation->gamma(*e.work);
  const Equations& now = e.work->equations;
  for (int k = 0; k < structure_.constraints; ++k)
    e.second[k] = row_times(structure_.jacobian, now.jacobian, k, e.A) +
                  row_times(structure_.jacobian, now.jacobian, k, correction_A_) - now.gamma[k];
}

/// T y = P x + Phi_q^T mu, mu <- mu - w Phi_q y: what is left shrinks by 1 + kappa each time.
void NewmarkTangent::find_multipliers(const VecX& product, VecX& mu) {
  mu.setZero();
  for (int pass = 0; pass < kPasses; ++pass) {
    rhs_ = product;
    for (int k = 0; k < structure_.constraints; ++k) add_row(structure_.jacobian, step_->rows, k, mu[k], rhs_);
    step_->tangent.solve(rhs_);
    double largest = 0;
    for (int k = 0; k < structure_.constraints; ++k) {
      const double change = step_->weight[k] * row_times(structure_.jacobian, step_->rows, k, rhs_);
      mu[k] -= change;
      largest = std::max(largest, std::abs(change));
    }
    if (largest <= 1e-8 * mu.lpNorm<Eigen::Infinity>()) return;
  }
}

StepStatus NewmarkTangent::begin() {
  step_.emplace(integrator_.last_step());
  base_.formulation = &formulation_;
  base_.work = work_.get();
  base_.before = step_->before;
  base_.d = step_->moved;
  base_.lambda = step_->lambda;
  const StepStatus status = evaluate(base_);
  if (status != StepStatus::ok || !step_->projects) return status;
  correction_v_ = step_->v - base_.v;
  correction_A_ = step_->A - base_.A;
  for (auto [x, mu] : {std::pair(&correction_v_, &mu_), std::pair(&correction_A_, &nu_)}) {
    difference_.setZero();
    add_projector(work_->equations, *x, difference_);
    find_multipliers(difference_, *mu);
  }
  feel_projections(base_);
  see_gamma(base_, step_->v);
  return StepStatus::ok;
}

/// J dd = -(what the equations say with dd = 0), by T for J: T x = -(c b h^2 r + Phi_q^T w phi), dd <- dd + x,
/// and the multipliers as in the step itself. Increments shrink as fast as Newton's did.
StepStatus NewmarkTangent::solve_positions(Memory& memory) {
  const double cbh2 = step_->rule.in_position(step_->h), bh2 = step_->rule.beta * step_->h * step_->h;
  double previous = 0;
  for (int i = 0; i < kIterations; ++i) {
    for (Evaluation* e : {&plus_, &minus_}) {
      if (e != upper_ && e != lower_) continue;
      const double sign = e == &plus_ ? 1 : -1;
      e->d = step_->moved + sign * moved_;
      e->lambda = step_->lambda + sign * lambda_;
      if (const StepStatus status = evaluate(*e); status != StepStatus::ok) return status;
    }
    rhs_ = -cbh2 * factor_ * (upper_->residual - lower_->residual);
    violation_ = factor_ * (upper_->phi - lower_->phi);
    for (int k = 0; k < structure_.constraints; ++k)
      add_row(structure_.jacobian, step_->rows, k, -step_->weight[k] * violation_[k], rhs_);
    step_->tangent.solve(rhs_);
    moved_ += rhs_;
    for (int k = 0; k < structure_.constraints; ++k)
      lambda_[k] += step_->weight[k] / cbh2 *
                    (violation_[k] + row_times(structure_.jacobian, step_->rows, k, rhs_));
    const double now = scaled_norm(rhs_);
    if (!std::isfinite(now)) return StepStatus::not_finite;
    difference_ = factor_ * (upper_->A - lower_->A);
    const double of_acceleration = scaled_norm(difference_);
    difference_ = factor_ * (upper_->q - lower_->q);
    const double of_position = scaled_norm(difference_);
    const double rate = i == 0 ? memory.rate : previous > 0 ? now / previous : 0;
    if (i > 0) memory.rate = i == 1 ? rate : std::max(memory.rate, rate);
    // One increment alone tells no rate: that of steps before counts, and not for long.
    memory.age = i == 0 ? memory.age + 1 : 0;
    const bool known = i > 0 || memory.age < kForgotten;
    if (known && std::min(1.0, (i == 0 ? kMarginBefore : kMargin) * rate) * now <=
                     std::max(kOfAcceleration * bh2 * of_acceleration, kOfPosition * of_position))
      return StepStatus::ok;
    if (now <= kRounding * (1 + scaled_norm(base_.q))) return StepStatus::ok;
    if (i > 1 && now > 0.5 * previous && now <= kStandstill * (of_position + kOfScale)) return StepStatus::ok;
    previous = now;
  }
  return StepStatus::not_converged;
}

void NewmarkTangent::project(VecX& held, VecX& violation, VecX& x) {
  x.setZero();
  const double first = violation.size() > 0 ? violation.lpNorm<Eigen::Infinity>() : 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    rhs_ = -held;
    for (int k = 0; k < structure_.constraints; ++k)
      add_row(structure_.jacobian, step_->rows, k, -step_->weight[k] * violation[k], rhs_);
    step_->tangent.solve(rhs_);
    x += rhs_;
    held.setZero();  // the equations hold with the multipliers that go with x
    for (int k = 0; k < structure_.constraints; ++k)
      violation[k] += row_times(structure_.jacobian, work_->equations.jacobian, k, rhs_);
    if (violation.lpNorm<Eigen::Infinity>() <= 1e-11 * first) return;
  }
}

/// The last one, with which no equation was asked any more.
void NewmarkTangent::take_increment(Evaluation& e, double sign) const {
  const auto& [rule, h] = std::tie(step_->rule, step_->h);
  e.q += sign * rhs_;
  e.v += sign * rule.gamma / (rule.beta * h) * rhs_;
  e.a += sign / (rule.beta * h * h) * rhs_;
  e.A += sign / rule.in_position(h) * rhs_;
}

void NewmarkTangent::finish(Evaluation& e, double sign, State& state) const {
  state.t = e.before.t + step_->h;
  state.q = e.q;
  state.v = e.v + correction_v_ + sign * projected_v_;
  state.acceleration = e.A + correction_A_ + sign * projected_A_;
  state.algorithmic = e.a + correction_A_ + sign * projected_A_;
  state.lambda = e.lambda;
}

StepStatus NewmarkTangent::step(TangentSide plus, TangentSide minus, TangentSides which, Memory& memory) {
  upper_ = which == TangentSides::minus ? &base_ : &plus_;
  lower_ = which == TangentSides::plus ? &base_ : &minus_;
  factor_ = which == TangentSides::both ? 0.5 : 1;
  plus_.formulation = &plus.formulation;
  plus_.work = &plus.work;
  minus_.formulation = &minus.formulation;
  minus_.work = &minus.work;
  plus_.before = plus.state;
  minus_.before = minus.state;
  lambda_ = 0.5 * (plus.state.lambda - minus.state.lambda);
  if (memory.moved.size() != structure_.coordinates) memory.moved = VecX::Zero(structure_.coordinates);
  moved_ = memory.moved;
  if (const StepStatus status = solve_positions(memory); status != StepStatus::ok) return status;
  memory.moved = moved_;

  const auto each = [&](const auto& visit) {
    if (upper_ == &plus_) visit(plus_, 1.0, plus.state);
    if (lower_ == &minus_) visit(minus_, -1.0, minus.state);
  };
  each([&](Evaluation& e, double sign, State&) { take_increment(e, sign); });
  if (step_->projects) {
    each([&](Evaluation& e, double, State&) { feel_projections(e); });
    difference_ = factor_ * (upper_->held_v - lower_->held_v);
    violation_ = factor_ * (upper_->rate - lower_->rate);
    project(difference_, violation_, projected_v_);
    each([&](Evaluation& e, double sign, State& state) {
      state.v = e.v + correction_v_ + sign * projected_v_;
      see_gamma(e, state.v);
    });
    difference_ = factor_ * (upper_->held_A - lower_->held_A);
    violation_ = factor_ * (upper_->second - lower_->second);
    project(difference_, violation_, projected_A_);
  }
  StepStatus status = StepStatus::ok;
  each([&](Evaluation& e, double sign, State& state) {
    finish(e, sign, state);
    const StepStatus accepted = e.formulation->accept(e.before, state, *e.work);
    if (accepted != StepStatus::ok) status = accepted;
  });
  return status;
}

}  // namespace cardan
