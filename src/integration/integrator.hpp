// How time is stepped: what every integrator offers to the run loop. An integrator knows coordinates, constraints and
// the Formulation interface, never bodies or files. make_integrator() is the one place where names become integrators.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "formulation/formulation.hpp"
#include "integration/hermite.hpp"
#include "integration/index1_acceleration.hpp"
#include "integration/penalties.hpp"

namespace cardan {

/// What a step tells of itself.
struct StepReport {
  double taken = 0;  // length of the step, s
  int iterations = 0;
  int factorizations = 0;
  int evaluations = 0;            // of the equations of motion
  int rejected = 0;               // tries that step control threw away
  double error = 0;               // estimate of step control, in units of its tolerance
  const char* refusal = nullptr;  // why step control gave up
  bool stagnated = false;         // accepted although the increments stopped shrinking above the tolerance
  bool repartitioned = false;
  bool diverged = false;                         // the iterates grew until they were no numbers any more
  double increment = 0;                          // norm of the last one
  double residual = 0;                           // norm of the last one, b h^2 times the forces
  int worst_coordinate = -1;                     // largest in the last increment
  int singular_coordinate = -1;                  // whose pivot vanished
  double phi = 0, phi_rate = 0, phi_second = 0;  // violations after the step (the last two relative)
  double opening = 0;                            // the largest of positions relative to the mechanism's size
  int worst_phi = -1, worst_rate = -1, worst_second = -1;
};

/// Energy of a state whose position and velocity the workspace holds, J, and the power of what is not conservative, W.
struct EnergyReading {
  double kinetic = 0, total = 0, power = 0;
};
using EnergyMeter = std::function<EnergyReading(const State&)>;

class Integrator {
 public:
  /// `length`: the size of the mechanism, m. Formulation and workspace must outlive it.
  Integrator(const Formulation& formulation, Workspace& work, double length)
      : formulation_(formulation), structure_(formulation.structure()), work_(work), length_(length) {}
  virtual ~Integrator() = default;

  /// Called before start(); for step control that watches the energy balance.
  virtual void watch_energy(EnergyMeter) {}

  /// Consistent accelerations and multipliers at the start; sizes every buffer of the state and of the integrator. May
  /// be called again with a state of the same sizes, after an event: then nothing is allocated, nothing that was
  /// remembered counts, and penalties and rank stay what the first call found.
  virtual StepStatus start(State& state) = 0;
  /// Constant-step methods: one step of exactly h seconds. Variable-step methods: one step of their own choice, at most
  /// h. On failure the state is as before.
  virtual StepStatus step(State& state, double h) = 0;

  /// True for methods that choose their steps; the run loop then asks for samples by interpolate().
  virtual bool chooses_steps() const { return false; }
  /// The state at a time within the last step (dense output); variable-step methods only.
  virtual void interpolate(double /*t*/, State& /*state*/) const {}

  virtual const char* solver_name() const = 0;
  /// Smallest and largest penalty factor of a step of h seconds from this state; zeros where there are none.
  virtual std::pair<double, double> penalty_range(const State&, double /*h*/) const { return {0, 0}; }

  /// What went wrong in the last step that failed, where more is known than the status says.
  virtual std::string complaint() const { return {}; }

  const StepReport& report() const { return report_; }
  const ConstraintAnalysis& constraints() const { return analysis_; }

 protected:
  /// Largest violations of the constraints on the three levels into the report, from the workspace and v, A; those of
  /// tries before go.
  void measure_violation(const VecX& v, const VecX& A);
  /// The same from the rate of Phi and its second derivative.
  void measure_violation(const VecX& rate, const VecX& second, const VecX& v, const VecX& A);

  /// Analyses the constraints and finds accelerations and multipliers of the state, from sized vectors.
  StepStatus start_accelerations(Index1Acceleration& acceleration, State& state);

  /// A step of h seconds begins: the formulation may choose other coordinates for the same motion, which `before`
  /// keeps.
  void begin_step(State& state, State& before, double h);
  /// After a try that failed: back to `before`, in other coordinates if the formulation has some, which is what it
  /// returns.
  bool retreat(State& state, State& before);
  /// A step of constant length, begun, that try_step() takes from `before`: once more where there are other
  /// coordinates.
  template <class TryStep>
  StepStatus try_twice(State& state, State& before, const TryStep& try_step) {
    StepStatus status = try_step();
    if (status != StepStatus::ok && retreat(state, before)) {
      status = try_step();
      if (status != StepStatus::ok) state = before;
    }
    return status;
  }

  /// A step from `before` that has gone well: its end, at time t, becomes the state. `algorithmic`: a of the Newmark
  /// family, which is end.a for all others.
  StepStatus accept(const State& before, double t, const StepEnd& end, const VecX& algorithmic, const VecX& lambda,
                    State& state) const;

  /// Dense output of a step of h seconds in its coordinates, which are measured from what its start remembers.
  void interpolate_step(const State& before, double h, const StepEnd& end, double t, State& state) const;

  const Formulation& formulation_;
  const Structure& structure_;
  Workspace& work_;
  const double length_;
  StepReport report_;

 private:
  void forget_violation();

 protected:
  ConstraintAnalysis analysis_;  // filled by the first start()
  bool analysed_ = false;
  VecX start_weight_;  // m
};

/// `length`: the size of the mechanism, which tolerances on lengths are relative to. Throws std::invalid_argument for
/// an unknown name or a combination that does not exist, with a sentence that says which do.
std::unique_ptr<Integrator> make_integrator(const RunOptions& options, const Formulation& formulation, Workspace& work,
                                            double length);

}  // namespace cardan
