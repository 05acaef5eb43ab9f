#include "io/trajectory_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>

namespace cardan {
namespace {

constexpr std::size_t kBlockBytes = 8 << 20;
constexpr std::size_t kLongestLine = 64 << 20;  // without a line break in so many bytes it is no CSV file
constexpr std::size_t kTailBytes = 64;
constexpr std::size_t kGroupsAtOnce = 64;  // between two looks whether to stop
constexpr auto kGrowthPause = std::chrono::milliseconds(100);
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Rows come in the order asked for, columns need not: sorted without doubles, and where each one asked for is found.
struct ColumnOrder {
  std::vector<std::size_t> sorted, place;
  explicit ColumnOrder(std::span<const std::size_t> columns)
      : sorted(columns.begin(), columns.end()), place(columns.size()) {
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      place[i] = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), columns[i]) - sorted.begin());
    }
  }
};

void widen(double& low, double& high, double value) {
  if (std::isnan(value)) return;
  if (!(low <= value)) low = value;
  if (!(high >= value)) high = value;
}

}  // namespace

struct TrajectoryFile::Source {
  int descriptor = -1;
  dev_t device = 0;
  ino_t inode = 0;

  static std::shared_ptr<Source> open(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return nullptr;
    auto source = std::make_shared<Source>();
    source->descriptor = descriptor;
    struct stat info {};
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return nullptr;
    source->device = info.st_dev;
    source->inode = info.st_ino;
    return source;
  }
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() {
    if (descriptor >= 0) ::close(descriptor);
  }

  /// Fewer bytes than asked for where the file ends before.
  void read(std::uint64_t offset, std::size_t size, std::string& text) const {
    text.resize(size);
    std::size_t got = 0;
    while (got < size) {
      const ssize_t n = pread(descriptor, text.data() + got, size - got, static_cast<off_t>(offset + got));
      if (n <= 0) break;
      got += static_cast<std::size_t>(n);
    }
    text.resize(got);
  }
};

TrajectoryFile::TrajectoryFile(std::filesystem::path file) : file_(std::move(file)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { follow(stop); });
}

TrajectoryFile::~TrajectoryFile() = default;

TrajectoryFile::Status TrajectoryFile::status() const {
  const std::shared_lock lock(mutex_);
  return status_;
}

void TrajectoryFile::wait() const {
  std::shared_lock lock(mutex_);
  changed_.wait(lock, [this] { return status_.caught_up && status_.summarized == status_.rows; });
}

void TrajectoryFile::follow(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const bool more = look();
    while (index_block() && !stop.stop_requested()) {
    }
    const bool summarized = summarize(stop);
    std::unique_lock lock(mutex_);
    status_.caught_up = !more && summarized;
    changed_.notify_all();
    if (!more) changed_.wait_for(lock, stop, kGrowthPause, [] { return false; });
  }
}

/// Opens, reopens or starts over; true when there is something new.
bool TrajectoryFile::look() {
  struct stat info {};
  const bool exists = ::stat(file_.c_str(), &info) == 0 && S_ISREG(info.st_mode);
  if (!exists) {
    if (source_) reset(nullptr);
    return false;
  }
  const bool same = source_ && source_->device == info.st_dev && source_->inode == info.st_ino;
  bool anew = !same || static_cast<std::uint64_t>(info.st_size) < read_;
  if (!anew && !tail_.empty()) {
    std::string tail;
    source_->read(read_ - tail_.size(), tail_.size(), tail);
    anew = tail != tail_;
  }
  if (anew) reset(Source::open(file_));
  return source_ && static_cast<std::uint64_t>(info.st_size) > read_ && !status_.unfinished_line;
}

void TrajectoryFile::reset(std::shared_ptr<Source> source) {
  const std::unique_lock lock(mutex_);
  source_ = std::move(source);
  const std::uint64_t generation = status_.generation + 1;
  status_ = Status{};
  status_.generation = generation;
  status_.exists = source_ != nullptr;
  offsets_.clear();
  groups_.clear();
  read_ = 0;
  header_seen_ = false;
  tail_.clear();
}

