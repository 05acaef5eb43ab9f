// What the studies of the vehicle have in common: how they run it, and how they write numbers, tables and plots of it.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "studies/iltis/vehicle_run.hpp"
#include "studies/study.hpp"

namespace cardan {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kDegrees = 57.29577951308232;

Mechanism iltis();
RunOptions vehicle_options(const Mechanism& mechanism, const std::string& formulation, const std::string& integrator,
                           double step);
/// Runs it, or says why it was refused before the first step.
VehicleRun attempt(const Mechanism& mechanism, const RunOptions& options, int repetitions);

/// "good", "off", or "failed" with a line below the table.
std::string verdict(const VehicleRun& run, const ChassisMotion& reference, ResultTable& table);
/// What a good step is.
std::string reference_text();

ResultTable::Format seconds();       // "3.21 ms", "1.2 s"
ResultTable::Format step_or_none();  // "none" for 0
ResultTable::Format counted();       // nothing for what was not counted
ResultTable::Format millimetres();
ResultTable::Format degrees();

/// Height and pitch of the chassis over time.
void plot_motions(const StudyContext& context, const std::vector<std::pair<std::string, const VehicleRun*>>& runs);
void animate_vehicle(StudyContext& context, const Mechanism& mechanism, const RunOptions& options,
                     const std::string& flags = "");

}  // namespace cardan
