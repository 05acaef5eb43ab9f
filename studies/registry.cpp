#include "studies/double_four_bar/double_four_bar.hpp"
#include "studies/iltis/iltis_vehicle.hpp"
#include "studies/stiff_double_pendulum/stiff_double_pendulum.hpp"
#include "studies/stiff_stop/stiff_stop.hpp"
#include "studies/study.hpp"

namespace cardan {

std::span<const Study> studies() {
  static constexpr Study all[] = {
      {"double-four-bar", "one-degree-of-freedom linkage through ten singular positions: energy, angle, robustness",
       run_double_four_bar_study},
      {"stiff-double-pendulum", "error and work of explicit and implicit integration, constant and variable steps",
       run_stiff_double_pendulum_study},
      {"stiff-stop", "a four-bar against a stop 500 times stiffer: variable step and variable penalty",
       run_stiff_stop_study},
      {"iltis-vehicle", "a whole vehicle over a ramp and stairs: all formulations, largest good steps, times",
       run_iltis_vehicle_study},
      {"iltis-sdirk", "the vehicle with implicit Runge-Kutta against the trapezoidal rule", run_iltis_sdirk_study},
      {"iltis-structural", "the vehicle with trapezoidal, Newmark, HHT and generalized-alpha",
       run_iltis_structural_study},
  };
  return all;
}

}  // namespace cardan
