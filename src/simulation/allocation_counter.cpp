#include "simulation/allocation_counter.hpp"

namespace cardan {

std::uint64_t (*allocation_counter)() = nullptr;
std::uint64_t (*lock_counter)() = nullptr;

}  // namespace cardan
