// Numbers of a mechanism and of its neighbours on both sides, in lanes beside each other: the first, second and third.
#pragma once

#include "ensemble/lane_model.hpp"
#include "ensemble/lane_time.hpp"

namespace cardan {

template <int D>
LaneModel<D> side_by_side(const Phase& middle, const Phase& plus, const Phase& minus) {
  LaneInstances<D> instances;
  const Phase* phases[kLanes] = {&middle, &plus, &minus, &middle};
  std::vector<ConstraintRows<D>> held;
  held.reserve(kLanes);
  for (int lane = 0; lane < kLanes; ++lane) {
    const RelativeFormulation<D>* formulation = relative_formulation<D>(*phases[lane]);
    held.push_back(formulation->constraints());
    held.back().hold(phases[lane]->state.attached);
    instances[lane] = {formulation, phases[lane]->integrator->constraints().effective_mass, &held.back()};
  }
  return make_lane_model<D>(instances);
}

/// Moments of inertia as they are: in the parts that LaneBody keeps they need not be differentiable.
template <int D>
LaneArray inertias_side_by_side(const Phase& middle, const Phase& plus, const Phase& minus) {
  LaneArray result;
  const Phase* phases[kLanes] = {&middle, &plus, &minus, &middle};
  for (int b = 0; b < relative_formulation<D>(middle)->model().bodies(); ++b)
    for (int j = 0; j < (D == 2 ? 1 : 3); ++j)
      for (int i = j; i < (D == 2 ? 1 : 3); ++i) {
        Lanes& entry = result.emplace_back();
        for (int lane = 0; lane < kLanes; ++lane)
          entry.of[lane] = relative_formulation<D>(*phases[lane])->model().inertias()[b].inertia(i, j);
      }
  return result;
}

}  // namespace cardan
