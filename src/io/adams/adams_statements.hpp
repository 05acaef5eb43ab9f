// The statements of an ADAMS dataset: KEYWORD/ID, ARG=value, ... A line that begins or is preceded by a comma goes on
// with the statement before it, '!' begins a comment, ';' ends a statement, and the first line is a title. Function
// expressions end with a backslash or with the statement.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/formats/foreign_model.hpp"

namespace cardan {

struct AdamsArgument {
  std::string name;   // capital letters; of a word alone the word
  std::string value;  // empty: a word alone
  SourceLocation where;
  mutable bool used = false;
};

struct AdamsStatement {
  std::string keyword;  // in full, capital letters
  int id = 0;
  std::string view_name;  // as ADAMS View wrote it into the comment before, else empty
  SourceLocation where;
  std::vector<AdamsArgument> arguments;

  std::string label() const;  // "JOINT/3 'crank pin'"
  /// By its whole name; a file may cut it short to three letters or more. Marks it as used.
  const AdamsArgument* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
};

struct AdamsDataset {
  std::string title;
  std::vector<AdamsStatement> statements;
};

/// Keywords that are not known are kept as they are.
AdamsDataset read_adams_statements(const ForeignFile& file, Problems& problems);

/// 1.5, 1.5E3, 1.5D3, and 30D, which is 30 degrees in rad.
bool parse_adams_number(std::string_view text, double& value);
std::string upper_case(std::string_view text);
std::string_view trimmed(std::string_view text);

}  // namespace cardan
