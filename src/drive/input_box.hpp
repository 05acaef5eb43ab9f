// Inputs from people, files and wires, set by any thread; the stepping thread takes the newest ones between steps, all
// of one moment together, and waits for nobody.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "drive/triple_buffer.hpp"

namespace cardan {

class InputBox {
 public:
  explicit InputBox(const std::vector<double>& start) : newest_{start, 0}, given_(newest_) {}

  std::size_t size() const { return newest_.values.size(); }
  /// `stamp` comes back with the first frame that has felt the value: see DriveFrame.
  void set(std::size_t input, double value, std::uint64_t stamp = 0) {
    const std::lock_guard lock(setting_);
    newest_.values[input] = value;
    publish(stamp);
  }
  struct Change {
    std::size_t input;
    double value;
  };
  /// All of them at one moment.
  void set(std::span<const Change> changes, std::uint64_t stamp = 0) {
    const std::lock_guard lock(setting_);
    for (const Change& change : changes) newest_.values[change.input] = change.value;
    publish(stamp);
  }
  /// As many as there are inputs, or fewer: the rest stays.
  void set(std::span<const double> values, std::uint64_t stamp = 0) {
    const std::lock_guard lock(setting_);
    for (std::size_t i = 0; i < values.size() && i < size(); ++i) newest_.values[i] = values[i];
    publish(stamp);
  }

  /// Of the stepping thread.
  bool take() { return given_.take(); }
  const std::vector<double>& values() const { return given_.value().values; }
  std::uint64_t stamp() const { return given_.value().stamp; }

 private:
  struct Given {
    std::vector<double> values;
    std::uint64_t stamp = 0;
  };
  void publish(std::uint64_t stamp) {
    if (stamp != 0) newest_.stamp = stamp;
    given_.room() = newest_;  // of the same size: no memory is asked for
    given_.publish();
  }

  std::mutex setting_;
  Given newest_;
  TripleBuffer<Given> given_;
};

}  // namespace cardan
