// One line on the terminal that tells how far a long job is. Drawn by a thread of its own, so that whoever does the job
// only stores a number; silent when standard error is not a terminal.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace cardan {

class ProgressLine {
 public:
  /// `text` makes the line from the fraction done (0 to 1) and the seconds since the start.
  explicit ProgressLine(std::function<std::string(double fraction, double seconds)> text);
  /// Wipes the line.
  ~ProgressLine();

  /// From any thread. Nothing is drawn before the first call.
  void update(double fraction) { fraction_.store(fraction, std::memory_order_relaxed); }
  /// Makes room for other output; the next update() brings the line back.
  void wipe();
  bool visible() const { return thread_.joinable(); }

 private:
  void draw(const std::stop_token& stop);

  std::function<std::string(double, double)> text_;
  std::atomic<double> fraction_ = 0;
  std::mutex terminal_;
  bool drawn_ = false;  // guarded by terminal_
  std::jthread thread_;
};

/// "12 s left", "3 min 20 s left", "2 h 5 min left"; empty while nothing can be said yet.
std::string time_left(double fraction, double seconds);

}  // namespace cardan
