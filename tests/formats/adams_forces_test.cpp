// Forces between two moving parts, in the axes of a third, racks, and what comes from outside.
#include "cardan/system.hpp"
#include "formats/adams_text.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

// Springs along the axes of the J marker, said in three ways: as a bushing, in the axes of the part of the reaction,
// and turned round, from the side of the other part.
TEST(Adams, ForcesBetweenMovingParts) {
  std::mt19937 random(5);
  const std::string parts = three_parts(random);
  const auto last = [&](const std::string& force) {
    const FinishedRun run = finish(read_adm(parts + force), options_of("hybrid", 1e-3, 0.5));
    EXPECT_EQ(run.summary.status, RunStatus::ok);
    return run.last;
  };
  const LastSample bushing = last("BUSHING/1, I=11, J=12, K=40,50,60, C=1,2,3, KT=0,0,0, CT=0,0,0\n");
  const LastSample general = last(
      "MARKER/99, PART=3, FLOATING\nGFORCE/1, I=11, JFLOAT=99, RM=12\n"
      ", FX=-40*DX(11,12,12)-VX(11,12,12,12)\\\n, FY=-50*DY(11,12,12)-2*VY(11,12,12,12)\\\n"
      ", FZ=-60*DZ(11,12,12)-3*VZ(11,12,12,12)\\\n, TX=0\\\n, TY=0\\\n, TZ=0\n");
  const LastSample without = last("");
  double apart = 0, moved = 0;
  for (const char* column : {"part_2.x", "part_2.y", "part_2.z", "part_3.x", "part_3.y", "part_3.z", "part_2.wx",
                             "part_2.wy", "part_2.wz", "part_3.wx", "part_3.wy", "part_3.wz"}) {
    apart = std::max(apart, std::abs(general[column] - bushing[column]));
    moved = std::max(moved, std::abs(without[column] - bushing[column]));
  }
  EXPECT_LT(apart, 1e-8);
  EXPECT_GT(moved, 0.1);
}

// What it bears at rest, along axes and about them, wherever it is and however it is turned.
TEST(Adams, BushingsAtRest) {
  std::mt19937 random(2);
  const std::string axes = angles(random_rotation(random));
  const Mechanism mechanism = read_adm(fmt::format(
      "UNITS/SYSTEM=MKS\nPART/1, GROUND\nMARKER/1, PART=1, QP=1,2,3, REULER={0}\n"
      "PART/2, QG=1,2,3, MASS=2, CM=2, IP=1,1,1\nMARKER/2, PART=2, REULER={0}\n"
      "BUSHING/1, I=2, J=1, K=100,200,60, C=30,40,50, KT=5,5,4, CT=6,6,7, FORCE=1,2,3, TORQUE=0,0,4.8\n"
      "REQUEST/1, DISPLACEMENT, I=2, J=1, RM=1\nREQUEST/2, F1=AX(2,1)\\F2=AY(2,1)\\F3=AZ(2,1)\\F4=TM(2,1)\n",
      axes));
  const LastSample last = finish(mechanism, options_of("hybrid", 0.01, 40)).last;
  EXPECT_NEAR(last["request_1_x"], 1.0 / 100, 1e-9);
  EXPECT_NEAR(last["request_1_y"], 2.0 / 200, 1e-9);
  EXPECT_NEAR(last["request_1_z"], 3.0 / 60, 1e-9);
  EXPECT_NEAR(last["request_2_f1"], 0, 1e-9);
  EXPECT_NEAR(last["request_2_f2"], 0, 1e-9);
  EXPECT_NEAR(last["request_2_f3"], 1.2, 1e-9);
  EXPECT_NEAR(last["request_2_f4"], 0, 1e-7);
}

// Two ways to say the same, with all that each has.
TEST(Adams, BushingsAreFields) {
  std::mt19937 random(11);
  const std::string parts = three_parts(random);
  const auto last = [&](const std::string& force) {
    return finish(read_adm(parts + force), options_of("hybrid", 1e-3, 0.3)).last;
  };
  const LastSample bushing =
      last("BUSHING/1, I=11, J=12, K=40,50,0, C=1,2,3, KT=4,5,6, CT=0.1,0.2,0.3, FORCE=1,2,3, TORQUE=0.4,0.5,0.6\n");
  const auto diagonal = [](const std::array<double, 6>& d) {
    std::string text;
    for (std::size_t k = 0; k < 36; ++k) text += fmt::format("{}{}", k == 0 ? "" : ",", k % 7 == 0 ? d[k / 7] : 0);
    return text;
  };
  const LastSample field = last(fmt::format("FIELD/1, I=11, J=12, KMATRIX={}, CMATRIX={}, FORCE=1,2,3,0.4,0.5,0.6\n",
                                            diagonal({40, 50, 0, 4, 5, 6}), diagonal({1, 2, 3, 0.1, 0.2, 0.3})));
  for (const char* column : {"part_2.x", "part_2.wx", "part_2.wz", "part_3.y", "part_3.wx", "part_3.wy"})
    EXPECT_NEAR(bushing[column], field[column], 1e-8) << column;
}

