// A robot of many links, made up at random, always the same for one seed.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "cardan/math.hpp"

namespace cardan {

struct RandomRobot {
  std::string urdf;
  std::vector<std::string> joints;  // those that move
};

/// `links` of them besides the root; joints turn, slide or are fixed, inertial frames are turned, some joints are
/// damped.
inline RandomRobot random_robot(unsigned seed, int links) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto three = [&](double size) {
    return fmt::format("{} {} {}", size * number(random), size * number(random), size * number(random));
  };
  RandomRobot robot;
  robot.urdf = "<?xml version=\"1.0\"?>\n<robot name=\"random\">\n  <link name=\"world\"/>\n";
  for (int i = 0; i < links; ++i) {
    // Moments of a body that can exist: sums of two of three squares.
    const double a = 0.01 + 0.05 * std::abs(number(random)), b = 0.01 + 0.05 * std::abs(number(random)),
                 c = 0.01 + 0.05 * std::abs(number(random));
    robot.urdf += fmt::format(
        "  <link name=\"link{}\">\n    <inertial>\n      <origin xyz=\"{}\" rpy=\"{}\"/>\n      <mass value=\"{}\"/>\n"
        "      <inertia ixx=\"{}\" iyy=\"{}\" izz=\"{}\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>\n    </inertial>\n  </link>\n",
        i, three(0.2), three(3), 0.5 + std::abs(number(random)), b + c, a + c, a + b);
    const int kind = static_cast<int>(random() % 8);
    const char* type = kind == 0 ? "fixed" : kind <= 2 ? "prismatic" : kind <= 4 ? "revolute" : "continuous";
    const std::string parent = i == 0 ? "world" : fmt::format("link{}", random() % static_cast<unsigned>(i));
    robot.urdf += fmt::format(
        "  <joint name=\"joint{}\" type=\"{}\">\n    <parent link=\"{}\"/>\n    <child link=\"link{}\"/>\n"
        "    <origin xyz=\"{}\" rpy=\"{}\"/>\n",
        i, type, parent, i, three(0.4), three(3));
    const Vec3 axis = Vec3(number(random), number(random), number(random)).normalized();
    if (kind != 0) {
      robot.joints.push_back(fmt::format("joint{}", i));
      robot.urdf += fmt::format("    <axis xyz=\"{} {} {}\"/>\n", axis.x(), axis.y(), axis.z());
      if (kind <= 4) robot.urdf += "    <limit lower=\"-100\" upper=\"100\" effort=\"1\" velocity=\"1\"/>\n";
      if (random() % 2 == 0) robot.urdf += fmt::format("    <dynamics damping=\"{}\"/>\n", std::abs(number(random)));
    }
    robot.urdf += "  </joint>\n";
  }
  robot.urdf += "</robot>\n";
  return robot;
}

}  // namespace cardan
