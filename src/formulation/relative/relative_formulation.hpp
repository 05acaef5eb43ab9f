// `hybrid`: dependent relative coordinates. The tree of tree_motion.hpp plus the cut joints and drivers as constraints,
// written at the cut with measures between the two bodies, Phi_z from the paths up to their common ancestor only.
#pragma once

#include "formulation/constraint_rows.hpp"
#include "formulation/formulation.hpp"
#include "formulation/kept_accelerations.hpp"
#include "formulation/relative/tree_motion.hpp"
#include "formulation/swept_forces.hpp"

namespace cardan {

template <int D>
class RelativeFormulation final : public BodyFormulation<D>, public KeptAccelerations, public SweptForces {
 public:
  using Twist = typename Space<D>::Twist;
  struct Work final : Workspace {
    typename TreeMotion<D>::Buffers tree;
    double t = 0;
    bool accelerated = false;          // by accept(), until the next position()
    bool is_biased = false;            // by find_bias(), until the next velocity()
    VecX z;                            // of the last position() call
    VecX turns;                        // position level: what angles are continued from, see BodyModel::predict_turns()
    ConstraintRows<D> constraints;     // as the state given to it holds them
    std::vector<Twist> gradient;       // position level: W of every term of the constraints
    std::vector<Twist> load_gradient;  // dynamics: wrenches of the load rows
    VecX rotor_row;                    // dynamics: values on the rows of the rotors
    std::vector<typename BodyModel<D>::KnownAngle> known;  // accept: of the angles that the tree has
    Work(const Structure& structure, const RelativeFormulation& formulation);
  };

  RelativeFormulation(std::shared_ptr<const BodyModel<D>> model, BodyKinematics<D> assembled, const SpanningTree& tree,
                      double length);

  std::unique_ptr<Workspace> make_workspace() const override;
  void start(State& state, Workspace& work) const override;
  StepStatus locate(double t, const VecX& q, const State& reference, Workspace& work) const override;
  StepStatus position(double t, const VecX& q, const State& reference, Workspace& work) const override;
  void velocity(const VecX& v, Workspace& work) const override;
  void gamma(Workspace& work) const override;
  void dynamics(Workspace& work) const override;
  void sweep(const VecX& a, Workspace& work, VecX& result) const override;
  bool has_accelerations(const Workspace& work) const override { return static_cast<const Work&>(work).accelerated; }
  void project(std::vector<typename Space<D>::Twist>& wrenches, Workspace& work, double* force) const override;
  StepStatus accept(const State& before, State& state, Workspace& work) const override;
  BodyKinematics<D>& kinematics(Workspace& work) const override;
  void accelerations(const VecX& acceleration, Workspace& work) const override;
  typename BodyFormulation<D>::OwnCoordinate own_coordinate(int joint_coordinate) const override;

  const std::vector<int>& cut_joints() const { return cut_; }
  const TreeMotion<D>& tree() const { return tree_; }
  const ConstraintRows<D>& constraints() const { return constraints_; }
  /// Coordinates that M ties together.
  std::vector<std::vector<int>> mass_cliques() const;
  int memory_size() const;

 private:
  using BodyFormulation<D>::model_;
  using Formulation::structure_;

  BodyKinematics<D> assembled_;
  TreeMotion<D> tree_;
  std::vector<int> cut_;
  /// Where a term of a constraint lands in its row.
  struct TermRow {
    typename TreeMotion<D>::Span span;
    std::vector<int> place;  // of the span's columns in the row
  };
  /// A counted angle that the tree has: in space a joint's coordinate, in the plane that of a body.
  struct OwnAngle {
    int counted;
    typename BodyFormulation<D>::OwnCoordinate coordinate;  // space
  };
  void list_own_angles();
  void find_own_angles(const State& state, Work& w) const;
  /// A constraint of one term, whose row lists the columns of its span.
  struct PlainRow {
    int term;   // or -1: there are more
    int split;  // entries before it belong to body 2, counted as those of the Jacobian
  };
  void add_constraints(double length);
  void find_bias(Work& w) const;
  void add_rotors();
  void write_rows(Work& w) const;
  void write_load_rows(Work& w) const;

  ConstraintRows<D> constraints_;  // closures first, then couplers, then drivers
  std::vector<TermRow> term_rows_;
  std::vector<PlainRow> plain_rows_;  // of every constraint
  std::vector<typename TreeMotion<D>::Span> load_spans_, rotor_spans_;
  RowPattern rotor_rows_;
  std::vector<OwnAngle> own_angles_;
  bool counts_turns_ = false;  // a constraint or a load follows an angle over full turns, or remembers something
};

}  // namespace cardan
