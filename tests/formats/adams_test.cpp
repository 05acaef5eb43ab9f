// Datasets of ADAMS as models: every statement that is understood against a closed form or against the same mechanism
// written as a model, and what is said of the others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "formats/adams_text.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

TEST(Adams, JointsAreThoseOfTheModelFile) {
  expect_same_motion(kArm + kHinge, kArmYaml + kHingeYaml);
  expect_same_motion(kArm + "JOINT/1, SPHERICAL, I=5, J=6\n",
                     kArmYaml + "joints: {j: {spherical: [ground, part_2], at: [0.2, 0, 0]}}\n");
  expect_same_motion(kArm + "JPRIM/1, ATPOINT, I=5, J=6\n",
                     kArmYaml + "joints: {j: {spherical: [ground, part_2], at: [0.2, 0, 0]}}\n");
  // z of these markers points down along -y: a vertical guide.
  const std::string down =
      "MARKER/7, PART=2, QP=-100,0,0, REULER=0D,90D,0D\nMARKER/8, PART=1, QP=200,0,0, REULER=0D,90D,0D\n";
  expect_same_motion(kArm + down + "JOINT/1, TRANSLATIONAL, I=7, J=8\n",
                     kArmYaml + "joints: {j: {prismatic: [ground, part_2], at: [0.2, 0, 0], axis: y}}\n");
  expect_same_motion(kArm + down + "JOINT/1, CYLINDRICAL, I=7, J=8\n",
                     kArmYaml + "joints: {j: {cylindrical: [ground, part_2], at: [0.2, 0, 0], axis: y}}\n");
  expect_same_motion(kArm + "JOINT/1, PLANAR, I=5, J=6\n",
                     kArmYaml + "joints: {j: {planar: [ground, part_2], at: [0.2, 0, 0], axis: z}}\n");
  expect_same_motion(
      kArm + down + "JOINT/1, SCREW, I=7, J=8, PITCH=20\n",
      kArmYaml + "joints: {j: {screw: [ground, part_2], at: [0.2, 0, 0], axis: [0, -1, 0], pitch: 0.02}}\n");
  expect_same_motion(kArm + down + "JOINT/1, UNIVERSAL, I=5, J=8\n",  // z of I along z, z of J along -y
                     kArmYaml + "joints: {j: {universal: [ground, part_2], at: [0.2, 0, 0], axes: [y, z]}}\n");
  // Of a Hooke joint y of J and x of I: here y of J is z of space.
  expect_same_motion(kArm + down + "JOINT/1, HOOKE, I=5, J=8\n",
                     kArmYaml + "joints: {j: {universal: [ground, part_2], at: [0.2, 0, 0], axes: [z, x]}}\n");
}

