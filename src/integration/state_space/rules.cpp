#include "integration/state_space/rules.hpp"

#include <vector>

#include "integration/butcher_tableau.hpp"
#include "options/integrators.hpp"

namespace cardan {
namespace {

/// v'' of v and v'.
StepStatus find_slope(IndependentMotion& motion, IndependentState& x) {
  const StepStatus status = motion.position(x.t, x.v);
  if (status != StepStatus::ok) return status;
  motion.velocity(x.rate);
  motion.dynamics();
  return motion.solve_acceleration(x.second) ? StepStatus::ok : StepStatus::not_finite;
}

/// A rule of newmark_rule.hpp with v'' at the end as the unknown, which is A of its equations, a = A + lead. Companion
/// of the trapezoidal one: backward Euler with the slopes at the end, y0 + h f(y1); its difference to the trapezoidal
/// rule is h/2 (f(y0) - f(y1)) and costs nothing; one solved for would double the work.
class StructuralRule final : public StateSpaceRule {
 public:
  StructuralRule(IndependentMotion& motion, const NewtonSettings& newton, const NewmarkRule& rule)
      : rule_(rule), stage_(motion, newton), b_(1, 1), g_(1, 1) {}

  void resize(int f) override {
    stage_.resize(f);
    v_ = rate_ = second_ = algorithmic_ = VecX::Zero(f);
  }
  StepStatus advance(const IndependentState& from, double h, const ErrorUnits& units, IndependentState& to) override {
    algorithmic_ = from.second;
    if (has_lead()) algorithmic_ += from.lead;
    rule_.known_parts(h, {from.v, from.rate, algorithmic_, from.second}, v_, rate_, second_);
    b_(0, 0) = rule_.in_position(h);
    g_(0, 0) = rule_.in_velocity(h);
    to.t = from.t + h;
    to.second = from.second;
    stage_.begin_step();
    const StepStatus status = stage_.solve(v_, rate_, b_, g_, units, {&to, 1});
    if (has_lead() && status == StepStatus::ok) to.lead = second_ + (rule_.c() - 1) * to.second;
    return status;
  }
  bool has_lead() const override { return !rule_.has_one_acceleration(); }
  void error(const IndependentState& from, double h, const IndependentState& to, VecX& position,
             VecX& velocity) override {
    position = (0.5 * h) * (from.rate - to.rate);
    velocity = (0.5 * h) * (from.second - to.second);
  }
  int error_order() const override { return rule_.is_trapezoidal() ? 2 : 0; }
  ImplicitStages* stages() override { return &stage_; }

 private:
  NewmarkRule rule_;
  ImplicitStages stage_;
  VecX v_, rate_, second_;  // what does not depend on v'' at the end
  VecX algorithmic_;        // a at the start
  Eigen::MatrixXd b_, g_;   // factors of v'' there, 1 x 1
};

/// Implicit Runge-Kutta methods: stage after stage where A is lower triangular with one gamma in its diagonal, all
/// together otherwise.
class ImplicitRule final : public StateSpaceRule {
 public:
  ImplicitRule(IndependentMotion& motion, const NewtonSettings& newton, const ButcherTableau& tableau)
      : motion_(motion),
        tableau_(tableau),
        one_by_one_(tableau.is_singly_diagonal()),
        gamma_(tableau.A(0, 0)),
        ends_with_stage_(tableau.A.row(tableau.stages() - 1) == tableau.b.transpose()),
        solver_(motion, newton, one_by_one_ ? 1 : tableau.stages()),
        stages_(tableau.stages()),
        square_(tableau.A * tableau.A),
        b_(Eigen::MatrixXd::Zero(one_by_one_ ? 1 : tableau.stages(), one_by_one_ ? 1 : tableau.stages())),
        g_(b_) {}

