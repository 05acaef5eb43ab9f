#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "fmu/zip_archive.hpp"

namespace cardan {
namespace {

constexpr std::uint32_t kEndMark = 0x06054b50, kDirectoryMark = 0x02014b50, kLocalMark = 0x04034b50;
constexpr std::size_t kEndSize = 22, kDirectorySize = 46, kLocalSize = 30;

std::uint32_t number(const std::string& bytes, std::size_t at, int size) {
  if (at > bytes.size() || bytes.size() - at < static_cast<std::size_t>(size))
    throw ArchiveError("it ends in the middle: the archive is truncated");
  std::uint32_t value = 0;
  for (int i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return value;
}

/// Names are relative, stay below the folder, and mean the same on every system.
void check_name(const std::string& name) {
  const auto refuse = [&](const char* why) { throw ArchiveError(fmt::format("entry '{}' {}", name, why)); };
  if (name.empty()) throw ArchiveError("an entry has no name");
  if (name.front() == '/') refuse("has an absolute path");
  for (const unsigned char c : name) {
    if (c < 32 || c == 127) throw ArchiveError("an entry has a name with control characters");
    if (c == '\\' || c == ':') refuse("has a name with '\\' or ':'");
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    if (part == "..") refuse("leads out of the archive");
    if (part == "." || (part.empty() && end < name.size())) refuse("has a path that is not plain");
    begin = end + 1;
  }
}

}  // namespace

ZipReader::ZipReader(const std::filesystem::path& file, const ArchiveLimits& limits) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) throw ArchiveError("it cannot be opened");
  if (size > limits.archive_bytes)
    throw ArchiveError(fmt::format("it has more than {} MB", limits.archive_bytes >> 20));
  bytes_.resize(size);
  if (!stream.read(bytes_.data(), static_cast<std::streamsize>(size)))
    throw ArchiveError("it cannot be read to its end");
  // The end of the directory is the last thing in the file but for a comment.
  const std::string mark("PK\5\6");
  const std::size_t end = bytes_.rfind(mark);
  if (end == std::string::npos || bytes_.size() - end < kEndSize)
    throw ArchiveError(bytes_.compare(0, 2, "PK") == 0 ? "its directory is missing: the archive is truncated"
                                                       : "it is no ZIP archive");
  const std::size_t count = number(bytes_, end + 10, 2), directory = number(bytes_, end + 16, 4);
  if (count == 0xffff || directory == 0xffffffff) throw ArchiveError("it is a ZIP64 archive, which is not read");
  if (count > limits.entries) throw ArchiveError(fmt::format("it has {} entries, more than {}", count, limits.entries));
  read_entries(directory, count);
  check_sizes(limits);
}

void ZipReader::read_entries(std::size_t directory, std::size_t count) {
  std::set<std::string> names;
  for (std::size_t i = 0, at = directory; i < count; ++i) {
    if (number(bytes_, at, 4) != kDirectoryMark) throw ArchiveError("its directory is damaged");
    const std::uint32_t flags = number(bytes_, at + 8, 2), made_by = number(bytes_, at + 4, 2) >> 8;
    const std::uint32_t attributes = number(bytes_, at + 38, 4);
    const std::size_t name_size = number(bytes_, at + 28, 2), extra = number(bytes_, at + 30, 2),
                      comment = number(bytes_, at + 32, 2);
    Entry entry;
    entry.method = static_cast<std::uint16_t>(number(bytes_, at + 10, 2));
    entry.crc = number(bytes_, at + 16, 4);
    entry.packed = number(bytes_, at + 20, 4);
    entry.unpacked = number(bytes_, at + 24, 4);
    entry.offset = number(bytes_, at + 42, 4);
    at += kDirectorySize;
    if (bytes_.size() - std::min(at, bytes_.size()) < name_size) throw ArchiveError("its directory is damaged");
    entry.name = bytes_.substr(at, name_size);
    at += name_size + extra + comment;
    check_name(entry.name);
    const std::uint32_t kind = made_by == 3 ? attributes >> 28 : 0;  // of Unix: a file, a folder, or something else
    if (kind == 10) throw ArchiveError(fmt::format("entry '{}' is a symbolic link", entry.name));
    if (kind != 0 && kind != 8 && kind != 4) throw ArchiveError(fmt::format("entry '{}' is no file", entry.name));
    if ((flags & 1) != 0) throw ArchiveError(fmt::format("entry '{}' is encrypted", entry.name));
    if (entry.method != 0 && entry.method != 8)
      throw ArchiveError(fmt::format("entry '{}' is packed by method {}, which is not read", entry.name, entry.method));
    std::string plain = entry.name;
    if (plain.back() == '/') plain.pop_back();
    if (!names.insert(plain).second) throw ArchiveError(fmt::format("entry '{}' is there twice", entry.name));
    if (entry.name.back() != '/') entries_.push_back(std::move(entry));
  }
}

