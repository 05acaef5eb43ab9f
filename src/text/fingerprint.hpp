// FNV-1a of 64 bits: tells that something is another, and is no seal.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
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

/// Of whole words, at once: FNV-1a with its upper half folded down, since products carry upwards alone.
inline std::uint64_t sum_of_words(const void* words, std::size_t count) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const unsigned char*>(words) + sizeof word * i, sizeof word);
    sum = (sum ^ word) * 0x100000001b3;
    sum ^= sum >> 32;
  }
  return sum;
}

}  // namespace cardan
