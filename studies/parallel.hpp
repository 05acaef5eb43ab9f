// Runs independent jobs on several threads. Each job writes to a place of its own, so the result does not depend on the
// order in which they happen to finish.
#pragma once

#include <cstddef>
#include <functional>

namespace cardan {

/// job(0) ... job(count - 1), each once. The first exception ends the rest and is thrown again here. `progress` is
/// called after each job with the number done so far, from the thread that did it.
void for_each_index(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job,
                    const std::function<void(std::size_t)>& progress = {});

}  // namespace cardan
