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

#include "io/result_folder.hpp"
#include "io/viewer_page.hpp"
#include "io/whole_file.hpp"

namespace cardan {

namespace {

enum class Color { red, green, yellow };

/// In that colour where `stream` is a terminal and neither NO_COLOR is set nor TERM dumb.
std::string colored(std::string_view text, Color color, int stream) {
  const char* const unwanted = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool plain = (unwanted != nullptr && *unwanted != '\0') || terminal == nullptr ||
                     std::string_view(terminal) == "dumb" || isatty(stream) == 0;
  if (plain) return std::string(text);
  const int code = color == Color::red ? 31 : color == Color::green ? 32 : 33;
  return fmt::format("\033[1;{}m{}\033[0m", code, text);
}

/// What is coloured where it stands first in a line.
struct Mark {
  std::string_view text;
  std::size_t length;  // of its coloured part
  Color color;
};
constexpr Mark kMarks[] = {{"error:", 6, Color::red},
                           {"warning:", 8, Color::yellow},
                           {"done at t = ", 4, Color::green},
                           {"failed at t = ", 6, Color::red},
                           {"interrupted at t = ", 11, Color::yellow}};

std::string with_colored_marks(std::string_view text, int stream) {
  std::string result;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    const Mark* first = nullptr;
    for (const Mark& mark : kMarks) {
      if (line.find(mark.text) < (first ? line.find(first->text) : line.size())) first = &mark;
    }
    const std::size_t at = first ? line.find(first->text) : line.size(), length = first ? first->length : 0;
    result += line.substr(0, at);
    if (first) result += colored(line.substr(at, length), first->color, stream);
    result += line.substr(at + length);
    text.remove_prefix(line.size());
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) {
      result += fmt::format("\\u{:04x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F, in UTF-8
      result += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

namespace {

void write_out(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno != EPIPE) {
    throw std::runtime_error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

}  // namespace

void print(std::string_view text) { write_out(printable(text)); }
void print_marked(std::string_view text) { write_out(with_colored_marks(printable(text), STDOUT_FILENO)); }

void say(std::string_view text) {
  const std::string line = with_colored_marks(printable(text), STDERR_FILENO) + '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}
void complain(std::string_view message) {
  const std::string line = fmt::format("{} {}\n", colored("cardan:", Color::red, STDERR_FILENO), printable(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::filesystem::path output_folder(const std::string& asked, const std::string& name) {
  if (!asked.empty()) return asked;
  std::string safe = name;
  const auto unsafe = [](unsigned char c) { return c == '/' || std::iscntrl(c); };
  std::replace_if(safe.begin(), safe.end(), unsafe, '_');
  if (safe.empty() || safe.front() == '.') safe.insert(0, "model");
  return std::filesystem::path("out") / safe;
}

void prepare_output(const std::string& file, const std::vector<std::string>& inputs) {
  refuse_to_replace(inputs, {file});
  prepare_for_writing(file);
}

void prepare_report(const std::string& file, const std::vector<std::string>& inputs) {
  if (viewer_page().empty()) {
    throw std::invalid_argument(
        fmt::format("--report needs the viewer, which is not in this program: {}", viewer_page_missing()));
  }
  prepare_output(file, inputs);
}

void write_result(const std::string& file, const std::string& text) {
  try {
    write_file(file, text);
  } catch (const std::system_error& error) {
    throw std::runtime_error(error.what());
  }
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

std::string freedom(int degrees, int driven, int of_velocities) {
  std::string text = counted(static_cast<std::size_t>(std::max(degrees, 0)), "degree") + " of freedom";
  if (of_velocities >= 0 && of_velocities != degrees)
    text += fmt::format(" of positions, {} of velocities", of_velocities);
  return driven > 0 ? fmt::format("{}, {} of them driven", text, driven) : text;
}

std::string counted(std::size_t count, std::string_view noun, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", noun);
  return plural.empty() ? fmt::format("{} {}s", count, noun) : fmt::format("{} {}", count, plural);
}

}  // namespace cardan
