// Trees of bodies at random: every joint type, free bases, springs, dampers, actuators, forces and torques.
#pragma once

#include <random>

#include "cardan/builder.hpp"

namespace cardan {

class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {}

  Mechanism spatial(int bodies) {
    MechanismBuilder b("random tree");
    b.gravity({number(), number(), -9.81});
    std::vector<Vec3> center{Vec3::Zero()};
    std::vector<std::string> name{"ground"};
    for (int i = 0; i < bodies; ++i) {
      const int parent = chance() < 0.6 ? i : whole(0, i);  // chains with branches
      center.push_back(center[parent] + vector());
      name.push_back("body" + std::to_string(i));
      const Mat3 turn = Eigen::AngleAxisd(3 * number(), vector().normalized()).toRotationMatrix();
      const double x = 0.1 + chance(), y = 0.1 + chance();
      b.body(name.back(), 0.2 + chance(), center.back(),
             Mat3(turn * Vec3(x, y, 0.9 * (x + y)).asDiagonal() * turn.transpose()));
      const std::string joint = "joint" + std::to_string(i);
      const bool swap = chance() < 0.5;
      const std::string first = swap ? name.back() : name[parent], second = swap ? name[parent] : name.back();
      const Vec3 at = 0.5 * (center[parent] + center.back()) + 0.2 * vector(), axis = vector().normalized();
      switch (i == 0 ? 6 : whole(0, 7)) {
        case 0:
          b.revolute(joint, first, second, at, axis);
          break;
        case 1:
          b.prismatic(joint, first, second, at, axis);
          break;
        case 2:
          b.cylindrical(joint, first, second, at, axis);
          break;
        case 3:
          b.universal(joint, first, second, at, axis, Vec3(axis.cross(vector()).normalized()));
          break;
        case 4:
          b.spherical(joint, first, second, at);
          break;
        case 5:
          b.planar_joint(joint, first, second, at, axis);
          break;
        case 6:
          b.free(joint, first, second);
          break;
        default:
          b.fixed(joint, first, second);
          break;
      }
      if (i > 0) {
        b.spring("spring" + std::to_string(i), name[whole(0, i - 1) + 1], name.back(), vector(),
                 Vec3(center.back() + vector()), 10, 0.5);
      }
      ForceSpec force{
          .name = "force" + std::to_string(i), .body = name.back(), .at = Place(Vec3(center.back() + vector()))};
      for (auto& component : force.components) component = Function::constant(number());
      force.body_axes = chance() < 0.5;
      b.add(force);
    }
    return b.build();
  }

  Mechanism planar(int bodies) {
    MechanismBuilder b("random planar tree");
    b.planar().gravity({number(), -9.81, 0});
    std::vector<Vec3> center{Vec3::Zero()};
    std::vector<std::string> name{"ground"};
    for (int i = 0; i < bodies; ++i) {
      const int parent = whole(0, i);
      const auto flat = [&] { return Vec3(number(), number(), 0); };
      center.push_back(center[parent] + flat());
      name.push_back("body" + std::to_string(i));
      b.body(name.back(), 0.2 + chance(), center.back(), 0.05 + chance());
      const std::string joint = "joint" + std::to_string(i);
      const bool swap = chance() < 0.5;
      const std::string first = swap ? name.back() : name[parent], second = swap ? name[parent] : name.back();
      const Vec3 at = 0.5 * (center[parent] + center.back()) + 0.2 * flat();
      switch (i == 0 ? 2 : whole(0, 3)) {
        case 0:
          b.revolute(joint, first, second, at);
          break;
        case 1:
          b.prismatic(joint, first, second, at, Vec3(flat().normalized()));
          break;
        case 2:
          b.free(joint, first, second);
          break;
        default:
          b.fixed(joint, first, second);
          break;
      }
      if (i > 0) {
        b.spring("spring" + std::to_string(i), name[whole(0, i - 1) + 1], name.back(), flat(),
                 Vec3(center.back() + flat()), 10, 0.5);
      }
    }
    return b.build();
  }

  double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  VecX numbers(int size) {
    VecX result(size);
    for (double& x : result) x = number();
    return result;
  }

 private:
  double chance() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  Vec3 vector() { return {number(), number(), number()}; }

  std::mt19937 random_;
};

}  // namespace cardan
