// Which options a step depends on, as one number.
#pragma once

#include "cardan/run_options.hpp"

namespace cardan {

/// The same for the same options, but for where a run ends and what it writes. Whole below 2^52, so that it is exact as
/// a double.
double options_sum(const RunOptions& options);

}  // namespace cardan
