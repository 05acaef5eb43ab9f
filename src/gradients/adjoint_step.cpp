#include "gradients/adjoint_step.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {
namespace {

constexpr int kBackPasses = 12;             // of a solution with constraints
constexpr double kBackOfRates = 1e-15;      // what it leaves of them
constexpr int kBackIterations = 40;         // of Newton's transposed equations
constexpr int kBackForetold = 8;            // increments between two sweeps
constexpr double kBackTolerance = 1e-10;    // of an increment, relative to what they add up to
constexpr double kBackStandstill = 1e-7;    // increments below this that shrink no more are rounding
constexpr double kBackWorthKeeping = 1e-8;  // an increment that tells more than rounding
constexpr int kBackPairs = 16;

}  // namespace

void StateSlopes::size(int n, int m, int balls) {
  for (VecX* x : {&q, &v, &a, &A}) x->setZero(n);
  lambda.setZero(m);
  references.setZero(balls);
}

AdjointStep::AdjointStep(const Formulation& formulation, const NewmarkRule& rule, bool projects, TapedStep& taped)
    : formulation_(formulation),
      structure_(formulation.structure()),
      rule_(rule),
      projects_(projects && structure_.constraints > 0),
      taped_(taped),
      work_(formulation.make_workspace()),
      solver_(make_coupled_solver("automatic", structure_, work_->equations)),
      tangent_(VecX::Zero(structure_.pattern.nonzeros())),
      lacks_(structure_.coordinates, std::min(kBackPairs, 2 * structure_.coordinates)) {
  const int n = structure_.coordinates, m = structure_.constraints;
  for (VecX* x : {&end_.q, &end_.v, &end_.a,   &end_.A,    &predicted_q_, &predicted_v_, &rhs_, &x_,
                  &z_,     &of_d_,  &pending_, &foretold_, &lacking_,     &scaled_,      &u_,   &algorithmic_,
                  &sum_.q, &sum_.v, &sum_.A,   &sum_.v1,   &sum_.A1,      &sum_.a1})
    x->setZero(n);
  for (VecX* x : {&end_.mu, &end_.nu, &y_, &multipliers_, &increment_y_, &sum_.lambda}) x->setZero(m);
  sum_.references.setZero(taped.references());
}

/// T = M + c (g h C + b h^2 K) + Phi_q^T w Phi_q where the step has ended.
StepStatus AdjointStep::factorize(const StepRecord& step) {
  const StepStatus status = formulation_.position(end_.t, end_.q, step.before, *work_);
  if (status != StepStatus::ok) return status;
  formulation_.velocity(end_.v, *work_);
  formulation_.dynamics(*work_);
  const Equations& e = work_->equations;
  tangent_ = e.mass;
  for (int k = 0; k < structure_.loads.rows(); ++k) {
    const double w = end_.damped * e.damping[k] + end_.stiff * e.stiffness[k];
    if (w != 0) add_outer(structure_.loads, e.load_gradient, k, w, tangent_);
  }
  for (int k = 0; k < structure_.constraints; ++k) add_outer(structure_.jacobian, e.jacobian, k, weight_[k], tangent_);
  return solver_->factorize(tangent_, end_.stiff, end_.damped) < 0 ? StepStatus::ok : StepStatus::singular;
}

StepStatus AdjointStep::begin(const StepRecord& step) {
  const double h = step.h;
  if (h != h_) lacks_.forget();
  h_ = h;
  weight_ = step.weight;
  end_.h = h;
  end_.t = step.before.t + h;
  end_.stiff = rule_.in_position(h);
  end_.damped = rule_.in_velocity(h);
  end_.projects = projects_;
  const NewmarkRule::Start start{step.before.q, step.before.v, step.before.algorithmic, step.before.acceleration};
  rule_.predict(h, start, predicted_q_, predicted_v_);
  rule_.expressions(h, start, predicted_q_, predicted_v_, step.moved, end_.q, end_.v, end_.a, end_.A);
  end_.v1 = step.v;
  end_.A1 = step.A;
  end_.a1 = end_.a + step.A - end_.A;
  end_.lambda = step.lambda;
  if (const StepStatus status = factorize(step); status != StepStatus::ok) return status;
  taped_.record(step, end_, [this](const VecX& product, VecX& mu) {
    // P x + Phi_q^T mu = 0 where x is what the projection added.
    solve_held(-product, x_, mu);
  });
  return StepStatus::ok;
}

/// T x = rhs - Phi_q^T y, y <- y + w Phi_q x: what is left of Phi_q x shrinks by 1 + kappa each time.
void AdjointStep::solve_held(const VecX& rhs, VecX& x, VecX& y) {
  const Equations& e = work_->equations;
  x = rhs;
  solver_->solve(x);
  y.setZero();
  const double all = x.lpNorm<Eigen::Infinity>() * (e.jacobian.size() ? e.jacobian.lpNorm<Eigen::Infinity>() : 0);
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kBackPasses; ++pass) {
    double largest = 0;
    rhs_.setZero();
    for (int k = 0; k < structure_.constraints; ++k) {
      const double left = row_times(structure_.jacobian, e.jacobian, k, x);
      largest = std::max(largest, std::abs(left));
      y[k] += weight_[k] * left;
      add_row(structure_.jacobian, e.jacobian, k, -weight_[k] * left, rhs_);
    }
    if (largest <= kBackOfRates * all || largest > 0.3 * before) return;
    before = largest;
    solver_->solve(rhs_);
    x += rhs_;
  }
}

