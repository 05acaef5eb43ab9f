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

}  // namespace cardan
