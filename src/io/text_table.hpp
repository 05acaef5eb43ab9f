// A table for the terminal: columns as wide as their widest cell.
#pragma once

#include <string>
#include <vector>

namespace cardan {

class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  explicit TextTable(std::vector<Column> columns);

  /// One cell for each column; missing ones at the end stay empty.
  void add(std::vector<std::string> cells);
  /// Every line indented by `indent` spaces and ended by a newline, with no trailing blanks.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace cardan
