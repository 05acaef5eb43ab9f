// What is wrong with a command line, in the words of those who typed it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace cardan {

/// A mistyped command gets its own sentence (std::invalid_argument); CLI11 would only say that one is missing.
void check_command_name(const CLI::App& app, int argc, char** argv);

/// What the parser of the command line says, as a user would; mistyped options with what may have been meant.
std::string plain_words(const CLI::App& app, const std::string& complaint);

/// A sentence of the library on options, as the command line calls them: "--step-control error" for "step_control:
/// error". Names of a single word are left as they are, which mean other things too.
std::string with_options_as_typed(std::string sentence);

}  // namespace cardan
