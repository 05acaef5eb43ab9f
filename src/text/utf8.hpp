// Text in UTF-8, told from what is none.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace cardan {

/// The length of the character that begins at `i`, or 0 where there is none of UTF-8.
inline std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t j) { return j < text.size() ? static_cast<unsigned char>(text[j]) : 0u; };
  const unsigned first = byte(i);
  if (first < 0x80) return 1;
  if (first >= 0xF5) return 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  for (std::size_t j = 1; j < length; ++j)
    if ((byte(i + j) & 0xC0) != 0x80) return 0;
  return length;
}

/// Where text ends to be text: the first byte that is no UTF-8, or a control character that no text has.
inline std::optional<std::size_t> first_not_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || (c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f') || c == 127) return i;
    i += length;
  }
  return std::nullopt;
}

}  // namespace cardan
