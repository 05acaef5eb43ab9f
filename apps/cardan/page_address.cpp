#include "page_address.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace cardan {

std::string make_token() {
  unsigned char bits[16];
  if (getentropy(bits, sizeof bits) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot make a secret for the address");
  }
  std::string token;
  for (const unsigned char byte : bits) token += fmt::format("{:02x}", byte);
  return token;
}

bool remove_token(std::string_view& path, std::string_view token) {
  const std::string_view given = path.substr(std::min<std::size_t>(1, path.size()), token.size());
  unsigned difference = given.size() == token.size() && path[0] == '/' ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) difference |= static_cast<unsigned char>(given[i] ^ token[i]);
  if (difference != 0 || path.size() <= token.size() + 1 || path[token.size() + 1] != '/') return false;
  path.remove_prefix(token.size() + 1);
  return true;
}

void open_browser(const std::string& address, const std::filesystem::path& private_folder) {
  const bool desktop = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (isatty(STDOUT_FILENO) == 0 || !desktop) return;
  const std::filesystem::path page = private_folder / "open.html";
  std::ofstream(page) << fmt::format(R"(<!doctype html><meta http-equiv="refresh" content="0; url={}">)", address)
                      << '\n';
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  std::string program = "xdg-open", argument = page.string();
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quiet);
}

}  // namespace cardan
