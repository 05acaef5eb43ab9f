// Runs independent jobs on several threads. Each job writes to a place of its own, so the result does not depend on the
// order in which they happen to finish.
#pragma once

#include <cstddef>
#include <functional>

namespace cardan {

/// job(0) ... job(count - 1), each once. The first exception ends the rest and is thrown again here.
void for_each_index(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job);

}  // namespace cardan
