// The table of a sweep, made of the journals: every run once, in the order of the numbers, whatever the order in which
// they were made. Memory does not grow with the number of runs: where each line stands is kept on disk.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sweep/plan.hpp"
#include "sweep/sweep_folder.hpp"

namespace cardan {

/// One line of the table, taken apart.
struct SweepRow {
  std::uint64_t run = 0;                // from 1
  std::string_view status, reason;      // the reason as it is in the file, with its quotes
  std::vector<std::string_view> point;  // what varies
  std::vector<double> measures;         // NaN where the cell is empty
  bool feasible = true;
};
void parse_line(const SweepPlan& plan, std::string_view line, SweepRow& row);
/// Where a run stands on an axis by its cell: its number, or which of the words, counted from 1.
double place_on(const SweepAxis& axis, std::string_view cell);

/// Of one measure over all runs that did not fail; those that are finite.
struct MeasureStatistics {
  std::uint64_t count = 0, lowest_run = 0, highest_run = 0;  // runs from 1
  double lowest = 0, highest = 0, mean = 0, squares = 0;     // squares: of deviations from the mean
  void add(double value, std::uint64_t run);
  double deviation() const;
};

struct SweepResult {
  std::uint64_t planned = 0, ok = 0, stopped = 0, failed = 0, feasible = 0;
  std::uint64_t twice = 0, torn = 0;          // lines of journals that were not needed
  std::vector<std::uint64_t> missing_chunks;  // that were thought to be complete
  double stepping_seconds = 0;
  std::vector<MeasureStatistics> measures;
  std::map<std::string, std::uint64_t> reasons;         // of failures, with # for numbers; the first ones
  std::vector<std::pair<double, std::uint64_t>> worst;  // value and run from 1, the worst first
  std::uint64_t done() const { return ok + stopped + failed; }
};

/// Writes sweep.csv and times.csv as far as runs are done. Throws std::system_error, and what was there stays.
SweepResult write_table(const SweepPlan& plan, const SweepFolder& folder);

/// What sweep.csv and times.csv say, row by row. Throws std::system_error.
void for_each_row(const SweepPlan& plan, const SweepFolder& folder, const std::function<void(const SweepRow&)>& visit);
SweepResult read_results(const SweepPlan& plan, const SweepFolder& folder);

/// summary.json.
std::string summary_json(const SweepPlan& plan, const SweepResult& result);

}  // namespace cardan
