// What the system says of a file that it would not open, read or write.
#pragma once

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace cardan {

/// "cannot write out/sweep/claims: No space left on device", by errno.
[[noreturn]] inline void fail_on(const std::filesystem::path& file, const char* what) {
  throw std::system_error(errno, std::generic_category(), std::string(what) + " " + file.string());
}

}  // namespace cardan
