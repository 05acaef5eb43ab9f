// Shapes that pictures show: read, checked, carried into subsystems, written to scene.json; motion does not feel them.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cardan/builder.hpp"
#include "cardan/scene.hpp"
#include "io/model_text.hpp"
#include "mechanism/mechanism_comparison.hpp"

namespace cardan {
namespace {

using nlohmann::json;
using Shape = Geometry::Shape;

const char* const kShapes = R"(
parameters: {r: 0.1}
points: {O: [0, 0, 0], A: [1, 0, 0]}
bodies:
  ground: {geometry: [{box: [1, 2, 3], at: [0, 0, -1]}]}
  arm:
    rod: [O, A]
    mass: 1
    radius: r
    axes: {x: y, z: z}
    geometry:
      - {box: [0.1, 0.2, 0.3], at: A, color: red}
      - {sphere: r/2, at: O, color: '#A0b1C2', opacity: 0.5}
      - {cylinder: [O, A], radius: r}
      - {capsule: [O, [0, 0, 1]], radius: 2*r}
      - {polygon: [[0, 0], [1, 0], [0, 2]], at: [0.5, 0, 0], axes: {x: x, y: z}, thickness: 0.02}
joints: {pin: {revolute: [ground, arm], at: O, axis: z}}
)";

TEST(Geometry, IsReadWithPlacesNumbersAndAxesAsElsewhere) {
  const Mechanism m = read(kShapes);
  ASSERT_EQ(m.bodies.size(), 1U) << "ground is no body";
  ASSERT_EQ(m.geometry.size(), 6U);
  EXPECT_EQ(m.geometry[0].body, kGround);
  EXPECT_EQ(m.geometry[0].edges, Vec3(1, 2, 3));
  EXPECT_EQ(m.geometry[0].axes, Mat3(Mat3::Identity()));
  const Geometry& box = m.geometry[1];
  EXPECT_EQ(box.body, 0);
  EXPECT_EQ(box.shape, Shape::box);
  EXPECT_EQ(box.origin, Vec3(1, 0, 0));
  EXPECT_EQ(Vec3(box.axes.col(0)), Vec3(0, 1, 0)) << "the body's axes unless it has its own";
  EXPECT_EQ(box.color.size(), 7U);
  EXPECT_EQ(m.geometry[2].radius, 0.05);
  EXPECT_EQ(m.geometry[2].color, "#A0b1C2");
  EXPECT_EQ(m.geometry[2].opacity, 0.5);
  EXPECT_EQ(m.geometry[3].end, Vec3(1, 0, 0));
  EXPECT_EQ(m.geometry[4].shape, Shape::capsule);
  EXPECT_EQ(m.geometry[4].radius, 0.2);
  const Geometry& polygon = m.geometry[5];
  EXPECT_EQ(polygon.outline, (std::vector<Vec2>{Vec2(0, 0), Vec2(1, 0), Vec2(0, 2)}));
  EXPECT_EQ(Vec3(polygon.axes.col(1)), Vec3(0, 0, 1));
  EXPECT_EQ(polygon.thickness, 0.02);
}

TEST(Geometry, FileEqualsBuilder) {
  AxesSpec upright;
  upright.x = Direction("x");
  upright.y = Direction("z");
  AxesSpec turned;
  turned.x = Direction("y");
  turned.z = Direction("z");
  MechanismBuilder b;
  b.point("O", {0, 0, 0}).point("A", {1, 0, 0});
  b.geometry("ground", BoxShape{Vec3(1, 2, 3), {0, 0, -1}});
  BodySpec arm{.name = "arm", .shape = RodShape{"O", "A", 0.1}, .mass = Number(1.0), .density = {}, .axes = turned};
  b.add(arm);
  b.geometry("arm", BoxShape{Vec3(0.1, 0.2, 0.3), "A"}, "red");
  b.add(GeometrySpec{.body = "arm", .shape = SphereShape{0.05, "O"}, .color = "#A0b1C2", .opacity = 0.5});
  b.geometry("arm", CylinderShape{"O", "A", 0.1});
  b.geometry("arm", CapsuleShape{"O", {0, 0, 1}, 0.2});
  b.add(GeometrySpec{
      .body = "arm", .shape = PolygonShape{{Vec2(0, 0), Vec2(1, 0), Vec2(0, 2)}, 0.02, {0.5, 0, 0}}, .axes = upright});
  b.revolute("pin", "ground", "arm", "O", "z");
  expect_same(read(kShapes), b.build());
}

TEST(Geometry, ChangesNothingButThePicture) {
  Mechanism with = read(kShapes);
  with.geometry.clear();
  std::string text = kShapes;
  text.erase(text.find("  ground:"), text.find("  arm:") - text.find("  ground:"));
  text.erase(text.find("    geometry:"), text.find("joints:") - text.find("    geometry:"));
  expect_same(with, read(text));
}

TEST(Geometry, PlanarShapesNeedNoThickness) {
  const Mechanism m = read(R"(
planar: true
bodies:
  cam:
    mass: 1
    center: [0, 0]
    inertia: 1
    geometry: [{box: [1, 2], at: [0, 0]}, {polygon: [[0, 0], [1, 0], [0, 1]], at: [1, 1], axes: {angle: 0.5}}]
joints: {pin: {revolute: [ground, cam], at: [0, 0]}}
)");
  EXPECT_EQ(m.geometry[0].edges, Vec3(1, 2, 0));
  EXPECT_EQ(m.geometry[1].thickness, 0);
  EXPECT_NEAR(m.geometry[1].axes(1, 0), std::sin(0.5), kRounding);
}

TEST(Geometry, IsInTheScene) {
  const json scene = json::parse(scene_json(read(kShapes)));
  EXPECT_EQ(scene["ground"]["geometry"].size(), 1U);
  const json& shapes = scene["bodies"][0]["geometry"];
  ASSERT_EQ(shapes.size(), 5U);
  EXPECT_EQ(shapes[0]["shape"], "box");
  EXPECT_EQ(shapes[0]["edges"], json({0.1, 0.2, 0.3}));
  EXPECT_EQ(shapes[0]["at"], json({1.0, 0.0, 0.0}));
  EXPECT_EQ(shapes[0]["axes"][0], json({0.0, 1.0, 0.0}));
  EXPECT_FALSE(shapes[0].contains("opacity"));
  EXPECT_EQ(shapes[1]["opacity"], 0.5);
  EXPECT_EQ(shapes[1]["color"], "#A0b1C2");
  EXPECT_EQ(shapes[2]["points"], json({{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}));
  EXPECT_EQ(shapes[3]["shape"], "capsule");
  EXPECT_FALSE(shapes[3].contains("color")) << "left to the viewer";
  EXPECT_EQ(shapes[4]["outline"], json({{0.0, 0.0}, {1.0, 0.0}, {0.0, 2.0}}));
  EXPECT_EQ(shapes[4]["thickness"], 0.02);
}

/// Corner `i` of a polygon or mesh, in inertial axes.
Vec3 corner(const Geometry& geometry, std::size_t i) {
  if (geometry.mesh)
    return geometry.origin + geometry.axes * geometry.mesh->vertices[i].cast<double>().cwiseProduct(geometry.scale);
  const Vec2& c = geometry.outline[i];
  return geometry.origin + geometry.axes * Vec3(c.x(), c.y(), 0);
}

/// A part with polygons and meshes: along the body's axes (inertial, those of a rod) and its own, and one on the
/// ground.
MechanismSpec cornered_part() {
  MechanismBuilder b;
  b.body("block", 1, {0, 1, 0}, Mat3(Vec3(1, 1, 1).asDiagonal()));
  b.rod("rod", {0, 0, 0}, {1, 1, 2}, 1, 0.1);
  b.free("f1", "ground", "block").free("f2", "ground", "rod");
  AxesSpec slanted;
  slanted.y = Direction(1, 2, 0);
  slanted.z = Direction(0, 1, 3);
  const PolygonShape outline{{Vec2(0.1, 0), Vec2(1, 0.2), Vec2(-0.3, 2)}, 0.1, {0.5, 1, 2}};
  auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {{1, 2, 3}, {-1, 0.5F, 0.25F}, {0, 4, -2}};
  mesh->triangles = {{0, 1, 2}};
  const MeshShape triangle{mesh, {0.5, 2, 1}, {1, 0, 2}};
  for (const char* body : {"block", "rod", "ground"}) {
    b.geometry(body, outline);
    b.add(GeometrySpec{.body = body, .shape = outline, .axes = slanted});
    b.geometry(body, triangle);
    b.add(GeometrySpec{.body = body, .shape = triangle, .axes = slanted});
  }
  return b.spec();
}

TEST(Geometry, OfAPartIsPlacedTurnedAndMirroredWithIt) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vec3 at(3, -1, 2);
  const MechanismSpec part = cornered_part();
  MechanismBuilder as_it_is;
  as_it_is.add(part, {.name = ""});
  const Mechanism original = as_it_is.build();
  for (const std::array<bool, 3> mirror : {std::array{false, false, false}, std::array{true, false, false},
                                           std::array{false, true, false}, std::array{true, true, true}}) {
    MechanismBuilder b;
    b.add(part, {.name = "left", .placement = {.at = at, .turn = turn, .mirror = mirror}});
    const Mechanism m = b.build();
    ASSERT_EQ(m.geometry.size(), original.geometry.size());
    const Mat3 image = turn * Vec3(mirror[0] ? -1 : 1, mirror[1] ? -1 : 1, mirror[2] ? -1 : 1).asDiagonal();
    for (std::size_t g = 0; g < m.geometry.size(); ++g) {
      EXPECT_NEAR(m.geometry[g].axes.determinant(), 1, 1e-12) << "the axes stay right-handed";
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LT((corner(m.geometry[g], i) - (at + image * corner(original.geometry[g], i))).norm(), 1e-12)
            << "shape " << g << ", corner " << i;
    }
  }
}

TEST(Scene, TellsWhenJointsHold) {
  const json scene = json::parse(scene_json(read_mechanism(CARDAN_SOURCE_DIR "/models/puma560.yaml")));
  for (const json& joint : scene["joints"]) {
    if (joint["name"] != "hold") {
      EXPECT_FALSE(joint.contains("switches"));
      continue;
    }
    EXPECT_EQ(joint["present"], false);
    EXPECT_EQ(joint["switches"], json({2.0, 6.0}));
  }
  for (const json& point : scene["ground"]["points"]) EXPECT_NE(point["name"], "hold") << "it takes hold elsewhere";
}

}  // namespace
}  // namespace cardan
