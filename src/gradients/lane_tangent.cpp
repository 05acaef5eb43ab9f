#include "gradients/lane_tangent.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string_view>

#include "ensemble/lane_group.hpp"
#include "ensemble/lane_numbers.hpp"
#include "gradients/lane_sides.hpp"
#include "gradients/side_laws.hpp"
#include "gradients/step_increments.hpp"
#include "gradients/tangent_tolerances.hpp"

namespace cardan {
namespace {

using namespace tangents;

template <int D>
DualFunctions<D> functions() {
  const bool avx2 = std::string_view(lane_steps().name) == "avx2";
  if constexpr (D == 2) return avx2 ? avx2_dual_in_plane() : plain_dual_in_plane();
  if constexpr (D == 3) return avx2 ? avx2_dual_in_space() : plain_dual_in_space();
}

template <int D>
class Tangent final : public LaneTangent {
 public:
  Tangent(Phase& phase, const Mechanism& mechanism, const std::vector<Sides>& sides)
      : phase_(phase),
        structure_(phase.compiled.formulation->structure()),
        functions_(functions<D>()),
        base_(structure_.coordinates),
        increments_(structure_) {
    const int n = structure_.coordinates, m = structure_.constraints;
    for (VecX* x : {&correction_v_, &correction_A_, &product_, &x_}) x->setZero(n);
    for (VecX* x : {&mu_, &nu_, &violation_}) x->setZero(m);
    jacobian_.setZero(static_cast<Eigen::Index>(structure_.jacobian.column.size()));
    for (std::size_t first = 0; first < sides.size(); first += kDirections)
      groups_.push_back(std::make_unique<Group>(
          phase, mechanism, std::span(sides).subspan(first, std::min<std::size_t>(kDirections, sides.size() - first))));
  }

  StepStatus step(std::size_t& direction) override {
    const NewmarkStep made = dynamic_cast<const NewmarkIntegrator&>(*phase_.integrator).last_step();
    base_.begin(made.rule, made.h, made.before);
    base_.express(made.rule, made.h, made.moved);
    if (made.projects) {
      correction_v_ = made.v - base_.v;
      correction_A_ = made.A - base_.A;
    }
    increments_.begin(made, base_.q);
    direction = 0;
    for (auto& group : groups_) {
      const StepStatus status = go(*group, made, group == groups_.front());
      if (status != StepStatus::ok) return status;
      direction += group->directions.size();
    }
    return StepStatus::ok;
  }

 private:
  /// By the rule, or their derivatives, from d or its derivative: the rule is linear.
  struct Expressed {
    VecX q0, v0, a0, A0, predicted_q, predicted_v, q, v, a, A;
    explicit Expressed(int n) {
      for (VecX* x : {&q0, &v0, &a0, &A0, &predicted_q, &predicted_v, &q, &v, &a, &A}) x->setZero(n);
    }
    void begin(const NewmarkRule& rule, double h, const State& state) {
      q0 = state.q, v0 = state.v, a0 = state.algorithmic, A0 = state.acceleration;
      rule.predict(h, {q0, v0, a0, A0}, predicted_q, predicted_v);
    }
    /// Half of what lies between two states.
    void begin(const NewmarkRule& rule, double h, const State& up, const State& down) {
      q0 = 0.5 * (up.q - down.q), v0 = 0.5 * (up.v - down.v);
      a0 = 0.5 * (up.algorithmic - down.algorithmic), A0 = 0.5 * (up.acceleration - down.acceleration);
      rule.predict(h, {q0, v0, a0, A0}, predicted_q, predicted_v);
    }
    void express(const NewmarkRule& rule, double h, const VecX& d) {
      rule.expressions(h, {q0, v0, a0, A0}, predicted_q, predicted_v, d, q, v, a, A);
    }
  };
  struct Direction : Expressed {
    Sides sides;
    Derivative found;
    Direction(const Sides& of, const Structure& structure)
        : Expressed(structure.coordinates), sides(of), found(structure) {}
  };
  /// Directions that go together.
  struct Group {
    LaneModel<D> model;
    LaneWork<D> work;
    DualStep dual;
    SideLaws<D> laws;
    std::vector<Direction> directions;