  void resize(int f) override {
    solver_.resize(f);
    for (IndependentState& s : stages_) s.resize(f);
    v_ = rate_ = VecX::Zero(f);
    if (!one_by_one_) v_past_ = rate_past_ = Eigen::MatrixXd::Zero(f, tableau_.stages());
  }

  StepStatus advance(const IndependentState& from, double h, const ErrorUnits& units, IndependentState& to) override {
    solver_.begin_step();
    for (int i = 0; i < tableau_.stages(); ++i) stages_[i].t = from.t + tableau_.c[i] * h;
    const StepStatus status = one_by_one_ ? find_one_by_one(from, h, units) : find_together(from, h, units);
    if (status != StepStatus::ok) return status;
    if (ends_with_stage_) {
      to = stages_.back();
      return StepStatus::ok;
    }
    combine(from, h, tableau_.b.transpose(), tableau_.stages());
    to.t = from.t + h;
    to.v = v_;
    to.rate = rate_;
    return find_slope(motion_, to);
  }

  /// The difference d is smoothed, (I - g h J)^-1 d, which leaves its order alone and takes out stiff parts that both
  /// companions have forgotten by the end of the step: (M^ + g C^ + g^2 K^) e' = M^ d' - g K^ d, e = d + g e'.
  void error(const IndependentState&, double h, const IndependentState&, VecX& position, VecX& velocity) override {
    const double g = gamma_ * h;
    position.setZero();
    velocity.setZero();
    for (int j = 0; j < tableau_.stages(); ++j) {
      const double weight = h * (tableau_.b[j] - tableau_.embedded[j]);
      position += weight * stages_[j].rate;
      velocity += weight * stages_[j].second;
    }
    if (position.size() == 0) return;
    solver_.matrix().smooth(g, position, velocity);
    position += g * velocity;
  }
  int error_order() const override {
    return one_by_one_ && tableau_.embedded_order > 0 ? tableau_.embedded_order + 1 : 0;
  }
  ImplicitStages* stages() override { return &solver_; }

 private:
  StepStatus find_one_by_one(const IndependentState& from, double h, const ErrorUnits& units) {
    const double g = gamma_ * h;
    b_(0, 0) = g * g;
    g_(0, 0) = g;
    for (int i = 0; i < tableau_.stages(); ++i) {
      combine(from, h, tableau_.A.row(i), i);
      v_ += g * rate_;
      guess(from, i);
      const StepStatus status = solver_.solve(v_, rate_, b_, g_, units, {&stages_[i], 1});
      if (status != StepStatus::ok) return status;
    }
    return StepStatus::ok;
  }

  /// v_i = v0 + c_i h v0' + h^2 sum_j (A^2)_ij v_j'',   v_i' = v0' + h sum_j a_ij v_j''
  StepStatus find_together(const IndependentState& from, double h, const ErrorUnits& units) {
    b_ = (h * h) * square_;
    g_ = h * tableau_.A;
    for (int i = 0; i < tableau_.stages(); ++i) {
      v_past_.col(i) = from.v + (tableau_.c[i] * h) * from.rate;
      rate_past_.col(i) = from.rate;
      stages_[i].second = from.second;
    }
    return solver_.solve(v_past_, rate_past_, b_, g_, units, stages_);
  }

  /// y = y0 + h sum of weights times slopes of the first `count` stages.
  template <class Weights>
  void combine(const IndependentState& from, double h, const Weights& weights, int count) {
    v_ = from.v;
    rate_ = from.rate;
    for (int j = 0; j < count; ++j) {
      rate_ += (h * weights[j]) * stages_[j].second;
      v_ += (h * weights[j]) * stages_[j].rate;
    }
  }

  /// v'' of stage i by the polynomial through those known: the start of the step and the stages before.
  void guess(const IndependentState& from, int i) {
    VecX& second = stages_[i].second;
    second.setZero();
    for (int j = -1; j < i; ++j) {
      const double tj = j < 0 ? 0 : tableau_.c[j];
      double weight = 1;
      for (int k = -1; k < i; ++k) {
        const double tk = k < 0 ? 0 : tableau_.c[k];
        if (k != j) weight *= (tableau_.c[i] - tk) / (tj - tk);
      }
      second += weight * (j < 0 ? from.second : stages_[j].second);
    }
  }