// In the axes of a third part the force on one is the opposite of that on the other: momentum and its moment stay.
TEST(Adams, ForcesInTheAxesOfAThirdPart) {
  std::mt19937 random(6);
  const std::string parts = three_parts(random);
  const auto momentum = [&](const std::string& force) {
    const Mechanism mechanism = read_adm(parts + "MARKER/99, PART=3, FLOATING\n" + force);
    const FinishedRun run = finish(mechanism, options_of("hybrid", 1e-3, 0.5));
    Eigen::Matrix<double, 7, 1> result;
    result.setZero();
    for (const char* name : {"part_2", "part_3"}) {
      const std::string n = name;
      const Vec3 p = run.last.vector(n + ".x", n + ".y", n + ".z"),
                 v = run.last.vector(n + ".vx", n + ".vy", n + ".vz");
      const double m = n == "part_2" ? 2 : 3;
      result.head<3>() += m * v;
      result.segment<3>(3) += m * p.cross(v);
      result[6] += v.norm();
    }
    return result;
  };
  const auto without = momentum(""), with = momentum("VFORCE/1, I=11, JFLOAT=99, RM=13, FX=3\\FY=4*TIME\\FZ=-5\n");
  EXPECT_LT((without - with).head<3>().norm(), 1e-9);
  EXPECT_GT(std::abs(without[6] - with[6]), 0.1);
  // The same force told in the axes of ground, where the third part does not turn.
  const auto held = [&](const char* reference) {
    std::mt19937 same(6);
    const std::string fixed =
        three_parts(same, false) + "MARKER/99, PART=3, FLOATING\nJOINT/1, FIXED, I=13, J=98\nMARKER/98, PART=1\n";
    return finish(read_adm(fixed + "VFORCE/1, I=11, JFLOAT=99, RM=" + reference + ", FX=3\\FY=4*TIME\\FZ=-5\n"),
                  options_of("hybrid", 1e-3, 0.5))
        .last;
  };
  const LastSample there = held("13"), here = held("98");
  for (const char* column : {"part_2.x", "part_2.wy", "part_3.z", "part_3.wx"})
    EXPECT_NEAR(there[column], here[column], 1e-8) << column;
}

// A pendulum on a Hooke joint whose arms lie askew to gravity, against what ADAMS computed of it: data/testing/joints/
// universal_joint/Universal_Case03_ADAMS_Pos.txt of Project Chrono, six digits. With the arms exchanged x and y would
// be.
TEST(Adams, HookeJointAgainstAdams) {
  const Mechanism pendulum = read_adm(
      "UNITS/SYSTEM=MKS\nPART/1, GROUND\nMARKER/12, PART=1, REULER=-45D,90D,45D\nACCGRAV/KGRAV=-9.80665\n"
      "PART/2, MASS=1, CM=21, IP=0.1,0.1,0.04\n"
      "MARKER/21, PART=2, QP=1.414213562373095,1.414213562373095,0, REULER=-45D,90D,45D\n"
      "MARKER/22, PART=2, REULER=-45D,90D,45D\nJOINT/1, HOOKE, I=12, J=22\n");
  const std::pair<double, Vec3> published[] = {{0.5, {1.17412, 1.17480, -1.11414}},
                                               {0.8, {0.205825, 0.215344, -1.97769}},
                                               {1.0, {-0.636240, -0.614073, -1.79391}},
                                               {1.2, {-1.19602, -1.16238, -1.10381}}};
  for (const auto& [t, place] : published) {
    const LastSample last = finish(pendulum, options_of("hybrid", 1e-3, t)).last;
    EXPECT_LT((last.vector("part_2.x", "part_2.y", "part_2.z") - place).norm(), 1e-4) << t;
  }
}

// A pendulum on a torsion spring, against what ADAMS computed of it: data/testing/joints/rotspring_force/
// RotSpring_Case01_ADAMS_Pos.txt of Project Chrono, seven digits. The numbers are those of 200 N m/rad and 10 N m
// s/rad, as Chrono's own comparison with them has it; the dataset beside them says 57.3 and 2.86.
TEST(Adams, TorsionSpringAgainstAdams) {
  const Mechanism pendulum = read_adm(
      "UNITS/SYSTEM=MKS\nPART/1, GROUND\nMARKER/12, PART=1, REULER=180D,90D,180D\nACCGRAV/KGRAV=-9.80665\n"
      "PART/2, MASS=1, CM=21, IP=0.04,0.1,0.1\nMARKER/21, PART=2, QP=2,0,0, REULER=180D,90D,180D\n"
      "MARKER/22, PART=2, REULER=180D,90D,180D\nJOINT/1, REVOLUTE, I=12, J=22\n"
      "SFORCE/1, ROTATIONAL, I=12, J=22, FUNCTION = - 200.0*DTOR*RTOD*(az(12,22)-0.0*DTOR)\n, - 10*wz(12,22,22)\n, + "
      "0.0\n");
  const std::pair<double, Vec3> published[] = {{0.45, {1.976491, 0, -0.3057478}},
                                               {1.0, {1.994921, 0, -0.1424453}},
                                               {1.36, {1.986547, 0, -0.2315846}},
                                               {2.0, {1.991260, 0, -0.1867703}}};
  for (const auto& [t, place] : published) {
    const LastSample last = finish(pendulum, options_of("hybrid", 1e-3, t)).last;
    EXPECT_LT((last.vector("part_2.x", "part_2.y", "part_2.z") - place).norm(), 1e-5) << t;
  }
}

