// Models as URDF and back: the same motion; and what the formats have no words for.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"
#include "formats/random_robot.hpp"
#include "formats/robot_text.hpp"
#include "last_sample.hpp"
#include "mechanism/joint_types.hpp"

namespace cardan {
namespace {

/// The model that comes back, with its sidecar where there is one.
Mechanism round_trip(const Mechanism& mechanism, const ExportOptions& options = {}) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("cardan_export_{}", getpid());
  std::filesystem::create_directories(folder);
  const ExportedModel model = export_urdf(mechanism, "robot.urdf", options);
  std::ofstream(folder / "robot.urdf") << model.text;
  std::ofstream(folder / "robot.yaml") << model.sidecar;
  Mechanism back = read_mechanism((folder / (model.sidecar.empty() ? "robot.urdf" : "robot.yaml")).string());
  std::filesystem::remove_all(folder);
  return back;
}

/// Largest difference of the bodies' places and velocities at the end of both runs; names in the second may be
/// robot/NAME.
double difference(const Mechanism& one, const Mechanism& two, double until, int* compared) {
  const RunOptions options = options_of("hybrid", 1e-3, until, "rk4");
  const FinishedRun a = finish(one, options), b = finish(two, options);
  EXPECT_EQ(a.summary.status, RunStatus::ok);
  EXPECT_EQ(b.summary.status, RunStatus::ok);
  double worst = 0;
  for (const Body& body : one.bodies) {
    const bool included = std::any_of(two.bodies.begin(), two.bodies.end(),
                                      [&](const Body& other) { return other.name == "robot/" + body.name; });
    const std::string other = (included ? "robot/" : "") + body.name;
    for (const char* field : {"x", "y", "vx", "vy"}) {
      worst = std::max(worst, std::abs(a.last[body.name + "." + field] - b.last[other + "." + field]));
      ++*compared;
    }
    if (one.planar) continue;
    for (const char* field : {"z", "vz", "wx", "wy", "wz"})
      worst = std::max(worst, std::abs(a.last[body.name + "." + field] - b.last[other + "." + field]));
  }
  return worst;
}

TEST(Export, RandomRobotsComeBack) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const Mechanism robot = read_mechanism_text(random_robot(seed, 12).urdf, "r.urdf");
    EXPECT_LT(difference(robot, round_trip(robot), 0.3, &compared), 1e-8) << seed;
  }
  EXPECT_EQ(compared, 6 * 12 * 4);
}

// Joints of every kind that URDF can be given, drawn and started anywhere.
const char* const kChain = R"(cardan: 1
gravity: [1, 2, -9]
bodies:
  a: {box: [0.4, 0.3, 0.2], at: [0.1, 0.2, 0.3], mass: 3, axes: {x: [1, 1, 0], z: [0, 0, 1]}}
  b: {box: [0.4, 0.1, 0.2], at: [0.6, 0.2, 0.3], mass: 2}
  c: {box: [0.1, 0.3, 0.2], at: [1.1, 0.2, 0.5], mass: 1}
  d: {box: [0.1, 0.3, 0.3], at: [1.1, 0.7, 0.5], mass: 1}
  e: {box: [0.2, 0.3, 0.3], at: [1.1, 0.7, 0.9], mass: 1}
  f: {box: [0.2, 0.1, 0.3], at: [0.3, 1.7, 0.9], mass: 1}
  g: {box: [0.2, 0.1, 0.1], at: [0.3, 1.7, 1.4], mass: 1}
joints:
  j1: {revolute: [ground, a], at: [0, 0, 0], axis: [1, 0, 2], drawn: 0.3}
  j2: {universal: [b, a], at: [0.4, 0.2, 0.3], axes: [[0, 1, 0], [0, 0, 1]]}
  j3: {cylindrical: [b, c], at: [0.9, 0.2, 0.4], axis: [1, 1, 1]}
  j4: {pin_slot: [c, d], at: [1.1, 0.5, 0.5], axis: x, x_axis: y}
  j5: {prismatic: [e, d], at: [1.1, 0.7, 0.7], axis: z}
  j6: {free: [ground, f]}
  j7: {planar: [f, g], at: [0.3, 1.7, 1.2], axis: [0, 1, 1], x_axis: x}
loads:
  rub: {torsion: j1, damping: 0.5}
  grip: {friction: j5, viscous: 0.2, coulomb: 0.3}
initial:
  j1: {position: 0.5, velocity: 1}
  j5: {position: 0.05, velocity: -0.2}
  f: {velocity: [0.1, 0.2, 0.3], angular_velocity: [1, -1, 0.5]}
)";

TEST(Export, ChainsOfAllJointsComeBack) {
  const Mechanism chain = read_mechanism_text(kChain, "chain.yaml");
  int compared = 0;
  EXPECT_LT(difference(chain, round_trip(chain), 0.4, &compared), 1e-7);
  EXPECT_EQ(compared, 28);
}

