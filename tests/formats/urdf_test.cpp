// URDF files as models: where things are, what moves how, and what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cardan/simulation.hpp"
#include "cardan/system.hpp"
#include "formats/random_robot.hpp"
#include "formats/robot_text.hpp"
#include "last_sample.hpp"

namespace cardan {
namespace {

double acceleration(const Mechanism& mechanism, const std::string& joint, double q = 0, double v = 0) {
  const System system(mechanism, "hybrid");
  const CoordinateHandle handle = system.coordinate(joint);
  const Context at = with_joints(system, system.start(), {handle}, VecX::Constant(1, q), VecX::Constant(1, v));
  const VecX a = forward_dynamics(system, at).acceleration;
  return effort_direction(system, at, handle).dot(a);
}

const Body& body(const Mechanism& mechanism, const std::string& name) {
  for (const Body& body : mechanism.bodies)
    if (body.name == name) return body;
  throw std::out_of_range(name);
}

// The flange of a Panda at zero is 0.333 + 0.316 + 0.384 - 0.107 above its base and 0.088 in front of it.
TEST(Urdf, PandaLikeArmIsDrawnWhereItsNumbersSay) {
  const Mechanism m = read_mechanism(kRobots + "panda_like.urdf");
  EXPECT_EQ(m.bodies.size(), 11u);  // world, flange and tool have no mass
  EXPECT_EQ(m.joints.size(), 11u);
  ASSERT_EQ(m.markers.size(), 3u);
  const Marker& flange = m.markers[1];
  EXPECT_EQ(flange.name, "flange");
  EXPECT_EQ(m.body_name(flange.body), "link7");
  EXPECT_LT((flange.origin - Vec3(0.088, 0, 0.1 + 0.333 + 0.316 + 0.384 - 0.107)).norm(), 1e-14);
  EXPECT_LT((flange.axes.col(2) + Vec3::UnitZ()).norm(), 1e-14);  // points down
  ASSERT_EQ(m.couplers.size(), 1u);
  EXPECT_EQ(m.warnings.size(), 1u);  // the mesh
  // The mimic joint's offset is in the drawing.
  const Joint& right = m.joints[static_cast<std::size_t>(m.couplers[0].joint2)];
  ASSERT_EQ(right.drawn.size(), 1u);
  EXPECT_EQ(right.drawn[0], 0.005);
  // Inertias are turned from the inertial frame into the link's.
  const Mat3 given = (Mat3() << 0.02, -0.003, 0.004, -0.003, 0.018, 0.003, 0.004, 0.003, 0.01).finished();
  const Mat3 turn = (Eigen::AngleAxisd(0.5, Vec3::UnitZ()) * Eigen::AngleAxisd(-0.2, Vec3::UnitY()) *
                     Eigen::AngleAxisd(0.3, Vec3::UnitX()))
                        .toRotationMatrix();
  const Body& link3 = body(m, "link3");
  EXPECT_LT((link3.axes.transpose() * link3.inertia * link3.axes - turn * given * turn.transpose()).norm(), 1e-15);
}

// A bar on a hinge at any angle, its inertia given in axes of its own: q'' = -m g l sin / (m l^2 + u I u).
TEST(Urdf, PendulumsFollowTheirClosedForm) {
  int count = 0;
  for (const double roll : {0.0, 0.7, 2.0})
    for (const double yaw : {0.0, -1.1}) {
      const std::string rpy = fmt::format("{} 0 {}", roll, yaw);
      const Mechanism m = read_urdf_text(
          "<link name=\"base\"/>\n" +
          link("bar", "0 0 -0.4", 2, "ixx=\"0.05\" iyy=\"0.08\" izz=\"0.06\" ixy=\"0.01\"", rpy) +
          joint("pin", "continuous", "base", "bar", "<origin xyz=\"1 2 3\" rpy=\"0 0 0.3\"/><axis xyz=\"0 1 0\"/>"));
      const Mat3 turn =
          (Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(roll, Vec3::UnitX())).toRotationMatrix();
      const Mat3 own = (Mat3() << 0.05, 0.01, 0, 0.01, 0.08, 0, 0, 0, 0.06).finished();
      const double inertia = (turn * own * turn.transpose())(1, 1) + 2 * 0.4 * 0.4;
      EXPECT_NEAR(acceleration(m, "pin", 0.6), -2 * 9.81 * 0.4 * std::sin(0.6) / inertia, 1e-12);
      ++count;
    }
  EXPECT_EQ(count, 6);
}

TEST(Urdf, DampingAndFrictionActOnTheJoint) {
  const std::string parts = "<link name=\"base\"/>\n" + link("wheel") + link("slide");
  const Mechanism m = read_urdf_text(parts +
                                     joint("axle", "continuous", "base", "wheel",
                                           "<axis xyz=\"0 0 1\"/><dynamics damping=\"0.3\" friction=\"0.2\"/>") +
                                     joint("rail", "prismatic", "base", "slide",
                                           "<axis xyz=\"1 0 0\"/><limit lower=\"0\" upper=\"1\" effort=\"9\" "
                                           "velocity=\"9\"/><dynamics damping=\"3\"/>"));
  EXPECT_NEAR(acceleration(m, "axle", 0, 2), -(0.3 * 2 + 0.2) / 0.1, 1e-9);
  EXPECT_NEAR(acceleration(m, "rail", 0, 2), -3 * 2 / 1.0, 1e-12);
}

// What the model file that is made of a robot does, the robot does: to the last bit.
TEST(Urdf, ImportedModelsRunAlike) {
  int compared = 0;
  std::vector<std::string> files{kRobots + "panda_like.urdf", kRobots + "ur_like.urdf"};
  const std::string random =
      (std::filesystem::temp_directory_path() / fmt::format("cardan_random_{}.urdf", getpid())).string();
  std::ofstream(random) << random_robot(5, 12).urdf;
  files.push_back(random);
  for (const std::string& file : files) {
    const Mechanism direct = read_mechanism(file);
    const Mechanism imported = read_mechanism_text(import_model(file), "imported.yaml");
    const RunOptions options = options_of("hybrid", 1e-3, 0.2);
    const FinishedRun one = finish(direct, options), two = finish(imported, options);
    ASSERT_EQ(one.last.columns(), two.last.columns()) << file;
    EXPECT_EQ(one.last.row(), two.last.row()) << file;
    compared += static_cast<int>(one.last.row().size());
  }
  std::filesystem::remove(random);
  EXPECT_GT(compared, 300);
}

TEST(Urdf, OptionsOfTheImport) {
  ImportOptions options;
  options.stops = 2e4;
  options.floating = true;
  const Mechanism m = read_mechanism_text(import_model(kRobots + "ur_like.urdf", options), "imported.yaml");
  EXPECT_EQ(m.joints[0].type, JointType::free);
  EXPECT_EQ(m.joint_springs.size(), 6u);
  EXPECT_NEAR(m.joint_springs[0].spring(7) - m.joint_springs[0].spring(6.5), 2e4 * 0.5, 1e-6);
  EXPECT_EQ(m.joint_springs[0].spring(6), 0);
}

// Links without mass between two hinges stay bodies, those fixed to others become places on them, a massless link that
// carries a heavy one gives it its joint.
TEST(Urdf, LinksWithoutMass) {
  const std::string hinge = "<axis xyz=\"0 0 1\"/>";
  const Mechanism m = read_urdf_text(
      "<link name=\"world\"/><link name=\"cross\"/><link name=\"mount\"/><link name=\"tip\"/>\n" + link("arm") +
      link("tool") + joint("a", "continuous", "world", "cross", "<axis xyz=\"1 0 0\"/>") +
      joint("b", "continuous", "cross", "arm", hinge) +
      joint("c", "continuous", "arm", "mount", "<origin xyz=\"0 0 1\"/><axis xyz=\"1 0 0\"/>") +
      joint("d", "fixed", "mount", "tool", "<origin xyz=\"0 0.5 0\"/>") + joint("e", "fixed", "tool", "tip"));
  ASSERT_EQ(m.bodies.size(), 3u);
  EXPECT_EQ(m.bodies[0].name, "cross");
  EXPECT_EQ(m.bodies[0].mass, 0);
  ASSERT_EQ(m.joints.size(), 3u);
  EXPECT_EQ(m.joints[2].name, "c");
  EXPECT_EQ(m.body_name(m.joints[2].body2), "tool");
  EXPECT_LT((m.joints[2].frame2.origin - Vec3(0, 0, 1)).norm(), 1e-15);
  EXPECT_EQ(m.markers.size(), 3u);
  EXPECT_EQ(finish(m, options_of("hybrid", 1e-3, 0.1)).summary.status, RunStatus::ok);
}

TEST(Urdf, MimicJointsFollow) {
  const Mechanism m = read_urdf_text("<link name=\"base\"/>" + link("one", "0 0.1 0") + link("two", "0.1 0 0") +
                                     joint("lead", "continuous", "base", "one", "<axis xyz=\"0 0 1\"/>") +
                                     joint("follow", "prismatic", "base", "two",
                                           "<axis xyz=\"0 0 1\"/><limit lower=\"-9\" upper=\"9\" effort=\"1\" "
                                           "velocity=\"1\"/><mimic joint=\"lead\" multiplier=\"-2\" offset=\"0.3\"/>"));
  // 0.1 + 0.01 is the wheel, 4 the slide behind the gear: its weight drives both.
  const LastSample last = finish(m, options_of("hybrid", 1e-3, 0.5)).last;
  EXPECT_NEAR(last["follow.q"], 0.3 - 2 * last["lead.q"], 1e-9);
  EXPECT_NEAR(last["lead.q"], 0.5 * 2 * 9.81 / (0.11 + 4) * 0.25, 1e-6);
}

// The robot is a chain; the model that includes it closes the loop, drives it and pulls at it.
TEST(Urdf, ModelsCloseTheLoopsOfRobots) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("cardan_sidecar_{}", getpid());
  std::filesystem::create_directories(folder);
  const auto bar = [](const char* name, const char* center, const char* moments) {
    return link(name, center, 1, moments);
  };
  const std::string along = "ixx=\"0.001\" iyy=\"0.0833333333333333\" izz=\"0.0833333333333333\"",
                    up = "ixx=\"0.0833333333333333\" iyy=\"0.001\" izz=\"0.0833333333333333\"";
  std::ofstream(folder / "chain.urdf")
      << "<robot name=\"chain\"><link name=\"world\"/>\n"
      << bar("crank", "0 0.5 0", up.c_str()) << bar("coupler", "0.5 0 0", along.c_str())
      << bar("rocker", "0 -0.5 0", up.c_str()) << joint("a", "continuous", "world", "crank", "<axis xyz=\"0 0 1\"/>")
      << joint("b", "continuous", "crank", "coupler", "<origin xyz=\"0 1 0\"/><axis xyz=\"0 0 1\"/>")
      << joint("c", "continuous", "coupler", "rocker", "<origin xyz=\"1 0 0\"/><axis xyz=\"0 0 1\"/>") << "</robot>\n";
  const std::string closed =
      "cardan: 1\ngravity: [0, -9.81, 0]\nsubsystems: {arm: {file: chain.urdf}}\n"
      "joints: {d: {revolute: [ground, arm/rocker], at: [1, 0, 0], axis: z}}\n"
      "initial: {arm/a: {velocity: -1}}\n";
  const std::string yaml =
      "cardan: 1\nplanar: true\npoints: {A: [0, 0], B: [0, 1], C: [1, 1], D: [1, 0]}\n"
      "bodies: {crank: {rod: [A, B], mass: 1}, coupler: {rod: [B, C], mass: 1}, rocker: {rod: [D, C], mass: 1}}\n"
      "joints: {a: {revolute: [ground, crank], at: A}, b: {revolute: [crank, coupler], at: B}, "
      "c: {revolute: [coupler, rocker], at: C}, d: {revolute: [ground, rocker], at: D}}\n"
      "initial: {a: {velocity: -1}}\n";
  const RunOptions options = options_of("hybrid", 1e-3, 1);
  const LastSample one = finish(read_mechanism_text(closed, (folder / "closed.yaml").string()), options).last;
  const LastSample two = finish(read_mechanism_text(yaml, "four_bar.yaml"), options).last;
  std::filesystem::remove_all(folder);
  int count = 0;
  for (const char* name : {"crank", "coupler", "rocker"})
    for (const char* field : {"x", "y", "vx", "vy"}) {
      EXPECT_NEAR(one[std::string("arm/") + name + "." + field], two[std::string(name) + "." + field], 1e-9);
      ++count;
    }
  EXPECT_EQ(count, 12);
  EXPECT_GT(std::abs(two["crank.x"]), 0.1);  // it did move
}

TEST(Urdf, BrokenFilesAreToldWithTheirLine) {
  const std::string a = link("a"), b = link("b"), c = link("c");
  const std::string hinge = "<axis xyz=\"0 0 1\"/>";
  struct Case {
    std::string inside, expected;
  };
  const Case cases[] = {
      {a + b + joint("j", "hinge", "a", "b"), "r.urdf:4:1: error: joint 'j': its type 'hinge' is not known"},
      {a + b + joint("j", "continuous", "a", "bb", hinge),
       "r.urdf:4:1: error: joint 'j': no link is called 'bb'; the links are a, b"},
      {a + b + joint("j", "continuous", "a", "b", "<axis xyz=\"0 0 0\"/>"), "joint 'j': its axis has no length"},
      {a + b + joint("j", "continuous", "a", "b", "<axis xyz=\"0 0 one\"/>"),
       "'xyz' of <axis> is '0 0 one', which is no number"},
      {a + b + joint("j", "continuous", "a", "b", "<axis xyz=\"0 1\"/>"),
       "'xyz' of <axis> should be three numbers, but has 2"},
      {a + b + c + joint("j", "fixed", "a", "c") + joint("k", "fixed", "b", "c"),
       "r.urdf:6:1: error: joint 'k': the link 'c' has a parent already"},
      {a + b + c + joint("j", "fixed", "b", "c") + joint("k", "fixed", "c", "b"),
       "the links carry each other in a circle: "},
      {a + b, "the links 'a', 'b' have no parent"},
      {a + a, "r.urdf:3:1: error: link 'a': the name is taken on line 2"},
      {a + b + joint("j", "continuous", "a", "b", hinge + "<mimic joint=\"x\"/>"), "joint 'j': no joint is called 'x'"},
      {a + b + joint("j", "continuous", "a", "b", hinge + "<mimic joint=\"j\"/>"), "joint 'j': it follows itself"},
      {a + b + joint("j", "fixed", "a", "b", "<mimic joint=\"j\"/>"), "a fixed joint cannot follow another one"},
      {a + b + joint("j", "continuous", "a", "b", hinge + "<dynamics damping=\"-1\"/>"), "its damping is negative"},
      {"<link name=\"a\"><inertial><inertia ixx=\"1\"/></inertial></link>", "link 'a': <inertial> has no mass"},
      {"<link name=\"a\"><inertial><mass value=\"1\"/></inertial></link>", "link 'a': <inertial> has no inertia"},
      {"<link name=\"a\"><inertial><mass value=\"-1\"/><inertia/></inertial></link>", "the mass is negative"},
      {link("a", "0 0 0", 1, "ixx=\"-1\" iyy=\"1\" izz=\"1\""), "a principal moment of inertia is negative"},
      {"<link/>", "a <link> has no name"},
      {"<link name=\"a\"/>", "r.urdf:1:1: error: no link of the robot has a mass and moves"},
      {"<xacro:macro name=\"x\"/>", "<xacro:macro> is a macro of xacro"},
      {"<link name=\"a\">\n<xacro:rod_inertia/></link>" + b + joint("j", "continuous", "a", "b", hinge),
       "r.urdf:3:1: error: <xacro:rod_inertia> is a macro of xacro"},
      {a + "<xi:include href=\"arm.urdf\"/>", "r.urdf:3:1: error: <xi:include> asks for another file"},
      {"", "the robot has no link"},
      {"<link name=\"a\">", "r.urdf:2:"},
  };
  int count = 0;
  for (const auto& [inside, expected] : cases) {
    const std::string said = refusal_of("<robot name=\"r\">\n" + inside + "</robot>\n", "r.urdf");
    EXPECT_NE(said.find(expected), std::string::npos) << "expected: " << expected << "\nsaid: " << said;
    ++count;
  }
  EXPECT_EQ(count, 24);
}

// Neither pictures nor limits, which act only where they are asked for, stand in the way of the motion.
TEST(Urdf, WhatDoesNotMoveAnythingIsAWarning) {
  const std::string a = link("a"), b = link("b");
  const std::string hinge = "<axis xyz=\"0 0 1\"/>";
  const auto seen = [](const std::string& shape) {
    return "<link name=\"s\"><visual>" + shape + "</visual></link>" + joint("f", "fixed", "b", "s");
  };
  struct Case {
    std::string inside, expected;
  };
  const Case cases[] = {
      {joint("j", "prismatic", "a", "b", hinge + "<limit lower=\"2\" upper=\"1\"/>"),
       "joint 'j': its lower limit 2 is above the upper one, 1: neither is taken"},
      {joint("j", "continuous", "a", "b", hinge) + seen("<geometry><cone/></geometry>"),
       "link 's': a <visual> is not shown: <cone> is no shape"},
      {joint("j", "continuous", "a", "b", hinge) + seen("<geometry><box size=\"1 0 1\"/></geometry>"),
       "'size' of <box> is not above 0"},
      {joint("j", "continuous", "a", "b", hinge) + seen("<geometry><cylinder radius=\"1\" length=\"0\"/></geometry>"),
       "'length' of <cylinder> is not above 0"},
      {joint("j", "continuous", "a", "b", hinge) + seen("<geometry><sphere/></geometry>"),
       "'radius' of <sphere> is not above 0"},
      {joint("j", "continuous", "a", "b", hinge) + seen("<geometry><mesh/></geometry>"), "<mesh> names no file"},
      {joint("j", "continuous", "a", "b", hinge) + seen(""), "it has no shape"},
      {joint("j", "continuous", "a", "b", hinge) + seen("<geometry><box size=\"1 1\"/></geometry>"),
       "a <visual> is not shown: 'size' of <box> should be three numbers, but has 2"},
      {joint("j", "continuous", "a", "b", hinge) +
           seen("<geometry><mesh filename=\"a.stl\" scale=\"0.001\"/></geometry>"),
       "a <visual> is not shown: 'scale' of <mesh> should be three numbers, but has 1"},
      {joint("j", "continuous", "a", "b", hinge) +
           seen("<origin xyz=\"0 0 o\"/><geometry><sphere radius=\"1\"/></geometry>"),
       "a <visual> is not shown: 'xyz' of <origin> is '0 0 o', which is no number"},
      {joint("j", "continuous", "a", "b", hinge) + "<material name=\"m\"><color rgba=\"1, 0, 0, 1\"/></material>",
       "material 'm': its colour is not taken: 'rgba' of <color> is '1, 0, 0, 1', which is no number"},
      {joint("j", "continuous", "a", "b", hinge + hinge), "joint 'j': another <axis>: the first one is taken"},
  };
  for (const auto& [inside, expected] : cases) {
    const Mechanism m = read_mechanism_text("<robot name=\"r\">\n" + a + b + inside + "</robot>\n", "r.urdf");
    ASSERT_EQ(m.warnings.size(), 1u) << expected;
    EXPECT_NE(m.warnings[0].text().find(expected), std::string::npos) << m.warnings[0].text();
    EXPECT_EQ(m.joints.size(), 2u);  // the base and j
  }
}

// Some files say that there is no limit by an infinite one, to either side.
TEST(Urdf, InfiniteLimitsAreNone) {
  const auto robot = [](const std::string& limit) {
    return "<robot name=\"r\">" + link("a") + link("b") +
           joint("j", "revolute", "a", "b", "<axis xyz=\"0 0 1\"/><limit " + limit + "/>") + "</robot>";
  };
  ImportOptions with_stops;
  with_stops.stops = 100;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("cardan_ends_{}.urdf", getpid());
  const auto imported = [&](const std::string& limit, const ImportOptions& options) {
    std::ofstream(file) << robot(limit);
    return import_model(file.string(), options);
  };
  const std::string none = "lower=\"-inf\" upper=\"INF\" effort=\"+Infinity\" velocity=\"inf\"";
  EXPECT_EQ(imported(none, {}).find("limits"), std::string::npos);
  EXPECT_EQ(imported(none, with_stops).find("stops"), std::string::npos);
  const std::string one_side = "lower=\"-1.5\" upper=\"inf\" effort=\"5\" velocity=\"2\"";
  EXPECT_NE(imported(one_side, {}).find("limits -1.5 to open rad, 5 N m, 2 rad/s"), std::string::npos)
      << imported(one_side, {});
  const std::string stopped = imported(one_side, with_stops);
  EXPECT_NE(stopped.find("min: -1.5"), std::string::npos) << stopped;
  EXPECT_EQ(stopped.find("max:"), std::string::npos) << stopped;
  std::filesystem::remove(file);
  EXPECT_NE(refusal_of(robot("lower=\"low\""), "r.urdf").find("'lower' of <limit> is 'low'"), std::string::npos);
}

// Not of URDF itself, but of files that other engines read: a ball joint.
TEST(Urdf, BallJoints) {
  const Mechanism m = read_mechanism_text(
      "<robot name=\"r\">" + link("a") + link("b") +
          joint("j", "spherical", "a", "b", "<origin xyz=\"0 0 1\"/><limit effort=\"1\" velocity=\"1\"/>") + "</robot>",
      "r.urdf");
  ASSERT_EQ(m.joints.size(), 2u);
  EXPECT_EQ(m.joints[1].type, JointType::spherical);
  EXPECT_LT((m.joints[1].frame1.origin - Vec3(0, 0, 1)).norm(), 1e-12);
  EXPECT_EQ(count_coordinates(m, "hybrid").degrees_of_freedom, 3);
}

TEST(Urdf, WhatIsNoRobotIsRefused) {
  EXPECT_NE(refusal_of("", "r.urdf").find("there is no element"), std::string::npos);
  EXPECT_NE(
      refusal_of("cardan: 1\n", "r.urdf").find("r.urdf:1:1: error: this is no XML: there is no element in this file"),
      std::string::npos);
  EXPECT_NE(refusal_of("<sdf version=\"1.6\"/>", "r.urdf").find("a URDF file is a <robot>, but this is a <sdf>"),
            std::string::npos);
  EXPECT_NE(refusal_of("<robot name=\"r\">\n<link name=\"\xe9\"/></robot>", "r.urdf")
                .find("r.urdf:2:13: error: this is no text in UTF-8 (byte 0xe9)"),
            std::string::npos);
  EXPECT_NE(refusal_of(std::string("\xff\xfe<\0r\0", 6), "r.urdf").find("no text in UTF-8"), std::string::npos);
  // Neither nesting nor entities of the file's own take memory or time.
  std::string deep = "<robot name=\"r\">";
  for (int i = 0; i < 200000; ++i) deep += "<a>";
  EXPECT_NE(refusal_of(deep, "r.urdf").find("this is no XML"), std::string::npos);
  std::string bomb = "<!DOCTYPE r [<!ENTITY a \"aaaaaaaaaa\">";
  for (char c = 'b'; c <= 'k'; ++c) {
    bomb += fmt::format("<!ENTITY {} \"", c);
    for (int i = 0; i < 10; ++i) bomb += fmt::format("&{};", static_cast<char>(c - 1));
    bomb += "\">";
  }
  bomb += "]><robot name=\"&k;\"><link name=\"&k;\"/></robot>";
  EXPECT_LT(refusal_of(bomb, "r.urdf").size(), 2000u);
}

// What files of robots hold besides links and joints, and how they are written: a mark of their encoding, comments
// before the root, links without inertia, axes of any length, limits without use, elements of other programs.
TEST(Urdf, FilesAsTheyAreWritten) {
  std::ifstream stream(kRobots + "as_written.urdf", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_EQ(text.substr(0, 3), "\xef\xbb\xbf");
  std::string dos;
  for (const char c : text) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& written : {text, dos}) {
    const Mechanism m = read_mechanism_text(written, kRobots + "as_written.urdf");
    EXPECT_EQ(m.bodies.size(), 7u);  // world, base_link and tool0 have no mass
    EXPECT_EQ(m.joints.size(), 7u);
    EXPECT_EQ(m.couplers.size(), 1u);
    ASSERT_EQ(m.warnings.size(), 1u);
    EXPECT_NE(m.warnings[0].text().find("as_written.urdf:10:5: warning: the mesh "
                                        "'package://real_description/meshes/base.dae' is not shown: the file is "
                                        "not there"),
              std::string::npos)
        << m.warnings[0].text();
    const auto pan =
        std::find_if(m.joints.begin(), m.joints.end(), [](const Joint& j) { return j.name == "shoulder_pan_joint"; });
    ASSERT_NE(pan, m.joints.end());
    EXPECT_LT((pan->frame1.axes.col(2) - Vec3::UnitZ()).norm(), 1e-15);  // written as 0 0 2
    const FinishedRun run = finish(m, options_of("hybrid", 1e-4, 0.2));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_NEAR(run.last["finger1.q"], run.last["finger2.q"], 1e-9);
    EXPECT_LT(std::abs(run.summary.energy_max_error), 1e-3);
  }
  const std::string said = refusal_of(
      "<robot name=\"r\">" + link("a") + joint("j", "revolute", "a", "b", "<origin rpy=\"${pi/2} 0 0\"/>") + "</robot>",
      "r.urdf");
  EXPECT_NE(said.find("it is an expression of xacro: expand the file first"), std::string::npos) << said;
}

// Cut short anywhere a robot is refused with a line, or is one.
TEST(Urdf, FilesCutShort) {
  std::ifstream stream(kRobots + "ur_like.urdf");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  int refused = 0;
  for (std::size_t size = 0; size + 10 < text.size(); size += 97) {
    const std::string said = refusal_of(text.substr(0, size), "r.urdf");
    EXPECT_EQ(said.rfind("r.urdf:", 0), 0u) << said;
    if (text.find("<robot") + 10 < size)
      EXPECT_NE(said.find("the file seems to be cut short"), std::string::npos) << said;
    ++refused;
  }
  EXPECT_GT(refused, 40);
}

}  // namespace
}  // namespace cardan
