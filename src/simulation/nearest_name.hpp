// The name that somebody probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// The candidate with the fewest edits from `name` (insertions, deletions, replacements, swaps of neighbours; case is
/// free); empty when none is near enough to be worth a guess.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace cardan
