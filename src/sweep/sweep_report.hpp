// One page of a sweep: what came out, how each measure depends on what varies, how it is distributed, and the worst
// cases with the commands that show them.
#pragma once

#include <filesystem>
#include <string>

#include "sweep/plan.hpp"
#include "sweep/sweep_folder.hpp"
#include "sweep/sweep_table.hpp"

namespace cardan {

/// From the table that the folder holds. Throws as write_report().
void write_sweep_report(const std::filesystem::path& file, const SweepPlan& plan, const SweepFolder& folder,
                        const SweepResult& result, const std::string& command);

}  // namespace cardan
