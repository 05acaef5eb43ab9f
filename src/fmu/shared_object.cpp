#include "fmu/shared_object.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cardan {
namespace {

template <class T>
T at(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

std::string why_no_shared_object(std::string_view bytes) {
  const std::string no_object = "is no shared object for x86-64 Linux";
  if (bytes.size() < sizeof(Elf64_Ehdr) || bytes.substr(0, SELFMAG) != ELFMAG) return no_object;
  const auto head = at<Elf64_Ehdr>(bytes, 0);
  if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != EM_X86_64 || head.e_type != ET_DYN) return no_object;
  // Sections come last in what linkers write; segments are what a loader maps.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  std::uint64_t end = std::min<std::uint64_t>(head.e_shoff, kMost) + std::uint64_t{head.e_shnum} * head.e_shentsize;
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    const std::uint64_t place = std::min<std::uint64_t>(head.e_phoff, kMost) + i * sizeof(Elf64_Phdr);
    if (head.e_phentsize != sizeof(Elf64_Phdr) || place + sizeof(Elf64_Phdr) > bytes.size()) {
      end = std::max<std::uint64_t>(end, place + sizeof(Elf64_Phdr));
      break;
    }
    const auto segment = at<Elf64_Phdr>(bytes, place);
    end = std::max(end,
                   std::min<std::uint64_t>(segment.p_offset, kMost) + std::min<std::uint64_t>(segment.p_filesz, kMost));
  }
  if (end <= bytes.size()) return "";
  return fmt::format("is cut short: {} bytes are there of {}", bytes.size(), end);
}

}  // namespace cardan
