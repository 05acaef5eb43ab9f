#include "usage_errors.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "io/csv_cells.hpp"
#include "options/option_list.hpp"
#include "options/unknown_name.hpp"
#include "text/nearest_name.hpp"

namespace cardan {
void check_command_name(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  if (std::find(known.begin(), known.end(), argv[1]) != known.end()) return;
  if (std::string(argv[1]) == "help") throw std::invalid_argument("ask `cardan --help`, or `cardan COMMAND --help`");
  throw std::invalid_argument(unknown_name("command", argv[1], known));
}

namespace {

/// Arguments that the command does not know, the last one first: an option with its value, say.
std::string unexpected(const CLI::App& app, const std::string& arguments) {
  const auto commands = app.get_subcommands();
  if (commands.empty()) return fmt::format("'{}' was not expected", arguments);
  std::istringstream words(arguments);
  std::string word, option;
  while (words >> word) {
    if (word.starts_with('-')) option = word.substr(0, word.find('='));
  }
  if (option.empty()) return fmt::format("`cardan {}` does not take '{}'", commands[0]->get_name(), arguments);
  std::vector<std::string> known;
  for (const CLI::Option* each : commands[0]->get_options()) {
    for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
  }
  const std::string nearest = nearest_name(option, known);
  return fmt::format("`cardan {}` has no option {}{}", commands[0]->get_name(), option,
                     nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
}

}  // namespace

std::string plain_words(const CLI::App& app, const std::string& complaint) {
  const std::string conversion = "Could not convert: ";
  if (complaint.starts_with(conversion)) {
    const std::size_t equals = complaint.find(" = ");
    if (equals != std::string::npos) {
      const std::string option = complaint.substr(conversion.size(), equals - conversion.size());
      const std::string value = complaint.substr(equals + 3);
      if (csv_number(value)) return fmt::format("{} needs a whole number, not '{}'", option, value);
      return fmt::format("{} needs a number, not '{}'; units are SI and not written", option, value);
    }
  }
  if (const std::string none = "The following argument was not expected: "; complaint.starts_with(none))
    return unexpected(app, complaint.substr(none.size()));
  if (const std::string none = "The following arguments were not expected: "; complaint.starts_with(none))
    return unexpected(app, complaint.substr(none.size()));
  if (complaint == "A subcommand is required")
    return "say what to do: check, run, compare, view, study, equilibrium, modes or inverse";
  return complaint;
}

std::string with_options_as_typed(std::string sentence) {
  const auto within_word = [&](std::size_t at) {
    if (at >= sentence.size()) return false;
    const char c = sentence[at];
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/' || c == '\'';
  };
  const auto put = [&](const RunOption& option, const auto&) {
    const std::string name = option.name, typed = option.on_command_line();
    if (name.find('_') == std::string::npos) return;
    for (std::size_t at = 0; (at = sentence.find(name, at)) != std::string::npos; at += typed.size()) {
      const std::size_t end = at + name.size();
      if ((at > 0 && within_word(at - 1)) || within_word(end)) continue;
      const std::size_t colon = sentence.compare(end, 2, ": ") == 0 ? 1 : 0;
      sentence.replace(at, name.size() + colon, typed);
    }
  };
  visit_options(put, RunOptions());
  return sentence;
}

}  // namespace cardan
