// The one-screen table of `cardan compare`: a line for each formulation and integrator, failures explained below it.
#pragma once

#include <string>

#include "comparison.hpp"
#include "io/text_table.hpp"

namespace cardan {

inline constexpr std::size_t kScreenWidth = 110;  // of its lines, in characters

struct ComparisonTable {
  TextTable table;
  std::string failures;  // "[n] cause" and what to do about it, in lines of the screen's width
};

/// For each line the cost of the cheapest run whose error is at most `accuracy`, else of the most accurate one.
ComparisonTable comparison_table(const Comparison& comparison, const ComparisonPlan& plan, double accuracy);

/// "4.2e-4", "-1.7e-2", "29", "0.3": so many digits in as few characters as they take.
std::string brief(double value, int digits = 2);
/// "0.52", "61", "9.3k", "1.2M"
std::string thousands(double value);

}  // namespace cardan
