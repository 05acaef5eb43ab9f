// Tables from CSV files, roads that are sampled, and what a reader of the file ought to be told.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "io/model_text.hpp"

namespace cardan {
namespace {

/// Models and CSV files in a folder of their own, so that paths beside the model are tried.
class TableFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "cardan_tables_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::filesystem::create_directory(folder_ / "data");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }

  static std::string model(const std::string& rest) {
    return "cardan: 1\nplanar: true\nbodies: {arm: {rod: [[0, 0], [1, 0]], mass: 1}}\n"
           "joints: {pin: {revolute: [ground, arm], at: [0, 0]}}\n" +
           rest;
  }
  Mechanism read_rest(const std::string& rest) const {
    write("model.yaml", model(rest));
    return read_mechanism((folder_ / "model.yaml").string());
  }
  /// The complaint, without the folder.
  std::string complaint(const std::string& rest) const {
    try {
      read_rest(rest);
      return "";
    } catch (const ModelError& e) {
      std::string text = e.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at = 0; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
      return text;
    }
  }

  std::filesystem::path folder_;
};

TEST_F(TableFiles, GiveTheSameFunctionAsTheNumbersInTheModel) {
  write("data/path.csv", "# measured\n t , \"a, b\",angle\r\n\n0,9,0.5\n1,9, 0.7\n2.5,9,-1e-1\n");
  write("plain.csv", "0;9;0.5\n1;9;0.7\n2.5;9;-0.1\n");
  write("two.csv", "0\t0.5\n1\t0.7\n2.5\t-0.1\n");
  const std::string inline_table = "drivers: {d: {joint: pin, position: {table: [[0, 0.5], [1, 0.7], [2.5, -0.1]]";
  for (const std::string& end : {std::string("}}}"), std::string(", interpolation: cubic, beyond: linear}}}")}) {
    const Function expected = read_rest(inline_table + end).drivers[0].position;
    int read_so_far = 0;
    for (const char* csv : {"{file: data/path.csv, columns: [t, angle]}", "{file: data/path.csv, columns: [1, 3]}",
                            "{file: plain.csv, columns: [1, 3]}", "{file: two.csv}"}) {
      const Mechanism m = read_rest(std::string("drivers: {d: {joint: pin, position: {table: ") + csv + end);
      for (const double t : {-1.0, 0.0, 0.3, 1.0, 2.0, 2.5, 4.0}) {
        EXPECT_EQ(m.drivers[0].position(t), expected(t)) << csv;
        EXPECT_EQ(m.drivers[0].position.evaluate(t).d1, expected.evaluate(t).d1) << csv;
      }
      ++read_so_far;
    }
    EXPECT_EQ(read_so_far, 4);
  }
}

TEST_F(TableFiles, AreBesideThePartThatNamesThem) {
  std::filesystem::create_directory(folder_ / "parts");
  write("parts/efforts.csv", "0,1\n1,2\n");
  write("parts/motor.yaml",
        "cardan: 1\nplanar: true\nconnections: {axle: joint}\n"
        "loads: {motor: {actuator: axle, effort: {table: {file: efforts.csv}}}}\n");
  const Mechanism m = read_rest("subsystems: {m: {file: parts/motor.yaml, connect: {axle: pin}}}");
  ASSERT_EQ(m.actuators.size(), 1U);
  EXPECT_EQ(m.actuators[0].effort.function(0.5), 1.5);
}

TEST_F(TableFiles, PointAtTheLineAndColumnOfAMistake) {
  write("bad.csv", "t,f\n0,1\n1,one\n");
  write("short.csv", "t,f\n0,1\n1\n");
  write("falls.csv", "0,1\n2,1\n1,1\n");
  write("one.csv", "t,f\n0,1\n");
  write("empty.csv", "# nothing\n");
  const auto of = [&](const std::string& table) {
    return complaint("drivers: {d: {joint: pin, position: {table: " + table + "}}}");
  };
  EXPECT_EQ(of("{file: bad.csv}"),
            "bad.csv:3:3: error: driver 'd': 'one' is not a finite number (included from model.yaml line 5)");
  EXPECT_EQ(
      of("{file: short.csv}"),
      "short.csv:3:2: error: driver 'd': the line has 1 cells, but column 2 is asked for; give every line as many "
      "cells (included from model.yaml line 5)");
  EXPECT_EQ(
      of("{file: falls.csv}"),
      "falls.csv:3:1: error: driver 'd': 'position': the table does not rise from 2 to 1; order the rows by their "
      "first number (included from model.yaml line 5)");
  EXPECT_EQ(of("{file: bad.csv, columns: [t, g]}"),
            "model.yaml:5:74: error: driver 'd': 'bad.csv' has no column 'g'; its columns are t, f");
  EXPECT_EQ(of("{file: falls.csv, columns: [1, 4]}"),
            "model.yaml:5:76: error: driver 'd': 'falls.csv' has no column 4; it has 2");
  EXPECT_EQ(
      of("{file: one.csv}"),
      "model.yaml:5:45: error: driver 'd': 'position': a table needs two rows or more; give [[x, y], [x, y], ...] "
      "or {file: PATH, columns: [A, B]}");
  EXPECT_EQ(of("{file: empty.csv}"),
            "model.yaml:5:52: error: driver 'd': 'empty.csv' has no rows; give two columns of numbers");
  EXPECT_NE(of("{file: missing.csv}").find("missing.csv': the file cannot be opened"), std::string::npos);
  EXPECT_NE(of("{fil: bad.csv}").find("a table has no field 'fil'; did you mean 'file'?"), std::string::npos);
  EXPECT_NE(of("[[0, 1], [1, 2]], beyond: holt").find("no interpolation"), 0U);
  EXPECT_NE(of("[[0, 1], [1, 2]], beyond: holt").find("is called 'holt'; did you mean 'hold'?"), std::string::npos);
}

TEST_F(TableFiles, GiveRoads) {
  write("road.csv", "x,z\n-1,0\n1,0\n1,0.05\n9,0.05\n");
  const Mechanism m = read_rest("roads: {r: {profile: {file: road.csv, columns: [x, z]}}}");
  ASSERT_EQ(m.roads[0].profile.size(), 4U);
  EXPECT_EQ(m.roads[0].profile[2], Vec2(1, 0.05));
  write("back.csv", "x,z\n-1,0\n1,0\n0.5,0.05\n");
  EXPECT_EQ(complaint("roads: {r: {profile: {file: back.csv}}}"),
            "back.csv:4:1: error: road 'r': x goes back from 1 to 0.5 m; give the points in the order of x; two at the "
            "same x make a vertical face (included from model.yaml line 5)");
}

std::string warnings_of(const std::string& text) {
  std::string all;
  for (const Diagnostic& warning : read(text).warnings) all += warning.text() + "\n";
  return all;
}

testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in: " << text;
}

