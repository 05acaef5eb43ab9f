// A mechanism under way through its events. Every phase (mechanism/phases.hpp) is compiled before the run, in the same
// coordinates, with its own workspace, integrator and state, so that passing an event allocates nothing: q, v and what
// angles remember are carried over, velocities jump onto the new constraints, and the integrator of the next phase
// starts from there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integration/impulse.hpp"
#include "integration/integrator.hpp"
#include "mechanism/phases.hpp"
#include "system/compile.hpp"

namespace cardan {

/// States of a step that is taken again to find where a condition comes to hold.
struct Passing {
  State before, found, trial;
  State seen;  // at the end of the last step: its guards are known
};

struct Phase {
  CompiledMechanism compiled;
  std::unique_ptr<Workspace> work;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Impulse> impulse;  // with events, or drivers that follow inputs
  std::unique_ptr<Passing> passing;  // with conditions only
  double step_before = 0;            // s: length of the last step, or a first one
  State state;
  State between;            // within the last step, for samples of methods that choose their steps
  int drivers = 0;          // how many are on
  int singular = 0;         // constraints that depend on others where the phase starts, but not beside it
  std::vector<int> column;  // where its columns stand among those of the mechanism
  std::vector<double> row;  // of its columns
};

/// Numbers between -1 and 1, always the same.
class Scatter {
 public:
  double operator()() {
    seed_ = 6364136223846793005u * seed_ + 1442695040888963407u;
    return static_cast<double>(seed_ >> 11) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t seed_ = 20260721;
};

/// How the warning of such a start begins.
inline constexpr const char* kSingularStart = "drawn in a singular position: ";

/// Of Context::books: a ledger of energy, one flag, and what columns continue.
Eigen::Index books_size(Observer& observer);

/// Rates of angles are those of the state, which has jumped; where it stands counts as the same turn.
void restart_turns(State& full, const Formulation& formulation, Workspace& work);

class PhaseSet {
 public:
  /// Throws ModelError when the mechanism does not assemble or nothing resists one of its motions.
  /// `signals`: of which samples are made, and nothing else; null: all columns. Mechanism and options must outlive it.
  PhaseSet(const Mechanism& mechanism, const RunOptions& options, const StartingPoint& start,
           const std::vector<std::string>* signals);

  Phase& now() { return *now_; }
  const Phase& now() const { return *now_; }
  int size() const { return static_cast<int>(phases_.size()); }
  /// Whether events can have left such a state behind.
  bool knows(const State& state) const {
    return state.phase >= 0 && state.phase < size() && state.events >= 0 && state.events <= timed_ &&
           (state.conditions.size() == 0 || (state.conditions.minCoeff() >= 0 && state.conditions.maxCoeff() <= 4));
  }
  int index() const { return now_->state.phase; }
  const Phase& phase(int index) const { return *phases_[index]; }
  /// The phase that the event leads to from a phase; null when it cannot happen there.
  const Phase* after(int phase, int event) const {
    return next_[phase][event] < 0 ? nullptr : phases_[next_[phase][event]].get();
  }

  /// The event at a given time that comes next, or null.
  const Event* next_timed() const;
  /// Lets it happen, at its time. On failure everything is as before and complaint() says why.
  StepStatus pass(int event);
  const std::string& complaint() const { return complaint_; }
  /// Inputs of the state have jumped: velocities jump by the impulse of the drivers that follow them, and accelerations
  /// are those that go with it.
  StepStatus take_inputs();
  bool drivers_follow_inputs() const { return drivers_follow_inputs_; }

  void restore(const State& state);

  const std::vector<std::string>& columns() const { return columns_; }
  /// Those that samples are made of; nothing: they are all columns.
  std::optional<std::vector<std::string>> only_signals() const {
    if (!only_signals_) return std::nullopt;
    return std::vector(columns_.begin() + 1, columns_.end());  // after `t`
  }
  /// One row of a state of the phase that holds now, with zeros where what the columns tell of is not there.
  /// `evaluated`: its workspace holds position and velocity of the state.
  void sample(const State& state, bool evaluated, double* row);

 private:
  std::unique_ptr<Phase> make_phase(const Mechanism& mechanism, CompiledMechanism compiled);
  void start_phase(Phase& phase, const std::string& when);
  void make_first_impulse();
  void make_later_phases(const Phases& phases);
  void prepare_passing(Phase& phase);
  StepStatus go_over(const Event& event, Phase& from, Phase& to);
  void sample_only(const std::vector<std::string>& signals);
  bool needs_reactions() const;
  void wander(State& full, Impulse& impulse, Scatter& scatter, int strides);
  void look_for_singular_start(Phase& first);
  bool drivers_meet(const Event& event, Phase& to);

  const Mechanism& mechanism_;
  const RunOptions& options_;
  std::vector<std::unique_ptr<Phase>> phases_;
  std::vector<std::vector<int>> next_;  // see Phases
  int timed_ = 0;                       // events at given times
  Phase* now_ = nullptr;
  bool drivers_follow_inputs_ = false;
  State passage_;  // a state of Formulation::full(), between two phases or where drivers jump
  std::vector<std::string> columns_;
  bool only_signals_ = false;
  std::vector<int> sampled_;   // signals that are the columns after `t`, where these are all
  bool sampled_late_ = false;  // one of them needs accelerations or reactions
  std::string complaint_;
};

}  // namespace cardan
