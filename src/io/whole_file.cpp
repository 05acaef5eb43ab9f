#include "io/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace cardan {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(int error, const fs::path& file) {
  throw std::system_error(error, std::generic_category(), "cannot write " + file.string());
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// Writes and closes; 0 or why not.
int write_and_close(int descriptor, std::string_view text) {
  const int error = write_all(descriptor, text) ? 0 : errno;
  return ::close(descriptor) != 0 && error == 0 ? errno : error;
}

/// Where links lead: these stay what they are.
fs::path target_of(const fs::path& file) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(file, error);
  return error ? file : target;
}

}  // namespace

void write_whole(const fs::path& file, std::string_view text) {
  const fs::path target = target_of(file);
  struct stat info {};
  if (::stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    const int descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = descriptor < 0 ? errno : write_and_close(descriptor, text);
    if (error != 0) refuse(error, file);
    return;
  }
  const fs::path partial = target.string() + ".part-" + std::to_string(getpid());
  const int descriptor = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse(errno, file);
  int error = write_and_close(descriptor, text);
  if (error == 0 && ::rename(partial.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(partial.c_str());
  refuse(error, file);
}

void prepare_for_writing(const fs::path& file) {
  const fs::path target = target_of(file), above = fs::absolute(target).parent_path();
  std::error_code error;
  fs::create_directories(above, error);
  if (error) throw std::system_error(error, "cannot create the folder " + above.string());
  if (fs::is_directory(target, error)) refuse(EISDIR, file);
  const bool there = fs::exists(target, error);
  if (::access((there ? target : above).c_str(), W_OK) != 0) refuse(errno, file);
}

}  // namespace cardan
