// A trajectory.csv read from outside: of any length, perhaps still growing, perhaps half-written. Its numbers are not
// kept. A second thread notes where every line starts, which takes a fraction of a second per gigabyte, and then the
// extremes of every column over groups of lines, which takes longer; whatever is asked for is read from the text, so
// that it has all digits.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "io/csv_lines.hpp"

namespace cardan {

class TrajectoryFile {
 public:
  static constexpr std::size_t kGroup = 64;  // lines whose extremes are kept together

  struct Status {
    std::uint64_t generation = 0;  // counts up when the file is replaced or emptied
    bool exists = false;
    std::vector<std::string> columns;
    std::size_t rows = 0;        // complete lines found so far
    std::size_t summarized = 0;  // of these, lines whose extremes are known
    bool unfinished_line = false;
    bool caught_up = false;     // everything that the file held a moment ago has been seen
    std::size_t bad_rows = 0;   // lines with a missing or extra field, or one that is no number
    std::size_t first_bad = 0;  // which line of the file, counted from 1
    double first_time = std::numeric_limits<double>::quiet_NaN();
    double last_time = std::numeric_limits<double>::quiet_NaN();
  };

  /// Samples of some columns, column by column.
  struct Table {
    std::vector<double> rows;                  // numbers of the rows
    std::vector<std::vector<double>> columns;  // as asked for
  };
  /// Extremes of some columns over consecutive stretches.
  struct Extremes {
    std::vector<double> time;  // at the middle of each stretch
    std::vector<std::vector<double>> low, high;
    bool complete = true;  // false: some stretches have a single sample so far
  };

  explicit TrajectoryFile(std::filesystem::path file);
  ~TrajectoryFile();
  TrajectoryFile(const TrajectoryFile&) = delete;
  TrajectoryFile& operator=(const TrajectoryFile&) = delete;

  Status status() const;
  /// At most `count` rows, evenly from `from` to before `to`, both ends included; fewer when there are fewer.
  Table sample(std::size_t from, std::size_t to, std::size_t count, std::span<const std::size_t> columns) const;
  /// At most `count` stretches of the rows from `from` to before `to`.
  Extremes extremes(std::size_t from, std::size_t to, std::size_t count, std::span<const std::size_t> columns) const;
  /// The first row at or after `time`; the number of rows when there is none. Times must not fall.
  std::size_t row_at(double time) const;
  /// Waits until everything the file holds now is summarized, for tests.
  void wait() const;

 private:
  struct Source;  // the open file
  struct Lines {
    std::shared_ptr<Source> source;
    std::vector<std::uint64_t> offsets;  // of the starts of lines, one more than lines
  };

  static void add_extremes(const Table& table, std::size_t count, std::size_t rows, Extremes& result);
  void follow(const std::stop_token& stop);
  bool look();
  void reset(std::shared_ptr<Source> source);
  bool index_block();
  bool summarize(const std::stop_token& stop);
  Lines lines(std::size_t from, std::size_t to) const;
  double time_of(std::size_t row) const;

  std::filesystem::path file_;
  mutable std::shared_mutex mutex_;
  mutable std::condition_variable_any changed_;
  std::shared_ptr<Source> source_;
  Status status_;
  std::vector<std::uint64_t> offsets_;  // of every row's line, and the end of the last
  std::vector<double> groups_;          // per group and column: low, high
  std::uint64_t read_ = 0;              // bytes indexed
  bool header_seen_ = false;
  std::string tail_;  // last bytes indexed, to notice that the file was written anew
  std::jthread thread_;
};

}  // namespace cardan
