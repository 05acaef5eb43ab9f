// A formulation that finds what the equations of motion are off by in one sweep over the bodies, without making M and
// the tangents of the loads: for iterations that keep a tangent made before.
#pragma once

#include "formulation/formulation.hpp"

namespace cardan {

class SweptForces {
 public:
  virtual ~SweptForces() = default;
  /// Q - M a after position() and velocity(). What dynamics() wrote into the equations stays as it is.
  virtual void sweep(const VecX& a, Workspace& work, VecX& result) const = 0;
  /// Those of a formulation, or null where it has none.
  static const SweptForces* of(const Formulation& formulation) {
    const auto* swept = dynamic_cast<const SweptForces*>(&formulation);
    return swept && swept->sweeps() ? swept : nullptr;
  }

 protected:
  /// Whether what it is built on does.
  virtual bool sweeps() const { return true; }
};

}  // namespace cardan
