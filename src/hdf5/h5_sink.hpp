// A sink that writes trajectory.h5 as CsvSink writes trajectory.csv: the stepping thread copies a row into a ring, a
// second thread writes. A library of its own, so that nobody who needs no HDF5 has to link it.
//
// One dataset of doubles for every column, under its name (a '/' in it makes a group), with its unit as attribute
// `units`; the name of the model and the order of the columns are attributes `model` and `columns` of the file
// (docs/output.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "io/row_file.hpp"

namespace cardan {

class H5Sink final : public RowFile {
 public:
  struct Description {
    std::string model;
    std::map<std::string, std::string> units;  // by column
  };
  /// `rows_kept`: goes on after so many rows that are in the file; 0: anew. What was there goes with start(), not
  /// before.
  H5Sink(std::filesystem::path file, Description description, std::int64_t rows_kept = 0);
  /// Writes what is left.
  ~H5Sink() override;
  H5Sink(const H5Sink&) = delete;
  H5Sink& operator=(const H5Sink&) = delete;

  /// Throws std::system_error when the file cannot be written, or has not the rows to be kept.
  void start(const std::vector<std::string>& columns) override;
  /// No allocation, no lock, no input or output; waits only when the writer is a whole ring behind.
  void sample(const double* row, std::size_t size) override;
  void finish() override;

  const std::string& error() const override;
  std::int64_t written() const override;

 private:
  struct Writer;
  std::unique_ptr<Writer> writer_;
};

}  // namespace cardan
