// Subsystems in model files: the same as the builder's, parameters from outside, nesting, and messages with the chain
// of files. Each file under bad/subsystems starts with the messages it must give, folders left out.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "last_sample.hpp"
#include "mechanism/mechanism_comparison.hpp"

namespace cardan {
namespace {

const std::filesystem::path kBad = std::filesystem::path(CARDAN_SOURCE_DIR) / "tests/io/bad/subsystems";

/// A folder of model files that goes with the test.
class Folder {
 public:
  Folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) / (std::string("cardan_subsystems_") + test->name());
    std::filesystem::create_directories(path_ / "parts");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

TEST(Subsystems, DirectionsAgainstAnAxisAreMirroredAndTurned) {
  const Folder folder;
  const auto axis = [&](const std::string& direction, const std::string& how) {
    folder.write("parts/arm.yaml",
                 "cardan: 1\nbodies: {arm: {box: [1, 2, 3], at: [1, 0, 0], mass: 1}}\n"
                 "joints: {pin: {revolute: [ground, arm], at: [0, 0, 0], axis: " +
                     direction + "}}\n");
    return read_mechanism(
               folder.write("whole.yaml", "cardan: 1\nsubsystems: {s: {file: parts/arm.yaml, " + how + "}}\n"))
        .joints[0]
        .frame1.axes;
  };
  for (const char* how : {"mirror: y", "mirror: z", "place: {at: [1, 2, 3], turn: {axis: x, angle: 0.4}}"}) {
    EXPECT_EQ(axis("-y", how), axis("[0, -1, 0]", how)) << how;
    EXPECT_EQ(axis("-z", how), axis("[0, 0, -1]", how)) << how;
    EXPECT_NE(axis("-y", how), axis("y", how)) << how;
  }
}

const char* const kPart = R"(
cardan: 1
name: pendulum
connections: {frame: body, pivot: point}
parameters: {L: 0.5, m: 2, half: L/2}
points: {end: [L, 0, 0]}
bodies:
  arm: {rod: [[0, 0, 0], end], mass: m, radius: 0.01}
  bob: {sphere: 0.1, at: end, mass: half}
joints:
  pin: {revolute: [frame, arm], at: pivot, axis: [0, 1, 0.5]}
  weld: {fixed: [arm, bob]}
loads: {k: {torsion: pin, torque: x + x^2}}
drivers: {}
initial: {pin: {velocity: 3}, bob: {angular_velocity: [free, 1, free]}, frame: {velocity: [1, 0, 0]}}
simulation: {until: 7}
)";

TEST(Subsystems, FileEqualsBuilder) {
  const Folder folder;
  folder.write("parts/pendulum.yaml", kPart);
  const std::string path = folder.write("model.yaml", R"(
cardan: 1
name: model
parameters: {size: 0.2}
points: {corner: [0, 0.4, 1]}
bodies: {plate: {box: [1, 1, 0.1], at: [0, 0, 1], mass: 4}}
joints: {base: {free: [ground, plate]}}
subsystems:
  left:
    file: parts/pendulum.yaml
    parameters: {L: 2*size}
    connect: {frame: plate, pivot: corner}
    rename: {arm: boom}
    mirror: [y, x]
    place: {at: [0, size, 1], turn: {axis: [0, 0, 2], angle: pi/2}}
initial: {left/bob: {velocity: [0, free, 0]}}
)");
  MechanismBuilder part;
  part.connection("frame").connection("pivot", "point").point("end", {0.4, 0, 0});
  part.rod("arm", {0, 0, 0}, "end", 2, 0.01).sphere("bob", 0.1, "end", 0.2);
  part.revolute("pin", "frame", "arm", "pivot", {0, 1, 0.5});
  JointSpec weld;
  weld.name = "weld";
  weld.type = JointType::fixed;
  weld.body1 = "arm";
  weld.body2 = "bob";
  part.add(weld);
  JointSpringSpec k;
  k.name = "k";
  k.joint = "pin";
  k.force = Located<Function>(Function::expression("x + x^2", "x"));
  part.add(k).joint_velocity("pin", 3).angular_velocity("bob", {NAN, 1, NAN}).velocity("frame", {1, 0, 0});
  MechanismBuilder model("model");
  model.point("corner", {0, 0.4, 1}).box("plate", {1, 1, 0.1}, {0, 0, 1}, 4).free("base", "ground", "plate");
  model.add(part.spec(),
            {.name = "left",
             .placement = {.at = {0, 0.2, 1},
                           .turn = Eigen::AngleAxisd(std::acos(-1.0) / 2, Vec3::UnitZ()).toRotationMatrix(),
                           .mirror = {true, true, false}},
             .connect = {{"frame", "plate"}, {"pivot", "corner"}},
             .rename = {{"arm", "boom"}}});
  model.velocity("left/bob", {0, NAN, 0});
  const Mechanism file = read_mechanism(path);
  expect_same(file, model.build());
  EXPECT_EQ(file.bodies[1].name, "boom");
  EXPECT_EQ(file.bodies[2].name, "left/bob");
  EXPECT_FALSE(file.simulation.until.has_value());
  EXPECT_EQ(file.bodies[1].initial_velocity, std::nullopt);
  EXPECT_LT((*file.bodies[0].initial_velocity - Vec3(0, -1, 0)).norm(), 1e-15);
}

TEST(Subsystems, ParametersFromOutside) {
  const Folder folder;
  folder.write("parts/pendulum.yaml", kPart);
  folder.write("parts/pair.yaml", R"(
cardan: 1
parameters: {length: 1}
points: {O: [0, 0, 0]}
subsystems:
  one: {file: pendulum.yaml, parameters: {L: length}, connect: {frame: ground, pivot: O}}
  two: {file: pendulum.yaml, parameters: {L: 2*length}, connect: {frame: one/bob, pivot: one/end}, place: {at: [length, 0, 0]}}
)");
  const std::string path = folder.write("model.yaml", R"(
cardan: 1
parameters: {a: 0.3}
subsystems: {pair: {file: parts/pair.yaml, parameters: {length: a + 0.1}}}
)");
  // initial values of `frame` on ground are refused, so the part's are taken out
  std::string part = kPart;
  part.erase(part.find(", frame: {velocity: [1, 0, 0]}"), std::string(", frame: {velocity: [1, 0, 0]}").size());
  folder.write("parts/pendulum.yaml", part);
  const auto ends = [&](const std::map<std::string, double>& set) {
    const Mechanism mechanism = read_mechanism(path, set);
    EXPECT_EQ(mechanism.bodies[0].name, "pair/one/arm");
    EXPECT_EQ(mechanism.bodies[3].name, "pair/two/bob");
    EXPECT_EQ(mechanism.joints[2].body1, 1);  // on the first bob
    return Vec2(mechanism.bodies[1].center.x(), mechanism.bodies[3].center.x());
  };
  EXPECT_LT((ends({}) - Vec2(0.4, 1.2)).norm(), 1e-15);
  EXPECT_LT((ends({{"a", 0.9}}) - Vec2(1, 3)).norm(), 1e-15);
  EXPECT_LT((ends({{"pair/length", 2}}) - Vec2(2, 6)).norm(), 1e-15);
  EXPECT_LT((ends({{"pair/two/L", 5}}) - Vec2(0.4, 5.4)).norm(), 1e-15);
  const auto message = [&](const std::map<std::string, double>& set) -> std::string {
    try {
      read_mechanism(path, set);
    } catch (const ModelError& e) {
      return e.diagnostics()[0].message + "; " + e.diagnostics()[0].remedy;
    }
    return "";
  };
  EXPECT_EQ(message({{"pairr/L", 1}}),
            "the model has no subsystem 'pairr' for the parameter 'pairr/L'; did you mean 'pair'?");
  EXPECT_EQ(message({{"pair/two/X", 1}}), "the model has no parameter 'X' to set; its parameters are L, m, half");
}

TEST(Subsystems, PlanarPlacesOfAPart) {
  const Folder folder;
  folder.write("parts/arm.yaml", R"(
cardan: 1
planar: true
gravity: [0, -9.81]
points: {O: [0, 0], E: [1, 0]}
bodies: {arm: {rod: [O, E], mass: 1}}
joints: {pin: {revolute: [ground, arm], at: O}}
)");
  const Mechanism mechanism = read_mechanism(folder.write("model.yaml", R"(
cardan: 1
planar: true
subsystems:
  a: {file: parts/arm.yaml}
  b: {file: parts/arm.yaml, mirror: x, place: {at: [3, 0], turn: 0.1}}
loads: {cord: {spring: [a/arm, b/arm], at: [a/E, b/E], stiffness: 10}}
)"));
  EXPECT_LT((mechanism.springs[0].point2 - Vec3(3 - std::cos(0.1), -std::sin(0.1), 0)).norm(), 1e-15);
}

/// A slide keeps its effort in a mirror, a pin turns round.
TEST(Subsystems, EffortsOfAMirroredPartAreSignalsWhereTheyKeepTheirSign) {
  const Folder folder;
  const auto model_with = [&](const std::string& load) {
    folder.write("parts/cart.yaml", R"(
cardan: 1
planar: true
points: {O: [0, 0], E: [1, 0.2]}
bodies: {cart: {mass: 1, center: O, inertia: 1}, arm: {rod: [O, E], mass: 1}}
joints: {rail: {prismatic: [ground, cart], at: O, axis: x}, pin: {revolute: [cart, arm], at: O}}
loads: {push: {actuator: rail, effort: 3*t}, turn: {actuator: pin, effort: 2*t}}
signals: {seen: )" + load + ".effort}\n");
    return folder.write("model.yaml", R"(
cardan: 1
planar: true
subsystems: {a: {file: parts/cart.yaml}, b: {file: parts/cart.yaml, mirror: x, place: {at: [3, 0]}}}
)");
  };
  EXPECT_EQ(read_mechanism(model_with("push")).actuators.size(), 4U);
  try {
    read_mechanism(model_with("turn"));
    ADD_FAILURE() << "the effort of the pin is that of the other side";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("'turn.effort' is an effort on a coordinate that turns round in a mirror"),
              std::string::npos)
        << e.what();
  }
}

/// Left and right of the axle that comes with the program move as mirror images.
TEST(Subsystems, AxleIsSymmetric) {
  const Mechanism mechanism = read_mechanism(std::string(CARDAN_SOURCE_DIR) + "/models/wishbone_axle.yaml");
  const FinishedRun run = finish(mechanism, options_of("hybrid", 0.001, 0.5));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_EQ(run.summary.degrees_of_freedom, 5);
  for (const std::string body : {"lower", "upper", "upright", "wheel"}) {
    const auto& last = run.last;
    const std::string l = "left/" + body, r = "right/" + body;
    for (const char* same : {".x", ".z", ".vx", ".vz", ".wy"})
      EXPECT_NEAR(last[l + same], last[r + same], 1e-8) << body;
    for (const char* opposite : {".y", ".vy", ".wx", ".wz"})
      EXPECT_NEAR(last[l + opposite], -last[r + opposite], 1e-7) << body;
  }
  for (const std::string joint : {"lower_hinge", "bearing"})
    EXPECT_NEAR(run.last["left/" + joint + ".q"], run.last["right/" + joint + ".q"], 1e-8);
  EXPECT_GT(run.last["left/bearing.q"], 10);
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> bad_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kBad))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class BadSubsystem : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadSubsystem, GivesExactlyTheExpectedMessages) {
  const std::string mark = "# expect: ", folder = kBad.string() + "/";
  std::istringstream lines(text_of(GetParam()));
  std::string line, expected, got;
  while (std::getline(lines, line) && line.starts_with(mark)) expected += line.substr(mark.size()) + "\n";
  ASSERT_FALSE(expected.empty()) << "the file does not start with '# expect: '";
  try {
    read_mechanism(GetParam().string());
  } catch (const ModelError& e) {
    got = std::string(e.what()) + "\n";
  }
  for (std::size_t at; (at = got.find(folder)) != std::string::npos;) got.erase(at, folder.size());
  EXPECT_EQ(got, expected);
}

