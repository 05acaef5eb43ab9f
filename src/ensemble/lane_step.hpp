// One step of four instances at once: the rules of integration/newmark_rule.hpp by the index-3 augmented Lagrangian
// with projections, as integration/newmark.hpp makes it, on relative coordinates. Each instance iterates until it has
// come to its end by itself. One that has stands still while others go on: its increments are not taken any more, so
// that it is evaluated where it is, and what its projections need, T and the rows that T was made of, stays as it was.
// So what an instance does depends on itself alone.
#pragma once

#include "ensemble/lane_dynamics.hpp"
#include "ensemble/lane_factor.hpp"

namespace cardan::CARDAN_LANES {

template <int D>
class Step {
 public:
  Step(const LaneModel<D>& model, const LaneRule& rule, const Lanes& h, LaneLaws& laws, LaneState& state,
       LaneWork<D>& work)
      : model_(model),
        rule_(rule),
        h_(h),
        laws_(laws),
        state_(state),
        w_(work),
        dynamics_(model, work, laws),
        factor_(model.symbolic, work),
        n_(model.coordinates),
        m_(model.constraints),
        c_((1 - rule.df) / (1 - rule.dm)),
        cbh2_(Pack(c_ * rule.beta) * h_ * h_) {}

  LaneReport run(unsigned which) {
    LaneReport report;
    good_ = running_ = Mask::of(which);
    begin();
    int count = 0;
    for (;; ++count) {
      express();
      if (count > 0) laws_.judge(count, running_.which(), lanes(norm_), lanes(rounding()));
      dynamics_.position(packs(w_.q));
      if (count > 0 && !goes_on(count)) break;
      dynamics_.velocity(packs(w_.v), packs(w_.q));
      dynamics_.dynamics(running_.which());
      const Mask keeping = count > 0 ? Mask::of(laws_.keep_tangent(count, running_.which())) : Mask::of(0);
      if (const Mask renewing = running_ & ~keeping; renewing.any()) renew_tangent(renewing);
      find_residual();
      take_increment();
      ++report.passes;
      for (int lane = 0; lane < kLanes; ++lane) report.iterations[lane] += running_.bits[lane] != 0;
    }
    end();
    report.done = good_.which();
    return report;
  }

 private:
  void begin() {
    Pack *q = packs(state_.q), *v = packs(state_.v), *a = packs(state_.a), *A = packs(state_.A);
    Pack fastest = 0.0;
    const Pack* scale = packs(model_.scale);
    for (int i = 0; i < n_; ++i) {
      fastest = larger(fastest, abs(v[i] / scale[i]));
      packs(w_.predicted_q)[i] = q[i] + h_ * v[i] + Pack(0.5) * h_ * h_ * a[i];
      packs(w_.predicted_v)[i] = v[i] + h_ * a[i];
      packs(w_.moved)[i] = 0.0;
      (void)A;
    }
    const Pack way = h_ * fastest;
    const Pack kappa = smaller(larger(Pack(10.0) / (way * way), Pack(rule_.kappa_smallest)), Pack(rule_.kappa_largest));
    for (int k = 0; k < m_; ++k) {
      packs(w_.weight)[k] = rule_.has_penalty ? Pack(rule_.penalty) * cbh2_ : kappa * packs(model_.effective_mass)[k];
      packs(w_.lambda)[k] = packs(state_.lambda)[k];
    }
    dynamics_.tree().see_references(packs(state_.references));
    if (model_.counts_turns) {
      const Pack* turns = packs(state_.turns);
      const Pack since = Pack(state_.t) + h_ - turns[2 * model_.counted];
      for (int i = 0; i < model_.counted; ++i) packs(w_.turns)[i] = turns[i] + since * turns[model_.counted + i];
    }
  }

