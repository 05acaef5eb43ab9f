// A mechanism in real time: the thread that steps it by the clock, takes inputs and commands between steps and leaves
// its state for those who look. It never allocates, locks or waits for anybody but the clock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "cardan/simulation.hpp"
#include "drive/command_queue.hpp"
#include "drive/input_box.hpp"
#include "drive/input_recorder.hpp"
#include "drive/real_time.hpp"
#include "drive/time_histogram.hpp"
#include "drive/triple_buffer.hpp"
#include "drive/wire.hpp"

namespace cardan {

struct DriveSettings {
  double scale = 1;                                        // simulated seconds per second; infinity: as fast as it goes
  double until = std::numeric_limits<double>::infinity();  // s of simulated time
  Overrun overrun = Overrun::catch_up;
  double most_behind = 0.1;  // s: what is later than this is given up (Overrun::catch_up)
  bool real_time = false;    // see ask_for_real_time()
  int processor = -1;        // that the stepping thread stays on; -1: any
  bool stays = false;        // after a failure or the end it waits for commands instead of returning
  bool paused = false;       // at the start
  double frames = 60;        // per second, at most
  double answers = 250;      // frames per second, at most, when inputs have changed: somebody waits to see it
};

enum class DriveMode : std::uint8_t { runs, paused, failed, done };
const char* mode_name(DriveMode mode);

/// The state for those who look: a Simulation of their own takes up the record (Simulation::restore).
struct DriveFrame {
  std::vector<double> record;
  std::size_t size = 0;  // numbers of it
  std::int64_t step = 0;
  double time = 0;  // s
  double scale = 1;
  DriveMode mode = DriveMode::runs;
  std::uint64_t stamp = 0;  // of the inputs that the state has felt: see InputBox
};

/// How well the clock was kept. Any thread may read it while the drive goes on.
struct DriveStatistics {
  TimeHistogram step;  // processor time of a step with all that belongs to it: inputs, wire, frame
  TimeHistogram wall;  // the same by the clock: what it is more, others have had
  TimeHistogram wake;  // from when a step was due until it began, where the loop was not behind
  TimeHistogram late;  // of steps that were not done in time: how much later they were
  std::atomic<std::int64_t> steps = 0;
  std::atomic<std::int64_t> fell_behind = 0;  // steps that were late after one that was not
  std::atomic<std::int64_t> given_up = 0;     // ns: by which the drive is later than the clock
  // Of the stepping thread, after run().
  std::atomic<std::int64_t> allocations = -1, locks = -1;  // -1: not counted
  std::atomic<std::int64_t> page_faults = 0, preemptions = 0;
};

class DriveLoop {
 public:
  static constexpr int kPlaces = 10;  // for saved states: 0 is the start, which reset goes back to

  /// Assembles the mechanism (throws ModelError). Throws std::invalid_argument for an integrator that chooses its
  /// steps, std::system_error when the recording cannot be written; an empty name records nothing.
  DriveLoop(const Mechanism& mechanism, const RunOptions& options, const DriveSettings& settings,
            const std::filesystem::path& recording = {}, Wire* wire = nullptr);

  /// Inputs of the model in their order, but those that it samples itself.
  const std::vector<std::string>& input_names() const { return input_names_; }
  InputBox& inputs() { return inputs_; }
  CommandQueue& commands() { return commands_; }
  TripleBuffer<DriveFrame>& frames() { return frames_; }
  const DriveStatistics& statistics() const { return statistics_; }

  /// Until the end, a failure, DriveCommand::end or `stop`, which is looked at between steps. In the calling thread.
  void run(const std::atomic<bool>& stop);
  /// After run().
  const RunSummary& summary() const { return simulation_.summary(); }
  /// Why the recording is not complete; empty when it is. After run().
  std::string finish_recording() { return recorder_.finish(simulation_.time()); }
  /// Why the last failure was one; from any thread.
  std::string reason() const {
    const std::lock_guard lock(telling_);
    return reason_;
  }
  /// What real time was refused, in words.
  const std::string& refused() const { return refused_; }
  /// Whether it ended because a step was not done in time (Overrun::stop).
  bool stopped_late() const { return stopped_late_; }

 private:
  /// A step that is taken back: what the calling thread keeps for itself is there before the clock starts.
  void rehearse();
  bool obey();  // false: the end
  void go_back(std::size_t place);
  void take_inputs();
  /// A step of the mechanism with all that belongs to it; the time that it takes is counted.
  void step();
  void advance();
  /// After a step whose deadline is past by so many ns.
  void come_late(std::int64_t by);
  void rest();
  void restart();  // of the schedule, from now on
  void publish(bool always);

  DriveSettings settings_;
  double period_;  // s
  Simulation simulation_;
  std::vector<std::string> input_names_;
  std::vector<int> input_indices_;
  InputBox inputs_;
  std::vector<double> felt_, wanted_, within_limits_;  // inputs: of the last step, of the next one
  CommandQueue commands_;
  InputRecorder recorder_;
  Wire* wire_;
  std::vector<double> row_;  // of all columns, for the wire
  std::vector<std::size_t> output_columns_;
  std::vector<double> outputs_;
  std::array<std::vector<double>, kPlaces> places_;
  std::array<std::size_t, kPlaces> place_sizes_{};
  TripleBuffer<DriveFrame> frames_;
  DriveStatistics statistics_;
  Schedule schedule_;
  double step_length_;  // s
  DriveMode mode_;
  bool goes_back_;  // a state can be restored
  bool single_ = false, inputs_due_ = true, behind_ = false, stopped_late_ = false;
  std::int64_t step_ = 0, last_frame_ = 0;    // ns
  std::uint64_t stamp_ = 0, seen_stamp_ = 0;  // of the inputs felt, of those in the last frame
  std::string refused_;
  mutable std::mutex telling_;
  std::string reason_;
};

}  // namespace cardan
