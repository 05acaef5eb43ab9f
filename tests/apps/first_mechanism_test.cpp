// docs/first-mechanism.md as a reader follows it: its models become files, its commands are run, and what stands below
// them is what they print, but for times.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "apps/program.hpp"

namespace cardan {
namespace {

class FirstMechanism : public ProgramTest {
 protected:
  /// Words must be the same; numbers agree within 1 %, and what is below 1e-6 is rounding.
  static testing::AssertionResult same_line(const std::string& shown, const std::string& printed) {
    std::istringstream a(shown), b(printed);
    std::string x, y;
    while (a >> x) {
      if (!(b >> y)) return testing::AssertionFailure() << "'" << shown << "' is shown, '" << printed << "' printed";
      char *end_x = nullptr, *end_y = nullptr;
      const double u = std::strtod(x.c_str(), &end_x), v = std::strtod(y.c_str(), &end_y);
      const bool numbers = end_x != x.c_str() && end_y != y.c_str() && std::string(end_x) == end_y;
      if (numbers ? std::abs(u - v) > 0.01 * std::abs(u) + 1e-6 : x != y)
        return testing::AssertionFailure() << "'" << x << "' of '" << shown << "' is printed as '" << y << "'";
    }
    if (b >> y) return testing::AssertionFailure() << "'" << y << "' is printed after '" << shown << "'";
    return testing::AssertionSuccess();
  }

  /// Lines that tell of time, or of when rounding was worst.
  static bool differs_by_nature(const std::string& line) {
    return std::regex_search(line, std::regex("^ *(cost|constraint violation|velocity|acceleration) ")) ||
           line.find("unbalanced") != std::string::npos;
  }

  void check_command(const std::string& command, const std::vector<std::string>& shown, bool compare) {
    SCOPED_TRACE(command);
    const Result result = shell(command + " 2>&1");
    const bool shows_mistake = !shown.empty() && shown[0].find("error:") != std::string::npos;
    EXPECT_EQ(result.code, shows_mistake ? 2 : 0) << result.out;
    if (!compare) return;
    const std::vector<std::string> printed = split(result.out, '\n');
    ASSERT_EQ(printed.size(), shown.size()) << result.out;
    for (std::size_t i = 0; i < shown.size(); ++i)
      if (!differs_by_nature(shown[i])) EXPECT_TRUE(same_line(shown[i], printed[i]));
  }
};

TEST_F(FirstMechanism, ItsCommandsPrintWhatItShows) {
  std::ifstream page(CARDAN_SOURCE_DIR "/docs/first-mechanism.md");
  std::string file, block, command;
  std::vector<std::string> shown;
  enum class In { text, yaml, console, other } in = In::text;
  bool compare = true;
  int commands = 0;
  const auto finish = [&] {
    if (!command.empty()) check_command(command, shown, compare), ++commands;
    command.clear();
    shown.clear();
  };
  for (std::string line; std::getline(page, line);) {
    if (in == In::text && line.starts_with("```")) {
      in = line.starts_with("```yaml") ? In::yaml : line.starts_with("```console") ? In::console : In::other;
      compare = line == "```console";
      block.clear();
    } else if (line == "```") {
      if (in == In::yaml && !file.empty()) write(file, block);
      if (in == In::console) finish();
      in = In::text;
    } else if (in == In::yaml) {
      block += line + '\n';
    } else if (in == In::console && line.starts_with("$ ")) {
      finish();
      command = line.substr(2);
    } else if (in == In::console) {
      shown.push_back(line);
    } else if (in == In::text) {
      // The file that a model becomes is the last one named before it.
      std::smatch match;
      if (std::regex_search(line, match, std::regex(".*`(\\w+\\.yaml)`"))) {
        file = match[1];
      } else if (!line.empty()) {
        file.clear();
      }
    }
  }
  EXPECT_GE(commands, 7);
}

}  // namespace
}  // namespace cardan
