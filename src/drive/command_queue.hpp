// What a person asks of a drive under way: any thread puts commands in, the stepping thread takes them between steps
// without ever waiting.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace cardan {

struct DriveCommand {
  enum class Kind : std::uint8_t { pause, go_on, single_step, scale, reset, save, go_back, end };
  Kind kind = Kind::pause;
  double number = 0;  // of scale: simulated seconds per second; of save and go_back: which place
};

class CommandQueue {
 public:
  /// False when it is full: the person asks faster than steps are taken.
  bool put(const DriveCommand& command) {
    const std::lock_guard lock(putting_);
    const std::size_t end = end_.load(std::memory_order_relaxed);
    if (end - begin_.load(std::memory_order_acquire) == ring_.size()) return false;
    ring_[end % ring_.size()] = command;
    end_.store(end + 1, std::memory_order_release);
    return true;
  }

  /// Of the stepping thread alone.
  bool take(DriveCommand& command) {
    const std::size_t begin = begin_.load(std::memory_order_relaxed);
    if (begin == end_.load(std::memory_order_acquire)) return false;
    command = ring_[begin % ring_.size()];
    begin_.store(begin + 1, std::memory_order_release);
    return true;
  }

 private:
  std::mutex putting_;
  std::array<DriveCommand, 64> ring_{};
  std::atomic<std::size_t> begin_ = 0, end_ = 0;
};

}  // namespace cardan
