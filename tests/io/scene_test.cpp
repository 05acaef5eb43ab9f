#include "cardan/scene.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"

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

TEST(Scene, EveryModelIsValidJson) {
  for (const auto& file : std::filesystem::directory_iterator(CARDAN_SOURCE_DIR "/models")) {
    if (file.path().extension() != ".yaml") continue;
    const std::string text = scene_json(read_mechanism(file.path().string()));
    EXPECT_TRUE(json::accept(text)) << file.path();
  }
}

}  // namespace
}  // namespace cardan