  /// q1, v1, a1 and A1 of the sum of the increments.
  void express() {
    const Pack in_v = Pack(rule_.gamma) / (Pack(rule_.beta) * h_), in_a = Pack(1.0) / (Pack(rule_.beta) * h_ * h_);
    const bool one = rule_.dm == 0 && rule_.df == 0;
    for (int i = 0; i < n_; ++i) {
      const Pack d = packs(w_.moved)[i], a0 = packs(state_.a)[i];
      packs(w_.q)[i] = packs(w_.predicted_q)[i] + d;
      packs(w_.v)[i] = packs(w_.predicted_v)[i] + in_v * d;
      const Pack a = a0 + in_a * d;
      packs(w_.a)[i] = a;
      packs(w_.A)[i] = one ? a
                           : (Pack(1 - rule_.dm) * a + Pack(rule_.dm) * a0 - Pack(rule_.df) * packs(state_.A)[i]) /
                                 Pack(1 - rule_.df);
    }
  }

  /// Of coordinates, and of accelerations, which an increment changes by itself over b h^2: NewmarkIntegrator::judge().
  Pack rounding() const {
    const Pack* scale = packs(model_.scale);
    Pack q = 0.0, A = 0.0;
    for (int i = 0; i < n_; ++i) {
      const Pack x = packs(w_.q)[i] / scale[i], y = packs(w_.A)[i] / scale[i];
      q += x * x;
      A += y * y;
    }
    return Pack(2e-14) + Pack(1e-15) * sqrt(q) + Pack(1e-12 * rule_.beta) * h_ * h_ * sqrt(A);
  }

  void renew_tangent(Mask which) {
    keep_rows(which);
    assemble(which);
    const Mask regular = factor_.factorize(packs(w_.tangent));
    good_ = good_ & (regular | ~running_);
    running_ = running_ & regular;
  }

  void keep_rows(Mask which) {
    const Pack* jacobian = packs(w_.jacobian);
    Pack* rows = packs(w_.rows);
    for (std::size_t i = 0; i < w_.rows.size(); ++i) rows[i] = select(which, jacobian[i], rows[i]);
  }

  /// Whether an instance iterates on.
  bool goes_on(int count) {
    Pack phi = 0.0;
    Mask finite = is_finite(norm_);
    for (int k = 0; k < m_; ++k) {
      const Pack one = abs(packs(w_.phi)[k] / Pack(model_.rows[k].scale));
      finite = finite & is_finite(one);
      phi = larger(phi, one);
    }
    good_ = good_ & (finite | ~running_);
    running_ = running_ & finite;
    running_ = running_ & ~Mask::of(laws_.ended(count, running_.which(), lanes(phi)));
    if (count >= rule_.iteration_limit) {
      good_ = good_ & ~running_;
      running_ = Mask::of(0);
    }
    return running_.any();
  }

  /// T = M + c (g h C + b h^2 (Phi_q^T alpha Phi_q + K))
  void assemble(Mask which) {
    const bool all = which.all();
    Pack* tangent = packs(all ? w_.tangent : w_.before);
    const Pack* mass = packs(w_.mass);
    const std::size_t size = model_.pattern_row.size();
    for (std::size_t i = 0; i < size; ++i) tangent[i] = mass[i];
    const Pack in_c = Pack(c_ * rule_.gamma) * h_;
    for (int k = 0; k < model_.loads_rows.size(); ++k) {
      if (!w_.live[static_cast<std::size_t>(k)]) continue;
      const Pack weight = in_c * packs(w_.damping)[k] + cbh2_ * packs(w_.stiffness)[k];
      add_outer(model_.loads_rows, packs(w_.loads), k, weight, tangent);
    }
    for (int k = 0; k < m_; ++k) add_outer(model_.jacobian, packs(w_.jacobian), k, packs(w_.weight)[k], tangent);
    if (all) return;
    Pack* kept = packs(w_.tangent);
    for (std::size_t i = 0; i < size; ++i) kept[i] = select(which, tangent[i], kept[i]);
  }

