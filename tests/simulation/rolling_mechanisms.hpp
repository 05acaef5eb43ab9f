// Sleighs and discs of tests, anywhere in space, with the motions that textbooks give them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {

/// Without allocations, energy within a millionth, and so many freedoms of positions and of velocities.
inline void expect_sound(const RunSummary& summary, double energy, int freedoms, int of_velocity,
                         const std::string& what) {
  EXPECT_LT(std::abs(summary.energy_max_error), 1e-6 * energy) << what;
  EXPECT_EQ(summary.allocations, 0) << what;
  EXPECT_EQ(summary.degrees_of_freedom, freedoms) << what;
  EXPECT_EQ(summary.velocity_degrees_of_freedom, of_velocity) << what;
}

inline const char* const kAllFormulations[] = {"global", "hybrid", "topological", "recursive", "cartesian"};

/// Chaplygin's sleigh: a blade at the origin of `place`, the mass centre `ahead` of it along the blade. With k^2 =
/// J / m + ahead^2, u the speed of the blade and w the turning,
///     u = c tanh(tau),  w = c / k sech(tau),  tau = ahead c / k^2 t + tau0,  turned by k / ahead (gd(tau) - gd(tau0)).
struct Sleigh {
  RandomPlace place;
  bool planar;
  double mass = 2.3, ahead, inertia, c, tau0 = -0.7;

  Sleigh(unsigned seed, bool in_plane)
      : place(seed, in_plane),
        planar(in_plane),
        ahead(0.4 * place.size()),
        inertia(0.2 * place.size() * place.size()),
        c(1.3 * place.size()) {}

  double k() const { return std::sqrt(inertia / mass + ahead * ahead); }
  double tau(double t) const { return ahead * c / (k() * k()) * t + tau0; }
  double speed(double t) const { return c * std::tanh(tau(t)); }
  double turning(double t) const { return c / k() / std::cosh(tau(t)); }
  double angle(double t) const {
    const auto gd = [](double x) { return 2 * std::atan(std::tanh(x / 2)); };
    return k() / ahead * (gd(tau(t)) - gd(tau0));
  }
  /// Across the blade, towards its left: m times the acceleration of the centre.
  double force(double t) const { return mass * speed(t) * turning(t) * inertia / (inertia + mass * ahead * ahead); }
  double energy() const { return 0.5 * mass * c * c; }
  Vec3 heading(double t) const { return place.along(std::cos(angle(t)), std::sin(angle(t))); }
  Vec3 left(double t) const { return place.along(-std::sin(angle(t)), std::cos(angle(t))); }
  /// Of the mass centre, by Simpson's rule.
  Vec3 center(double t) const {
    constexpr int kParts = 4000;
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i <= kParts; ++i) {
      const double s = t * i / kParts;
      sum += (i == 0 || i == kParts ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * speed(s) * heading(s);
    }
    return place.at(0, 0) + t / kParts / 3 * sum + ahead * heading(t);
  }
  Vec3 velocity(double t) const { return speed(t) * heading(t) + ahead * turning(t) * left(t); }

  MechanismBuilder builder() const { return turning_builder().velocity("sleigh", velocity(0)); }
  /// Without the velocity of its centre at the start.
  MechanismBuilder turning_builder() const {
    MechanismBuilder b("sleigh");
    if (planar) b.planar();
    // On the ice gravity does nothing.
    b.gravity(planar ? Vec3(Vec3::Zero()) : Vec3(-9.81 * place.along(0, 0, 1)));
    const Vec3 G = center(0), normal = place.along(0, 0, 1);
    if (planar) {
      b.body("sleigh", mass, G, inertia).free("ice", "ground", "sleigh");
    } else {
      b.body("sleigh", mass, G, Mat3(inertia * (0.7 * Mat3::Identity() + 0.3 * normal * normal.transpose())));
      b.planar_joint("ice", "ground", "sleigh", G, normal);
    }
    b.add(KnifeEdgeSpec{.name = "blade", .body2 = "sleigh", .at = place.at(0, 0), .axis = place.along(0, 1)});
    return b.angular_velocity("sleigh", turning(0) * normal);
  }
  Mechanism build() const { return builder().build(); }
};

/// A thin disc on a plane in the coordinates of textbooks: x = (theta, psi, p, q, s, along x, along y), theta the angle
/// of the axle a from the normal n, psi that of the heading h about it, w = p u + q h + s a with u = h x a up in the
/// disc. Newton and Euler about the centre, with v = r (s h - q a) and Omega = p u + q h + p cot(theta) a:
///     theta' = -q,  psi' = p / sin(theta),   J p' = -q (A s - J p cot),   (A + m r^2) s' = -m r^2 p q,
///     (J + m r^2) q' = p (A s - J p cot) + m r^2 p s + m g r cos(theta)
struct DiscOde {
  using X = Eigen::Matrix<double, 7, 1>;
  double m = 1.7, r, g = 9.81, A, J;
  explicit DiscOde(double size) : r(0.5 * size), A(0.5 * m * r * r), J(0.25 * m * r * r) {}

