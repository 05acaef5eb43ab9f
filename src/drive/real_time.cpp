#include "drive/real_time.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
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

std::int64_t next_millisecond() {
  constexpr std::int64_t kMillisecond = kSecond / 1000;
  return (monotonic_now() / kMillisecond + 1) * kMillisecond;
}

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
  // What is there: the calling thread asks for no more, and what others ask for later is not to be refused to them
  // because of a limit on locked memory.
  if (mlockall(MCL_CURRENT) != 0) add("memory is not locked");
  return refused;
}

std::string ask_for_processor(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(processor), &one);  // one that is beyond the set leaves it empty
  if (sched_setaffinity(0, sizeof one, &one) == 0) return {};
  return fmt::format("processor {} is not to be had: {}", processor, std::strerror(errno));
}

void ask_for_short_waits() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // ns
  // The C library has no name for it. Of a thread that shares the processor, `turn` is how long it may keep it.
  struct {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t turn, deadline, period;  // ns
  } wish{};
  wish.size = sizeof wish;
  if (syscall(SYS_sched_getattr, 0, &wish, sizeof wish, 0U) != 0 || wish.policy != SCHED_OTHER) return;
  wish.turn = 100'000;  // the least there is
  syscall(SYS_sched_setattr, 0, &wish, 0U);
}

__attribute__((noinline)) void touch_stack() {
  constexpr std::size_t kBytes = 512 << 10, kPage = 4096;
  [[maybe_unused]] volatile char stack[kBytes];
  for (std::size_t i = 0; i < kBytes; i += kPage) stack[i] = 0;
}

Disturbances disturbances() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {usage.ru_minflt + usage.ru_majflt, usage.ru_nivcsw};
}

}  // namespace cardan
