// `hybrid`: dependent relative coordinates. The tree of tree_motion.hpp plus the cut joints and drivers as constraints,
// written at the cut with measures between the two bodies, Phi_z from the paths up to their common ancestor only.
#pragma once

#include "formulation/formulation.hpp"
#include "formulation/relative/tree_motion.hpp"

namespace cardan {

template <int D>
class RelativeFormulation final : public BodyFormulation<D> {
 public:
  using Twist = typename Space<D>::Twist;
  struct Work final : Workspace {
    typename TreeMotion<D>::Buffers tree;
    double t = 0;
    VecX z;                               // of the last position() call
    const VecX* memory = nullptr;         // of the state given to it
    std::vector<Measure<D>> constraints;  // as the state given to it holds them
    std::vector<Twist> gradient;          // position level: W of every constraint
    std::vector<Twist> load_gradient;     // dynamics: W of every load row
    Work(const Structure& structure, const TreeMotion<D>& tree, const std::vector<Measure<D>>& constraints,
         std::size_t loads);
  };

  RelativeFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled, const SpanningTree& tree,
                      double length);

  std::unique_ptr<Workspace> make_workspace() const override;
  void start(State& state, Workspace& work) const override;
  StepStatus position(double t, const VecX& q, const State& reference, Workspace& work) const override;
  void velocity(const VecX& v, Workspace& work) const override;
  void gamma(Workspace& work) const override;
  void dynamics(Workspace& work) const override;
  StepStatus accept(const State& before, State& state, Workspace& work) const override;
  BodyKinematics<D>& kinematics(Workspace& work) const override;
  void accelerations(const VecX& acceleration, Workspace& work) const override;

  const std::vector<int>& cut_joints() const { return cut_; }
  int memory_size() const;

 private:
  using BodyFormulation<D>::model_;
  using Formulation::structure_;

  BodyKinematics<D> assembled_;
  TreeMotion<D> tree_;
  std::vector<int> cut_;
  std::vector<Measure<D>> constraints_;  // closures first, then drivers; held ones as drawn
  HeldRows<D> held_;
  int closures_ = 0;
  std::vector<typename TreeMotion<D>::Span> constraint_spans_, load_spans_;
};

}  // namespace cardan
