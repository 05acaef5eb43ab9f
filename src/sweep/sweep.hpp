// The work of a sweep: threads of this process that take chunks of runs (claims.hpp), make them (run_maker.hpp) and
// note each as soon as it is done (journal.hpp). Other processes may do the same in the same folder; none knows of
// another.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "sweep/plan.hpp"
#include "sweep/sweep_folder.hpp"
#include "sweep/sweep_table.hpp"

namespace cardan {

struct SweepWork {
  SweepPart part;
  unsigned threads = 1;
  const std::atomic<bool>* stop = nullptr;             // ends it with the runs that are done
  std::function<void(double fraction)> progress = {};  // of the part; from any thread
};

struct SweepOutcome {
  std::uint64_t made = 0;         // runs, by this process
  bool part_is_complete = false;  // nothing is left of it
  bool too_many_failures = false;
};

/// Until the part is complete, others' work included, or a stop rule says so. Throws std::system_error when a result
/// cannot be written: what is on disk stays.
SweepOutcome work_on(const SweepPlan& plan, const SweepFolder& folder, const SweepWork& work);

/// Table, times, summary and what trajectories were asked for at the end. Nothing when runs that were thought to be
/// done are not on disk, after a power cut: they are there to be made again.
std::optional<SweepResult> write_results(const SweepPlan& plan, const SweepFolder& folder, bool complete);

}  // namespace cardan