  X rate(const X& x) const {
    const double theta = x[0], p = x[2], q = x[3], s = x[4], cot = 1 / std::tan(theta), mr2 = m * r * r;
    X d;
    d[0] = -q;
    d[1] = p / std::sin(theta);
    d[2] = -q * (A * s - J * p * cot) / J;
    d[3] = (p * (A * s - J * p * cot) + mr2 * p * s + m * g * r * std::cos(theta)) / (J + mr2);
    d[4] = -mr2 * p * q / (A + mr2);
    const double along = r * s, across = -r * q * std::sin(theta);
    d[5] = along * std::cos(x[1]) - across * std::sin(x[1]);
    d[6] = along * std::sin(x[1]) + across * std::cos(x[1]);
    return d;
  }
  X after(X x, double t, int steps) const {
    const double h = t / steps;
    for (int i = 0; i < steps; ++i) {
      const X k1 = rate(x), k2 = rate(x + 0.5 * h * k1), k3 = rate(x + 0.5 * h * k2), k4 = rate(x + h * k3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return x;
  }
  /// The s of a disc that rolls in a circle at the tilt theta, p up in it.
  double steady_spin(double theta, double p) const {
    return (J * p * p / std::tan(theta) - m * g * r * std::cos(theta)) / ((A + m * r * r) * p);
  }
};

struct Disc {
  RandomPlace place;
  DiscOde ode;
  explicit Disc(unsigned seed) : place(seed, false), ode(place.size()) {}

  struct Axes {
    Vec3 n, h, l, a, u;
  };
  Axes axes(double theta, double psi) const {
    Axes e;
    e.n = place.along(0, 0, 1);
    e.h = place.along(std::cos(psi), std::sin(psi));
    e.l = e.n.cross(e.h);
    e.a = std::cos(theta) * e.n + std::sin(theta) * e.l;
    e.u = e.h.cross(e.a);
    return e;
  }
  Vec3 center(const DiscOde::X& x) const {
    return place.at(0, 0) + place.along(x[5], x[6]) + ode.r * std::sin(x[0]) * place.along(0, 0, 1);
  }
  Vec3 angular_velocity(const DiscOde::X& x) const {
    const Axes e = axes(x[0], x[1]);
    return x[2] * e.u + x[3] * e.h + x[4] * e.a;
  }
  Vec3 velocity(const DiscOde::X& x) const {
    const Axes e = axes(x[0], x[1]);
    return ode.r * (x[4] * e.h - x[3] * e.a);
  }
  /// Of the plane on the disc: m times the acceleration less gravity.
  Vec3 force(const DiscOde::X& x) const {
    const Axes e = axes(x[0], x[1]);
    const DiscOde::X d = ode.rate(x);
    const double p = x[2], q = x[3], s = x[4], third = p / std::tan(x[0]);
    return ode.m * ode.r * ((-q * q - third * s) * e.u + (d[4] + p * q) * e.h + (p * s - d[3]) * e.a) +
           ode.m * ode.g * e.n;
  }

  /// At the start x, on `ground` or on a body that carries the plane.
  MechanismBuilder builder(const DiscOde::X& x) const {
    const Axes e = axes(x[0], x[1]);
    MechanismBuilder b("disc");
    b.gravity(-ode.g * e.n);
    b.body("disc", ode.m, center(x), Mat3(ode.J * Mat3::Identity() + (ode.A - ode.J) * e.a * e.a.transpose()));
    b.free("anywhere", "ground", "disc");
    return b.angular_velocity("disc", angular_velocity(x));
  }
  RollingSpec rim(const DiscOde::X& x, const std::string& plane = "ground") const {
    const Axes e = axes(x[0], x[1]);
    return {.name = "rim",
            .body1 = plane,
            .body2 = "disc",
            .axis = Direction(e.a),
            .radius = ode.r,
            .normal = Direction(e.n)};
  }
  Mechanism build(const DiscOde::X& x) const { return builder(x).add(rim(x)).build(); }
};

inline Vec3 place_of(const LastSample& last, const std::string& body, bool planar) {
  return planar ? Vec3(last[body + ".x"], last[body + ".y"], 0) : last.vector(body + ".x", body + ".y", body + ".z");
}
inline Vec3 velocity_of(const LastSample& last, const std::string& body, bool planar) {
  return planar ? Vec3(last[body + ".vx"], last[body + ".vy"], 0)
                : last.vector(body + ".vx", body + ".vy", body + ".vz");
}
inline Vec3 turning_of(const LastSample& last, const std::string& body, bool planar) {
  return planar ? Vec3(0, 0, last[body + ".w"]) : last.vector(body + ".wx", body + ".wy", body + ".wz");
}

}  // namespace cardan
