// The sweeps over spatial trees for processors with AVX2; this file alone is compiled for them.
#define CARDAN_SWEEPS sweeps_avx2
#include "formulation/recursive/spatial_sweeps.hpp"

namespace cardan {

SpatialSweeps avx2_spatial_sweeps() {
  using namespace sweeps_avx2;
  return {&position, &velocity, &gather, &spread, &respond};
}

}  // namespace cardan
