// How motion is written: the interface between the integrators, which know coordinates and constraints, and the
// mechanism, which knows bodies. A formulation is constant once compiled; everything it writes goes to a Workspace, one
// per thread. The calls go level by level: position, then velocity, then gamma and dynamics, each using what the one
// before left behind.
#pragma once

#include <algorithm>
#include <memory>

#include "cardan/context.hpp"
#include "cardan/step_status.hpp"
#include "formulation/body_model.hpp"
#include "formulation/equations.hpp"

namespace cardan {

/// Inside, what a motion is goes by the name of what it holds.
using State = Context;

struct Workspace {
  Equations equations;
  /// Set by who solves for one instant at a time by Newton's method: from prepare() to accept() dynamics() may keep the
  /// couplings that it found for the same instant near by, as long as they foretell what the forces do.
  bool is_newtons = false;
  /// Set by the same while another increment is to come: what position() finds by an iteration of its own may be off by
  /// a small part of how far the coordinates went.
  bool goes_on = false;
  explicit Workspace(const Structure& structure) : equations(structure) {}
  virtual ~Workspace() = default;
};

/// Exact derivatives of the equations of motion at given accelerations and multipliers, as implicit integration in
/// independent coordinates needs them, each with its entries alone. Derivatives of gamma with respect to v are
/// -2 (Phi_q v)_q, those of velocity constraints -(B v)_q - B'.
struct MotionDerivatives {
  BlockMatrix stiffness;  // n x n: (M a)_q + (Phi_q^T lambda)_q - Q_q
  BlockMatrix damping;    // n x n: -Q_v
  VecX rate;              // m x n: (Phi_q v)_q, values on Structure::jacobian
  VecX second;            // m x n: (Phi_q a)_q - gamma_q, likewise
  VecX turning;           // m x n: B' of velocity constraints, likewise; zero elsewhere

  explicit MotionDerivatives(const Structure& s)
      : stiffness(s.tangent),
        damping(s.tangent),
        rate(VecX::Zero(static_cast<Eigen::Index>(s.jacobian.column.size()))),
        second(rate),
        turning(rate) {}
  void set_zero() {
    stiffness.set_zero();
    damping.set_zero();
    for (VecX* rows : {&rate, &second, &turning}) rows->setZero();
  }
};

/// What a state says of the motion, into one that may remember more, or less, after it.
inline void take_motion(const State& from, State& to) {
  to.t = from.t;
  to.q = from.q;
  to.v = from.v;
  const Eigen::Index shared = std::min(from.memory.size(), to.memory.size());
  to.memory.head(shared) = from.memory.head(shared);
  to.attached = from.attached;
  to.inputs = from.inputs;
  to.events = from.events;
}

class Formulation {
 public:
  virtual ~Formulation() = default;
  const Structure& structure() const { return structure_; }
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;

