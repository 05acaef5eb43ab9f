#include "formulation/natural/natural_formulation.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace cardan {

template <int D>
NaturalFormulation<D>::Work::Work(const Structure& structure, const NaturalFormulation& f)
    : Workspace(structure),
      q(VecX::Zero(structure.coordinates)),
      v(VecX::Zero(structure.coordinates)),
      factor_a(f.flat_.size(), Vector::Zero()),
      factor_b(f.flat_.size(), Vector::Zero()),
      kinematics(f.model_->bodies()),
      reciprocal(f.model_->bodies(), Reciprocal::Zero()),
      measured(f.measured_),
      term_gradient(f.measured_.terms().size(), Twist::Zero()),
      load_gradient(f.model_->load_wrenches(), Twist::Zero()),
      wrench(f.model_->bodies() + 1, Twist::Zero()),
      rotor_row(VecX::Zero(f.rotor_rows_.column.size())) {}

template <int D>
std::unique_ptr<Workspace> NaturalFormulation<D>::make_workspace() const {
  auto work = std::make_unique<Work>(structure_, *this);
  work->equations.mass = mass_;
  return work;
}

template <int D>
void NaturalFormulation<D>::start(State& state, Workspace& work) const {
  state.memory = model_->initial_turns(state.t, assembled_);
  state.q = state.v = VecX::Zero(structure_.coordinates);
  for (int b = 0; b < model_->bodies(); ++b) {
    const NaturalBody<D>& basis = natural_.bodies()[b];
    const auto set = [&](int entity, const Vector& local) {
      const Entity<D>& e = natural_.entities()[entity];
      if (e.fixed) return;
      const Vector turned = assembled_.rotation[b] * local;
      const Vector place = assembled_.center[b] + turned;
      state.q.segment<D>(e.first) = e.is_vector ? turned : Vector(place - e.shift);
      state.v.segment<D>(e.first) =
          e.is_vector ? cross(angular<D>(assembled_.twist[b]), turned) : velocity_at<D>(assembled_.twist[b], place);
    };
    set(basis.origin, basis.origin_local);
    for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
      const bool vector = natural_.entities()[basis.direction[k]].is_vector;
      set(basis.direction[k],
          vector ? basis.direction_local[k] : Vector(basis.origin_local + basis.direction_local[k]));
    }
  }
  position(state.t, state.q, state, work);
}

template <int D>
template <class Coordinates>
typename Space<D>::Vector NaturalFormulation<D>::evaluate(const Coordinates& q, int begin, int end) const {
  Vector sum = Vector::Zero();
  for (int i = begin; i < end; ++i) {
    const FlatTerm& term = terms_[i];
    const Vector e = q.template segment<D>(term.first);
    sum += term.scale * e;
    if constexpr (D == 2) sum += term.perp * perpendicular(e);
  }
  return sum;
}

template <int D>
StepStatus NaturalFormulation<D>::position(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  Equations& e = w.equations;
  w.t = t;
  w.q = q;
  model_->predict_turns(reference.memory, t, w.turns);
  w.bodies_posed = w.bodies_moved = false;
  const int dots = static_cast<int>(flat_.size());
  for (int i = 0; i < dots; ++i) {
    const FlatEquation& f = flat_[i];
    const Vector a = f.a_constant + evaluate(q, f.a_begin, f.a_end);
    const Vector b = f.b_constant + evaluate(q, f.b_begin, f.b_end);
    w.factor_a[i] = a;
    w.factor_b[i] = b;
    e.phi[i] = f.scale * (a.dot(b) - f.value);
    // d(a . b) = b . da + a . db
    double* row = e.jacobian.data() + f.row_begin;
    std::fill(row, row + f.row_entries, 0.0);
    const auto spread = [&](int begin, int end, const Vector& other) {
      for (int j = begin; j < end; ++j) {
        const FlatTerm& term = terms_[j];
        Vector entry = (f.scale * term.scale) * other;
        if constexpr (D == 2) entry -= (f.scale * term.perp) * perpendicular(other);
        for (int c = 0; c < D; ++c) row[term.place + c] += entry[c];
      }
    };
    spread(f.a_begin, f.a_end, b);
    spread(f.b_begin, f.b_end, a);
  }
  if (looks_at_bodies_) pose_bodies(w);
  w.measured.hold(reference.attached);
  w.measured.position(t, w.kinematics, w.turns, w.term_gradient, e.phi.data() + dots, e.phi_t.data() + dots);
  for (int r = 0; r < measured_.size(); ++r) {
    const auto& row = measured_.rows()[r];
    double* out = e.jacobian.data() + structure_.jacobian.start[dots + r];
    std::fill(out, e.jacobian.data() + structure_.jacobian.start[dots + r + 1], 0.0);
    for (int i = row.first; i < row.last; ++i) {
      write_wrench(term_rows_[i], w.term_gradient[i], measured_.terms()[i].weight, w, out);
    }
  }
  return StepStatus::ok;
}

