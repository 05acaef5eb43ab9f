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
      load_gradient(f.model_->load_rows().size(), Twist::Zero()),
      wrench(f.model_->bodies() + 1, Twist::Zero()),
      rotor_row(VecX::Zero(f.rotor_rows_.column.size())) {}

template <int D>
NaturalFormulation<D>::NaturalFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled,
                                          double length)
    : BodyFormulation<D>(std::move(model)),
      assembled_(std::move(assembled)),
      natural_(*model_, assembled_),
      measured_(*model_) {
  static const char* const kAxis[] = {".x", ".y", ".z"};
  structure_.coordinates = natural_.coordinates();
  structure_.scale.resize(structure_.coordinates);
  for (const Entity<D>& e : natural_.entities()) {
    for (int i = 0; i < D && !e.fixed && e.base < 0; ++i) {
      structure_.coordinate_names.push_back(e.name + kAxis[i]);
      structure_.scale[e.first + i] = e.is_vector ? 1 : length;
    }
  }
  flatten();
  add_wrench_rows();
  structure_.constraints = structure_.jacobian.rows();

  std::vector<std::vector<int>> cliques;
  for (int b = 0; b < model_->bodies(); ++b) {
    std::vector<int> clique;
    for (int first : body_places_[b]) {
      for (int i = 0; i < D && first >= 0; ++i) clique.push_back(first + i);
    }
    std::sort(clique.begin(), clique.end());
    clique.erase(std::unique(clique.begin(), clique.end()), clique.end());
    cliques.push_back(clique);
  }
  for (int row = 0; row < rotor_rows_.rows(); ++row) {
    cliques.emplace_back(rotor_rows_.column.begin() + rotor_rows_.start[row],
                         rotor_rows_.column.begin() + rotor_rows_.start[row + 1]);
  }
  structure_.complete(cliques);
  rotor_rows_.locate(structure_.pattern);
  looks_at_bodies_ = model_->has_loads_or_drivers() || measured_.size() > 0 || !model_->rotors().empty();
  build_mass();
}

template <int D>
void NaturalFormulation<D>::flatten() {
  const auto& entities = natural_.entities();
  for (const DotEquation<D>& equation : natural_.equations()) {
    FlatEquation flat;
    flat.row_begin = static_cast<int>(structure_.jacobian.column.size());
    std::vector<int> columns;
    const auto append = [&](const LinearForm<D>& form) {
      for (const auto& term : form.terms) {
        const int first = entities[term.entity].first;
        const auto found = std::find(columns.begin(), columns.end(), first);
        const int place = static_cast<int>(found - columns.begin());
        if (found == columns.end()) {
          for (int i = 0; i < D; ++i) columns.push_back(first + i);
        }
        terms_.push_back({first, term.scale, term.perp, place});
      }
    };
    flat.a_begin = static_cast<int>(terms_.size());
    append(equation.a);
    flat.a_end = flat.b_begin = static_cast<int>(terms_.size());
    append(equation.b);
    flat.b_end = static_cast<int>(terms_.size());
    flat.a_constant = equation.a.constant;
    flat.b_constant = equation.b.constant;
    flat.value = equation.value;
    flat.scale = equation.scale;
    flat.row_entries = static_cast<int>(columns.size());
    flat_.push_back(flat);
    structure_.jacobian.add(columns);
    structure_.constraint_names.push_back(equation.name);
  }
}

