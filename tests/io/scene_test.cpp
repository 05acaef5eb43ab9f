#include "cardan/scene.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

namespace cardan {
namespace {

using nlohmann::json;

Vec3 vec(const json& j) { return Vec3(j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>()); }

TEST(Scene, ListsBodiesJointsAndTheirHardpoints) {
  const json scene = json::parse(scene_json(read_mechanism(CARDAN_SOURCE_DIR "/models/double_four_bar.yaml")));
  EXPECT_EQ(scene["cardan_scene"], 1);
  EXPECT_EQ(scene["name"], "double-four-bar");
  EXPECT_EQ(scene["planar"], true);
  EXPECT_EQ(vec(scene["gravity"]), Vec3(0, -9.81, 0));
  EXPECT_NEAR(scene["size"], std::sqrt(5.0), 1e-12) << "from A0 to B2";
  ASSERT_EQ(scene["bodies"].size(), 5U);
  ASSERT_EQ(scene["joints"].size(), 7U);
  EXPECT_EQ(scene["ground"]["points"].size(), 3U);

  const json& rocker = scene["bodies"][1];
  EXPECT_EQ(rocker["name"], "rocker1");
  EXPECT_EQ(vec(rocker["center"]), Vec3(1, 0.5, 0));
  EXPECT_LT((vec(rocker["axes"][0]) - Vec3(0, 1, 0)).norm(), 1e-15) << "x runs along the rod";
  EXPECT_EQ(rocker["points"].size(), 3U) << "pinA1, pinB1, pinC1";
  for (const json& joint : scene["joints"]) EXPECT_EQ(joint["type"], "revolute");
}

TEST(Scene, InertiaIsInTheBodysAxes) {
  MechanismBuilder builder("rod");
  builder.rod("arm", {0, 0, 0}, {0, 0, 2}, 3);
  builder.revolute("pin", "ground", "arm", {0, 0, 0}, "x");
  const json body = json::parse(scene_json(builder.build()))["bodies"][0];
  EXPECT_NEAR(body["inertia"][1][1], 3 * 4 / 12.0, 1e-12);
  EXPECT_NEAR(body["inertia"][2][2], 3 * 4 / 12.0, 1e-12);
  EXPECT_LT(std::abs(body["inertia"][0][0].get<double>()), 1e-2) << "about the rod itself";
}

TEST(Scene, HasRoadsAndWheels) {
  const Mechanism mechanism = read_mechanism(CARDAN_SOURCE_DIR "/models/iltis.yaml");
  const json scene = json::parse(scene_json(mechanism));
  ASSERT_EQ(scene["roads"].size(), mechanism.roads.size());
  ASSERT_EQ(scene["wheels"].size(), mechanism.tyres.size());
  ASSERT_EQ(scene["wheels"].size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Tyre& tyre = mechanism.tyres[i];
    EXPECT_EQ(scene["wheels"][i]["body"], mechanism.body_name(tyre.body));
    EXPECT_EQ(vec(scene["wheels"][i]["center"]), tyre.center);
    EXPECT_EQ(scene["wheels"][i]["radius"], tyre.radius);
  }
  EXPECT_EQ(scene["roads"][0]["polyline"].size(), mechanism.roads[0].profile.size());
}

TEST(Scene, HasPlanesWithTheBodyTheyBelongTo) {
  const json scene = json::parse(scene_json(read_mechanism_text(R"(cardan: 1
roads:
  slope: {plane: [1, 2, 3], normal: [0, -3, 4]}
  bed: {plane: [0, 0, 1], body: cart}
bodies: {cart: {box: [1, 1, 0.2], at: [0, 0, 0.9], mass: 5}, wheel: {mass: 20, center: [0, 0, 9], inertia: [1, 2, 1]},
         other: {mass: 20, center: [5, 0, 9], inertia: [1, 2, 1]}}
joints: {a: {free: [ground, cart]}, b: {free: [ground, wheel]}, c: {free: [ground, other]}}
loads:
  t1: {slip_tyre: wheel, road: slope, radius: 0.4, width: 0.2, stiffness: 1e5, linear: {longitudinal: 1e4, cornering: 1e4, friction: 1}}
  t2: {slip_tyre: wheel, plane: {at: [0, 0, -1]}, radius: 0.4, width: 0.2, stiffness: 1e5, linear: {longitudinal: 1e4, cornering: 1e4, friction: 1}}
  t3: {slip_tyre: other, plane: {at: [7, 1, -1]}, radius: 0.4, width: 0.3, stiffness: 1e5, linear: {longitudinal: 1e4, cornering: 1e4, friction: 1}}
events: {sinks: {at: 2, drop: {road: slope, by: 0.5}}}
)",
                                                                "planes.yaml")));
  ASSERT_EQ(scene["roads"].size(), 3U) << "t2 and t3 stand on the same plane";
  EXPECT_EQ(scene["roads"][0]["sort"], "plane");
  EXPECT_EQ(vec(scene["roads"][0]["plane"]["at"]), Vec3(1, 2, 3));
  EXPECT_LT((vec(scene["roads"][0]["plane"]["normal"]) - Vec3(0, -0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(scene["roads"][0]["plane"]["body"], "ground");
  EXPECT_EQ(scene["roads"][0]["drops"][0]["by"], 0.5);
  EXPECT_EQ(scene["roads"][0]["polyline"].size(), 0U);
  EXPECT_EQ(scene["roads"][1]["plane"]["body"], "cart");
  EXPECT_EQ(scene["roads"][2]["name"], "");
  EXPECT_NEAR(vec(scene["roads"][2]["plane"]["at"]).z(), -1, 1e-15);
  ASSERT_EQ(scene["wheels"].size(), 3U);
  EXPECT_EQ(scene["wheels"][0]["road"], "slope");
  EXPECT_EQ(scene["wheels"][0]["width"], 0.2);
  EXPECT_EQ(scene["wheels"][1]["road"], "");
}

TEST(Scene, LargeGridsKeepTheirCornersAndTheirShape) {
  HeightMap map{.x0 = -3, .y0 = 2, .dx = 0.1, .dy = 0.2, .columns = 1001, .rows = 301};
  const auto height = [](double x, double y) { return 0.3 * x - 0.2 * y + 5; };
  for (int j = 0; j < map.rows; ++j)
    for (int i = 0; i < map.columns; ++i) map.height.push_back(height(map.x0 + i * map.dx, map.y0 + j * map.dy));
  Mechanism mechanism = read_mechanism_text(
      "cardan: 1\nbodies: {ball: {sphere: 0.1, at: [0, 0, 9], mass: 1}}\njoints: {a: {free: [ground, ball]}}\n",
      "x.yaml");
  mechanism.roads.push_back({.name = "hills", .sort = Road::Sort::grid, .grid = map});
  const json scene = json::parse(scene_json(mechanism));
  const json& grid = scene["roads"][0]["grid"];
  const int columns = grid["columns"], rows = grid["rows"];
  EXPECT_EQ(columns, 201);
  EXPECT_EQ(rows, 201);
  ASSERT_EQ(grid["heights"].size(), static_cast<std::size_t>(columns * rows));
  const double range = height(97, 2) - height(-3, 62);
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const double x = grid["at"][0].get<double>() + i * grid["spacing"][0].get<double>();
      const double y = grid["at"][1].get<double>() + j * grid["spacing"][1].get<double>();
      const double z = grid["heights"][static_cast<std::size_t>(j * columns + i)];
      ASSERT_NEAR(z, height(x, y), 1e-5 * range) << x << ", " << y;
      if (i == columns - 1 && j == rows - 1) {
        EXPECT_NEAR(x, 97, 1e-9);
        EXPECT_NEAR(y, 62, 1e-9);
      }
    }
  }
}

TEST(Scene, SmallGridsAreAsTheyAre) {
  Mechanism mechanism = read_mechanism_text(
      "cardan: 1\nbodies: {ball: {sphere: 0.1, at: [0, 0, 9], mass: 1}}\njoints: {a: {free: [ground, ball]}}\n",
      "x.yaml");
  mechanism.roads.push_back(
      {.name = "hills",
       .sort = Road::Sort::grid,
       .grid = HeightMap{
           .x0 = 1, .y0 = 2, .dx = 0.5, .dy = 0.25, .columns = 3, .rows = 2, .height = {0, 1, 2, 30, 40, 50.5}}});
  const json grid = json::parse(scene_json(mechanism))["roads"][0]["grid"];
  EXPECT_EQ(grid["heights"], (json{0, 1, 2, 30, 40, 50.5}));
  EXPECT_EQ(grid["at"], (json{1, 2}));
  EXPECT_EQ(grid["spacing"], (json{0.5, 0.25}));
}

TEST(Scene, HasPointsOfContactThatNoShapeShows) {
  const json scene = json::parse(scene_json(read_mechanism_text(R"(cardan: 1
roads: {floor: {plane: [0, 0, 0]}}
bodies:
  table: {mass: 10, center: [0, 0, 0.6], inertia: [1, 1, 1]}
  ball: {sphere: 0.1, at: [3, 0, 1], mass: 1}
joints: {a: {free: [ground, table]}, b: {free: [ground, ball]}}
loads:
  feet: {contact: [table, floor], points: [[1, 0, 0], [-1, 0, 0], [0, 50, 0]], stiffness: 1e6}
  knobs: {contact: [table, ball], points: [[0, 0, 0.7]], radius: 0.05, stiffness: 1e6}
)",
                                                                "table.yaml")));
  const json& points = scene["bodies"][0]["points"];
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0]["kind"], "contact");
  EXPECT_EQ(points[0]["name"], "feet");
  EXPECT_EQ(vec(points[2]["at"]), Vec3(0, 50, 0));
  EXPECT_FALSE(points[0].contains("radius"));
  EXPECT_EQ(points[3]["radius"], 0.05);
  EXPECT_EQ(scene["bodies"][1]["points"].size(), 0U) << "the ball is drawn as what it is";
  ASSERT_EQ(scene["contacts"].size(), 2U);
  EXPECT_EQ(scene["contacts"][0]["body"], "table");
  EXPECT_EQ(scene["contacts"][0]["points"].size(), 3U);
  EXPECT_EQ(scene["contacts"][0]["roads"], (json{"floor"}));
  EXPECT_EQ(scene["contacts"][1]["points"][0]["radius"], 0.05);
  EXPECT_EQ(scene["contacts"][1]["roads"].size(), 0U);
  EXPECT_LT(scene["size"], 4) << "of bodies and what holds them";
}

