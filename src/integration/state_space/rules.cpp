#include "integration/state_space/rules.hpp"

#include <vector>

#include "integration/butcher_tableau.hpp"

namespace cardan {
namespace {

/// v'' of v and v'.
StepStatus find_slope(IndependentMotion& motion, IndependentState& x) {
  const StepStatus status = motion.position(x.t, x.v);
  if (status != StepStatus::Ok) return status;
  motion.velocity(x.rate);
  motion.dynamics();
  return motion.solve_acceleration(x.second) ? StepStatus::Ok : StepStatus::NonFinite;
}

/// v1' = v0' + h/2 (v0'' + v1''), v1 = v0 + h/2 (v0' + v1'). Companion: backward Euler with the slopes at the end,
/// y0 + h f(y1), so that the difference is h/2 (f(y0) - f(y1)) and costs nothing; one solved for would double the work.
class TrapezoidalRule final : public StateSpaceRule {
 public:
  TrapezoidalRule(IndependentMotion& motion, const NewtonSettings& newton) : stage_(motion, newton) {}

  void resize(int f) override {
    stage_.resize(f);
    v_ = rate_ = VecX::Zero(f);
  }
  StepStatus advance(const IndependentState& from, double h, const ErrorUnits& units, IndependentState& to) override {
    v_ = from.v + h * from.rate + (0.25 * h * h) * from.second;
    rate_ = from.rate + (0.5 * h) * from.second;
    to.second = from.second;
    stage_.begin_step();
    return stage_.solve(from.t + h, v_, rate_, 0.25 * h * h, 0.5 * h, units, to);
  }
  void error(const IndependentState& from, double h, const IndependentState& to, VecX& position,
             VecX& velocity) override {
    position = (0.5 * h) * (from.rate - to.rate);
    velocity = (0.5 * h) * (from.second - to.second);
  }
  int error_order() const override { return 2; }
  ImplicitStage* stage() override { return &stage_; }

 private:
  ImplicitStage stage_;
  VecX v_, rate_;  // what does not depend on v1''
};

/// Diagonally implicit Runge-Kutta methods with one gamma for all stages.
class SdirkRule final : public StateSpaceRule {
 public:
  SdirkRule(IndependentMotion& motion, const NewtonSettings& newton, const ButcherTableau& tableau)
      : motion_(motion),
        tableau_(tableau),
        gamma_(tableau.A(0, 0)),
        ends_with_stage_(tableau.A.row(tableau.stages() - 1) == tableau.b.transpose()),
        stage_(motion, newton),
        stages_(tableau.stages()) {}

  void resize(int f) override {
    stage_.resize(f);
    for (IndependentState& s : stages_) s.resize(f);
    v_ = rate_ = VecX::Zero(f);
  }

  StepStatus advance(const IndependentState& from, double h, const ErrorUnits& units, IndependentState& to) override {
    const double g = gamma_ * h;
    stage_.begin_step();
    for (int i = 0; i < tableau_.stages(); ++i) {
      combine(from, h, tableau_.A.row(i), i);
      v_ += g * rate_;
      guess(from, i);
      const StepStatus status = stage_.solve(from.t + tableau_.c[i] * h, v_, rate_, g * g, g, units, stages_[i]);
      if (status != StepStatus::Ok) return status;
    }
    if (ends_with_stage_) {
      to = stages_.back();
      return StepStatus::Ok;
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
    v_.noalias() = stage_.mass() * velocity;
    v_.noalias() -= g * stage_.stiffness() * position;
    stage_.apply_inverse(v_);
    velocity = v_;
    position += g * velocity;
  }
  int error_order() const override { return tableau_.embedded_order + 1; }
  ImplicitStage* stage() override { return &stage_; }

 private:
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
  const double gamma_;
  const bool ends_with_stage_;
  ImplicitStage stage_;
  std::vector<IndependentState> stages_;
  VecX v_, rate_;  // what does not depend on v'' of the stage
};

/// y' = f(y) with f = (v', v''): explicit rules, the first stage at the start.
class ExplicitRule final : public StateSpaceRule {
 public:
  ExplicitRule(IndependentMotion& motion, const ButcherTableau& tableau)
      : motion_(motion), tableau_(tableau), stages_(tableau.stages()) {}

  void resize(int f) override {
    for (IndependentState& s : stages_) s.resize(f);
  }
  StepStatus advance(const IndependentState& from, double h, const ErrorUnits&, IndependentState& to) override {
    for (int i = 1; i < tableau_.stages(); ++i) {
      combine(from, h, tableau_.A.row(i), i, stages_[i]);
      stages_[i].t = from.t + tableau_.c[i] * h;
      if (const StepStatus status = find_slope(motion_, stages_[i]); status != StepStatus::Ok) return status;
    }
    combine(from, h, tableau_.b.transpose(), tableau_.stages(), to);
    to.t = from.t + h;
    return find_slope(motion_, to);
  }

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
  std::vector<IndependentState> stages_;  // the first is the start
};

}  // namespace

std::unique_ptr<StateSpaceRule> make_state_space_rule(const std::string& name, IndependentMotion& motion,
                                                      const NewtonSettings& newton) {
  if (name == "trapezoidal") return std::make_unique<TrapezoidalRule>(motion, newton);
  const ButcherTableau& tableau = ButcherTableau::of(name);
  if (tableau.is_explicit()) return std::make_unique<ExplicitRule>(motion, tableau);
  return std::make_unique<SdirkRule>(motion, newton, tableau);
}

}  // namespace cardan
