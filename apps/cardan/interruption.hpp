// Ctrl-C and SIGTERM for commands that end at their next step with what they have.
#pragma once

#include <atomic>
#include <stdexcept>

namespace cardan {

/// Takes the two signals while it lives. The first one of a kind asks the command to end; the second ends the program.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Becomes true with the first signal.
  static const std::atomic<bool>& requested();
};

/// Thrown where a command ends early that has no other way out.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace cardan
