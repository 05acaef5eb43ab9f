#include "measured_run.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

namespace cardan {
namespace {

constexpr std::size_t kTimes = 100'000;  // of steps, kept at most

/// Notes what steps cost and ends the run when all of them have cost too much.
class StepWatch final : public Sink {
 public:
  StepWatch(double budget, const std::atomic<bool>* stop) : budget_(budget), stop_(stop) { times_.reserve(kTimes); }
  void before_step() { begun_ = thread_seconds(); }
  void start(const std::vector<std::string>&) override {}
  void sample(const double*, std::size_t) override {
    const double now = thread_seconds();
    if (times_.size() < kTimes) times_.push_back(now - begun_);
    spent_ += now - begun_;
    begun_ = now;
    if (spent_ > budget_) too_dear_ = true;
    if (too_dear_ || (stop_ && *stop_)) ended_ = true;
  }

  const std::atomic<bool>& ended() const { return ended_; }
  bool too_dear() const { return too_dear_; }
  double quantile(double fraction) {
    if (times_.empty()) return 0;
    const auto at = times_.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(times_.size() - 1));
    std::nth_element(times_.begin(), at, times_.end());
    return *at;
  }

 private:
  const double budget_;
  double begun_ = 0, spent_ = 0;
  const std::atomic<bool>* stop_;
  std::vector<double> times_;
  std::atomic<bool> ended_ = false;
  bool too_dear_ = false;
};

}  // namespace

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

MeasuredRun run_measured(const Mechanism& mechanism, const RunOptions& options, Sink* sink, const DistanceMeter* meter,
                         double budget, const std::atomic<bool>* stop) {
  MeasuredRun measured;
  StepWatch watch(budget, stop);
  RunControl control;
  control.stop = &watch.ended();
  control.controller = [&watch](Simulation&) { watch.before_step(); };
  try {
    measured.summary = run(mechanism, options, sink, {}, &watch, control);
    measured.failure = measured.summary.status == RunStatus::ok ? "" : measured.summary.reason;
    if (watch.too_dear()) {
      measured.too_dear = true;
      measured.failure = fmt::format("took {:.2g} s to get to t = {:.3g} s", budget, measured.summary.duration);
    }
  } catch (const std::exception& error) {
    measured.failure = error.what();
  }
  if (meter) measured.error = meter->largest();
  measured.cpu_seconds = measured.summary.cpu_seconds;
  measured.step_time = watch.quantile(0.999);
  return measured;
}

}  // namespace cardan
