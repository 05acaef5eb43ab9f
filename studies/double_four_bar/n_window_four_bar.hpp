// The N-window four-bar: N + 1 upright rods pinned to ground at unit distance, their tops joined by N couplers. All
// links are 1 m and 1 kg. N = 2 is the double four-bar of the study. With all rods parallel it has one degree of
// freedom and a closed-form motion; when they lie flat, every rod could leave the others, which is what makes it a
// test.
#pragma once

#include "cardan/mechanism.hpp"

namespace cardan {

/// Starts upright, the rods turning at -1 rad/s (clockwise), gravity 9.81 m/s^2 downwards. Bodies rod0 ... rodN (rod0
/// is the crank) and coupler1 ... couplerN; joints ground0 ... groundN, and at the top of rod i left<i> to the coupler
/// on its left and right<i> to the one on its right.
Mechanism n_window_four_bar(int windows);

/// The angle of all rods at time t from the upright, clockwise, radians: phi'' = k sin(phi), phi(0) = 0, phi'(0) = 1,
/// k = g ((N+1)/2 + N) / ((N+1)/3 + N). Runge-Kutta of order 4 with steps of 1e-4 s, which is exact to about 1e-12.
double n_window_closed_form(int windows, double time);

/// The rods' potential energy upright minus hanging, J: the range in which energy goes to and fro.
double n_window_energy_range(int windows);

}  // namespace cardan
