// The steps of ensembles for any processor.
#define CARDAN_LANES lanes_plain
#include "ensemble/lane_step.hpp"

namespace cardan {

LaneSteps plain_lane_steps() { return {&lanes_plain::step<2>, &lanes_plain::step<3>, "plain"}; }

}  // namespace cardan
