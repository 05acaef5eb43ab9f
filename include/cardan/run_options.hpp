// What can be asked of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cardan {

struct Mechanism;

/// Options as far as somebody gives them, each in As<type>.
template <template <class> class As, class JointName>
struct GivenOptions {
  As<double> until, step, error, tolerance, penalty, dissipation, spectral_radius;
  As<double> absolute_tolerance, relative_tolerance, step_min, step_max;
  As<int> iterations, every, index;
  As<bool> fixed_penalty, projections;
  As<std::string> formulation, integrator, treatment, solver, step_control, jacobian, start;
  std::vector<JointName> cut;  // joints at which relative coordinates open the loops; empty: automatic
};

/// What the model file asks for under `simulation:`, or the command line in its place.
using SimulationDefaults = GivenOptions<std::optional, std::string>;

/// Every number that influences a result. Unset optionals mean "automatic"; what was used, and why, is in the summary.
struct RunOptions {
  std::string formulation = "auto";      // see registry.hpp for the names; auto: the cheapest for the mechanism's size
  std::string integrator = "auto";       // auto: trapezoidal with constant steps, or, where an error is asked for, the
                                         // method and tolerance that hold it with the least work, found by trial runs
  std::optional<std::string> treatment;  // of constraints, see registry.hpp; the integrator's own otherwise
  std::string solver = "automatic";      // "dense", "sparse", "profile"
  double step = 1e-3;                    // s
  double until = 1;                      // s; the last step is shortened to end exactly here
  std::optional<double> error;      // wanted, of the bodies' places and turns, in sizes of the mechanism or rad: of
                                    // integrator auto. Steps are chosen then, and `step` is where samples are taken
  std::optional<double> tolerance;  // m and rad mixed: the norm of the increment that ends Newton's iteration
  std::optional<double> penalty;    // one penalty factor for all constraints; automatic otherwise
  int iterations = 0;               // a fixed Newton budget for each step (real time); 0: until convergence
  static constexpr int kMostIterations = 10000;
  double dissipation = 0.1;                 // xi of newmark, delta of hht
  double spectral_radius = 0.8;             // rho at infinity of generalized-alpha
  std::optional<std::string> step_control;  // see registry.hpp; the integrator's own otherwise (sdirk4 on cartesian,
                                            // dopri5 and bdf: error, others: fixed)
  double absolute_tolerance =
      1e-6;  // of step control by the error, on positions (m, rad); ten times that on velocities (bdf: the same)
  double relative_tolerance = 1e-6;  // of step control by the error, likewise; may be 0
  double step_min = 0;               // s, of step control; reaching it with the error too large ends the run.
                                     // 0: a millionth of `step`, dopri5: the rounding of time
  std::optional<double> step_max;    // s, of step control
  bool fixed_penalty = false;        // step control keeps the penalty when the step changes (to show what that does)
  bool projections = true;           // onto the constraints at the end of a step
  int index = 2;                     // of the equations that bdf solves: 2 (stabilized) or 3
  std::string jacobian = "kept";     // of implicit integrators on cartesian: "kept" or "fresh"
  int every = 1;                     // samples are taken every so many steps, and at the end
  std::vector<std::string> cut;      // joints to open the loops at; automatic otherwise
  std::string start = "drawn";       // or "equilibrium": from the position of rest that find_equilibrium() gives, with
                                     // the model's initial velocities; initial positions only say where it is sought

  /// What is given takes the place of what was there.
  void apply(const SimulationDefaults& given);
  /// The defaults above overridden by the mechanism's `simulation:` block, with what auto stands for where steps are
  /// constant: for whoever steps by himself. An error that the block asks for is left out.
  static RunOptions for_mechanism(const Mechanism& mechanism);
  /// Throws std::invalid_argument with a sentence that names the option, the value and the remedy.
  void check() const;
};

}  // namespace cardan