template <int D>
void NaturalFormulation<D>::write_wrench(const WrenchRow& row, const Twist& wrench, double weight, const Work& w,
                                         double* out) const {
  spread_wrench(row.body2, wrench, w, row.places2, weight, out);
  spread_wrench(row.body1, wrench, w, row.places1, -weight, out);
}

/// M = constant part + sum of J s_q^T s_q,  Q -= J s_q^T (s'' at zero q'')
template <int D>
void NaturalFormulation<D>::add_rotors(Work& w) const {
  Equations& e = w.equations;
  e.mass = mass_;
  body_accelerations(w, nullptr, w.kinematics.bias);
  w.rotor_row.setZero();
  for (std::size_t i = 0; i < rotor_wrench_rows_.size(); ++i) {
    const auto& rotor = model_->rotors()[i];
    const int row = static_cast<int>(i);
    const Twist gradient = rotor.measure.gradient(w.kinematics);
    write_wrench(rotor_wrench_rows_[i], gradient, 1, w, w.rotor_row.data() + rotor_rows_.start[row]);
    add_outer(rotor_rows_, w.rotor_row, row, rotor.inertia, e.mass);
    add_row(rotor_rows_, w.rotor_row, row, -rotor.inertia * rotor.measure.bias(w.kinematics, gradient), e.force);
  }
}

template <int D>
void NaturalFormulation<D>::velocity(const VecX& v, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  w.v = v;
  w.bodies_moved = false;
  if (looks_at_bodies_) move_bodies(w);
}

template <int D>
void NaturalFormulation<D>::gamma(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  const int dots = static_cast<int>(flat_.size());
  for (int i = 0; i < dots; ++i) {
    const FlatEquation& f = flat_[i];
    w.equations.gamma[i] = -2 * f.scale * evaluate(w.v, f.a_begin, f.a_end).dot(evaluate(w.v, f.b_begin, f.b_end));
  }
  if (measured_.size() == 0) return;
  body_accelerations(w, nullptr, w.kinematics.bias);
  for (int r = 0; r < measured_.size(); ++r) {
    w.equations.gamma[dots + r] = -w.measured.bias(r, w.t, w.kinematics, w.term_gradient);
  }
}

template <int D>
void NaturalFormulation<D>::dynamics(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  Equations& e = w.equations;
  e.force = gravity_;
  if (!looks_at_bodies_) return;
  for (Twist& wrench : w.wrench) wrench.setZero();
  typename BodyModel<D>::LoadTangents tangents{w.load_gradient, e};
  model_->apply_loads(w.t, w.kinematics, w.turns, w.wrench, &tangents);
  for (int b = 0; b < model_->bodies(); ++b) spread_wrench(b, w.wrench[b], w, body_places_[b], 1, e.force.data());
  for (std::size_t i = 0; i < load_rows_.size(); ++i) {
    if (!e.live[i]) continue;
    double* out = e.load_gradient.data() + structure_.loads.start[i];
    std::fill(out, e.load_gradient.data() + structure_.loads.start[i + 1], 0.0);
    const auto& row = model_->load_rows()[i];
    spread_wrench(row.body2, w.load_gradient[row.wrench2], w, load_rows_[i].places2, 1, out);
    spread_wrench(row.body1, w.load_gradient[row.wrench1], w, load_rows_[i].places1, -1, out);
  }
  if (!rotor_wrench_rows_.empty()) add_rotors(w);
}

template <int D>
StepStatus NaturalFormulation<D>::accept(const State&, State& state, Workspace& work) const {
  model_->update_turns(state.t, kinematics(work), state.memory);
  return StepStatus::ok;
}

/// Of what the equations keep the length of: directions of bodies and links, however far apart the points are that they
/// move among.
template <int D>
double NaturalFormulation<D>::fastest_rate(const Eigen::Ref<const VecX>& v) const {
  double fastest = 0;
  for (const FlatEquation& f : flat_) {
    if (f.length > 0) fastest = std::max(fastest, evaluate(v, f.a_begin, f.a_end).norm() / f.length);
  }
  return fastest;
}

template <int D>
BodyKinematics<D>& NaturalFormulation<D>::kinematics(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  if (!w.bodies_posed) pose_bodies(w);
  if (!w.bodies_moved) move_bodies(w);
  return w.kinematics;
}

template <int D>
void NaturalFormulation<D>::accelerations(const VecX& acceleration, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  kinematics(work);
  body_accelerations(w, &acceleration, w.kinematics.acceleration);
}

template class NaturalFormulation<2>;
template class NaturalFormulation<3>;

}  // namespace cardan