void ZipReader::check_sizes(const ArchiveLimits& limits) const {
  constexpr std::uint64_t kSmall = 64 << 20;
  std::uint64_t unpacked = 0,
                swollen = 0;  // swollen: of entries that are too much for themselves, whatever lies beside
  for (const Entry& entry : entries_) {
    unpacked += entry.unpacked;
    if (entry.unpacked / limits.ratio > entry.packed) swollen += entry.unpacked;
  }
  if (unpacked > limits.unpacked_bytes || swollen > kSmall ||
      (unpacked > kSmall && unpacked / limits.ratio > bytes_.size()))
    throw ArchiveError(
        fmt::format("it would become {} MB of {} kB: that is no model", unpacked >> 20, bytes_.size() >> 10));
}

bool ZipReader::has(std::string_view name) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
}

std::string ZipReader::read(std::string_view name) const {
  for (const Entry& entry : entries_)
    if (entry.name == name) return unpack(entry);
  throw ArchiveError(fmt::format("it has no '{}'", name));
}

/// Never more than the directory says, which the limits have been checked with.
std::string ZipReader::unpack(const Entry& entry) const {
  const auto damaged = [&] { return ArchiveError(fmt::format("entry '{}' is damaged", entry.name)); };
  if (number(bytes_, entry.offset, 4) != kLocalMark) throw damaged();
  const std::size_t begin =
      entry.offset + kLocalSize + number(bytes_, entry.offset + 26, 2) + number(bytes_, entry.offset + 28, 2);
  if (begin > bytes_.size() || bytes_.size() - begin < entry.packed)
    throw ArchiveError(fmt::format("entry '{}' ends in the middle: the archive is truncated", entry.name));
  std::string contents(entry.unpacked, '\0');
  if (entry.method == 0) {
    if (entry.packed != entry.unpacked) throw damaged();
    contents = bytes_.substr(begin, entry.packed);
  } else {
    z_stream stream{};
    Bytef none = 0;  // zlib wants a place for an empty entry too
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw ArchiveError("there is no memory to unpack it");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + begin));
    stream.avail_in = entry.packed;
    stream.next_out = contents.empty() ? &none : reinterpret_cast<Bytef*>(contents.data());
    stream.avail_out = entry.unpacked;
    const int status = inflate(&stream, Z_FINISH);
    const bool whole = status == Z_STREAM_END && stream.total_out == entry.unpacked;
    inflateEnd(&stream);
    if (!whole) throw damaged();
  }
  const auto* data = reinterpret_cast<const Bytef*>(contents.data());
  if (crc32(crc32(0, nullptr, 0), data, entry.unpacked) != entry.crc) throw damaged();
  return contents;
}

void ZipReader::extract(const std::filesystem::path& folder) const {
  for (const Entry& entry : entries_) {
    const std::filesystem::path path = folder / entry.name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream stream(path, std::ios::binary);
    stream << unpack(entry);
    stream.close();
    if (error || !stream)
      throw ArchiveError(fmt::format("entry '{}' cannot be written to '{}'", entry.name, path.string()));
  }
}

}  // namespace cardan
