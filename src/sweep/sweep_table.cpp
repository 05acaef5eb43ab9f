#include "sweep/sweep_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

#include "sweep/file_error.hpp"
#include "sweep/journal.hpp"
#include "sweep/run_maker.hpp"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostReasons = 20;
constexpr std::size_t kPiece = 1 << 16;

/// A file that is written from its beginning and takes the place of another when it is whole.
class NewFile {
 public:
  explicit NewFile(fs::path file) : path_(std::move(file)), draft_(path_.string() + ".new") {
    file_ = ::open(draft_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail_on(draft_, "cannot create");
  }
  ~NewFile() {
    if (file_ < 0) return;
    ::close(file_);
    std::error_code ignored;
    fs::remove(draft_, ignored);
  }
  void add(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() > kPiece) flush();
  }
  void finish() {
    flush();
    if (::fdatasync(file_) != 0 && errno != EINVAL) fail_on(draft_, "cannot write");
    ::close(file_);
    file_ = -1;
    fs::rename(draft_, path_);
  }

 private:
  void flush() {
    for (std::size_t at = 0; at < buffer_.size();) {
      const ssize_t count = ::write(file_, buffer_.data() + at, buffer_.size() - at);
      if (count <= 0) fail_on(draft_, "cannot write");
      at += static_cast<std::size_t>(count);
    }
    buffer_.clear();
  }
  fs::path path_, draft_;
  int file_ = -1;
  std::string buffer_;
};

/// Where the line of every run stands: on disk, in a file that is gone when the program ends.
class LineIndex {
 public:
  struct Place {
    std::uint32_t journal = 0;  // from 1; 0: none
    std::uint32_t length = 0;
    std::uint64_t offset = 0;
    double seconds = 0;
  };
  explicit LineIndex(const fs::path& folder) : path_(folder / fmt::format("index-{}", getpid())) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail_on(path_, "cannot create");
    ::unlink(path_.c_str());
  }
  ~LineIndex() { ::close(file_); }
  LineIndex(const LineIndex&) = delete;
  LineIndex& operator=(const LineIndex&) = delete;

  Place get(std::uint64_t run) {
    constexpr std::uint64_t kPlaces = 4096;
    if (run < first_ || run >= first_ + block_.size()) {
      first_ = run / kPlaces * kPlaces;
      block_.assign(kPlaces, {});
      const ssize_t count =
          ::pread(file_, block_.data(), kPlaces * sizeof(Place), static_cast<off_t>(first_ * sizeof(Place)));
      if (count < 0) fail_on(path_, "cannot read");
    }
    return block_[run - first_];
  }
  void set(std::uint64_t run, const Place& place) {
    if (::pwrite(file_, &place, sizeof place, static_cast<off_t>(run * sizeof place)) != sizeof place)
      fail_on(path_, "cannot write");
    if (run >= first_ && run < first_ + block_.size()) block_[run - first_] = place;
  }

 private:
  fs::path path_;
  int file_ = -1;
  std::uint64_t first_ = 0;
  std::vector<Place> block_;
};

/// Pieces of journals, a block of each at a time.
class Lines {
 public:
  explicit Lines(std::vector<fs::path> files) : files_(std::move(files)) {}
  std::string_view get(std::uint32_t journal, std::uint64_t offset, std::uint32_t length) {
    Block& block = blocks_[journal];
    if (offset < block.offset || offset + length > block.offset + block.text.size()) {
      if (blocks_.size() > kMostBlocks) {  // a sweep that was taken up again very often
        blocks_.clear();
        return get(journal, offset, length);
      }
      const fs::path& path = files_[journal - 1];
      const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
      if (file < 0) fail_on(path, "cannot open");
      block.offset = offset;
      block.text.resize(std::max<std::size_t>(kPiece, length));
      const ssize_t count = ::pread(file, block.text.data(), block.text.size(), static_cast<off_t>(offset));
      ::close(file);
      if (count < static_cast<ssize_t>(length)) fail_on(path, "cannot read");
      block.text.resize(static_cast<std::size_t>(count));
    }
    return std::string_view(block.text).substr(offset - block.offset, length);
  }

