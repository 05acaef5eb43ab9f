// A folder for files that nobody needs once the program has ended, however it ends.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace cardan {

/// Readable by its owner alone. A second process waits for the end of this one and removes the folder, so that nothing
/// is left of a program that was killed. To be made before any thread is started.
class TemporaryFolder {
 public:
  /// Throws std::system_error.
  TemporaryFolder();
  /// Removed with everything in it.
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int alive_ = -1;  // a pipe's end, which closes with this process
  pid_t guard_ = -1;
};

}  // namespace cardan
