#include "formulation/cartesian/cartesian_formulation.hpp"

#include <algorithm>

namespace cardan {

template <int D>
CartesianFormulation<D>::Work::Work(const Structure& structure, int count, const ConstraintRows<D>& constraints)
    : Workspace(structure), kinematics(count), upright(count), bodies(count + 1), constraints(constraints) {}

template <int D>
CartesianFormulation<D>::CartesianFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled,
                                              double length)
    : BodyFormulation<D>(std::move(model)), assembled_(std::move(assembled)), loads_(*model_), constraints_(*model_) {
  const int bodies = model_->bodies();
  add_body_names(length);
  const auto columns = [&](int body1, int body2) {
    std::vector<int> result;
    for (const int body : {body1, body2}) {
      for (int i = 0; body < bodies && i < kBody; ++i) result.push_back(body * kBody + i);
    }
    return result;
  };
  for (std::size_t j = 0; j < model_->mechanism().joints.size(); ++j) constraints_.add_joint(static_cast<int>(j));
  constraints_.add_couplers();
  constraints_.add_drivers();
  constraints_.add_discs();
  constraints_.add_velocities();
  structure_.velocity_constraints = constraints_.velocities();
  for (const auto& row : constraints_.rows()) {
    std::vector<int> entries;
    for (int i = row.first; i < row.last; ++i) {
      term_places_.push_back(add_columns(constraints_.terms()[i].measure, entries));
    }
    structure_.jacobian.add(entries);
    structure_.constraint_names.push_back(row.name);
  }
  structure_.constraints = normalizations_ + constraints_.size();
  structure_.constraint_scale = VecX::Ones(structure_.constraints);
  structure_.constraint_scale.tail(constraints_.size()) = constraints_.scales(length);
  structure_.rounding = model_->rounding(length);
  for (const auto& row : model_->load_rows()) structure_.loads.add(columns(row.body1, row.body2));
  structure_.couplings = model_->load_couplings();
  structure_.kinks = !model_->contacts().empty();

  std::vector<std::vector<int>> cliques;
  for (int b = 0; b < bodies; ++b) {
    std::vector<int>& clique = cliques.emplace_back();
    for (int i = D; i < kBody; ++i) clique.push_back(b * kBody + i);
  }
  choose_inertias_of_normalizations(length);
  for (const auto& rotor : model_->rotors()) {
    cliques.push_back(columns(rotor.measure.body1, rotor.measure.body2));
  }
  structure_.complete(std::move(cliques));
  list_tangent_blocks();
}

/// Bodies that share a measure or a load.
template <int D>
void CartesianFormulation<D>::list_tangent_blocks() {
  const int bodies = model_->bodies();
  std::vector<int> starts;
  std::vector<std::pair<int, int>> blocks;
  const auto add = [&](int body1, int body2) {
    for (const int row : {body1, body2})
      for (const int column : {body1, body2})
        if (row < bodies && column < bodies) blocks.emplace_back(row, column);
  };
  for (int b = 0; b < bodies; ++b) add(b, b);
  for (int b = 0; b <= bodies; ++b) starts.push_back(b * kBody);
  for (const auto& term : constraints_.terms()) add(term.measure.body1, term.measure.body2);
  for (const auto& rotor : model_->rotors()) add(rotor.measure.body1, rotor.measure.body2);
  for (const auto& effort : model_->efforts()) add(effort.measure.body1, effort.measure.body2);
  for (const auto& row : model_->load_rows()) add(row.body1, row.body2);
  for (const Torque& torque : model_->mechanism().torques)
    add(model_->measures().body_index(torque.body1), model_->measures().body_index(torque.body2));
  const bool any_may_touch = !model_->contacts().empty() && model_->contacts().slots() == 0;
  for (int b = 0; any_may_touch && b < bodies; ++b)
    for (int other = 0; other < b; ++other) add(b, other);
  structure_.tangent = BlockPattern(std::move(starts), std::move(blocks));
}

