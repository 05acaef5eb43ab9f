// The driven Iltis at 1 kHz by the clock: `cardan drive` itself, with somebody at its socket who steers, accelerates
// and brakes. Beside it, in the same run and on the same processor, 0.5 and 0.6 of a period later, two loops that tell
// what the machine does: an empty one that does nothing but sleep to its deadlines, and one whose work is always the
// same, a chain of sums that looks at no memory. A pause of the machine makes all three late, and what it charges to a
// thread for time that it took away is charged to that work too. At last what was driven again, three times without a
// clock: every step does the same each time, so that the least of its three times is its own.
//   cardan_drive_bench [SECONDS] [crowd] [real_time] [MODEL]
// crowd: ten more viewers that read slowly and one that floods inputs; real_time: all loops with --real-time.
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "apps/driven.hpp"
#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "drive/real_time.hpp"
#include "drive/time_histogram.hpp"
#include "io/input_file.hpp"

namespace {

using namespace cardan;
using nlohmann::json;

constexpr double kPeriod = 1e-3;  // s

struct Wish {
  double seconds = 10;
  bool crowd = false, real_time = false;
  std::string model = CARDAN_SOURCE_DIR "/models/iltis_driven.yaml";
};

/// The last processor that this program may use: the first ones have most of the system's own work.
int last_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  int last = 0;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(static_cast<std::size_t>(i), &set)) last = i;
  return last;
}

/// The deadlines of the drive, a part of a period later, on its processor.
class Beside {
 public:
  TimeHistogram wake, late;
  std::int64_t fell_behind = 0;
  void run(double later, int processor, bool real_time, const std::atomic<bool>& stop,
           const std::function<void()>& work) {
    ask_for_short_waits();
    if (real_time) ask_for_real_time();
    ask_for_processor(processor);
    Schedule schedule;
    schedule.restart(next_millisecond() + static_cast<std::int64_t>(1e9 * later * kPeriod), kPeriod);
    for (bool behind = false; !stop;) {
      if (monotonic_now() < schedule.due()) {
        sleep_until(schedule.due());
        wake.add(monotonic_now() - schedule.due());
      }
      work();
      const std::int64_t by = monotonic_now() - schedule.deadline();
      schedule.advance();
      if (by > 0) late.add(by), fell_behind += behind ? 0 : 1;
      behind = by > 0;
    }
  }
};

/// The same work over and over, about as long as a step.
struct SameWork {
  static constexpr double kLength = 1e-4;  // s, of the time that nobody disturbs
  TimeHistogram times;
  double sum = 0;
  int rounds = 0;
  void once() {
    for (int i = 0; i < rounds; ++i) sum = 0.5 * sum + 1;  // each waits for the one before
  }
  SameWork() {
    double least = 1;  // s, of a million sums
    rounds = 1'000'000;
    for (int i = 0; i < 20; ++i) {
      const std::int64_t before = thread_time();
      once();
      least = std::min(least, 1e-9 * static_cast<double>(thread_time() - before));
    }
    rounds = static_cast<int>(1e6 * kLength / least);
  }
  void timed() {
    const std::int64_t before = thread_time();
    once();
    times.add(thread_time() - before);
  }
};

/// The steps of a recorded drive once more, and of each the least time of a few.
struct Replay {
  static constexpr int kTimes = 3;
  static constexpr double kLongest = 120;  // s of the drive
  TimeHistogram times;
  std::int64_t iterations = 0, most_iterations = 0;
  void run(const std::string& model, const std::string& recording, double seconds) {
    Mechanism mechanism = read_mechanism(model);
    std::vector<std::string> files;
    read_inputs_from_files(mechanism, {recording}, true, files);
    RunOptions options = RunOptions::for_mechanism(mechanism);
    options.step = kPeriod;
    std::vector<std::int64_t> least(static_cast<std::size_t>(std::min(seconds, kLongest) / kPeriod), INT64_MAX);
    for (int time = 0; time < kTimes; ++time) {
      Simulation simulation(mechanism, options);
      iterations = 0;
      for (std::int64_t& mine : least) {
        const std::int64_t done = simulation.summary().iterations, before = thread_time();
        if (simulation.step() != StepStatus::ok) return;
        mine = std::min(mine, thread_time() - before);
        iterations += simulation.summary().iterations - done;
        most_iterations = std::max(most_iterations, simulation.summary().iterations - done);
      }
    }
    for (const std::int64_t mine : least) times.add(mine);
  }
};

