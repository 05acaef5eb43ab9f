// Derivatives of steps for any processor.
#define CARDAN_LANES lanes_dual_plain
#define CARDAN_DUAL
#include "gradients/dual_step_lanes.hpp"

namespace cardan {

DualFunctions<2> plain_dual_in_plane() { return lanes_dual_plain::functions<2>(); }
DualFunctions<3> plain_dual_in_space() { return lanes_dual_plain::functions<3>(); }

}  // namespace cardan
