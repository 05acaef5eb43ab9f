// The thread behind a sink: rows that the stepping thread pushes into a ring are taken out here and handed to whoever
// formats and writes them. Which file they go to is not known here.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "io/row_ring.hpp"

namespace cardan {

class RowWriter {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// What was taken is flushed at least so often: a run that is killed has its rows up to then in the file.
  explicit RowWriter(Milliseconds flush_after) : flush_after_(flush_after) {}
  virtual ~RowWriter() = default;  // finish() comes first

  bool has_started() const { return ring_.has_value(); }
  void start(std::size_t width) {
    ring_.emplace(std::max(kRowsAtLeast, kRingBytes / (width * sizeof(double))), width);
    thread_ = std::thread([this] { drain(); });
  }
  /// From the stepping thread: no allocation, no lock; waits only when the writer is a whole ring behind.
  void push(const double* row, std::size_t size) {
    if (!ring_ || size != ring_->width())
      throw std::invalid_argument("Sink::sample: the row does not have as many numbers as there are columns");
    ring_->push(row);
  }
  /// When it answers, every row is where it belongs; true the first time.
  bool finish() {
    if (!thread_.joinable()) return false;
    no_more_rows_.store(true, std::memory_order_release);
    thread_.join();
    return true;
  }

  std::string error;                      // why writing failed; rows are dropped from then on, so that the run goes on
  std::atomic<std::int64_t> written = 0;  // rows; -1: writing failed

 protected:
  virtual void take(const double* row) = 0;
  virtual bool has_unwritten() const = 0;
  virtual void flush(bool last) = 0;

  void fail(const std::string& why) {
    if (error.empty()) error = why;
    written = -1;
  }

 private:
  static constexpr std::size_t kRingBytes = 4 << 20;  // some 5000 rows of 100 columns
  static constexpr std::size_t kRowsAtLeast = 64;
  static constexpr Milliseconds kPause{1};  // between two looks at an empty ring

  void drain() {
    using Clock = std::chrono::steady_clock;
    auto last_flush = Clock::now();
    for (;;) {
      const bool last_look = no_more_rows_.load(std::memory_order_acquire);
      while (const double* row = ring_->front()) {
        take(row);
        ring_->pop();
      }
      if (last_look) break;
      if (has_unwritten() && Clock::now() - last_flush > flush_after_) {
        flush(false);
        last_flush = Clock::now();
      }
      std::this_thread::sleep_for(kPause);
    }
    flush(true);
  }

  const Milliseconds flush_after_;
  std::optional<RowRing> ring_;
  std::atomic<bool> no_more_rows_ = false;
  std::thread thread_;
};

}  // namespace cardan
