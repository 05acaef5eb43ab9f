// Constraints, loads and tangents in relative coordinates for four instances at once: formulation/constraint_rows.hpp,
// body_loads.cpp and relative/relative_formulation.hpp.
#pragma once

#include "ensemble/lane_tree.hpp"

namespace cardan::CARDAN_LANES {

CARDAN_INLINE Pack row_times(const LaneRows& rows, const Pack* values, int row, const Pack* x) {
  Pack sum = 0.0;
  for (int e = rows.start[row]; e < rows.start[row + 1]; ++e) sum += values[e] * x[rows.column[e]];
  return sum;
}
CARDAN_INLINE void add_row(const LaneRows& rows, const Pack* values, int row, const Pack& weight, Pack* y) {
  for (int e = rows.start[row]; e < rows.start[row + 1]; ++e) y[rows.column[e]] += weight * values[e];
}
CARDAN_INLINE void add_outer(const LaneRows& rows, const Pack* values, int row, const Pack& weight, Pack* matrix) {
  const int* slot = rows.slot.data() + rows.slot_start[row];
  for (int a = rows.start[row]; a < rows.start[row + 1]; ++a) {
    const Pack scaled = weight * values[a];
    for (int b = rows.start[row]; b <= a; ++b) matrix[*slot++] += scaled * values[b];
  }
}

/// The directions of a line and across it, of a line of no length any: formulation/line_stiffness.hpp.
template <int D>
CARDAN_INLINE void line_directions(const Vec<D>& d, Vec<D>* e) {
  const Pack square = dot(d, d);
  const Mask is_line = square > Pack(0.0);
  const Pack inverse = Pack(1.0) / sqrt(square);
  for (int i = 0; i < D; ++i) e[0][i] = select(is_line, inverse * d[i], Pack(i == 0 ? 1.0 : 0.0));
  if constexpr (D == 2) {
    e[1] = {{-e[0][1], e[0][0]}};
  } else {
    // The axis that the line has the smallest part along; the first of several.
    Vec<3> unit;
    const Pack x = abs(e[0][0]), y = abs(e[0][1]), z = abs(e[0][2]), one = 1.0, none = 0.0;
    const Mask is_x = (x <= y) & (x <= z), is_y = ~is_x & (y <= z);
    unit[0] = select(is_x, one, none);
    unit[1] = select(is_y, one, none);
    unit[2] = select(is_x | is_y, none, one);
    e[1] = cross(e[0], unit);
    e[1] = Pack(1.0) / sqrt(dot(e[1], e[1])) * e[1];
    e[2] = cross(e[0], e[1]);
  }
}

template <int D>
class Dynamics {
 public:
  Dynamics(const LaneModel<D>& model, LaneWork<D>& work, const LaneLaws& laws)
      : model_(model), work_(work), laws_(laws), tree_(model, work) {}

  Tree<D>& tree() { return tree_; }

  /// Phi, Phi_t and Phi_q.
  void position(const Pack* z) {
    tree_.position(z);
    const Bodies<D> b = tree_.bodies();
    Pack *phi = packs(work_.phi), *phi_t = packs(work_.phi_t);
    auto* gradient = reinterpret_cast<Twist<D>*>(work_.gradient.data());
    for (int r = 0; r < model_.constraints; ++r) {
      const LaneRow& row = model_.rows[r];
      Pack sum = -Pack(row.offset);
      Pack* out = packs(work_.jacobian) + model_.jacobian.start[r];
      const bool single = row.last == row.first + 1;
      if (!single)
        for (int e = 0; e < model_.jacobian.start[r + 1] - model_.jacobian.start[r]; ++e) out[e] = 0.0;
      for (int i = row.first; i < row.last; ++i) {
        const LaneTerm<D>& term = model_.terms[i];
        const Evaluation<D> now = evaluate<D>(term.measure, b);
        gradient[i] = now.gradient;
        sum += Pack(term.weight) * continued(now.value, term.turns_of);
        if (single) {
          tree_.write_row(term.span, now.gradient, now.gradient, out);
        } else {
          tree_.add_to_row(term.span, model_.places.data() + term.places, Pack(term.weight) * now.gradient, out);
        }
      }
      phi_t[r] = 0.0;
      if (row.driver >= 0) {
        sum -= packs(work_.driver)[3 * row.driver];
        phi_t[r] = -packs(work_.driver)[3 * row.driver + 1];
      }
      if (row.has_period) {
        const Pack period = row.period;
        sum = select(period > Pack(0.0), sum - period * round(sum / period), sum);
      }
      phi[r] = sum;
    }
  }

