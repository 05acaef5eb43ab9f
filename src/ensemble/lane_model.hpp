// Four instances of a mechanism, compiled one by one into relative coordinates, side by side.
#pragma once

#include <array>

#include "ensemble/lanes.hpp"
#include "formulation/relative/relative_formulation.hpp"
#include "integration/newmark.hpp"

namespace cardan {

/// One that is compiled and started.
template <int D>
struct LaneInstance {
  const RelativeFormulation<D>* formulation = nullptr;
  VecX effective_mass;                      // of the constraints
  const ConstraintRows<D>* held = nullptr;  // where joints have taken hold under way
  bool keeps_tangent = false;               // by itself it may: see NewmarkIntegrator::keeps_tangent()
};
template <int D>
using LaneInstances = std::array<LaneInstance<D>, kLanes>;

/// Why it cannot step in lanes, by name; empty where it can. `within_a_run`: of one that passes events and takes inputs
/// otherwise.
template <int D>
std::string not_in_lanes(const RelativeFormulation<D>& formulation, bool within_a_run = false);

/// Throws std::invalid_argument where they differ by more than numbers.
template <int D>
LaneModel<D> make_lane_model(const LaneInstances<D>& instances);

/// Laws and the ends of iterations of the instances.
template <int D>
class InstanceLaws final : public LaneLaws {
 public:
  InstanceLaws(const LaneInstances<D>& instances, const NewmarkSettings& settings);
  /// Before a step.
  void begin_step() { progress_ = {}; }

  void load(int index, unsigned which, const Lanes& elongation, const Lanes& rate, Lanes& force, Lanes& stiffness,
            Lanes& damping) const override;
  void tyre(int index, unsigned which, const Lanes* center, const Lanes* axle, const Lanes* velocity, Lanes* force,
            Lanes* moment, Lanes* rows) const override;
  void judge(int count, unsigned which, const Lanes& increment, const Lanes& rounding) override;
  unsigned ended(int count, unsigned which, const Lanes& phi) override;
  unsigned keep_tangent(int count, unsigned which) const override;

 private:
  std::array<const BodyModel<D>*, kLanes> models_;
  std::optional<double> tolerance_;
  int budget_;
  std::array<bool, kLanes> keeps_tangent_;
  std::array<NewtonProgress, kLanes> progress_{};
};

}  // namespace cardan
