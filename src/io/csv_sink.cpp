#include "cardan/csv_sink.hpp"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "io/csv_text.hpp"
#include "io/row_ring.hpp"

namespace cardan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kRingBytes = 4 << 20;  // some 5000 rows of 100 columns
constexpr std::size_t kRingRowsAtLeast = 64;
constexpr std::size_t kBufferBytes = 256 << 10;
constexpr std::size_t kNumberBytes = 26;                      // the longest double, and a comma
constexpr auto kRingPause = std::chrono::milliseconds(1);         // between two looks at an empty ring
constexpr auto kFlushAfter = std::chrono::milliseconds(200);  // rows reach the file at least this often

char* append(char* end, double value) {
  if (std::isnan(value)) return std::copy_n("nan", 3, end);  // never "-nan"
  return std::to_chars(end, end + kNumberBytes, value).ptr;
}

}  // namespace

struct CsvSink::Writer {
  std::FILE* file = nullptr;
  std::optional<RowRing> ring;
  std::vector<char> text;  // formatted, not yet written
  std::size_t used = 0;
  std::string error;
  std::atomic<bool> no_more_rows = false;
  std::thread thread;

  ~Writer() {
    if (file != nullptr) std::fclose(file);
  }

  /// After the first failure rows are dropped, so that the simulation goes on.
  void flush() {
    if (error.empty() && std::fwrite(text.data(), 1, used, file) != used) error = std::strerror(errno);
    used = 0;
  }

  void format(const double* row) {
    const std::size_t width = ring->width();
    if (used + width * kNumberBytes > text.size()) flush();
    char* end = text.data() + used;
    for (std::size_t i = 0; i < width; ++i) {
      end = append(end, row[i]);
      *end++ = i + 1 < width ? ',' : '\n';
    }
    used = static_cast<std::size_t>(end - text.data());
  }

  void drain() {
    auto last_flush = Clock::now();
    for (;;) {
      const bool last_look = no_more_rows.load(std::memory_order_acquire);
      while (const double* row = ring->front()) {
        format(row);
        ring->pop();
      }
      if (last_look) break;
      if (used > 0 && Clock::now() - last_flush > kFlushAfter) {
        flush();
        last_flush = Clock::now();
      }
      std::this_thread::sleep_for(kRingPause);
    }
    flush();
  }
};

CsvSink::CsvSink(const std::filesystem::path& file) : writer_(std::make_unique<Writer>()) {
  // Opened for appending: what an earlier run left stays until start() has something better.
  writer_->file = std::fopen(file.c_str(), "ab");
  if (writer_->file == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + file.string());
  }
  std::setvbuf(writer_->file, nullptr, _IONBF, 0);  // flush() hands over whole blocks already
}

CsvSink::~CsvSink() { finish(); }

void CsvSink::start(const std::vector<std::string>& columns) {
  Writer& writer = *writer_;
  if (writer.ring) throw std::logic_error("CsvSink::start called twice");
  if (columns.empty()) throw std::invalid_argument("CsvSink::start needs at least one column");
  if (ftruncate(fileno(writer.file), 0) != 0 && errno != EINVAL)  // devices have nothing to empty

    throw std::system_error(errno, std::generic_category(), "cannot empty the file");
  std::string header;
  for (const std::string& column : columns) header += csv_text(column) + ',';
  header.back() = '\n';

  const std::size_t width = columns.size();
  writer.ring.emplace(std::max(kRingRowsAtLeast, kRingBytes / (width * sizeof(double))), width);
  writer.text.resize(std::max({kBufferBytes, 2 * width * kNumberBytes, header.size()}));
  std::copy(header.begin(), header.end(), writer.text.begin());
  writer.used = header.size();
  writer.flush();
  writer.thread = std::thread([&writer] { writer.drain(); });
}

void CsvSink::sample(const double* row, std::size_t size) {
  if (!writer_->ring || size != writer_->ring->width()) {
    throw std::invalid_argument("CsvSink::sample: the row does not have as many numbers as there are columns");
  }
  writer_->ring->push(row);
}

void CsvSink::finish() {
  if (!writer_->thread.joinable()) return;
  writer_->no_more_rows.store(true, std::memory_order_release);
  writer_->thread.join();
}

const std::string& CsvSink::error() const { return writer_->error; }

}  // namespace cardan
