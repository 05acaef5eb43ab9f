// Frames that arrive late, twice or never: which are applied, and how many went which way.
#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>

namespace cardan {

struct WireCounts {
  std::int64_t applied = 0;             // frames of inputs that were newer than all before
  std::int64_t lost = 0;                // that never came, as far as is known
  std::int64_t late = 0;                // that came after a newer one and were left alone
  std::int64_t duplicates = 0;          // that had come before
  std::int64_t malformed = 0;           // what was no frame
  std::int64_t sessions = 0;            // starts of the other side
  std::int64_t sent = 0, not_sent = 0;  // frames of outputs; those that the system did not take
};

/// One thread asks, any thread reads the counts.
class FrameOrder {
 public:
  /// Whether the frame is to be applied.
  bool take(std::uint32_t session, std::uint64_t sequence) {
    if (counts_[sessions] == 0 || session != session_) {
      session_ = session;
      newest_ = sequence - 1;
      seen_.reset();
      seen_.flip();  // what came before the first frame of a session is none of its losses
      add(sessions, 1);
    }
    if (sequence > newest_) {
      const std::uint64_t missed = sequence - newest_ - 1;
      for (std::uint64_t i = 0; i < missed && i < kWindow; ++i) seen_[(newest_ + 1 + i) % kWindow] = false;
      add(lost, static_cast<std::int64_t>(missed));
      newest_ = sequence;
      seen_[sequence % kWindow] = true;
      add(applied, 1);
      return true;
    }
    const bool known = newest_ - sequence >= kWindow || seen_[sequence % kWindow];
    add(known ? duplicates : late, 1);
    if (!known) add(lost, -1);
    if (newest_ - sequence < kWindow) seen_[sequence % kWindow] = true;
    return false;
  }
  void refuse() { add(malformed, 1); }

  WireCounts counts() const {
    WireCounts counts;
    counts.applied = counts_[applied], counts.lost = counts_[lost], counts.late = counts_[late];
    counts.duplicates = counts_[duplicates], counts.malformed = counts_[malformed];
    counts.sessions = counts_[sessions];
    return counts;
  }

 private:
  enum Count { applied, lost, late, duplicates, malformed, sessions };
  static constexpr std::size_t kCounts = sessions + 1;
  void add(Count which, std::int64_t number) {
    counts_[which].store(counts_[which].load(std::memory_order_relaxed) + number, std::memory_order_relaxed);
  }

  static constexpr std::uint64_t kWindow = 4096;  // frames: what is older is taken to have come before
  std::bitset<kWindow> seen_;
  std::uint64_t newest_ = 0;
  std::uint32_t session_ = 0;
  std::atomic<std::int64_t> counts_[kCounts] = {};
};

}  // namespace cardan