// IC = displacement, velocity; the names that say of what kind they are go with joints of that kind alone.
TEST(Adams, JointsStartWhereTheyAreToldTo) {
  const auto text = [](const char* joint) {
    return std::string(kMillimetres) + kGroundPart + "PART/2, MASS=1, CM=21, IP=1,1,1\nMARKER/21, PART=2\nJOINT/1, " +
           joint + ", I=21, J=1\n";
  };
  struct Case {
    const char* joint;
    double position, velocity;
  };
  for (const Case& one : {Case{"REVOLUTE, IC=30D", std::numbers::pi / 6, 0},
                          {"REVOLUTE, IC=30D, 2", std::numbers::pi / 6, 2},
                          {"REVOLUTE, ICROT=-0.5, 90D", -0.5, std::numbers::pi / 2},
                          {"TRANSLATIONAL, IC=50", 0.05, 0},
                          {"TRANSLATIONAL, ICTRAN=50, -200", 0.05, -0.2}}) {
    const System system(read_adm(text(one.joint)));
    const CoordinateHandle q = system.coordinate("joint_1");
    EXPECT_NEAR(joint_position(system, system.start(), q), one.position, 1e-12) << one.joint;
    EXPECT_NEAR(joint_velocity(system, system.start(), q), one.velocity, 1e-12) << one.joint;
  }
  for (const char* wrong :
       {"REVOLUTE, ICTRAN=1, 2", "TRANSLATIONAL, ICROT=1", "SPHERICAL, IC=1", "CYLINDRICAL, ICROT=1"})
    EXPECT_NE(adm_refusal(text(wrong)).find("of such a joint is not understood"), std::string::npos) << wrong;
}

// A pinion of 1 kg on a rack that falls: m s'' = m g - T/r with T = I s''/r.
TEST(Adams, RacksRollOnPinions) {
  const std::string text =
      "UNITS/SYSTEM=MKS\nPART/1, GROUND\nACCGRAV/KGRAV=-10\n"
      "PART/2, MASS=1, CM=21, IP=0.1,0.1,0.02\nMARKER/21, PART=2, REULER=90D,90D,-90D\nMARKER/11, PART=1, "
      "REULER=90D,90D,-90D\n"
      "PART/3, QG=0,-0.05,0, MASS=3, CM=31, IP=1,1,1\nMARKER/31, PART=3, REULER=0D,180D,0D\nMARKER/12, PART=1, "
      "QP=0,-0.05,0, REULER=0D,180D,0D\n"
      "JOINT/1, REVOLUTE, I=11, J=21\nJOINT/2, TRANSLATIONAL, I=31, J=12\n";
  const LastSample last =
      finish(read_adm(text + "JOINT/3, RACKPIN, I=21, J=31, PD=0.1\n"), options_of("hybrid", 1e-3, 0.5)).last;
  const double fall = 10 * 3 / (3 + 0.02 / (0.05 * 0.05)) * 0.125;
  EXPECT_NEAR(last["part_3.z"], -fall, 1e-9);
  // Below the axis, which points along x, the teeth go down when the pinion turns forward.
  EXPECT_NEAR(last["part_2.wx"], 2 * fall / 0.5 / 0.05, 1e-7);
  EXPECT_NE(adm_refusal(text + "MARKER/32, PART=3, QP=0,0.05,0\nJOINT/3, RACKPIN, I=21, J=32, PD=0.1\n")
                .find("on which side of the pinion"),
            std::string::npos);
  EXPECT_NE(adm_refusal(text + "JOINT/3, RACKPIN, I=31, J=21, PD=0.1\n").find("no revolute joint guides its pinion"),
            std::string::npos);
}

TEST(Adams, PlantInputsAreInputs) {
  const Mechanism mechanism = read_adm(kArm + kHinge +
                                       "VARIABLE/1, IC=2, FUNCTION = \nVARIABLE/2, FUNCTION=AZ(5,6)\n"
                                       "PINPUT/1, VARIABLES=1\nPOUTPUT/1, VARIABLES=2\n"
                                       "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=100*VARVAL(1)\n");
  ASSERT_EQ(mechanism.inputs.size(), 1u);
  EXPECT_EQ(mechanism.inputs[0].name, "variable_1");
  EXPECT_EQ(mechanism.inputs[0].start, 2);
}

}  // namespace
}  // namespace cardan
