// Reactions that are unique, by a sweep over a spanning tree from the leaves to ground: the joint that carries a body
// must make up for what the body and all that hangs on it want, less what other constraints give them. With N_i the
// motions (twists) that the joints of the tree allow, W_c the wrenches of the other constraints, of cut joints,
// couplers and drivers, and F_i the sum of what is wanted beyond motion i, the multipliers are those of
//     J^T lambda = r,   J_ci = +-N_i . W_c on the way between the bodies of c,   r_i = N_i . F_i
// a small system, where reactions.hpp has one of all constraints. Independent of the formulation.
#pragma once

#include <memory>

#include "formulation/constraint_rows.hpp"
#include "math/linear_solver.hpp"
#include "mechanism/spanning_tree.hpp"

namespace cardan {

template <int D>
class ReactionSweep {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;

  ReactionSweep(const BodyModel<D>& model, const SpanningTree& tree, double length);

  /// `wanted`: of every body and ground, about the inertial origin; what is left of it afterwards has no meaning.
  /// Writes the wrenches with which joints act on their second bodies. False where the multipliers cannot be found.
  /// Does not allocate.
  bool solve(double t, const BodyKinematics<D>& k, const VecX& attached, std::vector<Twist>& wanted,
             std::vector<Twist>& joint_wrench);
  /// Of cut joints, then of couplers, drivers, discs and velocities.
  const VecX& multipliers() const { return multiplier_; }

 private:
  /// A motion of the second body of a joint relative to the first: along an axis that one of them carries, or about it
  /// through the joint's point on body 2, or both as a screw.
  struct Motion {
    Vector axis;  // in the axes of its body
    int body;     // that carries it
    bool angular;
    double lead;  // along the axis for a unit of the angle
  };
  struct Link {
    int body, parent, joint;
    bool reversed;    // the joint's second body is the parent
    int second;       // the joint's second body
    Vector point;     // of the joint on it
    int first, last;  // range in motions_
  };
  /// Where the motions between the bodies of a term stand in its row of J.
  struct Place {
    int link, at;  // the first of its motions
    double sign;
  };
  void add_link(const TreeLink& link);
  void add_rows(const SpanningTree& tree);
  void find_columns(const BodyKinematics<D>& k);
  void fill(double t, const BodyKinematics<D>& k, const std::vector<Twist>& wanted);
  bool factorize();
  bool find_multipliers();
  /// Without what acts along the motions of the joint.
  Twist without_motions(const Link& link, const BodyKinematics<D>& k, const Twist& wrench) const;

  const BodyModel<D>& model_;
  double length_;
  std::vector<Link> links_;
  std::vector<Motion> motions_;
  std::vector<int> link_of_;  // body -> link
  ConstraintRows<D> rows_;
  std::vector<int> joint_of_;               // of every row; -1: a coupler or driver
  std::vector<std::vector<Place>> places_;  // of every term
  RowPattern J_;                            // rows by motions
  SymmetricPattern pattern_;                // of J J^T
  /// Two entries of J in one column, and where their product goes.
  struct Coupling {
    int one, two, slot;
  };
  std::vector<Coupling> couplings_;
  std::unique_ptr<LinearSolver> solver_;
  std::vector<Twist> gradient_;  // of every term
  std::vector<Twist> column_;    // N of every motion
  std::vector<Twist> beyond_;    // of every body: wanted by it and all that hangs on it
  VecX values_;                  // of J
  VecX squares_;                 // of J J^T
  VecX given_, rest_;            // r, and what is left of it
  VecX multiplier_, correction_;
};

}  // namespace cardan