TEST(Export, BallsBecomeThreeHinges) {
  const Mechanism chain = read_mechanism_text(R"(cardan: 1
bodies:
  a: {box: [0.4, 0.3, 0.2], at: [0.3, 0.2, 0.3], mass: 3, axes: {x: [1, 1, 0], z: [0, 0, 1]}}
  b: {box: [0.4, 0.1, 0.2], at: [0.9, 0.2, 0.3], mass: 2}
joints: {p: {spherical: [ground, a], at: [0, 0, 0]}, q: {spherical: [b, a], at: [0.6, 0.2, 0.3]}}
initial: {a: {angular_velocity: [0.5, 1, -1]}, b: {angular_velocity: [1, 0, 2]}}
)",
                                              "balls.yaml");
  int compared = 0;
  EXPECT_LT(difference(chain, round_trip(chain), 0.3, &compared), 1e-6);
  EXPECT_EQ(compared, 8);
}

TEST(Export, LoopsComeBackThroughTheSidecar) {
  const std::string models = CARDAN_SOURCE_DIR "/models/";
  int compared = 0;
  for (const char* name : {"four_bar.yaml", "double_four_bar.yaml"}) {
    const Mechanism mechanism = read_mechanism(models + name);
    EXPECT_LT(difference(mechanism, round_trip(mechanism), 0.3, &compared), 1e-7) << name;
  }
  EXPECT_GT(compared, 20);
}

/// A body that moves freely but for a joint of this type with an arm.
Mechanism held_by(JointType type, bool planar) {
  const JointTraits& type_of = traits(type);
  const Vec3 axis = planar ? Vec3(0.6, 0.8, 0) : Vec3(0.3, -0.5, 0.8).normalized();
  const Vec3 across = planar ? Vec3(-0.8, 0.6, 0) : Vec3(axis.cross(Vec3(1, 0.2, 0)).normalized());
  const Vec3 at(0.5, 0.2, planar ? 0 : -0.3);
  MechanismBuilder b("held");
  if (planar) b.planar();
  b.gravity({0.5, -3, planar ? 0.0 : -9});
  if (planar) {
    b.body("arm", 1.3, Place(0.3, 0.1), 0.06).body("load", 0.8, Place(0.7, 0.4), 0.03);
    b.revolute("hinge", "ground", "arm", Place(0, 0));
  } else {
    b.body("arm", 1.3, Vec3(0.3, 0.1, -0.2), Mat3(0.06 * Mat3::Identity()));
    b.body("load", 0.8, Vec3(0.7, 0.4, -0.5), Mat3(Vec3(0.03, 0.02, 0.04).asDiagonal()));
    b.revolute("hinge", "ground", "arm", Vec3(0, 0, 0), Vec3(1, 2, 3));
  }
  b.free("nothing", "ground", "load");
  JointSpec joint{.name = "joint", .type = type, .body1 = "arm", .body2 = "load"};
  if (type_of.needs_place) joint.at1 = at;
  if (type_of.has_field("axes")) joint.axis1 = axis, joint.axis2 = across;
  if (type_of.has_field("axis") && !(planar && type_of.in_plane.coordinates == "Z")) joint.axis1 = axis;
  if (type_of.has_field("length")) joint.at2 = Vec3(at + 0.4 * across + 0.1 * (planar ? axis : Vec3::Zero().eval()));
  if (type_of.has_field("pitch")) joint.pitch = Number(0.4);
  if (type_of.has_field("x_axis") && !planar && type_of.in_space.coordinates == "xZ") joint.x_axis = across;
  b.add(joint);
  b.angular_velocity("arm", planar ? Vec3(0, 0, 0.7) : Vec3(0.7 * Vec3(1, 2, 3)));
  Mechanism mechanism = b.build();
  mechanism.simulation.cut = {"joint"};
  return mechanism;
}

TEST(Export, EveryTypeOfJointMayCloseALoop) {
  int compared = 0, loops = 0;
  for (std::size_t i = 0; i < joint_types().size(); ++i) {
    const JointType type = static_cast<JointType>(i);
    if (type == JointType::free) continue;
    for (const bool planar : {true, false}) {
      if (planar && traits(type).instead != nullptr) continue;
      const Mechanism mechanism = held_by(type, planar);
      EXPECT_LT(difference(mechanism, round_trip(mechanism), 0.3, &compared), 1e-6) << traits(type).name << planar;
      ++loops;
    }
  }
  EXPECT_GE(loops, 15 + 6);
  EXPECT_EQ(compared, loops * 2 * 4);
}