/// Notes the lines of the next block; false when no complete line is left.
bool TrajectoryFile::index_block() {
  if (!source_) return false;
  std::string text;
  std::size_t complete = std::string::npos;
  for (std::size_t size = kBlockBytes;; size *= 2) {
    source_->read(read_, size, text);
    complete = text.rfind('\n');
    if (complete != std::string::npos || text.size() < size || size >= kLongestLine) break;
  }
  const std::unique_lock lock(mutex_);
  status_.unfinished_line = complete == std::string::npos ? !text.empty() : complete + 1 < text.size();
  if (complete == std::string::npos) return false;
  std::size_t at = 0;
  if (!header_seen_) {
    const std::size_t end = text.find('\n');
    status_.columns = parse_csv_header(std::string_view(text).substr(0, end));
    header_seen_ = true;
    at = end + 1;
    offsets_.assign(1, read_ + at);
  }
  const char* const begin = text.data();
  while (at <= complete) {
    const char* end = static_cast<const char*>(std::memchr(begin + at, '\n', complete + 1 - at));
    at = static_cast<std::size_t>(end - begin) + 1;
    offsets_.push_back(read_ + at);
  }
  read_ += complete + 1;
  tail_ = text.substr(complete + 1 - std::min(kTailBytes, complete + 1), std::min(kTailBytes, complete + 1));
  status_.rows = offsets_.size() - 1;
  const bool full = text.size() >= kBlockBytes;
  if (status_.rows > 0) {
    const std::size_t first = 0;
    const auto time = [&](std::size_t row) {
      std::string line;
      source_->read(offsets_[row], offsets_[row + 1] - offsets_[row], line);
      double t = kNaN;
      parse_some(line, std::span(&first, 1), &t);
      return t;
    };
    if (std::isnan(status_.first_time)) status_.first_time = time(0);
    status_.last_time = time(status_.rows - 1);
  }
  return full;
}

/// The extremes of the groups that are new or were not full; false when interrupted.
bool TrajectoryFile::summarize(const std::stop_token& stop) {
  const std::size_t width = status_.columns.size();  // written by this thread only
  const std::size_t rows = status_.rows;
  if (width == 0) return true;
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  while (status_.summarized < rows) {
    if (stop.stop_requested()) return false;
    const std::size_t first = status_.summarized / kGroup;
    const std::size_t last = std::min((rows + kGroup - 1) / kGroup, first + kGroupsAtOnce * threads);
    std::vector<double> found((last - first) * width * 2, kNaN);
    std::vector<std::size_t> bad;  // rows
    std::mutex bad_mutex;
    std::atomic<std::size_t> next = first;
    const auto work = [&] {
      std::vector<double> row(width);
      std::string text;
      for (std::size_t group; (group = next++) < last;) {
        const std::size_t begin = group * kGroup, end = std::min(rows, begin + kGroup);
        source_->read(offsets_[begin], offsets_[end] - offsets_[begin], text);
        double* const extremes = found.data() + (group - first) * width * 2;
        for (std::size_t r = begin; r < end; ++r) {
          const std::size_t at = std::min(text.size(), static_cast<std::size_t>(offsets_[r] - offsets_[begin]));
          const std::size_t past = static_cast<std::size_t>(offsets_[r + 1] - offsets_[begin] - 1);
          const std::string_view line = std::string_view(text).substr(at, past > at ? past - at : 0);
          if (!parse_csv_row(line, row) && r >= status_.summarized) {
            const std::lock_guard lock(bad_mutex);
            bad.push_back(r);
          }
          for (std::size_t c = 0; c < width; ++c) widen(extremes[2 * c], extremes[2 * c + 1], row[c]);
        }
      }
    };
    {
      std::vector<std::jthread> helpers;
      if (last - first > 8) {
        for (unsigned i = 1; i < threads; ++i) helpers.emplace_back(work);
      }
      work();
    }
    const std::unique_lock lock(mutex_);
    groups_.resize(last * width * 2);
    std::copy(found.begin(), found.end(), groups_.begin() + static_cast<std::ptrdiff_t>(first * width * 2));
    if (!bad.empty()) {
      const std::size_t line = *std::min_element(bad.begin(), bad.end()) + 2;
      if (status_.bad_rows == 0) status_.first_bad = line;
      status_.bad_rows += bad.size();
    }
    status_.summarized = std::min(rows, last * kGroup);
  }
  return true;
}

TrajectoryFile::Lines TrajectoryFile::lines(std::size_t from, std::size_t to) const {
  const std::shared_lock lock(mutex_);
  Lines result;
  if (to > status_.rows || from >= to) return result;
  result.source = source_;
  result.offsets.assign(offsets_.begin() + static_cast<std::ptrdiff_t>(from),
                        offsets_.begin() + static_cast<std::ptrdiff_t>(to) + 1);
  return result;
}

