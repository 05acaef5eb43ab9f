#include "io/result_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "cardan/csv_sink.hpp"
#include "cardan/scene.hpp"
#include "io/state_file.hpp"
#include "io/whole_file.hpp"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr const char *kTrajectory = "trajectory.csv", *kTrajectoryH5 = "trajectory.h5", *kSteps = "steps.csv",
                     *kScene = "scene.json", *kSummary = "summary.json", *kState = "state.json";

/// The model that a folder tells of; empty when it tells of none.
std::string model_in(const fs::path& folder) {
  for (const auto& [file, key] : {std::pair(kScene, "name"), std::pair(kSummary, "model")}) {
    std::ifstream in(folder / file);
    const auto json = nlohmann::json::parse(in, nullptr, false);
    if (json.is_object() && json.contains(key) && json[key].is_string()) return json[key];
  }
  return {};
}

class CsvFile final : public RowFile {
 public:
  CsvFile(const fs::path& file, std::optional<std::int64_t> rows_kept) {
    rows_kept ? csv_.emplace(file, *rows_kept) : csv_.emplace(file);
  }
  void start(const std::vector<std::string>& columns) override { csv_->start(columns); }
  void sample(const double* row, std::size_t size) override { csv_->sample(row, size); }
  void finish() override { csv_->finish(); }
  const std::string& error() const override { return csv_->error(); }
  std::int64_t written() const override { return csv_->written(); }

 private:
  std::optional<CsvSink> csv_;
};

/// The rows of a run on their way into its folder. What an earlier run left is replaced with the first row, when
/// nothing can be wrong with the mechanism any more.
class FolderSinks {
 public:
  FolderSinks(const Mechanism& mechanism, const ResultFolder& folder, const FolderRun& how, const RunRecord* from)
      : mechanism_(mechanism), folder_(folder), how_(how), from_(from), with_steps_(how.steps_file != "none") {
    trajectory_.also = how.also;
  }

  Sink* trajectory() { return &trajectory_; }
  Sink* steps() { return with_steps_ ? &steps_ : nullptr; }
  bool have_written(const RunRecord& record) const {
    return trajectory_.written() >= record.rows && (!with_steps_ || steps_.written() >= record.step_rows);
  }
  std::string error() const {
    std::string text;
    for (const Files* files : {&trajectory_, &steps_}) {
      for (const auto& [name, file] : files->files) {
        if (file->error().empty()) continue;
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", (folder_ / name).string(), file->error());
      }
    }
    return text;
  }

 private:
  /// The same rows into each.
  struct Files final : Sink {
    explicit Files(FolderSinks* before_the_first) : first(before_the_first) {}
    void start(const std::vector<std::string>& columns) override {
      if (first) first->open();
      for (const auto& [name, file] : files) file->start(columns);
      if (also) also->start(columns);
    }
    void sample(const double* row, std::size_t size) override {
      for (const auto& [name, file] : files) file->sample(row, size);
      if (also) also->sample(row, size);
    }
    void finish() override {
      for (const auto& [name, file] : files) file->finish();
      if (also) also->finish();
    }
    std::int64_t written() const {
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (const auto& [name, file] : files) least = std::min(least, file->written());
      return least;
    }
    FolderSinks* first;
    std::vector<std::pair<const char*, std::unique_ptr<RowFile>>> files;
    Sink* also = nullptr;
  };

  void add_csv(Files& files, const char* name, std::int64_t RunRecord::*rows) const {
    files.files.emplace_back(
        name, std::make_unique<CsvFile>(folder_ / name, from_ ? std::optional(from_->*rows) : std::nullopt));
  }

  void open() {
    if (how_.csv) add_csv(trajectory_, kTrajectory, &RunRecord::rows);
    if (how_.open_h5)
      trajectory_.files.emplace_back(kTrajectoryH5, how_.open_h5(folder_ / kTrajectoryH5, from_ ? from_->rows : 0));
    if (with_steps_) add_csv(steps_, kSteps, &RunRecord::step_rows);
    fs::remove(folder_ / kSummary);
    if (!from_) fs::remove(folder_ / kState);
    if (!how_.csv) fs::remove(folder_ / kTrajectory);
    if (!how_.open_h5) fs::remove(folder_ / kTrajectoryH5);
    if (!with_steps_) fs::remove(folder_ / kSteps);
    write_file(folder_ / kScene, scene_json(mechanism_));  // first, for whoever looks on while it runs
  }