TEST(Export, CouplersBecomeMimicJoints) {
  const Mechanism gears = read_mechanism_text(R"(cardan: 1
bodies: {a: {mass: 1, center: [0, 0.1, 0], inertia: [1, 1, 1]}, b: {mass: 1, center: [1, 0, 0.2], inertia: [1, 1, 1]}}
joints: {p: {revolute: [ground, a], at: [0, 0, 0], axis: x, drawn: 0.2}, q: {revolute: [ground, b], at: [1, 0, 0], axis: y, drawn: 0.1}}
couplers: {g: {gear: [p, q], ratio: -1.5}}
)",
                                              "gears.yaml");
  int compared = 0;
  EXPECT_LT(difference(gears, round_trip(gears), 0.5, &compared), 1e-9);
  EXPECT_EQ(compared, 8);
}

/// A mesh of a model, of the robot that is made of it, and of the model that is made of that: the same triangles in the
/// same places.
TEST(Export, MeshesComeBack) {
  namespace fs = std::filesystem;
  std::string pattern = (fs::temp_directory_path() / "cardan meshes_XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const fs::path folder = pattern;
  std::ofstream(folder / "solid.obj")
      << "v 0 0 0\nv 100 0 0\nv 0 200 0\nv 0 0 300\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(folder / "model.yaml") << R"(cardan: 1
name: meshed
bodies:
  ground: {geometry: [{mesh: solid.obj, at: [1, 2, 3], scale: 0.01}]}
  arm:
    mass: 2
    center: [0.5, 0.1, 0]
    inertia: [0.1, 0.2, 0.2]
    axes: {x: [0.8, 0.6, 0], y: [-0.6, 0.8, 0]}
    geometry: [{mesh: solid.obj, at: [0.5, 0.3, 0.2], axes: {x: [0, 0.6, 0.8], y: [1, 0, 0]}, scale: [0.001, -0.002, 0.003]}]
joints: {pin: {revolute: [ground, arm], at: [0, 0, 0], axis: [0, 0.6, 0.8]}}
)";
  const Mechanism model = read_mechanism((folder / "model.yaml").string());
  std::ofstream(folder / "robot.urdf") << export_urdf(model, "robot.urdf").text;
  const Mechanism robot = read_mechanism((folder / "robot.urdf").string());
  fs::create_directory(folder / "below");
  ImportOptions options;
  options.folder = (folder / "below").string();
  const std::string text = import_model((folder / "robot.urdf").string(), options);
  EXPECT_NE(text.find("mesh: ../solid.obj"), std::string::npos) << text;
  std::ofstream(folder / "below/again.yaml") << text;
  const Mechanism again = read_mechanism((folder / "below/again.yaml").string());
  fs::remove_all(folder);
  const auto corners = [](const Mechanism& m) {
    std::vector<Vec3> found;
    for (const Geometry& g : m.geometry)
      for (const auto& v : g.mesh->vertices)
        found.push_back(g.origin + g.axes * v.cast<double>().cwiseProduct(g.scale));
    return found;
  };
  const auto first = corners(model);
  ASSERT_EQ(first.size(), 8u);
  for (const Mechanism* other : {&robot, &again}) {
    const auto those = corners(*other);
    ASSERT_EQ(those.size(), first.size());
    EXPECT_TRUE(other->warnings.empty());
    for (const Vec3& corner : first)
      EXPECT_LT(std::accumulate(those.begin(), those.end(), 1e9,
                                [&](double least, const Vec3& p) { return std::min(least, (p - corner).norm()); }),
                1e-6);
  }
}

TEST(Export, WhatThereIsNoWordForIsNamed) {
  const std::string text = std::string(kChain) + "drivers: {turn: {joint: j1, position: t}}\n";
  std::string with_driver = text;
  with_driver.replace(with_driver.find("  j1: {position: 0.5, velocity: 1}\n"), 35, "");
  const Mechanism driven = read_mechanism_text(with_driver, "chain.yaml");
  for (const bool mjcf : {false, true}) {
    try {
      mjcf ? export_mjcf(driven) : export_urdf(driven, "r.urdf");
      ADD_FAILURE() << "not refused";
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("driver 'turn'"), std::string::npos) << error.what();
    }
  }
  ExportOptions options;
  options.leave_out = true;
  EXPECT_EQ(export_urdf(driven, "r.urdf", options).left_out.size(), 1u);
  const Mechanism screw = read_mechanism_text(
      "cardan: 1\nbodies: {a: {sphere: 0.1, at: [0, 0, 0], mass: 1}}\njoints: {s: {screw: [ground, a], at: [0, 0, 0], "
      "axis: z, pitch: 0.1}}\n",
      "s.yaml");
  EXPECT_THROW(export_mjcf(screw), ModelError);
  const Mechanism slender = read_mechanism_text(
      "cardan: 1\nbodies: {a: {rod: [[0, 0, 0], [1, 0, 0]], mass: 1}}\njoints: {s: {revolute: [ground, a], at: [0, 0, "
      "0], axis: y}}\n",
      "s.yaml");
  EXPECT_THROW(export_mjcf(slender), ModelError);
  EXPECT_NE(export_mjcf(slender, options).text.find("it gets a millionth of the largest one"), std::string::npos);
}

}  // namespace
}  // namespace cardan
