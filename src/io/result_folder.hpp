// What a run leaves behind in its folder: trajectory.csv, steps.csv, scene.json, summary.json and state.json
// (docs/output.md). One program at a time writes into a folder; summary.json is written last, so that it belongs to
// what lies beside it.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cardan/simulation.hpp"
#include "io/row_file.hpp"

namespace cardan {

/// A whole file and a line end. Throws std::system_error.
void write_file(const std::filesystem::path& file, const std::string& text);

/// A folder that this program alone writes into, for as long as the object lives.
class ResultFolder {
 public:
  /// Makes it, with those above. Throws std::system_error when it cannot be made, std::invalid_argument when another
  /// program is writing into it.
  explicit ResultFolder(std::filesystem::path folder);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // the folder itself, opened; the system lets go of it however the program ends
};

/// Throws std::invalid_argument when the folder holds the results of a model of another name.
void refuse_results_of_others(const std::filesystem::path& folder, const std::string& model);
/// Throws std::invalid_argument when one of the files that would be written is one of those that are read.
void refuse_to_replace(const std::vector<std::string>& inputs, const std::vector<std::filesystem::path>& outputs);

/// Opens a file of another format than CSV for the rows of a run, after so many that it has already.
using OpenRowFile = std::function<std::unique_ptr<RowFile>(const std::filesystem::path& file, std::int64_t rows_kept)>;

/// How a run into a folder is ended early, kept, and taken up again.
struct FolderRun {
  Progress progress = {};
  const std::atomic<bool>* stop = nullptr;        // see RunControl
  bool csv = true;                                // write trajectory.csv
  OpenRowFile open_h5 = {};                       // write trajectory.h5
  std::string steps_file = "every";               // rows of steps.csv: one of kStepsFiles
  bool keep_state = false;                        // write state.json
  double save_every = 0;                          // s of real time; 0: at the end alone
  bool resume = false;                            // go on from state.json
  bool estimate_error = false;                    // see RunControl
  std::vector<std::string> inputs = {};           // the files of the model
  std::map<std::string, double> parameters = {};  // given beside them
  Sink* also = nullptr;                           // receives the samples too
};
inline constexpr const char* kStepsFiles[] = {"every", "all", "none"};

struct WrittenRun {
  RunSummary summary;
  std::string error;  // which file is missing or incomplete, and why (a full disk, say); empty when none is
};

/// Replaces what an earlier run left there once the mechanism is assembled. Throws what run() throws,
/// std::system_error when a file cannot be written before the first step, and std::invalid_argument when there is
/// nothing to go on from.
WrittenRun run_into_folder(const Mechanism& mechanism, const RunOptions& options, const ResultFolder& folder,
                           const FolderRun& how);
/// The same into a folder that nobody else knows of. Throws std::runtime_error too when a file is incomplete.
WrittenRun run_into_folder(const Mechanism& mechanism, const RunOptions& options, const std::filesystem::path& folder);

}  // namespace cardan
