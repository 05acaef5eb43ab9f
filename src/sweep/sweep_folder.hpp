// The folder that a sweep writes into. Any number of processes work in it together, on one machine or many; what they
// share is in files:
//
//     plan.json     what it is the folder of: sums over the plan, the model and all that they read
//     claims        who does what (claims.hpp)
//     journal-*     what is done (journal.hpp)
//     failures      a byte for each run that failed
//     sweep.csv, times.csv, summary.json, runs/    what came out
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sweep/claims.hpp"
#include "sweep/plan.hpp"

namespace cardan {

class SweepFolder {
 public:
  /// Makes it, or joins those that work in it. Throws std::invalid_argument, with nothing changed, when it holds
  /// results of another plan or of something else, std::system_error when it cannot be written.
  SweepFolder(std::filesystem::path folder, const SweepPlan& plan);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  std::filesystem::path run_folder(std::uint64_t run) const;  // from 0

  Chunks chunks() const { return chunks_; }
  std::filesystem::path claims() const { return path_ / "claims"; }

  /// Takes over what was done in another folder of the same plan, which stays as it is. Throws as the constructor.
  void take_over(const std::filesystem::path& other);

  /// Runs that are on disk.
  std::uint64_t done() const;
  /// One more has failed.
  void note_failure() const;
  std::uint64_t failures() const;

  /// One of all that work here at a time.
  class Lock {
   public:
    explicit Lock(const SweepFolder& folder);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    int file_ = -1;
  };
  /// Whether sweep.csv and the like are those of all runs.
  bool table_is_written() const;
  void note_table(bool written) const;

 private:
  void make_claims(bool anew) const;

  std::filesystem::path path_;
  Chunks chunks_;
  std::string plan_text_;
  int folder_ = -1;  // shared lock: `cardan run` and the like keep out
};

}  // namespace cardan
