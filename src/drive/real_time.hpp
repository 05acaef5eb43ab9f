// Clocks and the schedule of a loop in real time. Times are ns of the monotonic clock.
#pragma once

#include <cstdint>
#include <string>

namespace cardan {

std::int64_t monotonic_now();
/// Processor time of the calling thread.
std::int64_t thread_time();
/// The next whole millisecond of the monotonic clock. Loops that start there are in step with each other.
std::int64_t next_millisecond();
/// Sleeps until then; comes back at once when that is past.
void sleep_until(std::int64_t time);

/// Asks the system for the calling thread to go before all others (SCHED_FIFO), and for the program's memory to stay
/// where it is. Answers what was refused, in words; empty when nothing was.
std::string ask_for_real_time();

/// Asks for the calling thread to stay on this processor, counted from 0, as the system counts them. Answers like
/// ask_for_real_time().
std::string ask_for_processor(int processor);

/// Asks for the calling thread to wait no longer than it must, which anybody may: that its sleeps end when they are due
/// (systems gather wake-ups within 50 us), and that its turns are the shortest, since where turns are dealt out by
/// their deadlines (Linux 6.12) the shortest come first. A system that knows nothing of it goes on as before.
void ask_for_short_waits();

/// Uses 512 kB of the calling thread's stack once: systems hand memory out when it is used for the first time.
void touch_stack();

/// What the system did to the calling thread so far.
struct Disturbances {
  std::int64_t page_faults = 0;  // memory was not there yet, or no longer
  std::int64_t preemptions = 0;  // the processor was taken away
};
Disturbances disturbances();

/// What is done when a step was not done in time.
enum class Overrun {
  catch_up,  // steps follow without a pause until the loop is in time again; what is more than a bound late is given up
  slow_down,  // the schedule is put off by what the step is late
  stop,       // the drive ends
};

/// When steps are due: step k at start + k period. The deadline of a step is when the next one is due.
class Schedule {
 public:
  /// From then on, when the first step is due.
  void restart(std::int64_t start, double period_seconds) {
    start_ = due_ = start;
    period_ = period_seconds * 1e9;
    count_ = 0;
  }
  std::int64_t due() const { return due_; }
  std::int64_t deadline() const {
    return start_ + static_cast<std::int64_t>(period_ * static_cast<double>(count_ + 1));
  }
  /// After a step.
  void advance() {
    due_ = deadline();
    ++count_;
  }
  /// All that is to come is so much later.
  void put_off(std::int64_t time) { start_ += time, due_ += time; }

 private:
  std::int64_t start_ = 0, due_ = 0, count_ = 0;
  double period_ = 0;  // ns
};

}  // namespace cardan
