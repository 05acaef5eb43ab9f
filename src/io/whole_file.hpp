// Files that are there as a whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace cardan {

/// Replaces the file: written under another name beside it, then renamed, so that whoever looks finds the old one or
/// the new one. Devices and pipes are written to as they are. Throws std::system_error, and what was there stays.
void write_whole(const std::filesystem::path& file, std::string_view text);

/// Makes the folders above the file. Throws std::system_error when that, or writing the file, cannot be done; leaves no
/// file behind.
void prepare_for_writing(const std::filesystem::path& file);

}  // namespace cardan
