#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace cardan {

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno != EPIPE) {
    throw std::system_error(errno, std::generic_category(), "cannot write to standard output");
  }
}

std::string colored(std::string_view text, Color color, int stream) {
  const char* const unwanted = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool plain = (unwanted != nullptr && *unwanted != '\0') || terminal == nullptr ||
                     std::string_view(terminal) == "dumb" || isatty(stream) == 0;
  if (plain) return std::string(text);
  const int code = color == Color::red ? 31 : color == Color::green ? 32 : 33;
  return fmt::format("\033[1;{}m{}\033[0m", code, text);
}

std::string with_colored_marks(std::string_view text, int stream) {
  constexpr std::string_view kError = "error:", kWarning = "warning:";
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    const std::size_t error = line.find(kError), warning = line.find(kWarning);
    const std::size_t at = std::min(error, warning);
    if (at == std::string_view::npos) {
      result += line;
    } else {
      const std::string_view mark = error < warning ? kError : kWarning;
      result += line.substr(0, at);
      result += colored(mark, error < warning ? Color::red : Color::yellow, stream);
      result += line.substr(at + mark.size());
    }
    text.remove_prefix(end);
  }
  return result;
}

void complain(std::string_view message) {
  fmt::print(stderr, "{} {}\n", colored("cardan:", Color::red, STDERR_FILENO), message);
}

std::filesystem::path output_folder(const std::string& asked, const std::string& name) {
  std::filesystem::path folder = asked;
  if (asked.empty()) {
    std::string safe = name;
    std::replace(safe.begin(), safe.end(), '/', '_');
    if (safe.empty() || safe.front() == '.') safe.insert(0, "model");
    folder = std::filesystem::path("out") / safe;
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw std::system_error(error, "cannot create the folder " + folder.string());
  return folder;
}

std::map<std::string, double> parse_parameters(const std::vector<std::string>& assignments) {
  std::map<std::string, double> parameters;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw std::invalid_argument(fmt::format("--set takes NAME=VALUE, such as --set L=0.5, not '{}'", assignment));
    }
    const std::string name = assignment.substr(0, equals);
    const char* end = assignment.data() + assignment.size();
    double value = 0;
    const auto [rest, error] = std::from_chars(assignment.data() + equals + 1, end, value);
    if (error != std::errc() || rest != end) {
      throw std::invalid_argument(fmt::format("--set {}: '{}' is not a number", name, assignment.substr(equals + 1)));
    }
    if (!parameters.emplace(name, value).second) {
      throw std::invalid_argument(fmt::format("--set gives the parameter '{}' twice", name));
    }
  }
  return parameters;
}

std::string shell_word(std::string_view text) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_-./=+,:@%", c); };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string freedom(int degrees, int driven) {
  const std::string text = counted(static_cast<std::size_t>(std::max(degrees, 0)), "degree") + " of freedom";
  return driven > 0 ? fmt::format("{}, {} of them driven", text, driven) : text;
}

std::string counted(std::size_t count, std::string_view noun, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", noun);
  return plural.empty() ? fmt::format("{} {}s", count, noun) : fmt::format("{} {}", count, plural);
}

}  // namespace cardan
