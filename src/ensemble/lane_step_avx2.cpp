// The steps of ensembles for processors with AVX2; this file alone is compiled for them.
#define CARDAN_LANES lanes_avx2
#include "ensemble/lane_step.hpp"

namespace cardan {

LaneSteps avx2_lane_steps() { return {&lanes_avx2::step<2>, &lanes_avx2::step<3>, "avx2"}; }

}  // namespace cardan
