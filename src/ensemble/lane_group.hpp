// Up to four instances that step together.
#pragma once

#include <memory>
#include <span>

#include "ensemble/lanes.hpp"
#include "simulation/phase_set.hpp"

namespace cardan {

class LaneGroup {
 public:
  virtual ~LaneGroup() = default;
  /// Of the instances in `which`; answers those that have made it, and adds up their iterations.
  virtual unsigned step(double h, unsigned which, long* iterations) = 0;
  /// Between the states of the phases and the lanes.
  virtual void take(int lane) = 0;
  virtual void give(int lane) = 0;
  virtual double time(int lane) const = 0;
};

/// Why a mechanism in this phase cannot go in lanes; empty when it can. `within_a_run`: see lane_model.hpp.
std::string not_in_lanes(const Phase& phase, bool planar, bool within_a_run = false);
/// Phases outlive it. Throws std::invalid_argument where they differ by more than numbers.
std::unique_ptr<LaneGroup> make_lane_group(std::span<Phase* const> phases, const Mechanism* const* mechanisms,
                                           const RunOptions& options);

}  // namespace cardan
