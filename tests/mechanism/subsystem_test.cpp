// A mechanism included in another, turned, moved and mirrored: its motion is the image of the original's.
#include "mechanism/subsystem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cardan/builder.hpp"
#include "last_sample.hpp"
#include "mechanism/everything.hpp"
#include "mechanism/mechanism_comparison.hpp"

namespace cardan::included {
namespace {

constexpr double kMotion = 1e-9;    // what integrating in other axes may change, m, rad and their rates
constexpr double kReaction = 1e-4;  // relative; forces hang on accelerations, which converge less far

Mat3 attitude(const LastSample& sample, const std::string& body) {
  return Quat(sample[body + ".qw"], sample[body + ".qx"], sample[body + ".qy"], sample[body + ".qz"])
      .toRotationMatrix();
}

Vec3 vector_of(const LastSample& sample, const std::string& name, const std::string& what) {
  return sample.vector(name + "." + what + "x", name + "." + what + "y", name + "." + what + "z");
}

/// Signs of the coordinates of a joint in a mirrored part, as docs/model-file.md gives them.
std::vector<double> mirrored_signs(const Joint& joint, const Vec3& s) {
  switch (joint.type) {
    case JointType::cylindrical:
      return {1, -1};
    case JointType::spherical:
      return {-s.x(), -s.y(), -s.z()};
    case JointType::free:
      return {s.x(), s.y(), s.z(), -s.x(), -s.y(), -s.z()};
    default:
      return {1, 1, 1};
  }
}

/// Runs both and compares; `prefix` is what the image calls the original.
void expect_image(const Mechanism& original, const Mechanism& image, const std::string& prefix, const Mat3& turn,
                  const Vec3& at, const Vec3& mirrored) {
  RunOptions options = options_of("hybrid", 1e-3, 0.2);
  options.tolerance = 1e-13;
  const FinishedRun before = finish(original, options), after = finish(image, options);
  ASSERT_EQ(before.summary.status, RunStatus::ok) << before.summary.reason;
  ASSERT_EQ(after.summary.status, RunStatus::ok) << after.summary.reason;
  const double determinant = turn.determinant();
  for (std::size_t i = 0; i < original.bodies.size(); ++i) {
    const Body &one = original.bodies[i], &two = image.bodies[i];
    ASSERT_EQ(two.name, prefix + one.name);
    const auto near = [&](const char* what, const Vec3& expected) {
      const Vec3 got =
          std::string(what) == "position" ? vector_of(after.last, two.name, "") : vector_of(after.last, two.name, what);
      EXPECT_LT((got - expected).norm(), kMotion) << two.name << " " << what;
    };
    near("position", at + turn * vector_of(before.last, one.name, ""));
    near("v", turn * vector_of(before.last, one.name, "v"));
    near("w", determinant * turn * vector_of(before.last, one.name, "w"));
    // Axes are images but for reversed ones, and stay so.
    const Mat3 signs = two.axes.transpose() * turn * one.axes;
    EXPECT_TRUE((signs.cwiseAbs() - Mat3::Identity()).isZero(1e-14)) << two.name;
    EXPECT_NEAR(two.axes.determinant(), 1, 1e-14);
    EXPECT_TRUE(attitude(after.last, two.name).isApprox(turn * attitude(before.last, one.name) * signs, kMotion))
        << two.name;
  }
  for (std::size_t i = 0; i < original.joints.size(); ++i) {
    const Joint &one = original.joints[i], &two = image.joints[i];
    const auto signs = determinant < 0 ? mirrored_signs(one, mirrored) : std::vector<double>(6, 1.0);
    const int count = joint_coordinate_count(one.type, false);
    for (int k = 0; k < count; ++k) {
      const std::string number = count == 1 ? "" : std::to_string(k + 1);
      for (const std::string field : {".q", ".v"})
        EXPECT_NEAR(after.last[two.name + field + number],
                    signs[static_cast<std::size_t>(k)] * before.last[one.name + field + number], kMotion)
            << two.name << field << number;
    }
    const Mat3 frame_signs = two.frame1.axes.transpose() * turn * one.frame1.axes;  // D
    const double scale = 1 + vector_of(before.last, one.name, "f").norm();
    EXPECT_LT((vector_of(after.last, two.name, "f") - frame_signs * vector_of(before.last, one.name, "f")).norm(),
              kReaction * scale)
        << two.name;
    EXPECT_LT((vector_of(after.last, two.name, "m") - determinant * frame_signs * vector_of(before.last, one.name, "m"))
                  .norm(),
              kReaction * scale)
        << two.name;
  }
  for (std::size_t i = 0; i < original.drivers.size(); ++i)
    EXPECT_NEAR(after.last[image.drivers[i].name + ".effort"], before.last[original.drivers[i].name + ".effort"],
                kReaction * 30);
  EXPECT_NEAR(after.summary.energy_max_error, before.summary.energy_max_error, 1e-9);
}

const Vec3 kGravity(1, -2, -9);

void expect_moves_as_image(const Placement& placement) {
  MechanismBuilder original = everything();
  original.gravity(kGravity);
  const Vec3 s(placement.mirror[0] ? -1 : 1, placement.mirror[1] ? -1 : 1, placement.mirror[2] ? -1 : 1);
  const Mat3 turn = placement.turn * s.asDiagonal();
  MechanismBuilder whole("whole");
  whole.gravity(turn * kGravity).add(everything().spec(), {.name = "part", .placement = placement});
  expect_image(original.build(), whole.build(), "part/", turn, placement.at, s);
}

TEST(Subsystem, UnplacedIsTheSameToTheLastBit) {
  MechanismBuilder whole("everything");
  whole.add(everything().spec(), {.name = ""});
  expect_same(whole.build(), everything().build());
}

TEST(Subsystem, TurnedAndMoved) { expect_moves_as_image({.at = {1, -2, 0.5}, .turn = rotation(1, 2, -0.5, 1.1)}); }
TEST(Subsystem, MirroredAboutX) { expect_moves_as_image({.mirror = {true, false, false}}); }
TEST(Subsystem, MirroredAboutY) { expect_moves_as_image({.mirror = {false, true, false}}); }
TEST(Subsystem, MirroredAboutTwoPlanes) { expect_moves_as_image({.at = {0, 0, 1}, .mirror = {true, true, false}}); }
TEST(Subsystem, MirroredTurnedAndMoved) {
  expect_moves_as_image({.at = {1, -2, 0.5}, .turn = rotation(-1, 2, 0.3, 2.1), .mirror = {false, false, true}});
}
TEST(Subsystem, MirroredAtItsOrigin) { expect_moves_as_image({.at = {0.5, 0, 0}, .mirror = {true, true, true}}); }

TEST(Subsystem, MirroredAndMirroredBackIsTheOriginal) {
  MechanismBuilder half("half"), whole("everything");
  const Placement mirrored{.mirror = {false, true, false}};
  half.add(everything().spec(), {.name = "", .placement = mirrored});
  whole.add(half.spec(), {.name = "", .placement = mirrored});
  const Mechanism one = everything().build(), two = whole.build();
  for (std::size_t i = 0; i < one.joints.size(); ++i) {
    EXPECT_TRUE(two.joints[i].frame1.axes.isApprox(one.joints[i].frame1.axes, 1e-15)) << one.joints[i].name;
    EXPECT_TRUE(two.joints[i].frame2.axes.isApprox(one.joints[i].frame2.axes, 1e-15)) << one.joints[i].name;
    EXPECT_EQ(two.joints[i].drawn, one.joints[i].drawn);
  }
  expect_image(one, two, "", Mat3::Identity(), Vec3::Zero(), Vec3::Ones());
}

TEST(Subsystem, NestedPlacementsFollowEachOther) {
  const Mat3 first = rotation(1, 0.2, 0.3, 0.7), second = rotation(0.1, 1, -2, -1.4);
  MechanismBuilder original = everything(), middle("middle"), whole("whole");
  middle.add(everything().spec(), {.name = "in", .placement = {.at = {1, 2, 3}, .turn = first}});
  const Mat3 turn = second * Vec3(-1, 1, 1).asDiagonal() * first;
  whole.gravity(turn * kGravity);
  whole.add(middle.spec(),
            {.name = "out", .placement = {.at = {0, 0, 1}, .turn = second, .mirror = {true, false, false}}});
  original.gravity(kGravity);
  expect_image(original.build(), whole.build(), "out/in/", turn,
               Vec3(0, 0, 1) + second * Vec3(-1, 1, 1).cwiseProduct(Vec3(1, 2, 3)), {-1, 1, 1});
}

/// An arm on a body, at a marker and a point outside; everything mirrored once more together with what is outside.
TEST(Subsystem, JointsAtMarkersOutside) {
  MechanismBuilder part;
  part.connection("frame").connection("socket", "point").connection("far", "point");
  part.add(BodySpec{
      .name = "arm", .shape = BoxShape{{0.4, 0.1, 0.1}, {0.2, 0, 0}}, .mass = Number(1), .density = {}, .axes = {}});
  part.add(MarkerSpec{.name = "end", .body = "arm", .at = {0, 0, 0}, .axes = axes_xz({0, -1, 0}, {1, 0, 0.2})});
  JointSpec pin = joint("pin", JointType::revolute, "frame", "arm", "socket");
  pin.at2 = Place("end");
  part.add(pin).add(joint_law("spring", "pin", true, 0, 0.1)).spring("cord", "frame", "arm", "far", {0.4, 0, 0}, 50);

  MechanismBuilder model;
  model.point("corner", {0.3, 0.2, 0.9})
      .box("plate", {1, 1, 0.1}, {0, 0, 1}, 4)
      .revolute("base", "ground", "plate", {0, 0, 1}, "x");
  model.add(MarkerSpec{.name = "hook", .body = "plate", .at = {0.5, 0, 1}, .axes = axes_xz("x", {0, 1, 0.2})});
  model.add(part.spec(), {.name = "left",
                          .placement = {.at = {0.5, 0, 1}, .turn = rotation(0, 0, 1, std::numbers::pi / 2)},
                          .connect = {{"frame", "plate"}, {"socket", "hook"}, {"far", "corner"}}});
  const Mechanism original = model.build();
  ASSERT_EQ(original.joints[1].name, "left/pin");
  EXPECT_EQ(original.joints[1].frame1.axes, original.markers[0].axes);
  EXPECT_EQ(original.springs[0].point1, Vec3(0.3, 0.2, 0.9));
  EXPECT_LT((original.springs[0].point2 - Vec3(0.5, 0.4, 1)).norm(), 1e-15);

  const Mat3 turn = Mat3(Vec3(1, -1, 1).asDiagonal());
  MechanismBuilder whole;
  whole.add(model.spec(), {.name = "twin", .placement = {.mirror = {false, true, false}}});
  expect_image(original, whole.build(), "twin/", turn, Vec3::Zero(), {1, -1, 1});

  // Mirrored alone, the part would take right-handed axes for a mirror image.
  MechanismBuilder alone;
  alone.add(MarkerSpec{.name = "hook", .body = "ground", .at = {0, 0, 0}, .axes = {}});
  const std::map<std::string, Name> outside{{"frame", "ground"}, {"socket", "hook"}, {"far", "hook"}};
  alone.add(part.spec(), {.name = "left", .placement = {.mirror = {true, false, false}}, .connect = outside});
  try {
    alone.build();
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_STREQ(e.what(),
                 "error: joint 'left/pin': marker 'hook' is not mirrored with the joint that takes its axes; give the "
                 "joint an axis");
  }
}

TEST(Subsystem, PlanarMirrorTurnsAnglesRound) {
  MechanismBuilder part;
  part.planar().point("O", {0, 0}).point("A", {0.5, 0.2});
  part.rod("crank", "O", "A", 1).rod("rod", "A", {1.2, 0}, 0.7).box("slide", {0.1, 0.1, 0}, {1.2, 0}, 0.5);
  JointSpec main = joint("main", JointType::revolute, "ground", "crank", "O");
  main.drawn = std::vector<double>{0.4};
  part.add(main).revolute("big", "crank", "rod", "A").revolute("small", "rod", "slide", {1.2, 0});
  part.prismatic("bore", "ground", "slide", {1.2, 0}, "x");
  part.box("kite", {0.2, 0.3, 0}, {0, 2}, 1).free("flight", "ground", "kite");
  part.add(joint_law("k_main", "main", true, 0, 0.3)).add(joint_law("k_bore", "bore", false, 0, 0.1));
  part.add(joint_law("k_flight", "flight", true, 3, 0.1)).add(joint_law("k_up", "flight", false, 1, 0.1));
  part.add(
      ForceSpec{.name = "pull", .body = "rod", .at = Place("A"), .components = components(1, 2, 0), .body_axes = true});
  part.add(ForceSpec{.name = "lift", .body = "kite", .at = Place(0.1, 2), .components = components(1, 9, 0)});
  part.add(TorqueSpec{.name = "turn", .body2 = "crank", .components = {Function(), Function(), Function::sine(2, 3)}});
  part.joint_position("main", 0.5)
      .joint_velocity("main", 2)
      .velocity("kite", {0.3, NAN, 0})
      .angular_velocity("kite", {0, 0, 1});
  MechanismBuilder original = part, whole;
  const Vec3 gravity(1, -9, 0), at(0.5, 1, 0);
  const Mat3 turn = rotation(0, 0, 1, std::numbers::pi / 2) * Vec3(-1, 1, 1).asDiagonal();
  original.gravity(gravity);
  whole.planar().gravity(turn * gravity);
  whole.add(part.spec(),
            {.name = "m",
             .placement = {.at = at, .turn = rotation(0, 0, 1, std::numbers::pi / 2), .mirror = {true, false, false}}});
  RunOptions options = options_of("hybrid", 1e-3, 0.3);
  options.tolerance = 1e-13;
  const FinishedRun one = finish(original.build(), options), two = finish(whole.build(), options);
  ASSERT_EQ(two.summary.status, RunStatus::ok) << two.summary.reason;
  for (const std::string body : {"crank", "rod", "slide", "kite"}) {
    const auto& a = one.last;
    const auto& b = two.last;
    const std::string m = "m/" + body;
    const Vec3 position = at + turn * Vec3(a[body + ".x"], a[body + ".y"], 0);
    EXPECT_LT((Vec3(b[m + ".x"], b[m + ".y"], 0) - position).norm(), kMotion) << body;
    EXPECT_NEAR(b[m + ".w"], -a[body + ".w"], kMotion) << body;
  }
  EXPECT_NEAR(two.last["m/main.q"], -one.last["main.q"], kMotion);
  EXPECT_NEAR(two.last["m/bore.q"], one.last["bore.q"], kMotion);
  EXPECT_NEAR(two.last["m/flight.q1"], -one.last["flight.q1"], kMotion);
  EXPECT_NEAR(two.last["m/flight.q2"], one.last["flight.q2"], kMotion);
  EXPECT_NEAR(two.last["m/flight.q3"], -one.last["flight.q3"], kMotion);
  // The rod's x axis still runs from its first to its second point.
  const Mechanism image = whole.build();
  const Vec3 along = turn * Vec3(0.5, 0.2, 0).normalized();
  EXPECT_LT((image.bodies[0].axes.col(0) - along).norm(), 1e-15);
}

/// A wheel that skids on a road along x, and its mirror image about the plane of its track: roads stay as they are.
TEST(Subsystem, MirroredTyreOnARoadOutside) {
  MechanismBuilder part;
  part.connection("street", "road").cylinder("wheel", {0, 0.6, 0.3}, {0, 0.8, 0.3}, 0.3, 20);
  part.free("flight", "ground", "wheel");
  TyreSpec tyre;
  tyre.name = "tyre";
  tyre.body = "wheel";
  tyre.road = "street";
  tyre.radius = Number(0.32);
  tyre.stiffness = Number(2e4);
  tyre.damping = Number(300);
  tyre.lateral =
      Located<CalspanTyre>(CalspanTyre{.a0 = 3000, .a1 = 5, .a2 = 4000, .a3 = 1, .a4 = 4000, .m1 = 1e-5, .m2 = 1e-5});
  part.add(tyre).velocity("wheel", {5, 0.7, 0}).angular_velocity("wheel", {0.2, 15, 0.1});
  const std::vector<Vec2> profile{Vec2(-10, 0), Vec2(0.5, 0), Vec2(1, 0.05), Vec2(20, 0.05)};
  const RoadSpec road{.name = "road",
                      .profile = Located<std::vector<Vec2>>(profile),
                      .height = {},
                      .from = {},
                      .to = {},
                      .deviation = {}};
  const std::map<std::string, Name> connect{{"street", "road"}};
  const auto model = [&](bool mirrored) {
    MechanismBuilder b;
    b.add(road).add(part.spec(), {.name = "w", .placement = {.mirror = {false, mirrored, false}}, .connect = connect});
    return b.build();
  };
  expect_image(model(false), model(true), "", Mat3(Vec3(1, -1, 1).asDiagonal()), Vec3::Zero(), {1, -1, 1});

  MechanismBuilder own, whole;
  own.add(road).sphere("ball", 1, {0, 0, 0}, 1).free("flight", "ground", "ball");
  try {
    whole.add(own.spec(), {.name = "w", .placement = {.at = {1, 0, 0}}});
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_STREQ(
        e.what(),
        "error: road 'road': a road is not placed with a subsystem; put it into the including model and connect "
        "it: 'connections: {NAME: road}'");
  }
}

TEST(Inclusion, DirectionsOfElementsWithoutAxesOfTheirOwn) {
  MechanismSpec part;
  part.points = {{Name("P"), {0, 0, 0}}, {Name("Q"), {1, 0, 0}}};
  const SubsystemUse use{
      .name = "s", .placement = {.turn = rotation(0, 0, 1, std::numbers::pi / 2), .mirror = {true, false, false}}};
  Problems problems;
  Inclusion inclusion(part, use, problems);
  Direction polar("x"), axial("x"), between("P", "Q"), axis_between("P", "Q");
  inclusion.polar(polar);
  inclusion.axial(axial);
  inclusion.polar(between);
  inclusion.axial(axis_between);
  EXPECT_EQ(polar.components, Vec3(0, -1, 0));
  EXPECT_EQ(axial.components, Vec3(0, 1, 0));
  EXPECT_TRUE(polar.name.empty());
  EXPECT_EQ(between.between[0].name, "s/P");
  EXPECT_EQ(axis_between.between[0].name, "s/Q");
  EXPECT_EQ(problems.error_count(), 0u);
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
    return "";
  } catch (const ModelError& e) {
    return e.what();
  }
}

TEST(Subsystem, RefusesWhatDoesNotFit) {
  MechanismBuilder part;
  part.connection("frame").box("arm", {1, 1, 1}, {0, 0, 0}, 1).spherical("pin", "frame", "arm", {0, 0, 0});
  const auto message = [&](const MechanismBuilder& inner, SubsystemUse use, bool planar = false) {
    return error_of([&] { MechanismBuilder().planar(planar).add(inner.spec(), use).build(); });
  };
  EXPECT_EQ(message(part, {.name = "s"}),
            "error: subsystem 's': connection 'frame' is left open; add 'connect: {frame: BODY}'");
  EXPECT_EQ(message(part, {.name = "s", .connect = {{"frame", "chassis"}}}),
            "error: subsystem 's': no body is called 'chassis'; there is only 's/arm'");
  EXPECT_EQ(message(part, {.name = "s", .connect = {{"frame", "ground"}, {"from", "ground"}}}),
            "error: subsystem 's': the subsystem has no connection 'from'; there is only 'frame'");
  EXPECT_EQ(message(part, {.name = "s", .connect = {{"frame", "ground"}}, .rename = {{"amr", "boom"}}}),
            "error: subsystem 's': the subsystem has no element 'amr' to rename; did you mean 'arm'?");
  EXPECT_EQ(message(part, {.name = "s", .connect = {{"frame", "ground"}}}, true),
            "error: subsystem 's': the model is planar, but the subsystem is spatial; both must be planar, or none");
  EXPECT_EQ(
      message(part, {.name = "s", .placement = {.turn = Mat3(-Mat3::Identity())}, .connect = {{"frame", "ground"}}}),
      "error: subsystem 's': its placement is not a rotation and a finite position");
  EXPECT_EQ(
      error_of([&] { part.build(); }),
      "error: connection 'frame': nothing is connected here: this is a part of a model; include it under 'subsystems' "
      "with 'connect: {frame: BODY}'");
  MechanismBuilder loaded = part;
  loaded.add(ForceSpec{
      .name = "f", .body = "frame", .at = Place(0, 0, 0), .components = components(1, 0, 0), .body_axes = true});
  EXPECT_EQ(
      message(loaded, {.name = "s", .placement = {.mirror = {true, false, false}}, .connect = {{"frame", "ground"}}}),
      "error: load 'f': its components are in the axes of 'frame', which is not placed with the subsystem; put the "
      "load "
      "into the model that has the body");
  MechanismBuilder open = part;
  open.velocity("arm", {NAN, 1, 0});
  EXPECT_EQ(
      message(open, {.name = "s", .placement = {.turn = rotation(0, 0, 1, 0.3)}, .connect = {{"frame", "ground"}}}),
      "error: initial 'arm': a component left 'free' cannot be turned with the subsystem; give all components, or turn "
      "it "
      "by quarter turns about x, y, z");
}

TEST(Subsystem, CopiesThatShareANameClash) {
  MechanismBuilder part, whole;
  part.box("arm", {1, 1, 1}, {0, 0, 0}, 1).spherical("pin", "ground", "arm", {0, 0, 0});
  whole.add(part.spec(), {.name = "left", .rename = {{"arm", "arm"}}});
  whole.add(part.spec(), {.name = "right", .placement = {.mirror = {false, true, false}}, .rename = {{"arm", "arm"}}});
  EXPECT_EQ(error_of([&] { whole.build(); }),
            "error: body 'arm': there is a body of that name; every body, marker, joint, road, load, coupler and "
            "driver needs a name "
            "of its own");
}

}  // namespace
}  // namespace cardan::included
