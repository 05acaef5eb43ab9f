#include "drive/real_time.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <ctime>

namespace cardan {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

}  // namespace

std::int64_t monotonic_now() { return read(CLOCK_MONOTONIC); }
std::int64_t thread_time() { return read(CLOCK_THREAD_CPUTIME_ID); }

void sleep_until(std::int64_t time) {
  const timespec then{time / kSecond, time % kSecond};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, nullptr) == EINTR) {
  }
}

std::string ask_for_real_time() {
  std::string refused;
  const auto add = [&refused](const char* what) {
    refused += fmt::format("{}{}: {}", refused.empty() ? "" : "; ", what, std::strerror(errno));
  };
  const sched_param priority{sched_get_priority_min(SCHED_FIFO) + 1};
  if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) add("no priority before other programs");
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) add("memory is not locked");
  return refused;
}

}  // namespace cardan
