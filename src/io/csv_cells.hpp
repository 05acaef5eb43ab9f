// Cells of a CSV file that somebody else has written, with their places for messages. Cells are separated by commas, or
// by semicolons or tabs where the first line has no comma; empty lines and those that start with # do not count.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

struct CsvCell {
  std::string text;
  int column = 1;  // where it starts in its line, from 1
};

struct CsvLine {
  std::vector<CsvCell> cells;
  int number = 1;
};

std::vector<CsvLine> csv_lines(std::string_view text);

/// A finite number, or nothing.
std::optional<double> csv_number(const std::string& text);

}  // namespace cardan
