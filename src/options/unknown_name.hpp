// The sentence with which a name from the command line or an option is refused.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// "no formulation is called 'hybird'; did you mean 'hybrid'? Known: global, hybrid, topological"
std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& known);

/// The entry of that name; throws std::invalid_argument with the sentence above.
template <typename Entries>
const auto& find_by_name(std::string_view kind, std::string_view name, const Entries& entries) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
  if (found != entries.end()) return *found;
  std::vector<std::string> known;
  for (const auto& entry : entries) known.emplace_back(entry.name);
  throw std::invalid_argument(unknown_name(kind, name, known));
}

/// Its index, likewise.
template <typename Entries>
int index_by_name(std::string_view kind, std::string_view name, const Entries& entries) {
  return static_cast<int>(&find_by_name(kind, name, entries) - entries.data());
}

/// The index of a name in a list of names, likewise.
inline int index_of_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument(unknown_name(kind, name, names));
  return static_cast<int>(found - names.begin());
}

}  // namespace cardan