template <int D>
void NaturalFormulation<D>::add_wrench_rows() {
  const auto& entities = natural_.entities();
  for (int b = 0; b < model_->bodies(); ++b) {
    const NaturalBody<D>& basis = natural_.bodies()[b];
    body_places_.push_back({entities[basis.origin].first});
    for (int e : basis.direction) body_places_.back().push_back(entities[e].first);
    center_.push_back(natural_.point(b, Vector::Zero()));
  }
  body_places_.emplace_back(NaturalBody<D>::kDirections + 1, -1);  // ground
  for (std::size_t j = 0; j < model_->mechanism().joints.size(); ++j) {
    const int joint = static_cast<int>(j);
    model_->mechanism().joints[j].switched ? measured_.add_joint(joint) : measured_.add_pitch(joint);
  }
  measured_.add_couplers();
  measured_.add_drivers();
  for (const auto& row : measured_.rows()) {
    std::vector<int> columns;
    for (int i = row.first; i < row.last; ++i) {
      const Measure<D>& m = measured_.terms()[i].measure;
      term_rows_.push_back(wrench_row(m.body1, m.body2, columns));
    }
    structure_.jacobian.add(columns);
    structure_.constraint_names.push_back(row.name);
  }
  for (const auto& rotor : model_->rotors()) {
    std::vector<int> columns;
    rotor_wrench_rows_.push_back(wrench_row(rotor.measure.body1, rotor.measure.body2, columns));
    rotor_rows_.add(columns);
  }
  for (const auto& row : model_->load_rows()) {
    std::vector<int> columns;
    load_rows_.push_back(wrench_row(row.body1, row.body2, columns));
    structure_.loads.add(columns);
  }
}

template <int D>
typename NaturalFormulation<D>::WrenchRow NaturalFormulation<D>::wrench_row(int body1, int body2,
                                                                            std::vector<int>& columns) const {
  WrenchRow row{body1, body2, {}, {}};
  const auto places = [&](int body) {
    std::vector<int> result;
    for (int first : body_places_[body]) {
      if (first < 0) {
        result.push_back(-1);
        continue;
      }
      const auto found = std::find(columns.begin(), columns.end(), first);
      result.push_back(static_cast<int>(found - columns.begin()));
      if (found == columns.end()) {
        for (int i = 0; i < D; ++i) columns.push_back(first + i);
      }
    }
    return result;
  };
  row.places1 = places(body1);
  row.places2 = places(body2);
  return row;
}

/// r(X) = sum_a w_a(X) e_a over the body's entities, w_a affine in X (complex in the plane), so with X from the mass
/// centre M_ab = m w_a(0) w_b(0) + integral of the linear parts, times the identity (in the plane a scaled rotation).
template <int D>
void NaturalFormulation<D>::build_mass() {
  const int n = structure_.coordinates;
  mass_ = VecX::Zero(structure_.pattern.nonzeros());
  gravity_ = VecX::Zero(n);
  const auto& entities = natural_.entities();
  const auto weight = [](const LinearForm<D>& form, int entity) {
    Eigen::Vector2d w = Eigen::Vector2d::Zero();
    for (const auto& term : form.terms) {
      if (term.entity == entity) w += Eigen::Vector2d(term.scale, term.perp);
    }
    return w;
  };
  for (int b = 0; b < model_->bodies(); ++b) {
    const NaturalBody<D>& basis = natural_.bodies()[b];
    std::vector<int> ids{basis.origin};
    for (int e : basis.direction) ids.push_back(e);
    for (int& e : ids) e = natural_.base_of(e);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::erase_if(ids, [&](int e) { return entities[e].fixed; });
    const double m = model_->inertias()[b].mass;
    const auto& J = model_->inertias()[b].inertia;
    LinearForm<D> linear_part[D];
    for (int i = 0; i < D; ++i) linear_part[i] = natural_.direction(b, Vector::Unit(i));
    for (int a : ids) {
      const Eigen::Vector2d wa = weight(center_[b], a);
      Vector pull = m * wa[0] * model_->gravity();
      if constexpr (D == 2) pull -= m * wa[1] * perpendicular(model_->gravity());  // the transpose of the quarter turn
      gravity_.segment<D>(entities[a].first) += pull;
      for (int c : ids) {
        const Eigen::Vector2d wc = weight(center_[b], c);
        double same, turned = 0;
        if constexpr (D == 2) {
          // conj(w_a) w_c with the polar inertia for the linear part
          const Eigen::Vector2d la = weight(linear_part[0], a), lc = weight(linear_part[0], c);
          same = m * wa.dot(wc) + J(0, 0) * la.dot(lc);
          turned = m * (wa[0] * wc[1] - wa[1] * wc[0]) + J(0, 0) * (la[0] * lc[1] - la[1] * lc[0]);
        } else {
          // second moments of mass from the inertia: integral of X X^T = tr(J)/2 I - J
          const Mat3 second = 0.5 * J.trace() * Mat3::Identity() - J;
          Vec3 la, lc;
          for (int i = 0; i < 3; ++i) la[i] = weight(linear_part[i], a)[0], lc[i] = weight(linear_part[i], c)[0];
          same = m * wa[0] * wc[0] + la.dot(second * lc);
        }
        for (int i = 0; i < D; ++i) {
          for (int j = 0; j < D; ++j) {
            const int row = entities[a].first + i, column = entities[c].first + j;
            if (row < column) continue;
            const double value = i == j ? same : (i == 1 ? turned : -turned);
            if (i == j || D == 2) mass_[structure_.pattern.slot(row, column)] += value;
          }
        }
      }
    }
  }
}