TrajectoryFile::Table TrajectoryFile::sample(std::size_t from, std::size_t to, std::size_t count,
                                             std::span<const std::size_t> columns) const {
  Table table;
  table.columns.resize(columns.size());
  const Lines lines = this->lines(from, to);
  if (!lines.source || count == 0) return table;
  const std::size_t rows = lines.offsets.size() - 1;
  count = std::min(count, rows);
  const ColumnOrder order(columns);
  std::vector<double> values(order.sorted.size());
  table.rows.reserve(count);
  for (auto& column : table.columns) column.reserve(count);

  std::string text;
  std::uint64_t begin = 0;  // of `text` in the file
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = count == 1 ? rows - 1 : i * (rows - 1) / (count - 1);
    const std::uint64_t start = lines.offsets[row], end = lines.offsets[row + 1];
    if (start < begin || end > begin + text.size()) {
      // Close rows come many at a time, distant ones each by itself.
      const bool close = count * 4 >= rows;
      const std::uint64_t limit = close ? std::min(start + kBlockBytes, lines.offsets.back()) : end;
      lines.source->read(start, static_cast<std::size_t>(std::max(end, limit) - start), text);
      begin = start;
    }
    const std::size_t at = std::min(text.size(), static_cast<std::size_t>(start - begin));
    parse_some(std::string_view(text).substr(at, static_cast<std::size_t>(end - start) - 1), order.sorted,
               values.data());
    table.rows.push_back(static_cast<double>(from + row));
    for (std::size_t c = 0; c < columns.size(); ++c) table.columns[c].push_back(values[order.place[c]]);
  }
  return table;
}

/// Of rows that have been read, time in the last column.
void TrajectoryFile::add_extremes(const Table& table, std::size_t count, std::size_t rows, Extremes& result) {
  const std::size_t m = result.low.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * rows / count, end = (i + 1) * rows / count;
    if (end > table.rows.size()) break;
    result.time.push_back((table.columns[m][begin] + table.columns[m][end - 1]) / 2);
    for (std::size_t c = 0; c < m; ++c) {
      double low = kNaN, high = kNaN;
      for (std::size_t r = begin; r < end; ++r) widen(low, high, table.columns[c][r]);
      result.low[c].push_back(low);
      result.high[c].push_back(high);
    }
  }
}

TrajectoryFile::Extremes TrajectoryFile::extremes(std::size_t from, std::size_t to, std::size_t count,
                                                  std::span<const std::size_t> columns) const {
  Extremes result;
  const std::size_t m = columns.size();
  result.low.resize(m);
  result.high.resize(m);
  const std::size_t rows = to > from ? to - from : 0;
  count = std::min(count, rows);
  if (count == 0) return result;
  std::vector<std::size_t> with_time(columns.begin(), columns.end());
  with_time.push_back(0);

  if (rows / count < 2 * kGroup) {  // few enough to be read
    add_extremes(sample(from, to, rows, with_time), count, rows, result);
    return result;
  }

  // Whole groups; what is not summarized yet is represented by samples.
  Table stand_in;
  const std::size_t known = status().summarized;
  if (known < to) stand_in = sample(from, to, count, with_time);
  const std::shared_lock lock(mutex_);
  const std::size_t width = status_.columns.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = from + i * rows / count, end = from + (i + 1) * rows / count;
    const bool here = end <= known && groups_.size() >= (end + kGroup - 1) / kGroup * width * 2;
    if (!here && i >= stand_in.rows.size()) break;
    result.complete = result.complete && here;
    double first = kNaN, last = kNaN;
    for (std::size_t c = 0; c <= m; ++c) {
      double low = kNaN, high = kNaN;
      if (here) {
        for (std::size_t g = begin / kGroup; g < (end + kGroup - 1) / kGroup; ++g) {
          const double* pair = groups_.data() + (g * width + with_time[c]) * 2;
          widen(low, high, pair[0]);
          widen(low, high, pair[1]);
        }
      } else {
        low = high = stand_in.columns[c][i];
      }
      if (c == m) {
        first = low;
        last = high;
      } else {
        result.low[c].push_back(low);
        result.high[c].push_back(high);
      }
    }
    result.time.push_back((first + last) / 2);
  }
  return result;
}

double TrajectoryFile::time_of(std::size_t row) const {
  const std::size_t first = 0;
  const Table table = sample(row, row + 1, 1, std::span(&first, 1));
  return table.rows.empty() ? kNaN : table.columns[0][0];
}

std::size_t TrajectoryFile::row_at(double time) const {
  std::size_t low = 0, high = status().rows;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (time_of(middle) < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace cardan
