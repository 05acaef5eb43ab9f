// Binaries of FMUs, looked at before they are loaded: the loader of a file that is cut short ends in a signal.
#pragma once

#include <string>
#include <string_view>

namespace cardan {

/// Why these bytes are no whole shared object for x86-64 Linux ("is cut short: ..."); empty when they are.
std::string why_no_shared_object(std::string_view bytes);

}  // namespace cardan
