// What the commands share: standard output, output folders, parameters given on the command line.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// The text as a terminal may have it: control characters, which names from files and command lines may hold, as \u001b
/// and the like; line ends and tabulators stay.
std::string printable(std::string_view text);

/// To standard output, made printable. A reader that has gone (`| head`) is no error: the rest is dropped and the
/// command goes on. Throws std::system_error when it cannot be written otherwise.
void print(std::string_view text);
/// The same with the first "error:", "warning:", "done" and the like of each line coloured, where standard output is a
/// terminal and neither NO_COLOR is set nor TERM dumb.
void print_marked(std::string_view text);

/// A line, or "cardan: MESSAGE", to standard error, likewise. Where that is full or closed nothing can be said, and
/// nothing ends because of it.
void say(std::string_view text);
void complain(std::string_view message);

/// `asked`, or out/<name> when that is empty.
std::filesystem::path output_folder(const std::string& asked, const std::string& name);

/// For one file that a command writes at its end: refuses an input (std::invalid_argument) and what cannot be written
/// (std::system_error), and makes the folders above.
void prepare_output(const std::string& file, const std::vector<std::string>& inputs);
/// The same for the file of --report; throws std::invalid_argument also where the program has no viewer in it.
void prepare_report(const std::string& file, const std::vector<std::string>& inputs);
/// Throws std::runtime_error: by then it is not the input that is bad.
void write_result(const std::string& file, const std::string& text);

/// From NAME=VALUE texts. Throws std::invalid_argument.
std::map<std::string, double> parse_parameters(const std::vector<std::string>& assignments);

/// As it would be typed: quoted where a shell would take it apart.
std::string shell_word(std::string_view text);

/// "1 joint", "2 joints"; "bodies" and the like give their plural.
std::string counted(std::size_t count, std::string_view noun, std::string_view plural = "");

/// "2 degrees of freedom, 1 of them driven"
/// `of_velocities`: -1 where they have as many.
std::string freedom(int degrees, int driven, int of_velocities = -1);

}  // namespace cardan
