// Where a program that replaces malloc and locks (apps/allocation_counter) tells runs of it; no part of the public
// interface.
#pragma once

#include <cstdint>

namespace cardan {

/// Counts this thread's heap allocations so far; null in other programs.
extern std::uint64_t (*allocation_counter)();
/// Counts this thread's locks so far, whether it had to wait for them or not; null in other programs.
extern std::uint64_t (*lock_counter)();

}  // namespace cardan
