#include "formulation/natural/natural_coordinates.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace cardan {
namespace {

constexpr double kSamePlace = 1e-9;  // relative: joints drawn this close on one body share their point or axis

}  // namespace

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
NaturalCoordinates<D>::NaturalCoordinates(const BodyModel<D>& model, const BodyKinematics<D>& assembled)
    : model_(model), assembled_(assembled), bodies_(model.bodies()) {
  share_by_joints();
  // Ground's points and vectors are constants and cost nothing, so they are entities from the start.
  for (Node& node : nodes_) {
    const auto found = std::find(node.body.begin(), node.body.end(), ground());
    if (found == node.body.end()) continue;
    node.entity = make_entity(node.is_vector, true, node.local[found - node.body.begin()], node.name);
  }
  // Bodies that slide on ground first: what others share with them then needs no coordinates of its own.
  for (int b = 0; b < model_.bodies(); ++b) {
    if (never_turns(b)) choose_basis(b);
  }
  for (int b = 0; b < model_.bodies(); ++b) {
    if (!never_turns(b)) choose_basis(b);
  }
  for (int b = 0; b < model_.bodies(); ++b) write_rigid_equations(b);
  for (const Node& node : nodes_) write_node_equations(node);
  for (const Joint& joint : model_.mechanism().joints) {
    if (!joint.switched) write_joint_equations(joint);
  }
}

template <int D>
std::string NaturalCoordinates<D>::body_name(int body) const {
  return model_.mechanism().body_name(body == ground() ? kGround : body);
}

template <int D>
int NaturalCoordinates<D>::node_of(bool is_vector, int body, const Vector& local, const std::string& name) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].is_vector != is_vector) continue;
    for (std::size_t i = 0; i < nodes_[n].body.size(); ++i) {
      if (nodes_[n].body[i] == body && (nodes_[n].local[i] - local).norm() <= kSamePlace * (1 + local.norm())) {
        return static_cast<int>(n);
      }
    }
  }
  nodes_.push_back({is_vector, {body}, {local}, -1, name});
  return static_cast<int>(nodes_.size()) - 1;
}

template <int D>
void NaturalCoordinates<D>::merge(int node, int other) {
  if (node == other) return;
  Node &kept = nodes_[std::min(node, other)], &gone = nodes_[std::max(node, other)];
  for (std::size_t i = 0; i < gone.body.size(); ++i) {
    kept.body.push_back(gone.body[i]);
    kept.local.push_back(gone.local[i]);
  }
  nodes_.erase(nodes_.begin() + std::max(node, other));
}

template <int D>
int NaturalCoordinates<D>::share(bool is_vector, int body1, const Vector& local1, int body2, const Vector& local2,
                                 const std::string& name) {
  const int one = node_of(is_vector, body1, local1, name), two = node_of(is_vector, body2, local2, name);
  // A body that would hold one node at two places (a joint that folds back on itself) keeps them apart.
  merge(one, two);
  return std::min(one, two);
}

template <int D>
void NaturalCoordinates<D>::share_by_joints() {
  const MeasureFactory<D>& measures = model_.measures();
  for (const Joint& joint : model_.mechanism().joints) {
    if (joint.switched) continue;  // its equations are written with measures
    const int b1 = measures.body_index(joint.body1), b2 = measures.body_index(joint.body2);
    const auto share_point = [&] {
      share(false, b1, measures.local_point(joint.body1, joint.frame1.origin), b2,
            measures.local_point(joint.body2, joint.frame2.origin), joint.name);
    };
    const auto share_axis = [&](int axis) {
      const Vector one = measures.local_direction(joint.body1, joint.frame1.axes.col(axis));
      Vector two = measures.local_direction(joint.body2, joint.frame2.axes.col(axis));
      // Axes drawn half a turn off stay so.
      if ((assembled_.rotation[b1] * one).dot(assembled_.rotation[b2] * two) < 0) two = -two;
      share(true, b1, one, b2, two, joint.name + " axis");
    };
    switch (joint.type) {
      case JointType::revolute:
        share_point();
        if (D == 3) share_axis(2);
        break;
      case JointType::prismatic:
        // A body that slides on ground never turns: ground's constant axes are its own.
        share_axis(D == 2 ? 0 : 2);
        if (D == 3 && (b1 == ground() || b2 == ground())) share_axis(0), share_axis(1);
        break;
      case JointType::cylindrical:
      case JointType::screw:
        share_axis(2);
        break;
      case JointType::parallel:
        share_axis(D == 2 ? 0 : 2);
        break;
      case JointType::universal:
        share_point();
        node_of(true, b1, measures.local_direction(joint.body1, joint.frame1.axes.col(0)), joint.name + " axis 1");
        node_of(true, b2, measures.local_direction(joint.body2, joint.frame2.axes.col(1)), joint.name + " axis 2");
        break;
      case JointType::spherical:
        share_point();
        break;
      case JointType::planar:
        if (D == 3) share_axis(2);
        break;
      case JointType::fixed:
        share_point(), share_axis(0);
        if (D == 3) share_axis(1);
        break;
      default:
        break;
    }
  }
}

