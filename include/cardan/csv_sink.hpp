// A sink that writes trajectory.csv without slowing the simulation down: the stepping thread copies a row into a ring
// that was allocated beforehand, a second thread formats and writes. Numbers are written so that they read back bit for
// bit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "cardan/sink.hpp"

namespace cardan {

class CsvSink : public Sink {
 public:
  /// Opens the file; throws std::system_error when it cannot be written. Its old content goes with start(), not before;
  /// a file that was not there goes again when start() is never called.
  explicit CsvSink(const std::filesystem::path& file);
  /// Goes on after so many rows that are in the file; what follows them goes with start(). Throws std::system_error
  /// when the file has fewer.
  CsvSink(const std::filesystem::path& file, std::int64_t rows_kept);
  /// Writes what is left.
  ~CsvSink() override;
  CsvSink(const CsvSink&) = delete;
  CsvSink& operator=(const CsvSink&) = delete;

  /// Writes the header line and allocates the ring.
  void start(const std::vector<std::string>& columns) override;
  /// No allocation, no lock, no input or output; waits only when the writer is a whole ring behind.
  void sample(const double* row, std::size_t size) override;
  void finish() override;

  /// Why writing failed (a full disk, say), once finished; empty when every row is in the file.
  const std::string& error() const;
  /// How many rows are in the file, those that were kept among them; -1 once writing has failed. From any thread.
  std::int64_t written() const;

 private:
  struct Writer;
  std::unique_ptr<Writer> writer_;
};

}  // namespace cardan