// The same joints anywhere in space, their axes along no axis of space; gravity as ever.
TEST(Adams, JointsTurnedAnywhere) {
  struct Case {
    const char *adams, *type, *axes;
  };
  const Case cases[] = {{"REVOLUTE", "revolute", "axis: {z}"},
                        {"TRANSLATIONAL", "prismatic", "axis: {z}"},
                        {"CYLINDRICAL", "cylindrical", "axis: {z}"},
                        {"PLANAR", "planar", "axis: {z}"},
                        {"SPHERICAL", "spherical", ""},
                        {"HOOKE", "universal", "axes: [{y}, {x}]"},
                        {"SCREW, PITCH=50", "screw", "axis: {z}, pitch: 0.05"}};
  const auto list = [](const Vec3& v) { return fmt::format("{:.17g}, {:.17g}, {:.17g}", v.x(), v.y(), v.z()); };
  int count = 0;
  for (unsigned seed = 1; seed <= 3; ++seed)
    for (const Case& c : cases) {
      const RandomPlace place(seed, false);
      Mat3 turn;
      turn << place.along(1, 0, 0), place.along(0, 1, 0), place.along(0, 0, 1);
      const Vec3 euler(std::atan2(turn(0, 2), -turn(1, 2)), std::acos(turn(2, 2)), std::atan2(turn(2, 0), turn(2, 1)));
      const Vec3 hinge = place.at(0.1, 0.2, 0.3), center = hinge + turn * Vec3(0.1, 0.05, 0);
      const std::string adm =
          std::string(kMillimetres) + kGroundPart + kGravityDown +
          fmt::format(
              "PART/2, QG={}, REULER={}, MASS=2, CM=3, IP=1E4,2E4,2.5E4,1E3,2E3,-1E3\nMARKER/3, PART=2\n"
              "MARKER/5, PART=2, QP=-100,-50,0\nMARKER/6, PART=1, QP={}, REULER={}\nJOINT/1, {}, I=5, J=6\n",
              list(1e3 * center), list(euler), list(1e3 * hinge), list(euler), c.adams);
      const auto in_brackets = [&](const Vec3& v) { return "[" + list(v) + "]"; };
      const std::string x = in_brackets(turn.col(0)), y = in_brackets(turn.col(1)), z = in_brackets(turn.col(2));
      std::string axes = c.axes;
      for (const auto& [mark, text] : {std::pair("{x}", x), {"{y}", y}, {"{z}", z}})
        if (const std::size_t at = axes.find(mark); at != std::string::npos) axes.replace(at, 3, text);
      const std::string yaml = fmt::format(
          "gravity: [0, -9.80665, 0]\nbodies: {{part_2: {{mass: 2, center: {}, inertia: [0.01, 0.02, 0.025, -0.001, "
          "-0.002, 0.001], "
          "axes: {{x: {}, y: {}}}}}}}\njoints: {{j: {{{}: [ground, part_2], at: {}{}{}}}}}\n",
          in_brackets(center), x, y, c.type, in_brackets(hinge), axes.empty() ? "" : ", ", axes);
      expect_same_motion(adm, yaml, 0.4, 1e-8);
      ++count;
    }
  EXPECT_EQ(count, 21);
}

TEST(Adams, PrimitivesHoldWhatTheirNamesSay) {
  const std::string free = "joints: {f: {free: [ground, part_2]}, ";
  expect_same_motion(kArm + "JPRIM/1, INLINE, I=5, J=7\nMARKER/7, PART=1, QP=200,0,0, ZP=200,-100,100\n",
                     kArmYaml + free + "j: {point_on_line: [ground, part_2], at: [0.2, 0, 0], axis: [0, -1, 1]}}\n");
  expect_same_motion(kArm + "JPRIM/1, INPLANE, I=5, J=7\nMARKER/7, PART=1, QP=200,0,0, ZP=200,-100,100\n",
                     kArmYaml + free + "j: {point_on_plane: [ground, part_2], at: [0.2, 0, 0], axis: [0, -1, 1]}}\n");
  const std::string spin = "PART/2, QG=300,0,0, MASS=2, CM=3, IP=1000,20000,20000, WX=1\n";
  std::string turning = kArm;
  turning.replace(turning.find("PART/2"), turning.find('\n', turning.find("PART/2")) + 1 - turning.find("PART/2"),
                  spin);
  expect_same_motion(turning + "JPRIM/1, PERPENDICULAR, I=3, J=7\nMARKER/7, PART=1, REULER=90D,90D,0D\n",
                     kArmYaml + free +
                         "j: {perpendicular: [ground, part_2], axes: [x, z]}}\ninitial: {part_2: {angular_velocity: "
                         "[1, free, free]}}\n");
  const std::string about = "PART/2, QG=300,0,0, MASS=2, CM=3, IP=1000,20000,20000, WZ=2\n";
  std::string spinning = kArm;
  spinning.replace(spinning.find("PART/2"), spinning.find('\n', spinning.find("PART/2")) + 1 - spinning.find("PART/2"),
                   about);
  expect_same_motion(
      spinning + "JPRIM/1, PARALLEL_AXES, I=3, J=1\n",
      kArmYaml + free +
          "j: {parallel: [ground, part_2], axis: z}}\ninitial: {part_2: {angular_velocity: [free, free, 2]}}\n");
  // All three turns are held: it falls without turning.
  const LastSample last =
      finish(read_adm(kArm + "JPRIM/1, ORIENTATION, I=3, J=1\nSFORCE/1, TRANSLATION, I=4, J=1, FUNCTION=5\n"),
             options_of("hybrid", 1e-3, 0.3))
          .last;
  EXPECT_NEAR(last["part_2.qw"], 1, 1e-12);
  EXPECT_LT(last["part_2.y"], -0.3);
}