/// As large as the body's own, of 4 G^T I G. One without inertia takes the mean of the others, and where none has any
/// what masses and size make of it: any is right, and one that is small or large beside them costs digits.
template <int D>
void CartesianFormulation<D>::choose_inertias_of_normalizations(double length) {
  double sum = 0, mass = 0;
  int with = 0;
  for (int b = 0; b < model_->bodies(); ++b) {
    const auto& body = model_->inertias()[b];
    const double trace = body.inertia.trace();
    mu_.push_back(trace > 0 ? 4 * trace / 3 : 0);
    sum += mu_.back(), with += trace > 0, mass += body.mass;
  }
  const double usual = with > 0 ? sum / with : mass > 0 ? mass * length * length : 1;
  for (double& mu : mu_) {
    if (mu == 0) mu = usual;
  }
}

template <int D>
typename CartesianFormulation<D>::TermPlaces CartesianFormulation<D>::add_columns(const Measure<D>& m,
                                                                                  std::vector<int>& columns) const {
  const auto place = [&](int body) {
    if (body >= model_->bodies()) return -1;
    const auto found = std::find(columns.begin(), columns.end(), body * kBody);
    const int at = static_cast<int>(found - columns.begin());
    if (found == columns.end()) {
      for (int i = 0; i < kBody; ++i) columns.push_back(body * kBody + i);
    }
    return at;
  };
  const int one = place(m.body1);
  return {one, place(m.body2)};
}

template <int D>
void CartesianFormulation<D>::add_body_names(double length) {
  const int bodies = model_->bodies();
  structure_.coordinates = bodies * kBody;
  structure_.scale = VecX::Ones(structure_.coordinates);
  const std::vector<std::string> fields = D == 2 ? std::vector<std::string>{"x", "y", "angle"}
                                                 : std::vector<std::string>{"x", "y", "z", "e0", "e1", "e2", "e3"};
  for (int b = 0; b < bodies; ++b) {
    const std::string& name = model_->mechanism().bodies[b].name;
    for (const std::string& field : fields) structure_.coordinate_names.push_back(name + "." + field);
    structure_.scale.template segment<D>(b * kBody).setConstant(length);
    if (D == 2) continue;
    structure_.jacobian.add({b * kBody + D, b * kBody + D + 1, b * kBody + D + 2, b * kBody + D + 3});
    structure_.constraint_names.push_back(name + " normalization");
    ++normalizations_;
  }
}

template <int D>
std::unique_ptr<Workspace> CartesianFormulation<D>::make_workspace() const {
  auto work = std::make_unique<Work>(structure_, model_->bodies(), constraints_);
  std::fill(work->equations.live.begin(), work->equations.live.end(), 1);
  return work;
}

template <int D>
void CartesianFormulation<D>::start(State& state, Workspace& work) const {
  state.memory = model_->initial_turns(state.t, assembled_);
  state.q = state.v = VecX::Zero(structure_.coordinates);
  for (int b = 0; b < model_->bodies(); ++b) {
    const auto p = A::from_rotation(assembled_.rotation[b]);
    state.q.segment<D>(b * kBody) = assembled_.center[b];
    state.q.segment<A::kSize>(b * kBody + D) = p;
    state.v.segment<D>(b * kBody) = velocity_at<D>(assembled_.twist[b], assembled_.center[b]);
    // p' = E^T w / 2 in space, w in the plane
    const auto n = A::torque(p, angular<D>(assembled_.twist[b]));
    state.v.segment<A::kSize>(b * kBody + D) = D == 2 ? n : (0.25 * n).eval();
  }
  position(state.t, state.q, state, work);
}

