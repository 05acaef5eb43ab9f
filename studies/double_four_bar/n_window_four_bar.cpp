#include "studies/double_four_bar/n_window_four_bar.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "cardan/builder.hpp"

namespace cardan {
namespace {

constexpr double kGravity = 9.81;   // m/s^2
constexpr double kInitialRate = 1;  // rad/s, clockwise
constexpr double kClosedFormStep = 1e-4;

std::string numbered(const char* name, int i) { return name + std::to_string(i); }

}  // namespace

Mechanism n_window_four_bar(int windows) {
  if (windows < 1) throw std::invalid_argument("a four-bar needs at least one window");
  MechanismBuilder builder(windows == 2 ? "double-four-bar" : numbered("four-bar-", windows));
  builder.planar().gravity({0, -kGravity, 0});
  for (int i = 0; i <= windows; ++i) {
    const Place foot(i, 0), top(i, 1);
    builder.rod(numbered("rod", i), foot, top, 1);
    builder.revolute(numbered("ground", i), "ground", numbered("rod", i), foot);
    if (i == 0) continue;
    builder.rod(numbered("coupler", i), Place(i - 1, 1), top, 1);
    builder.revolute(numbered("right", i - 1), numbered("rod", i - 1), numbered("coupler", i), Place(i - 1, 1));
    builder.revolute(numbered("left", i), numbered("coupler", i), numbered("rod", i), top);
  }
  builder.angular_velocity("rod0", {0, 0, -kInitialRate});
  return builder.build();
}

double n_window_closed_form(int windows, double time) {
  const double rods = windows + 1, couplers = windows;
  const double k = kGravity * (rods / 2 + couplers) / (rods / 3 + couplers);
  const int steps = std::max(1, static_cast<int>(std::ceil(time / kClosedFormStep)));
  const double h = time / steps;
  double phi = 0, rate = kInitialRate;
  for (int i = 0; i < steps; ++i) {
    const double v1 = rate, a1 = k * std::sin(phi);
    const double v2 = rate + h / 2 * a1, a2 = k * std::sin(phi + h / 2 * v1);
    const double v3 = rate + h / 2 * a2, a3 = k * std::sin(phi + h / 2 * v2);
    const double v4 = rate + h * a3, a4 = k * std::sin(phi + h * v3);
    phi += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return phi;
}

double n_window_energy_range(int windows) { return 2 * kGravity * ((windows + 1) / 2.0 + windows); }

}  // namespace cardan