// Products of inertia are positive integrals there: two point masses at +-(a, a, 0) have xy = +2 m a^2.
TEST(Adams, InertiasAboutAnyMarker) {
  const std::string head = std::string("UNITS/SYSTEM=MKS\n") + kGroundPart;
  const Mechanism m = read_adm(head +
                               "PART/2, MASS=2, CM=3, IM=4, IP=3.0, 4.0, 5.0, 0.5, 0.25, -0.1\n"
                               "MARKER/3, PART=2, QP=1,2,3\nMARKER/4, PART=2, QP=1.5,2,3, REULER=90D,0D,0D\n"
                               "PART/5, MASS=2, CM=6, IP=1,1,2,0.5,0,0\nMARKER/6, PART=5, REULER=0D,0D,0D\n");
  const Mat3 about_im = (Mat3() << 3, -0.5, -0.25, -0.5, 4, 0.1, -0.25, 0.1, 5).finished();
  const Mat3 turn = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()).toRotationMatrix();
  const Vec3 d(-0.5, 0, 0);
  const Mat3 expected =
      turn * about_im * turn.transpose() - 2 * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  ASSERT_EQ(m.bodies.size(), 2u);
  EXPECT_LT((m.bodies[0].inertia - expected).norm(), 1e-13);
  EXPECT_EQ(m.bodies[1].inertia(0, 1), -0.5);
  EXPECT_EQ(m.joints.size(), 2u);  // free, both
}

// 3-1-3: z, then the new x, then the new z; and axes by points.
TEST(Adams, Orientations) {
  const Mechanism m =
      read_adm(std::string(kMillimetres) + kGroundPart +
               "PART/2, QG=10,20,30, REULER=0.3,0.5,-0.7, MASS=1, CM=3, IP=1,1,1\nMARKER/3, PART=2, QP=1,2,3\n"
               "PART/4, QG=0,0,0, ZG=0,100,0, XG=0,50,-20, MASS=1, CM=5, IP=1,1,1\nMARKER/5, PART=4\n");
  const Mat3 turn = (Eigen::AngleAxisd(0.3, Vec3::UnitZ()) * Eigen::AngleAxisd(0.5, Vec3::UnitX()) *
                     Eigen::AngleAxisd(-0.7, Vec3::UnitZ()))
                        .toRotationMatrix();
  EXPECT_LT((m.bodies[0].axes - turn).norm(), 1e-14);
  EXPECT_LT((m.bodies[0].center - (Vec3(0.01, 0.02, 0.03) + turn * Vec3(0.001, 0.002, 0.003))).norm(), 1e-15);
  const Mat3 axes = (Mat3() << 0, -1, 0, 0, 0, 1, -1, 0, 0).finished();
  EXPECT_LT((m.bodies[1].axes - axes).norm(), 1e-14);
}

