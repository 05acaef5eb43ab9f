// Any formulation with signals: inputs that come from outside, loads that follow signals, states of their own.
//
// A state z' = g is the velocity of a coordinate w of unit mass with the force g, w' = z, w'' = g. So every integrator
// steps it by its own rule, implicitly where it is implicit, and step control, saving and restoring know it already; w
// itself, the integral of z, acts on nothing. Coordinates and velocities hold w and z in units of the state's scale,
// after those of the mechanism. How forces and rates follow the motion goes into the couplings of the tangents
// (equations.hpp).
#pragma once

#include "formulation/direct_dynamics.hpp"
#include "formulation/formulation.hpp"
#include "formulation/kept_accelerations.hpp"
#include "formulation/swept_forces.hpp"

namespace cardan {

template <int D>
class SignalFormulation : public BodyFormulation<D>, public KeptAccelerations, public SweptForces {
 public:
  struct Work final : Workspace {
    std::unique_ptr<Workspace> owned;  // inner, unless it is part of another one
    Workspace& inner;
    SignalValues values;
    std::vector<typename Space<D>::Twist> stiff, damped;  // within dynamics(): on every body, and ground
    VecX turns;                                           // position level: what angles are continued from
    VecX q, v, a, swept;                                  // of the mechanism alone, n
    State before, state, whole;                           // likewise; the last in all coordinates
    std::unique_ptr<Workspace> full;                      // of full(), where that is another formulation
    double t = 0;
    bool in_step = false;          // after prepare(), before accept()
    double differentiated_at = 0;  // in this step: the instant of which couplings were made last
    VecX coupled_q;                // and where, n
    bool may_keep = false;         // position level: they may still do
    Work(const Structure& structure, Workspace& inner, const SignalFormulation& formulation);
  };

  /// `inner` is owned, or else outlives it.
  SignalFormulation(const BodyFormulation<D>& inner, std::unique_ptr<BodyFormulation<D>> owned);

  const BodyFormulation<D>& inner() const { return inner_; }
  std::unique_ptr<Workspace> make_workspace() const override;
  void start(State& state, Workspace& work) const override;
  void reserve(const State& state, Workspace& work) const override;
  StepStatus locate(double t, const VecX& q, const State& reference, Workspace& work) const override;
  StepStatus position(double t, const VecX& q, const State& reference, Workspace& work) const override;
  void velocity(const VecX& v, Workspace& work) const override;
  void gamma(Workspace& work) const override;
  void dynamics(Workspace& work) const override;
  void sweep(const VecX& a, Workspace& work, VecX& result) const override;
  StepStatus accept(const State& before, State& state, Workspace& work) const override;
  bool prepare(State& state, bool failed, Workspace& work) const override;
  double fastest_rate(const Eigen::Ref<const VecX>& v) const override { return inner_.fastest_rate(v.head(n_)); }
  bool is_differentiable() const override { return inner_.is_differentiable(); }
  void differentiate(const VecX& a, const VecX& lambda, Workspace& work, MotionDerivatives& result) const override;
  const Formulation& full() const override;
  Workspace& full_workspace(Workspace& work) const override;
  void leave(const State& state, State& full, Workspace& work) const override;
  void enter(const State& full, State& state, Workspace& work) const override;
  std::string complaint(const Workspace& work) const override;
  BodyKinematics<D>& kinematics(Workspace& work) const override;
  BodyKinematics<D>& bodies(Workspace& work) const override;
  void accelerations(const VecX& acceleration, Workspace& work) const override;
  void evaluate_signals(Workspace& work, bool all) const override;
  void continue_from(const State& state, Workspace& work) const override {
    model_->predict_turns(state.memory, state.t, work_of(work).turns);
  }
  bool has_accelerations(const Workspace& work) const override {
    return kept_ && kept_->has_accelerations(static_cast<const Work&>(work).inner);
  }

 protected:
  using BodyFormulation<D>::model_;
  using Formulation::structure_;

  bool sweeps() const override { return swept_ != nullptr; }
  static Work& work_of(Workspace& work) { return static_cast<Work&>(work); }
  /// Rates of the states, in units of their scales, of the last evaluation.
  void add_rates(const Work& w, VecX& a) const;

  const BodyFormulation<D>& inner_;
  std::unique_ptr<BodyFormulation<D>> owned_;
  const KeptAccelerations* kept_;  // of inner_, or null
  const SweptForces* swept_;       // likewise
  int n_, states_;                 // coordinates of the mechanism; states

 private:
  /// The derivative of a sink with respect to one of SignalSet::bases() of its signal.
  struct Slope {
    typename SignalSet<D>::Base::Of of;
    int leaf;      // or -1
    double scale;  // of a state
    bool own;      // on the row that the force acts on
    int coupling;  // or -1: part of the sum
  };
  /// What follows a signal: a force on the mechanism, or the rate of a state.
  struct Sink {
    int signal, row;
    double scale;  // of rates
    double sign;   // which way a force acts on its own measure
    std::vector<Slope> bases;
    int sum_row, sum;  // where leaves are summed: the first of two rows and couplings, of k and of c; or -1
  };

  /// A leaf of the signals that is a coordinate of the mechanism, or the rate of one.
  struct Reading {
    int leaf, place;
    double sign, offset;
  };

  void find_readings();
  void extend_structure();
  void extend_tangent();
  void list_sinks();
  void add_couplings(Sink& sink, const Measure<D>* measure);
  void see(double t, const State& reference, Work& w) const;
  void see_place(double t, const VecX& q, const State& reference, Work& w) const;
  void write_couplings(bool keep, Work& w) const;
  void write_sum(const Sink& sink, bool is_stiff, bool is_damped, Work& w) const;
  void take_part(const State& from, State& part) const;
  void give_back(const State& part, State& to) const;

  std::vector<Sink> sinks_;
  std::vector<Reading> read_positions_, read_velocities_;
  VecX scale_;  // of the states
  std::unique_ptr<SignalFormulation> full_;
};

/// The same of a formulation that finds accelerations itself.
template <int D>
class DirectSignalFormulation final : public SignalFormulation<D>, public DirectDynamics {
 public:
  using Work = typename SignalFormulation<D>::Work;
  DirectSignalFormulation(const BodyFormulation<D>& inner, const DirectDynamics& direct,
                          std::unique_ptr<BodyFormulation<D>> owned)
      : SignalFormulation<D>(inner, std::move(owned)), direct_(direct) {}

  int accelerate(const VecX& lambda, Workspace& work, VecX& a) const override;
  void compliance(Workspace& work, VecX& triangle) const override;
  SparseRows constraint_rows(Workspace& work) const override;
  void respond(const VecX& change, Workspace& work, VecX& a) const override;
  void constraint_rates(Workspace& work, VecX& rate) const override;
  void constraint_accelerations(Workspace& work, VecX& second) const override;

 private:
  const DirectDynamics& direct_;
};

/// The formulation itself where the mechanism has no inputs, states or signals that something follows.
template <int D>
std::unique_ptr<BodyFormulation<D>> with_signals(std::unique_ptr<BodyFormulation<D>> formulation);

}  // namespace cardan
