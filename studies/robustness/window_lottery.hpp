// N windows of a four-bar through ten singular positions, with many steps or tolerances, in formulations that pass
// them: how many runs leave the branch or fail, and how many of those say so.
#pragma once

#include <string>
#include <vector>

#include "studies/study.hpp"

namespace cardan {

inline constexpr int kLotteryWindows[] = {2, 5, 10, 20, 40};
inline constexpr double kFoldedApart = 0.05;  // rad: a coupler that is no longer parallel to ground has left the branch
inline constexpr double kFarOff = 0.3;        // rad: of the crank at the end, by what the rule errs on the way

struct WindowRun {
  int windows = 0;
  std::string formulation, integrator;
  double step = 0;  // s, or the tolerance of dopri5
  double energy_error = 0, angle_error = 0, tilt = 0;
  bool lost = false;  // failed, or a window folded apart
  bool off = false;   // far from the closed form, on its branch or not
  bool said = false;  // failed, or warned of energy or resolution
  std::string reason;
};

/// `draws` of each combination.
std::vector<WindowRun> run_window_lottery(int draws, const StudyContext& context);

}  // namespace cardan
