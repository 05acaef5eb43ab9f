// Two columns of a CSV file as points of a table, a path or a road:
//
//   {file: PATH, columns: [A, B]}      beside the model file; names of the first line, or numbers counted from 1
#pragma once

#include <optional>
#include <vector>

#include "io/yaml_fields.hpp"

namespace cardan {

struct CsvPair {
  Vec2 value;
  SourceLocation where;  // of its first number in the CSV file
};

/// Nothing after a report, which points at the line and column of the CSV file where the fault is there. Cells are
/// separated by commas, or by semicolons or tabs where the first line has no comma; a first line that is not all
/// numbers names the columns; empty lines and those that start with # do not count.
std::optional<std::vector<CsvPair>> read_csv_pairs(Reading& reading, const YamlNode& node, const std::string& element,
                                                   const std::string& what);

/// The same of all columns, {file: PATH} alone.
std::optional<std::vector<TableRow>> read_csv_rows(Reading& reading, const YamlNode& node, const std::string& element,
                                                   const std::string& what);

}  // namespace cardan
