// What a plan of `cardan optimize` comes to: the best design, or the front between two objectives.
#pragma once

#include <functional>

#include "optimize/design_plan.hpp"
#include "optimize/minimizer.hpp"

namespace cardan {

struct OptimizedDesign {
  std::string title;  // of a point of a front: which
  Minimum minimum;
  VecX objectives;  // one, or two of a front
  VecX measures;
  int runs = 0;  // with derivatives
};

struct OptimizationResult {
  double start = 0;                      // the first objective there
  std::string gradient;                  // how gradients were found, and why
  std::vector<OptimizedDesign> designs;  // one, or those of the front in its order
};

/// `told` after every iteration, with the title of the design; it may end all by answering false.
OptimizationResult optimize(const OptimizePlan& plan,
                            const std::function<bool(const std::string&, const MinimizerIteration&)>& told = {});

}  // namespace cardan
