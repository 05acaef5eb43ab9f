// Paths as addresses, which FMI 2.0 wants for resources.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <string>

namespace cardan {

/// "file:///tmp/a%20b"
inline std::string address_of_path(const std::filesystem::path& path) {
  std::string address = "file://";
  for (const char c : std::filesystem::absolute(path).string()) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '-' || c == '_' || c == '.' || c == '~';
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

}  // namespace cardan
