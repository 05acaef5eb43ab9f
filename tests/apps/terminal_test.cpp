// What the program writes when a person looks on: colours and a line that tells how far it is. On a terminal only.
#include <pty.h>
#include <unistd.h>

#include <array>

#include "apps/program.hpp"

namespace cardan {
namespace {

class TerminalTest : public ProgramTest {
 protected:
  /// Runs a command with a terminal of 60 columns as its input and output, on which `typed` has been typed, and answers
  /// with all it wrote.
  std::string terminal(const std::string& command, const std::string& typed = "") const {
    winsize size{.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
    int master = -1;
    const pid_t child = forkpty(&master, nullptr, nullptr, &size);
    if (child == 0) {
      const std::string script =
          "cd '" + folder_.string() + "' && cardan() { '" CARDAN_PROGRAM "' \"$@\"; }; " + command;
      execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
      _exit(127);
    }
    EXPECT_EQ(::write(master, typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = ::read(master, buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(n));
    int status = 0;
    waitpid(child, &status, 0);
    close(master);
    return text;
  }
};

TEST_F(TerminalTest, ColoursErrorsAndOutcomesWhereTheyAreWanted) {
  write("bad.yaml", "cardan: 1\nbodies: {a: {mas: 1}}\n");
  EXPECT_TRUE(contains(terminal("TERM=xterm cardan check bad.yaml"), "\033[1;31merror:\033[0m"));
  EXPECT_TRUE(contains(terminal("TERM=xterm cardan run four_bar.yaml"), "\033[1;32mdone\033[0m"));
  for (const char* quiet : {"NO_COLOR=1 TERM=xterm", "TERM=dumb"}) {
    const std::string text = terminal(std::string(quiet) + " cardan check bad.yaml");
    EXPECT_TRUE(contains(text, "error:"));
    EXPECT_EQ(text.find('\033'), std::string::npos) << quiet;
  }
  EXPECT_EQ(cardan("check bad.yaml").err.find('\033'), std::string::npos) << "not into files";
}

TEST_F(TerminalTest, LongRunsSayHowMuchTimeIsLeftOnOneLine) {
  const std::string text = terminal("TERM=xterm cardan run four_bar.yaml --step 1e-5 --until 30 --every 10000");
  EXPECT_TRUE(contains(text, " s left"));
  for (const std::string& line : split(text, '\r')) {
    if (line.find("times real time") == std::string::npos || line.find("\033[K") != 0) continue;
    EXPECT_LT(line.size(), 60U + 3) << line;  // the terminal's width, and what wipes the line
  }
}

TEST_F(TerminalTest, AsksBeforeASweepThatNobodyCanHaveMeant) {
  write("plan.yaml", "sweep: 1\nmodel: four_bar.yaml\nvary: {L: {from: 1, to: 2, count: 1e12}}\n");
  const std::string text = terminal("cardan sweep plan.yaml --out huge", "n\n");
  EXPECT_TRUE(contains(text, "the plan has 1e+12 runs")) << text;
  EXPECT_TRUE(contains(text, "Begin? [y/N]")) << text;
  EXPECT_TRUE(contains(text, "nothing was begun")) << text;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "huge"));
}

}  // namespace
}  // namespace cardan
