// For every method that applies to a mechanism the cheapest setting that holds a wanted error, or the most accurate one
// that a real-time loop has time for: found by running it and measuring against one reference.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/simulation.hpp"

namespace cardan {

struct TuningPlan {
  std::vector<std::string> formulations, integrators;  // empty: all of the registry
  RunOptions base;                                     // of the model, with `until`
  double error = 1e-3;                                 // wanted, in sizes of the mechanism or rad
  std::optional<double> deadline;  // s: period of a real-time loop; the least error within it is sought instead
  double share = 0.5;              // of the deadline that stepping may take
  std::function<void(double fraction)> progress;
  const std::atomic<bool>* stop = nullptr;
};

struct TuningReference;

struct TunedMethod {
  RunOptions options;      // what to run it with
  bool adaptive = false;   // chooses its steps: the tolerances are what was tuned
  double error = 0;        // largest distance from the reference
  double cpu_seconds = 0;  // for the whole run
  double step_time = 0;    // s of the processor that 999 of 1000 steps take at most
  int runs = 0;            // that it took to find out
  std::string why_not;     // it is not as asked for: why; empty otherwise
};

struct Tuning {
  std::string reference;             // which one, as a sentence
  double reference_error = 0;        // its distance from a coarser one
  std::vector<TunedMethod> methods;  // those as asked for first, the best of them first
  bool interrupted = false;
};

/// Throws std::invalid_argument for unknown names, for a method that does not apply where it is the only one, or when
/// no reference is good enough.
Tuning tune(const Mechanism& mechanism, const TuningPlan& plan);
/// The same against a reference that is there.
Tuning tune(const Mechanism& mechanism, const TuningPlan& plan, const TuningReference& reference);

}  // namespace cardan
