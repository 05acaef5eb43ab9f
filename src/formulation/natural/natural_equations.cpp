// Points and directions as linear forms of the coordinates, and the dot products that rigid bodies, shared points and
// joints leave to be written.
#include <fmt/format.h>

#include <algorithm>

#include "formulation/natural/natural_coordinates.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {

template <int D>
LinearForm<D>& LinearForm<D>::add(const LinearForm& other, double factor) {
  for (const Term& term : other.terms) {
    const auto found = std::find_if(terms.begin(), terms.end(), [&](const Term& t) { return t.entity == term.entity; });
    if (found == terms.end()) {
      terms.push_back({term.entity, factor * term.scale, factor * term.perp});
    } else {
      found->scale += factor * term.scale;
      found->perp += factor * term.perp;
    }
  }
  constant += factor * other.constant;
  return *this;
}

template <int D>
LinearForm<D> NaturalCoordinates<D>::entity_form(int entity) const {
  LinearForm<D> form;
  if (entities_[entity].fixed) {
    form.constant = entities_[entity].start;
  } else {
    form.terms.push_back({base_of(entity), 1, 0});
    form.constant = entities_[entity].shift;
  }
  return form;
}

template <int D>
LinearForm<D> NaturalCoordinates<D>::direction_form(int body, int k) const {
  const NaturalBody<D>& basis = bodies_[body];
  LinearForm<D> form = entity_form(basis.direction[k]);
  if (!entities_[basis.direction[k]].is_vector) form.add(entity_form(basis.origin), -1);
  return form;
}

template <int D>
LinearForm<D> NaturalCoordinates<D>::direction(int body, const Vector& local) const {
  LinearForm<D> form;
  if (body == ground()) {
    form.constant = local;
    return form;
  }
  const Vector c = bodies_[body].local_inverse * local;
  if constexpr (D == 2) {
    // c0 d + c1 (quarter turn of d)
    LinearForm<D> turned = direction_form(body, 0);
    form.add(turned, c[0]);
    for (auto& term : turned.terms) term.perp = term.scale, term.scale = 0;
    turned.constant = perpendicular(turned.constant);
    form.add(turned, c[1]);
  } else {
    for (int k = 0; k < 3; ++k) {
      if (std::abs(c[k]) > 1e-15 * c.norm()) form.add(direction_form(body, k), c[k]);
    }
  }
  return form;
}

template <int D>
LinearForm<D> NaturalCoordinates<D>::point(int body, const Vector& local) const {
  LinearForm<D> form;
  if (body == ground()) {
    form.constant = local;
    return form;
  }
  form = entity_form(bodies_[body].origin);
  return form.add(direction(body, local - bodies_[body].origin_local), 1);
}

template <int D>
typename Space<D>::Vector NaturalCoordinates<D>::value_at_start(const LinearForm<D>& form) const {
  Vector sum = form.constant;
  for (const auto& term : form.terms) {
    sum += term.scale * entities_[term.entity].start;
    if constexpr (D == 2) sum += term.perp * perpendicular(entities_[term.entity].start);
  }
  return sum;
}

template <int D>
void NaturalCoordinates<D>::add_equation(Factors factors, LinearForm<D> a, LinearForm<D> b, double value,
                                         const std::string& name) {
  const auto drop_zeros = [](LinearForm<D>& form) {
    std::erase_if(form.terms, [](const auto& t) { return std::abs(t.scale) + std::abs(t.perp) < 1e-14; });
  };
  drop_zeros(a), drop_zeros(b);
  if (a.terms.empty() && b.terms.empty()) return;  // ground's own geometry
  // Scaled so that Phi is a cosine, or the error of a length where lengths are involved:
  // u1.u2 - c, d.u - c, (d.d - L^2) / (2 L), (d1.d2 - c) / max(L1, L2).
  const Vector a0 = value_at_start(a), b0 = value_at_start(b);
  const double size = std::max(a0.norm(), b0.norm());
  double scale = 1;
  if (factors == Factors::lengths && size > 0) scale = (a0 - b0).norm() < 1e-12 * size ? 0.5 / size : 1 / size;
  equations_.push_back({std::move(a), std::move(b), value, scale, factors != Factors::directions, name});
}

/// The scalar products of the basis directions, each once even when two bodies share both factors.
template <int D>
void NaturalCoordinates<D>::write_rigid_equations(int body) {
  const NaturalBody<D>& basis = bodies_[body];
  // A direction's canonical name: a vector, or the two points in rising order.
  const auto canonical = [&](int k) {
    const int e = basis.direction[k];
    if (entities_[e].is_vector) return std::vector<int>{-1, e};
    return std::vector<int>{std::min(e, basis.origin), std::max(e, basis.origin)};
  };
  for (int i = 0; i < NaturalBody<D>::kDirections; ++i) {
    for (int j = i; j < NaturalBody<D>::kDirections; ++j) {
      auto one = canonical(i), two = canonical(j);
      if (two < one) std::swap(one, two);
      one.insert(one.end(), two.begin(), two.end());
      if (!written_.insert(one).second) continue;
      const double value = basis.direction_local[i].dot(basis.direction_local[j]);
      const int vectors = entities_[basis.direction[i]].is_vector + entities_[basis.direction[j]].is_vector;
      const Factors factors = vectors == 2   ? Factors::directions
                              : vectors == 1 ? Factors::length_and_direction
                                             : Factors::lengths;
      add_equation(factors, direction_form(body, i), direction_form(body, j), value,
                   i == j ? fmt::format("{} length {}", body_name(body), i + 1)
                          : fmt::format("{} angle {}-{}", body_name(body), i + 1, j + 1));
    }
  }
}

