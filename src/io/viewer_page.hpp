// The viewer's page, one self-contained HTML file, as built from viewer/ into the program.
#pragma once

#include <string_view>

namespace cardan {

/// Empty when the program was built without it; viewer_page_missing() then says why and what to do.
std::string_view viewer_page();
std::string_view viewer_page_missing();

}  // namespace cardan
