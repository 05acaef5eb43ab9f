// What systems are asked about: mechanisms of every sort, states on the way, differences.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "cardan/registry.hpp"
#include "cardan/simulation.hpp"
#include "cardan/system.hpp"
#include "formulation/loaded_mechanisms.hpp"
#include "formulation/random_tree.hpp"
#include "random_place.hpp"

namespace cardan {

/// A crank and a rocker with a rod on two ball joints between them and a spring, turned and shifted at random.
inline Mechanism turned_loop(unsigned seed) {
  const RandomPlace place(seed, false);
  MechanismBuilder b("turned loop");
  b.gravity(9.81 * place.along(0, 0, -1));
  const Vec3 a = place.at(0, 0, 0), p = place.at(0, 0.4, 0.1), q = place.at(1.1, 0.8, 0.3), d = place.at(1, 0, 0.2);
  const auto inertia = [](double size) -> Mat3 { return Vec3(size, 1.3 * size, 1.6 * size).asDiagonal(); };
  b.body("crank", 1, Vec3(0.5 * (a + p)), inertia(0.1)).body("rod", 2, Vec3(0.5 * (p + q)), inertia(0.2));
  b.body("rocker", 1.5, Vec3(0.5 * (q + d)), inertia(0.3));
  b.revolute("A", "ground", "crank", a, place.along(1, 0, 0.2)).spherical("P", "crank", "rod", p);
  b.spherical("Q", "rod", "rocker", q).revolute("D", "ground", "rocker", d, place.along(0.9, 0.1, 0));
  b.spring("spring", "ground", "rod", place.at(0.5, 1.5, 0.4), place.at(0.5, 0.6, 0.2), 60, 0.5);
  b.torsion("coil", "D", 5, 0.2, 0.3);
  b.joint_velocity("A", 1.5);
  return b.build();
}

/// Loops in the plane and in space, with and without drivers, couplers, links and rotors; trees with every joint.
inline std::vector<Mechanism> asked_mechanisms() {
  std::vector<Mechanism> all{loaded_in_plane(),      loaded_in_plane(false), loaded_in_space(),
                             loaded_in_space(false), elements_in_plane(),    elements_in_space()};
  for (unsigned seed : {1u, 2u, 3u}) all.push_back(RandomTree(seed).spatial(5));
  return all;
}

/// The same and loops in random orientations.
inline std::vector<Mechanism> asked_and_turned() {
  std::vector<Mechanism> all = asked_mechanisms();
  for (unsigned seed : {4u, 5u}) all.push_back(turned_loop(seed));
  return all;
}

/// A state on the way, in the coordinates of the formulation.
inline Context moved(const Mechanism& mechanism, const std::string& formulation) {
  RunOptions options;
  options.formulation = formulation;
  options.step = 1e-3;
  Simulation simulation(mechanism, options);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(simulation.step(), StepStatus::ok) << formulation;
  return simulation.state();
}

inline double largest(const Eigen::MatrixXd& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); }

inline VecX scattered(std::mt19937& random, Eigen::Index size) {
  std::uniform_real_distribution<double> number(-1, 1);
  VecX x(size);
  for (double& value : x) value = number(random);
  return x;
}

/// (45 (f(h) - f(-h)) - 9 (f(2h) - f(-2h)) + (f(3h) - f(-3h))) / (60 h)
template <class F>
auto difference(const F& f, double h) {
  constexpr double weights[] = {45, -9, 1};
  auto sum = (weights[0] * (f(h) - f(-h))).eval();
  for (int k : {2, 3}) sum += weights[k - 1] * (f(k * h) - f(-k * h));
  return (sum / (60 * h)).eval();
}

}  // namespace cardan
