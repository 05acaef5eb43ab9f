#include "text/nearest_name.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cardan {
namespace {

constexpr std::size_t kLongestWord = 80;  // beyond this a word is not a slip of the fingers
constexpr int kSlip = 10;                 // cost of one edit
constexpr int kCaseSlip = 1;              // cost of a capital in place of a small letter, or the reverse

int replace_cost(char a, char b) {
  if (a == b) return 0;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b) ? kCaseSlip : kSlip;
}

// Optimal string alignment distance, three rows of the usual table.
int edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<int, kLongestWord + 1>, 3> rows;
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = kSlip * static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    const auto& second_above = rows[(i + 1) % 3];
    row[0] = kSlip * static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + kSlip, row[j - 1] + kSlip, above[j - 1] + replace_cost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], second_above[j - 2] + kSlip);
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  // None for one character, one for up to five, two for up to nine and so on; a difference in case alone always passes.
  const int slips = static_cast<int>(word.size() + 2) / 4;
  int best = kSlip * slips + kSlip - 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongestWord) continue;
    const int distance = edit_distance(word, candidate);
    const bool nothing_in_common = distance >= kSlip * static_cast<int>(std::min(word.size(), candidate.size()));
    if (nothing_in_common || distance > best || (distance == best && !nearest.empty())) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace cardan
