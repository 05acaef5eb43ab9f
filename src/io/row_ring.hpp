// Rows of doubles handed from one thread to one other without locks: the producer owns `head_`, the consumer `tail_`.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace cardan {

class RowRing {
 public:
  /// Room for `rows` rows of `width` numbers each, all of it allocated here.
  RowRing(std::size_t rows, std::size_t width) : rows_(rows), width_(width), values_(rows * width) {}

  /// Producer. Waits while the ring is full.
  void push(const double* row) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    while (head - tail_.load(std::memory_order_acquire) == rows_) std::this_thread::yield();
    std::copy_n(row, width_, &values_[(head % rows_) * width_]);
    head_.store(head + 1, std::memory_order_release);
  }

  /// Consumer. The oldest row, or null when there is none; it stays valid until pop().
  const double* front() const {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail == head_.load(std::memory_order_acquire)) return nullptr;
    return &values_[(tail % rows_) * width_];
  }
  void pop() { tail_.store(tail_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  std::size_t width() const { return width_; }

 private:
  std::size_t rows_, width_;
  std::vector<double> values_;
  // On cache lines of their own, so that the two threads do not slow each other down.
  alignas(64) std::atomic<std::size_t> head_ = 0;
  alignas(64) std::atomic<std::size_t> tail_ = 0;
};

}  // namespace cardan
