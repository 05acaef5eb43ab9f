// Checks of the mechanism as a whole; those of a single element are where it is resolved. What needs the equations of
// motion (does it assemble, do drivers fight through the linkage) belongs to the assembly analysis.
#pragma once

#include "cardan/mechanism.hpp"
#include "mechanism/problems.hpp"

namespace cardan {

/// Every body hangs on ground by a chain of joints. Distance links do not count: they leave a body without coordinates.
void check_attachment(const Mechanism& mechanism, Problems& problems);

/// No two drivers on one coordinate or one pair of points, none against an initial value of its joint.
void check_drivers(const Mechanism& mechanism, Problems& problems);

/// Warns of a model whose numbers look like millimetres.
void check_units(const Mechanism& mechanism, Problems& problems);

/// Of a road: x falls from one point to the next.
void report_backward_profile(Problems& problems, const SourceLocation& where, const std::string& element, double from,
                             double to);

}  // namespace cardan