 private:
  static constexpr std::size_t kMostBlocks = 256;
  struct Block {
    std::uint64_t offset = 0;
    std::string text;
  };
  std::vector<fs::path> files_;
  std::map<std::uint32_t, Block> blocks_;
};

std::string without_numbers(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (!digit) plain += text[i];
    if (!digit) continue;
    plain += '#';
    while (i + 1 < text.size() && (std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0 ||
                                   ((text[i + 1] == '.' || text[i + 1] == '-' || text[i + 1] == '+') &&
                                    i + 2 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 2])) != 0)))
      ++i;
  }
  return plain;
}

/// What makes a run one of the worst.
struct Badness {
  explicit Badness(const SweepPlan& plan) : points(plan), expression(plan, plan.worst_by) {}
  double of(const SweepRow& row) {
    points.find(row.run - 1, point);
    return expression.evaluate(row.measures, point);
  }
  RunPoints points;
  RunPoint point;
  RowExpression expression;
};

void note(const SweepPlan& plan, const SweepRow& row, Badness* badness, SweepResult& result) {
  if (row.status == "failed") {
    ++result.failed;
    const std::string reason = without_numbers(row.reason);
    if (result.reasons.size() < kMostReasons || result.reasons.contains(reason)) ++result.reasons[reason];
    return;
  }
  ++(row.status == "ok" ? result.ok : result.stopped);
  result.feasible += row.feasible;
  for (std::size_t i = 0; i < plan.measures.size(); ++i)
    if (std::isfinite(row.measures[i])) result.measures[i].add(row.measures[i], row.run);
  if (badness == nullptr) return;
  const double value = badness->of(row);
  if (std::isnan(value)) return;
  auto& worst = result.worst;
  // Of equal ones the first.
  const auto place = std::find_if(worst.begin(), worst.end(), [&](const auto& one) { return one.first < value; });
  worst.insert(place, {value, row.run});
  if (worst.size() > plan.worst) worst.pop_back();
}

}  // namespace

void parse_line(const SweepPlan& plan, std::string_view line, SweepRow& row) {
  const auto take = [&line] {
    std::size_t end = 0;
    bool quoted = false;
    for (; end < line.size() && (quoted || line[end] != ','); ++end) quoted = quoted != (line[end] == '"');
    const std::string_view cell = line.substr(0, end);
    line.remove_prefix(std::min(line.size(), end + 1));
    return cell;
  };
  const std::string_view run = take();
  std::from_chars(run.data(), run.data() + run.size(), row.run);
  row.point.clear();
  for (std::size_t i = 0; i < plan.axes.size(); ++i) row.point.push_back(take());
  row.status = take();
  row.measures.clear();
  for (std::size_t i = 0; i < plan.measures.size(); ++i) {
    const std::string_view cell = take();
    double value = std::numeric_limits<double>::quiet_NaN();
    std::from_chars(cell.data(), cell.data() + cell.size(), value);
    row.measures.push_back(value);
  }
  row.feasible = true;
  if (!plan.constraints.empty()) row.feasible = take() == "1", take();
  row.reason = line;
}

double place_on(const SweepAxis& axis, std::string_view cell) {
  if (axis.is_number()) return std::strtod(std::string(cell).c_str(), nullptr);
  const auto found = std::find(axis.words.begin(), axis.words.end(), cell);
  return static_cast<double>(found - axis.words.begin() + 1);
}

void MeasureStatistics::add(double value, std::uint64_t run) {
  if (count == 0 || value < lowest) lowest = value, lowest_run = run;
  if (count == 0 || value > highest) highest = value, highest_run = run;
  ++count;
  const double off = value - mean;
  mean += off / static_cast<double>(count);
  squares += off * (value - mean);
}

double MeasureStatistics::deviation() const {
  return count > 1 ? std::sqrt(squares / static_cast<double>(count - 1)) : 0;
}