template <int D>
std::unique_ptr<Workspace> NaturalFormulation<D>::make_workspace() const {
  auto work = std::make_unique<Work>(structure_, *this);
  work->equations.mass = mass_;
  return work;
}

template <int D>
void NaturalFormulation<D>::start(State& state, Workspace& work) const {
  state.memory = model_->initial_turns(assembled_);
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
typename Space<D>::Vector NaturalFormulation<D>::evaluate(const VecX& q, int begin, int end) const {
  Vector sum = Vector::Zero();
  for (int i = begin; i < end; ++i) {
    const FlatTerm& term = terms_[i];
    const Vector e = q.segment<D>(term.first);
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
  w.memory = &reference.memory;
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
  w.measured.position(t, w.kinematics, reference.memory, w.term_gradient, e.phi.data() + dots, e.phi_t.data() + dots);
  for (int r = 0; r < measured_.size(); ++r) {
    const auto& row = measured_.rows()[r];
    double* out = e.jacobian.data() + structure_.jacobian.start[dots + r];
    std::fill(out, e.jacobian.data() + structure_.jacobian.start[dots + r + 1], 0.0);
    for (int i = row.first; i < row.last; ++i) {
      write_wrench(term_rows_[i], w.term_gradient[i], measured_.terms()[i].weight, w, out);
    }
  }
  return StepStatus::Ok;
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
  model_->apply_loads(w.t, w.kinematics, *w.memory, w.wrench, &w.load_gradient, &e.stiffness, &e.damping);
  for (int b = 0; b < model_->bodies(); ++b) spread_wrench(b, w.wrench[b], w, body_places_[b], 1, e.force.data());
  for (std::size_t i = 0; i < load_rows_.size(); ++i) {
    double* out = e.load_gradient.data() + structure_.loads.start[i];
    std::fill(out, e.load_gradient.data() + structure_.loads.start[i + 1], 0.0);
    write_wrench(load_rows_[i], w.load_gradient[i], 1, w, out);
  }
  if (!rotor_wrench_rows_.empty()) add_rotors(w);
}

/// Virtual power f . p0' + n0 . w with w = sum_k (d^k x d_k')/2, n0 the moment about p0: the force on d_k is (n0 x
/// d^k)/2.
template <int D>
void NaturalFormulation<D>::spread_wrench(int body, const Twist& wrench, const Work& w, const std::vector<int>& places,
                                          double sign, double* out) const {
  if (body == model_->bodies()) return;
  const NaturalBody<D>& basis = natural_.bodies()[body];
  const Vector p0 = entity_value(basis.origin, w.q, false);
  const Vector f = sign * linear<D>(wrench);
  const typename S::Angular n0 = sign * angular<D>(wrench) - moment(p0, f);
  const auto put = [&](int place, const Vector& force) {
    if (place < 0) return;
    for (int i = 0; i < D; ++i) out[place + i] += force[i];
  };
  put(places[0], f);
  for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
    const Vector force = (D == 2 ? 1.0 : 0.5) * cross(n0, Vector(w.reciprocal[body].col(k)));
    put(places[k + 1], force);
    if (!natural_.entities()[basis.direction[k]].is_vector) put(places[0], -force);
  }
}

template <int D>
typename Space<D>::Vector NaturalFormulation<D>::entity_value(int entity, const VecX& q, bool rate) const {
  const Entity<D>& e = natural_.entities()[entity];
  if (e.fixed) return rate ? Vector(Vector::Zero()) : e.start;
  const Vector value = q.segment<D>(e.first);
  return rate ? value : Vector(value + e.shift);
}

template <int D>
void NaturalFormulation<D>::pose_bodies(Work& w) const {
  for (int b = 0; b < model_->bodies(); ++b) {
    const NaturalBody<D>& basis = natural_.bodies()[b];
    const Vector p0 = entity_value(basis.origin, w.q, false);
    Eigen::Matrix<double, D, D> directions;
    for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
      directions.col(k) = entity_value(basis.direction[k], w.q, false);
      if (!natural_.entities()[basis.direction[k]].is_vector) directions.col(k) -= p0;
    }
    if constexpr (D == 2) {
      const Vec2 d = directions.col(0);
      directions.col(1) = perpendicular(d);
      w.reciprocal[b] = d / d.squaredNorm();
    } else {
      w.reciprocal[b] = directions.inverse().transpose();
    }
    w.kinematics.rotation[b] = directions * basis.local_inverse;
    w.kinematics.center[b] = p0 - w.kinematics.rotation[b] * basis.origin_local;
  }
  w.bodies_posed = true;
}

