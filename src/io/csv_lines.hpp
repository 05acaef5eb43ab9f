// Lines of a CSV file of numbers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// The first line of a CSV file, RFC 4180 quoting.
std::vector<std::string> parse_csv_header(std::string_view line);

/// The fields of a line of numbers. What is missing or no number becomes NaN; returns false then, or when there are
/// too many fields.
bool parse_csv_row(std::string_view line, std::span<double> row);

/// Only the columns asked for, in rising order of `columns`; others are passed over.
void parse_some(std::string_view line, std::span<const std::size_t> columns, double* values);

}  // namespace cardan
