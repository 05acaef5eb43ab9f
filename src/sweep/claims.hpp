// Who does what: the runs of a sweep in chunks, and a byte of a file for each, which says whether it is untouched,
// begun or complete. Who holds the lock of that byte works on the chunk. The system lets go of the locks of a process
// however it ends, so that what it had in hand is there for others at once; no message is sent and no clock is trusted.
// Threads, processes and ranks on other nodes are all the same to it, as long as they see the folder and its file
// system knows locks (fcntl; NFS and Lustre do).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace cardan {

/// Of runs, numbered from 0.
struct Chunk {
  std::uint64_t number = 0, first = 0, end = 0;
  bool begun_by_another = false;  // who has died or was interrupted: some of its runs may be on disk
};

/// How runs are divided: the same for all that work on them.
struct Chunks {
  static constexpr std::uint64_t kMost = 1 << 16;
  std::uint64_t runs = 0;
  std::uint64_t together = 1;  // so many are made at once
  std::uint64_t length() const { return (runs + kMost * together - 1) / (kMost * together) * together; }
  std::uint64_t count() const { return runs == 0 ? 0 : (runs + length() - 1) / length(); }
  std::uint64_t first(std::uint64_t chunk) const { return chunk * length(); }
  std::uint64_t end(std::uint64_t chunk) const { return chunk + 1 == count() ? runs : (chunk + 1) * length(); }
};

/// One of N parts, counted from 0: chunks are dealt like cards.
struct SweepPart {
  std::uint64_t number = 0, of = 1;
  bool has(std::uint64_t chunk) const { return chunk % of == number; }
};

enum class ChunkState : unsigned char { untouched = 0, begun = 1, complete = 2 };

/// The file, opened by one worker. All that fails throws std::system_error.
class Claims {
 public:
  Claims(const std::filesystem::path& file, Chunks chunks, SweepPart part);
  ~Claims();
  Claims(const Claims&) = delete;
  Claims& operator=(const Claims&) = delete;

  /// A chunk that nobody works on, from now on this worker's; nothing when there is none. The one before must have been
  /// let go.
  std::optional<Chunk> take();
  void complete(const Chunk& chunk) const { finish(chunk, ChunkState::complete); }
  /// What was not done is for others.
  void let_go(const Chunk& chunk) const { finish(chunk, ChunkState::begun); }

  struct Counts {
    std::uint64_t complete = 0, begun = 0, untouched = 0;  // chunks of the part
    std::uint64_t runs_complete = 0;
  };
  Counts count() const;
  /// It was thought to be complete.
  void reopen(std::uint64_t chunk) const;

 private:
  void finish(const Chunk& chunk, ChunkState state) const;
  std::optional<Chunk> take_between(std::uint64_t begin, std::uint64_t end);
  std::optional<Chunk> try_to_take(std::uint64_t chunk);
  ChunkState state(std::uint64_t chunk) const;
  void set(std::uint64_t chunk, ChunkState state) const;

  std::filesystem::path path_;
  Chunks chunks_;
  SweepPart part_;
  int file_ = -1;
  std::uint64_t next_ = 0;  // where to look first
};

/// The lock of one byte of an open file, for the whole of which a process waits; whoever holds it is let go by the
/// system when it ends.
bool lock_byte(int file, std::uint64_t byte, bool wait);
void unlock_byte(int file, std::uint64_t byte);

}  // namespace cardan
