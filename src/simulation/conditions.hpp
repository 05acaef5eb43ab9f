// Events that happen when a condition comes to hold. Each has a guard, a signal g that is above 0 where it holds; the
// event happens where g passes 0 from below, which is found by taking the step again, shorter: so that the state there
// is the method's own, whatever the method. A condition counts once g has been below -hysteresis. Two passages within
// one step are seen where the cubic through g and g' at both ends comes near 0.
#pragma once

#include <vector>

#include "simulation/phase_set.hpp"

namespace cardan {

class Conditions {
 public:
  /// What Context::conditions says of each: it holds, and must cease to before it counts; it does not, and will count;
  /// it has come to hold, and the event is due; the event has happened at this instant; it will not happen again. One
  /// more number after the last is 1 when an event has ended the run.
  enum Code : int { waiting, armed, due, happened, spent };

  explicit Conditions(const Mechanism& mechanism);

  bool empty() const { return watched_.empty(); }
  /// At the start of a step: looks at the guards, which inputs and events may have made jump. True when an event is
  /// due.
  bool see_start(Phase& phase);
  /// One step of the phase's integrator, at most h: up to where the first condition comes to hold. `report` is that of
  /// the step that counts, with the costs of all.
  StepStatus step(Phase& phase, double h, StepReport& report);

 private:
  struct Watched {
    int guard;
    double hysteresis;
  };
  void read(Phase& phase, const State& state, VecX& guards) const;
  void read_with_slopes(Phase& phase, const State& state, VecX& guards, VecX& slopes) const;
  bool may_count(const State& state) const;
  bool is_known(const Phase& phase) const;
  void settle(State& state, const VecX& guards) const;
  bool crosses(const State& state, const VecX& guards) const;
  StepStatus step_to(Phase& phase, double t, StepReport& report) const;
  double instant_inside(const State& before, double h) const;
  StepStatus locate(Phase& phase, double to, StepReport& report);

  std::vector<Watched> watched_;
  bool late_ = false;                   // a guard needs accelerations or reactions
  VecX start_, start_slope_;            // at the start of the step
  VecX end_, end_slope_, low_, trial_;  // at its end, and where it is tried
  bool known_ = false;                  // end_ and end_slope_ are those of Passing::seen, where a step ended
  double known_step_ = 0;               // Phase::step_before there
};

/// Of Context::conditions where nothing has happened yet.
Eigen::VectorXi conditions_at_start(const Mechanism& mechanism);

}  // namespace cardan