template <int D>
StepStatus CartesianFormulation<D>::position(double t, const VecX& q, const State& reference, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  Equations& e = w.equations;
  w.t = t;
  model_->predict_turns(reference.memory, t, w.turns);
  for (int b = 0; b < model_->bodies(); ++b) {
    w.bodies[b].place(q.segment<D>(b * kBody), q.segment<A::kSize>(b * kBody + D));
    w.kinematics.center[b] = w.bodies[b].r;
    w.kinematics.rotation[b] = w.bodies[b].rotation;
  }
  double* row = e.jacobian.data();
  for (int b = 0; b < normalizations_; ++b) {
    const auto& p = w.bodies[b].p;
    e.phi[b] = 0.5 * (p.squaredNorm() - 1);
    row = std::copy_n(p.data(), A::kSize, row);
  }
  w.constraints.hold(reference.attached);
  MeasureDerivatives<D> s;
  using Entries = Eigen::Map<Eigen::Matrix<double, kBody, 1>>;
  for (int r = 0; r < constraints_.size(); ++r) {
    const auto& equation = constraints_.rows()[r];
    const int k = normalizations_ + r;
    double* end = e.jacobian.data() + structure_.jacobian.start[k + 1];
    std::fill(row, end, 0.0);
    double value = -equation.offset, rate = 0;
    const typename ConstraintRows<D>::Factors factors(equation, t);
    for (int i = equation.first; i < equation.last; ++i) {
      const auto& term = w.constraints.terms()[i];
      const Measure<D>& m = term.measure;
      const Function::Value factor = factors(term);
      const double weight = term.weight * factor.f;
      s.position(m, w.bodies[m.body1], w.bodies[m.body2]);
      value += weight * (term.turns_of < 0 ? s.value : nearest_turn(s.value, w.turns[term.turns_of]));
      rate += term.weight * factor.d1 * s.value;
      const auto [one, two] = term_places_[i];
      if (one >= 0) Entries(row + one) += weight * s.gradient.template head<kBody>();
      if (two >= 0) Entries(row + two) += weight * s.gradient.template tail<kBody>();
    }
    const Function::Value driven = constraints_.position_of(r, t, w.kinematics);
    e.phi[k] = value - driven.f - (equation.period > 0 ? whole_periods(r, driven.f, w) : 0);
    e.phi_t[k] = rate - driven.d1;
    row = end;
  }
  return StepStatus::ok;
}

/// Of what is zero but for whole periods, as the pitch of a screw times the turns of its nut. Between iterations |p| is
/// not 1 and lengths along a body's axes are off by |p|^2: many pitches from the origin that may be a turn, which would
/// stay.
template <int D>
double CartesianFormulation<D>::whole_periods(int row, double driven, Work& w) const {
  const auto take = [&](int b) {
    if (b >= model_->bodies()) return;
    w.upright.center[b] = w.kinematics.center[b];
    w.upright.rotation[b] = w.kinematics.rotation[b];
    if constexpr (D == 3) w.upright.rotation[b] /= w.bodies[b].p.squaredNorm();
  };
  const auto& equation = w.constraints.rows()[row];
  for (int i = equation.first; i < equation.last; ++i) {
    take(w.constraints.terms()[i].measure.body1);
    take(w.constraints.terms()[i].measure.body2);
  }
  const double x = w.constraints.value(row, w.upright, w.turns) - driven;
  return x - w.constraints.wrapped(row, x);
}

template <int D>
void CartesianFormulation<D>::velocity(const VecX& v, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  for (int b = 0; b < model_->bodies(); ++b) {
    BodyCoordinates<D>& c = w.bodies[b];
    c.r_rate = v.segment<D>(b * kBody);
    c.p_rate = v.segment<A::kSize>(b * kBody + D);
    const typename Space<D>::Angular turn = A::angular_velocity(c.p, c.p_rate);
    w.kinematics.twist[b] = twist<D>(c.r_rate - cross(turn, c.r), turn);
  }
}

template <int D>
void CartesianFormulation<D>::gamma(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  Equations& e = w.equations;
  for (int b = 0; b < normalizations_; ++b) e.gamma[b] = -w.bodies[b].p_rate.squaredNorm();
  MeasureDerivatives<D> s;
  for (int r = 0; r < constraints_.size(); ++r) {
    double bias = -constraints_.position_of(r, w.t, w.kinematics).d2;
    const typename ConstraintRows<D>::Factors factors(constraints_.rows()[r], w.t);
    for (int i = constraints_.rows()[r].first; i < constraints_.rows()[r].last; ++i) {
      const auto& term = w.constraints.terms()[i];
      const Function::Value factor = factors(term);
      s.velocity(term.measure, w.bodies[term.measure.body1], w.bodies[term.measure.body2]);
      bias += term.weight * (factor.f * s.bias + 2 * factor.d1 * s.rate + factor.d2 * s.value);
    }
    e.gamma[normalizations_ + r] = -bias;
  }
}

