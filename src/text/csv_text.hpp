// Text in CSV files, RFC 4180.
#pragma once

#include <string>
#include <string_view>

namespace cardan {

/// The text itself, or quoted when it holds a separator, a quote or a line break.
inline std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace cardan
