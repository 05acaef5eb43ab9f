// What the tests of events share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"
#include "last_sample.hpp"

namespace cardan::events {

inline constexpr const char* kFormulations[] = {"global", "topological", "hybrid", "recursive", "cartesian"};

/// Step by step up to a time, events at its end not passed.
inline void go_to(Simulation& simulation, double time, double step) {
  while (time - simulation.time() > 1e-9) {
    ASSERT_EQ(simulation.step_to_event(std::min(step, time - simulation.time())), StepStatus::ok) << simulation.time();
  }
}

inline constexpr double kMass = 2, kLength = 1.2, kInertia = kMass * kLength * kLength / 12;

/// A rod that flies and turns without gravity and is caught at a point near its end.
inline Mechanism caught_rod(double time, double let_go = 0) {
  MechanismBuilder b("caught rod");
  b.planar().gravity({0, 0, 0});
  b.rod("rod", Place(0, 0), Place(kLength, 0), kMass);
  b.free("air", "ground", "rod");
  b.revolute("peg", "ground", "rod", Place(1.1, 0));
  b.velocity("rod", {0.3, 0.7, 0}).angular_velocity("rod", {0, 0, 2});
  b.attach("catch", time, "peg");
  if (let_go > 0) b.release("let_go", let_go, "peg");
  return b.build();
}

}  // namespace cardan::events
