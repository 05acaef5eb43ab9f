// Where a program that replaces malloc (apps/allocation_counter) tells runs of it; no part of the public interface.
#pragma once

#include <cstdint>

namespace cardan {

/// Counts this thread's heap allocations so far; null in other programs.
extern std::uint64_t (*allocation_counter)();

}  // namespace cardan