  void velocity(const Pack* v, const Pack* z) { tree_.velocity(v, z); }

  void find_gamma() {
    tree_.find_bias();
    const Bodies<D> b = tree_.bodies();
    const auto* gradient = reinterpret_cast<const Twist<D>*>(work_.gradient.data());
    for (int r = 0; r < model_.constraints; ++r) {
      const LaneRow& row = model_.rows[r];
      Pack sum = 0.0;
      for (int i = row.first; i < row.last; ++i)
        sum += Pack(model_.terms[i].weight) * bias<D>(model_.terms[i].measure, b, gradient[i]);
      if (row.driver >= 0) sum -= packs(work_.driver)[3 * row.driver + 2];
      packs(work_.gamma)[r] = -sum;
    }
  }

  /// What acts on the bodies, and the gradients, stiffnesses and dampings of the loads, of the instances in `which`.
  void apply_wrenches(unsigned which) {
    tree_.find_bias();
    tree_.apply_gravity();
    apply_given();
    apply_loads(which);
    apply_tyres(which);
  }

  /// The same with M and Q.
  void dynamics(unsigned which) {
    apply_wrenches(which);
    Pack *mass = packs(work_.mass), *force = packs(work_.force);
    if (!model_.rotors.empty())
      for (std::size_t i = 0; i < model_.pattern_row.size(); ++i) mass[i] = 0.0;
    tree_.dynamics(mass, force);
    apply_rotors(mass, force);
  }

 private:
  CARDAN_INLINE Pack continued(const Pack& value, int turns_of) const {
    return turns_of < 0 ? value : nearest_turn(value, packs(work_.turns)[turns_of]);
  }

  void apply(int body1, int body2, const Twist<D>& wrench) {
    tree_.wrenches()[body2] += wrench;
    tree_.wrenches()[body1] -= wrench;
  }

  /// Forces, torques and efforts over time.
  void apply_given() {
    const Bodies<D> b = tree_.bodies();
    const Pack* given = packs(work_.given);
    for (const LaneGiven<D>& load : model_.given) {
      if (load.is_torque) {
        Angular<D> n;
        for (int i = 0; i < kAngular<D>; ++i) n[i] = given[3 - kAngular<D> + i];
        if constexpr (D == 3)
          if (load.body_axes) n = b.rotation[load.body2] * n;
        apply(load.body1, load.body2, turning<D>(n));
      } else {
        Vec<D> f;
        for (int i = 0; i < D; ++i) f[i] = given[i];
        if (load.body_axes) f = b.rotation[load.body2] * f;
        tree_.wrenches()[load.body2] += force_at<D>(f, b.place(load.body2, load.point));
      }
      given += 3;
    }
    for (std::size_t i = 0; i < model_.efforts.size(); ++i) {
      const LaneEffort<D>& effort = model_.efforts[i];
      const Twist<D> w = Pack(effort.sign) * packs(work_.effort)[i] * gradient<D>(effort.measure, b);
      apply(effort.measure.body1, effort.measure.body2, w);
    }
  }

  void write(std::size_t row, const Pack& stiffness, const Pack& damping) {
    packs(work_.stiffness)[row] = stiffness;
    packs(work_.damping)[row] = damping;
    work_.live[row] = kAllRowsLive || ((stiffness != Pack(0.0)) | (damping != Pack(0.0))).any();
  }
  Pack* load_row(std::size_t row) { return packs(work_.loads) + model_.loads_rows.start[row]; }

  void apply_loads(unsigned which) {
    const Bodies<D> b = tree_.bodies();
    for (std::size_t i = 0; i < model_.loads.size(); ++i) {
      const LaneLoad<D>& load = model_.loads[i];
      const LaneMeasure<D>& m = load.measure;
      const bool damps = m.kind == LaneMeasure<D>::Kind::angle && !load.has_spring;
      const Evaluation<D> now = damps ? Evaluation<D>{Pack(0.0), turning<D>(carried_axis<D>(m, b))} : evaluate<D>(m, b);
      const Pack elongation = continued(now.value, load.turns_of) - Pack(load.free);
      Pack force = 0.0, stiffness = 0.0, damping = 0.0;
      laws_.load(static_cast<int>(i), which, lanes(elongation), lanes(rate<D>(m, b, now.gradient)), lanes(force),
                 lanes(stiffness), lanes(damping));
      apply(m.body1, m.body2, -force * now.gradient);
      write(i, stiffness, damping);
      Twist<D> along = now.gradient;
      if (load.across >= 0) resist_across(load, b, force, now.value + Pack(m.offset), stiffness, along);
      if (work_.live[i]) tree_.write_row(load.span, along, along, load_row(i));
    }
  }

