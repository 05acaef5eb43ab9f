// The equations of a step of newmark.hpp in relative coordinates, written on a tape at its end: what they say changes
// with the coordinates, with what the mechanism is made of and with its laws, backwards, for the adjoint of the step
// (docs/theory/gradients.md, symbol for symbol). Of mechanisms that go in lanes (ensemble/lane_model.hpp).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ensemble/tape.hpp"
#include "integration/newmark.hpp"
#include "simulation/phase_set.hpp"

namespace cardan {

/// Of differences of fourth order: how many steps away, and with which weight over twelve steps.
inline constexpr std::pair<int, double> kFivePoints[] = {{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}};

/// A step that was made.
struct StepRecord {
  State before;
  double h = 0;
  VecX moved, v, A, lambda, weight;
};

/// Where the end of a step is looked at: d, lambda1, v1, A1 by the record, q1, v*, a*, A* by the rule.
struct TapedEnd {
  VecX q, v, a, A;                             // by the rule, n
  VecX v1, A1, a1, lambda;                     // with the projections
  VecX mu, nu;                                 // of the projections, m
  double stiff = 0, damped = 0, t = 0, h = 0;  // c b h^2, c g h; where it ends
  bool projects = false;
};

/// Derivatives of one result by what the equations take, added up by sweeps.
struct StepSlopes {
  VecX q, v, A;     // q1, v*, A*: n
  VecX v1, A1, a1;  // n
  VecX lambda;      // m
  VecX references;  // of balls, 4 each
};
/// Weights of what the equations say.
struct StepWeights {
  const VecX *residual = nullptr, *phi = nullptr;                      // n, m
  const VecX *held_v = nullptr, *rate = nullptr;                       // n, m
  const VecX *held_A = nullptr, *second = nullptr;                     // n, m
  const VecX *next_v = nullptr, *next_a = nullptr, *next_A = nullptr;  // after coordinates are measured anew: n
  const VecX* next_references = nullptr;
};

/// A mechanism with another number, from which derivatives by that number are taken.
struct TapedNeighbour {
  const Phase *plus, *minus;
  const Mechanism *of_plus, *of_minus;
  double change;  // between both
};

class TapedStep {
 public:
  virtual ~TapedStep() = default;
  /// Why a mechanism cannot be taken, by name; empty where it can.
  static std::string refusal(const Phase& phase, bool planar);
  static std::unique_ptr<TapedStep> make(const Phase& phase, const Mechanism& mechanism,
                                         const std::vector<TapedNeighbour>& neighbours, int results);

  /// Writes the equations at the end of a step. `find_multipliers` is asked for mu and nu from P (v1 - v*) and
  /// P (A1 - A*) on the way.
  virtual void record(const StepRecord& step, TapedEnd& end,
                      const std::function<void(const VecX& product, VecX& multipliers)>& find_multipliers) = 0;
  /// Adds to `slopes`, and to what the parameters' derivatives are made of, those of the weighted equations.
  virtual void sweep(int result, const StepWeights& weights, StepSlopes& slopes) = 0;
  /// After all sweeps of a step: derivatives with respect to laws and time.
  virtual void close(const StepRecord& step) = 0;
  /// A law was found to change with a parameter that it was not known to change with: all steps are to be gone through
  /// again.
  virtual bool surprised() const = 0;
  virtual void begin_again() = 0;
  /// Results x parameters, of all steps so far.
  virtual Eigen::MatrixXd gradient() const = 0;
  virtual int references() const = 0;                          // how many numbers
  virtual int first_reference() const = 0;                     // of them in Context::memory
  virtual const std::vector<bool>& measured_anew() const = 0;  // of every coordinate: zero after a step
};

}  // namespace cardan
