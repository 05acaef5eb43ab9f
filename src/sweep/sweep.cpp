#include "sweep/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "io/result_folder.hpp"
#include "sweep/journal.hpp"
#include "sweep/run_maker.hpp"

namespace cardan {
namespace {

using Trajectories = SweepPlan::Trajectories;
using std::chrono::milliseconds;

/// What the threads of this process share.
struct Shared {
  const SweepPlan& plan;
  const SweepFolder& folder;
  const SweepWork& work;
  Journal journal;
  std::atomic<std::uint64_t> made = 0;
  std::atomic<bool> over = false;  // a thread has failed, or there were too many failures
  std::atomic<bool> too_many_failures = false;
  std::mutex mutex = {};
  std::exception_ptr error = nullptr;  // guarded by it

  bool must_end() const { return over || (work.stop != nullptr && *work.stop); }
};

class Worker {
 public:
  explicit Worker(Shared& shared)
      : shared_(shared),
        plan_(shared.plan),
        maker_(shared.plan),
        claims_(shared.folder.claims(), shared.folder.chunks(), shared.work.part) {}

  /// Until nothing is left. While others have the last chunks in hand it waits: they may die.
  void go() {
    constexpr milliseconds kShortest(5), kLongest(200);
    milliseconds pause = kShortest;
    while (!shared_.must_end()) {
      if (const auto chunk = claims_.take()) {
        pause = kShortest;
        make(*chunk);
        continue;
      }
      const Claims::Counts counts = claims_.count();
      if (counts.begun + counts.untouched == 0) return;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLongest);
    }
  }

 private:
  void make(const Chunk& chunk) {
    std::vector<bool> done(chunk.end - chunk.first, false);
    if (chunk.begun_by_another) find_done(chunk, done);
    const std::uint64_t together = shared_.folder.chunks().together;
    for (std::uint64_t run = chunk.first; run < chunk.end; run += together) {
      const std::uint64_t end = std::min(run + together, chunk.end);
      const auto is_done = [&](std::uint64_t one) { return done[one - chunk.first]; };
      if (std::all_of(done.begin() + static_cast<std::ptrdiff_t>(run - chunk.first),
                      done.begin() + static_cast<std::ptrdiff_t>(end - chunk.first), [](bool one) { return one; }))
        continue;
      if (shared_.must_end() || too_many_failures() || !(together > 1 ? make_together(run, end, is_done) : make(run)))
        return claims_.let_go(chunk);
    }
    claims_.complete(chunk);
    if (!shared_.work.progress) return;
    const Claims::Counts counts = claims_.count();
    const double all = static_cast<double>(counts.complete + counts.begun + counts.untouched);
    shared_.work.progress(static_cast<double>(counts.complete) / all);
  }

  /// Who began the chunk is not at it any more: what it has noted is on disk.
  void find_done(const Chunk& chunk, std::vector<bool>& done) const {
    for (const std::filesystem::path& file : journals_in(shared_.folder.path())) {
      JournalReader reader(file);
      for (JournalEntry entry; reader.next(entry);)
        if (entry.run >= chunk.first && entry.run < chunk.end) done[entry.run - chunk.first] = true;
    }
  }

  bool make(std::uint64_t run) {
    const std::filesystem::path folder =
        plan_.trajectories == Trajectories::all ? shared_.folder.run_folder(run) : std::filesystem::path();
    return note(run, maker_.make(run, shared_.work.stop, folder));
  }

  /// Those that are done are made again with the others, and noted once.
  template <class IsDone>
  bool make_together(std::uint64_t first, std::uint64_t end, const IsDone& is_done) {
    const std::vector<RunRow> rows = maker_.make_together(first, end, shared_.work.stop);
    for (std::uint64_t run = first; run < end; ++run)
      if (!is_done(run) && !note(run, rows[run - first])) return false;
    return true;
  }

  bool note(std::uint64_t run, const RunRow& row) {
    if (row.interrupted) return false;
    const bool failed = row.status == RowStatus::failed;
    if (failed && plan_.trajectories == Trajectories::failed)
      maker_.make(run, shared_.work.stop, shared_.folder.run_folder(run));
    const std::string line = table_line(plan_, run, maker_.point_text(run), row);
    shared_.journal.add({run, row_status_name(row.status), line, row.stepping_seconds});
    ++shared_.made;
    if (failed && plan_.most_failures) shared_.folder.note_failure();
    return true;
  }

  bool too_many_failures() {
    if (!plan_.most_failures || shared_.folder.failures() < *plan_.most_failures) return false;
    shared_.too_many_failures = shared_.over = true;
    return true;
  }

  Shared& shared_;
  const SweepPlan& plan_;
  RunMaker maker_;
  Claims claims_;
};

void work_in_thread(Shared& shared) {
  try {
    Worker(shared).go();
  } catch (...) {
    const std::lock_guard lock(shared.mutex);
    if (!shared.error) shared.error = std::current_exception();
    shared.over = true;
  }
}

}  // namespace

SweepOutcome work_on(const SweepPlan& plan, const SweepFolder& folder, const SweepWork& work) {
  Shared shared{plan, folder, work, Journal(folder.path())};
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < std::max(1U, work.threads); ++i)
      threads.emplace_back([&shared] { work_in_thread(shared); });
    work_in_thread(shared);
  }
  if (shared.error) std::rethrow_exception(shared.error);
  SweepOutcome outcome;
  outcome.made = shared.made;
  outcome.too_many_failures = shared.too_many_failures;
  const Claims::Counts counts = Claims(folder.claims(), folder.chunks(), work.part).count();
  outcome.part_is_complete = counts.begun + counts.untouched == 0;
  return outcome;
}

std::optional<SweepResult> write_results(const SweepPlan& plan, const SweepFolder& folder, bool complete) {
  const SweepFolder::Lock alone(folder);
  SweepResult result = write_table(plan, folder);
  if (complete && !result.missing_chunks.empty()) {
    const Claims claims(folder.claims(), folder.chunks(), {});
    for (const std::uint64_t chunk : result.missing_chunks) claims.reopen(chunk);
    return std::nullopt;
  }
  if (complete && plan.trajectories == Trajectories::worst) {
    RunMaker maker(plan);
    for (const auto& [value, run] : result.worst)
      if (!std::filesystem::exists(folder.run_folder(run - 1) / "summary.json"))
        maker.make(run - 1, nullptr, folder.run_folder(run - 1));
  }
  write_file(folder / "summary.json", summary_json(plan, result));
  if (complete) folder.note_table(true);
  return result;
}

}  // namespace cardan
