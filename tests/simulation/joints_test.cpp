// Every joint type in space, as a tree joint and as a loop closure, in every formulation: they must describe one
// motion.
#include <gtest/gtest.h>

#include "cardan/builder.hpp"
#include "last_sample.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

const Vec3 kJointAxis = Vec3(0.3, -0.5, 0.8).normalized();
const Vec3 kAcrossAxis = kJointAxis.cross(Vec3(1, 0.2, 0)).normalized();

/// The fields that its type has, each with what serves.
JointSpec joint_of(JointType type, const std::string& body1, const std::string& body2) {
  const JointTraits& type_of = traits(type);
  const Vec3 at(0.5, 0.2, -0.3);
  JointSpec joint{.name = "joint", .type = type, .body1 = body1, .body2 = body2};
  if (type_of.needs_place) joint.at1 = at;
  if (type_of.has_field("axis") || type_of.has_field("axes")) joint.axis1 = kJointAxis;
  if (type_of.has_field("axes")) joint.axis2 = kAcrossAxis;
  if (type_of.has_field("length")) joint.at2 = Vec3(at + Vec3(0.2, 0.5, -0.3));
  if (type_of.has_field("pitch")) joint.pitch = Number(0.4);
  // Points that stay on something are drawn apart.
  const JointEquations equations(type, false);
  if (type_of.link && equations.has_position(0)) joint.at2 = Vec3(at + 0.2 * kJointAxis);
  if (type_of.link && equations.has_position(2)) joint.at2 = Vec3(at + 0.2 * kAcrossAxis);
  return joint;
}

Mat3 sample_inertia(double x, double y, double z) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  return turn * Vec3(x, y, z).asDiagonal() * turn.transpose();
}

/// Two bodies: one on a ball joint, the other hung from it by the joint in question and free otherwise, springs and
/// dampers between them and ground. `first` and `second` say which of the two is the joint's first body.
Mechanism two_bodies(JointType type, bool swapped) {
  MechanismBuilder b("two bodies");
  b.gravity({0.5, -1, -9});
  b.body("upper", 1.3, Vec3(0.3, 0.1, -0.2), sample_inertia(0.05, 0.08, 0.06));
  b.body("lower", 0.8, Vec3(0.7, 0.4, -0.5), sample_inertia(0.03, 0.02, 0.04));
  b.spherical("ball", "ground", "upper", Vec3(0, 0, 0));
  b.add(joint_of(type, swapped ? "lower" : "upper", swapped ? "upper" : "lower"));
  if (type != JointType::free) b.free("nothing", "ground", "lower");
  b.spring("spring", "ground", "lower", Vec3(1, 1, 0.5), Vec3(0.7, 0.5, -0.4), 20, 0.5);
  b.spring("other", "upper", "lower", Vec3(0.1, 0.4, -0.1), Vec3(0.9, 0.4, -0.6), 15, 0.3);
  b.angular_velocity("upper", {1, -0.5, 0.7});
  return b.build();
}

struct Case {
  JointType type;
  bool swapped;
};

class EveryJoint : public testing::TestWithParam<Case> {};

TEST_P(EveryJoint, IsOneMotionInEveryFormulation) {
  const Mechanism mechanism = two_bodies(GetParam().type, GetParam().swapped);
  const bool can_cut = GetParam().type != JointType::free;
  struct Way {
    std::string formulation;
    bool cut;
  };
  std::vector<Way> ways{{"global", false}, {"hybrid", false}, {"topological", false}, {"cartesian", false}};
  if (can_cut) ways.insert(ways.end(), {{"hybrid", true}, {"topological", true}});

  const FinishedRun reference = finish(mechanism, options_of("hybrid", 5e-5, 1));
  ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
  for (const Way& way : ways) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const double step = is_link(GetParam().type) ? 0.004 : 0.008;
      RunOptions options = options_of(way.formulation, i == 0 ? step : step / 8, 1);
      if (way.cut) options.cut = {"joint"};
      const FinishedRun run = finish(mechanism, options);
      ASSERT_EQ(run.summary.status, RunStatus::ok) << way.formulation << ": " << run.summary.reason;
      EXPECT_LT(run.summary.position.value, 1e-8) << way.formulation;
      EXPECT_LT(run.summary.velocity.value, 1e-8) << way.formulation;
      EXPECT_LT(run.summary.acceleration.value, 1e-8) << way.formulation;
      EXPECT_EQ(run.summary.redundant_constraints, 0) << way.formulation;
      error[i] = LastSample::difference(run.last, reference.last, mechanism);
    }
    // What a link alone holds swings wider.
    EXPECT_LT(error[0], is_link(GetParam().type) ? 0.06 : 0.05) << way.formulation << (way.cut ? ", cut" : "");
    // Second order: four for every halving. (Over three of them, since topological may change coordinates in between.)
    EXPECT_NEAR(std::log2(error[0] / error[1]) / 3, 2, 0.15)
        << way.formulation << (way.cut ? ", cut" : "") << " " << error[0];
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (std::size_t type = 0; type < joint_types().size(); ++type) {
    for (bool swapped : {false, true}) cases.push_back({static_cast<JointType>(type), swapped});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Types, EveryJoint, testing::ValuesIn(all_cases()), [](const auto& info) {
  return std::string(joint_type_name(info.param.type)) + (info.param.swapped ? "_swapped" : "");
});

}  // namespace
}  // namespace cardan
