// What is found once: equations flattened for the loops, where wrenches land, and the constant mass matrix.
#include <algorithm>

#include "formulation/natural/natural_formulation.hpp"

namespace cardan {

template <int D>
NaturalFormulation<D>::NaturalFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled,
                                          double length)
    : BodyFormulation<D>(std::move(model)),
      assembled_(std::move(assembled)),
      natural_(*model_, assembled_, length),
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
  structure_.constraint_scale.resize(structure_.constraints);
  for (std::size_t i = 0; i < flat_.size(); ++i) {
    structure_.constraint_scale[i] = natural_.equations()[i].is_length ? length : 1;
  }
  structure_.constraint_scale.tail(measured_.size()) = measured_.scales(length);
  structure_.rounding = model_->rounding(length);

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
    flat.length = equation.a == equation.b ? std::sqrt(equation.value) : 0;
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
  measured_.add_discs();
  measured_.add_velocities();
  structure_.velocity_constraints = measured_.velocities();
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
  structure_.couplings = model_->load_couplings();
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

template class NaturalFormulation<2>;
template class NaturalFormulation<3>;

}  // namespace cardan