TEST(Roads, AFineSineIsARoadAndNoJump) {
  const Mechanism m = read(std::string(kPendulum) + "roads: {r: {height: 0.001*sin(1000*x), from: 0, to: 150}}");
  EXPECT_GT(m.roads[0].profile.size(), 100000U);
  double worst = 0;
  const std::vector<Vec2>& p = m.roads[0].profile;
  for (std::size_t i = 1; i < p.size(); ++i) {
    const Vec2 middle = 0.5 * (p[i - 1] + p[i]);
    worst = std::max(worst, std::abs(middle.y() - 0.001 * std::sin(1000 * middle.x())));
  }
  EXPECT_LT(worst, 1.2e-4);
  EXPECT_TRUE(
      says(error_of(std::string(kPendulum) + "roads: {r: {height: 0.001*sin(1e6*x), from: 0, to: 100}}"),
           "straight pieces to follow the height within 0.0001 m; make the road shorter, or 'deviation' larger"));
  EXPECT_TRUE(says(error_of(std::string(kPendulum) + "roads: {r: {height: sqrt(x), from: -1, to: 1}}"),
                   "the height has no finite value near x = "));
}

TEST(Roads, SayWhereTheirTableEnds) {
  const std::string road =
      std::string(kPendulum) + "roads: {r: {height: {table: [[0, 0], [2, 1]]BEYOND}, from: 0, to: 3}}";
  const auto with = [&](const std::string& beyond) {
    std::string text = road;
    return text.replace(text.find("BEYOND"), 6, beyond);
  };
  const Mechanism held = read(with(""));
  EXPECT_EQ(held.roads[0].profile.back(), Vec2(3, 1));
  EXPECT_TRUE(says(warnings_of(with("")), "its table reaches from 0 to 2 m, but the road from 0 to 3 m; it is level"));
  EXPECT_EQ(read(with(", beyond: linear")).roads[0].profile.back(), Vec2(3, 1.5));
  EXPECT_TRUE(says(error_of(with(", beyond: error")), "road 'r': its table reaches from 0 to 2 m"));
}

