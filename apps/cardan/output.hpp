// What the commands share: standard output, output folders, parameters given on the command line.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// To standard output. A reader that has gone (`| head`) is no error: the rest is dropped and the command goes on.
void print(std::string_view text);

/// `asked`, or out/<name> when that is empty; created. Throws std::system_error when it cannot be.
std::filesystem::path output_folder(const std::string& asked, const std::string& name);

/// From NAME=VALUE texts. Throws std::invalid_argument.
std::map<std::string, double> parse_parameters(const std::vector<std::string>& assignments);

/// As it would be typed: quoted where a shell would take it apart.
std::string shell_word(std::string_view text);

/// "1 joint", "2 joints"; "bodies" and the like give their plural.
std::string counted(std::size_t count, std::string_view noun, std::string_view plural = "");

}  // namespace cardan