TEST(Adams, UnitsAreConverted) {
  const auto bounce = [](const std::string& units, double length, double mass, double time, double force) {
    const auto n = [](double x) { return fmt::format("{:.17g}", x); };
    return read_adm(units + kGroundPart + "ACCGRAV/JGRAV = " + n(-9.81 / length * time * time) + "\n" +
                    "PART/2, MASS=" + n(2 / mass) + ", CM=3, QG=0," + n(1 / length) +
                    ",0, VY=" + n(0.5 / length * time) + ", IP=" + n(0.1 / mass / length / length) + "," +
                    n(0.1 / mass / length / length) + "," + n(0.1 / mass / length / length) + "\nMARKER/3, PART=2\n" +
                    "SPRINGDAMPER/1, TRANSLATION, I=3, J=1, K=" + n(100 / force * length) +
                    ", C=" + n(3 / force * length / time) + ", LENGTH=" + n(0.8 / length) +
                    "\nSFORCE/1, TRANSLATION, I=3, J=1, FUNCTION=" + n(2 / force) + "*SIN(" + n(7 * time) + "*TIME)+" +
                    n(20 / force * length) + "*DM(3,1) - " + n(1.5 / force * length / time) + "*VR(3,1)\n");
  };
  const RunOptions options = options_of("hybrid", 1e-3, 0.7);
  const LastSample si = finish(bounce("UNITS/SYSTEM=MKS\n", 1, 1, 1, 1), options).last;
  // m y'' = -m g - k (y - l) - c y' + 2 sin 7 t + 20 y - 1.5 y': it must move as that does.
  double y = 1, v = 0.5;
  const auto rate = [](double t, double place, double speed) {
    return -9.81 + (-100 * (place - 0.8) - 3 * speed + 2 * std::sin(7 * t) + 20 * place - 1.5 * speed) / 2;
  };
  for (int i = 0; i < 70000; ++i) {  // by the midpoint rule
    const double h = 1e-5, t = i * h, ym = y + h / 2 * v, vm = v + h / 2 * rate(t, y, v);
    y += h * vm;
    v += h * rate(t + h / 2, ym, vm);
  }
  EXPECT_NEAR(si["part_2.y"], y, 2e-6);
  const std::pair<std::string, std::array<double, 4>> systems[] = {
      {kMillimetres, {1e-3, 1, 1, 1}},
      {"UNITS/FORCE=POUND_FORCE, MASS=POUND_MASS, LENGTH=INCH, TIME=SECOND\n",
       {0.0254, 0.45359237, 1, 4.4482216152605}},
      {"UNITS/FORCE=KNEWTON, MASS=MEGAGRAM, LENGTH=CENTIMETER, TIME=MILLISECOND\n", {0.01, 1e3, 1e-3, 1e3}},
      {"UNITS/SYSTEM=CGS\n", {1e-2, 1e-3, 1, 1e-5}}};
  for (const auto& [units, f] : systems) {
    const LastSample other = finish(bounce(units, f[0], f[1], f[2], f[3]), options).last;
    EXPECT_NEAR(other["part_2.y"], si["part_2.y"], 1e-11) << units;
    EXPECT_NEAR(other["part_2.vy"], si["part_2.vy"], 1e-10) << units;
  }
}

TEST(Adams, MotionsDriveJoints) {
  const auto at = [](const std::string& motion, double until) {
    return finish(read_adm(kArm + kHinge + "MOTION/1, JOINT=1, ROTATION, " + motion + "\n"),
                  options_of("hybrid", 1e-3, until))
        .last["joint_1.q"];
  };
  EXPECT_NEAR(at("FUNCTION = 30.0d * time", 0.5), 15 * M_PI / 180, 1e-12);
  EXPECT_NEAR(at("FUNCTION = STEP(TIME, 0.1, 0.2, 0.5, 1.2)", 0.3), 0.7, 1e-12);
  EXPECT_NEAR(at("FUNCTION = STEP5(TIME, 0, 0, 1, 1)", 0.25), 0.25 * 0.25 * 0.25 * (10 - 15 * 0.25 + 6 * 0.0625),
              1e-12);
  EXPECT_NEAR(at("VELOCITY, FUNCTION = 2*TIME", 0.5), 0.25, 1e-9);
  EXPECT_NEAR(at("ACCELERATION, FUNCTION = 2, ICVEL = 1", 0.5), 0.75, 1e-9);
  const std::string down =
      "MARKER/7, PART=2, QP=-100,0,0, REULER=0D,90D,0D\nMARKER/8, PART=1, QP=200,30,0, REULER=0D,90D,0D\nJOINT/1, "
      "TRANSLATIONAL, I=7, J=8\n";
  // z of J points along -y: the I marker starts 30 mm along it.
  EXPECT_NEAR(finish(read_adm(kArm + down + "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=30+100*TIME**2\n"),
                     options_of("hybrid", 1e-3, 0.5))
                  .last["part_2.y"],
              -0.025, 1e-12);
  EXPECT_NEAR(finish(read_adm(kArm + "JPRIM/1, ORIENTATION, I=3, J=1\nMOTION/1, I=5, J=6, Y, FUNCTION=10*TIME\n"),
                     options_of("hybrid", 1e-3, 0.5))
                  .last["part_2.y"],
              0.005, 1e-9);
}