  /// -c b h^2 (M A + Phi_q^T (lambda + alpha Phi) - Q), with the rows of T beside alpha.
  void find_residual() {
    Pack* rhs = packs(w_.rhs);
    const Pack *mass = packs(w_.mass), *A = packs(w_.A);
    for (int i = 0; i < n_; ++i) rhs[i] = -packs(w_.force)[i];
    for (int j = 0; j < n_; ++j) {
      const int begin = model_.pattern_start[j], end = model_.pattern_start[j + 1];
      Pack sum = mass[begin] * A[j];
      for (int k = begin + 1; k < end; ++k) {
        const int i = model_.pattern_row[k];
        sum += mass[k] * A[i];
        rhs[i] += mass[k] * A[j];
      }
      rhs[j] += sum;
    }
    for (int i = 0; i < n_; ++i) rhs[i] *= -cbh2_;
    for (int k = 0; k < m_; ++k) {
      add_row(model_.jacobian, packs(w_.jacobian), k, -cbh2_ * packs(w_.lambda)[k], rhs);
      add_row(model_.jacobian, packs(w_.rows), k, -packs(w_.weight)[k] * packs(w_.phi)[k], rhs);
    }
  }

  void take_increment() {
    Pack* d = packs(w_.rhs);
    factor_.solve(d);
    const Pack* scale = packs(model_.scale);
    Pack square = 0.0;
    for (int i = 0; i < n_; ++i) {
      const Pack one = rule_.norm_is_plain ? d[i] : d[i] / scale[i];
      square += one * one;
      Pack& moved = packs(w_.moved)[i];
      moved = select(running_, moved + d[i], moved);
    }
    norm_ = select(running_, sqrt(square), norm_);
    // What the increment leaves of the constraints by their rows is what lambda was short of.
    for (int k = 0; k < m_; ++k) {
      Pack& lambda = packs(w_.lambda)[k];
      const Pack left = packs(w_.phi)[k] + row_times(model_.jacobian, packs(w_.rows), k, d);
      lambda = select(running_, lambda + packs(w_.weight)[k] / cbh2_ * left, lambda);
    }
  }

  /// Relative violation at which the projections stop.
  Pack rate_tolerance(const Pack* x) const {
    Pack most = 0.0;
    for (int i = 0; i < n_; ++i) most = larger(most, abs(x[i]));
    return Pack(1e-9) * larger(most, Pack(1e-3) * Pack(rule_.length));
  }

  /// integration/projection.hpp
  template <class Violation, class Correct>
  void project(const Pack& tolerance, const Violation& violation, const Correct& correct) {
    constexpr int kPasses = 8;
    Pack *d = packs(w_.increment), *left = packs(w_.violation);
    const Pack *weight = packs(w_.weight), none = 0.0;
    Mask going = good_;
    Pack last = 0.0;
    for (int pass = 0; pass < kPasses && m_ > 0; ++pass) {
      Pack worst = 0.0;
      for (int k = 0; k < m_; ++k) {
        left[k] = violation(k);
        worst = larger(worst, select(weight[k] != none, abs(left[k]), none));
      }
      if (pass > 1) {
        const Mask back = going & (worst > Pack(0.1) * last);
        if (back.any())
          for (int i = 0; i < n_; ++i) correct(i, select(back, -d[i], none));
        going = going & ~back;
      }
      if (pass >= 1) going = going & ~(worst <= tolerance);
      if (!going.any()) return;
      for (int i = 0; i < n_; ++i) d[i] = none;
      for (int k = 0; k < m_; ++k) add_row(model_.jacobian, packs(w_.rows), k, -weight[k] * left[k], d);
      factor_.solve(d);
      for (int i = 0; i < n_; ++i) correct(i, select(going, d[i], none));
      last = worst;
    }
  }

  void end() {
    Pack *v = packs(w_.v), *A = packs(w_.A), *a = packs(w_.a);
    const Pack *J = packs(w_.jacobian), *phi_t = packs(w_.phi_t), *gamma = packs(w_.gamma);
    const bool projects = rule_.projections && m_ > 0;
    if (projects)
      project(
          rate_tolerance(v), [&](int k) { return row_times(model_.jacobian, J, k, v) + phi_t[k]; },
          [&](int i, const Pack& d) { v[i] += d; });
    dynamics_.velocity(v, packs(w_.q));
    dynamics_.find_gamma();
    if (projects)
      project(
          rate_tolerance(A), [&](int k) { return row_times(model_.jacobian, J, k, A) - gamma[k]; },
          [&](int i, const Pack& d) { A[i] += d, a[i] += d; });
    for (int i = 0; i < n_; ++i) good_ = good_ & is_finite(v[i]) & is_finite(A[i]);
    const auto put = [&](LaneArray& to, const LaneArray& from) {
      for (std::size_t i = 0; i < to.size(); ++i) packs(to)[i] = select(good_, packs(from)[i], packs(to)[i]);
    };
    put(state_.q, w_.q);
    put(state_.v, w_.v);
    put(state_.a, w_.a);
    put(state_.A, w_.A);
    put(state_.lambda, w_.lambda);
    const Pack t1 = Pack(state_.t) + h_;
    update_turns(t1);
    if constexpr (D == 3) renew_references();
    select(good_, t1, Pack(state_.t)).store(state_.t);
  }

