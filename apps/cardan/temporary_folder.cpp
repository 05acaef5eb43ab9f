#include "temporary_folder.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>

namespace cardan {
namespace {

namespace fs = std::filesystem;

/// What the second process does. It has let go of everything that the first one shares with others.
[[noreturn]] void remove_when_alone(int alive, const fs::path& folder) {
  setsid();  // what ends the terminal's processes leaves it alone
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  constexpr int kPipe = STDERR_FILENO + 1;
  dup2(alive, kPipe);
  close_range(kPipe + 1, ~0U, 0);
  char byte = 0;
  while (read(kPipe, &byte, 1) < 0 && errno == EINTR) {
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  _exit(0);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "cardan-view-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot create a temporary folder");
  }
  path_ = pattern;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;  // then the destructor alone removes it
  guard_ = fork();
  if (guard_ == 0) {
    close(ends[1]);
    remove_when_alone(ends[0], path_);
  }
  close(ends[0]);
  alive_ = ends[1];
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (alive_ >= 0) close(alive_);
  if (guard_ > 0) waitpid(guard_, nullptr, 0);
}

}  // namespace cardan