/// Of P e + Phi_q^T f = left, Phi_q e = violated: T e = left + Phi_q^T w violated, f = w (Phi_q e - violated), after
/// which `left` is what T lacks, -(J - T)^T e, as far as that is known.
void AdjointStep::increase(VecX& left, VecX& violated) {
  const Equations& e = work_->equations;
  pending_.setZero();
  foretold_.setZero();
  increment_y_.setZero();
  for (int i = 0; i < kBackForetold; ++i) {
    rhs_ = left;
    for (int k = 0; k < structure_.constraints; ++k)
      add_row(structure_.jacobian, e.jacobian, k, weight_[k] * violated[k], rhs_);
    solver_->solve(rhs_);
    pending_ += rhs_;
    for (int k = 0; k < structure_.constraints; ++k) {
      violated[k] -= row_times(structure_.jacobian, e.jacobian, k, rhs_);
      increment_y_[k] -= weight_[k] * violated[k];
    }
    scaled_ = rhs_.cwiseQuotient(structure_.scale);
    lacks_.apply(scaled_, left);
    left = -left;
    foretold_ += left;
    if (rhs_.norm() < 0.1 * kBackTolerance * (u_ + pending_).norm()) break;
  }
}

/// With u = w_R/(c b h^2):  (P + N)^T u + Phi_q^T y = -of_d,   Phi_q u = -lambda/(c b h^2)
StepStatus AdjointStep::solve_positions(int result, const VecX& lambda) {
  const double in_v = rule_.gamma / (rule_.beta * h_), in_a = 1 / (rule_.beta * h_ * h_);
  u_.setZero();
  multipliers_.setZero();
  VecX &left = z_, &violated = y_;
  left = -of_d_;
  violated = -lambda / end_.stiff;
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kBackIterations; ++i) {
    increase(left, violated);
    u_ += pending_;
    multipliers_ += increment_y_;
    const double now = pending_.norm(), all = u_.norm();
    if (!std::isfinite(now)) return StepStatus::not_finite;
    // What the increments leave, exactly.
    x_ = end_.stiff * pending_;
    const VecX q = sum_.q, v = sum_.v, A = sum_.A;
    StepWeights weights;
    weights.residual = &x_;
    weights.phi = &increment_y_;
    taped_.sweep(result, weights, sum_);
    lacking_ = left - foretold_;
    of_d_ += (sum_.q - q) + in_v * (sum_.v - v) + in_a / rule_.c() * (sum_.A - A);
    left = -of_d_;
    lacking_ -= left;
    scaled_ = pending_.cwiseQuotient(structure_.scale);
    if (now > kBackWorthKeeping * all) lacks_.keep(scaled_, lacking_);
    // What the next one would be, by the rate at which they shrink.
    const double next = std::isfinite(before) ? now * std::min(1.0, 3 * now / before) : now;
    if (next <= kBackTolerance * all || (now < kBackStandstill * all && now > 0.3 * before)) return StepStatus::ok;
    before = now;
  }
  return StepStatus::not_converged;
}

StepStatus AdjointStep::go_back(int result, StateSlopes& s) {
  for (VecX* x : {&sum_.q, &sum_.v, &sum_.A, &sum_.v1, &sum_.A1, &sum_.a1, &sum_.lambda, &sum_.references})
    x->setZero();
  sum_.q = s.q;
  if (taped_.references() > 0) {
    const std::vector<bool>& anew = taped_.measured_anew();
    for (std::size_t i = 0; i < anew.size(); ++i)
      if (anew[i]) sum_.q[static_cast<Eigen::Index>(i)] = 0;
    StepWeights weights;
    weights.next_v = &s.v, weights.next_a = &s.a, weights.next_A = &s.A, weights.next_references = &s.references;
    taped_.sweep(result, weights, sum_);
  } else {
    sum_.v1 = s.v, sum_.a1 = s.a, sum_.A1 = s.A;
  }
  // a1 = a* + A1 - A*
  algorithmic_ = sum_.a1;
  sum_.A1 += sum_.a1;
  sum_.A -= sum_.a1;
  if (projects_) {
    StepWeights weights;
    solve_held(-sum_.A1, x_, y_);
    weights.held_A = &x_, weights.second = &y_;
    taped_.sweep(result, weights, sum_);
    solve_held(-sum_.v1, x_, y_);
    weights = {};
    weights.held_v = &x_, weights.rate = &y_;
    taped_.sweep(result, weights, sum_);
  } else {
    sum_.A += sum_.A1;
    sum_.v += sum_.v1;
  }
  const double in_v = rule_.gamma / (rule_.beta * h_), in_a = 1 / (rule_.beta * h_ * h_);
  of_d_ = sum_.q + in_v * sum_.v + in_a * (algorithmic_ + sum_.A / rule_.c());
  const VecX lambda = s.lambda;
  if (const StepStatus status = solve_positions(result, lambda); status != StepStatus::ok) return status;
  // q1 = q0 + h v0 + h^2/2 a0 + d,  v* = v0 + h a0 + ...,  a* = a0 + ...,  (1 - df) A* = (1 - dm) a* + dm a0 - df A0
  s.q = sum_.q;
  s.v = h_ * sum_.q + sum_.v;
  s.a = 0.5 * h_ * h_ * sum_.q + h_ * sum_.v + algorithmic_ + sum_.A / (1 - rule_.df);
  s.A = -rule_.df / (1 - rule_.df) * sum_.A;
  s.lambda = -end_.stiff * y_;  // what no motion of the constraints answers for: of redundant ones
  s.references = sum_.references;
  return StepStatus::ok;
}

}  // namespace cardan
