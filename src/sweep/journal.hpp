// What has been done, run by run: text files that only grow. Each line is one run,
//
//     CHECKSUM RUN STATUS SECONDS LINE-OF-THE-TABLE
//
// CRC-32 of what follows in hexadecimal, the number of the run from 0, its status, the CPU time of its steps. One
// process writes one file, which nobody else ever writes to, so that only its last line can be torn; a line that is
// torn or damaged is as good as none, and its run is made again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

struct JournalEntry {
  std::uint64_t run = 0;
  std::string_view status, line;
  double stepping_seconds = 0;
};

class Journal {
 public:
  /// A new file in the folder. Throws std::system_error.
  explicit Journal(const std::filesystem::path& folder);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// From any thread. On return the line is with the system: the end of this process cannot harm it, and a power cut
  /// only what is younger than a second. Throws std::system_error when it cannot be written; nothing is then written
  /// any more, so that no line stands behind a torn one.
  void add(const JournalEntry& entry);

 private:
  void synchronize();

  std::filesystem::path path_;
  std::mutex mutex_;
  int file_ = -1;
  bool broken_ = false;
  double synchronized_ = 0;  // s, of a clock
  std::string text_;
};

/// Those of a folder, in the order of their names.
std::vector<std::filesystem::path> journals_in(const std::filesystem::path& folder);

/// Reads a journal from its beginning, as far as it goes at the time; one that is not there any more is empty. Throws
/// std::system_error.
class JournalReader {
 public:
  explicit JournalReader(const std::filesystem::path& file);
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  /// The next sound line, or false. `entry` holds until the next call.
  bool next(JournalEntry& entry);
  /// Where the last entry's line of the table stands in the file.
  std::uint64_t line_offset() const { return line_offset_; }
  std::uint64_t torn() const { return torn_; }

 private:
  bool fill();

  std::filesystem::path path_;
  int file_ = -1;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::uint64_t buffer_offset_ = 0, line_offset_ = 0, torn_ = 0;
  bool at_end_ = false;
};

}  // namespace cardan
