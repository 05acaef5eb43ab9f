// Reactions by a sweep over the tree against ones that are known: multipliers are made up, the loads are those that
// they balance, and both ways must find the wrenches of all joints again, whatever carries the bodies and in any pose.
#include "system/reaction_sweep.hpp"

#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "formulation/relative/relative_formulation.hpp"
#include "random_place.hpp"
#include "system/reactions.hpp"

namespace cardan {
namespace {

constexpr JointType kTypes[] = {JointType::revolute,  JointType::prismatic,  JointType::cylindrical,
                                JointType::universal, JointType::spherical,  JointType::planar,
                                JointType::fixed,     JointType::free,       JointType::screw,
                                JointType::pin_slot,  JointType::translation};

/// A chain of three bodies on joints of this type, drawn forwards or backwards, with a rod back to ground, and beside
/// it a gear of two shafts of which one is driven.
Mechanism chain(JointType type, bool backwards, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const RandomPlace p(random(), false);
  MechanismBuilder b("chain");
  const auto body = [&](const char* name) {
    b.body(name, 1 + 0.5 * number(random), Place(p.at(number(random), number(random), number(random))),
           Mat3(Vec3(1.1, 1.3, 1.7).asDiagonal()));
  };
  const char* names[] = {"ground", "first", "second", "third"};
  for (int i = 1; i < 4; ++i) body(names[i]);
  for (int i = 1; i < 4; ++i) {
    JointSpec joint{.name = std::string("joint") + std::to_string(i), .type = i == 2 ? JointType::revolute : type};
    joint.body1 = names[backwards ? i : i - 1];
    joint.body2 = names[backwards ? i - 1 : i];
    joint.at1 = Place(p.at(number(random), number(random), number(random)));
    const Vec3 axis = Vec3(number(random), number(random), number(random)).normalized();
    const Vec3 side = axis.cross(Vec3(number(random), number(random), number(random))).normalized();
    const bool plain = joint.type == JointType::spherical || joint.type == JointType::fixed ||
                       joint.type == JointType::free || joint.type == JointType::translation;
    if (!plain) joint.axis1 = Direction(axis);
    if (joint.type == JointType::universal) joint.axis2 = Direction(side);
    if (joint.type == JointType::screw) joint.pitch = 0.3;
    b.add(joint);
  }
  b.distance("rod", "ground", "third", Place(p.at(2, 1, 3)), Place(p.at(0.3, 0.2, 0.1)));
  body("shaft1"), body("shaft2");
  b.revolute("pin1", "second", "shaft1", p.at(0, 1, 0), Direction(p.along(0, 0.6, 0.8)));
  b.revolute("pin2", "second", "shaft2", p.at(0, 2, 0), Direction(p.along(0, 0.6, 0.8)));
  b.gear("gear", "pin1", "pin2", -1.7).driver("drive", "pin1", Function::polynomial({0.1, 0.2}));
  return b.build();
}

TEST(ReactionSweep, FindsWhatWasMadeUp) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> number(-1, 1);
  using Twist = Space<3>::Twist;
  for (const JointType type : kTypes) {
    for (const bool backwards : {false, true}) {
      SCOPED_TRACE(std::string(joint_type_name(type)) + (backwards ? " backwards" : ""));
      const Mechanism mechanism = chain(type, backwards, random);
      const auto model = std::make_shared<const BodyModel<3>>(mechanism);
      const RelativeFormulation<3> formulation(model, model->drawn(), make_spanning_tree(mechanism, {}), 1);
      const auto work = formulation.make_workspace();
      Context state;
      formulation.start(state, *work);
      for (double& q : state.q) q = 0.7 * number(random);  // the rod need not fit
      formulation.position(0, state.q, state, *work);
      BodyKinematics<3> k = formulation.kinematics(*work);
      for (int i = 0; i < model->bodies(); ++i) k.twist[i] = Twist::Random(), k.acceleration[i] = Twist::Random();

      std::vector<Twist> applied(model->bodies() + 1, Twist::Zero()), expected(mechanism.joints.size(), Twist::Zero());
      for (int i = 0; i < model->bodies(); ++i) {
        const RigidInertia<3> M = model->inertia(i, k);
        applied[i] = M * k.acceleration[i] + carried_wrench_rate<3>(k.twist[i], M * k.twist[i]);
      }
      ConstraintRows<3> rows(*model);
      std::vector<int> joint_of;
      for (int j = 0; j < static_cast<int>(mechanism.joints.size()); ++j) {
        rows.add_joint(j);
        joint_of.resize(rows.size(), j);
      }
      rows.add_couplers();
      rows.add_drivers();
      joint_of.resize(rows.size(), -1);
      std::vector<double> multiplier(rows.size());
      for (int r = 0; r < rows.size(); ++r) {
        multiplier[r] = 10 * number(random);
        for (int i = rows.rows()[r].first; i < rows.rows()[r].last; ++i) {
          const auto& term = rows.terms()[i];
          const Twist w = multiplier[r] * term.weight * term.measure.gradient(k);
          applied[term.measure.body2] -= w;
          applied[term.measure.body1] += w;
          if (joint_of[r] >= 0) expected[joint_of[r]] += w;
        }
      }
      ReactionAnalysis<3> by_sweep(*model, model->drawn(), 1), by_squares(*model, model->drawn(), 1, true, false);
      ASSERT_TRUE(by_sweep.open_joints().empty());
      for (ReactionAnalysis<3>* analysis : {&by_sweep, &by_squares}) {
        analysis->solve(0, k, applied);
        for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
          EXPECT_LT((analysis->joint_wrench(static_cast<int>(j)) - expected[j]).norm(), 1e-8)
              << mechanism.joints[j].name << (analysis == &by_sweep ? " by the sweep" : " by least squares");
        }
        EXPECT_NEAR(analysis->coupler_effort(0), multiplier[rows.size() - 2], 1e-8);
        EXPECT_NEAR(analysis->driver_effort(0), multiplier[rows.size() - 1], 1e-8);
      }
    }
  }
}

/// Accelerations that do not fit: what is left along the motions of a joint is not given to it.
TEST(ReactionSweep, GivesNothingAlongMotions) {
  std::mt19937 random(3);
  for (const JointType type : kTypes) {
    SCOPED_TRACE(joint_type_name(type));
    const Mechanism mechanism = chain(type, false, random);
    const auto model = std::make_shared<const BodyModel<3>>(mechanism);
    const BodyKinematics<3> k = model->drawn();
    std::vector<Space<3>::Twist> wanted(model->bodies() + 1), wrench(mechanism.joints.size());
    for (auto& w : wanted) w.setRandom();
    ReactionSweep<3> sweep(*model, make_spanning_tree(mechanism, {}), 1);
    ASSERT_TRUE(sweep.solve(0, k, {}, wanted, wrench));
    ConstraintRows<3> rows(*model);
    for (const int joint : {0, 1, 2}) {
      const int first = rows.size();
      rows.add_joint(joint);
      // It must be a combination of the joint's own rows.
      Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6, 6);
      for (int r = first; r < rows.size(); ++r) {
        for (int i = rows.rows()[r].first; i < rows.rows()[r].last; ++i)
          W.col(r - first) += rows.terms()[i].weight * rows.terms()[i].measure.gradient(k);
      }
      const VecX wrong = wrench[joint] - W * W.completeOrthogonalDecomposition().solve(wrench[joint]);
      EXPECT_LT(wrong.norm(), 1e-10) << joint;
    }
  }
}

}  // namespace
}  // namespace cardan