  /// BodyModel::update_turns()
  void update_turns(const Pack& t) {
    const Bodies<D> b = dynamics_.tree().bodies();
    Pack* memory = packs(state_.turns);
    const int n = model_.counted, coordinates = static_cast<int>(model_.counted_coordinates.size());
    const Pack since = t - memory[2 * n];
    const auto keep = [&](int i, const Pack& angle, const Pack& rate) {
      memory[i] = select(good_, angle, memory[i]);
      memory[n + i] = select(good_, rate, memory[n + i]);
    };
    for (int i = 0; i < n; ++i) memory[i] = select(good_, memory[i] + since * memory[n + i], memory[i]);
    for (int body = 0; D == 2 && body < model_.bodies; ++body) {
      const Pack angle = atan2(b.rotation[body].x[1], b.rotation[body].x[0]);
      keep(coordinates + body, nearest_turn(angle, memory[coordinates + body]), b.twist[body][kTwist<D> - 1]);
    }
    for (int i = 0; i < coordinates; ++i) {
      const LaneCoordinate<D>& c = model_.counted_coordinates[i];
      if (!c.angular) continue;
      const LaneMeasure<D>& m = c.measure;
      Pack angle;
      if constexpr (D == 2) {
        const auto turned = [&](int body) { return body < model_.bodies ? memory[coordinates + body] : Pack(0.0); };
        angle = Pack(c.unturned) + Pack(m.axis[0]) * (turned(m.body2) - turned(m.body1));
      } else {
        angle = evaluate<D>(m, b).value;
      }
      keep(i, nearest_turn(angle, memory[i]), rate<D>(m, b, gradient<D>(m, b)));
    }
    memory[2 * n] = select(good_, t, memory[2 * n]);
  }

  /// TreeMotion::renew_references()
  void renew_references() {
    for (const LaneMotion<D>& motion : model_.motions) {
      if (motion.kind != LaneMotion<D>::Kind::ball) continue;
      const int i = motion.first;
      Pack *q = packs(state_.q) + i, *v = packs(state_.v) + i, *a = packs(state_.a) + i, *A = packs(state_.A) + i;
      Pack* e = packs(state_.references) + 4 * motion.ball;
      const auto at = [](const Pack* x) { return Vec<3>{{x[0], x[1], x[2]}}; };
      const RenewedBall ball = renewed(at(q), at(v), at(a), at(A), e);
      for (int j = 0; j < 3; ++j) {
        q[j] = select(good_, Pack(0.0), q[j]);
        v[j] = select(good_, ball.v[j], v[j]);
        a[j] = select(good_, ball.a[j], a[j]);
        A[j] = select(good_, ball.A[j], A[j]);
        e[j] = select(good_, ball.reference[j], e[j]);
      }
      e[3] = select(good_, ball.reference[3], e[3]);
    }
  }

  const LaneModel<D>& model_;
  const LaneRule& rule_;
  const Pack h_;
  LaneLaws& laws_;
  LaneState& state_;
  LaneWork<D>& w_;
  Dynamics<D> dynamics_;
  Factor factor_;
  const int n_, m_;
  const double c_;
  const Pack cbh2_;
  Mask good_, running_;
  Pack norm_ = 0.0;
};

template <int D>
LaneReport step(const LaneModel<D>& model, const LaneRule& rule, const Lanes& h, unsigned which, LaneLaws& laws,
                LaneState& state, LaneWork<D>& work) {
  return Step<D>(model, rule, h, laws, state, work).run(which);
}

}  // namespace cardan::CARDAN_LANES
