// The driven Iltis at 1 kHz by the clock, and beside it, in the same run, a loop that does nothing but sleep to the
// same deadlines: what that one misses is the machine's, not ours.
//   cardan_drive_bench [SECONDS [MODEL]]
#include "drive/drive_loop.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "cardan/io.hpp"

namespace {

void tell(const char* what, const cardan::TimeHistogram& times) {
  fmt::print("  {:<34} p50 {:8.1f}  p99 {:8.1f}  p99.9 {:8.1f}  largest {:8.1f} us\n", what, 1e6 * times.quantile(0.5),
             1e6 * times.quantile(0.99), 1e6 * times.quantile(0.999), 1e6 * times.largest());
}

/// Steps of no length to the deadlines of `period`.
struct EmptyLoop {
  cardan::TimeHistogram wake, late;
  void run(double period, const std::atomic<bool>& stop) {
    cardan::Schedule schedule;
    schedule.restart(cardan::monotonic_now(), period);
    while (!stop) {
      cardan::sleep_until(schedule.due());
      wake.add(cardan::monotonic_now() - schedule.due());
      const std::int64_t by = cardan::monotonic_now() - schedule.deadline();
      schedule.advance();
      if (by > 0) late.add(by);
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  const cardan::Mechanism mechanism = cardan::read_mechanism(argc > 2 ? argv[2] : CARDAN_MODELS "/iltis_driven.yaml");
  cardan::RunOptions options = cardan::RunOptions::for_mechanism(mechanism);
  options.step = 1e-3;
  cardan::DriveSettings settings;
  settings.until = seconds;
  cardan::DriveLoop drive(mechanism, options, settings);
  EmptyLoop empty;
  std::atomic<bool> stop = false;
  std::thread beside([&] { empty.run(options.step, stop); });
  const std::atomic<bool> never = false;
  drive.run(never);
  stop = true;
  beside.join();
  const cardan::DriveStatistics& s = drive.statistics();
  fmt::print("{} for {} s at 1 kHz: {} steps, {} late (empty loop: {}), {:.3g} s given up, {} allocations\n",
             mechanism.name, seconds, s.steps.load(), s.late.count(), empty.late.count(),
             1e-9 * static_cast<double>(s.given_up.load()), s.allocations.load());
  tell("processor time of a step", s.step);
  tell("woke up late by", s.wake);
  tell("the empty loop woke up late by", empty.wake);
  fmt::print("  p99.9 / p50 of a step {:.2f}; the largest is {:.2f} of the period\n",
             s.step.quantile(0.999) / s.step.quantile(0.5), s.step.largest() / options.step);
  return drive.summary().status == cardan::RunStatus::failed;
}
