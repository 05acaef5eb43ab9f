// Reactions of joints and constraints and efforts of couplers and drivers from the equilibrium of every body: the
// wrenches of all constraints must make up for the rate of momentum less the applied loads. Independent of the
// formulation; by a sweep over a tree (reaction_sweep.hpp) where they are unique, else least squares of minimum norm.
#pragma once

#include <memory>

#include "formulation/constraint_rows.hpp"
#include "math/linear_solver.hpp"
#include "system/reaction_sweep.hpp"

namespace cardan {

template <int D>
class ReactionAnalysis {
 public:
  using S = Space<D>;
  using Twist = typename S::Twist;
  /// Not `wanted`: nothing is prepared, and solve() must not be called. Not `by_sweep`: by least squares in any case.
  ReactionAnalysis(const BodyModel<D>& model, const BodyKinematics<D>& assembled, double length, bool wanted = true,
                   bool by_sweep = true);

  /// From time, poses, twists, accelerations, the applied wrenches and what joints hold (Context::attached). Does not
  /// allocate.
  void solve(double t, const BodyKinematics<D>& k, const std::vector<Twist>& applied, const VecX& attached = {});

  /// The wrench about the inertial origin with which a joint acts on its second body.
  const Twist& joint_wrench(int joint) const { return joint_wrench_[joint]; }
  /// The generalized force with which a driver acts on its measure.
  double driver_effort(int driver) const { return multiplier_[first_driver_ + driver]; }
  /// The generalized force with which a coupler acts on its second coordinate.
  double coupler_effort(int coupler) const { return multiplier_[first_coupler_ + coupler]; }
  /// With which a knife edge pushes its body along its axis, N.
  double edge_force(int edge) const { return multiplier_[first_velocity_ + edge]; }
  /// With which its plane pushes a disc along the normal.
  double disc_load(int disc) const { return multiplier_[first_disc_ + disc]; }
  /// The velocity constraint of a disc, by its place among those of all discs.
  double disc_force(int velocity) const {
    return multiplier_[first_velocity_ + static_cast<int>(model_.mechanism().knife_edges.size()) + velocity];
  }
  /// Joints whose reactions are not unique, by name.
  const std::vector<std::string>& open_joints() const { return open_joints_; }

 private:
  void lay_out();
  /// Answers whether all reactions are unique.
  bool find_open_joints();
  void prepare_sweep();
  void solve_all(double t, const BodyKinematics<D>& k);
  void fill_matrix(double t, const BodyKinematics<D>& k);
  const BodyModel<D>& model_;
  double length_;
  ConstraintRows<D> rows_;
  std::vector<int> joint_of_;  // of every row; -1: a coupler or driver
  int first_coupler_ = 0, first_driver_ = 0, first_disc_ = 0, first_velocity_ = 0;
  /// What a row does to one of its bodies.
  struct End {
    int row, body;
  };
  std::vector<End> ends_;
  struct TermEnds {
    int end1, end2;  // of the term's bodies in ends_; -1: ground
  };
  std::vector<TermEnds> term_ends_;
  SymmetricPattern pattern_;
  struct Coupling {
    int end1, end2, slot;
  };
  std::vector<Coupling> couplings_;
  std::unique_ptr<LinearSolver> solver_;
  std::vector<Twist> gradient_;       // W of every term
  std::vector<Twist> end_gradient_;   // of every end: with sign and weight, about the body's centre
  std::vector<Twist> wanted_, rest_;  // of every body, about the inertial origin, and about its centre
  VecX values_, multiplier_, rhs_;
  std::vector<Twist> joint_wrench_;
  std::vector<std::string> open_joints_;
  std::unique_ptr<ReactionSweep<D>> sweep_;  // or null
};

}  // namespace cardan