std::string socket_of(const Driven& drive) { return drive.secret() + "api/drive/socket"; }

/// 50 times a second another position of wheel and pedals; every frame is read as it comes.
struct Person {
  FrameReader frames;
  TimeHistogram latency;  // from inputs to the first frame that has felt them
  void run(const Driven& drive) {
    const Line line(drive.port());
    line.upgrade(socket_of(drive));
    std::uint64_t stamp = 0;
    std::int64_t said = 0, answered = 0;
    for (std::string bytes = " "; !bytes.empty();) {
      if (monotonic_now() - said > 20'000'000 && frames.stamp() == stamp) {
        const double t = 0.02 * static_cast<double>(++stamp);
        const double foot = std::sin(0.3 * t);
        said = monotonic_now();
        line.say(fmt::format(R"({{"inputs": {{"steer": {:.4f}, "throttle": {:.4f}, "brake": {:.4f}}}, "stamp": {}}})",
                             0.3 * std::sin(0.7 * t), std::max(0.0, foot - 0.5), std::max(0.0, -0.8 - foot), stamp));
        answered = 0;
      }
      bytes = line.receive();
      frames.take(bytes);
      if (answered == 0 && frames.stamp() == stamp && stamp > 0) latency.add((answered = monotonic_now()) - said);
    }
  }
};

/// 20 kB/s, a tenth of what there is.
void look_slowly(const Driven& drive, std::atomic<std::int64_t>& frames) {
  const Line line(drive.port(), 4096);
  line.upgrade(socket_of(drive));
  FrameReader reader;
  for (std::string bytes = " "; !bytes.empty(); frames.store(reader.frames())) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    reader.take(bytes = line.receive(1000));
  }
}

void flood(const Driven& drive, std::atomic<std::int64_t>& messages) {
  const Line line(drive.port(), 4096);
  line.upgrade(socket_of(drive));
  while (line.say(fmt::format(R"({{"inputs": {{"cruise": {}}}}})", 4 + messages % 3))) ++messages;
}

void tell(const char* what, const TimeHistogram& times) {
  fmt::print("  {:<34} p50 {:8.1f}  p99 {:8.1f}  p99.9 {:8.1f}  largest {:8.1f} us\n", what, 1e6 * times.quantile(0.5),
             1e6 * times.quantile(0.99), 1e6 * times.quantile(0.999), 1e6 * times.largest());
}
void tell(const char* what, const json& times) {
  const auto us = [&times](const char* key) { return 1e6 * times[key].get<double>(); };
  fmt::print("  {:<34} p50 {:8.1f}  p99 {:8.1f}  p99.9 {:8.1f}  largest {:8.1f} us\n", what, us("p50"), us("p99"),
             us("p99_9"), us("max"));
}

