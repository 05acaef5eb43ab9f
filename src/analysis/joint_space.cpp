// Open chains seen as robots are: vectors of joint coordinates in, vectors of efforts out. Each call drives every
// coordinate along q + v t + a t^2 / 2 and looks at t = 0.
#include <fmt/format.h>

#include <stdexcept>

#include "analysis/driven_motion.hpp"
#include "mechanism/joint_types.hpp"
#include "mechanism/phases.hpp"
#include "mechanism/spanning_tree.hpp"

namespace cardan {
namespace {

struct JointPlace {
  int joint, coordinate;
  std::string name;
};

std::vector<JointPlace> joint_places(const Mechanism& mechanism) {
  std::vector<JointPlace> places;
  for (int j = 0; j < static_cast<int>(mechanism.joints.size()); ++j) {
    const Joint& joint = mechanism.joints[j];
    if (!joint.present) continue;
    const int count = joint_coordinate_count(joint.type, mechanism.planar);
    if (has_rotation_vector(joint.type, mechanism.planar) || is_link(joint.type)) {
      throw ModelError(error_at(
          joint.where, "joint '" + joint.name + "'",
          fmt::format("a {} joint has no coordinates that an effort could act on", joint_type_name(joint.type)),
          "joint space is for chains of revolute, prismatic, cylindrical, universal, screw and "
          "planar joints"));
    }
    for (int i = 0; i < count; ++i) {
      places.push_back({j, i, count == 1 ? joint.name : fmt::format("{} {}", joint.name, i + 1)});
    }
  }
  const SpanningTree tree = make_spanning_tree(mechanism, {});
  if (!tree.cut.empty()) {
    const Joint& joint = mechanism.joints[tree.cut[0]];
    throw ModelError(error_at(joint.where, "joint '" + joint.name + "'",
                              "it closes a loop, and joint space is for open chains",
                              "give paths to as many drivers as degrees of freedom and use inverse_dynamics"));
  }
  return places;
}

DrivenMotion driven(const Mechanism& given_mechanism, const VecX& q, const VecX& v, const VecX& a) {
  Mechanism mechanism = initial_phase(given_mechanism);
  const std::vector<JointPlace> places = joint_places(mechanism);
  for (const VecX* given : {&q, &v, &a}) {
    if (given->size() == static_cast<Eigen::Index>(places.size())) continue;
    throw std::invalid_argument(
        fmt::format("{} values are given, but the mechanism has {} joint coordinates", given->size(), places.size()));
  }
  mechanism.drivers.clear();
  for (Joint& joint : mechanism.joints) joint.initial_position.reset(), joint.initial_velocity.reset();
  mechanism.initial_motion.reset();
  for (std::size_t i = 0; i < places.size(); ++i) {
    Driver driver;
    driver.name = "path of " + places[i].name;
    driver.joint = places[i].joint;
    driver.coordinate = places[i].coordinate;
    driver.position = Function::polynomial({q[i], v[i], 0.5 * a[i]});
    mechanism.drivers.push_back(std::move(driver));
  }
  return DrivenMotion(mechanism);
}

}  // namespace

std::vector<std::string> joint_space(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const JointPlace& place : joint_places(initial_phase(mechanism))) names.push_back(place.name);
  return names;
}

Eigen::MatrixXd joint_space_mass_matrix(const Mechanism& mechanism, const VecX& q) {
  const VecX zero = VecX::Zero(q.size());
  return driven(mechanism, q, zero, zero).mass_matrix();
}

VecX inverse_dynamics_at(const Mechanism& mechanism, const VecX& q, const VecX& v, const VecX& a) {
  return driven(mechanism, q, v, a).efforts();
}

VecX gravity_torques(const Mechanism& mechanism, const VecX& q) {
  Mechanism weightless = mechanism;
  weightless.gravity.setZero();
  const VecX zero = VecX::Zero(q.size());
  return inverse_dynamics_at(mechanism, q, zero, zero) - inverse_dynamics_at(weightless, q, zero, zero);
}

}  // namespace cardan
