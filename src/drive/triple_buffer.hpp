// The newest of what one thread makes, for one other thread: neither ever waits, and what was not taken in time is
// lost.
#pragma once

#include <array>
#include <atomic>

namespace cardan {

/// Three rooms: one is written, one is read, the third lies between and changes hands.
template <class T>
class TripleBuffer {
 public:
  TripleBuffer() = default;
  explicit TripleBuffer(const T& value) { fill(value); }
  /// Before anybody writes or reads.
  void fill(const T& value) { rooms_.fill(value); }

  /// Of the writer: where the next one goes. What it holds is older.
  T& room() { return rooms_[writing_]; }
  /// Of the writer: the room is done.
  void publish() { writing_ = between_.exchange(writing_ | kNew, std::memory_order_acq_rel) & kIndex; }
  /// Of the writer: whether the last one has been taken.
  bool taken() const { return (between_.load(std::memory_order_acquire) & kNew) == 0; }

  /// Of the reader: goes on to the newest; false when there is none newer than value().
  bool take() {
    if (taken()) return false;
    reading_ = between_.exchange(reading_, std::memory_order_acq_rel) & kIndex;
    return true;
  }
  const T& value() const { return rooms_[reading_]; }

 private:
  static constexpr unsigned kIndex = 3, kNew = 4;
  std::array<T, 3> rooms_{};
  unsigned writing_ = 0, reading_ = 1;
  std::atomic<unsigned> between_ = 2;
};

}  // namespace cardan
