// The motion that `cardan tune` measures against: refined until it stands still far below the wanted error.
#pragma once

#include <memory>
#include <string>

#include "reference_motion.hpp"
#include "tuning.hpp"

namespace cardan {

struct TuningReference {
  std::unique_ptr<ReferenceMotion> motion;
  std::string name;    // "hybrid, dopri5, tolerances 1e-8"
  double error = 0;    // its distance from the one before it, which was coarser
  double spacing = 0;  // s between samples of a run that is measured against it
};

/// Tried in turn: dopri5 with tighter and tighter tolerances, radau5 and the trapezoidal rule with shorter and shorter
/// steps, on hybrid and then on global, until one agrees with its predecessor to a tenth of the wanted error. Throws
/// std::invalid_argument with what was tried when none does.
TuningReference make_tuning_reference(const Mechanism& mechanism, const TuningPlan& plan);

}  // namespace cardan
