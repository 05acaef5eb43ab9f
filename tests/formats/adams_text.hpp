// An arm as a dataset of ADAMS and as a model, and how tests compare the two.
#pragma once

#include <gtest/gtest.h>

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

}  // namespace cardan
