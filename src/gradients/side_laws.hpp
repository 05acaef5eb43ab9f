// Laws of a mechanism and of its neighbours on both sides of up to three directions: of what a law takes, with its
// derivatives, what it gives, with its own.
#pragma once

#include "ensemble/lane_time.hpp"
#include "gradients/dual_step.hpp"
#include "gradients/lane_tangent.hpp"

namespace cardan {

template <int D>
class SideLaws final : public LaneLaws {
 public:
  SideLaws(const Phase& phase, const Mechanism& mechanism) : middle_{model_of(phase), &mechanism, &phase.state} {}
  void add(const LaneTangent::Sides& sides) {
    Direction direction{middle_, middle_};
    if (sides.which != TangentSides::minus) direction.up = {model_of(*sides.plus), sides.of_plus, &sides.plus->state};
    if (sides.which != TangentSides::plus)
      direction.down = {model_of(*sides.minus), sides.of_minus, &sides.minus->state};
    direction.part = sides.which == TangentSides::both ? 0.5 : 1;
    directions_.push_back(direction);
  }

  /// What depends on time and inputs alone, into the workspace.
  void see_time(double t, const VecX& inputs, LaneWork<D>& work) {
    const std::size_t drivers = work.driver.size(), efforts = drivers + work.effort.size();
    const auto see = [&](const Side& side, const VecX& given, const auto& put) {
      std::size_t at = 0;
      each_law_of_time<D>(*side.model, *side.mechanism, given, t, seen_, [&](double value) {
        put(at < drivers   ? work.driver[at]
            : at < efforts ? work.effort[at - drivers]
                           : work.given[at - efforts],
            value);
        ++at;
      });
    };
    see(middle_, inputs, [](Lanes& to, double value) { to = Lanes{{value}}; });
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      const Direction& d = directions_[i];
      const auto inputs_of = [&](const Side& side) -> const VecX& {
        return side.state == middle_.state ? inputs : side.state->inputs;
      };
      see(d.up, inputs_of(d.up), [&](Lanes& to, double value) { to.of[i + 1] += d.part * value; });
      see(d.down, inputs_of(d.down), [&](Lanes& to, double value) { to.of[i + 1] -= d.part * value; });
    }
  }

  void load(int index, unsigned, const Lanes& elongation, const Lanes& rate, Lanes& force, Lanes& stiffness,
            Lanes& damping) const override {
    const auto law = [index](const BodyModel<D>& model, const std::array<double, 2>& in) -> std::array<double, 3> {
      const auto& load = model.scalar_loads()[static_cast<std::size_t>(index)];
      const Function::Value spring = load.spring.evaluate(in[0]), damper = load.damper.evaluate(in[1]);
      return {spring.f + damper.f, spring.d1, damper.d1};
    };
    const std::array<Lanes, 2> in{elongation, rate};
    const auto out = differentiate<3>(in, law, [](const auto&, const auto&) { return true; });
    force = out[0], stiffness = out[1], damping = out[2];
  }

  void tyre(int index, unsigned, const Lanes* center, const Lanes* axle, const Lanes* velocity, Lanes* force,
            Lanes* moment, Lanes* rows) const override {
    constexpr int kRows = TyreModel<D>::kRows, kOfRow = 2 * D + 2, kOut = 2 * D + kRows * kOfRow;
    const auto law = [index](const BodyModel<D>& model, const std::array<double, 3 * D>& in) {
      SmallVector<double, D> c, a, v;
      for (int i = 0; i < D; ++i) c[i] = in[i], a[i] = in[D + i], v[i] = in[2 * D + i];
      const TyreForce<double, D> f = model.tyres()[static_cast<std::size_t>(index)].force(c, a, v);
      std::array<double, kOut> out;
      for (int i = 0; i < D; ++i) out[i] = f.force[i], out[D + i] = f.moment[i];
      double* at = out.data() + 2 * D;
      for (const TyreRow<D>& row : TyreModel<D>::rows(f)) {
        for (int i = 0; i < D; ++i) at[i] = row.direction[i], at[D + i] = row.arm[i];
        at[2 * D] = row.stiffness, at[2 * D + 1] = row.damping;
        at += kOfRow;
      }
      return out;
    };
    std::array<Lanes, 3 * D> in;
    for (int i = 0; i < D; ++i) in[i] = center[i], in[D + i] = axle[i], in[2 * D + i] = velocity[i];
    // Directions of rows are axes: on the other side one may point the other way, or be another one of the two.
    const auto alike = [](auto& up, auto& down) {
      for (int r = 0; r < kRows; ++r) {
        double *a = up.data() + 2 * D + r * kOfRow, *b = down.data() + 2 * D + r * kOfRow, along = 0;
        for (int i = 0; i < D; ++i) along += a[i] * b[i];
        if (std::abs(along) < 0.5) std::copy(a, a + kOfRow, b);
        for (int i = 0; i < D && along < 0; ++i) b[i] = -b[i];
      }
      return true;
    };
    const auto out = differentiate<kOut>(in, law, alike);
    for (int i = 0; i < D; ++i) force[i] = out[i], moment[i] = out[D + i];
    std::copy(out.begin() + 2 * D, out.end(), rows);
  }
  void judge(int, unsigned, const Lanes&, const Lanes&) override {}
  unsigned ended(int, unsigned, const Lanes&) override { return 0; }

 private:
  struct Side {
    const BodyModel<D>* model;
    const Mechanism* mechanism;
    const State* state;
  };
  /// What one side says less what the other says, of which this part is the derivative along the direction.
  struct Direction {
    Side up, down;
    double part = 0.5;
  };
  static const BodyModel<D>* model_of(const Phase& phase) { return &relative_formulation<D>(phase)->model(); }

  template <std::size_t Out, std::size_t In, class Law, class Align>
  std::array<Lanes, Out> differentiate(const std::array<Lanes, In>& in, const Law& law, const Align& align) const {
    std::array<double, In> middle;
    for (std::size_t i = 0; i < In; ++i) middle[i] = in[i].of[0];
    const std::array<double, Out> value = law(*middle_.model, middle);
    std::array<Lanes, Out> out;
    for (std::size_t j = 0; j < Out; ++j) out[j].of[0] = value[j];
    for (std::size_t d = 0; d < directions_.size(); ++d) {
      const Direction& direction = directions_[d];
      const auto on = [&](const Side& side, double sign) {
        if (side.state == middle_.state) return value;
        std::array<double, In> at = middle;
        for (std::size_t i = 0; i < In; ++i) at[i] += sign * in[i].of[d + 1];
        return law(*side.model, at);
      };
      std::array<double, Out> up = on(direction.up, 1), down = on(direction.down, -1);
      align(up, down);
      for (std::size_t j = 0; j < Out; ++j) out[j].of[d + 1] = direction.part * (up[j] - down[j]);
    }
    return out;
  }

  Side middle_;
  std::vector<Direction> directions_;
  std::vector<Function::Value> seen_;
};

}  // namespace cardan
