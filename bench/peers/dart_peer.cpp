#include <algorithm>
#include <cmath>
#include <dart/dart.hpp>

#include "peer.hpp"

namespace peers {
namespace {

using namespace dart::dynamics;

constexpr double kThin = 1e-6;  // kg m^2: of a rod about its own axis

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

/// A mechanism with what closes its loops.
struct DartWorld {
  dart::simulation::WorldPtr world = dart::simulation::World::create();
  SkeletonPtr skeleton = Skeleton::create("mechanism");
  std::vector<BodyNode*> rods, couplers;

  DartWorld(Problem problem, int size) {
    world->setGravity(problem == Problem::chain ? Eigen::Vector3d(0, 0, -kGravity) : Eigen::Vector3d(0, -kGravity, 0));
    if (problem == Problem::windows) add_windows(size);
    if (problem == Problem::bricard) add_bricard();
    if (problem == Problem::chain) add_chain(size);
    world->addSkeleton(skeleton);
    if (problem == Problem::windows) close_windows();
    if (problem == Problem::bricard) close_bricard();
  }

  BodyNode* add(BodyNode* parent, const RevoluteJoint::Properties& joint, const BodyNode::Properties& body) {
    return skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second;
  }
  void tie(BodyNode* body1, BodyNode* body2, const Eigen::Vector3d& at) {
    const auto ball = body2 ? std::make_shared<dart::constraint::BallJointConstraint>(body1, body2, at)
                            : std::make_shared<dart::constraint::BallJointConstraint>(body1, at);
    world->getConstraintSolver()->addConstraint(ball);
  }

  void add_windows(int count) {
    const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
    for (int i = 0; i <= count; ++i) {
      const std::string number = std::to_string(i);
      rods.push_back(add(nullptr, hinge({static_cast<double>(i), 0, 0}, z, "pin" + number),
                         rigid({0, 0.5, 0}, {1. / 12, kThin, 1. / 12}, "rod" + number)));
      if (i == count) continue;
      couplers.push_back(add(rods.back(), hinge({0, 1, 0}, z, "top" + number),
                             rigid({0.5, 0, 0}, {kThin, 1. / 12, 1. / 12}, "coupler" + number)));
    }
    for (auto* rod : rods) rod->getParentJoint()->setVelocity(0, -1);
    for (auto* coupler : couplers) coupler->getParentJoint()->setVelocity(0, 1);
  }
  void close_windows() {
    for (std::size_t i = 0; i < couplers.size(); ++i)
      tie(couplers[i], rods[i + 1], Eigen::Vector3d(static_cast<double>(i) + 1, 1, 0));
  }
  void add_bricard() {
    Eigen::Vector3d before = Eigen::Vector3d::Zero();
    for (int i = 0; i < kRods; ++i) {
      const Eigen::Vector3d from(kCubeCorner[i]), along = Eigen::Vector3d(kCubeCorner[i + 1]) - from;
      const Eigen::Vector3d moments = along.cwiseAbs().unaryExpr([](double a) { return a > 0 ? kThin : 1. / 12; });
      rods.push_back(add(rods.empty() ? nullptr : rods.back(),
                         hinge(from - before, Eigen::Vector3d::Unit(bricard_axis(i)), "hinge" + std::to_string(i)),
                         rigid(along / 2, moments, "rod" + std::to_string(i))));
      before = from;
    }
  }
  /// At two points of the last hinge's axis, x.
  void close_bricard() {
    for (const double x : {-0.5, 0.5}) tie(rods.back(), nullptr, Eigen::Vector3d(x, 0, 1));
  }
  void add_chain(int links) {
    BodyNode* parent = nullptr;
    const Eigen::Vector3d moments(kChainInertia);
    for (int i = 0; i < links; ++i)
      parent = add(
          parent,
          hinge({i == 0 ? 0 : kLinkLength, 0, 0}, Eigen::Vector3d::Unit(hinge_axis(i)), "hinge" + std::to_string(i)),
          rigid({kLinkLength / 2, 0, 0}, moments, "link" + std::to_string(i)));
    for (int i = 0; i < links; ++i) {
      skeleton->setPosition(static_cast<std::size_t>(i), hinge_angle(i));
      skeleton->setVelocity(static_cast<std::size_t>(i), hinge_rate(i));
    }
  }

  double gap(Problem problem) const {
    double largest = 0;
    if (problem == Problem::bricard)
      largest = (rods.back()->getTransform() * Eigen::Vector3d::UnitY() - Eigen::Vector3d::UnitZ()).norm();
    for (std::size_t k = 0; k < couplers.size(); ++k)
      largest = std::max(largest, (couplers[k]->getTransform() * Eigen::Vector3d::UnitX() -
                                   rods[k + 1]->getTransform() * Eigen::Vector3d::UnitY())
                                      .norm());
    return largest;
  }
  bool rods_are_parallel() const {
    const auto angle = [](const BodyNode* rod) { return rod->getParentJoint()->getPosition(0); };
    return std::all_of(rods.begin(), rods.end(), [&](const BodyNode* rod) {
      return std::abs(std::remainder(angle(rod) - angle(rods[0]), 2 * M_PI)) < 0.05;
    });
  }
};

class Dart final : public Peer {
 public:
  std::string name() const override { return "DART " DART_VERSION; }
  std::vector<std::vector<Setting>> settings(Problem problem) const override {
    std::vector<std::vector<Setting>> families;
    if (problem == Problem::vehicle) return families;  // it knows no rods of constant length
    for (const char* solver : {"Dantzig", "PGS"}) {
      if (problem == Problem::chain && !families.empty()) break;  // nothing to solve for
      families.emplace_back();
      for (double step : {0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5})
        families.back().push_back({problem == Problem::chain ? "its own rule" : solver, step});
    }
    return families;
  }
  ProblemRun run(Problem problem, int size, const Setting& setting) override {
    if (problem == Problem::chain && size > kMostLinks) return {};
    DartWorld mechanism(problem, size);
    mechanism.world->setTimeStep(setting.step);
    if (setting.name == "PGS") {
      auto* solver = dynamic_cast<dart::constraint::BoxedLcpConstraintSolver*>(mechanism.world->getConstraintSolver());
      solver->setBoxedLcpSolver(std::make_shared<dart::constraint::PgsBoxedLcpSolver>());
    }
    const auto energy = [&] {
      return mechanism.skeleton->computeKineticEnergy() + mechanism.skeleton->computePotentialEnergy();
    };
    const double start = energy();
    ProblemRun run;
    const int steps = static_cast<int>(std::lround(duration(problem) / setting.step));
    for (int i = 0; i < steps; ++i) {
      const double begin = processor_seconds();
      mechanism.world->step();
      run.seconds += processor_seconds() - begin;
      run.error = std::max(run.error, std::abs(energy() - start));
      run.violation = std::max(run.violation, mechanism.gap(problem));
      if (!std::isfinite(run.error) || run.seconds > kMostSeconds) return run;
    }
    run.is_right = problem != Problem::windows || mechanism.rods_are_parallel();
    return run;
  }
  double chain(int links) override {
    if (links > kMostLinks) return -1;
    DartWorld mechanism(Problem::chain, links);
    double first = mechanism.skeleton->getPosition(0);
    return least_time([&] {
      mechanism.skeleton->setPosition(0, first += 1e-9);
      mechanism.skeleton->computeForwardDynamics();
    });
  }

 private:
  static constexpr int kMostLinks = 1000;  // its tree is walked by recursion: the stack ends
};

}  // namespace

std::unique_ptr<Peer> make_dart() { return std::make_unique<Dart>(); }

}  // namespace peers
