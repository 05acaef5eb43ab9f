// Reactions of joints and efforts of drivers from the equilibrium of every body: the wrenches of all constraints must
// make up for the rate of momentum less the applied loads. Independent of the formulation; least squares of minimum
// norm where redundant constraints leave the reactions open.
#pragma once

#include <memory>

#include "formulation/body_model.hpp"
#include "math/linear_solver.hpp"

namespace cardan {

template <int D>
class ReactionAnalysis {
 public:
  using S = Space<D>;
  using Twist = typename S::Twist;
  explicit ReactionAnalysis(const BodyModel<D>& model, const BodyKinematics<D>& assembled, double length);

  /// From poses, twists, accelerations, the applied wrenches and what joints hold (State::attached). Does not allocate.
  void solve(const BodyKinematics<D>& k, const std::vector<Twist>& applied, const VecX& attached = {});

  /// The wrench about the inertial origin with which a joint acts on its second body.
  const Twist& joint_wrench(int joint) const { return joint_wrench_[joint]; }
  /// The generalized force with which a driver acts on its measure.
  double driver_effort(int driver) const { return multiplier_[first_driver_ + driver]; }
  /// Joints whose reactions are not unique, by name.
  const std::vector<std::string>& open_joints() const { return open_joints_; }

 private:
  void fill_matrix(const BodyKinematics<D>& k);
  double entry_product(int row1, int row2) const;

  const BodyModel<D>& model_;
  double length_;
  struct Row {
    Measure<D> measure;
    int joint;  // -1: a driver
  };
  std::vector<Row> rows_;
  HeldRows<D> held_;
  int first_driver_ = 0;
  SymmetricPattern pattern_;
  struct Coupling {
    int row1, row2, slot, body;
    double sign;
  };
  std::vector<Coupling> couplings_;
  std::unique_ptr<LinearSolver> solver_;
  std::vector<Twist> gradient_, gradient_at_[2];  // W of every row, and about the centres of body 2 and body 1
  std::vector<Twist> wanted_, rest_;              // of every body, about its centre
  VecX values_, multiplier_, rhs_;
  std::vector<Twist> joint_wrench_;
  std::vector<std::string> open_joints_;
};

}  // namespace cardan
