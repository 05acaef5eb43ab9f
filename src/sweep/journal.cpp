#include "sweep/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <optional>
#include <system_error>

#include "sweep/file_error.hpp"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "journal-";
constexpr std::size_t kChecksum = 8;   // digits
constexpr double kSynchronized = 1.0;  // s: at most so old is what a power cut may take
constexpr std::size_t kBlock = 1 << 18;

std::uint32_t checksum(std::string_view text) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const unsigned char*>(text.data()), static_cast<unsigned>(text.size())));
}

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop == end || *stop != ' ') return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return true;
}

/// Of a line without its end.
std::optional<JournalEntry> parsed(std::string_view line) {
  if (line.size() < kChecksum + 1 || line[kChecksum] != ' ') return std::nullopt;
  std::uint32_t stated = 0;
  const auto [stop, error] = std::from_chars(line.data(), line.data() + kChecksum, stated, 16);
  if (error != std::errc() || stop != line.data() + kChecksum) return std::nullopt;
  line.remove_prefix(kChecksum + 1);
  if (checksum(line) != stated) return std::nullopt;
  JournalEntry entry;
  if (!take_number(line, entry.run)) return std::nullopt;
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  entry.status = line.substr(0, space);
  line.remove_prefix(space + 1);
  if (!take_number(line, entry.stepping_seconds)) return std::nullopt;
  entry.line = line;
  return entry;
}

}  // namespace

Journal::Journal(const fs::path& folder) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  for (int i = 0;; ++i) {
    path_ = folder / fmt::format("{}{}-{}-{}.log", kPrefix, host, getpid(), i);
    file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (file_ >= 0) break;
    if (errno != EEXIST) fail_on(path_, "cannot create");
  }
  synchronized_ = clock_seconds();
}

Journal::~Journal() {
  if (file_ < 0) return;
  const bool empty = lseek(file_, 0, SEEK_END) == 0;
  if (!broken_ && !empty) fdatasync(file_);
  close(file_);
  std::error_code ignored;
  if (empty) fs::remove(path_, ignored);
}

void Journal::add(const JournalEntry& entry) {
  const std::lock_guard lock(mutex_);
  if (broken_) throw std::system_error(std::make_error_code(std::errc::io_error), "cannot write " + path_.string());
  text_.assign(kChecksum + 1, ' ');
  fmt::format_to(std::back_inserter(text_), "{} {} {} {}", entry.run, entry.status, entry.stepping_seconds, entry.line);
  fmt::format_to_n(text_.begin(), kChecksum, "{:08x}", checksum(std::string_view(text_).substr(kChecksum + 1)));
  text_ += '\n';
  const ssize_t written = write(file_, text_.data(), text_.size());
  if (written != static_cast<ssize_t>(text_.size())) {
    broken_ = true;
    if (written >= 0) errno = ENOSPC;
    fail_on(path_, "cannot write");
  }
  synchronize();
}

void Journal::synchronize() {
  const double now = clock_seconds();
  if (now - synchronized_ < kSynchronized) return;
  synchronized_ = now;
  fdatasync(file_);
}

std::vector<fs::path> journals_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(kPrefix)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// A journal that is gone since it was listed held nothing: who had nothing to note has taken it away at its end.
JournalReader::JournalReader(const fs::path& file) : path_(file), file_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0 && errno != ENOENT) fail_on(path_, "cannot open");
  at_end_ = file_ < 0;
}

JournalReader::~JournalReader() {
  if (file_ >= 0) close(file_);
}

/// More of the file behind what is left of the buffer.
bool JournalReader::fill() {
  buffer_.erase(0, begin_);
  buffer_offset_ += begin_;
  begin_ = 0;
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kBlock);
  const ssize_t count = read(file_, buffer_.data() + size, kBlock);
  if (count < 0) fail_on(path_, "cannot read");
  buffer_.resize(size + static_cast<std::size_t>(count));
  return count > 0;
}

bool JournalReader::next(JournalEntry& entry) {
  for (;;) {
    const std::size_t end = buffer_.find('\n', begin_);
    if (end == std::string::npos) {
      if (at_end_ || !fill()) {
        if (!at_end_ && begin_ < buffer_.size()) ++torn_;
        at_end_ = true;
        return false;
      }
      continue;
    }
    const std::string_view line(buffer_.data() + begin_, end - begin_);
    const std::size_t start = begin_;
    begin_ = end + 1;
    if (const auto found = parsed(line)) {
      entry = *found;
      line_offset_ = buffer_offset_ + start + static_cast<std::size_t>(entry.line.data() - line.data());
      return true;
    }
    ++torn_;
  }
}

}  // namespace cardan
