#include "gradients/newmark_tangent.hpp"

#include <algorithm>
#include <cmath>

#include "gradients/step_increments.hpp"
#include "gradients/tangent_tolerances.hpp"

namespace cardan {
namespace {

using namespace tangents;
constexpr int kSlow = 2;          // increments in a row that hardly shrink
constexpr double kSurprise = 30;  // a first increment that is so much larger than those of steps before

}  // namespace

void NewmarkTangent::Said::size(int n, int m) {
  for (VecX* x : {&residual, &held_v, &held_A}) x->setZero(n);
  for (VecX* x : {&phi, &rate, &second}) x->setZero(m);
}

NewmarkTangent::NewmarkTangent(const Formulation& formulation, const NewmarkIntegrator& integrator)
    : formulation_(formulation),
      structure_(formulation.structure()),
      integrator_(integrator),
      work_(formulation.make_workspace()),
      solver_(make_coupled_solver("automatic", structure_, work_->equations)),
      tangent_(VecX::Zero(structure_.pattern.nonzeros())),
      lacks_(structure_.coordinates, std::min(kPairs, 2 * structure_.coordinates)) {
  const int n = structure_.coordinates, m = structure_.constraints;
  for (Evaluation* e : {&base_, &plus_, &minus_}) {
    e->size(n, m);
    for (VecX* x : {&e->d, &e->q, &e->v, &e->a, &e->A, &e->predicted_q, &e->predicted_v}) x->setZero(n);
    e->lambda.setZero(m);
  }
  for (VecX* x : {&correction_v_, &correction_A_, &moved_, &projected_v_, &projected_A_, &rhs_, &difference_,
                  &residual_, &pending_, &scaled_, &lacking_, &foretold_})
    x->setZero(n);
  for (VecX* x : {&mu_, &nu_, &lambda_, &violation_}) x->setZero(m);
}

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

void NewmarkTangent::express(Evaluation& e) const {
  const NewmarkRule& rule = step_->rule;
  const NewmarkRule::Start start{e.before.q, e.before.v, e.before.algorithmic, e.before.acceleration};
  rule.predict(step_->h, start, e.predicted_q, e.predicted_v);
  rule.expressions(step_->h, start, e.predicted_q, e.predicted_v, e.d, e.q, e.v, e.a, e.A);
}

/// After express().
StepStatus NewmarkTangent::evaluate(Evaluation& e) const {
  const NewmarkRule& rule = step_->rule;
  const double h = step_->h;
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

StepStatus NewmarkTangent::begin(bool between) {
  step_.emplace(integrator_.last_step());
  base_.formulation = &formulation_;
  base_.work = work_.get();
  base_.before = step_->before;
  base_.d = step_->moved;
  base_.lambda = step_->lambda;
  if (step_->h != h_) lacks_.forget();
  h_ = step_->h;
  express(base_);
  StepStatus status = evaluate(base_);
  if (status == StepStatus::ok) status = factorize();
  if (status != StepStatus::ok || !step_->projects) return status;
  row_size_ = work_->equations.jacobian.lpNorm<Eigen::Infinity>();
  correction_v_ = step_->v - base_.v;
  correction_A_ = step_->A - base_.A;
  for (auto [x, mu] : {std::pair(&correction_v_, &mu_), std::pair(&correction_A_, &nu_)}) {
    difference_.setZero();
    add_projector(work_->equations, *x, difference_);
    find_multipliers(structure_, *step_, difference_, rhs_, *mu);
  }
  if (!between) return StepStatus::ok;
  feel_projections(base_);
  see_gamma(base_, step_->v);
  return StepStatus::ok;
}

/// T = M + c (g h C + b h^2 K) + Phi_q^T w Phi_q where the step has ended.
StepStatus NewmarkTangent::factorize() {
  const Equations& e = work_->equations;
  const double stiff = step_->rule.in_position(step_->h), damped = step_->rule.in_velocity(step_->h);
  tangent_ = e.mass;
  for (int k = 0; k < structure_.loads.rows(); ++k) {
    const double w = damped * e.damping[k] + stiff * e.stiffness[k];
    if (w != 0) add_outer(structure_.loads, e.load_gradient, k, w, tangent_);
  }
  for (int k = 0; k < structure_.constraints; ++k)
    add_outer(structure_.jacobian, e.jacobian, k, step_->weight[k], tangent_);
  return solver_->factorize(tangent_, stiff, damped) < 0 ? StepStatus::ok : StepStatus::singular;
}

/// A parabola through the last three.
void NewmarkTangent::guess(const Memory& memory) {
  const auto& [last, before, first] = memory.moved;
  if (memory.count == 0) moved_.setZero();
  if (memory.count == 1) moved_ = last;
  if (memory.count == 2) moved_ = 2 * last - before;
  if (memory.count == 3) moved_ = 3 * (last - before) + first;
}

/// Of what both sides have in common only what has changed since then counts, with a sign that changes with the side.
void NewmarkTangent::subtract(VecX Said::*what, Memory& memory, VecX& difference) {
  const VecX &up = plus_.*what, &down = minus_.*what, &middle = base_.*what;
  if (sides_ == TangentSides::both) {
    difference = 0.5 * (up - down);
    if (memory.even) (*memory.even).*what = 0.5 * (up + down) - middle;
  } else if (sides_ == TangentSides::plus) {
    difference = up - middle;
    if (memory.even) difference -= (*memory.even).*what;
  } else {
    difference = middle - down;
    if (memory.even) difference += (*memory.even).*what;
  }
}

void NewmarkTangent::set_tolerances() {
  const double bh2 = step_->rule.beta * step_->h * step_->h;
  const Eigen::Index n = structure_.coordinates - structure_.states;
  const auto norms = [&](const VecX& x) {
    difference_ = x.cwiseQuotient(structure_.scale);
    return std::array{difference_.head(n).norm(), difference_.tail(structure_.states).norm()};
  };
  rhs_ = 0.5 * (plus_.A - minus_.A);
  const std::array of_acceleration = norms(rhs_);
  rhs_ = 0.5 * (plus_.q - minus_.q);
  const std::array of_position = norms(rhs_), place = norms(base_.q);
  for (int i = 0; i < 2; ++i)
    tolerance_[i] = std::max(
        {kOfAcceleration * bh2 * of_acceleration[i], kOfPosition * of_position[i], kRounding * (1 + place[i])});
  smallest_ = kStandstill * (std::hypot(of_position[0], of_position[1]) + kOfScale);
}

/// c b h^2 DR and DPhi, with the derivatives of d and lambda as they are.
StepStatus NewmarkTangent::see_differences(Memory& memory) {
  plus_.d = step_->moved + moved_;
  minus_.d = step_->moved - moved_;
  plus_.lambda = step_->lambda + lambda_;
  minus_.lambda = step_->lambda - lambda_;
  StepStatus status = StepStatus::ok;
  for (Evaluation* e : {&plus_, &minus_}) express(*e);
  each([&](Evaluation& e, double) {
    if (status == StepStatus::ok) status = evaluate(e);
  });
  subtract(&Said::residual, memory, residual_);
  residual_ *= step_->rule.in_position(step_->h);
  subtract(&Said::phi, memory, violation_);
  set_tolerances();
  return status;
}

double NewmarkTangent::in_tolerances(const VecX& increment) {
  const Eigen::Index n = structure_.coordinates - structure_.states;
  difference_ = increment.cwiseQuotient(structure_.scale);
  return std::max(difference_.head(n).norm() / tolerance_[0],
                  difference_.tail(structure_.states).norm() / tolerance_[1]);
}

/// T x = -(c b h^2 DR + Phi_q^T w DPhi), Dd <- Dd + x, Dlambda <- Dlambda + w/(c b h^2) (DPhi + Phi_q x), after which
/// c b h^2 DR is what T lacks, (J - T) x, and DPhi what x has left of it: as far as that is known it is foretold, and
/// taken again.
void NewmarkTangent::increase() {
  const Equations& now = work_->equations;
  const double cbh2 = step_->rule.in_position(step_->h);
  pending_.setZero();
  foretold_.setZero();
  for (int i = 0; i < kForetold; ++i) {
    rhs_ = -residual_;
    for (int k = 0; k < structure_.constraints; ++k)
      add_row(structure_.jacobian, now.jacobian, k, -step_->weight[k] * violation_[k], rhs_);
    solver_->solve(rhs_);
    pending_ += rhs_;
    for (int k = 0; k < structure_.constraints; ++k) {
      violation_[k] += row_times(structure_.jacobian, now.jacobian, k, rhs_);
      lambda_[k] += step_->weight[k] / cbh2 * violation_[k];
    }
    scaled_ = rhs_.cwiseQuotient(structure_.scale);
    lacks_.apply(scaled_, residual_);
    foretold_ += residual_;
    if (in_tolerances(rhs_) < 1) break;
  }
  moved_ += pending_;
}

/// Increments go on until what they leave is in the tolerance, or rounding, which is what they were found to be where
/// they shrank no more.
StepStatus NewmarkTangent::solve_positions(Memory& memory) {
  double previous = 0;
  int slow = 0;
  memory.rate *= kFading;
  memory.floor = std::max(1.0, 0.9 * memory.floor);
  ++memory.age;
  for (int i = 0; i < kIterations; ++i) {
    lacking_ = foretold_ - residual_;
    if (const StepStatus status = see_differences(memory); status != StepStatus::ok) return status;
    if (previous > kWorthKeeping * memory.floor) {
      lacking_ += residual_;
      scaled_ = pending_.cwiseQuotient(structure_.scale);
      lacks_.keep(scaled_, lacking_);
    }
    increase();
    const double now = in_tolerances(pending_);
    if (!std::isfinite(now)) return StepStatus::not_finite;
    if (i == 0) {
      const bool surprises = now > kSurprise * std::max(memory.first, memory.floor);
      memory.first = std::max(now, 0.5 * memory.first);
      if (surprises && sides_ != TangentSides::both && memory.even) {
        sides_ = TangentSides::both;
        continue;
      }
    } else if (previous > 0) {
      slow = now < 0.5 * previous || difference_.norm() > smallest_ ? 0 : slow + 1;
      if (slow == kSlow) {
        memory.floor = std::max(memory.floor, now);
        return StepStatus::ok;
      }
      memory.rate = std::max(memory.rate, std::max(0.0, now - 2 * memory.floor) / previous);
      memory.age = 0;
    }
    // One increment alone tells no rate: that of steps before counts, and not for long.
    const bool known = memory.age < kForgotten;
    if (now <= memory.floor || (known && std::min(1.0, kMargin * memory.rate) * now <= memory.floor))
      return StepStatus::ok;
    previous = now;
  }
  return StepStatus::not_converged;
}

/// Until the rates are those of the constraints but for rounding of what they are made of.
void NewmarkTangent::project(VecX& held, VecX& violation, VecX& x) {
  const double little = kOfRates * row_size_ * x.lpNorm<Eigen::Infinity>();
  project_onto(structure_, *step_, work_->equations.jacobian, little, held, violation, x);
}

void NewmarkTangent::project_rates(Memory& memory) {
  each([&](Evaluation& e, double) { feel_projections(e); });
  subtract(&Said::held_v, memory, difference_);
  subtract(&Said::rate, memory, violation_);
  projected_v_ = 0.5 * (plus_.v - minus_.v);
  project(difference_, violation_, projected_v_);
  each([&](Evaluation& e, double sign) {
    scaled_ = e.v + correction_v_ + sign * projected_v_;
    see_gamma(e, scaled_);
  });
  subtract(&Said::held_A, memory, difference_);
  subtract(&Said::second, memory, violation_);
  projected_A_ = 0.5 * (plus_.A - minus_.A);
  project(difference_, violation_, projected_A_);
}

void NewmarkTangent::finish(Evaluation& e, double sign, State& state) const {
  state.t = e.before.t + step_->h;
  state.q = e.q;
  state.v = e.v + correction_v_ + sign * projected_v_;
  state.acceleration = e.A + correction_A_ + sign * projected_A_;
  state.algorithmic = e.a + correction_A_ + sign * projected_A_;
  state.lambda = step_->lambda + sign * lambda_;
}

StepStatus NewmarkTangent::step(TangentSide plus, TangentSide minus, TangentSides& which, Memory& memory) {
  sides_ = which;
  if (which == TangentSides::both && memory.in_turn && !memory.even)
    memory.even.emplace().size(structure_.coordinates, structure_.constraints);
  for (auto [e, side] : {std::pair(&plus_, &plus), std::pair(&minus_, &minus)}) {
    e->formulation = &side->formulation;
    e->work = &side->work;
    e->before = side->state;
  }
  lambda_ = 0.5 * (plus.state.lambda - minus.state.lambda);
  guess(memory);
  if (const StepStatus status = solve_positions(memory); status != StepStatus::ok) return status;
  which = sides_;
  std::rotate(memory.moved.begin(), memory.moved.end() - 1, memory.moved.end());
  memory.moved.front() = moved_;
  memory.count = std::min(memory.count + 1, 3);

  // With the increments since the last evaluation.
  plus_.d = step_->moved + moved_;
  minus_.d = step_->moved - moved_;
  for (Evaluation* e : {&plus_, &minus_}) express(*e);
  if (step_->projects) project_rates(memory);
  StepStatus status = StepStatus::ok;
  each([&](Evaluation& e, double sign) {
    State& state = sign > 0 ? plus.state : minus.state;
    finish(e, sign, state);
    const StepStatus accepted = e.formulation->accept(e.before, state, *e.work);
    if (accepted != StepStatus::ok) status = accepted;
  });
  return status;
}

}  // namespace cardan
