// The known name nearest to a mistyped one, for "did you mean" in error messages. Not a spelling checker: it answers
// with nothing rather than with a far-fetched name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// The candidate with the smallest edit distance (insert, delete, replace, swap neighbours; case is nearly free), the
/// first of several; empty when none is near: about one slip in four characters is.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace cardan
