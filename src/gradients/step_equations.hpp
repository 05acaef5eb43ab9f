// What the equations of a step of newmark.hpp say at its end in relative coordinates, body by body, for any number that
// lane code is written with: docs/theory/gradients.md, symbol for symbol. Position and velocity are in the workspace.
#pragma once

#include "ensemble/lane_dynamics.hpp"

namespace cardan::CARDAN_LANES {

template <int D>
class StepEquations {
 public:
  /// `moments`: of inertia in body axes, as inertias_side_by_side() lists them. `inertia` and `moved` are buffers: of
  /// bodies their inertias, of bodies and ground a twist or wrench each.
  StepEquations(const LaneModel<D>& model, const LaneArray& moments, LaneWork<D>& work, Dynamics<D>& dynamics,
                LaneArray& inertia, LaneArray& moved)
      : model_(model),
        moments_(moments),
        work_(work),
        tree_(dynamics.tree()),
        inertia_(reinterpret_cast<Inertia<D>*>(inertia.data())),
        moved_(reinterpret_cast<Twist<D>*>(moved.data())) {}

  void find_inertias() {
    for (const LaneLink<D>& link : model_.links) inertia_[link.body] = inertia(link.body);
  }

  /// R = M A - Q + Phi_q^T lambda, with the wrenches that were applied.
  void write_residual(const Pack* A, const Pack* lambda, Pack* residual) {
    const Bodies<D> b = tree_.bodies();
    for (int i = 0; i < model_.coordinates; ++i) residual[i] = 0.0;
    for (const LaneLink<D>& link : model_.links)
      moved_[link.body] = carried_wrench_rate<D>(b.twist[link.body], inertia_[link.body] * b.twist[link.body]) +
                          inertia_[link.body] * b.bias[link.body] - tree_.wrenches()[link.body];
    project(residual);
    add_mass(A, residual);
    for (std::size_t i = 0; i < model_.rotors.size(); ++i) {
      const LaneRotor<D>& rotor = model_.rotors[i];
      const Twist<D> w = write_rotor(i);
      const Pack push = Pack(rotor.inertia) * (bias<D>(rotor.measure, b, w) + rotor_times(i, A));
      add_row(model_.rotor_rows, packs(work_.rotor_row), static_cast<int>(i), push, residual);
    }
    add_constraints(lambda, residual);
  }

  /// y = P x, P = M + c (g h C + b h^2 K), with the rows of loads that were written.
  void write_held(double damped, double stiff, const Pack* x, Pack* y) {
    for (int i = 0; i < model_.coordinates; ++i) y[i] = 0.0;
    add_mass(x, y);
    for (std::size_t i = 0; i < model_.rotors.size(); ++i) {
      write_rotor(i);
      add_row(model_.rotor_rows, packs(work_.rotor_row), static_cast<int>(i),
              Pack(model_.rotors[i].inertia) * rotor_times(i, x), y);
    }
    for (int k = 0; k < model_.loads_rows.size(); ++k) {  // those of signals are beyond them
      const Pack weight = Pack(damped) * packs(work_.damping)[k] + Pack(stiff) * packs(work_.stiffness)[k];
      if (is_none(weight)) continue;
      add_row(model_.loads_rows, packs(work_.loads), k, weight * row_times(model_.loads_rows, packs(work_.loads), k, x),
              y);
    }
  }

  /// y += Phi_q^T x
  template <class Numbers>
  void add_constraints(const Numbers& x, Pack* y) const {
    for (int k = 0; k < model_.constraints; ++k) add_row(model_.jacobian, packs(work_.jacobian), k, Pack(x[k]), y);
  }
  Pack constraint_times(int k, const Pack* x) const { return row_times(model_.jacobian, packs(work_.jacobian), k, x); }

 private:
  Inertia<D> inertia(int body) const {
    const Bodies<D> b = tree_.bodies();
    Inertia<D> r;
    const Vec<D>& g = b.center[body];
    r.mass = model_.body[body].mass;
    r.first = r.mass * g;
    if constexpr (D == 2) {
      r.second[0] = Pack(moments_[body]) + r.mass * dot(g, g);
    } else {
      Matrix<3> J;
      for (int j = 0, at = 6 * body; j < 3; ++j)
        for (int i = j; i < 3; ++i, ++at) J.x[3 * j + i] = J.x[3 * i + j] = moments_[at];
      const Matrix<3>& R = b.rotation[body];
      const Matrix<3> RJ = R * J;
      const Pack square = dot(g, g);
      for (int j = 0, at = 0; j < 3; ++j)
        for (int i = j; i < 3; ++i, ++at) {
          Pack entry = 0.0;
          for (int k = 0; k < 3; ++k) entry += RJ.x[3 * k + i] * R.x[3 * k + j];
          r.second[at] = entry + r.mass * ((i == j ? square : Pack(0.0)) - g[i] * g[j]);
        }
    }
    return r;
  }

  /// y += H^T M H x
  void add_mass(const Pack* x, Pack* y) {
    const auto* column = tree_.columns();
    moved_[model_.bodies] = Twist<D>::zero();
    for (const LaneLink<D>& link : model_.links) {
      Twist<D> carried = moved_[link.parent];
      for (int i = link.first; i < link.last; ++i) carried += x[i] * column[i];
      moved_[link.body] = carried;
    }
    for (const LaneLink<D>& link : model_.links) moved_[link.body] = inertia_[link.body] * moved_[link.body];
    project(y);
  }

  /// y += H^T w; the wrenches are added up.
  void project(Pack* y) const {
    const auto* column = tree_.columns();
    for (std::size_t l = model_.links.size(); l-- > 0;) {
      const LaneLink<D>& link = model_.links[l];
      for (int i = link.first; i < link.last; ++i) y[i] += dot(column[i], moved_[link.body]);
      if (link.parent < model_.bodies) moved_[link.parent] += moved_[link.body];
    }
  }

  Twist<D> write_rotor(std::size_t i) {
    const LaneRotor<D>& rotor = model_.rotors[i];
    const Twist<D> w = gradient<D>(rotor.measure, tree_.bodies());
    tree_.write_row(rotor.span, w, w, packs(work_.rotor_row) + model_.rotor_rows.start[i]);
    return w;
  }
  Pack rotor_times(std::size_t i, const Pack* x) const {
    return row_times(model_.rotor_rows, packs(work_.rotor_row), static_cast<int>(i), x);
  }

  const LaneModel<D>& model_;
  const LaneArray& moments_;
  LaneWork<D>& work_;
  Tree<D>& tree_;
  Inertia<D>* inertia_;
  Twist<D>* moved_;
};

/// As TreeMotion::renew_references(); v, a, A and references are overwritten.
template <int D>
void measure_anew(const LaneModel<D>& model, const Pack* q, Pack* v, Pack* a, Pack* A, Pack* references) {
  if constexpr (D == 3) {
    for (const LaneMotion<3>& motion : model.motions) {
      if (motion.kind != LaneMotion<3>::Kind::ball) continue;
      const int first = motion.first;
      const auto at = [first](const Pack* x) { return Vec<3>{{x[first], x[first + 1], x[first + 2]}}; };
      Pack* e = references + 4 * motion.ball;
      const RenewedBall ball = renewed(at(q), at(v), at(a), at(A), e);
      for (int j = 0; j < 3; ++j) v[first + j] = ball.v[j], a[first + j] = ball.a[j], A[first + j] = ball.A[j];
      for (int j = 0; j < 4; ++j) e[j] = ball.reference[j];
    }
  }
}

}  // namespace cardan::CARDAN_LANES
