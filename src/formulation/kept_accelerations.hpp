// A formulation whose bodies keep their accelerations where a step ends, so that nobody needs to find them again.
#pragma once

#include "formulation/formulation.hpp"

namespace cardan {

class KeptAccelerations {
 public:
  virtual ~KeptAccelerations() = default;
  /// Whether the bodies have the accelerations of the state that was accepted last, and nothing was evaluated since.
  virtual bool has_accelerations(const Workspace& work) const = 0;
};

}  // namespace cardan