  IndependentMotion& motion_;
  const ButcherTableau& tableau_;
  const bool one_by_one_;
  const double gamma_;
  const bool ends_with_stage_;
  ImplicitStages solver_;
  std::vector<IndependentState> stages_;
  Eigen::MatrixXd square_;              // A^2
  Eigen::MatrixXd b_, g_;               // factors of v'' of the stages found at once
  VecX v_, rate_;                       // what does not depend on v'' of a stage
  Eigen::MatrixXd v_past_, rate_past_;  // the same of stages found together, a column each
};

/// y' = f(y) with f = (v', v''): explicit rules, the first stage at the start.
class ExplicitRule final : public StateSpaceRule {
 public:
  ExplicitRule(IndependentMotion& motion, const ButcherTableau& tableau)
      : motion_(motion), tableau_(tableau), ends_with_stage_(tableau.first_same_as_last()), stages_(tableau.stages()) {}

  void resize(int f) override {
    for (IndependentState& s : stages_) s.resize(f);
  }
  StepStatus advance(const IndependentState& from, double h, const ErrorUnits&, IndependentState& to) override {
    for (int i = 1; i < tableau_.stages(); ++i) {
      combine(from, h, tableau_.A.row(i), i, stages_[i]);
      stages_[i].t = from.t + tableau_.c[i] * h;
      if (const StepStatus status = find_slope(motion_, stages_[i]); status != StepStatus::ok) return status;
    }
    if (ends_with_stage_) {
      to = stages_.back();
      return StepStatus::ok;
    }
    combine(from, h, tableau_.b.transpose(), tableau_.stages(), to);
    to.t = from.t + h;
    return find_slope(motion_, to);
  }
  void error(const IndependentState& from, double h, const IndependentState&, VecX& position, VecX& velocity) override {
    const VecX& b = tableau_.b;
    const VecX& embedded = tableau_.embedded;
    position = (h * (b[0] - embedded[0])) * from.rate;
    velocity = (h * (b[0] - embedded[0])) * from.second;
    for (int j = 1; j < tableau_.stages(); ++j) {
      position += (h * (b[j] - embedded[j])) * stages_[j].rate;
      velocity += (h * (b[j] - embedded[j])) * stages_[j].second;
    }
  }
  int error_order() const override { return tableau_.embedded_order > 0 ? tableau_.embedded_order + 1 : 0; }

 private:
  template <class Weights>
  void combine(const IndependentState& from, double h, const Weights& weights, int count, IndependentState& x) const {
    x.v = from.v + (h * weights[0]) * from.rate;
    x.rate = from.rate + (h * weights[0]) * from.second;
    for (int j = 1; j < count; ++j) {
      if (weights[j] == 0) continue;
      x.v += (h * weights[j]) * stages_[j].rate;
      x.rate += (h * weights[j]) * stages_[j].second;
    }
  }

  IndependentMotion& motion_;
  const ButcherTableau& tableau_;
  const bool ends_with_stage_;
  std::vector<IndependentState> stages_;  // the first is the start
};

}  // namespace

std::unique_ptr<StateSpaceRule> make_state_space_rule(const std::string& name, const NewmarkRule& structural,
                                                      IndependentMotion& motion, const NewtonSettings& newton) {
  if (integrator_entry(name).family == Family::newmark)
    return std::make_unique<StructuralRule>(motion, newton, structural);
  const ButcherTableau& tableau = ButcherTableau::of(name);
  if (tableau.is_explicit()) return std::make_unique<ExplicitRule>(motion, tableau);
  return std::make_unique<ImplicitRule>(motion, newton, tableau);
}

}  // namespace cardan