template <int D>
int NaturalCoordinates<D>::make_entity(bool is_vector, bool fixed, const Vector& start, const std::string& name) {
  Entity<D> entity{is_vector, fixed, -1, start, name};
  if (!fixed) {
    entity.first = coordinates_;
    coordinates_ += D;
  }
  entities_.push_back(entity);
  return static_cast<int>(entities_.size()) - 1;
}

template <int D>
bool NaturalCoordinates<D>::never_turns(int body) const {
  int axes = 0;
  for (const Node& node : nodes_) {
    if (!node.is_vector || node.entity < 0 || !entities_[node.entity].fixed) continue;
    axes += static_cast<int>(std::count(node.body.begin(), node.body.end(), body));
  }
  return D == 3 && axes >= 3;
}

/// A point of a body that never turns, in terms of its origin; -1 when the node is on no such body.
template <int D>
int NaturalCoordinates<D>::make_shifted_entity(const Node& node, const Vector& start) {
  for (const int other : node.body) {
    if (node.is_vector || other == ground() || bodies_[other].origin < 0 || !never_turns(other)) continue;
    Entity<D> entity = entities_[bodies_[other].origin];
    if (entity.fixed || entity.base >= 0) continue;
    entity.base = bodies_[other].origin;
    entity.shift = start - entity.start;
    entity.start = start;
    entity.name = node.name;
    entities_.push_back(entity);
    return static_cast<int>(entities_.size()) - 1;
  }
  return -1;
}

