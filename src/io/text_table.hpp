// For the terminal: a table with columns as wide as their widest cell, and text broken into lines.
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

  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// `text` after `start` on lines of at most `width` characters, the second and later ones of a paragraph indented; line
/// breaks stay. Ends with a newline.
std::string wrapped(const std::string& start, const std::string& text, std::size_t width, std::size_t indent = 0);

}  // namespace cardan
