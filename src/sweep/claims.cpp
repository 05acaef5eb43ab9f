#include "sweep/claims.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "sweep/file_error.hpp"

namespace cardan {
namespace {

/// Of the open file, not of the process: two threads that have opened it exclude each other.
struct flock one_byte(short type, std::uint64_t byte) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(byte);
  lock.l_len = 1;
  return lock;
}

}  // namespace

bool lock_byte(int file, std::uint64_t byte, bool wait) {
  struct flock lock = one_byte(F_WRLCK, byte);
  int result = 0;
  do result = fcntl(file, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
  while (result != 0 && errno == EINTR);
  if (result == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  throw std::system_error(errno, std::generic_category(), "the file system of the sweep's folder gives no locks");
}

void unlock_byte(int file, std::uint64_t byte) {
  struct flock lock = one_byte(F_UNLCK, byte);
  fcntl(file, F_OFD_SETLK, &lock);
}

Claims::Claims(const std::filesystem::path& file, Chunks chunks, SweepPart part)
    : path_(file), chunks_(chunks), part_(part), file_(open(file.c_str(), O_RDWR | O_CLOEXEC)) {
  if (file_ < 0) fail_on(path_, "cannot open");
}

Claims::~Claims() {
  if (file_ >= 0) close(file_);
}

ChunkState Claims::state(std::uint64_t chunk) const {
  ChunkState state{};
  if (pread(file_, &state, 1, static_cast<off_t>(chunk)) < 0) fail_on(path_, "cannot read");
  return state;
}

void Claims::set(std::uint64_t chunk, ChunkState state) const {
  if (pwrite(file_, &state, 1, static_cast<off_t>(chunk)) != 1) fail_on(path_, "cannot write");
}

std::optional<Chunk> Claims::take() {
  const std::uint64_t from = next_;
  if (auto chunk = take_between(from, chunks_.count())) return chunk;
  return take_between(0, from);
}

std::optional<Chunk> Claims::take_between(std::uint64_t begin, std::uint64_t end) {
  std::array<ChunkState, 4096> states{};
  while (begin < end) {
    const std::size_t size = std::min<std::uint64_t>(states.size(), end - begin);
    if (pread(file_, states.data(), size, static_cast<off_t>(begin)) < 0) fail_on(path_, "cannot read");
    for (std::size_t i = 0; i < size; ++i) {
      if (states[i] == ChunkState::complete || !part_.has(begin + i)) continue;
      if (auto chunk = try_to_take(begin + i)) return chunk;
    }
    begin += size;
  }
  return std::nullopt;
}

/// Once the lock is there, the byte is looked at again: who held it may just have been through.
std::optional<Chunk> Claims::try_to_take(std::uint64_t chunk) {
  if (!lock_byte(file_, chunk, false)) return std::nullopt;
  const ChunkState found = state(chunk);
  if (found == ChunkState::complete) {
    unlock_byte(file_, chunk);
    return std::nullopt;
  }
  if (found == ChunkState::untouched) set(chunk, ChunkState::begun);
  next_ = chunk + 1 == chunks_.count() ? 0 : chunk + 1;
  return Chunk{chunk, chunks_.first(chunk), chunks_.end(chunk), found == ChunkState::begun};
}

void Claims::finish(const Chunk& chunk, ChunkState state) const {
  if (state == ChunkState::complete) set(chunk.number, state);
  unlock_byte(file_, chunk.number);
}

void Claims::reopen(std::uint64_t chunk) const { set(chunk, ChunkState::begun); }

Claims::Counts Claims::count() const {
  Counts counts;
  std::array<ChunkState, 4096> states{};
  for (std::uint64_t begin = 0; begin < chunks_.count(); begin += states.size()) {
    const std::size_t size = std::min<std::uint64_t>(states.size(), chunks_.count() - begin);
    if (pread(file_, states.data(), size, static_cast<off_t>(begin)) < 0) fail_on(path_, "cannot read");
    for (std::size_t i = 0; i < size; ++i) {
      if (!part_.has(begin + i)) continue;
      if (states[i] == ChunkState::complete) {
        ++counts.complete;
        counts.runs_complete += chunks_.end(begin + i) - chunks_.first(begin + i);
      } else {
        ++(states[i] == ChunkState::begun ? counts.begun : counts.untouched);
      }
    }
  }
  return counts;
}

}  // namespace cardan
