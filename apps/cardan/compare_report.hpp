// compare.html: the table of `cardan compare`, every run, error against work and step, failures with their reasons, and
// the animation of a good run beside the worst one.
#pragma once

#include <filesystem>

#include "commands.hpp"
#include "compare_table.hpp"

namespace cardan {

/// Writes compare.csv and, when the program has the viewer in it, compare.html. Returns what was written, as a
/// sentence.
std::string write_comparison(const std::filesystem::path& folder, const Mechanism& mechanism,
                             const CompareRequest& request, const ComparisonPlan& plan, const Comparison& comparison,
                             const ComparisonTable& table, const std::string& text);

}  // namespace cardan
