// The derivatives of a step of newmark.hpp along all directions of a run, where the mechanism goes in lanes: the
// equations are those of newmark_tangent.hpp, what they say is differentiated exactly, three directions at a time
// (dual_step.hpp). Laws of loads and of time alone are subtracted on the two sides of a direction. Solves with the
// tangent that the step itself has ended with.
#pragma once

#include <memory>
#include <vector>

#include "gradients/newmark_tangent.hpp"
#include "simulation/phase_set.hpp"

namespace cardan {

class LaneTangent {
 public:
  /// The two sides of a direction; of one side alone the other has the mechanism of the run.
  struct Sides {
    Phase *plus, *minus;
    const Mechanism *of_plus, *of_minus;
    TangentSides which;
  };

  virtual ~LaneTangent() = default;
  /// Null where the mechanism, or a direction, does not go in lanes. All must outlive it.
  static std::unique_ptr<LaneTangent> make(Phase& phase, const Mechanism& mechanism, const std::vector<Sides>& sides);

  /// After a step: takes the states of all sides from its start to its end. Where it fails, `direction` says which.
  virtual StepStatus step(std::size_t& direction) = 0;
};

}  // namespace cardan
