// ZIP archives, as FMUs are: read with care, since others wrote them, and written. Stored and deflated entries, no
// more.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// What is wrong with an archive, as half a sentence: "entry '../a' leads out of the archive".
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What an archive may be at most.
struct ArchiveLimits {
  std::uint64_t archive_bytes = 1ull << 30;
  std::size_t entries = 10000;
  std::uint64_t unpacked_bytes = 1ull << 30;  // of all entries
  std::uint64_t ratio = 200;                  // unpacked to packed, of all and of one, beyond 64 MB
};

class ZipReader {
 public:
  /// Reads the list of entries and checks every name; throws ArchiveError.
  explicit ZipReader(const std::filesystem::path& file, const ArchiveLimits& limits = {});

  bool has(std::string_view name) const;
  /// Contents of an entry; throws ArchiveError.
  std::string read(std::string_view name) const;
  /// All entries, below a folder that exists.
  void extract(const std::filesystem::path& folder) const;

 private:
  struct Entry {
    std::string name;
    std::uint16_t method = 0;
    std::uint32_t crc = 0, packed = 0, unpacked = 0, offset = 0;
  };
  void read_entries(std::size_t directory, std::size_t count);
  void check_sizes(const ArchiveLimits& limits) const;
  std::string unpack(const Entry& entry) const;

  std::string bytes_;
  std::vector<Entry> entries_;
};

class ZipWriter {
 public:
  /// Times are left out, so that the same contents make the same archive.
  void add(const std::string& name, std::string_view contents);
  /// The whole archive.
  std::string finish();

 private:
  std::string bytes_, directory_;
  std::size_t count_ = 0;
};

}  // namespace cardan
