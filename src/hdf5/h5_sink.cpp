#include "hdf5/h5_sink.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "hdf5/h5_handle.hpp"
#include "hdf5/h5_library.hpp"
#include "io/row_writer.hpp"

namespace cardan {
namespace {

constexpr std::size_t kBatchRows = 1024;  // and a chunk of a dataset, unless the whole run is shorter
constexpr RowWriter::Milliseconds kFlushAfter{500};

/// Readable by every HDF5 since 1.8, also while the run goes on.
H5Handle file_access() {
  H5Handle access(h5().Pcreate(h5().file_access), h5().Pclose);
  h5_check(h5().Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));
  h5_check(h5().Pset_file_locking(access, false, true));
  return access;
}

}  // namespace

struct H5Sink::Writer final : RowWriter {
  std::filesystem::path path;
  Description description;
  std::vector<std::string> columns;
  hsize_t rows = 0;  // in the datasets
  H5Handle file;
  std::vector<H5Handle> datasets;
  std::vector<double> batch, column;  // rows not yet written; one column of them
  std::size_t batched = 0;            // rows

  Writer() : RowWriter(kFlushAfter) {}

  void open() {
    const std::lock_guard lock(h5_lock());
    try {
      h5_check(h5().Eset_auto2(H5E_DEFAULT, nullptr, nullptr));
      rows > 0 ? go_on() : create();
    } catch (const std::runtime_error& why) {
      throw std::system_error(std::make_error_code(std::errc::io_error),
                              fmt::format("cannot write {}: {}", path.string(), why.what()));
    }
  }

  /// A '/' in a name makes a group, which cannot be a dataset as well.
  void refuse_ambiguous_names() const {
    const std::set<std::string> names(columns.begin(), columns.end());
    for (const std::string& name : columns)
      for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1))
        if (names.count(name.substr(0, at)) > 0)
          throw std::runtime_error(fmt::format("'{}' is a column and holds '{}' as well; give one of them another name",
                                               name.substr(0, at), name));
  }

  void create() {
    refuse_ambiguous_names();
    const H5Handle creation(h5().Pcreate(h5().file_creation), h5().Pclose), access = file_access();
    h5_check(h5().Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    file = H5Handle(h5().Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), h5().Fclose);
    write_text_attribute(file, "model", description.model);
    const hsize_t count = columns.size();
    const H5Handle type = h5_text_type(), list(h5().Screate_simple(1, &count, nullptr), h5().Sclose);
    const H5Handle attribute(h5().Acreate2(file, "columns", type, list, H5P_DEFAULT, H5P_DEFAULT), h5().Aclose);
    std::vector<const char*> names;
    for (const std::string& name : columns) names.push_back(name.c_str());
    h5_check(h5().Awrite(attribute, type, names.data()));
  }

  /// Datasets of an earlier run, cut off after the rows that are kept.
  void go_on() {
    const H5Handle access = file_access();
    file = H5Handle(h5().Fopen(path.c_str(), H5F_ACC_RDWR, access), h5().Fclose);
    for (const std::string& name : columns) {
      datasets.emplace_back(h5().Dopen2(file, name.c_str(), H5P_DEFAULT), h5().Dclose);
      const H5Handle space(h5().Dget_space(datasets.back()), h5().Sclose);
      hsize_t size = 0;
      h5_check(h5().Sget_simple_extent_dims(space, &size, nullptr));
      if (size < rows)
        throw std::runtime_error(fmt::format("it has {} rows, but {} belong to the saved state", size, rows));
      h5_check(h5().Dset_extent(datasets.back(), &rows));
    }
  }

  void make_datasets(hsize_t chunk) {
    const hsize_t none = 0, any = H5S_UNLIMITED;
    const H5Handle space(h5().Screate_simple(1, &none, &any), h5().Sclose);
    const H5Handle creation(h5().Pcreate(h5().dataset_creation), h5().Pclose),
        link(h5().Pcreate(h5().link_creation), h5().Pclose);
    h5_check(h5().Pset_chunk(creation, 1, &chunk));
    h5_check(h5().Pset_obj_track_times(creation, false));
    h5_check(h5().Pset_create_intermediate_group(link, 1));
    h5_check(h5().Pset_char_encoding(link, H5T_CSET_UTF8));
    for (const std::string& name : columns) {
      datasets.emplace_back(h5().Dcreate2(file, name.c_str(), h5().double_of_files, space, link, creation, H5P_DEFAULT),
                            h5().Dclose);
      const auto unit = description.units.find(name);
      write_text_attribute(datasets.back(), "units", unit == description.units.end() ? "" : unit->second);
    }
  }

  bool has_unwritten() const override { return batched > 0; }
  void flush(bool last) override {
    if (error.empty() && (batched > 0 || (last && datasets.empty()))) {
      const std::lock_guard lock(h5_lock());
      try {
        if (datasets.empty()) make_datasets(last ? std::max<std::size_t>(1, batched) : kBatchRows);
        write_batch();
        h5_check(h5().Fflush(file, H5F_SCOPE_GLOBAL));
        written = static_cast<std::int64_t>(rows);
      } catch (const std::runtime_error& why) {
        fail(why.what());
      }
    }
    batched = 0;
  }

  void write_batch() {
    const hsize_t count = batched, all = rows + count;
    const H5Handle memory(h5().Screate_simple(1, &count, nullptr), h5().Sclose);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::size_t i = 0; i < batched; ++i) column[i] = batch[i * columns.size() + c];
      h5_check(h5().Dset_extent(datasets[c], &all));
      const H5Handle space(h5().Dget_space(datasets[c]), h5().Sclose);
      h5_check(h5().Sselect_hyperslab(space, H5S_SELECT_SET, &rows, nullptr, &count, nullptr));
      h5_check(h5().Dwrite(datasets[c], h5().native_double, memory, space, H5P_DEFAULT, column.data()));
    }
    rows = all;
  }

  void take(const double* row) override {
    std::copy_n(row, columns.size(), &batch[batched++ * columns.size()]);
    if (batched == kBatchRows) flush(false);
  }

  void close() {
    const std::lock_guard lock(h5_lock());
    datasets.clear();
    if (!file.reset()) fail("the file could not be closed");
  }
};

H5Sink::H5Sink(std::filesystem::path file, Description description, std::int64_t rows_kept)
    : writer_(std::make_unique<Writer>()) {
  writer_->path = std::move(file);
  writer_->description = std::move(description);
  writer_->rows = static_cast<hsize_t>(rows_kept);
  writer_->written = rows_kept;
}

H5Sink::~H5Sink() {
  finish();
  writer_->close();
}

void H5Sink::start(const std::vector<std::string>& columns) {
  Writer& writer = *writer_;
  if (writer.has_started()) throw std::logic_error("H5Sink::start called twice");
  writer.columns = columns;
  writer.open();
  writer.batch.resize(kBatchRows * columns.size());
  writer.column.resize(kBatchRows);
  writer.start(columns.size());
}

void H5Sink::sample(const double* row, std::size_t size) { writer_->push(row, size); }

void H5Sink::finish() {
  if (writer_->finish()) writer_->close();
}

const std::string& H5Sink::error() const { return writer_->error; }
std::int64_t H5Sink::written() const { return writer_->written; }

}  // namespace cardan
