// Text within XML.
#pragma once

#include <string>

namespace cardan {

/// With the letters that XML takes for its own replaced.
std::string xml_text(const std::string& text);

}  // namespace cardan