TEST(Adams, SpringsAndBushings) {
  expect_same_motion(
      kArm + kHinge + "SPRINGDAMPER/1, ROTATION, I=5, J=6, KT=5000, CT=20, ANGLE=30D, TORQUE=100\n",
      kArmYaml + kHingeYaml + "loads: {s: {torsion: pin, stiffness: 5, damping: 0.02, free_angle: pi/6 + 0.02}}\n");
  // I and J the other way round: the same spring.
  expect_same_motion(
      kArm + kHinge + "SPRINGDAMPER/1, ROTATION, I=6, J=5, KT=5000, CT=20, ANGLE=-30D\n",
      kArmYaml + kHingeYaml + "loads: {s: {torsion: pin, stiffness: 5, damping: 0.02, free_angle: pi/6}}\n");
  expect_same_motion(kArm + kHinge + "SPRINGDAMPER/1, TRANSLATION, I=4, J=1, K=0.5, C=0.01, LENGTH=100, FORCE=20\n",
                     kArmYaml + kHingeYaml +
                         "loads: {s: {spring: [ground, part_2], at: [[0, 0, 0], [0.4, 0, 0]], stiffness: 500, damping: "
                         "10, free_length: 0.14}}\n");
  // The arm turns by more than a radian, in proportion to the torque.
  const std::string turning =
      kArmYaml + "joints: {f: {free: [ground, part_2]}}\nsignals: {a: {angle: part_2, about: z}}\n";
  expect_same_motion(
      kArm + "BUSHING/1, I=5, J=6, K=10,20,30, C=0.1,0.1,0.1, KT=1000,1000,2000, CT=10,10,10, FORCE=0,5,0\n",
      turning +
          "loads: {b: {bushing: [ground, part_2], at: [[0.2, 0.00025, 0], [0.2, 0, 0]], stiffness: [1e4, 2e4, 3e4], "
          "damping: 100}, t: {torque: part_2, components: [0, 0, -2*a - 0.01*part_2.wz]}}\n");
  // Of markers that are turned against each other: unloaded where they coincide.
  expect_same_motion(
      kArm + "MARKER/7, PART=2, QP=-100,0,0, REULER=20D,0D,0D\nBUSHING/1, I=7, J=6, K=10,10,10, KT=1000,1000,2000\n",
      turning +
          "loads: {b: {bushing: [ground, part_2], at: [0.2, 0, 0], stiffness: 1e4}, t: {torque: part_2, components: "
          "[0, 0, -2*(a + pi/9)]}}\n");
}

