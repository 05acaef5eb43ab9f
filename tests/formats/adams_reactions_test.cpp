// What requests say of motion and forces, against the laws of Newton and Euler; beams, fields, sensors.
#include <numbers>

#include "formats/adams_text.hpp"

namespace cardan {
namespace {

const Vec3 kLever(0.2, -0.1, 0.3);  // of the markers 11 and 12 on their parts, whose own axes markers 2 and 3 have
const Vec3 kGravity(0, -2, -3);

/// m (a - g) = F and I alpha + w x I w = T + r x F of a part, in the axes of its CM marker, which all is asked for in.
void expect_newton(const LastSample& last, int part, const std::string& what) {
  const auto request = [&](int id, const std::string& letter) {
    const std::string name = "request_" + std::to_string(10 * part + id) + letter;
    return last.vector(name + "x", name + "y", name + "z");
  };
  const Vec3 force = request(3, "_f"), torque = request(3, "_m"), spin = request(1, "_w");
  const Vec3 inertia(1.1, 1.2, 1.3);
  const Vec3 rate = inertia.cwiseProduct(request(2, "_alpha")) + spin.cross(inertia.cwiseProduct(spin));
  EXPECT_LT((part * request(4, "_a") - part * kGravity - request(5, "_f")).norm(), 1e-7 * (1 + force.norm())) << what;
  EXPECT_NEAR(request(5, "_f").norm(), force.norm(), 1e-9 * (1 + force.norm())) << what;
  EXPECT_LT((rate - torque - kLever.cross(force)).norm(), 1e-7 * (1 + force.norm() + torque.norm())) << what;
  EXPECT_GT(force.norm() + torque.norm(), 1e-3) << what;
}

TEST(Adams, RequestsObeyNewtonAndEuler) {
  std::mt19937 random(8);
  const std::string forces[] = {
      "SFORCE/1, TRANSLATIONAL, I=11, J=12, FUNCTION=-30*(DM(11,12)-0.4)-2*VR(11,12)\n",
      "SPRINGDAMPER/1, TRANSLATIONAL, I=11, J=12, K=30, C=2, LENGTH=0.4, FORCE=3\n",
      "BUSHING/1, I=11, J=12, K=40,50,60, C=1,2,3, KT=0,0,0, CT=0,0,0\n",
      "BUSHING/1, I=11, J=12, K=40,50,60, C=1,2,3, KT=1,2,3, CT=0.1,0.2,0.3, FORCE=1,2,3, TORQUE=0.1,0.2,0.3\n",
      "FIELD/1, I=11, J=12, KMATRIX=9,1,0,0,0,2,1,8,0,0,1,0,0,0,7,0,0,0,0,0,0,3,0,0,0,1,0,0,4,0,2,0,0,0,0,5\n"
      ", CRATIO=0.02, LENGTH=0.1,0.2,0.3,0,0,0, FORCE=1,2,3,0.1,0.2,0.3\n",
      "BEAM/1, I=11, J=12, LENGTH=0.8, IXX=2E-9, IYY=1E-9, IZZ=3E-9, AREA=1E-9, ASY=1.2, ASZ=1.1, EMODULUS=2E9\n"
      ", GMODULUS=8E8, CRATIO=0.01\n"};
  for (const std::string& force : forces) {
    std::string text = three_parts(random) + force;
    for (const auto& [part, i, j] : {std::tuple(2, 11, 12), {3, 12, 11}})
      text += fmt::format(
          "REQUEST/{0}1, VELOCITY, I={0}, RM={0}\nREQUEST/{0}2, A, I={0}, RM={0}\n"
          "REQUEST/{0}3, FORCE, I={1}, J={2}, RM={0}\nREQUEST/{0}4, ACCELERATION, I={0}\n"
          "REQUEST/{0}5, F, I={1}, J={2}\n",
          part, i, j);
    const FinishedRun run = finish(read_adm(text), options_of("hybrid", 1e-3, 0.2));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason << force;
    for (const int part : {2, 3}) expect_newton(run.last, part, force);
  }
}

// psi, theta, phi: turned by these, the axes of J are those of I.
TEST(Adams, RequestsOfAngles) {
  std::mt19937 random(3);
  const FinishedRun run =
      finish(read_adm(three_parts(random) + "REQUEST/1, D, I=11, J=12\nREQUEST/2, D, I=11\nREQUEST/3, D, I=12\n"
                                            "REQUEST/4, F1=PSI(11,12)\\F2=THETA(11,12)\\F3=PHI(11,12)\n"
                                            "REQUEST/5, F1=AX(11,12)\\F2=AY(11,12)\\F3=AZ(11,12)\\F4=AX(11)\n"),
             options_of("hybrid", 1e-3, 0.3));
  const auto axes = [&](const std::string& request) {
    return Mat3(Eigen::AngleAxisd(run.last[request + "_psi"], Vec3::UnitZ()) *
                Eigen::AngleAxisd(run.last[request + "_theta"], Vec3::UnitX()) *
                Eigen::AngleAxisd(run.last[request + "_phi"], Vec3::UnitZ()));
  };
  EXPECT_LT((axes("request_3") * axes("request_1") - axes("request_2")).norm(), 1e-9);
  EXPECT_GT((axes("request_1") - Mat3::Identity()).norm(), 0.1);
  EXPECT_EQ(run.last["request_4_f1"], run.last["request_1_psi"]);
  EXPECT_EQ(run.last["request_4_f2"], run.last["request_1_theta"]);
  EXPECT_EQ(run.last["request_4_f3"], run.last["request_1_phi"]);
  // About one axis each, from the axes that show the others least.
  const Mat3 turn = axes("request_1");
  EXPECT_NEAR(run.last["request_5_f1"], std::atan2(-turn(1, 2), turn(2, 2)), 1e-12);
  EXPECT_NEAR(run.last["request_5_f2"], std::atan2(turn(0, 2), turn(2, 2)), 1e-12);
  EXPECT_NEAR(run.last["request_5_f3"], std::atan2(turn(1, 0), turn(0, 0)), 1e-12);
  const Mat3 in_space = axes("request_2");
  EXPECT_NEAR(run.last["request_5_f4"], std::atan2(-in_space(1, 2), in_space(2, 2)), 1e-12);
}

// In a plane psi is the whole turn, whichever way z of I points.
TEST(Adams, RequestsOfAnglesAboutOneAxis) {
  for (const double flipped : {0.0, 180.0}) {
    const FinishedRun run =
        finish(read_adm(kArm + kHinge + "MOTION/1, JOINT=1, ROTATIONAL, FUNCTION=-0.9*TIME\n" +
                        fmt::format("MARKER/21, PART=2, REULER=30D,{}D,0\nREQUEST/1, D, I=21, J=6\n", flipped)),
               options_of("global", 1e-3, 1));
    EXPECT_NEAR(run.last["request_1_psi"], std::numbers::pi / 6 - 0.9, 1e-9) << flipped;
    EXPECT_NEAR(run.last["request_1_theta"], flipped * std::numbers::pi / 180, 1e-7) << flipped;
    EXPECT_NEAR(run.last["request_1_phi"], 0, 1e-9) << flipped;
  }
}

// A driven pendulum: what its pin and its motor do, in newtons and newton millimetres.
TEST(Adams, ReactionsOfJointsAndMotions) {
  const FinishedRun run = finish(
      read_adm(kArm + kHinge +
               "MOTION/1, JOINT=1, ROTATIONAL, FUNCTION=0.3*SIN(2*TIME)\n"
               "REQUEST/1, F1=JOINT(1,0,2,0)\\F2=JOINT(1,0,3,0)\\F3=JOINT(1,1,3,0)\\F4=MOTION(1,0,8,0)\\"
               "F5=JOINT(1,0,1)\\F6=ACCX(3)\\F7=ACCY(3)\\F8=WDTZ(3)\nREQUEST/2, F1=FX(5,6)\\F2=FX(6,5)\\F3=ACCM(3)\n"),
      options_of("hybrid", 1e-3, 0.4));
  const auto& last = run.last;
  const double angle = 0.3 * std::sin(0.8), rate = 0.6 * std::cos(0.8), turn = -1.2 * std::sin(0.8);
  const double ax = -0.1 * (std::sin(angle) * turn + std::cos(angle) * rate * rate);
  const double ay = 0.1 * (std::cos(angle) * turn - std::sin(angle) * rate * rate);
  const double fx = 2 * ax, fy = 2 * (ay + 9.80665);
  EXPECT_NEAR(last["request_1_f1"], fx, 1e-5);
  EXPECT_NEAR(last["request_1_f2"], fy, 1e-5);
  EXPECT_NEAR(last["request_1_f3"], -fy, 1e-5);
  EXPECT_NEAR(last["request_1_f4"], 1000 * ((0.02 + 2 * 0.01) * turn + 2 * 9.80665 * 0.1 * std::cos(angle)), 1e-3);
  EXPECT_NEAR(last["request_1_f5"], std::hypot(fx, fy), 1e-5);
  EXPECT_NEAR(last["request_1_f6"], 1000 * ax, 1e-3);
  EXPECT_NEAR(last["request_1_f7"], 1000 * ay, 1e-3);
  EXPECT_NEAR(last["request_1_f8"], turn, 1e-5);
  EXPECT_NEAR(last["request_2_f1"], fx, 1e-5);
  EXPECT_NEAR(last["request_2_f2"], -fx, 1e-5);
  EXPECT_NEAR(last["request_2_f3"], 1000 * std::hypot(ax, ay), 1e-3);
}

// Between markers about the axis of a hinge: the angle of the markers, whichever way they and the joint are turned.
TEST(Adams, MotionsBetweenMarkersOfAHinge) {
  const std::string turned =
      "MARKER/7, PART=2, QP=-100,0,0, REULER=180D,180D,25D\nMARKER/8, PART=1, QP=200,0,0, REULER=10D,180D,0D\n";
  const auto last = [&](const std::string& motion) {
    const FinishedRun run = finish(read_adm(kArm + kHinge + turned + motion + "REQUEST/1, F1=AZ(7,8)\\F2=AZ(8,7)\n"),
                                   options_of("hybrid", 1e-3, 0.4));
    EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    return run.last;
  };
  const double drawn = last("MOTION/1, JOINT=1, FUNCTION=0*TIME\n")["request_1_f1"];
  for (const auto& [ids, column] : {std::pair("I=7, J=8", "request_1_f1"), {"I=8, J=7", "request_1_f2"}}) {
    const double at = column[11] == '1' ? drawn : -drawn;
    const LastSample moved = last(fmt::format("MOTION/1, {}, B3, FUNCTION={:.17g}+0.3*SIN(2*TIME)\n", ids, at));
    EXPECT_NEAR(moved[column], at + 0.3 * std::sin(0.8), 1e-12) << ids;
    EXPECT_NEAR(std::abs(moved["joint_1.q"]), 0.3 * std::sin(0.8), 1e-12) << ids;
  }
  EXPECT_NE(adm_refusal(kArm + kHinge + "MOTION/1, I=5, J=6, B1, FUNCTION=TIME\n")
                .find("turns between markers are understood as B3 about the axis of a hinge alone"),
            std::string::npos);
}

// The stiffness of a beam is the inverse of how a cantilever gives way to a force F and a couple M at its end,
//     y = F L^3/(3 E I) + F L ASY/(G A) + M L^2/(2 E I),  turn = F L^2/(2 E I) + M L/(E I).
TEST(Adams, BeamsAreCantilevers) {
  const double length = 0.8, e = 2e9, g = 8e8, area = 1e-6, asy = 1.2, asz = 1.1;
  const Vec3 inertia(2e-9, 1e-9, 3e-9);
  Eigen::Matrix<double, 6, 6> gives = Eigen::Matrix<double, 6, 6>::Zero();
  gives(0, 0) = length / (e * area);
  gives(3, 3) = length / (g * inertia.x());
  const auto bend = [&](int along, int about, double i, double shear, double sign) {
    gives(along, along) = length * length * length / (3 * e * i) + length * shear / (g * area);
    gives(about, about) = length / (e * i);
    gives(along, about) = gives(about, along) = sign * length * length / (2 * e * i);
  };
  bend(1, 5, inertia.z(), asy, 1);
  bend(2, 4, inertia.y(), asz, -1);
  const Eigen::Matrix<double, 6, 6> stiffness = gives.inverse();
  std::string matrix;
  for (int i = 0; i < 36; ++i) matrix += fmt::format("{}{}", i == 0 ? "" : i % 6 == 0 ? "\n, " : ", ", stiffness(i));
  std::mt19937 random(4);
  const std::string parts = three_parts(random);
  const auto last = [&](const std::string& force) {
    return finish(read_adm(parts + force), options_of("hybrid", 1e-3, 0.3)).last;
  };
  const LastSample beam = last(fmt::format(
      "BEAM/1, I=11, J=12, LENGTH={}, IXX={}, IYY={}, IZZ={}, AREA={}, ASY={}, ASZ={}, EMODULUS={}, GMODULUS={}\n",
      length, inertia.x(), inertia.y(), inertia.z(), area, asy, asz, e, g));
  const LastSample field =
      last(fmt::format("FIELD/1, I=11, J=12, LENGTH={},0,0,0,0,0\n, KMATRIX={}\n", length, matrix));
  const LastSample without = last("");
  double apart = 0, moved = 0;
  for (const char* column : {"part_2.x", "part_2.y", "part_2.wx", "part_2.wz", "part_3.z", "part_3.wy"}) {
    apart = std::max(apart, std::abs(beam[column] - field[column]));
    moved = std::max(moved, std::abs(beam[column] - without[column]));
  }
  EXPECT_LT(apart, 1e-9);
  EXPECT_GT(moved, 0.01);
}

TEST(Adams, SensorsEndTheRun) {
  const auto end_of = [](const std::string& sensor) {
    return finish(read_adm(kArm + kHinge + sensor), options_of("hybrid", 1e-3, 0.3)).last["t"];
  };
  const double down = end_of("SENSOR/1, FUNCTION=DY(4,6), VALUE=-50, ERROR=1E-3, LE, HALT\n");
  EXPECT_LT(down, 0.2);
  EXPECT_NEAR(end_of("SENSOR/1, FUNCTION=DY(4,6), VALUE=-50, ERROR=1E-3, RETURN\n"), down, 1e-9);
  EXPECT_NEAR(end_of("SENSOR/1, FUNCTION=-DY(4,6), VALUE=50, ERROR=1E-3, GE, PRINT, HALT\n"), down, 1e-9);
  EXPECT_EQ(end_of("SENSOR/1, FUNCTION=DY(4,6), VALUE=-50, ERROR=1E-3, LE, PRINT\n"), 0.3);
}

// Keywords that two letters tell apart, and powers whose stars stand apart.
TEST(Adams, ShortKeywords) {
  const Mechanism m = read_adm(kArm + "JO/1, REVOLUTE, I=5, J=6\nVAR/1, FUNC=3.0 * * 2*2\nREQ/1, F1=VARVAL(1)\n");
  EXPECT_EQ(m.joints.size(), 1u);
  EXPECT_EQ(finish(m, options_of("hybrid", 1e-3, 1e-3)).last["variable_1"], 18);
}

}  // namespace
}  // namespace cardan