SweepResult write_table(const SweepPlan& plan, const SweepFolder& folder) {
  SweepResult result;
  result.planned = plan.runs();
  result.measures.resize(plan.measures.size());
  const std::vector<fs::path> files = journals_in(folder.path());
  LineIndex index(folder.path());
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    JournalReader reader(files[i]);
    for (JournalEntry entry; reader.next(entry);) {
      if (entry.run >= result.planned) continue;
      if (index.get(entry.run).journal != 0) {
        ++result.twice;
        continue;
      }
      index.set(entry.run,
                {i + 1, static_cast<std::uint32_t>(entry.line.size()), reader.line_offset(), entry.stepping_seconds});
    }
    result.torn += reader.torn();
  }
  std::optional<Badness> badness;
  if (plan.trajectories == SweepPlan::Trajectories::worst) badness.emplace(plan);
  NewFile table(folder / "sweep.csv"), times(folder / "times.csv");
  table.add(table_header(plan) + "\n");
  times.add("run,stepping_seconds\n");
  Lines lines(files);
  SweepRow row;
  for (std::uint64_t run = 0; run < result.planned; ++run) {
    const LineIndex::Place place = index.get(run);
    if (place.journal == 0) {
      const std::uint64_t chunk = run / folder.chunks().length();
      if (result.missing_chunks.empty() || result.missing_chunks.back() != chunk) {
        if (result.missing_chunks.size() < Chunks::kMost) result.missing_chunks.push_back(chunk);
      }
      continue;
    }
    const std::string_view line = lines.get(place.journal, place.offset, place.length);
    table.add(line);
    table.add("\n");
    times.add(fmt::format("{},{}\n", run + 1, place.seconds));
    result.stepping_seconds += place.seconds;
    parse_line(plan, line, row);
    note(plan, row, badness ? &*badness : nullptr, result);
  }
  table.finish();
  times.finish();
  return result;
}

void for_each_row(const SweepPlan& plan, const SweepFolder& folder, const std::function<void(const SweepRow&)>& visit) {
  std::ifstream in(folder / "sweep.csv");
  std::string line;
  if (!std::getline(in, line)) fail_on(folder / "sweep.csv", "cannot read");
  for (SweepRow row; std::getline(in, line);) {
    parse_line(plan, line, row);
    visit(row);
  }
}

SweepResult read_results(const SweepPlan& plan, const SweepFolder& folder) {
  SweepResult result;
  result.planned = plan.runs();
  result.measures.resize(plan.measures.size());
  std::optional<Badness> badness;
  if (plan.trajectories == SweepPlan::Trajectories::worst) badness.emplace(plan);
  for_each_row(plan, folder, [&](const SweepRow& row) { note(plan, row, badness ? &*badness : nullptr, result); });
  std::ifstream times(folder / "times.csv");
  std::string line;
  for (std::getline(times, line); std::getline(times, line);)
    result.stepping_seconds += std::strtod(line.c_str() + std::min(line.size(), line.find(',') + 1), nullptr);
  return result;
}

std::string summary_json(const SweepPlan& plan, const SweepResult& result) {
  nlohmann::ordered_json json{{"status", result.done() == result.planned ? "complete" : "incomplete"},
                              {"name", plan.name},
                              {"model", plan.model},
                              {"runs", result.planned},
                              {"done", result.done()},
                              {"left", result.planned - result.done()},
                              {"ok", result.ok},
                              {"stopped", result.stopped},
                              {"failed", result.failed}};
  if (!plan.constraints.empty()) json["feasible"] = result.feasible;
  json["stepping_seconds"] = result.stepping_seconds;
  auto& measures = json["measures"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < plan.measures.size(); ++i) {
    const MeasureStatistics& of = result.measures[i];
    auto& one = measures[plan.measures[i].name] = {{"count", of.count}};
    if (of.count == 0) continue;
    one["lowest"] = {{"value", of.lowest}, {"run", of.lowest_run}};
    one["highest"] = {{"value", of.highest}, {"run", of.highest_run}};
    one["mean"] = of.mean;
    one["deviation"] = of.deviation();
  }
  auto& reasons = json["reasons"] = nlohmann::ordered_json::array();
  for (const auto& [reason, count] : result.reasons) reasons.push_back({{"reason", reason}, {"runs", count}});
  auto& worst = json["worst"] = nlohmann::ordered_json::array();
  for (const auto& [value, run] : result.worst) worst.push_back({{"run", run}, {"value", value}});
  return json.dump(2);
}

}  // namespace cardan
