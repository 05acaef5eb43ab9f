#include "sweep/sweep_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "cardan/version.h"
#include "ensemble/lanes.hpp"
#include "io/whole_file.hpp"
#include "io/yaml_sections.hpp"
#include "sweep/file_error.hpp"
#include "sweep/journal.hpp"
#include "text/fingerprint.hpp"

namespace cardan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *kPlan = "plan.json", *kFailures = "failures", *kLock = "lock";

/// What decides the numbers that come out. Files by their names alone: a folder may be copied and worked on elsewhere.
Json described(const SweepPlan& plan) {
  Json json{{"cardan_sweep", 1}, {"program", CARDAN_VERSION}, {"name", plan.name}, {"runs", plan.runs()}};
  Json& files = json["files"] = Json::array();
  for (const std::string& file : plan.files) {
    std::string why_not;
    const auto text = read_text(file, why_not);
    Fingerprint sum;
    sum.add(text.value_or(why_not));
    files.push_back({{"name", fs::path(file).filename().string()}, {"sum", fmt::format("{:016x}", sum.sum())}});
  }
  return json;
}

Json plan_in(const fs::path& folder) {
  std::ifstream in(folder / kPlan);
  return Json::parse(in, nullptr, false);
}

/// In what two plans differ.
std::string difference(const Json& there, const Json& here) {
  if (!there.is_object() || !there.contains("files")) return "its plan.json cannot be read";
  if (there.value("program", "") != here.value("program", ""))
    return fmt::format("it was made by version {} of this program", there.value("program", "?"));
  const Json &old_files = there["files"], &new_files = here["files"];
  for (std::size_t i = 0; i < std::max(old_files.size(), new_files.size()); ++i) {
    if (i >= old_files.size() || i >= new_files.size()) return "other files belong to it";
    const std::string name = new_files[i].value("name", ""), old_name = old_files[i].value("name", "");
    if (name != old_name) return fmt::format("that one reads '{}' where this one reads '{}'", old_name, name);
    if (new_files[i] != old_files[i]) return fmt::format("'{}' is not what it was", name);
  }
  return "they differ";
}

}  // namespace

/// Where runs are few, each is for whoever is free.
constexpr std::uint64_t kFewRuns = 64;

SweepFolder::SweepFolder(fs::path folder, const SweepPlan& plan)
    : path_(std::move(folder)),
      chunks_{plan.runs(), plan.in_lanes && plan.runs() >= kFewRuns ? std::uint64_t{kLanes} : 1} {
  std::error_code error;
  fs::create_directories(path_, error);
  if (!error && !fs::is_directory(path_)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw std::system_error(error, "cannot create the folder " + path_.string());
  folder_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ >= 0 && flock(folder_, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(folder_);
    throw std::invalid_argument(fmt::format(
        "another command is writing into {}; wait until it has ended, or give another --out", path_.string()));
  }
  const Json here = described(plan);
  plan_text_ = here.dump(2) + "\n";
  if (!fs::exists(path_ / kPlan)) {
    for (const char* name : {"sweep.csv", "summary.json", "times.csv", "trajectory.csv"})
      if (fs::exists(path_ / name))
        throw std::invalid_argument(
            fmt::format("{} holds other results ({}); give another --out", path_.string(), name));
  }
  const Lock alone(*this);
  if (!fs::exists(path_ / kPlan)) write_whole(path_ / kPlan, plan_text_);
  if (const Json there = plan_in(path_); there != here) {
    throw std::invalid_argument(
        fmt::format("{} holds the runs of another plan: {}; give another --out, or remove the folder", path_.string(),
                    difference(there, here)));
  }
  make_claims(false);
}

SweepFolder::~SweepFolder() {
  if (folder_ >= 0) ::close(folder_);
}

fs::path SweepFolder::run_folder(std::uint64_t run) const { return path_ / "runs" / std::to_string(run + 1); }

/// A byte for each chunk and one for the table. Where there are journals without claims these are found from them.
void SweepFolder::make_claims(bool anew) const {
  std::error_code missing;
  if (!anew && fs::file_size(claims(), missing) == chunks_.count() + 1 && !missing) return;
  std::vector<std::uint64_t> done(chunks_.count(), 0);
  std::uint64_t failed = 0;
  for (const fs::path& file : journals_in(path_)) {
    JournalReader reader(file);
    for (JournalEntry entry; reader.next(entry);) {
      if (entry.run < chunks_.runs) ++done[entry.run / chunks_.length()];
      failed += entry.status == "failed";
    }
  }
  std::string states(chunks_.count() + 1, '\0');
  // How many lines there are does not say that all runs are there: one could stand there twice. So none is taken to be
  // complete; who takes it will look.
  for (std::size_t i = 0; i < done.size(); ++i)
    if (done[i] > 0) states[i] = static_cast<char>(ChunkState::begun);
  write_whole(path_ / kFailures, std::string(failed, '.'));
  write_whole(claims(), states);
}

void SweepFolder::take_over(const fs::path& other) {
  const Json there = plan_in(other), here = Json::parse(plan_text_);
  if (there != here)
    throw std::invalid_argument(
        fmt::format("{} does not hold runs of this plan: {}", other.string(), difference(there, here)));
  const Lock alone(*this);
  for (const fs::path& file : journals_in(other)) {
    fs::path copy = path_ / file.filename();
    for (int i = 1; fs::exists(copy); ++i) copy = path_ / fmt::format("{}-{}", file.filename().string(), i);
    fs::copy_file(file, copy);
  }
  make_claims(true);
}

std::uint64_t SweepFolder::done() const {
  std::uint64_t count = 0;
  for (const fs::path& file : journals_in(path_)) {
    JournalReader reader(file);
    for (JournalEntry entry; reader.next(entry);) ++count;
  }
  return count;
}

void SweepFolder::note_failure() const {
  const fs::path file = path_ / kFailures;
  const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (out < 0) fail_on(file, "cannot open");
  const ssize_t written = ::write(out, ".", 1);
  ::close(out);
  if (written != 1) fail_on(file, "cannot write");
}

std::uint64_t SweepFolder::failures() const {
  struct stat status {};
  return ::stat((path_ / kFailures).c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

SweepFolder::Lock::Lock(const SweepFolder& folder) {
  const fs::path file = folder.path_ / kLock;
  file_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) fail_on(file, "cannot open");
  lock_byte(file_, 0, true);
}

SweepFolder::Lock::~Lock() { ::close(file_); }

bool SweepFolder::table_is_written() const {
  std::ifstream in(claims(), std::ios::binary);
  in.seekg(static_cast<std::streamoff>(chunks_.count()));
  return in.get() == static_cast<int>(ChunkState::complete) && fs::exists(path_ / "sweep.csv");
}

void SweepFolder::note_table(bool written) const {
  const char state = static_cast<char>(written ? ChunkState::complete : ChunkState::untouched);
  const int file = ::open(claims().c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) fail_on(claims(), "cannot open");
  const ssize_t count = ::pwrite(file, &state, 1, static_cast<off_t>(chunks_.count()));
  ::close(file);
  if (count != 1) fail_on(claims(), "cannot write");
}

}  // namespace cardan