    Group(const Phase& phase, const Mechanism& mechanism, std::span<const Sides> sides)
        : model(side_by_side<D>(phase, phase, phase)), work(model), laws(phase, mechanism) {
      dual.size(model);
      dual.moments = inertias_side_by_side<D>(phase, phase, phase);
      std::vector<Lanes*> numbers = numbers_of(model, dual.moments);
      for (Lanes* number : numbers) *number = Lanes{{number->of[0]}};
      for (std::size_t i = 0; i < sides.size(); ++i) {
        LaneModel<D> beside = side_by_side<D>(phase, *sides[i].plus, *sides[i].minus);
        LaneArray moments = inertias_side_by_side<D>(phase, *sides[i].plus, *sides[i].minus);
        const double part = sides[i].which == TangentSides::both ? 0.5 : 1;
        const std::vector<Lanes*> others = numbers_of(beside, moments);
        for (std::size_t k = 0; k < others.size(); ++k)
          numbers[k]->of[i + 1] = part * (others[k]->of[1] - others[k]->of[2]);
        laws.add(sides[i]);
        directions.emplace_back(sides[i], phase.compiled.formulation->structure());
      }
      for (Lanes& ground : work.rotation) ground = Lanes{{ground.of[0]}};
    }
    static std::vector<Lanes*> numbers_of(LaneModel<D>& model, LaneArray& moments) {
      std::vector<Lanes*> numbers;
      each_number<D>(model, [&](Lanes& one) { numbers.push_back(&one); });
      for (Lanes& one : moments) numbers.push_back(&one);
      return numbers;
    }
  };

  template <class Numbers>
  static void put(const Numbers& from, std::size_t lane, LaneArray& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i].of[lane] = from[static_cast<Eigen::Index>(i)];
  }
  static void take(const LaneArray& from, std::size_t lane, VecX& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[static_cast<Eigen::Index>(i)] = from[i].of[lane];
  }
  template <class Visit>
  static void each(Group& group, const Visit& visit) {
    for (std::size_t i = 0; i < group.directions.size(); ++i) visit(group.directions[i], i + 1);
  }

  void begin(Group& group, const NewmarkStep& made) {
    const State& before = made.before;
    const double t = before.t + made.h;
    const int counted = group.model.counted;
    for (int i = 0; i < counted; ++i)
      group.work.turns[static_cast<std::size_t>(i)] = {
          {before.memory[i] + (t - before.memory[2 * counted]) * before.memory[counted + i]}};
    group.laws.see_time(t, before.inputs, group.work);
    DualStep& dual = group.dual;
    dual.stiff = made.rule.in_position(made.h);
    dual.damped = made.rule.in_velocity(made.h);
    put(base_.q, 0, dual.q), put(base_.v, 0, dual.v), put(base_.A, 0, dual.A), put(made.lambda, 0, dual.lambda);
    const Eigen::Index first = 2 * counted + 1, balls = 4 * group.model.balls;
    put(before.memory.segment(first, balls), 0, dual.references);
    each(group, [&](Direction& d, std::size_t lane) {
      const State &up = d.sides.plus->state, &down = d.sides.minus->state;
      d.begin(made.rule, made.h, up, down);
      put(0.5 * (up.memory.segment(first, balls) - down.memory.segment(first, balls)), lane, dual.references);
      d.found.begin(up.lambda, down.lambda);
    });
  }

  void express(Group& group, const NewmarkStep& made) {
    DualStep& dual = group.dual;
    each(group, [&](Direction& d, std::size_t lane) {
      d.express(made.rule, made.h, d.found.moved);
      put(d.q, lane, dual.q), put(d.v, lane, dual.v), put(d.A, lane, dual.A), put(d.found.lambda, lane, dual.lambda);
    });
  }

  StepStatus solve_positions(Group& group, const NewmarkStep& made) {
    for (int i = 0; i < kIterations; ++i) {
      express(group, made);
      functions_.residual(group.model, group.work, group.laws, group.dual);
      if (i == 0) take(group.work.jacobian, 0, jacobian_);
      bool all = true;
      StepStatus status = StepStatus::ok;
      each(group, [&](Direction& d, std::size_t lane) {
        take(group.dual.residual, lane, d.found.residual);
        take(group.work.phi, lane, d.found.violation);
        if (!d.found.residual.allFinite()) status = StepStatus::not_finite;
        if (status == StepStatus::ok) all &= increments_.take(d.found, {d.q, d.A, jacobian_}, i);
      });
      if (status != StepStatus::ok || all) return status;
    }
    return StepStatus::not_converged;
  }

  /// x with P x + Phi_q^T (...) = -held, Phi_q x = -violation, and x to what it is a part of.
  void project(const NewmarkStep& made, const LaneArray& held, const LaneArray& violation, std::size_t lane, VecX& of) {
    take(held, lane, product_);
    take(violation, lane, violation_);
    const double little = 10 * kOfRates * jacobian_.lpNorm<Eigen::Infinity>() * of.lpNorm<Eigen::Infinity>();
    project_onto(structure_, made, jacobian_, little, product_, violation_, x_);
    of += x_;
  }

  /// Increments since the equations were asked change velocities and accelerations; that they change where those are is
  /// b h^2 times less.
  bool has_moved(Group& group) {
    bool moved = false;
    each(group, [&](Direction& d, std::size_t) { moved |= increments_.is_far(d.found, d.q); });
    return moved;
  }

