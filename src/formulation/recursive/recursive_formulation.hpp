// `recursive`: relative coordinates of the spanning tree, as in hybrid, but with accelerations from articulated-body
// sweeps in time proportional to the number of bodies. Loop closures and drivers act as wrenches on the bodies; their
// multipliers are found by whoever integrates (integration/loop_multipliers.hpp). There is no M and no Phi_q here: see
// DirectDynamics.
#pragma once

#include "formulation/constraint_rows.hpp"
#include "formulation/direct_dynamics.hpp"
#include "formulation/formulation.hpp"
#include "formulation/recursive/articulated_tree.hpp"

namespace cardan {

template <int D>
class RecursiveFormulation final : public BodyFormulation<D>, public DirectDynamics {
 public:
  using Twist = typename Space<D>::Twist;
  struct Work final : Workspace {
    typename ArticulatedTree<D>::Buffers tree;
    BodyKinematics<D> kinematics;  // filled where loads or constraints look at bodies, otherwise when asked for
    bool poses_in_view = false, twists_in_view = false;  // kinematics are those of the last position(), velocity()
    double t = 0;
    VecX z;                         // of the last position()
    const VecX* memory = nullptr;   // of the state given to position()
    VecX turns;                     // position level: what angles are continued from, see BodyModel::predict_turns()
    ConstraintRows<D> constraints;  // as the state given to position() holds them
    std::vector<Twist> gradient;    // position level: W of every term of the constraints
    VecX curvature;                 // velocity level: W' . (Z2 - Z1) of every constraint, less the driver's part
    std::vector<Twist> wrench;      // applied and of constraints, about the inertial origin
    Work(const Structure& structure, const ArticulatedTree<D>& tree, int bodies, const ConstraintRows<D>& constraints);
  };

  RecursiveFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled, const SpanningTree& tree,
                       double length);

  std::unique_ptr<Workspace> make_workspace() const override;
  void start(State& state, Workspace& work) const override;
  StepStatus position(double t, const VecX& q, const State& reference, Workspace& work) const override;
  void velocity(const VecX& v, Workspace& work) const override;
  void gamma(Workspace&) const override {}
  void dynamics(Workspace&) const override {}
  StepStatus accept(const State& before, State& state, Workspace& work) const override;
  BodyKinematics<D>& kinematics(Workspace& work) const override;
  BodyKinematics<D>& bodies(Workspace& work) const override { return static_cast<Work&>(work).kinematics; }
  void accelerations(const VecX& acceleration, Workspace& work) const override;

  int accelerate(const VecX& lambda, Workspace& work, VecX& a) const override;
  void compliance(Workspace& work, VecX& triangle) const override;
  SparseRows constraint_rows(Workspace& work) const override;
  void respond(const VecX& change, Workspace& work, VecX& a) const override;
  void constraint_rates(Workspace& work, VecX& rate) const override;
  void constraint_accelerations(Workspace& work, VecX& second) const override;

 private:
  using BodyFormulation<D>::model_;
  using Formulation::structure_;

  void view_poses(Work& w) const;
  void view_twists(Work& w) const;
  void add_rotors(const SpanningTree& tree);
  void add_constraint_wrenches(const VecX& lambda, Work& w) const;
  /// wrench += factor W of the row on its bodies
  void add_wrenches(int row, double factor, Work& w) const;
  /// W . (rate of body 2 - rate of body 1) of the row, rates of the bodies' twists given by `rate_of`
  template <class Rate>
  double along(int row, const Work& w, const Rate& rate_of) const;

  BodyKinematics<D> assembled_;
  TreeMotion<D> motion_;
  ArticulatedTree<D> tree_;
  ConstraintRows<D> constraints_;  // closures first, then couplers, then drivers
  bool looks_at_bodies_ = false;   // there are constraints or loads
};

}  // namespace cardan