TEST(Adams, ForcesOfOneComponent) {
  // Apart is positive there, together here.
  expect_same_motion(
      kArm + kHinge + "SFORCE/1, TRANSLATION, I=4, J=1, FUNCTION=30+10*SIN(3*TIME)\n",
      kArmYaml + kHingeYaml +
          "loads: {s: {force: [ground, part_2], at: [[0, 0, 0], [0.4, 0, 0]], pull: -(30 + 10*sin(3*t))}}\n");
  expect_same_motion(kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=200*TIME-500*AZ(5,6)-3*WZ(5,6,6)\n",
                     kArmYaml + kHingeYaml + "loads: {s: {actuator: pin, effort: 0.2*t - 0.5*pin.q - 0.003*pin.v}}\n");
  // Alone, along z of a marker of ground, and of the part itself.
  expect_same_motion(
      kArm + kHinge + "MARKER/7, PART=1, REULER=0D,90D,0D\nSFORCE/1, TRANSLATION, ACTIONONLY, I=4, J=7, FUNCTION=40\n",
      kArmYaml + kHingeYaml + "loads: {s: {force: part_2, at: [0.4, 0, 0], components: [0, -40, 0]}}\n");
  expect_same_motion(
      kArm + kHinge + "MARKER/7, PART=2, REULER=0D,90D,0D\nSFORCE/1, TRANSLATION, ACTIONONLY, I=4, J=7, FUNCTION=40\n",
      kArmYaml + kHingeYaml + "loads: {s: {force: part_2, at: [0.4, 0, 0], components: [0, -40, 0], frame: body}}\n");
  expect_same_motion(kArm + "JOINT/1, SPHERICAL, I=5, J=6\nSFORCE/1, ROTATION, I=3, J=1, FUNCTION=300\n",
                     kArmYaml +
                         "joints: {j: {spherical: [ground, part_2], at: [0.2, 0, 0]}}\nloads: {s: {torque: part_2, "
                         "components: [0, 0, 0.3], frame: body}}\n");
  expect_same_motion(
      kArm + kHinge + "VFORCE/1, I=4, JFLOAT=9, RM=1, FX=5*TIME\\FY=20\\FZ=0\nMARKER/9, PART=1, FLOATING\n",
      kArmYaml + kHingeYaml + "loads: {s: {force: part_2, at: [0.4, 0, 0], components: [5*t, 20, 0]}}\n");
  expect_same_motion(
      kArm + kHinge +
          "GFORCE/1, I=4, JFLOAT=9, RM=4, FX=0\\FY=20\\FZ=0\\TX=0\\TY=0\\TZ=100*TIME\nMARKER/9, PART=1, FLOATING\n",
      kArmYaml + kHingeYaml +
          "loads: {s: {force: part_2, at: [0.4, 0, 0], components: [0, 20, 0], frame: body}, u: {torque: part_2, "
          "components: [0, 0, 0.1*t], frame: body}}\n");
}

// Each function of markers as a spring would have it, in millimetres.
// Expressions against their values, as the velocity of a driven joint: q' at t.
TEST(Adams, DistancesAsGeneralConstraints) {
  expect_same_motion(
      kArm + "GCON/1, I=5, FUNCTION = DM(4, 1) - 400\nMARKER/7, PART=2, FLOATING\n",
      kArmYaml +
          "joints: {f: {free: [ground, part_2]}, d: {distance: [ground, part_2], at: [[0, 0, 0], [0.4, 0, 0]]}}\n");
  EXPECT_NE(adm_refusal(kArm + "GCON/1, I=5, FUNCTION = DX(4, 1) - 400\n")
                .find("GCON/1: constraints other than DM(I, J) - LENGTH"),
            std::string::npos);
}

// What ADAMS View adds to a spring for its plots is left out where it is not understood, and refused where a force
// follows it.
// Akima's curve goes through its points and is straight where five of them are.
TEST(Adams, CouplersAndGears) {
  const std::string wheels =
      std::string(kMillimetres) + kGroundPart +
      "PART/2, MASS=1, CM=3, IP=1000,1000,2000\nMARKER/3, PART=2\n"
      "PART/4, QG=150,0,0, MASS=1, CM=5, IP=1000,1000,2000\nMARKER/5, PART=4\nMARKER/6, PART=1, QP=150,0,0\n"
      "JOINT/1, REVOLUTE, I=3, J=1\nJOINT/2, REVOLUTE, I=5, J=6\nSFORCE/1, ROTATION, I=3, J=1, FUNCTION=100\n";
  // 100 and 50 mm: they turn against each other, the small one twice as fast.
  const auto run = [&](const std::string& tie) {
    return finish(read_adm(wheels + tie), options_of("hybrid", 1e-3, 0.5)).last;
  };
  const LastSample gear = run("GEAR/1, JOINTS=1,2, CV=7\nMARKER/7, PART=1, QP=100,0,0, ZP=100,10,0\n");
  EXPECT_NEAR(gear["joint_2.q"], -2 * gear["joint_1.q"], 1e-9);
  EXPECT_NEAR(gear["joint_1.q"], 0.5 * 0.1 / (0.002 + 4 * 0.002) * 0.25, 1e-9);
  const LastSample coupler = run("COUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=3,-1\n");
  EXPECT_NEAR(coupler["joint_2.q"], 3 * coupler["joint_1.q"], 1e-9);
}