INSTANTIATE_TEST_SUITE_P(Files, BadSubsystem, testing::ValuesIn(bad_files()),
                         [](const auto& info) { return info.param.stem().string(); });

/// A servo as a part, twice, one of them mirrored: its controller is a signal of its own, what it follows comes from
/// outside, through a part in between.
TEST(Subsystems, ControllersOfPartsAndSignalsFromOutside) {
  const Folder folder;
  folder.write("parts/servo.yaml", R"(
cardan: 1
connections: {goal: signal, brake: signal}
bodies: {arm: {rod: [[0, 1, 0], [1, 1, 0]], mass: 2, radius: 0.02}}
joints: {pin: {revolute: [ground, arm], at: [0, 1, 0], axis: z}}
loads:
  control: {pid: goal - pin.q, kp: 40, kd: 8, filter: 0.01}
  motor: {actuator: pin, effort: control - brake*pin.v}
)");
  folder.write("parts/pair.yaml", R"(
cardan: 1
connections: {wish: signal, friction: signal}
subsystems:
  left: {file: servo.yaml, connect: {goal: wish, brake: friction}}
  right: {file: servo.yaml, connect: {goal: wish, brake: left/motor.effort}, mirror: y}
)");
  const std::string path = folder.write("model.yaml", R"(
cardan: 1
gravity: [0, 0, 0]
inputs: {lever: 0.3}
signals: {half: lever/2}
subsystems: {pair: {file: parts/pair.yaml, connect: {wish: half, friction: lever}}}
)");
  const Mechanism mechanism = read_mechanism(path);
  const FinishedRun run = finish(mechanism, options_of("hybrid", 0.002, 3));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_NEAR(run.last["pair/left/pin.q"], 0.15, 1e-5);
  EXPECT_NEAR(run.last["pair/right/pin.q"], 0.15, 1e-5);  // the mirror image turns the other way round in space
  EXPECT_NEAR(run.last["pair/left/control"], run.last["pair/left/motor.effort"], 1e-6);
}

