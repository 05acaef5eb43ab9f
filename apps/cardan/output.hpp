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

enum class Color { red, green, yellow };
/// In that colour where `stream` (STDOUT_FILENO, STDERR_FILENO) is a terminal and neither NO_COLOR is set nor TERM
/// dumb.
std::string colored(std::string_view text, Color color, int stream);
/// The first "error:" or "warning:" of each line coloured, likewise.
std::string with_colored_marks(std::string_view text, int stream);
/// "cardan: MESSAGE" to standard error.
void complain(std::string_view message);

/// `asked`, or out/<name> when that is empty; created. Throws std::system_error when it cannot be.
std::filesystem::path output_folder(const std::string& asked, const std::string& name);

/// From NAME=VALUE texts. Throws std::invalid_argument.
std::map<std::string, double> parse_parameters(const std::vector<std::string>& assignments);

/// As it would be typed: quoted where a shell would take it apart.
std::string shell_word(std::string_view text);

/// "1 joint", "2 joints"; "bodies" and the like give their plural.
std::string counted(std::size_t count, std::string_view noun, std::string_view plural = "");

/// "2 degrees of freedom, 1 of them driven"
std::string freedom(int degrees, int driven);

}  // namespace cardan
