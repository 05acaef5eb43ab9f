// Natural coordinates of a mechanism (docs/theory/coordinates.md): points and unit vectors in inertial components,
// shared between the bodies that a joint connects. This file decides which points and vectors there are, which of them
// form each body's basis, and which equations remain. Everything is linear in the coordinates but for one kind of
// equation, a dot product.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "formulation/body_model.hpp"

namespace cardan {

/// A point or a unit vector.
template <int D>
struct Entity {
  bool is_vector = false;
  bool fixed = false;               // ground's: a constant
  int first = -1;                   // its first coordinate, when it is not fixed
  typename Space<D>::Vector start;  // value in the assembled configuration
  std::string name;
  // A point of a body that never turns is another point of it and a constant: it has that point's coordinates.
  int base = -1;  // that point, or -1
  typename Space<D>::Vector shift = Space<D>::Vector::Zero();
};

/// sum over entities of (scale I + perp P) entity + constant; P is the quarter turn of the plane and absent in space.
template <int D>
struct LinearForm {
  struct Term {
    int entity;
    double scale;
    double perp = 0;
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> terms;
  typename Space<D>::Vector constant = Space<D>::Vector::Zero();
  bool operator==(const LinearForm& other) const { return terms == other.terms && constant == other.constant; }

  LinearForm& add(const LinearForm& other, double factor);
};

/// scale (a . b - value) = 0
template <int D>
struct DotEquation {
  LinearForm<D> a, b;
  double value;
  double scale;
  bool is_length;  // Phi, as scaled
  std::string name;
};

/// One point p0 and D directions (in the plane one, with its quarter turn) that carry a body.
template <int D>
struct NaturalBody {
  static constexpr int kDirections = D == 2 ? 1 : 3;
  int origin = -1;                         // entity p0
  typename Space<D>::Vector origin_local;  // in body axes, from the mass centre
  int direction[kDirections];              // entity: a vector u, or a point p for p - p0
  typename Space<D>::Vector direction_local[kDirections];
  Eigen::Matrix<double, D, D> local_inverse;  // of the matrix of the directions in body axes (space)
};

template <int D>
class NaturalCoordinates {
 public:
  using Vector = typename Space<D>::Vector;
  NaturalCoordinates(const BodyModel<D>& model, const BodyKinematics<D>& assembled, double length);

  int coordinates() const { return coordinates_; }
  const std::vector<Entity<D>>& entities() const { return entities_; }
  const std::vector<NaturalBody<D>>& bodies() const { return bodies_; }
  const std::vector<DotEquation<D>>& equations() const { return equations_; }

  /// The entity whose coordinates an entity has: itself, or the point that it is shifted from.
  int base_of(int entity) const { return entities_[entity].base < 0 ? entity : entities_[entity].base; }

  /// A point of a body (in its axes, from its centre) and a direction of it, as forms; ground's are constants.
  LinearForm<D> point(int body, const Vector& local) const;
  LinearForm<D> direction(int body, const Vector& local) const;

 private:
  /// Joints drawn this close on one body share point or axis: relative to lengths, and never below their rounding.
  double same_place(bool is_vector, const Vector& local) const;

  /// A point or vector that bodies have in common where a joint connects them.
  struct Node {
    bool is_vector;
    std::vector<int> body;      // ground is bodies()
    std::vector<Vector> local;  // in the axes of each body
    int entity = -1;
    std::string name;
  };
  int node_of(bool is_vector, int body, const Vector& local, const std::string& name);
  void merge(int node, int other);
  int share(bool is_vector, int body1, const Vector& local1, int body2, const Vector& local2, const std::string& name);
  void share_by_joints();
  bool shares_axes_with_ground(const Joint& joint) const;
  void choose_basis(int body);
  /// What a body may take as a point or direction of its basis.
  struct Candidate {
    Node* node;
    Vector local;
    int rank;  // ground's come first, then those that are coordinates already, then by how many bodies share them
  };
  std::vector<Candidate> candidates_of(int body);
  int entity_of(const Candidate& candidate, int body);
  int own_entity(int body, bool is_vector, const Vector& local, const std::string& what);
  /// True for a body that has three of ground's axes.
  bool never_turns(int body) const;
  int make_shifted_entity(const Node& node, const Vector& start);
  int make_entity(bool is_vector, bool fixed, const Vector& start, const std::string& name);
  void write_rigid_equations(int body);
  void write_node_equations(const Node& node);
  void write_joint_equations(const Joint& joint);
  enum class Factors { directions, length_and_direction, lengths };
  void add_equation(Factors factors, LinearForm<D> a, LinearForm<D> b, double value, const std::string& name);
  LinearForm<D> entity_form(int entity) const;
  LinearForm<D> direction_form(int body, int k) const;
  Vector value_at_start(const LinearForm<D>& form) const;
  int ground() const { return model_.bodies(); }
  std::string body_name(int body) const;

  const BodyModel<D>& model_;
  const BodyKinematics<D>& assembled_;
  const double length_;
  std::vector<Node> nodes_;
  std::vector<Entity<D>> entities_;
  std::vector<NaturalBody<D>> bodies_;
  std::vector<DotEquation<D>> equations_;
  std::set<std::vector<int>> written_;  // canonical names of the rigid equations so far
  int coordinates_ = 0;
};

}  // namespace cardan
