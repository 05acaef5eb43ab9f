// Runs of a sweep that are made together, in the lanes of an ensemble. Which ones go together depends on their numbers
// alone, and what a run does there on itself alone, so that the table is the same whoever makes them.
#include <algorithm>
#include <stdexcept>

#include "cardan/ensemble.hpp"
#include "mechanism/asked_options.hpp"
#include "simulation/step_length.hpp"
#include "simulation/thread_clock.hpp"
#include "sweep/run_maker.hpp"

namespace cardan {

std::string RunMaker::not_in_lanes() {
  if (plan_.trajectories == SweepPlan::Trajectories::all)
    return "runs whose trajectories are written are made one by one";
  if (plan_.stop_guard) return "runs that 'run_when' may stop are made one by one";
  for (const SweepAxis& axis : plan_.axes)
    if (axis.kind == SweepAxis::Kind::option) return "runs of several methods are made one by one";
  points_.find(0, point_);
  Mechanism first = mechanism(parameters(), true);
  set_inputs(first);
  return Ensemble::refusal(first, asked_options(first, options()));
}

std::vector<RunRow> RunMaker::make_together(std::uint64_t first, std::uint64_t end, const std::atomic<bool>* stop) {
  std::vector<RunRow> rows(end - first);
  std::vector<bool> is_made(rows.size(), false);
  try {
    std::vector<Mechanism> instances;
    for (std::uint64_t run = first; run < end; ++run) {
      points_.find(run, point_);
      instances.push_back(mechanism(parameters(), true));
      set_inputs(instances.back());
    }
    const RunOptions asked = asked_options(instances.front(), options());
    Ensemble ensemble(instances, asked, signals_);
    if (!step_together(ensemble, asked, stop, rows)) return rows;
    for (std::size_t i = 0; i < rows.size(); ++i) is_made[i] = ensemble.status(static_cast<int>(i)) == StepStatus::ok;
  } catch (const ModelError&) {
  } catch (const std::invalid_argument&) {
    // One of them does not assemble, or is not like the others.
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_made[i]) {
      rows[i] = make(first + i, stop);
      continue;
    }
    points_.find(first + i, point_);
    judge_constraints(rows[i]);
  }
  return rows;
}

/// As run() does it; false when it was interrupted.
bool RunMaker::step_together(Ensemble& ensemble, const RunOptions& options, const std::atomic<bool>* stop,
                             std::vector<RunRow>& rows) const {
  std::vector<std::size_t> columns;
  for (const std::size_t signal : signal_of_) columns.push_back(1 + signal);
  std::vector<MeasureSink> sinks;
  for (std::size_t i = 0; i < rows.size(); ++i) sinks.emplace_back(plan_.measures, columns);
  std::vector<double> row(ensemble.columns().size());
  const auto sample = [&] {
    for (std::size_t i = 0; i < rows.size() && !signals_.empty(); ++i) {
      if (ensemble.status(static_cast<int>(i)) != StepStatus::ok) continue;
      ensemble.sample(static_cast<int>(i), row.data());
      sinks[i].sample(row.data(), row.size());
    }
  };
  for (MeasureSink& sink : sinks) sink.start({});
  const auto time = [&] {
    for (int i = 0; i < ensemble.size(); ++i)
      if (ensemble.status(i) == StepStatus::ok) return ensemble.time(i);
    return options.until;
  };
  double seconds = 0, sampled = 0;
  sample();
  for (std::int64_t count = 1; options.until - time() > 1e-9 * std::min(options.step, options.until); ++count) {
    const double begin = thread_cpu_seconds();
    ensemble.step(next_step_length(time(), options.step, options.until));
    seconds += thread_cpu_seconds() - begin;
    if (count % options.every == 0) sample(), sampled = time();
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
      for (RunRow& one : rows) one.interrupted = true;
      return false;
    }
  }
  if (sampled < time() - 1e-9 * options.step) sample();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].measures = sinks[i].values();
    rows[i].stepping_seconds = seconds / static_cast<double>(rows.size());
  }
  return true;
}

}  // namespace cardan