  /// q, v and memory of the assembled configuration at t = 0.
  virtual void start(State& state, Workspace& work) const = 0;
  /// When an integrator has given the state all that it remembers: room for copies of such a state.
  virtual void reserve(const State&, Workspace&) const {}
  /// Phi, Phi_t and Phi_q at (t, q). `reference` is the state at the start of the step (its memory and partition
  /// count).
  virtual StepStatus position(double t, const VecX& q, const State& reference, Workspace& work) const = 0;
  /// Where the bodies are, for who asks for no more: of what position() finds, constraints may be left out.
  virtual StepStatus locate(double t, const VecX& q, const State& reference, Workspace& work) const {
    return position(t, q, reference, work);
  }
  virtual void velocity(const VecX& v, Workspace& work) const = 0;
  virtual void gamma(Workspace& work) const = 0;
  /// M, Q, and the gradients, stiffnesses and dampings of the loads.
  virtual void dynamics(Workspace& work) const = 0;
  /// At the end of a step, with position and velocity evaluated at `state`: renews what coordinates are measured from.
  /// `before` is the state at the start of the step.
  virtual StepStatus accept(const State& before, State& state, Workspace& work) const = 0;
  /// Completes a state within the step that accept() ended last, whose t, q, v and acceleration are interpolated and
  /// whose memory is that of `before`, the step's start: what is found from the coordinates is to be looked for there.
  virtual void between(const State& /*before*/, State& /*state*/, Workspace&) const {}
  /// Called before a step, and again with `failed` when the step did not succeed; may choose other coordinates for the
  /// same motion. Returns true when it did.
  virtual bool prepare(State&, bool /*failed*/, Workspace&) const { return false; }
  /// The largest rate at velocities v, 1/s: how fast directions turn, on which the constraints' rows depend.
  virtual double fastest_rate(const Eigen::Ref<const VecX>& v) const {
    return v.size() > 0 ? v.cwiseQuotient(structure_.scale).cwiseAbs().maxCoeff() : 0;
  }
  /// True where differentiate() exists.
  virtual bool is_differentiable() const { return false; }
  /// After position() and velocity(); leaves the equations as they are.
  virtual void differentiate(const VecX& /*a*/, const VecX& /*lambda*/, Workspace&, MotionDerivatives&) const {}
  /// The formulation of the same motion in all coordinates and with all constraints, in which events are passed:
  /// itself, but for topological. Its states have q, v and memory of the same sizes in all phases of a mechanism.
  virtual const Formulation& full() const { return *this; }
  virtual Workspace& full_workspace(Workspace& work) const { return work; }
  /// From a state to that of full(): t, q, v, attached and what memory begins with. `full` has been sized.
  virtual void leave(const State& state, State& full, Workspace&) const { take_motion(state, full); }
  /// And back, with velocities that respect the constraints. `state` has been sized by start().
  virtual void enter(const State& full, State& state, Workspace& /*work*/) const { take_motion(full, state); }
  /// Writes into state.attached what the joint holds when it is attached where its bodies are, after position() and
  /// velocity(). Called on full() alone.
  virtual void attach(int /*joint*/, State& /*state*/, Workspace&) const {}
  /// Writes into state.memory that velocities or time have jumped, after position() and velocity(). Called on full()
  /// alone.
  virtual void restart_turns(State& /*state*/, Workspace&) const {}

  /// What went wrong when position() or accept() last returned something other than ok.
  virtual std::string complaint(const Workspace&) const { return {}; }

 protected:
  Structure structure_;
};

/// A formulation with its bodies in view, for outputs and analyses.
template <int D>
class BodyFormulation : public Formulation {
 public:
  explicit BodyFormulation(std::shared_ptr<const BodyModel<D>> model) : model_(std::move(model)) {}
  const BodyModel<D>& model() const { return *model_; }
  const std::shared_ptr<const BodyModel<D>>& shared_model() const { return model_; }
  /// Poses and twists of the last position() and velocity() call.
  virtual BodyKinematics<D>& kinematics(Workspace& work) const = 0;
  /// The same, filled or not.
  virtual BodyKinematics<D>& bodies(Workspace& work) const { return kinematics(work); }
  /// After position() and velocity(): what loads follow, and with `all` what only columns show.
  virtual void evaluate_signals(Workspace& /*work*/, bool /*all*/) const {}
  /// At the end of a step, whose position and velocity are there: signals count angles from what the state remembers.
  virtual void continue_from(const State& /*state*/, Workspace& /*work*/) const {}
  /// After dynamics(), where tangents exist: the generalized forces of these wrenches on the bodies, n numbers. The
  /// wrenches are overwritten.
  virtual void project(std::vector<typename Space<D>::Twist>& /*wrenches*/, Workspace&, double* /*force*/) const {}
  /// A coordinate of a joint, offset + sign x that of the formulation at `place`, if it is one of its own: place >= 0.
  /// Angles are so but for full turns.
  struct OwnCoordinate {
    int place = -1;
    double sign = 1, offset = 0;
  };
  virtual OwnCoordinate own_coordinate(int /*joint_coordinate*/) const { return {}; }
  /// Fills kinematics().acceleration from the second derivatives of the coordinates.
  virtual void accelerations(const VecX& acceleration, Workspace& work) const = 0;
  void attach(int joint, State& state, Workspace& work) const override {
    model_->attach(joint, kinematics(work), state.attached);
  }
  void restart_turns(State& state, Workspace& work) const override {
    model_->restart_turns(state.t, kinematics(work), state.memory);
  }

 protected:
  std::shared_ptr<const BodyModel<D>> model_;
};

}  // namespace cardan
