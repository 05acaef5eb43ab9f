// A slender rod that ball joints on its axis leave free to spin about it: it has no inertia of its own there, and gets
// one that its motion does not feel as long as no moment acts about the axis. Here is looked for what has such a
// moment.
#pragma once

#include <string>
#include <vector>

#include "cardan/mechanism.hpp"

namespace cardan {

struct SpinningRod {
  int body;
  Vec3 center;    // of mass, drawn configuration
  Vec3 axis;      // unit vector, drawn configuration
  double length;  // m
};

/// Elements and initial velocities that turn it about its axis, as messages name them.
std::vector<std::string> what_turns(const SpinningRod& rod, const Mechanism& mechanism);

}  // namespace cardan
