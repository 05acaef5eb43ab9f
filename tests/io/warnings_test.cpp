// What models are warned of, though they can be run.
#include <gtest/gtest.h>

#include "cardan/io.hpp"

namespace cardan {
namespace {

std::string told_of(const std::string& text) {
  std::string all;
  for (const Diagnostic& warning : read_mechanism_text(text, "m.yaml").warnings) all += warning.text() + "\n";
  return all;
}

std::string box_on_floor(const std::string& geometry) {
  return "cardan: 1\nroads: {floor: {plane: [0, 0, 0]}}\n"
         "bodies: {b: {box: [1, 1, 1], at: [0, 0, 0.5], mass: 1, geometry: [" +
         geometry +
         "]}}\njoints: {f: {free: [ground, b]}}\n"
         "loads: {c: {contact: [b, floor], stiffness: 1e4}}\n";
}

TEST(Warnings, TellOfGeometryThatReplacesTheShapeOfABodyInAContact) {
  const std::string said = told_of(box_on_floor("{sphere: 0.1, at: [0, 0, 0.5], color: red}"));
  EXPECT_NE(said.find("body 'b' touches with the shapes of its geometry, which are within the box"), std::string::npos)
      << said;
  // Corners that stand for the box, or a shape that cannot touch.
  EXPECT_EQ(told_of(box_on_floor("{sphere: 0.05, at: [0.5, 0.5, 0]}, {sphere: 0.05, at: [-0.5, -0.5, 0]}")), "");
  EXPECT_EQ(told_of(box_on_floor("{cylinder: [[0, 0, 0.4], [0, 0, 0.6]], radius: 0.1}")), "");
}

TEST(Warnings, TellOfAnglesThatLookLikeDegrees) {
  const auto started = [](const std::string& joint, const std::string& position) {
    return told_of("cardan: 1\nplanar: true\nbodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}}\njoints: {pin: {" + joint +
                   ": [ground, a], at: [0, 0]" + (joint == "prismatic" ? ", axis: x" : "") +
                   "}}\ninitial: {pin: {position: " + position + "}}\n");
  };
  EXPECT_NE(started("revolute", "90").find("it starts 14.3 full turns from the drawing"), std::string::npos);
  EXPECT_EQ(started("revolute", "pi/2"), "");
  EXPECT_EQ(started("prismatic", "90"), "");
}

TEST(Warnings, TellOfAStartBeyondAStop) {
  const auto started = [](const std::string& joint, const std::string& initial) {
    return told_of("cardan: 1\nplanar: true\nbodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}}\njoints: {pin: {" + joint +
                   ": [ground, a], at: [0, 0], stops: {min: -0.5, max: 1, stiffness: 2e4, soft: 0.01}" + initial +
                   "\n");
  };
  const std::string beyond = started("revolute", "}}\ninitial: {pin: {position: 1.2}}");
  EXPECT_NE(beyond.find("joint 'pin' starts at 1.2 rad, beyond 'max', 1 rad: the stop pushes it back with 3.9e+03 N m"),
            std::string::npos)
      << beyond;
  const std::string drawn = started("prismatic", ", axis: x, drawn: -0.7}}");
  EXPECT_NE(drawn.find("starts at -0.7 m, beyond 'min', -0.5 m"), std::string::npos) << drawn;
  EXPECT_EQ(started("revolute", "}}"), "");
  EXPECT_EQ(started("revolute", "}}\ninitial: {pin: {position: 1.005}}"), "") << "it rests on the stop";
  EXPECT_EQ(started("revolute", ", drawn: 1.2}}\ninitial: {pin: {position: 0.9}}"), "");
}

}  // namespace
}  // namespace cardan