/// What ties a shared point or vector to those bodies whose basis it is not part of.
template <int D>
void NaturalCoordinates<D>::write_node_equations(const Node& node) {
  // At this very place: a node that loops lead back to at another place of the same body is not covered by the basis.
  const auto in_basis = [&](int body, const Vector& local) {
    if (body == ground()) return true;
    const NaturalBody<D>& basis = bodies_[body];
    const double near = same_place(node.is_vector, local);
    if (basis.origin == node.entity && (basis.origin_local - local).norm() <= near) return true;
    const Vector from = node.is_vector ? Vector(Vector::Zero()) : basis.origin_local;
    for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
      if (basis.direction[k] == node.entity && (from + basis.direction_local[k] - local).norm() <= near) return true;
    }
    return false;
  };
  static const char* const kAxis[] = {" x", " y", " z"};
  const bool owned = node.entity >= 0;
  for (std::size_t i = owned ? 0 : 1; i < node.body.size(); ++i) {
    const int body = node.body[i];
    if (owned && in_basis(body, node.local[i])) continue;
    const std::string name = node.name + " on " + body_name(body);
    if (node.is_vector) {
      const LinearForm<D> vector = owned ? entity_form(node.entity) : direction(node.body[0], node.local[0]);
      // The vector is at right angles to those directions of the body that it is drawn at right angles to.
      if constexpr (D == 2) {
        add_equation(Factors::directions, vector, direction(body, perpendicular(node.local[i])), 0, name);
      } else {
        const Vec3 e1 = node.local[i].unitOrthogonal(), e2 = node.local[i].cross(e1);
        add_equation(Factors::directions, vector, direction(body, e1), 0, name + " 1");
        add_equation(Factors::directions, vector, direction(body, e2), 0, name + " 2");
      }
    } else {
      LinearForm<D> gap = point(body, node.local[i]);
      gap.add(owned ? entity_form(node.entity) : point(node.body[0], node.local[0]), -1);
      for (int axis = 0; axis < D; ++axis) {
        LinearForm<D> unit;
        unit.constant = Vector::Unit(axis);
        add_equation(Factors::length_and_direction, gap, unit, 0, name + kAxis[axis]);
      }
    }
  }
}

/// What sharing does not express.
template <int D>
void NaturalCoordinates<D>::write_joint_equations(const Joint& joint) {
  const MeasureFactory<D>& measures = model_.measures();
  const int b1 = measures.body_index(joint.body1), b2 = measures.body_index(joint.body2);
  const auto axis1 = [&](int i) {
    return direction(b1, measures.local_direction(joint.body1, joint.frame1.axes.col(i)));
  };
  const auto axis2 = [&](int i) {
    return direction(b2, measures.local_direction(joint.body2, joint.frame2.axes.col(i)));
  };
  LinearForm<D> line = point(b2, measures.local_point(joint.body2, joint.frame2.origin));
  line.add(point(b1, measures.local_point(joint.body1, joint.frame1.origin)), -1);
  static const char* const kAxis[] = {"x", "y", "z"};
  const JointEquations equations(joint.type, D == 2);
  // Two right angles come with a shared axis, the third with the others; all where all are shared.
  const bool shares_all = D == 2 ? equations.same_axis()
                                 : equations.same_axes() && (equations.same_point() || shares_axes_with_ground(joint));
  for (const JointEquation& e : equations) {
    switch (e.kind) {
      case JointEquation::Kind::position:
        if (!equations.same_point())
          add_equation(Factors::length_and_direction, line, axis1(e.axis1), 0,
                       joint.name + " position " + kAxis[e.axis1]);
        break;
      case JointEquation::Kind::right_angle:
        if (!shares_all && !(equations.same_axis() && e.axis2 == 2))
          add_equation(Factors::directions, axis1(e.axis1), axis2(e.axis2), 0,
                       joint.name + " direction " + kAxis[e.axis1] + "-" + kAxis[e.axis2]);
        break;
      case JointEquation::Kind::length:
        add_equation(Factors::lengths, line, line, joint.length * joint.length, joint.name + " length");
        break;
      case JointEquation::Kind::pitch:  // with measures: see ConstraintRows
        break;
    }
  }
}

template struct LinearForm<2>;
template struct LinearForm<3>;
template class NaturalCoordinates<2>;
template class NaturalCoordinates<3>;

}  // namespace cardan
