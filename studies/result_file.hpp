// A CSV file of a study: numbers in full precision, text quoted where it must be.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "io/csv_text.hpp"

namespace cardan {

class ResultFile {
 public:
  ResultFile(const std::filesystem::path& file, std::initializer_list<std::string_view> columns)
      : file_(file), out_(file) {
    for (std::string_view column : columns) append(column);
    end_line();
  }

  template <typename... Cells>
  void add(const Cells&... cells) {
    (append(cells), ...);
    end_line();
  }

 private:
  template <typename Cell>
  void append(const Cell& cell) {
    if (!line_.empty()) line_ += ',';
    if constexpr (std::is_arithmetic_v<Cell>) {
      line_ += fmt::format("{}", cell);
    } else {
      line_ += csv_text(cell);
    }
  }
  void end_line() {
    out_ << line_ << '\n' << std::flush;
    if (!out_) throw std::system_error(errno, std::generic_category(), "cannot write " + file_.string());
    line_.clear();
  }

  std::filesystem::path file_;
  std::ofstream out_;
  std::string line_;
};

}  // namespace cardan
