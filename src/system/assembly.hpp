// The initial position and velocity problem: from the drawn configuration to one in which every joint fits, near the
// drawn one and on its branch, and to velocities that respect the joints, the drivers and what the model gives.
#pragma once

#include "formulation/body_model.hpp"

namespace cardan {

template <int D>
struct Assembly {
  BodyKinematics<D> bodies;  // poses and twists at t = 0
  double length = 1;         // size of the mechanism, m
  std::vector<std::string> warnings;
};

struct AssemblyOptions {
  bool initial_positions = true;   // joints start where the model says, not where they stand
  bool dependent_drivers = false;  // several drivers may give the same motion, as long as they agree
  bool warnings = true;            // what is odd but possible is looked for
};

/// From the drawn configuration. Throws ModelError with the joint that does not close, or the initial velocity that
/// contradicts the others.
template <int D>
Assembly<D> assemble(const BodyModel<D>& model, const AssemblyOptions& options = {});
/// From given poses.
template <int D>
Assembly<D> assemble(const BodyModel<D>& model, const BodyKinematics<D>& poses, const AssemblyOptions& options);

}  // namespace cardan
