#include <algorithm>
#include <cmath>
#include <dart/dart.hpp>

#include "peer.hpp"

namespace peers {
namespace {

using namespace dart::dynamics;

RevoluteJoint::Properties hinge(const Eigen::Vector3d& at, const Eigen::Vector3d& axis, const std::string& name) {
  RevoluteJoint::Properties properties;
  properties.mName = name;
  properties.mAxis = axis;
  properties.mT_ParentBodyToJoint.translation() = at;
  return properties;
}

BodyNode::Properties rigid(const Eigen::Vector3d& center, const Eigen::Vector3d& moments, const std::string& name) {
  BodyNode::Properties properties;
  properties.mName = name;
  properties.mInertia = Inertia(1, center, moments.asDiagonal());
  return properties;
}

class Dart final : public Peer {
 public:
  std::string name() const override { return "DART " DART_VERSION; }
  std::vector<Setting> settings() const override {
    std::vector<Setting> settings;
    for (double step : {0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 5e-5})
      settings.push_back({"its own rule, ball joint constraints", step});
    return settings;
  }
  WindowRun windows(int count, const Setting& setting) override {
    const auto world = dart::simulation::World::create();
    world->setGravity({0, -kGravity, 0});
    world->setTimeStep(setting.step);
    const auto skeleton = Skeleton::create("windows");
    const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
    std::vector<BodyNode*> rods, couplers;
    const double thin = 1e-6;  // about its own axis, kg m^2
    for (int i = 0; i <= count; ++i) {
      const std::string number = std::to_string(i);
      rods.push_back(skeleton
                         ->createJointAndBodyNodePair<RevoluteJoint>(
                             nullptr, hinge({static_cast<double>(i), 0, 0}, z, "pin" + number),
                             rigid({0, 0.5, 0}, {1. / 12, thin, 1. / 12}, "rod" + number))
                         .second);
      if (i == count) continue;
      couplers.push_back(skeleton
                             ->createJointAndBodyNodePair<RevoluteJoint>(
                                 rods.back(), hinge({0, 1, 0}, z, "top" + number),
                                 rigid({0.5, 0, 0}, {thin, 1. / 12, 1. / 12}, "coupler" + number))
                             .second);
    }
    for (std::size_t i = 0; i < rods.size(); ++i) rods[i]->getParentJoint()->setVelocity(0, -1);
    for (auto* coupler : couplers) coupler->getParentJoint()->setVelocity(0, 1);
    world->addSkeleton(skeleton);
    for (std::size_t i = 0; i < couplers.size(); ++i)
      world->getConstraintSolver()->addConstraint(std::make_shared<dart::constraint::BallJointConstraint>(
          couplers[i], rods[i + 1], Eigen::Vector3d(static_cast<double>(i) + 1, 1, 0)));
    const auto energy = [&] { return skeleton->computeKineticEnergy() + skeleton->computePotentialEnergy(); };
    const double start = energy();
    WindowRun run;
    const int steps = static_cast<int>(std::lround(kDuration / setting.step));
    for (int i = 0; i < steps; ++i) {
      const double begin = processor_seconds();
      world->step();
      run.seconds += processor_seconds() - begin;
      run.energy_error = std::max(run.energy_error, std::abs(energy() - start));
      for (std::size_t k = 0; k < couplers.size(); ++k)
        run.violation = std::max(run.violation, (couplers[k]->getTransform() * Eigen::Vector3d::UnitX() -
                                                 rods[k + 1]->getTransform() * Eigen::Vector3d::UnitY())
                                                    .norm());
      if (!std::isfinite(run.energy_error) || run.seconds > 20) return run;
    }
    run.on_branch = true;
    for (auto* rod : rods)
      run.on_branch = run.on_branch && std::abs(std::remainder(rod->getParentJoint()->getPosition(0) -
                                                                   rods[0]->getParentJoint()->getPosition(0),
                                                               2 * M_PI)) < 0.05;
    return run;
  }
  double chain(int links) override {
    if (links > 1000) return -1;  // its tree is walked by recursion: the stack ends
    const auto skeleton = Skeleton::create("chain");
    skeleton->setGravity({0, 0, -kGravity});
    BodyNode* parent = nullptr;
    for (int i = 0; i < links; ++i)
      parent = skeleton
                   ->createJointAndBodyNodePair<RevoluteJoint>(
                       parent,
                       hinge({i == 0 ? 0 : kLinkLength, 0, 0}, Eigen::Vector3d::Unit(hinge_axis(i)),
                             "hinge" + std::to_string(i)),
                       rigid({kLinkLength / 2, 0, 0}, {kChainInertia[0], kChainInertia[1], kChainInertia[2]},
                             "link" + std::to_string(i)))
                   .second;
    for (int i = 0; i < links; ++i) {
      skeleton->setPosition(static_cast<std::size_t>(i), hinge_angle(i));
      skeleton->setVelocity(static_cast<std::size_t>(i), hinge_rate(i));
    }
    double first = skeleton->getPosition(0);
    return least_time([&] {
      skeleton->setPosition(0, first += 1e-9);
      skeleton->computeForwardDynamics();
    });
  }
};

}  // namespace

std::unique_ptr<Peer> make_dart() { return std::make_unique<Dart>(); }

}  // namespace peers