template <int D>
void NaturalFormulation<D>::move_bodies(Work& w) const {
  for (int b = 0; b < model_->bodies(); ++b) {
    const NaturalBody<D>& basis = natural_.bodies()[b];
    const Vector p0 = entity_value(basis.origin, w.q, false), p0_rate = entity_value(basis.origin, w.v, true);
    typename S::Angular omega = S::Angular::Zero();
    for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
      Vector rate = entity_value(basis.direction[k], w.v, true);
      if (!natural_.entities()[basis.direction[k]].is_vector) rate -= p0_rate;
      omega += (D == 2 ? 1.0 : 0.5) * moment(Vector(w.reciprocal[b].col(k)), rate);
    }
    w.kinematics.twist[b] = twist<D>(p0_rate - cross(omega, p0), omega);
  }
  w.bodies_moved = true;
}

template <int D>
void NaturalFormulation<D>::body_accelerations(Work& w, const VecX* a, std::vector<Twist>& out) const {
  for (int b = 0; b < model_->bodies(); ++b) {
    const NaturalBody<D>& basis = natural_.bodies()[b];
    const auto second = [&](int entity) { return a ? entity_value(entity, *a, true) : Vector(Vector::Zero()); };
    const Vector p0 = entity_value(basis.origin, w.q, false), p0_rate = entity_value(basis.origin, w.v, true);
    const Vector p0_second = second(basis.origin);
    const typename S::Angular omega = angular<D>(w.kinematics.twist[b]);
    typename S::Angular omega_rate = S::Angular::Zero();
    Vector rate[NaturalBody<D>::kDirections];
    for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
      rate[k] = entity_value(basis.direction[k], w.v, true);
      Vector d_second = second(basis.direction[k]);
      if (!natural_.entities()[basis.direction[k]].is_vector) rate[k] -= p0_rate, d_second -= p0_second;
      const Vector reciprocal = w.reciprocal[b].col(k);
      if constexpr (D == 2) {
        omega_rate += moment(reciprocal, d_second) - 2 * reciprocal.dot(rate[k]) * omega;
      } else {
        omega_rate += 0.5 * moment(reciprocal, d_second);
      }
    }
    if constexpr (D == 3) {
      // (d^k)' = -sum_j (d^k . d_j') d^j
      for (int k = 0; k < 3; ++k) {
        Vec3 reciprocal_rate = Vec3::Zero();
        for (int j = 0; j < 3; ++j) {
          reciprocal_rate -= w.reciprocal[b].col(k).dot(rate[j]) * w.reciprocal[b].col(j);
        }
        omega_rate += 0.5 * reciprocal_rate.cross(rate[k]);
      }
    }
    // s' = p0' - w x p0
    out[b] = twist<D>(p0_second - cross(omega_rate, p0) - cross(omega, p0_rate), omega_rate);
  }
}

template <int D>
StepStatus NaturalFormulation<D>::accept(const State&, State& state, Workspace& work) const {
  Work& w = static_cast<Work&>(work);
  if (!w.bodies_posed) pose_bodies(w);
  model_->update_turns(w.kinematics, state.memory);
  return StepStatus::Ok;
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