/// Everything that was measured, with what it is measured by.
void tell(const Wish& wish, const json& s, const Beside& empty, const Beside& busy, const SameWork& same,
          const Replay& replay, const Person& person) {
  fmt::print("{} s at 1 kHz{}{}: {} steps; {:.3g} s given up\n", wish.seconds,
             wish.crowd ? ", 10 slow viewers and a flood" : "", wish.real_time ? ", real time" : "",
             s["steps"].get<std::int64_t>(), s["given_up"].get<double>());
  const std::string refused = s["refused"];
  if (!refused.empty()) fmt::print("  refused: {}\n", refused);
  const auto late = [](const char* what, std::int64_t times, std::int64_t steps) {
    fmt::print("  {:<34} fell behind {} times, {} steps late\n", what, times, steps);
  };
  late("the drive", s["fell_behind"].get<std::int64_t>(), s["overruns"].get<std::int64_t>());
  late("an empty loop beside it", empty.fell_behind, empty.late.count());
  late("the same work beside it", busy.fell_behind, busy.late.count());
  tell("processor time of a step", s["step"]);
  tell("the same work all the time", same.times);
  tell("the same steps, least of three", replay.times);
  tell("a step by the clock", s["wall"]);
  tell("woke up late by", s["wake"]);
  tell("the empty loop woke up late by", empty.wake);
  tell("inputs to frame at the socket", person.latency);
  const double p50 = s["step"]["p50"], p99_9 = s["step"]["p99_9"], most = s["step"]["max"];
  fmt::print(
      "  p99.9 / p50 of a step {:.2f} (at most 3; same work {:.2f}), the largest {:.2f} of the period (at most 0.5; "
      "same "
      "work {:.2f})\n",
      p99_9 / p50, same.times.quantile(0.999) / same.times.quantile(0.5), most / kPeriod,
      same.times.largest() / kPeriod);
  const double own = replay.times.quantile(0.5);
  fmt::print(
      "  the same steps: p99.9 / p50 {:.2f}, the largest {:.2f} of the period; {:.3f} iterations, {} at most\n",
      replay.times.quantile(0.999) / own, replay.times.largest() / kPeriod,
      static_cast<double>(replay.iterations) / static_cast<double>(std::max<std::int64_t>(1, replay.times.count())),
      replay.most_iterations);
  fmt::print("  stepping thread: {} allocations, {} locks, {} page faults, interrupted {} times\n",
             s["allocations"].get<int>(), s["locks"].get<int>(), s["page_faults"].get<int>(),
             s["preemptions"].get<int>());
}

Wish wish_of(int argc, char** argv) {
  Wish wish;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "crowd") {
      wish.crowd = true;
    } else if (word == "real_time") {
      wish.real_time = true;
    } else if (word.ends_with(".yaml")) {
      wish.model = std::filesystem::absolute(word).string();
    } else {
      wish.seconds = std::atof(word.c_str());
    }
  }
  return wish;
}

}  // namespace

int main(int argc, char** argv) {
  const Wish wish = wish_of(argc, argv);
  std::string pattern = (std::filesystem::temp_directory_path() / "cardan_bench_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return 1;
  const std::filesystem::path folder = pattern;
  const int processor = last_processor();
  Beside empty, busy;
  SameWork same;
  Person person;
  std::atomic<bool> stop = false;
  std::atomic<std::int64_t> messages = 0;
  std::vector<std::atomic<std::int64_t>> seen(wish.crowd ? 10 : 0);
  {
    const std::string options = fmt::format("'{}' --step {} --seconds {} --processor {} --no-browser{}", wish.model,
                                            kPeriod, wish.seconds, processor, wish.real_time ? " --real-time" : "");
    Driven drive(CARDAN_PROGRAM, folder, options);
    std::vector<std::jthread> threads;
    threads.emplace_back([&] { empty.run(0.5, processor, wish.real_time, stop, [] {}); });
    threads.emplace_back([&] { busy.run(0.6, processor, wish.real_time, stop, [&same] { same.timed(); }); });
    for (auto& frames : seen) threads.emplace_back([&] { look_slowly(drive, frames); });
    if (wish.crowd) threads.emplace_back([&] { flood(drive, messages); });
    person.run(drive);  // until the drive has ended
    stop = true;
    threads.clear();
    drive.wait();
  }
  std::ifstream file(folder / "here" / "summary.json");
  const json summary = json::parse(file, nullptr, false);
  Replay replay;
  if (summary.is_object()) replay.run(wish.model, (folder / "here" / "drive.csv").string(), wish.seconds);
  std::filesystem::remove_all(folder);
  if (!summary.is_object() || !summary.contains("drive")) return fmt::print("the drive has left no summary\n"), 1;
  const json& s = summary["drive"];
  tell(wish, s, empty, busy, same, replay, person);
  fmt::print("  page: {} frames to the person\n", person.frames.frames());
  if (wish.crowd) {
    fmt::print("  the slow ones had {} to {}, {} were left out; {:.0f} messages of the flood went out a second\n",
               std::min_element(seen.begin(), seen.end())->load(), std::max_element(seen.begin(), seen.end())->load(),
               s["page"]["left_out"].get<std::int64_t>(), static_cast<double>(messages) / wish.seconds);
  }
  return summary["status"] == "failed";
}
