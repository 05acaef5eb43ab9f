#include "io/csv_cells.hpp"

#include <charconv>
#include <cmath>

namespace cardan {
namespace {

char separator_of(std::string_view line) {
  for (const char candidate : {',', ';', '\t'})
    if (line.find(candidate) != std::string_view::npos) return candidate;
  return ',';
}

/// Separators within double quotes belong to the cell; blanks around a cell do not.
std::vector<CsvCell> cells_of(std::string_view line, char separator) {
  std::vector<CsvCell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    std::size_t end = begin;
    for (bool quoted = false; end < line.size() && (quoted || line[end] != separator); ++end)
      if (line[end] == '"') quoted = !quoted;
    const std::size_t next = end + 1;
    const auto blank = [&](std::size_t i) { return line[i] == ' ' || line[i] == '\t'; };
    while (begin < end && blank(begin)) ++begin;
    while (begin < end && blank(end - 1)) --end;
    if (end - begin >= 2 && line[begin] == '"' && line[end - 1] == '"') ++begin, --end;
    cells.push_back({std::string(line.substr(begin, end - begin)), static_cast<int>(begin) + 1});
    begin = next;
  }
  return cells;
}

}  // namespace

std::optional<double> csv_number(const std::string& text) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [stop, status] = std::from_chars(begin, end, value);
  if (stop != end || begin == end || status != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<CsvLine> csv_lines(std::string_view text) {
  std::vector<CsvLine> lines;
  char separator = 0;
  int number = 0;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) continue;
    if (separator == 0) separator = separator_of(line);
    lines.push_back({cells_of(line, separator), number});
  }
  return lines;
}

}  // namespace cardan
