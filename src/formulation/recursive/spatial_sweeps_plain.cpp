// The sweeps over spatial trees for any processor.
#define CARDAN_SWEEPS sweeps_plain
#include "formulation/recursive/spatial_sweeps.hpp"

namespace cardan {

SpatialSweeps plain_spatial_sweeps() {
  using namespace sweeps_plain;
  return {&position, &velocity, &gather, &spread, &respond};
}

}  // namespace cardan
