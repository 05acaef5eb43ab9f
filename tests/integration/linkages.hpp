// Mechanisms for the tests of integrators: open chains in space, closed four-bars away from singular positions, and the
// N-window four-bar that passes through them.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "cardan/builder.hpp"
#include "random_place.hpp"

namespace cardan {

inline Mechanism chain_in_space() {
  MechanismBuilder b("chain in space");
  b.gravity({0, 0, -9.81});
  b.body("upper", 1.3, Vec3(0.3, 0.1, -0.2), Mat3(Vec3(0.05, 0.08, 0.06).asDiagonal()));
  b.body("lower", 0.8, Vec3(0.7, 0.4, -0.5), Mat3(Vec3(0.03, 0.02, 0.04).asDiagonal()));
  b.spherical("ball", "ground", "upper", Vec3(0, 0, 0));
  b.revolute("hinge", "upper", "lower", Vec3(0.5, 0.2, -0.3), Vec3(0.3, -0.5, 0.8).normalized());
  b.spring("spring", "ground", "lower", Vec3(1, 1, 0.5), Vec3(0.7, 0.5, -0.4), 20, 0.5);
  b.angular_velocity("upper", {1, -0.5, 0.7});
  return b.build();
}

/// A crank that turns all the way round and never comes near a singular position.
inline Mechanism closed_four_bar() {
  MechanismBuilder b("closed four-bar");
  b.planar().gravity({0, -9.81, 0});
  const Place a0(0, 0), a(0, 0.4), c(1.1, 0.9), c0(1, 0);
  b.rod("crank", a0, a, 1).rod("coupler", a, c, 2).rod("rocker", c0, c, 1.5);
  b.revolute("A0", "ground", "crank", a0).revolute("A", "crank", "coupler", a);
  b.revolute("C", "coupler", "rocker", c).revolute("C0", "ground", "rocker", c0);
  b.angular_velocity("crank", {0, 0, 5});
  return b.build();
}

/// R-U-S-R, anywhere: falls from rest and swings.
inline Mechanism spatial_loop(unsigned seed) {
  const RandomPlace place(seed, false);
  const Vec3 A = place.at(0, 0, 0), B = place.at(0.1, 0.6, 0.2), C = place.at(1.1, 0.9, 0.5), D = place.at(1, 0.1, 0.4);
  MechanismBuilder b("spatial loop");
  b.gravity(9.81 * place.along(0, -1));
  const double r = 0.03 * place.size();
  b.rod("crank", A, B, 1, r).rod("coupler", B, C, 2, r).rod("rocker", D, C, 1.5, r);
  b.revolute("A", "ground", "crank", A, place.along(0.2, 0.1, 1));
  b.revolute("D", "ground", "rocker", D, place.along(-0.3, 0, 1));
  b.universal("B", "crank", "coupler", B, place.along(0.2, 0.1, 1), place.along(-0.5, 1, 0));
  b.spherical("C", "coupler", "rocker", C);
  return b.build();
}

/// A revolute and a universal joint, anywhere, and a spring that nothing damps.
inline Mechanism open_chain(unsigned seed) {
  const RandomPlace place(seed, false);
  MechanismBuilder b("open chain");
  b.gravity(9.81 * place.along(0, -1));
  const double r = 0.05 * place.size();
  b.rod("upper", place.at(0, 0), place.at(1, 0, 0.2), 2, r);
  b.rod("lower", place.at(1, 0, 0.2), place.at(1.5, 0.6, 0.1), 1, r);
  b.revolute("shoulder", "ground", "upper", place.at(0, 0), place.along(0.1, 0.3, 1));
  b.universal("elbow", "upper", "lower", place.at(1, 0, 0.2), place.along(0, 0, 1), place.along(1, 0, 0));
  b.spring("spring", "ground", "lower", place.at(2, 1), place.at(1.5, 0.6, 0.1), 50);
  b.joint_velocity("shoulder", 1.5);
  return b.build();
}

/// Peaucellier's cell, which guides a point along a line, anywhere: the far corner of its rhombus has a second place
/// near the first one, where the bars close too.
inline Mechanism peaucellier(unsigned seed) {
  const RandomPlace place(seed, true);
  const double crank = 0.4, side = 0.5, arm = 1;
  const Vec3 B(crank * (1 + std::cos(0.5)), crank * std::sin(0.5), 0), along = B.normalized();
  const Vec3 E = (arm * arm - side * side) / B.norm() * along, middle = 0.5 * (B + E);
  const Vec3 across = std::sqrt(side * side - 0.25 * (E - B).squaredNorm()) * Vec3(-along.y(), along.x(), 0);
  const auto at = [&](const Vec3& p) { return Place(place.at(p.x(), p.y())); };
  const Place O = at(Vec3::Zero()), Q = at({crank, 0, 0}), b0 = at(B), e0 = at(E), p1 = at(middle + across),
              p2 = at(middle - across);
  MechanismBuilder b("Peaucellier's cell");
  b.planar().gravity(9.81 * place.along(0, -1));
  b.rod("crank", Q, b0, 1).rod("arm1", O, p1, 1).rod("arm2", O, p2, 1);
  b.rod("near1", b0, p1, 0.5).rod("near2", b0, p2, 0.5).rod("far1", e0, p1, 0.5).rod("far2", e0, p2, 0.5);
  b.revolute("Q", "ground", "crank", Q).revolute("O1", "ground", "arm1", O).revolute("O2", "ground", "arm2", O);
  b.revolute("B1", "crank", "near1", b0).revolute("B2", "crank", "near2", b0);
  b.revolute("N1", "arm1", "near1", p1).revolute("N2", "arm2", "near2", p2);
  b.revolute("F1", "arm1", "far1", p1).revolute("F2", "arm2", "far2", p2).revolute("E", "far1", "far2", e0);
  return b.build();
}

/// N + 1 upright rods pinned to ground, tops joined by N couplers; all 1 m and 1 kg; -1 rad/s at the start.
inline Mechanism n_window_linkage(int windows) {
  MechanismBuilder b("windows");
  b.planar().gravity({0, -9.81, 0});
  const auto name = [](const char* what, int i) { return what + std::to_string(i); };
  for (int i = 0; i <= windows; ++i) {
    b.rod(name("rod", i), Place(i, 0), Place(i, 1), 1);
    b.revolute(name("ground", i), "ground", name("rod", i), Place(i, 0));
    if (i == 0) continue;
    b.rod(name("coupler", i), Place(i - 1, 1), Place(i, 1), 1);
    b.revolute(name("right", i - 1), name("rod", i - 1), name("coupler", i), Place(i - 1, 1));
    b.revolute(name("left", i), name("coupler", i), name("rod", i), Place(i, 1));
  }
  b.angular_velocity("rod0", {0, 0, -1});
  return b.build();
}

/// The crank's angle minus that of the closed form phi'' = k sin(phi), within half a turn.
inline double n_window_angle_error(int windows, double time, double angle) {
  const double k = 9.81 * ((windows + 1) / 2.0 + windows) / ((windows + 1) / 3.0 + windows), h = 1e-4;
  double phi = 0, rate = 1;
  for (int i = 0; i < std::lround(time / h); ++i) {
    const double v1 = rate, a1 = k * std::sin(phi);
    const double v2 = rate + h / 2 * a1, a2 = k * std::sin(phi + h / 2 * v1);
    const double v3 = rate + h / 2 * a2, a3 = k * std::sin(phi + h / 2 * v2);
    const double v4 = rate + h * a3, a4 = k * std::sin(phi + h * v3);
    phi += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return std::remainder(angle - (std::numbers::pi / 2 - phi), 2 * std::numbers::pi);
}

}  // namespace cardan
