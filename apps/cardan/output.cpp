#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
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

std::string counted(std::size_t count, std::string_view noun, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", noun);
  return plural.empty() ? fmt::format("{} {}s", count, noun) : fmt::format("{} {}", count, plural);
}

}  // namespace cardan