  void resist_across(const LaneLoad<D>& load, const Bodies<D>& b, const Pack& pull, const Pack& length, const Pack& k,
                     Twist<D>& along) {
    const Pack none = 0.0;
    const Pack resistance = select(length > none, larger(none, pull / length), select(pull == none, k, none));
    for (int j = 0; j + 1 < D; ++j) write(static_cast<std::size_t>(load.across + j), resistance, none);
    const Mask resists = resistance > none;
    if (!resists.any()) return;
    const LaneMeasure<D>& m = load.measure;
    const Vec<D> p1 = b.place(m.body1, m.point1), p2 = b.place(m.body2, m.point2);
    Vec<D> directions[D];
    line_directions<D>(p2 - p1, directions);
    const Twist<D> drawn = force_at<D>(directions[0], p2);
    for (int i = 0; i < kTwist<D>; ++i) along[i] = select(resists, drawn[i], along[i]);
    for (int j = 0; j + 1 < D; ++j)
      tree_.write_row(load.spans[j], force_at<D>(directions[j + 1], p1), force_at<D>(directions[j + 1], p2),
                      load_row(static_cast<std::size_t>(load.across + j)));
  }

  void apply_tyres(unsigned which) {
    constexpr int kRows = D == 3 ? 3 : 2, kNumbers = 2 * D + 2;
    const Bodies<D> b = tree_.bodies();
    for (std::size_t i = 0; i < model_.tyres.size(); ++i) {
      const LaneTyre<D>& tyre = model_.tyres[i];
      Vec<D> c = b.place(tyre.body, tyre.center), a = b.direction(tyre.body, tyre.axis);
      Vec<D> v = velocity_at<D>(b.twist[tyre.body], c), force = Vec<D>::zero(), moment = Vec<D>::zero();
      Pack rows[kRows * kNumbers];
      for (Pack& one : rows) one = 0.0;
      laws_.tyre(static_cast<int>(i), which, &lanes(c[0]), &lanes(a[0]), &lanes(v[0]), &lanes(force[0]),
                 &lanes(moment[0]), &lanes(rows[0]));
      tree_.wrenches()[tyre.body] += force_at<D>(force, c);
      if constexpr (D == 3) tree_.wrenches()[tyre.body] += turning<3>(moment);
      for (int r = 0; r < kRows; ++r) {
        const Pack* row = rows + kNumbers * r;
        Vec<D> direction, arm;
        for (int k = 0; k < D; ++k) direction[k] = row[k], arm[k] = row[D + k];
        const auto at = static_cast<std::size_t>(tyre.row + r);
        write(at, row[2 * D], row[2 * D + 1]);
        const Twist<D> w = force_at<D>(direction, c + arm);
        if (work_.live[at]) tree_.write_row(tyre.span, w, w, load_row(at));
      }
    }
  }

  /// M += J s_z^T s_z,  Q -= J s_z^T (s'' at zero z'')
  void apply_rotors(Pack* mass, Pack* force) {
    const Bodies<D> b = tree_.bodies();
    Pack* values = packs(work_.rotor_row);
    for (std::size_t i = 0; i < model_.rotors.size(); ++i) {
      const LaneRotor<D>& rotor = model_.rotors[i];
      const int row = static_cast<int>(i);
      const Twist<D> w = gradient<D>(rotor.measure, b);
      tree_.write_row(rotor.span, w, w, values + model_.rotor_rows.start[row]);
      add_outer(model_.rotor_rows, values, row, rotor.inertia, mass);
      add_row(model_.rotor_rows, values, row, -Pack(rotor.inertia) * bias<D>(rotor.measure, b, w), force);
    }
  }

  const LaneModel<D>& model_;
  LaneWork<D>& work_;
  const LaneLaws& laws_;
  Tree<D> tree_;
};

}  // namespace cardan::CARDAN_LANES
