// A program of somebody else: a four-bar falls for one second.
#include <cardan/cardan.hpp>
#include <cmath>
#include <cstdio>

int main() {
  cardan::MechanismBuilder builder("four-bar");
  builder.planar().gravity({0, -9.81, 0});
  builder.rod("crank", {0, 0}, {0, 1}, 1).rod("coupler", {0, 1}, {1, 1}, 1).rod("rocker", {1, 0}, {1, 1}, 1);
  builder.revolute("A0", "ground", "crank", {0, 0}).revolute("B0", "crank", "coupler", {0, 1});
  builder.revolute("A1", "ground", "rocker", {1, 0}).revolute("B1", "coupler", "rocker", {1, 1});
  builder.angular_velocity("crank", {0, 0, -1});

  cardan::RunOptions options;
  options.step = 1e-4;
  cardan::Simulation simulation(builder.build(), options);
  while (simulation.time() < 1 - options.step / 2) {
    if (simulation.step() != cardan::StepStatus::Ok) return 1;
  }
  const cardan::Mat3 axes = simulation.body(0).rotation;
  std::printf("crank angle at %g s: %.6f\n", simulation.time(), std::atan2(axes(1, 0), axes(0, 0)));
}