TEST(Warnings, OfAParameterThatHidesAConstant) {
  EXPECT_TRUE(says(warnings_of("planar: true\nparameters: {e: 3}\nbodies: {b: {mass: e, center: [0, 0], inertia: 1}}\n"
                               "joints: {f: {free: [ground, b]}}"),
                   "parameter 'e': it hides the constant e"));
  EXPECT_EQ(warnings_of(kPendulum), "");
}

TEST(Warnings, OfNegativeStiffnessAndDamping) {
  const std::string text = std::string(kPendulum) + "loads: {k: {torsion: pin, stiffness: -2, damping: 1}, ";
  EXPECT_TRUE(says(warnings_of(text + "c: {torsion: pin, damping: -1}}"), "load 'k': the stiffness is negative (-2)"));
  EXPECT_TRUE(says(warnings_of(text + "c: {torsion: pin, damping: -1}}"), "load 'c': the damping is negative (-1)"));
}

TEST(Warnings, OfModelsInMillimetres) {
  const auto linkage = [](double scale, double gravity) {
    return "planar: true\nparameters: {L: " + std::to_string(scale) + "}\ngravity: [0, " + std::to_string(-gravity) +
           "]\nbodies: {a: {rod: [[0, 0], [L, 0]], mass: 2}, b: {rod: [[L, 0], [2*L, L]], mass: 3}}\n"
           "joints: {p: {revolute: [ground, a], at: [0, 0]}, q: {revolute: [a, b], at: [L, 0]}}";
  };
  for (const double metres : {1e-3, 0.3, 10.0}) EXPECT_EQ(warnings_of(linkage(metres, 9.81)), "") << metres;
  EXPECT_TRUE(says(warnings_of(linkage(300, 9.81)), "as if lengths were in mm"));
  EXPECT_TRUE(says(warnings_of(linkage(300, 9810)), "gravity: it is 9810 m/s^2, as if lengths were in mm"));
}

TEST(Warnings, OfSingleNumbersInMillimetres) {
  const auto car = [](const std::string& free_length, const std::string& radius, const std::string& inertia) {
    return "planar: true\nbodies: {a: {rod: [[0, 0], [2, 0]], mass: 2}, b: {mass: 3, center: [2, 0], inertia: " +
           inertia +
           "}}\nroads: {r: {profile: [[-9, -9], [99, -9]]}}\n"
           "joints: {p: {revolute: [ground, a], at: [0, 0]}, q: {revolute: [a, b], at: [2, 0]}}\n"
           "loads: {s: {spring: [ground, a], at: [[1, 0.4], [1, 0]], stiffness: 10, free_length: " +
           free_length + "}, w: {tyre: b, road: r, stiffness: 1e5, radius: " + radius + "}}";
  };
  EXPECT_EQ(warnings_of(car("0.4", "0.3", "0.1")), "");
  EXPECT_TRUE(
      says(warnings_of(car("400", "0.3", "0.1")), "load 's': its free length is 400 m, but it is drawn 0.4 m long"));
  EXPECT_TRUE(says(warnings_of(car("0.4", "300", "0.1")), "load 'w': its radius is 300 m in a mechanism of 2 m"));
  EXPECT_TRUE(says(warnings_of(car("0.4", "0.3", "1e5")), "body 'b': its inertia is that of 3 kg some 1.8e+02 m away"));
}

TEST(Warnings, OfLoadsThatSpinASlenderRod) {
  const std::string rod = R"(
points: {A: [0, 0, 0], B: [0.6, 0, 0.8], C: [1, 1, 0]}
bodies: {link: {rod: [A, B], mass: 2RADIUS}, end: {sphere: 0.1, at: B, mass: 1}}
joints: {one: {spherical: [ground, link], at: A}, two: {spherical: [link, end], at: B}}
)";
  const auto with = [&](const std::string& radius, const std::string& loads) {
    std::string text = rod;
    return text.replace(text.find("RADIUS"), 6, radius) + loads;
  };
  const std::string warning = "turns this slender rod about its axis, where its inertia is taken as 0.01 m l^2";
  const std::string off_axis = "loads: {s: {spring: [ground, link], at: [C, [0.3, 0.1, 0.4]], stiffness: 10}}\n";
  const std::string on_axis = "loads: {s: {spring: [ground, link], at: [C, [0.3, 0, 0.4]], stiffness: 10}}\n";
  EXPECT_TRUE(says(warnings_of(with("", off_axis)), "body 'link': load 's' " + warning));
  EXPECT_EQ(warnings_of(with("", on_axis)), "");
  EXPECT_EQ(warnings_of(with(", radius: 0.01", off_axis)), "");
  EXPECT_TRUE(
      says(warnings_of(with("", "loads: {n: {torque: link, components: [0, 0, 1]}}\n")), "load 'n' " + warning));
  EXPECT_TRUE(says(warnings_of(with("", "loads: {f: {force: link, at: C, components: [0, 0, 1]}}\n")), "load 'f'"));
  EXPECT_EQ(warnings_of(with("", "loads: {f: {force: link, at: B, components: [0, 0, 1]}}\n")), "");
  EXPECT_TRUE(
      says(warnings_of(with("", "initial: {link: {angular_velocity: [3, 0, 4]}}\n")), "initial angular velocity"));
  EXPECT_EQ(warnings_of(with("", "initial: {link: {angular_velocity: [4, 0, -3]}}\n")), "");
}

