// The stepping thread waits for nobody: it takes no lock, asks for no memory, and calls the system for nothing but to
// sleep and to tell the time. A filter of the kernel's stops every other call on its way in, and it is counted.
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <mutex>
#include <thread>

#include "cardan/io.hpp"
#include "drive/drive_loop.hpp"
#include "simulation/allocation_counter.hpp"

namespace cardan {
namespace {

using Kind = DriveCommand::Kind;

volatile sig_atomic_t calls_stopped = 0, last_call = 0;

void count_call(int, siginfo_t* info, void*) {
  calls_stopped = calls_stopped + 1;
  last_call = info->si_syscall;
}

/// From now on the calling thread may sleep, tell the time and its own use of the processor, write what it has to say
/// and end. Other calls come to nothing and are counted.
bool allow_only_the_clock() {
  struct sigaction counting {};
  counting.sa_sigaction = count_call;
  counting.sa_flags = SA_SIGINFO;
  if (sigaction(SIGSYS, &counting, nullptr) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  constexpr std::array kAllowed{SYS_clock_nanosleep, SYS_clock_gettime, SYS_getrusage,
                                SYS_write,           SYS_exit_group,    SYS_rt_sigreturn,
                                SYS_prctl,           SYS_sched_getattr, SYS_sched_setattr};
  std::vector<sock_filter> filter{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const long call : kAllowed) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/// A drive of half a second under the clock, with a person who never stops asking.
void drive_under_filter(int answer) {
  const Mechanism mechanism = read_mechanism(CARDAN_SOURCE_DIR "/models/iltis_driven.yaml");
  const RunOptions options = RunOptions::for_mechanism(mechanism);
  DriveSettings settings;
  settings.until = 0.5;
  DriveLoop drive(mechanism, options, settings);
  std::atomic<bool> done = false;
  std::thread person([&] {
    for (std::uint64_t round = 1; !done; ++round) {
      drive.inputs().set(round % drive.inputs().size(), 0.5 * static_cast<double>(round % 3), round);
      if (round % 20 == 0) drive.commands().put({round % 40 == 0 ? Kind::pause : Kind::go_on});
      if (round == 30) drive.commands().put({Kind::save, 1});
      if (round == 90) drive.commands().put({Kind::go_back, 1});
      drive.frames().take();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  std::array<std::int64_t, 6> told{-1, -1, -1, -1, -1, -1};
  const std::atomic<bool> never = false;
  if (allow_only_the_clock()) {
    drive.run(never);
    told = {calls_stopped,
            last_call,
            drive.statistics().allocations,
            drive.statistics().locks,
            drive.statistics().steps,
            0};
    syscall(SYS_getppid);  // one that is not allowed: the filter is there
    told[5] = calls_stopped;
  }
  if (write(answer, told.data(), sizeof told) != sizeof told) _exit(1);
  _exit(0);
}

TEST(SteppingThread, SleepsAndTellsTheTimeAndCallsTheSystemForNothingElse) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer calls the system for itself";
#endif
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) drive_under_filter(ends[1]);
  close(ends[1]);
  std::array<std::int64_t, 6> told{};
  ASSERT_EQ(::read(ends[0], told.data(), sizeof told), static_cast<ssize_t>(sizeof told));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  const auto [calls, last, allocations, locks, steps, with_one] = told;
  ASSERT_GE(with_one, 0) << "the kernel takes no filter";
  EXPECT_EQ(calls, 0) << "the last one was number " << last;
  EXPECT_EQ(with_one, calls + 1);
  EXPECT_EQ(allocations, 0);
  EXPECT_EQ(locks, 0);
  EXPECT_GE(steps, 500);
}

TEST(SteppingThread, LocksAreCounted) {
  ASSERT_NE(lock_counter, nullptr);
  std::mutex mutex;
  const std::uint64_t before = lock_counter();
  for (int i = 0; i < 3; ++i) const std::lock_guard lock(mutex);
  EXPECT_EQ(lock_counter() - before, 3U);
  std::uint64_t of_another = 1;
  std::thread([&] { of_another = lock_counter(); }).join();
  EXPECT_LT(of_another, lock_counter());
}

}  // namespace
}  // namespace cardan
