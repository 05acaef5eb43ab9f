// Whether a run survives ten singular positions is a lottery in the step size: each step size falls on them
// differently. So we draw many, and count.
#pragma once

#include <string>
#include <vector>

#include "studies/double_four_bar/linkage_run.hpp"
#include "studies/study.hpp"

namespace cardan {

inline constexpr double kLostAngle = 0.1;           // rad, hybrid: the crank at the end against the closed form
inline constexpr double kLostEnergyFraction = 0.2;  // global: the energy error as a part of the energy range
inline constexpr double kLostTilt = 0.1;            // rad, global: a coupler that is no longer parallel to ground

struct StepRange {
  double first, last;  // s
  bool operator==(const StepRange&) const = default;
};

struct LotteryDraw {
  std::string formulation;
  StepRange range;
  double step = 0;
  LinkageRun run;
  bool lost = false;
};

struct LotteryCount {
  std::string formulation;
  StepRange range;
  int runs = 0, lost = 0;
  std::string lost_steps;
};

/// 100 step sizes in each of two ranges, hybrid and global, all other options default; in that order, whatever the
/// threads.
std::vector<LotteryDraw> run_lottery(const Mechanism& linkage, double closed_form_angle, const StudyContext& context);

/// One for each formulation and range, in the order of the draws.
std::vector<LotteryCount> count_lost(const std::vector<LotteryDraw>& draws);

}  // namespace cardan