/// Takes the body's basis from what it shares, ground's first, then what most bodies share; adds what is missing.
template <int D>
void NaturalCoordinates<D>::choose_basis(int body) {
  NaturalBody<D>& basis = bodies_[body];
  struct Candidate {
    Node* node;
    Vector local;
    int rank;  // ground's come first, then those that are coordinates already, then by the number of bodies that share
               // it
  };
  std::vector<Candidate> candidates;
  for (Node& node : nodes_) {
    for (std::size_t i = 0; i < node.body.size(); ++i) {
      if (node.body[i] != body) continue;
      const bool fixed = node.entity >= 0 && entities_[node.entity].fixed;
      candidates.push_back({&node, node.local[i],
                            fixed              ? 1000
                            : node.entity >= 0 ? 500
                                               : static_cast<int>(node.body.size())});
    }
  }
  const auto entity_of = [&](const Candidate& c) {
    if (c.node->entity < 0) {
      const Vector turned = assembled_.rotation[body] * c.local;
      const Vector start = c.node->is_vector ? turned : Vector(assembled_.center[body] + turned);
      c.node->entity = make_shifted_entity(*c.node, start);
      if (c.node->entity < 0) c.node->entity = make_entity(c.node->is_vector, false, start, c.node->name);
    }
    return c.node->entity;
  };
  const auto own = [&](bool is_vector, const Vector& local, const std::string& what) {
    const Vector turned = assembled_.rotation[body] * local;
    return make_entity(is_vector, false, is_vector ? turned : Vector(assembled_.center[body] + turned),
                       body_name(body) + what);
  };

  double size = 0;
  const Candidate* origin = nullptr;
  for (const Candidate& c : candidates) {
    if (c.node->is_vector) continue;
    size = std::max(size, c.local.norm());
    if (!origin || c.rank > origin->rank) origin = &c;
  }
  basis.origin = origin ? entity_of(*origin) : own(false, Vector::Zero(), " centre");
  basis.origin_local = origin ? origin->local : Vector(Vector::Zero());

  Eigen::Matrix<double, D, D> directions = Eigen::Matrix<double, D, D>::Identity();
  Eigen::Matrix<double, D, Eigen::Dynamic> taken(D, 0);  // orthonormal
  for (int k = 0; k < NaturalBody<D>::kDirections; ++k) {
    const Candidate* best = nullptr;
    double best_score = 0;
    Vector best_direction;
    for (const Candidate& c : candidates) {
      Vector d = c.local;
      if (!c.node->is_vector) {
        d -= basis.origin_local;
        if (d.norm() <= 0.02 * size) continue;  // too near to tell a direction
      }
      const Vector unit = d.normalized();
      const double independent = (unit - taken * (taken.transpose() * unit)).norm();
      if (independent < 0.2) continue;
      const double score = c.rank + independent;
      if (!best || score > best_score) best = &c, best_score = score, best_direction = d;
    }
    if (best) {
      basis.direction[k] = entity_of(*best);
    } else {
      // An own unit vector at right angles to those taken.
      Vector d = Vector::Zero();
      for (int i = 0; i < D; ++i) {
        const Vector e = Vector::Unit(i), rest = e - taken * (taken.transpose() * e);
        if (rest.norm() > d.norm()) d = rest;
      }
      best_direction = d.normalized();
      basis.direction[k] = own(true, best_direction, " direction");
    }
    basis.direction_local[k] = best_direction;
    directions.col(k) = best_direction;
    Vector rest = best_direction.normalized();
    rest -= taken * (taken.transpose() * rest);
    taken.conservativeResize(D, taken.cols() + 1);
    taken.col(taken.cols() - 1) = rest.normalized();
  }
  if constexpr (D == 2) directions.col(1) = perpendicular(directions.col(0));
  basis.local_inverse = directions.inverse();
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
void NaturalCoordinates<D>::add_equation(LinearForm<D> a, LinearForm<D> b, double value, const std::string& name) {
  const auto drop_zeros = [](LinearForm<D>& form) {
    std::erase_if(form.terms, [](const auto& t) { return std::abs(t.scale) + std::abs(t.perp) < 1e-14; });
  };
  drop_zeros(a), drop_zeros(b);
  if (a.terms.empty() && b.terms.empty()) return;  // ground's own geometry
  // Scaled so that Phi is the error of a length where one factor is a unit vector or both are the same, else of an
  // angle times a length: (d.d - L^2) / (2 L), d.u - c, (d1.d2 - c) / max(L1, L2).
  const Vector a0 = value_at_start(a), b0 = value_at_start(b);
  const double size = std::max(a0.norm(), b0.norm());
  const double scale = (a0 - b0).norm() < 1e-12 * size ? 0.5 / size : size > 1 ? 1 / size : 1;
  equations_.push_back({std::move(a), std::move(b), value, scale, name});
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
      if (std::find(written_.begin(), written_.end(), one) != written_.end()) continue;
      written_.push_back(one);
      const double value = basis.direction_local[i].dot(basis.direction_local[j]);
      add_equation(direction_form(body, i), direction_form(body, j), value,
                   body_name(body) + (i == j ? " length " : " angle ") + std::to_string(i + 1) +
                       (i == j ? "" : "-" + std::to_string(j + 1)));
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
    const double near = kSamePlace * (1 + local.norm());
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
        add_equation(vector, direction(body, perpendicular(node.local[i])), 0, name);
      } else {
        const Vec3 e1 = node.local[i].unitOrthogonal(), e2 = node.local[i].cross(e1);
        add_equation(vector, direction(body, e1), 0, name + " 1");
        add_equation(vector, direction(body, e2), 0, name + " 2");
      }
    } else {
      LinearForm<D> gap = point(body, node.local[i]);
      gap.add(owned ? entity_form(node.entity) : point(node.body[0], node.local[0]), -1);
      for (int axis = 0; axis < D; ++axis) {
        LinearForm<D> unit;
        unit.constant = Vector::Unit(axis);
        add_equation(gap, unit, 0, name + kAxis[axis]);
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
  switch (joint.type) {
    case JointType::distance:
      add_equation(line, line, joint.length * joint.length, joint.name + " length");
      break;
    case JointType::prismatic:
      add_equation(line, axis1(D == 2 ? 1 : 0), 0, joint.name + " position");
      if (D == 3) {
        add_equation(line, axis1(1), 0, joint.name + " position 2");
        if (b1 != ground() && b2 != ground()) add_equation(axis1(0), axis2(1), 0, joint.name + " angle");
      }
      break;
    case JointType::point_on_line:
      if (D == 2) {
        add_equation(line, axis1(1), 0, joint.name + " position");
        break;
      }
      [[fallthrough]];
    case JointType::cylindrical:
    case JointType::screw:
      add_equation(line, axis1(0), 0, joint.name + " position 1");
      add_equation(line, axis1(1), 0, joint.name + " position 2");
      break;
    case JointType::universal:
    case JointType::perpendicular:
      add_equation(axis1(0), axis2(1), 0, joint.name + " right angle");
      break;
    case JointType::planar:
    case JointType::point_on_plane:
      if (D == 3) add_equation(line, axis1(2), 0, joint.name + " height");
      break;
    default:
      break;
  }
}

template struct LinearForm<2>;
template struct LinearForm<3>;
template class NaturalCoordinates<2>;
template class NaturalCoordinates<3>;

}  // namespace cardan
