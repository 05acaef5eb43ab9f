// The commands that need no time steps.
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace cardan {
namespace {

using nlohmann::json;

class AnalysesTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("pendulum.yaml", R"(cardan: 1
name: pendulum
planar: true
gravity: [0, -9.81]
parameters: {L: 1.0}
bodies: {arm: {rod: [[0, 0], [L, 0]], mass: 2}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
loads: {brake: {torsion: pin, stiffness: 0.5, damping: 0.1}}
simulation: {until: 0.5, step: 0.01}
)");
    write("driven.yaml", R"(cardan: 1
name: driven
planar: true
gravity: [0, -9.81]
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 2}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
drivers: {motor: {joint: pin, position: t^2}}
simulation: {until: 0.5, step: 0.01}
)");
    write("falling.yaml", R"(cardan: 1
name: falling
planar: true
bodies: {stone: {box: [1, 1, 1], at: [0, 0], mass: 2}}
joints: {nothing: {free: [ground, stone]}}
)");
  }
};

TEST_F(AnalysesTest, EquilibriumPrintsATableAndJson) {
  const Result text = cardan("equilibrium pendulum.yaml --out found.json");
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"pendulum: at rest after", "1 degree of freedom", "arm", "pin", "brake"}) {
    EXPECT_TRUE(contains(text.out, part));
  }
  const Result result = cardan("equilibrium pendulum.yaml --json");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, read("found.json"));
  const json found = json::parse(result.out);
  EXPECT_EQ(found["status"], "ok");
  EXPECT_LT(found["unbalanced_force"].get<double>(), 1e-9);
  // The brake pulls back by 0.5 q, the weight by 9.81 cos q.
  const double q = found["values"]["pin.q"];
  EXPECT_NEAR(0.5 * q + 2 * 9.81 * 0.5 * std::cos(q), 0, 1e-9);
  EXPECT_NEAR(found["loads"]["brake"]["force"].get<double>(), 0.5 * q, 1e-12);
}

TEST_F(AnalysesTest, EquilibriumThatDoesNotExistExitsWith1) {
  const Result result = cardan("equilibrium falling.yaml");
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(contains(result.err, "no load resists a motion of"));
}

/// Toe and camber of its wheels leave it some 1e-8 of its weight along the road, which friction would hold.
TEST_F(AnalysesTest, TheDrivenVehicleRestsWhereItIsDrawnUnlessItsEngineDrives) {
  const Result driving = cardan("equilibrium " CARDAN_SOURCE_DIR "/models/iltis_driven.yaml");
  EXPECT_EQ(driving.code, 1);
  EXPECT_TRUE(contains(driving.err, "driven by 'drive_front_left' (900 N m), 'drive_front_right' (900 N m)"));
  const Result result = cardan("equilibrium " CARDAN_SOURCE_DIR "/models/iltis_driven.yaml --set speed=0 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const json found = json::parse(result.out);
  double load = 0;
  for (const char* corner : {"front_left", "front_right", "rear_left", "rear_right"})
    load += found["values"][std::string(corner) + "/tyre.load"].get<double>();
  const double mass = 1260 + 3 + 4 * (6 + 0.001 + 21.35 + 36);
  EXPECT_NEAR(load, 9.81 * mass, 1e-6 * load);
  EXPECT_LT(std::abs(found["values"]["chassis.x"].get<double>()), 1e-2);
}

TEST_F(AnalysesTest, ModesPrintsATableAndJson) {
  const Result text = cardan("modes pendulum.yaml");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "1 mode about the equilibrium position"));
  const json modes = json::parse(cardan("modes pendulum.yaml --json").out);
  ASSERT_EQ(modes["modes"].size(), 1U);
  EXPECT_GT(modes["modes"][0]["damping_ratio"].get<double>(), 0);
  const Result drawn = cardan("modes pendulum.yaml --at drawn");
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_TRUE(contains(drawn.out, "this is no equilibrium"));
  EXPECT_EQ(cardan("modes pendulum.yaml --at top").code, 2);
  EXPECT_EQ(cardan("modes falling.yaml").code, 1);
}

TEST_F(AnalysesTest, ModesWritesWhatTheViewerNeeds) {
  const Result result = cardan("modes pendulum.yaml --out here --report modes.html");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "written: here/modes.json, scene.json and summary.json, modes.html"));
  const json modes = json::parse(read("here/modes.json")), scene = json::parse(read("here/scene.json"));
  ASSERT_EQ(modes["poses"].size(), scene["bodies"].size());
  ASSERT_EQ(modes["modes"].size(), 1U);
  for (const json& column : modes["columns"])
    EXPECT_TRUE(modes["modes"][0]["shape"].contains(column.get<std::string>())) << column;
  EXPECT_TRUE(contains(read("modes.html"), "damping_ratio"));
  const Result file = cardan("modes pendulum.yaml --out modes.json");
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_EQ(json::parse(read("modes.json")), modes) << "a name with an extension is a file";
}

