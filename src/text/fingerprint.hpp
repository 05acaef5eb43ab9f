// FNV-1a of 64 bits: tells that something is another, and is no seal.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace cardan {

class Fingerprint {
 public:
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }
  /// Bit for bit, but zeros have no sign and all that is not a number is the same.
  void add(double number) {
    std::uint64_t bits = number != number ? ~0ULL : std::bit_cast<std::uint64_t>(number + 0.0);
    for (int i = 0; i < 8; ++i, bits >>= 8) add_byte(static_cast<unsigned char>(bits & 0xff));
  }
  std::uint64_t sum() const { return sum_; }

 private:
  void add_byte(unsigned char byte) { sum_ = (sum_ ^ byte) * 0x100000001b3; }
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

}  // namespace cardan
