// The inputs of a drive with their times, as the CSV file that `cardan run --input` takes: a row for every step before
// which one changed, and one for the end. The stepping thread leaves rows in a ring; a thread of the recorder's own
// writes them.
#pragma once

#include <atomic>
#include <filesystem>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace cardan {

class InputRecorder {
 public:
  /// Throws std::system_error when the file cannot be written. Without a file it only counts.
  InputRecorder(const std::vector<std::string>& names, std::filesystem::path file);
  ~InputRecorder();
  InputRecorder(const InputRecorder&) = delete;
  InputRecorder& operator=(const InputRecorder&) = delete;

  /// Of the stepping thread: from time t on the inputs have these values.
  void add(double t, std::span<const double> values) { put(t, values.data()); }
  /// Of the stepping thread: the drive went back to time t. What came since then did not happen.
  void cut_back(double t) { put(t, nullptr); }

  /// Writes what is there and ends, with a last row at the time `end` of the drive, at which a run that repeats it is
  /// to end. Answers why the file is not complete; empty when it is.
  std::string finish(double end = 0);

 private:
  void put(double t, const double* values);
  void work();
  void empty_ring();
  void add_end(double t);
  void write();

  std::vector<std::string> names_;
  std::filesystem::path file_;
  // A row: what it is, t, then the values.
  static constexpr double kRow = 0, kCut = 1;
  std::size_t width_;
  static constexpr std::size_t kRows = 8192;
  std::vector<double> ring_;
  std::atomic<std::size_t> begin_ = 0, end_ = 0;
  std::atomic<bool> lost_ = false, finished_ = false;
  std::vector<double> rows_;  // t and values, of the recorder's thread
  bool changed_ = false;
  std::string trouble_;
  std::thread thread_;
};

}  // namespace cardan
