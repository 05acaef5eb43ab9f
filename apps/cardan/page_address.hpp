// What `view` and `drive` do alike with their page: a secret in its address, and a browser that opens it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cardan {

/// 128 random bits. Throws std::system_error.
std::string make_token();

/// Whether the path begins with /TOKEN/, which is then left out of it. Takes as long however many characters agree.
bool remove_token(std::string_view& path, std::string_view token);

/// On a desktop only; whether a browser comes up is its own business. Other users see the arguments of a program, so
/// that the browser gets the address from a file in a folder that they cannot read.
void open_browser(const std::string& address, const std::filesystem::path& private_folder);

}  // namespace cardan
