// The digging cycle of models/excavator.yaml: what the levers do, and the balance of energy over it.
#pragma once

#include <string>
#include <vector>

#include "cardan/simulation.hpp"

namespace cardan {

/// The machine with the levers' programs in its inputs.
Mechanism digging_machine();

/// J, from the start to the end.
struct DiggingEnergy {
  double pump = 0;       // given, by the flow of the pump
  double machine = 0;    // gained by the bodies
  double digging = 0;    // left in the soil
  double valves = 0;     // throttled, and returned to the tank under pressure
  double relief = 0;     // over the relief valve and by leakage of the pump
  double cylinders = 0;  // friction, leakage, stops of cylinders and of the swing motor
  double fluid = 0;      // stored, less what swept fluid brought along
  double given() const { return pump; }
  /// What cannot be accounted for.
  double error() const { return given() - machine - digging - valves - relief - cylinders - fluid; }
};

struct DiggingRun {
  RunSummary summary;
  DiggingEnergy energy;
  std::vector<Vec3> tip;         // of the bucket, every kDiggingSampling
  std::vector<double> last;      // row of columns at the end
  double largest_pressure = 0;   // Pa, of all chambers and the line
  double smallest_pressure = 0;  // Pa
  double largest_power = 0;      // W, of the pump
  double deepest = 0;            // m, of the tip below ground
  double swing_work = 0;         // J, by the swing motor on the house
};

constexpr double kDiggingTime = 12, kDiggingSampling = 0.02;  // s

DiggingRun dig(const Mechanism& machine, const std::string& formulation, double step,
               const std::string& integrator = "trapezoidal");

/// Largest distance between the paths of the tip, m.
double path_difference(const DiggingRun& one, const DiggingRun& two);

}  // namespace cardan
