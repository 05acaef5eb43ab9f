#include "formulation/natural/natural_coordinates.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "mechanism/joint_types.hpp"

namespace cardan {

template <int D>
NaturalCoordinates<D>::NaturalCoordinates(const BodyModel<D>& model, const BodyKinematics<D>& assembled, double length)
    : model_(model), assembled_(assembled), length_(length), bodies_(model.bodies()) {
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
double NaturalCoordinates<D>::same_place(bool is_vector, const Vector& local) const {
  constexpr double close = 1e-9, roundings = 32;
  const double near = std::max(close, roundings * model_.rounding(length_));
  return near * (is_vector ? 1 : length_ + local.norm());
}

template <int D>
int NaturalCoordinates<D>::node_of(bool is_vector, int body, const Vector& local, const std::string& name) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].is_vector != is_vector) continue;
    for (std::size_t i = 0; i < nodes_[n].body.size(); ++i) {
      if (nodes_[n].body[i] == body && (nodes_[n].local[i] - local).norm() <= same_place(is_vector, local)) {
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
    const JointEquations equations(joint.type, D == 2);
    if (equations.same_point()) share_point();
    if (D == 3 && equations.same_axes() && equations.same_point()) {
      share_axis(0), share_axis(1);
    } else if (equations.same_axis()) {
      share_axis(D == 2 ? 0 : 2);
      // A body that slides on ground never turns: ground's constant axes are its own.
      if (shares_axes_with_ground(joint)) share_axis(0), share_axis(1);
    } else if (equations.same_point()) {
      for (const JointEquation& e : equations) {
        if (e.kind != JointEquation::Kind::right_angle) continue;
        node_of(true, b1, measures.local_direction(joint.body1, joint.frame1.axes.col(e.axis1)),
                joint.name + " axis 1");
        node_of(true, b2, measures.local_direction(joint.body2, joint.frame2.axes.col(e.axis2)),
                joint.name + " axis 2");
      }
    }
  }
}

template <int D>
bool NaturalCoordinates<D>::shares_axes_with_ground(const Joint& joint) const {
  return D == 3 && JointEquations(joint.type, false).same_axes() && (joint.body1 == kGround || joint.body2 == kGround);
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

template <int D>
std::vector<typename NaturalCoordinates<D>::Candidate> NaturalCoordinates<D>::candidates_of(int body) {
  std::vector<Candidate> candidates;
  for (Node& node : nodes_) {
    for (std::size_t i = 0; i < node.body.size(); ++i) {
      if (node.body[i] != body) continue;
      const bool known = node.entity >= 0, fixed = known && entities_[node.entity].fixed;
      const int rank = fixed ? 1000 : known ? 500 : static_cast<int>(node.body.size());
      candidates.push_back({&node, node.local[i], rank});
    }
  }
  return candidates;
}

template <int D>
int NaturalCoordinates<D>::entity_of(const Candidate& c, int body) {
  if (c.node->entity < 0) {
    const Vector turned = assembled_.rotation[body] * c.local;
    const Vector start = c.node->is_vector ? turned : Vector(assembled_.center[body] + turned);
    c.node->entity = make_shifted_entity(*c.node, start);
    if (c.node->entity < 0) c.node->entity = make_entity(c.node->is_vector, false, start, c.node->name);
  }
  return c.node->entity;
}

template <int D>
int NaturalCoordinates<D>::own_entity(int body, bool is_vector, const Vector& local, const std::string& what) {
  const Vector turned = assembled_.rotation[body] * local;
  return make_entity(is_vector, false, is_vector ? turned : Vector(assembled_.center[body] + turned),
                     body_name(body) + what);
}

/// Takes the body's basis from what it shares, ground's first, then what most bodies share; adds what is missing.
template <int D>
void NaturalCoordinates<D>::choose_basis(int body) {
  NaturalBody<D>& basis = bodies_[body];
  const std::vector<Candidate> candidates = candidates_of(body);
  double size = 0;
  const Candidate* origin = nullptr;
  for (const Candidate& c : candidates) {
    if (c.node->is_vector) continue;
    size = std::max(size, c.local.norm());
    if (!origin || c.rank > origin->rank) origin = &c;
  }
  basis.origin = origin ? entity_of(*origin, body) : own_entity(body, false, Vector::Zero(), " centre");
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
      basis.direction[k] = entity_of(*best, body);
    } else {
      // An own unit vector at right angles to those taken.
      Vector d = Vector::Zero();
      for (int i = 0; i < D; ++i) {
        const Vector e = Vector::Unit(i), rest = e - taken * (taken.transpose() * e);
        if (rest.norm() > d.norm()) d = rest;
      }
      best_direction = d.normalized();
      basis.direction[k] = own_entity(body, true, best_direction, " direction");
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

template class NaturalCoordinates<2>;
template class NaturalCoordinates<3>;

}  // namespace cardan