  void project_rates(Group& group, const NewmarkStep& made, bool first) {
    DualStep& dual = group.dual;
    for (auto [x, to] : {std::pair(&correction_v_, &dual.correction_v), std::pair(&correction_A_, &dual.correction_A)})
      for (std::size_t i = 0; i < to->size(); ++i) (*to)[i] = Lanes{{(*x)[static_cast<Eigen::Index>(i)]}};
    functions_.held(group.model, group.work, group.laws, dual, has_moved(group));
    if (first) {
      take(dual.held_v, 0, product_);
      find_multipliers(structure_, made, product_, x_, mu_);
      take(dual.held_A, 0, product_);
      find_multipliers(structure_, made, product_, x_, nu_);
    }
    dual.mu.assign(mu_.begin(), mu_.end());
    dual.nu.assign(nu_.begin(), nu_.end());
    functions_.rates(group.model, group.work, group.laws, dual);
    each(group, [&](Direction& d, std::size_t lane) {
      project(made, dual.held_v, dual.rate, lane, d.v);
      put(d.v, lane, dual.v1);
    });
    functions_.second(group.model, group.work, group.laws, dual);
    each(group, [&](Direction& d, std::size_t lane) {
      d.a -= d.A;
      project(made, dual.held_A, dual.second, lane, d.A);
      d.a += d.A;
    });
  }

  StepStatus go(Group& group, const NewmarkStep& made, bool first) {
    begin(group, made);
    if (const StepStatus status = solve_positions(group, made); status != StepStatus::ok) return status;
    each(group, [&](Direction& d, std::size_t) { d.found.keep(); });
    express(group, made);
    if (made.projects) project_rates(group, made, first);
    if (group.model.balls > 0) measure_anew(group, made);
    each(group, [&](Direction& d, std::size_t lane) { finish(group, d, lane); });
    return StepStatus::ok;
  }

  void measure_anew(Group& group, const NewmarkStep& made) {
    DualStep& dual = group.dual;
    const VecX &v = made.projects ? made.v : base_.v, &A = made.projects ? made.A : base_.A;
    x_ = base_.a + A - base_.A;
    put(v, 0, dual.v1), put(A, 0, dual.A1), put(x_, 0, dual.a1);
    each(group, [&](Direction& d, std::size_t lane) {
      put(d.v, lane, dual.v1), put(d.A, lane, dual.A1), put(d.a, lane, dual.a1);
    });
    functions_.measure_anew(group.model, dual);
    each(group, [&](Direction& d, std::size_t lane) {
      take(dual.v1, lane, d.v), take(dual.A1, lane, d.A), take(dual.a1, lane, d.a);
      for (const LaneMotion<D>& motion : group.model.motions)
        if (motion.kind == LaneMotion<D>::Kind::ball) d.q.segment(motion.first, 3).setZero();
    });
  }

  /// The states of both sides: that of the run with the derivative added and subtracted.
  void finish(Group& group, Direction& d, std::size_t lane) const {
    const State& here = phase_.state;
    for (auto [state, sign] : {std::pair(&d.sides.plus->state, 1.0), std::pair(&d.sides.minus->state, -1.0)}) {
      state->t = here.t;
      state->q = here.q + sign * d.q;
      state->v = here.v + sign * d.v;
      state->acceleration = here.acceleration + sign * d.A;
      state->algorithmic = here.algorithmic + sign * d.a;
      state->lambda = here.lambda + sign * d.found.lambda;
      state->memory = here.memory;
      for (std::size_t i = 0; i < group.dual.references.size(); ++i)
        state->memory[2 * group.model.counted + 1 + static_cast<Eigen::Index>(i)] +=
            sign * group.dual.references[i].of[lane];
      state->conditions = here.conditions;
    }
  }

  Phase& phase_;
  const Structure& structure_;
  const DualFunctions<D> functions_;
  std::vector<std::unique_ptr<Group>> groups_;
  Expressed base_;
  StepIncrements increments_;
  VecX correction_v_, correction_A_, product_, x_;  // n
  VecX mu_, nu_, violation_;                        // m
  VecX jacobian_;                                   // Phi_q where the step has ended
};

}  // namespace

std::unique_ptr<LaneTangent> LaneTangent::make(Phase& phase, const Mechanism& mechanism,
                                               const std::vector<Sides>& sides) {
  if (!not_in_lanes(phase, mechanism.planar, true).empty()) return nullptr;
  try {
    // Derivatives of a step are solved for with its tangent, which must be that of its end.
    dynamic_cast<NewmarkIntegrator&>(*phase.integrator).renew_tangents();
    if (mechanism.planar) return std::make_unique<Tangent<2>>(phase, mechanism, sides);
    return std::make_unique<Tangent<3>>(phase, mechanism, sides);
  } catch (const std::invalid_argument&) {  // a side differs by more than numbers
    return nullptr;
  }
}

}  // namespace cardan
