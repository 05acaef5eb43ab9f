// Mechanisms of one degree of freedom that joints hold more often than needed, in any place, orientation and size: a
// shaft in two bearings, a door on three hinges, a slide on two rails, two bodies welded twice, a four-bar with
// parallel axes. Whatever turns in them turns about one axis, J phi'' = u . (s x g) with s the first moment that turns
// along; the slide has x'' = g . u - k x / m.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "cardan/builder.hpp"

namespace cardan {

inline constexpr const char* kOneFreedom[] = {"shaft", "door", "slide", "welded pair", "four-bar"};

struct OneFreedom {
  Mechanism mechanism;
  double size = 1;                 // m
  std::string watched;             // the body whose centre is compared
  Vec3 axis, pivot, arm, gravity;  // arm: from the pivot to that centre, as drawn
  Vec3 moment = Vec3::Zero();      // kg m
  double inertia = 0;              // kg m^2
  double stiffness = 0;            // slide: k / m, 1/s^2
  double rate = 0;                 // at the start, rad/s or m/s
  bool slides = false;

  struct Motion {
    Vec3 center, velocity;
  };
  /// Of the watched body's centre, after so many seconds.
  Motion motion(double time) const {
    if (slides) {
      const double w = std::sqrt(stiffness), sag = gravity.dot(axis) / stiffness, c = std::cos(w * time),
                   s = std::sin(w * time);
      return {pivot + arm + (sag * (1 - c) + rate / w * s) * axis, (sag * w * s + rate * c) * axis};
    }
    const auto turned = [&](double angle, const Vec3& v) { return Vec3(Eigen::AngleAxisd(angle, axis) * v); };
    const auto second = [&](double angle) { return axis.dot(turned(angle, moment).cross(gravity)) / inertia; };
    constexpr int steps = 400;  // of RK4: 1e-12 of the angle in the runs that are compared
    const double h = time / steps;
    double angle = 0, speed = rate;
    for (int i = 0; i < steps; ++i) {
      const double v1 = speed, a1 = second(angle);
      const double v2 = speed + h / 2 * a1, a2 = second(angle + h / 2 * v1);
      const double v3 = speed + h / 2 * a2, a3 = second(angle + h / 2 * v2);
      const double v4 = speed + h * a3, a4 = second(angle + h * v3);
      angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    const Vec3 now = turned(angle, arm);
    return {pivot + now, speed * axis.cross(now)};
  }
};

class OneFreedomMaker {
 public:
  explicit OneFreedomMaker(unsigned seed) : random_(seed) {}

  /// Sizes from a millimetre to a kilometre, masses from a gram to a ton, up to ten sizes from the origin.
  OneFreedom make(const std::string& kind) {
    OneFreedom result;
    const double size = result.size = std::pow(10.0, uniform(-3, 3)), mass = std::pow(10.0, uniform(-3, 3));
    const Mat3 turn = Quat(normal(), normal(), normal(), normal()).normalized().toRotationMatrix();
    const Vec3 x = turn.col(0), y = turn.col(1), u = result.axis = turn.col(2);
    const Vec3 p = result.pivot = 10 * size * Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    result.gravity = 10 * size * Vec3(normal(), normal(), normal()).normalized();
    MechanismBuilder b(kind);
    b.gravity(result.gravity);
    const auto heavy = [&](const char* name, const Vec3& center) {
      const Mat3 axes = Quat(normal(), normal(), normal(), normal()).normalized().toRotationMatrix();
      const Vec3 principal = Vec3(1, 1, 1) + 0.3 * Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
      b.body(name, mass, center, Mat3(0.05 * mass * size * size * (axes * principal.asDiagonal() * axes.transpose())));
    };
    result.rate = uniform(1, 3);
    if (kind == "shaft" || kind == "door") {
      heavy(kind.c_str(), p + size * (0.4 * x + uniform(-0.3, 0.3) * u));
      b.revolute("first", "ground", kind, Vec3(p - 0.5 * size * u), u);
      b.revolute("second", "ground", kind, Vec3(p + 0.5 * size * u), u);
      if (kind == "door") b.revolute("third", "ground", kind, Vec3(p + 0.1 * size * u), u);
      b.joint_velocity("first", result.rate);
    } else if (kind == "slide") {
      heavy("slide", p + size * (0.2 * x + 0.1 * y));
      b.prismatic("one_rail", "ground", "slide", Vec3(p - 0.5 * size * x), u);
      b.prismatic("other_rail", "ground", "slide", Vec3(p + 0.5 * size * x + 0.3 * size * u), u);
      b.spring("spring", "ground", "slide", Vec3(p - 2 * size * u), p, 30 * mass);
      result.rate *= size;
      result.stiffness = 30;
      result.slides = true;
      b.joint_velocity("one_rail", result.rate);
    } else if (kind == "welded pair") {
      heavy("inner", p + size * (0.2 * x + 0.1 * u));
      heavy("outer", p + size * (0.6 * x - 0.2 * y));
      b.revolute("pin", "ground", "inner", p, u);
      for (const auto& [name, at] : {std::pair("weld", 0.3), std::pair("second_weld", 0.5)}) {
        JointSpec weld;
        weld.name = std::string(name), weld.type = JointType::fixed;
        weld.body1 = std::string("inner"), weld.body2 = std::string("outer");
        weld.at1 = Place(Vec3(p + at * size * x));
        b.add(weld);
      }
      b.joint_velocity("pin", result.rate);
    } else {
      const Vec3 crank = size * (std::cos(1.1) * x + std::sin(1.1) * y), width = 0.8 * size * x;
      b.rod("crank", p, Vec3(p + crank), mass, 0.02 * size);
      b.rod("coupler", Vec3(p + crank), Vec3(p + crank + width), mass, 0.02 * size);
      b.rod("rocker", Vec3(p + width), Vec3(p + width + crank), mass, 0.02 * size);
      b.revolute("a", "ground", "crank", p, u).revolute("b", "crank", "coupler", Vec3(p + crank), u);
      b.revolute("c", "coupler", "rocker", Vec3(p + crank + width), u)
          .revolute("d", "ground", "rocker", Vec3(p + width), u);
      b.joint_velocity("a", 0.3 * result.rate);
      result.rate *= 0.3;
    }
    result.mechanism = b.build();
    result.watched = kind == "four-bar" ? "crank" : kind == "welded pair" ? "outer" : kind;
    for (const Body& body : result.mechanism.bodies) {
      // The coupler goes round in translation, as if its mass were at the crank's end; the rocker as the crank does.
      Vec3 arm = body.center - p;
      if (body.name == "coupler") arm = size * (std::cos(1.1) * x + std::sin(1.1) * y);
      if (body.name == "rocker") arm -= 0.8 * size * x;
      result.moment += body.mass * arm;
      result.inertia += body.mass * (arm - arm.dot(u) * u).squaredNorm();
      if (body.name != "coupler") result.inertia += u.dot(body.inertia * u);
      if (body.name == result.watched) result.arm = body.center - p;
    }
    return result;
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double normal() { return std::normal_distribution<double>()(random_); }
  std::mt19937 random_;
};

}  // namespace cardan
