// What was published of the Iltis: Cuadrado, Dopico, Gonzalez, Naya, "A combined penalty and semi-recursive real-time
// formulation for multibody dynamics" (2003/2004), tables 2 and 4; Dopico, Lugris, Gonzalez, Cuadrado, "On the aptitude
// of IRK integrators for the real-time dynamics of multibody systems" (2005), table 2. Times are of an Athlon XP at 1.4
// GHz (the suspension's: Matlab).
#pragma once

#include <algorithm>
#include <string_view>

namespace cardan {

struct PublishedVehicleRow {
  const char* method;
  const char* formulation;  // ours
  const char* integrator;
  double step_1, time_1;  // s
  double step_2, time_2;  // s: the largest good step
  double real_time_factor_2;
};

inline constexpr PublishedVehicleRow kPublishedVehicle[] = {
    {"global", "global", "trapezoidal", 0.01, 5.41, 0.0175, 3.80, 2.11},
    {"topological semi-recursive", "topological", "trapezoidal", 0.01, 0.74, 0.025, 0.47, 17.02},
    {"hybrid", "hybrid", "trapezoidal", 0.01, 0.72, 0.035, 0.38, 21.05},
    {"topological fully recursive", "recursive", "trapezoidal", 0.01, 3.06, 0.0075, 2.30, 3.48},
};
inline constexpr double kPublishedCommercialTime = 7.62, kPublishedCommercialFactor = 1.05;

struct PublishedSdirkRow {
  const char* formulation;
  const char* integrator;
  double step;  // s
  double time;  // s; 0: fails
  int iterations;
};

inline constexpr PublishedSdirkRow kPublishedSdirk[] = {
    {"global", "sdirk3", 0.0001, 6705.13, 427199},
    {"global", "sdirk3", 0.001, 0, 0},
    {"global", "sdirk3", 0.01, 0, 0},
    {"global", "trapezoidal", 0.001, 133.48, 57832},
    {"global", "trapezoidal", 0.01, 5.39, 1909},
    {"global", "trapezoidal", 0.0175, 3.82, 1462},
    {"topological", "sdirk3", 0.001, 15.54, 15492},
    {"topological", "sdirk3", 0.01, 4.39, 4748},
    {"topological", "trapezoidal", 0.001, 4.11, 8796},
    {"topological", "trapezoidal", 0.01, 0.92, 1876},
    {"topological", "trapezoidal", 0.025, 0.72, 1468},
    {"hybrid", "sdirk3", 0.001, 16.35, 11538},
    {"hybrid", "sdirk3", 0.0075, 4.33, 3835},
    {"hybrid", "sdirk3", 0.01, 0, 0},
    {"hybrid", "trapezoidal", 0.001, 5.75, 9238},
    {"hybrid", "trapezoidal", 0.01, 1.02, 1839},
    {"hybrid", "trapezoidal", 0.035, 0.57, 1003},
};

/// Time of SDIRK over that of the trapezoidal rule, at a step of that length, or each at its longest (0); 0: it fails.
inline double published_sdirk_ratio(std::string_view formulation, double step) {
  double sdirk = 0, trapezoidal = 0;
  for (const PublishedSdirkRow& row : kPublishedSdirk) {
    if (row.formulation != formulation || row.time == 0 || (step != 0 && row.step != step)) continue;
    // The longest is the cheapest.
    double& time = std::string_view(row.integrator) == "sdirk3" ? sdirk : trapezoidal;
    time = time == 0 ? row.time : std::min(time, row.time);
  }
  return sdirk > 0 && trapezoidal > 0 ? sdirk / trapezoidal : 0;
}

struct PublishedSuspensionRow {
  double step;                                // s
  const char *global, *topological, *hybrid;  // J: lost gravitational energy less what the shock absorber dissipates
};
inline constexpr PublishedSuspensionRow kPublishedSuspension[] = {
    {0.001, "-43.13", "-43.49", "-42.05"},
    {0.01, "-43.45", "-44.06", "-42.80"},
    {0.03, "-57.96", "no convergence", "no convergence"},
};

}  // namespace cardan