// A closed four-bar in millimetres against the model of the four-bar.
TEST(Adams, ClosedLoops) {
  const auto bar = [](int id, const char* from, const char* center, const char* angle) {
    return fmt::format(
               "PART/{}, QG={}, REULER={},0D,0D, MASS=1, CM={}, IP=1.0,83333.3333333333,83333.3333333333\nMARKER/{}, "
               "PART={}, QP=500,0,0\n"
               "MARKER/{}, PART={}\nMARKER/{}, PART={}, QP=1000,0,0\n",
               id, from, angle, 10 * id, 10 * id, id, 10 * id + 1, id, 10 * id + 2, id) +
           std::string(center);
  };
  const std::string adm = std::string(kMillimetres) +
                          "PART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=1000,0,0\n" +
                          "ACCGRAV/JGRAV=-9810\n" + bar(2, "0,0,0", "", "90D") + bar(3, "0,1000,0", "", "0D") +
                          bar(4, "1000,0,0", "", "90D") +
                          "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\nJOINT/3, REVOLUTE, I=42, "
                          "J=32\nJOINT/4, REVOLUTE, I=41, J=2, ICROT=0D,0\n";
  std::string text = adm;
  text.replace(text.find(", ICROT=0D,0"), 12, "");
  text.replace(text.find("I=21, J=1\n"), 10, "I=21, J=1, IC=90D, -1\n");
  const std::string yaml =
      "gravity: [0, -9.81, 0]\npoints: {A: [0, 0, 0], B: [0, 1, 0], C: [1, 1, 0], D: [1, 0, 0]}\nbodies:\n"
      "  part_2: {mass: 1, center: [0, 0.5, 0], inertia: [1e-6, 0.0833333333333333, 0.0833333333333333], axes: {x: y, "
      "y: [-1, 0, 0]}}\n"
      "  part_3: {mass: 1, center: [0.5, 1, 0], inertia: [1e-6, 0.0833333333333333, 0.0833333333333333]}\n"
      "  part_4: {mass: 1, center: [1, 0.5, 0], inertia: [1e-6, 0.0833333333333333, 0.0833333333333333], axes: {x: y, "
      "y: [-1, 0, 0]}}\n"
      "joints: {a: {revolute: [ground, part_2], at: A, axis: z}, b: {revolute: [part_2, part_3], at: B, axis: z}, "
      "c: {revolute: [part_3, part_4], at: C, axis: z}, d: {revolute: [ground, part_4], at: D, axis: z}}\ninitial: {a: "
      "{velocity: -1}}\n";
  expect_same_motion(text, yaml, 1);
}

TEST(Adams, NamesOfAdamsViewAreKept) {
  const Mechanism m = read_adm(
      "UNITS/SYSTEM=MKS\n!   adams_view_name='ground'\nPART/1\n, GROUND\n!   adams_view_name='crank.arm 2'\nPART/2\n, "
      "MASS = 1\n, CM=3\n"
      ", IP = 1, 1, 1\n!   adams_view_name='MARKER_3'\nMARKER/3\n, PART = 2\n!   adams_view_name='pin'\nJOINT/1\n, "
      "REVOLUTE\n, I = 3\n, J = 4\n"
      "MARKER/4, PART = 1, ! a comment, with a comma\n QP = 0,0,0 ; MARKER/5, PART=1\n");
  EXPECT_EQ(m.bodies[0].name, "crank_arm_2");
  EXPECT_EQ(m.joints[0].name, "pin");
  EXPECT_EQ(m.bodies[0].where.line, 7);
}