TEST(Scene, HasTheCornersWithWhichBoxesTouch) {
  const json scene = json::parse(scene_json(read_mechanism_text(R"(cardan: 1
roads: {floor: {plane: [0, 0, 0]}}
bodies: {crate: {box: [2, 4, 6], at: [1, 1, 5], mass: 10, axes: {x: y, y: z}}}
joints: {a: {free: [ground, crate]}}
loads: {hit: {contact: [crate, floor], stiffness: 1e6}}
)",
                                                                "crate.yaml")));
  const json& points = scene["contacts"][0]["points"];
  ASSERT_EQ(points.size(), 8U);
  Eigen::AlignedBox3d box;
  for (const json& point : points) {
    const Vec3 arm = vec(point["at"]) - Vec3(1, 1, 5);
    EXPECT_LT((arm.cwiseAbs() - Vec3(3, 1, 2)).norm(), 1e-12) << "edges 2, 4, 6 along y, z, x";
    EXPECT_EQ(point["radius"], 0);
    box.extend(arm);
  }
  EXPECT_LT((box.sizes() - Vec3(6, 2, 4)).norm(), 1e-12) << "all of them";
}

TEST(Scene, HasPullsAndCylinders) {
  const json scene = json::parse(scene_json(read_mechanism(CARDAN_SOURCE_DIR "/tests/fuzz/corpus/model/press.yaml")));
  ASSERT_EQ(scene["pulls"].size(), 1U);
  const json& jack = scene["pulls"][0];
  EXPECT_EQ(jack["name"], "jack");
  EXPECT_EQ(jack["bodies"], (json{"ground", "ram"}));
  EXPECT_EQ(vec(jack["points"][1]), Vec3(0, 0, 1));
  EXPECT_NEAR(jack["cylinder"]["bore"], 0.08, 1e-15);
  EXPECT_NEAR(jack["cylinder"]["rod"], 0.05, 1e-15);
  EXPECT_EQ(jack["cylinder"]["retracted"], 0.7);
  EXPECT_EQ(scene["ground"]["points"][1]["kind"], "pull") << "after the guide";
  MechanismBuilder b("rope");
  b.rod("arm", {0, 0, 0}, {1, 0, 0}, 1, 0.1).free("fly", "ground", "arm");
  b.pull("rope", "ground", "arm", {0, 0, 2}, {1, 0, 0}, 5.0);
  const json rope = json::parse(scene_json(b.build()))["pulls"][0];
  EXPECT_EQ(rope["name"], "rope");
  EXPECT_FALSE(rope.contains("cylinder"));
}