template <int D>
void CartesianFormulation<D>::dynamics(Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  Equations& e = w.equations;
  const SymmetricPattern& pattern = structure_.pattern;
  e.mass.setZero();
  e.force.setZero();
  for (int b = 0; b < model_->bodies(); ++b) {
    const auto& inertia = model_->inertias()[b];
    const int at = b * kBody;
    for (int i = 0; i < D; ++i) e.mass[pattern.column_start[at + i]] = inertia.mass;
    if constexpr (D == 2) {
      e.mass[pattern.column_start[at + D]] = inertia.inertia(0);
    } else {
      const BodyCoordinates<3>& c = w.bodies[b];
      const Attitude<3>::Tangent G = Attitude<3>::body_map(c.p);
      const Eigen::Matrix4d M = 4 * G.transpose() * inertia.inertia * G + mu_[b] * c.p * c.p.transpose();
      for (int j = 0; j < 4; ++j) {
        for (int i = j; i < 4; ++i) e.mass[pattern.slot(at + D + i, at + D + j)] = M(i, j);
      }
      e.force.segment<4>(at + D) =
          -8 * Attitude<3>::body_map(c.p_rate).transpose() * (inertia.inertia * (G * c.p_rate)) -
          mu_[b] * c.p_rate.squaredNorm() * c.p;
    }
  }
  loads_.add_forces(w.t, w.bodies, w.kinematics, w.turns, e);
  add_rotors(w);
}

/// M += J s_q^T s_q,  Q -= J s_q^T (v^T s_qq v)
template <int D>
void CartesianFormulation<D>::add_rotors(Work& w) const {
  Equations& e = w.equations;
  MeasureDerivatives<D> s;
  for (const auto& rotor : model_->rotors()) {
    const Measure<D>& m = rotor.measure;
    s.velocity(m, w.bodies[m.body1], w.bodies[m.body2]);
    const int body[2] = {m.body1, m.body2};
    for (int i = 0; i < 2 * kBody; ++i) {
      const int row = body[i / kBody] * kBody + i % kBody;
      if (body[i / kBody] == model_->bodies()) continue;
      e.force[row] -= rotor.inertia * s.gradient[i] * s.bias;
      for (int j = 0; j <= i; ++j) {
        if (body[j / kBody] == model_->bodies()) continue;
        e.mass[structure_.pattern.slot(row, body[j / kBody] * kBody + j % kBody)] +=
            rotor.inertia * s.gradient[i] * s.gradient[j];
      }
    }
  }
}

template <int D>
void CartesianFormulation<D>::project(std::vector<typename Space<D>::Twist>& wrenches, Workspace& work,
                                      double* force) const {
  loads_.project(wrenches, static_cast<Work&>(work).bodies, force);
}

template <int D>
StepStatus CartesianFormulation<D>::accept(const State&, State& state, Workspace& work) const {
  model_->update_turns(state.t, static_cast<Work&>(work).kinematics, state.memory);
  return StepStatus::ok;
}

template <int D>
BodyKinematics<D>& CartesianFormulation<D>::kinematics(Workspace& work) const {
  return static_cast<Work&>(work).kinematics;
}

/// w' = 2 E p'' (E' p' = 0); the origin's point: s'' = r'' - w' x r - w x r'
template <int D>
void CartesianFormulation<D>::accelerations(const VecX& a, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  for (int b = 0; b < model_->bodies(); ++b) {
    const BodyCoordinates<D>& c = w.bodies[b];
    const typename Space<D>::Angular turn = angular<D>(w.kinematics.twist[b]);
    const typename Space<D>::Angular turn_rate = A::angular_velocity(c.p, a.segment<A::kSize>(b * kBody + D));
    const typename Space<D>::Vector r_second = a.segment<D>(b * kBody);
    w.kinematics.acceleration[b] = twist<D>(r_second - cross(turn_rate, c.r) - cross(turn, c.r_rate), turn_rate);
  }
}

template class CartesianFormulation<2>;
template class CartesianFormulation<3>;

}  // namespace cardan