// Expressions may go on behind a comma or a backslash; comments may be in any encoding.
TEST(Adams, WhatIsNotUnderstoodIsNamed) {
  struct Case {
    std::string adm, expected;
  };
  const Case cases[] = {
      {kArm + kHinge + "FRICTION/7, JOINT=1, MU_STATIC=0.3\n",
       "m.adm:12:1: error: FRICTION/7: it is not understood; `cardan import --leave-out` does without it"},
      {kArm + kHinge + "BEAM/7, I=3, J=1, LENGTH=3\n", "BEAM/7: IXX is missing"},
      {kArm + kHinge + "CONTACT/1, IGEOM=1\n", "CONTACT/1: it is not understood"},
      {kArm + "JOINT/1, CONVEL, I=5, J=6\n", "JOINT/1: such joints are not understood"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=USER(1,2)\n", "SFORCE/1: it is a subroutine of its own"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=AKISPL(AZ(5,6),0,1)\n", "there is no SPLINE/1"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=FX(5,6)\n", "SFORCE/1 follows itself"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=SWOOP(TIME)\n", "SWOOP: it is no function of numbers"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=3*(2\n", "a ')' is missing"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=3 4\n", "'4' is not expected here"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=66, FUNCTION=3\n", "there is no MARKER/66"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, FUNCTION=3\n", "SFORCE/1: J is missing"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6\n", "FUNCTION is missing"},
      {kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=DY(99,6)\n", "there is no MARKER/99"},
      {kArm + kHinge + "MARKER/9, PART=77\n", "there is no PART/77"},
      {kArm + kHinge + "MARKER/9, PART=1, QP=1,2\n", "QP has 2 numbers, but takes 3"},
      {kArm + kHinge + "MARKER/9, PART=1, QP=1,2,x\n", "MARKER/9"},
      {kArm + kHinge + "MARKER/5, PART=1\n", "MARKER/5: the identifier is taken on line 9"},
      {kArm + kHinge + "MOTION/1, JOINT=9, FUNCTION=1\n", "there is no JOINT/9"},
      {kArm + kHinge + "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=1\n", "a revolute joint has no such motion"},
      {kArm + kHinge + "PART/8, MASS=1\n", "PART/8: CM is missing"},
      {kArm + kHinge + "JOINT/9, REVOLUTE, I=3, J=4\n", "both markers are on one part"},
      {kArm + kHinge + "PART/3, GROUND\n", "PART/1 is ground already"},
      {kArm + "JOINT/1, REVOLUTE, I=5, J=6, FRICTIONAL=3\n", "its argument 'FRICTIONAL' is not understood"},
      {"UNITS/LENGTH=CUBIT\n", "the unit 'CUBIT' is not known"},
      {"42\n", "'42' is no statement"},
      {kArm + "JOINT/1, REVOLUTE, I=5, J=6", "m.adm:11:1: error: no END follows: the file seems to be cut short"},
      {kArm + kHinge + "ACCGRAV/KGRAV=0\n", "ACCGRAV: it is there already, on line 5"},
  };
  int count = 0;
  for (const auto& [adm, expected] : cases) {
    const std::string said = adm_refusal(adm);
    EXPECT_NE(said.find(expected), std::string::npos) << "expected: " << expected << "\nsaid: " << said;
    ++count;
  }
  EXPECT_EQ(count, 28);
  EXPECT_NE(refusal_of("", "m.adm").find("there is no statement"), std::string::npos);
  EXPECT_NE(refusal_of(std::string("a\nPART/\0", 8), "m.adm").find("no text in UTF-8"), std::string::npos);
}

}  // namespace
}  // namespace cardan