  const Mechanism& mechanism_;
  const ResultFolder& folder_;
  const FolderRun& how_;
  const RunRecord* from_;
  const bool with_steps_;
  Files trajectory_{this}, steps_{nullptr};
};

}  // namespace

void write_file(const fs::path& file, const std::string& text) { write_whole(file, text + '\n'); }

ResultFolder::ResultFolder(fs::path folder) : path_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (!error && !fs::is_directory(path_)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw std::system_error(error, "cannot create the folder " + path_.string());
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Where a file system knows no locks, there is none.
  if (lock_ < 0 || flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(lock_);
  throw std::invalid_argument(
      fmt::format("another run is writing into {}; wait until it has ended, or give another --out", path_.string()));
}

ResultFolder::~ResultFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void refuse_results_of_others(const fs::path& folder, const std::string& model) {
  const std::string other = model_in(folder);
  if (other.empty() || other == model) return;
  throw std::invalid_argument(fmt::format(
      "{} holds results of the model '{}', this is '{}'; give another --out, or --overwrite to replace them",
      folder.string(), other, model));
}

void refuse_to_replace(const std::vector<std::string>& inputs, const std::vector<fs::path>& outputs) {
  for (const fs::path& output : outputs) {
    for (const std::string& input : inputs) {
      std::error_code missing;
      if (!fs::equivalent(input, output, missing)) continue;
      throw std::invalid_argument(
          fmt::format("{} is read for the model and would be written over; give another name", output.string()));
    }
  }
}

WrittenRun run_into_folder(const Mechanism& mechanism, const RunOptions& options, const ResultFolder& folder,
                           const FolderRun& how) {
  refuse_to_replace(how.inputs, {folder / kTrajectory, folder / kTrajectoryH5, folder / kSteps, folder / kScene,
                                 folder / kSummary, folder / kState});
  const RunOrigin origin = RunOrigin::of(mechanism.name, how.inputs, how.parameters, options, how.steps_file);
  RunRecord from;
  if (how.resume) from = read_state(folder / kState, origin);
  if (how.resume && from.time > options.until * (1 + 1e-9)) {
    throw std::invalid_argument(fmt::format("{} is at t = {:.6g} s, beyond the end at {:.6g} s; give a later --until",
                                            (folder / kState).string(), from.time, options.until));
  }
  FolderSinks sinks(mechanism, folder, how, how.resume ? &from : nullptr);
  StateKeeper keeper(folder / kState, origin, how.save_every,
                     [&sinks](const RunRecord& record) { return sinks.have_written(record); });
  RunControl control;
  control.stop = how.stop;
  control.keeper = how.keep_state ? &keeper : nullptr;
  control.from = how.resume ? &from : nullptr;
  control.estimate_error = how.estimate_error;
  control.steps_every = how.steps_file == "all" ? 1 : options.every;

  WrittenRun result;
  result.summary = run(mechanism, options, sinks.trajectory(), how.progress, sinks.steps(), control);
  result.error = sinks.error();
  const auto add_error = [&result](const std::string& sentence) {
    if (!sentence.empty()) result.error += (result.error.empty() ? "" : "; ") + sentence;
  };
  if (how.keep_state && result.error.empty()) add_error(keeper.finish());
  try {
    write_file(folder / kSummary, result.summary.json());
  } catch (const std::system_error& error) {
    add_error(error.what());
  }
  return result;
}

WrittenRun run_into_folder(const Mechanism& mechanism, const RunOptions& options, const fs::path& folder) {
  WrittenRun result = run_into_folder(mechanism, options, ResultFolder(folder), FolderRun{});
  if (!result.error.empty()) throw std::runtime_error(result.error);
  return result;
}

}  // namespace cardan
