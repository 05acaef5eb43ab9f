#include "integration/state_space/rules.hpp"

#include <array>

namespace cardan {
namespace {

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

/// Hairer and Wanner II, table IV.6.5: five stages, order 4, L-stable, last stage at the end of the step; embedded
/// order 3.
class Sdirk4Rule final : public StateSpaceRule {
 public:
  static constexpr int kStages = 5;
  static constexpr double kGamma = 0.25;
  static constexpr std::array<double, kStages> kTime{1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1};
  static constexpr double kA[kStages][kStages - 1] = {{},
                                                      {1.0 / 2},
                                                      {17.0 / 50, -1.0 / 25},
                                                      {371.0 / 1360, -137.0 / 2720, 15.0 / 544},
                                                      {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12}};
  static constexpr double kError[kStages] = {-3.0 / 16, -27.0 / 32, 25.0 / 32, 0,
                                             1.0 / 4};  // b minus the embedded weights

  Sdirk4Rule(IndependentMotion& motion, const NewtonSettings& newton) : stage_(motion, newton) {}

  void resize(int f) override {
    stage_.resize(f);
    for (IndependentState& s : stages_) s.resize(f);
    v_ = rate_ = VecX::Zero(f);
  }

  StepStatus advance(const IndependentState& from, double h, const ErrorUnits& units, IndependentState& to) override {
    const double g = kGamma * h;
    stage_.begin_step();
    for (int i = 0; i < kStages; ++i) {
      rate_ = from.rate;
      v_ = from.v;
      for (int j = 0; j < i; ++j) {
        rate_ += (h * kA[i][j]) * stages_[j].second;
        v_ += (h * kA[i][j]) * stages_[j].rate;
      }
      v_ += g * rate_;
      guess(from, i);
      const StepStatus status = stage_.solve(from.t + kTime[i] * h, v_, rate_, g * g, g, units, stages_[i]);
      if (status != StepStatus::Ok) return status;
    }
    to.t = stages_[kStages - 1].t;
    to.v = stages_[kStages - 1].v;
    to.rate = stages_[kStages - 1].rate;
    to.second = stages_[kStages - 1].second;
    return StepStatus::Ok;
  }

  /// The difference d is smoothed, (I - g h J)^-1 d, which leaves its order alone and takes out stiff parts that both
  /// companions have forgotten by the end of the step: (M^ + g C^ + g^2 K^) e' = M^ d' - g K^ d, e = d + g e'.
  void error(const IndependentState&, double h, const IndependentState&, VecX& position, VecX& velocity) override {
    const double g = kGamma * h;
    position.setZero();
    velocity.setZero();
    for (int j = 0; j < kStages; ++j) {
      position += (h * kError[j]) * stages_[j].rate;
      velocity += (h * kError[j]) * stages_[j].second;
    }
    if (position.size() == 0) return;
    v_.noalias() = stage_.mass() * velocity;
    v_.noalias() -= g * stage_.stiffness() * position;
    stage_.apply_inverse(v_);
    velocity = v_;
    position += g * velocity;
  }
  int error_order() const override { return 4; }
  ImplicitStage* stage() override { return &stage_; }

 private:
  /// v'' of stage i by the polynomial through those known: the start of the step and the stages before.
  void guess(const IndependentState& from, int i) {
    VecX& second = stages_[i].second;
    second.setZero();
    for (int j = -1; j < i; ++j) {
      const double tj = j < 0 ? 0 : kTime[j];
      double weight = 1;
      for (int k = -1; k < i; ++k) {
        const double tk = k < 0 ? 0 : kTime[k];
        if (k != j) weight *= (kTime[i] - tk) / (tj - tk);
      }
      second += weight * (j < 0 ? from.second : stages_[j].second);
    }
  }

  ImplicitStage stage_;
  std::array<IndependentState, kStages> stages_;
  VecX v_, rate_;
};

/// y' = f(y) with f = (v', v''): explicit rules of s stages with a strictly lower table, the first stage at the start.
class ExplicitRule final : public StateSpaceRule {
 public:
  struct Table {
    int stages;
    double time[4];
    double a[4][3];
    double b[4];
  };
  /// y* = y + h f(y), y1 = y + h/2 (f(y*) + f(y)): the paper's predictor-corrector
  static constexpr Table kAbm2{2, {0, 1}, {{}, {1}}, {0.5, 0.5}};
  static constexpr Table kRk4{
      4, {0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

  ExplicitRule(IndependentMotion& motion, const Table& table) : motion_(motion), table_(table) {}

  void resize(int f) override {
    for (IndependentState& s : stages_) s.resize(f);
  }
  StepStatus advance(const IndependentState& from, double h, const ErrorUnits&, IndependentState& to) override {
    for (int i = 1; i < table_.stages; ++i) {
      combine(from, h, table_.a[i], i, stages_[i]);
      stages_[i].t = from.t + table_.time[i] * h;
      if (const StepStatus status = slope(stages_[i]); status != StepStatus::Ok) return status;
    }
    combine(from, h, table_.b, table_.stages, to);
    to.t = from.t + h;
    return slope(to);
  }

 private:
  void combine(const IndependentState& from, double h, const double* weights, int count, IndependentState& x) const {
    x.v = from.v + (h * weights[0]) * from.rate;
    x.rate = from.rate + (h * weights[0]) * from.second;
    for (int j = 1; j < count; ++j) {
      if (weights[j] == 0) continue;
      x.v += (h * weights[j]) * stages_[j].rate;
      x.rate += (h * weights[j]) * stages_[j].second;
    }
  }
  StepStatus slope(IndependentState& x) {
    const StepStatus status = motion_.position(x.t, x.v);
    if (status != StepStatus::Ok) return status;
    motion_.velocity(x.rate);
    motion_.dynamics();
    return motion_.solve_acceleration(x.second) ? StepStatus::Ok : StepStatus::NonFinite;
  }

  IndependentMotion& motion_;
  const Table& table_;
  std::array<IndependentState, 4> stages_;
};

}  // namespace

std::unique_ptr<StateSpaceRule> make_state_space_rule(const std::string& name, IndependentMotion& motion,
                                                      const NewtonSettings& newton) {
  if (name == "trapezoidal") return std::make_unique<TrapezoidalRule>(motion, newton);
  if (name == "sdirk4") return std::make_unique<Sdirk4Rule>(motion, newton);
  if (name == "abm2") return std::make_unique<ExplicitRule>(motion, ExplicitRule::kAbm2);
  if (name == "rk4") return std::make_unique<ExplicitRule>(motion, ExplicitRule::kRk4);
  return nullptr;
}

}  // namespace cardan
