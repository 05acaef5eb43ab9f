// Parts as a dataset of ADAMS and as a model, and how tests compare the two.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "cardan/simulation.hpp"
#include "formats/robot_text.hpp"
#include "last_sample.hpp"

namespace cardan {

inline Mechanism read_adm(const std::string& text) {
  return read_mechanism_text("a title\n" + text + "END\n", "m.adm");
}
inline std::string adm_refusal(const std::string& text) { return refusal_of("a title\n" + text, "m.adm"); }

inline constexpr const char* kMillimetres = "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n";
inline constexpr const char* kGroundPart = "PART/1, GROUND\nMARKER/1, PART=1\n";
inline constexpr const char* kGravityDown = "ACCGRAV/JGRAV = -9806.65\n";

/// Both run to the same motion of the bodies, by name.
inline void expect_same_motion(const std::string& adm, const std::string& yaml, double until = 0.5,
                               double tolerance = 1e-9) {
  const Mechanism one = read_adm(adm), two = read_mechanism_text("cardan: 1\n" + yaml, "m.yaml");
  ASSERT_EQ(one.bodies.size(), two.bodies.size());
  const RunOptions options = options_of("hybrid", 1e-3, until);
  const FinishedRun a = finish(one, options), b = finish(two, options);
  EXPECT_EQ(a.summary.status, RunStatus::ok);
  EXPECT_LT(LastSample::difference(a.last, b.last, two), tolerance);
  // Something moved.
  double motion = 0;
  for (const Body& body : two.bodies)
    motion =
        std::max(motion, (b.last.vector(body.name + ".x", body.name + ".y", body.name + ".z") - body.center).norm());
  EXPECT_GT(motion, 1e-4);
}

/// An arm of 2 kg from (200, 0, 0) on, 100 to its centre, that marker 3 is at; its end is marker 4.
inline const std::string kArm = std::string(kMillimetres) + kGroundPart + kGravityDown +
                                "PART/2, QG=300,0,0, MASS=2, CM=3, IP=1000,20000,20000\n"
                                "MARKER/3, PART=2\nMARKER/4, PART=2, QP=100,0,0\nMARKER/5, PART=2, QP=-100,0,0\n"
                                "MARKER/6, PART=1, QP=200,0,0\n";
inline const std::string kArmYaml =
    "gravity: [0, -9.80665, 0]\nbodies: {part_2: {mass: 2, center: [0.3, 0, 0], inertia: [0.001, 0.02, 0.02]}}\n";
inline const std::string kHinge = "JOINT/1, REVOLUTE, I=5, J=6\n";
inline const std::string kHingeYaml = "joints: {pin: {revolute: [ground, part_2], at: [0.2, 0, 0], axis: z}}\n";

/// 3-1-3, in radians: of some rotation.
inline std::string angles(const Mat3& r) {
  const double second = std::acos(std::clamp(r(2, 2), -1.0, 1.0));
  return fmt::format("{}, {}, {}", std::atan2(r(0, 2), -r(1, 2)), second, std::atan2(r(2, 0), r(2, 1)));
}

inline Mat3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> number;
  return Quat(number(random), number(random), number(random), number(random)).normalized().toRotationMatrix();
}

inline std::string list(const Vec3& v) { return fmt::format("{}, {}, {}", v.x(), v.y(), v.z()); }

/// Two parts that fly and a third one, turned at random, and markers 11 (on part 2), 12 (on part 3) and 13 (on part 4).
/// `moving`: the third one as well.
inline std::string three_parts(std::mt19937& random, bool moving = true) {
  std::string text = "UNITS/SYSTEM=MKS\nPART/1, GROUND\nMARKER/1, PART=1\nACCGRAV/JGRAV=-2, KGRAV=-3\n";
  for (const int part : {2, 3, 4}) {
    std::uniform_real_distribution<double> number(-1, 1);
    const Vec3 at(number(random), number(random), number(random));
    text += fmt::format("PART/{0}, QG={1}, REULER={2}, MASS={0}, CM={0}, IP=1.1, 1.2, 1.3\n", part, list(at),
                        angles(random_rotation(random)));
    if (part != 4 || moving) text += fmt::format(", VX=0.3, VY=-0.{0}, VZ=0.5, WX=0.{0}, WY=0.4, WZ=-0.7\n", part);
    text += fmt::format("MARKER/{0}, PART={0}\nMARKER/1{1}, PART={0}, QP={2}, REULER={3}\n", part, part - 1,
                        list(Vec3(0.2, -0.1, 0.3)), angles(random_rotation(random)));
  }
  return text;
}

}  // namespace cardan
