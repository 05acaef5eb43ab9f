// A run that is measured on the way: its distance from a reference, what its steps cost, and an end when it costs too
// much.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "cardan/simulation.hpp"
#include "reference_motion.hpp"

namespace cardan {

struct MeasuredRun {
  RunSummary summary;
  std::string failure;     // empty: it came to its end
  bool too_dear = false;   // ended because it took more than the budget
  double error = 0;        // largest distance from the reference
  double cpu_seconds = 0;  // of stepping
  double step_time = 0;    // s of the processor that 999 of 1000 steps take at most
  bool ok() const { return failure.empty(); }
};

/// Runs without throwing: what is refused is a failure. `sink` receives the samples; `meter` null: no error.
/// `budget`: s of the processor that all steps may take, without output.
/// `stop`: ends it as interrupted.
MeasuredRun run_measured(const Mechanism& mechanism, const RunOptions& options, Sink* sink, const DistanceMeter* meter,
                         double budget, const std::atomic<bool>* stop);

/// Of the calling thread, s.
double thread_seconds();

}  // namespace cardan
