// When the equations of a step's derivative are solved: for newmark_tangent.cpp and step_increments.cpp.
#pragma once

namespace cardan::tangents {

/// What may be left of an increment of a derivative, relative to those of accelerations and of positions; no less than
/// rounding of the coordinates.
inline constexpr double kOfAcceleration = 3e-8, kOfPosition = 1e-13, kRounding = 5e-16;
/// Increments that have ceased to shrink are rounding, if they are below this part of the positions' derivative and of
/// the coordinates' scales: a derivative below, as of what does not depend on the parameter, is not told from none.
inline constexpr double kStandstill = 1e-6, kOfScale = 1e-6;
inline constexpr int kIterations = 25;
inline constexpr int kForetold = 8;             // increments between two evaluations
inline constexpr double kFading = 0.7;          // of the rate in every step
inline constexpr double kMargin = 3;            // of the rate
inline constexpr int kForgotten = 8;            // a rate, after so many steps
inline constexpr double kOfRates = 1e-10;       // what projections leave of the rates of constraints
inline constexpr double kOfMultipliers = 1e-4;  // of projections, which are small themselves
inline constexpr int kPasses = 6;               // of a projection
inline constexpr int kPairs = 16;               // most that are kept
inline constexpr double kWorthKeeping = 30;     // an increment that tells more than rounding, in what is rounding
/// Part of a derivative of positions that matters to those of rates and of inertias.
inline constexpr double kFar = 1e-8;

}  // namespace cardan::tangents
