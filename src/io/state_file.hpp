// state.json of a result folder: a run between two steps, and what a run must be like to go on from it. The numbers are
// written so that they read back bit for bit; a sum over them tells a damaged file.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "cardan/simulation.hpp"

namespace cardan {

/// What decides every row of a run. Where it ends is free.
struct RunOrigin {
  std::string model;
  std::string files;  // stands for the contents of the model's files
  std::map<std::string, double> parameters;
  RunOptions options;
  std::string steps_file;

  static RunOrigin of(const std::string& model, const std::vector<std::string>& files,
                      const std::map<std::string, double>& parameters, const RunOptions& options,
                      const std::string& steps_file);
};

/// Throws std::system_error.
void write_state(const std::filesystem::path& file, const RunOrigin& origin, const RunRecord& record);
/// Throws std::invalid_argument when there is none, when it is damaged, or when another run left it: then the sentence
/// says what is different.
RunRecord read_state(const std::filesystem::path& file, const RunOrigin& origin);

/// Writes the state every so many seconds from a thread of its own, and when the run has ended.
class StateKeeper final : public RunKeeper {
 public:
  /// `seconds` 0: at the end alone. `rows_are_written(record)` tells whether the rows up to a record are in their
  /// files, which may be a little later; a state is not written before.
  StateKeeper(std::filesystem::path file, RunOrigin origin, double seconds,
              std::function<bool(const RunRecord&)> rows_are_written);
  ~StateKeeper() override;

  void start(std::size_t numbers) override;
  bool due() const override { return wanted_.load(std::memory_order_acquire); }
  RunRecord& room(bool last) override { return last ? last_ : record_; }
  void keep(bool last) override;

  /// When the run has ended and its rows are written. Answers why a state could not be written, or with nothing.
  std::string finish();

 private:
  void follow(const std::stop_token& stop);
  void write(const RunRecord& record);

  const std::filesystem::path file_;
  const RunOrigin origin_;
  const double seconds_;
  const std::function<bool(const RunRecord&)> rows_are_written_;
  RunRecord record_, last_;
  std::atomic<bool> wanted_ = false, full_ = false;  // a record is asked for; record_ holds one
  bool ended_ = false;                               // last_ holds one
  std::string error_;                                // of the thread, then of finish()
  std::jthread thread_;
};

}  // namespace cardan