TEST(Scene, EveryModelIsValidJson) {
  for (const auto& file : std::filesystem::directory_iterator(CARDAN_SOURCE_DIR "/models")) {
    if (file.path().extension() != ".yaml") continue;
    const std::string text = scene_json(read_mechanism(file.path().string()));
    EXPECT_TRUE(json::accept(text)) << file.path();
  }
}

TEST(Scene, TellsWhatBodiesAreGivenAs) {
  const json scene = json::parse(scene_json(read_mechanism_text(R"(cardan: 1
points: {P: [1, 2, 3], Q: [1, 4, 3]}
bodies:
  crate: {box: [0.3, 0.2, 0.1], at: P, mass: 5, axes: {x: y, y: z}}
  shaft: {cylinder: [P, Q], radius: 0.05, mass: 2}
  ball: {sphere: 0.4, at: Q, mass: 3}
  thick: {rod: [P, Q], radius: 0.02, mass: 1}
  thin: {rod: [P, Q], mass: 1}
  lump: {mass: 1, center: P, inertia: [1, 1, 1]}
joints: {a: {free: [ground, crate]}, b: {free: [ground, shaft]}, c: {free: [ground, ball]},
         d: {free: [ground, thick]}, e: {free: [ground, thin]}, f: {free: [ground, lump]}}
)",
                                                                "shapes.yaml")));
  const json& crate = scene["bodies"][0]["shape"];
  EXPECT_EQ(crate["shape"], "box");
  EXPECT_EQ(vec(crate["at"]), Vec3(1, 2, 3));
  EXPECT_EQ(vec(crate["edges"]), Vec3(0.3, 0.2, 0.1));
  EXPECT_EQ(vec(crate["axes"][0]), Vec3(0, 1, 0));
  EXPECT_EQ(vec(crate["axes"][2]), Vec3(1, 0, 0));
  for (const auto& [body, radius] : {std::pair{1, 0.05}, std::pair{3, 0.02}}) {
    const json& shape = scene["bodies"][static_cast<std::size_t>(body)]["shape"];
    EXPECT_EQ(shape["shape"], "cylinder");
    EXPECT_EQ(vec(shape["points"][0]), Vec3(1, 2, 3));
    EXPECT_EQ(vec(shape["points"][1]), Vec3(1, 4, 3));
    EXPECT_EQ(shape["radius"], radius);
  }
  EXPECT_EQ(scene["bodies"][2]["shape"]["radius"], 0.4);
  EXPECT_EQ(vec(scene["bodies"][2]["shape"]["at"]), Vec3(1, 4, 3));
  EXPECT_FALSE(scene["bodies"][4].contains("shape"));
  EXPECT_FALSE(scene["bodies"][5].contains("shape"));
}