TEST(Subsystems, SignalsThatAreNotThereAreSaid) {
  const Folder folder;
  const auto complaint = [&](const std::string& part, const std::string& connect) {
    folder.write("parts/arm.yaml", "cardan: 1\n" + part + R"(
bodies: {arm: {rod: [[0, 0, 0], [1, 0, 0]], mass: 2, radius: 0.02}}
joints: {pin: {revolute: [ground, arm], at: [0, 0, 0], axis: y}}
loads: {motor: {actuator: pin, effort: lever}}
)");
    try {
      read_mechanism(folder.write(
          "model.yaml", "cardan: 1\ninputs: {handle: 1}\nsubsystems: {a: {file: parts/arm.yaml" + connect + "}}\n"));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto expect = [&](const std::string& part, const std::string& connect, const std::string& sentence) {
    const std::string said = complaint(part, connect);
    EXPECT_NE(said.find(sentence), std::string::npos) << said;
  };
  expect("", "", "one outside of the part is declared by 'connections: {lever: signal}'");
  expect("connections: {lever: signal}", "", "connection 'lever' is left open; add 'connect: {lever: NAME}'");
  expect("connections: {lever: signal}", ", connect: {lever: handel}",
         "no signal is called 'handel'; did you mean 'handle'?");
  expect("connections: {lever: signal}", ", connect: {lever: nothing.q}",
         "no parameter or signal is called 'nothing.q'");
  EXPECT_EQ(complaint("connections: {lever: signal}", ", connect: {lever: handle}"), "accepted");
}

}  // namespace
}  // namespace cardan