TEST_F(AnalysesTest, InverseWritesTheEfforts) {
  const Result result = cardan("inverse driven.yaml --step 0.1 --until 0.3 --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  const std::vector<std::string> lines = split(read("here/inverse.csv"), '\n');
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], "t,motor.q,motor.v,motor.a,motor.effort");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> row = split(lines[i], ',');
    ASSERT_EQ(row.size(), 5U);
    const double q = std::stod(row[1]), a = std::stod(row[3]);
    EXPECT_NEAR(a, 2, 1e-12);
    EXPECT_NEAR(std::stod(row[4]), 2.0 / 3 * a + 9.81 * std::cos(q), 1e-9);
  }
  EXPECT_EQ(split(read("here/trajectory.csv"), '\n').size(), 5U);
  const Result open = cardan("inverse pendulum.yaml");
  EXPECT_EQ(open.code, 2);
  EXPECT_TRUE(contains(open.err, "the drivers give 0 of 1 degrees of freedom; no driver gives pin.q"));
  EXPECT_EQ(cardan("inverse driven.yaml --step 0").code, 2);
}

TEST_F(AnalysesTest, InverseWritesAReport) {
  const Result result = cardan("inverse driven.yaml --step 0.1 --until 0.3 --out here --report pages/efforts.html");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "pages/efforts.html"));
  const std::string page = read("pages/efforts.html");
  for (const char* part : {"Efforts of the drivers", "effort, N m", "largest effort", "inverse driven.yaml --step 0.1"})
    EXPECT_TRUE(contains(page, part));
  EXPECT_EQ(cardan("inverse driven.yaml --report driven.yaml").code, 2);  // not over the model
}

TEST_F(AnalysesTest, ARunCanStartFromTheEquilibrium) {
  const Result result = cardan("run pendulum.yaml --from-equilibrium --json --out here");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["start"], "equilibrium");
  const std::vector<std::string> rows = split(read("here/trajectory.csv"), '\n');
  EXPECT_NEAR(std::stod(split(rows[1], ',')[2]), std::stod(split(rows.back(), ',')[2]), 1e-9);
  EXPECT_EQ(cardan("run falling.yaml --from-equilibrium --out here").code, 2);
}

TEST_F(AnalysesTest, EquilibriumShowsStatesAndStops) {
  write("hanging.yaml", R"(cardan: 1
name: hanging
planar: true
bodies: {weight: {mass: 300, center: [0, -1], inertia: 1}}
joints: {slide: {prismatic: [ground, weight], at: [0, -1], axis: y}}
inputs: {lever: {start: 0}}
loads:
  jack: {cylinder: [ground, weight], at: [[0, 0], [0, -1]], areas: 1e-3, retracted: 0.9, stroke: 0.3, leakage: 1e-12}
  valve: {valve: jack, supply: pump, command: lever, rated_flow: 1e-3, tank: 2e5}
  pump: {pump: 6e-4, volume: 1e-3, start: 50e5, relief: 180e5}
)");
  const Result text = cardan("equilibrium hanging.yaml");
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"\n  jack ", "\n  jack.pa ", " Pa\n", "\n  pump.p ", "\n  jack.stop ", " 2943  N\n",
                           "note: 'jack' rests on an end stop, which pushes with 2943 N"})
    EXPECT_TRUE(contains(text.out, part)) << part << ":\n" << text.out;
  for (const char* part : {"jack.power", "weight.vx", "slide.q"}) EXPECT_FALSE(contains(text.out, part)) << text.out;
}

TEST_F(AnalysesTest, CheckPrintsTheStepOfAnImpact) {
  // pi sqrt(m/k) = pi/100; a tenth of it, less by sqrt(1 + s): s = 0 of e = 1.
  write("ball.yaml", R"(cardan: 1
name: ball
parameters: {bounce: 1}
roads: {floor: {plane: [0, 0, 0]}}
bodies: {ball: {sphere: 0.1, at: [0, 0, 1], mass: 1}}
joints: {free: {free: [ground, ball]}}
loads: {touch: {contact: [ball, floor], stiffness: 1e4, restitution: bounce}}
)");
  const Result elastic = cardan("check ball.yaml");
  EXPECT_TRUE(
      contains(elastic.out, "contact 'touch': an impact lasts about 0.031 s, and takes steps of 0.0031 s or less"))
      << elastic.out;
  const Result plastic = cardan("check ball.yaml --set bounce=0");
  EXPECT_TRUE(contains(plastic.out, "lasts about 0.031 s, and takes steps of 0.00031 s or less")) << plastic.out;
}

}  // namespace
}  // namespace cardan
