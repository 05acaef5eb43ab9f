#include "io/csv_lines.hpp"

#include <charconv>
#include <cstring>
#include <limits>

namespace cardan {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::string_view without_return(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace

std::vector<std::string> parse_csv_header(std::string_view line) {
  line = without_return(line);
  std::vector<std::string> names(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted) {
      if (c != '"') {
        names.back() += c;
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        names.back() += line[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  return names;
}

bool parse_csv_row(std::string_view line, std::span<double> row) {
  line = without_return(line);
  bool good = true;
  const char* at = line.data();
  const char* const end = at + line.size();
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = kMissing;
    if (at == nullptr) {
      good = false;
      continue;
    }
    const auto [rest, error] = std::from_chars(at, end, row[i]);
    if (error == std::errc() && rest == end) {
      at = nullptr;
    } else if (error == std::errc() && *rest == ',') {
      at = rest + 1;
    } else {
      row[i] = kMissing;
      good = false;
      at = static_cast<const char*>(std::memchr(at, ',', static_cast<std::size_t>(end - at)));
      if (at != nullptr) ++at;
    }
  }
  return good && at == nullptr;
}

void parse_some(std::string_view line, std::span<const std::size_t> columns, double* values) {
  const char* at = line.data();
  const char* const end = at + line.size();
  std::size_t field = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    values[i] = kMissing;
    while (field < columns[i] && at != nullptr) {
      at = static_cast<const char*>(std::memchr(at, ',', static_cast<std::size_t>(end - at)));
      if (at != nullptr) ++at, ++field;
    }
    if (at == nullptr) continue;
    double value = kMissing;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error == std::errc() && (rest == end || *rest == ',' || *rest == '\r')) values[i] = value;
  }
}

}  // namespace cardan
