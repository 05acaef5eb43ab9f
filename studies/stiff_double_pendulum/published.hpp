// What variable-step-implicit-1997 says of the stiff double pendulum. Its figures did not survive as numbers.
#pragma once

#include <string_view>

namespace cardan {

inline constexpr double kPublishedExplicitStep[2] = {1.2e-4, 3e-5};   // s, largest stable, set 1 and set 2
inline constexpr double kPublishedImplicitStep[2] = {0.025, 0.0012};  // s, largest that converged
/// Of the variable over the constant implicit step: set 1 over the errors of engineering, 1e-5 to 1e-2, set 2 from 1e-3
/// to 1e-2.
inline constexpr std::string_view kPublishedSpeedup[2] = {"25", "3 to 4"};

inline constexpr std::string_view kPublishedOrder =
    "published: for small steps the error of both integrators varies with the square of the step";
inline constexpr std::string_view kPublishedControl =
    "published: positions meet the tolerance over a large range; velocities too from 1e-5 to 1e-2";
inline constexpr std::string_view kPublishedWork1 =
    "published: the variable step is about 25 times faster than the constant one at equal velocity error";
inline constexpr std::string_view kPublishedWork2 =
    "published: 3 to 4 times from 1e-3 to 1e-2; between 1e-6 and 1e-5 the constant step wins on errors at the end, "
    "because the "
    "extreme accelerations of the start fade in less than 1e-3 s and their errors with them; on largest errors it "
    "would not";
inline constexpr std::string_view kPublishedImprovement =
    "published conclusion: a higher-order pair for tight tolerances, a quasi-Newton method for speed (both here: "
    "sdirk4, kept "
    "Jacobians)";

}  // namespace cardan