/// Of every kind of element that can: off the axis or by a moment, and none of those that pull at it.
TEST(Warnings, OfWhateverSpinsASlenderRod) {
  const auto warned = [](const std::string& joints, const std::string& rest) {
    const std::string warnings = warnings_of(R"(
points: {A: [0, 0, 0], B: [0.6, 0, 0.8], C: [1, 1, 0], ON: [0.3, 0, 0.4], OFF: [0.3, 0.1, 0.4]}
bodies: {link: {rod: [A, B], mass: 2}}
roads: {floor: {profile: [[-9, -3], [9, -3]]}}
joints: {)" + joints + "}\n" + rest);
    return warnings.find("turns this slender rod about its axis") == std::string::npos ? "" : warnings;
  };
  const std::string ball = "one: {spherical: [ground, link], at: A}", loose = "one: {free: [ground, link]}";
  struct Case {
    std::string joints, turns, does_not;
    const char* name;
  };
  const auto load = [](const std::string& fields) { return "loads: {x: {" + fields + "}}\n"; };
  const Case cases[] = {
      {ball, load("force: [ground, link], at: [C, OFF], pull: 3"), load("force: [ground, link], at: [C, ON], pull: 3"),
       "load 'x'"},
      {ball, load("bushing: [ground, link], at: B, stiffness: 9, rotational_stiffness: 1"),
       load("bushing: [ground, link], at: B, stiffness: 9"), "load 'x'"},
      {ball, load("spring: [link, ground], at: [OFF, C], stiffness: 3"),
       load("spring: [link, ground], at: [ON, C], stiffness: 3"), "load 'x'"},
      {loose, load("contact: [link, floor], points: [B], radius: 0.1, stiffness: 1e4, friction: 0.5"),
       load("contact: [link, floor], points: [B], radius: 0.1, stiffness: 1e4"), "load 'x'"},
      {loose, load("contact: [link, floor], points: [OFF], stiffness: 1e4"),
       load("contact: [link, floor], points: [A, B], stiffness: 1e4, friction: 0.5"), "load 'x'"},
      {ball, "drivers: {x: {distance: [ground, link], at: [C, OFF], position: 1.1}}\n",
       "drivers: {x: {distance: [ground, link], at: [C, ON], position: 1.1}}\n", "driver 'x'"},
      {ball, "drivers: {x: {path: one, poses: [[0, 1, 0, 0, 0], [1, 0.9, 0.1, 0, 0]]}}\n", "", "driver 'x."},
      {ball, "constraints: {x: {knife_edge: [ground, link], at: OFF, axis: [0, 1, 0]}}\n", "", "constraint 'x'"},
      {loose, "constraints: {x: {rolling: [ground, link], at: B, radius: 0.1, axis: [0, 1, 0]}}\n", "",
       "constraint 'x'"},
  };
  for (const Case& c : cases) {
    EXPECT_TRUE(says(warned(c.joints, c.turns), c.name)) << c.turns;
    EXPECT_EQ(warned(c.joints, c.does_not), "") << c.does_not;
  }
}

TEST(Limits, AreStated) {
  std::string bodies = "planar: true\nbodies:\n";
  for (int i = 0; i < 10001; ++i) bodies += "  b" + std::to_string(i) + ": {mass: 1, center: [0, 0], inertia: 1}\n";
  EXPECT_TRUE(says(error_of(bodies), "the model has 10001 bodies, but at most 10000 are taken"));
  EXPECT_TRUE(says(error_of(std::string(kPendulum) + "simulation: {iterations: 2147483647}"),
                   "simulation: 'iterations' is 2147483647; give 10000 at most"));
}

}  // namespace
}  // namespace cardan
