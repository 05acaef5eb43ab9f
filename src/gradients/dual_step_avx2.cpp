// Derivatives of steps for processors with AVX2; this file alone is compiled for them.
#define CARDAN_LANES lanes_dual_avx2
#define CARDAN_DUAL
#include "gradients/dual_step_lanes.hpp"

namespace cardan {

DualFunctions<2> avx2_dual_in_plane() { return lanes_dual_avx2::functions<2>(); }
DualFunctions<3> avx2_dual_in_space() { return lanes_dual_avx2::functions<3>(); }

}  // namespace cardan
