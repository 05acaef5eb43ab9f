// Reads a file of H5Sink back with the C interface of HDF5 alone.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cardan {

class H5File {
 public:
  explicit H5File(const std::filesystem::path& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {}
  ~H5File() {
    if (file_ >= 0) H5Fclose(file_);
  }
  bool opened() const { return file_ >= 0; }

  std::vector<double> column(const std::string& name) const {
    const hid_t dataset = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    if (dataset < 0) return {};
    const hid_t space = H5Dget_space(dataset);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Dclose(dataset);
    return values;
  }
  std::string unit(const std::string& column) const { return text(column, "units").at(0); }
  std::string model() const { return text("/", "model").at(0); }
  std::vector<std::string> columns() const { return text("/", "columns"); }

 private:
  std::vector<std::string> text(const std::string& object, const char* name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    std::vector<char*> pointers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Aread(attribute, type, pointers.data()), 0);
    std::vector<std::string> texts(pointers.begin(), pointers.end());
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return texts;
  }
  hid_t file_;
};

inline bool same_bits(const std::vector<double>& one, const std::vector<double>& two) {
  return one.size() == two.size() && std::memcmp(one.data(), two.data(), one.size() * sizeof(double)) == 0;
}

/// The columns of a trajectory.csv, the names first.
inline std::pair<std::vector<std::string>, std::vector<std::vector<double>>> read_csv(
    const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line, cell;
  std::getline(in, line);
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  std::vector<std::vector<double>> columns(names.size());
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    for (std::size_t i = 0; std::getline(cells, cell, ','); ++i)
      columns.at(i).push_back(std::strtod(cell.c_str(), nullptr));
  }
  return {names, columns};
}

}  // namespace cardan
