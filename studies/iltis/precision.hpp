// Precision against work on the vehicle: the error of every method with many steps or tolerances over what they cost.
// Single steps say little, since an edge of the stairs falls into the steps of one length otherwise than into those of
// the next; methods are ranked by what it costs to stay within an error with that setting and with all finer ones.
#pragma once

#include "studies/iltis/vehicle_tables.hpp"

namespace cardan {

/// Writes precision.csv and ranking.csv, and adds tables and a plot to the report.
void precision_against_work(StudyContext& context, const Mechanism& mechanism);

}  // namespace cardan
