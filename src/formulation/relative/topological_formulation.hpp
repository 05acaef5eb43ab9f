// `topological`: independent relative coordinates. A second velocity transformation z' = R zi' + s, Phi_z R = 0, takes
// the constraints out: R^T M R zi'' = R^T (Q - M c), c the accelerations at zi'' = 0. Dependent positions come from
// Newton on Phi(z) = 0. Which coordinates are independent changes on the way, so zi counts each of them in units of its
// scale: angles in rad, translations in sizes of the mechanism. Constraints on velocities stay, as B R zi' = ...: they
// are all that this formulation has. The split is watched and renewed; at a true singularity
// the method ends with an error, by its nature.
#pragma once

#include "formulation/relative/relative_formulation.hpp"
#include "formulation/relative/velocity_transformation.hpp"

namespace cardan {

template <int D>
class TopologicalFormulation final : public BodyFormulation<D>, public KeptAccelerations, public SweptForces {
 public:
  struct Work final : Workspace {
    std::unique_ptr<Workspace> relative;
    Partition partition;
    VelocityTransformation R;
    bool fresh = true;        // no position has been found in this step yet
    bool tangential = false;  // z and R are of one position, at the time t
    bool open = false;        // there the loops are not closed but to what an iteration needs
    double t = 0;
    VecX z, v, bias;        // the full set: positions, velocities, accelerations at zi'' = 0; n
    VecX drift;             // s of z' = R zi' + s, n
    VecX moved;             // f, within move()
    VecX product, swept;    // n
    VecX dependent;         // rank
    double end = 0;         // time at the end of the last step
    VecX end_z, end_v;      // the full set there, counted as at its start; n
    State full;             // the full set as a state, for accept()
    std::string complaint;  // reserved at the start; written when a step fails
    Work(const Structure& own, const ReducedStructure& reduced, std::unique_ptr<Workspace> work);
  };

  /// How many constraints are independent is found in the assembled position, or in the state of full() that `sample`
  /// gives.
  TopologicalFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled,
                         const SpanningTree& tree, double length, const State* sample = nullptr);

  std::unique_ptr<Workspace> make_workspace() const override;
  void start(State& state, Workspace& work) const override;
  StepStatus position(double t, const VecX& q, const State& reference, Workspace& work) const override;
  void velocity(const VecX& v, Workspace& work) const override;
  void gamma(Workspace& work) const override;
  void dynamics(Workspace& work) const override;
  void sweep(const VecX& a, Workspace& work, VecX& result) const override;
  bool has_accelerations(const Workspace& work) const override {
    return relative_.has_accelerations(*static_cast<const Work&>(work).relative);
  }
  void project(std::vector<typename Space<D>::Twist>& wrenches, Workspace& work, double* force) const override;
  StepStatus accept(const State& before, State& state, Workspace& work) const override;
  void between(const State& before, State& state, Workspace& work) const override;
  bool prepare(State& state, bool failed, Workspace& work) const override;
  const Formulation& full() const override { return relative_; }
  Workspace& full_workspace(Workspace& work) const override { return *static_cast<Work&>(work).relative; }
  void leave(const State& state, State& full, Workspace& work) const override;
  void enter(const State& full, State& state, Workspace& work) const override;
  std::string complaint(const Workspace& work) const override;
  BodyKinematics<D>& kinematics(Workspace& work) const override;
  void accelerations(const VecX& acceleration, Workspace& work) const override;

  const RelativeFormulation<D>& relative() const { return relative_; }

 private:
  using BodyFormulation<D>::model_;
  using Formulation::structure_;

  void pick(const Eigen::VectorXi& order, const VecX& full, VecX& independent) const;
  void find_drift(const Eigen::VectorXi& order, Work& w) const;
  void reduce_velocity_constraints(Work& w) const;
  void move(double t, const VecX& q, const State& reference, Work& w) const;
  void split(const Workspace& relative, State& state, Work& w) const;
  void note_singular(Work& w, int pivot, const Eigen::VectorXi& order) const;
  void note_singular(Work& w, const Eigen::VectorXi& order) const;
  void note_open(Work& w, const State& reference) const;
  bool is_near_singular(const State& before, const Work& w) const;
  void note_split(State& state, const Work& w) const;
  bool leaves_branch(const State& before, const State& state, Work& w) const;
  // Context::memory: what the relative formulation keeps, then z, z' and z'', then the pivots at the last accepted
  // position and those when the split was chosen, then the best so far of the smallest pivot relative to the largest.
  int z_at() const { return relative_.memory_size(); }
  int v_at() const { return z_at() + n_; }
  int a_at() const { return v_at() + n_; }
  int pivots_at() const { return a_at() + n_; }
  int chosen_pivots_at() const { return pivots_at() + rank_; }
  int best_at() const { return chosen_pivots_at() + rank_; }
  int memory_size() const { return best_at() + 1; }

  RelativeFormulation<D> relative_;
  std::unique_ptr<const ReducedStructure> reduced_;
  int n_, rank_ = 0, f_ = 0;
};

}  // namespace cardan
