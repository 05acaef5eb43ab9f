// A table of results, stated once: its rows go into a CSV file in full precision as they are added, and the same rows,
// shortened, to the terminal and into the report; curves of its columns go into plots.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/report.hpp"

namespace cardan {

class ResultTable {
 public:
  using Format = std::function<std::string(double)>;
  struct Column {
    std::string name;         // in the file; empty: not there
    std::string title;        // where it is shown; empty: in the file alone
    Format format = nullptr;  // of numbers; none: a column of text, to the left
  };

  /// An empty `file`: none. Throws std::system_error when it cannot be written.
  ResultTable(const std::filesystem::path& file, std::vector<Column> columns);

  /// A number or a text for each column; missing ones at the end stay empty. Texts among numbers are shown as they are.
  template <typename... Cells>
  void add(const Cells&... cells) {
    add_row({cell(cells)...});
  }
  /// "failed [n]", with the reason as the n-th line below the table.
  std::string failed(const std::string& reason);

  /// Indented, with what failed() gathered.
  std::string text() const;
  ReportTable report() const;

  /// |y| over x, both by their names in the file, one curve for each text in the column `by` (one for all when it is
  /// empty), named after it. `group`: another column that tells curves apart. Texts that are numbers count as such;
  /// others are left out.
  std::vector<ReportSeries> curves(std::string_view x, std::string_view y, std::string_view by,
                                   std::string_view group = "") const;

 private:
  struct Cell {
    std::string full;
    double number = std::numeric_limits<double>::quiet_NaN();
    bool is_number = false;
  };
  template <typename T>
  static Cell cell(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return {fmt::format("{}", value), static_cast<double>(value), true};
    } else {
      return text_cell(std::string(value));
    }
  }
  static Cell text_cell(std::string text);
  void add_row(std::vector<Cell> cells);
  void write_line(const std::vector<std::string>& fields);
  std::size_t index_of(std::string_view name) const;
  std::vector<std::string> shown(const std::vector<Cell>& row) const;

  std::filesystem::path file_;
  std::ofstream out_;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::string> reasons_;
};

/// Formats of numbers; what is infinite is "-", what is no number is left empty.
ResultTable::Format decimals(int digits, double factor = 1);  // 0.125
ResultTable::Format powers(int digits, double factor = 1);    // 1.25e-01
ResultTable::Format significant(int digits = 6);              // 0.125, and powers of ten where those are shorter
ResultTable::Format whole();                                  // 125

/// Points in double logarithmic axes.
ReportPlot measurements(const std::string& title, const std::string& x_label, const std::string& y_label,
                        std::vector<ReportSeries> series, const std::string& note = "");
/// The same points under other names: "published, hybrid".
std::vector<ReportSeries> grouped(std::vector<ReportSeries> series, const std::string& group);
/// Both one after the other.
std::vector<ReportSeries> joined(std::vector<ReportSeries> first, const std::vector<ReportSeries>& second);

}  // namespace cardan