TEST(Scene, EveryColumnHasAUnitButQuaternions) {
  const Mechanism mechanism = read_mechanism_text(R"(cardan: 1
bodies: {a: {box: [1, 1, 1], at: [0, 0, 0], mass: 1}, b: {box: [1, 1, 1], at: [2, 0, 0], mass: 1}}
joints: {guide: {cylindrical: [ground, a], at: [0, 0, 0], axis: z}, cross: {universal: [a, b], at: [1, 0, 0], axes: [y, z]}}
loads:
  push: {actuator: guide, coordinate: 1, effort: 2}
  twist: {actuator: guide, coordinate: 2, effort: 3*t}
  wind: {force: b, at: [2, 0, 0], components: [1, 0, 0], frame: body}
  couple: {torque: [ground, b], components: [0, 0, 4]}
  coil: {spring: [ground, b], at: [[3, 0, 1], [2, 0, 0]], stiffness: 10}
drivers: {wag: {joint: cross, coordinate: 2, position: 0.1*t^2}}
)",
                                                  "units.yaml");
  const json scene = json::parse(scene_json(mechanism));
  Simulation simulation(mechanism, RunOptions::for_mechanism(mechanism));
  std::size_t counted = 0;
  for (const std::string& column : simulation.columns()) {
    const std::string suffix = column.substr(column.rfind('.') + 1);
    const bool quaternion = suffix.size() == 2 && suffix[0] == 'q' && std::isalpha(suffix[1]) != 0;
    ASSERT_TRUE(scene["units"].contains(column)) << column;
    EXPECT_EQ(scene["units"][column] == "", quaternion) << column;
    ++counted;
  }
  EXPECT_EQ(counted, scene["units"].size());
  EXPECT_EQ(scene["units"]["guide.q1"], "m");
  EXPECT_EQ(scene["units"]["guide.v2"], "rad/s");
  EXPECT_EQ(scene["units"]["push.effort"], "N");
  EXPECT_EQ(scene["units"]["twist.effort"], "N m");
  EXPECT_EQ(scene["units"]["wag.effort"], "N m");
  EXPECT_EQ(scene["units"]["couple.mz"], "N m");
  EXPECT_EQ(scene["units"]["coil.length"], "m");

  // What acts on joints says along or about which axis.
  ASSERT_EQ(scene["efforts"].size(), 3U);
  EXPECT_EQ(scene["efforts"][0]["name"], "wag");
  EXPECT_EQ(scene["efforts"][0]["axis_body"], "b") << "the second axis of a cross moves with its second body";
  EXPECT_EQ(vec(scene["efforts"][0]["axis"]), Vec3(0, 0, 1));
  EXPECT_EQ(scene["efforts"][1]["angular"], false);
  EXPECT_EQ(vec(scene["efforts"][1]["axis"]), Vec3(0, 0, 1));
  EXPECT_EQ(scene["efforts"][2]["angular"], true);
  EXPECT_EQ(scene["forces"][0]["name"], "wind");
  EXPECT_EQ(scene["torques"][0]["bodies"][1], "b");
}

}  // namespace
}  // namespace cardan
