#include "cardan/csv_sink.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "io/row_writer.hpp"
#include "text/csv_text.hpp"

namespace cardan {
namespace {

constexpr std::size_t kBufferBytes = 256 << 10;
constexpr std::size_t kNumberBytes = 26;  // the longest double, and a comma
constexpr RowWriter::Milliseconds kFlushAfter{200};

char* append(char* end, double value) {
  if (std::isnan(value)) return std::copy_n("nan", 3, end);  // never "-nan"
  return std::to_chars(end, end + kNumberBytes, value).ptr;
}

/// Where the line ends that so many rows after the header end with; names in the header may hold line breaks.
off_t end_of_rows(const std::filesystem::path& file, std::int64_t rows) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> block(kBufferBytes);
  off_t offset = 0;
  std::int64_t lines = 0;
  bool quoted = false;
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
    for (std::streamsize i = 0; i < in.gcount(); ++i) {
      if (block[i] == '"') quoted = !quoted;
      if (block[i] == '\n' && !quoted && lines++ == rows) return offset + i + 1;
    }
    offset += in.gcount();
  }
  throw std::system_error(std::make_error_code(std::errc::invalid_argument),
                          fmt::format("{} has {} rows, but {} belong to the saved state", file.string(),
                                      std::max<std::int64_t>(0, lines - 1), rows));
}

}  // namespace

struct CsvSink::Writer final : RowWriter {
  std::FILE* file = nullptr;
  std::filesystem::path created;  // by this sink, and empty until start()
  off_t kept = 0;                 // bytes that start() leaves in the file
  std::size_t width = 0;
  std::vector<char> text;  // formatted, not yet written
  std::size_t used = 0;
  std::int64_t formatted = 0;  // rows

  Writer() : RowWriter(kFlushAfter) {}
  ~Writer() override {
    close();
    std::error_code ignored;
    if (!created.empty()) std::filesystem::remove(created, ignored);
  }

  void open(const std::filesystem::path& path) {
    // Opened for appending: what an earlier run left stays until start() has something better.
    constexpr int kAppend = O_WRONLY | O_APPEND | O_CLOEXEC;
    int descriptor = ::open(path.c_str(), kAppend | O_CREAT | O_EXCL, 0666);
    if (descriptor >= 0) {
      created = path;
    } else if (errno == EEXIST) {
      descriptor = ::open(path.c_str(), kAppend | O_CREAT, 0666);
    }
    file = descriptor < 0 ? nullptr : fdopen(descriptor, "ab");
    if (file == nullptr) throw std::system_error(errno, std::generic_category(), "cannot write " + path.string());
    std::setvbuf(file, nullptr, _IONBF, 0);  // flush() hands over whole blocks already
  }

  void close() {
    if (file == nullptr) return;
    if (std::fclose(std::exchange(file, nullptr)) != 0) fail(std::strerror(errno));
  }

  bool has_unwritten() const override { return used > 0; }
  void flush(bool) override {
    if (error.empty() && std::fwrite(text.data(), 1, used, file) != used) fail(std::strerror(errno));
    if (error.empty()) written = formatted;
    used = 0;
  }

  void take(const double* row) override {
    if (used + width * kNumberBytes > text.size()) flush(false);
    char* end = text.data() + used;
    for (std::size_t i = 0; i < width; ++i) {
      end = append(end, row[i]);
      *end++ = i + 1 < width ? ',' : '\n';
    }
    used = static_cast<std::size_t>(end - text.data());
    ++formatted;
  }
};

CsvSink::CsvSink(const std::filesystem::path& file) : writer_(std::make_unique<Writer>()) { writer_->open(file); }

CsvSink::CsvSink(const std::filesystem::path& file, std::int64_t rows_kept) : CsvSink(file) {
  writer_->kept = end_of_rows(file, rows_kept);
  writer_->formatted = writer_->written = rows_kept;
}

CsvSink::~CsvSink() { finish(); }

void CsvSink::start(const std::vector<std::string>& columns) {
  Writer& writer = *writer_;
  if (writer.has_started()) throw std::logic_error("CsvSink::start called twice");
  if (columns.empty()) throw std::invalid_argument("CsvSink::start needs at least one column");
  if (ftruncate(fileno(writer.file), writer.kept) != 0 && errno != EINVAL)  // devices have nothing to empty
    throw std::system_error(errno, std::generic_category(), "cannot empty the file");
  writer.created.clear();
  std::string header;
  for (const std::string& column : columns) header += csv_text(column) + ',';
  header.back() = '\n';

  writer.width = columns.size();
  writer.text.resize(std::max({kBufferBytes, 2 * writer.width * kNumberBytes, header.size()}));
  if (writer.kept == 0) {
    std::copy(header.begin(), header.end(), writer.text.begin());
    writer.used = header.size();
    writer.flush(false);
  }
  writer.start(writer.width);
}

void CsvSink::sample(const double* row, std::size_t size) { writer_->push(row, size); }

void CsvSink::finish() {
  if (writer_->finish()) writer_->close();
}

const std::string& CsvSink::error() const { return writer_->error; }
std::int64_t CsvSink::written() const { return writer_->written; }

}  // namespace cardan
