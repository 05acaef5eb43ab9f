// Function expressions of ADAMS: arithmetic, what they measure between markers, variables and splines.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "formats/adams_text.hpp"

namespace cardan {
namespace {

TEST(Adams, MeasuresBetweenMarkers) {
  const auto law = [&](const std::string& function) {
    return kArm + kHinge +
           "MARKER/7, PART=1, REULER=90D,0D,0D, QP=200,0,0\nSFORCE/1, ROTATION, I=5, J=6, FUNCTION=" + function + "\n";
  };
  const auto yaml = [&](const std::string& effort) {
    return kArmYaml + kHingeYaml + "loads: {s: {actuator: pin, effort: \"" + effort + "\"}}\n";
  };
  expect_same_motion(law("-5*DY(4,1)"), yaml("-5*0.2*sin(pin.q)"));
  expect_same_motion(law("-5*DX(4,6,7)"), yaml("-5*0.2*sin(pin.q)"));  // x of 7 is y of space
  expect_same_motion(law("-0.5*VY(4)"), yaml("-0.5*0.2*cos(pin.q)*pin.v"));
  expect_same_motion(law("-2*DM(4,1)"), yaml("-2*sqrt((0.2 + 0.2*cos(pin.q))^2 + (0.2*sin(pin.q))^2)"));
  expect_same_motion(law("-5*DY(6,3,4)"), yaml("0"));                    // seen from the arm, the pin does not move
  expect_same_motion(law("-5*DY(1,3,3)"), yaml("-5*(0.2*sin(pin.q))"));  // the origin of space in the arm's axes
  expect_same_motion(law("-0.5*VY(1,3,3,3)"), yaml("-0.5*0.2*cos(pin.q)*pin.v"));
  expect_same_motion(law("-20*WZ(3)"), yaml("-0.02*pin.v"));
  expect_same_motion(law("-300*AZ(3,1)"), yaml("-0.3*pin.q"));
  expect_same_motion(law("VARVAL(1)\nVARIABLE/1, FUNCTION=-300*AZ(5,6)"), yaml("-0.3*pin.q"));
  expect_same_motion(
      law("-DIF(1)\nDIFF/1, IC=0, FUNCTION=10*(300*AZ(5,6)-DIF(1))"),
      kArmYaml + kHingeYaml +
          "states: {z: {start: 0, rate: 10*(300*pin.q - z)}}\nloads: {s: {actuator: pin, effort: -0.001*z}}\n");
}

TEST(Adams, ExpressionsHaveTheirValue) {
  const auto value = [](const std::string& function) {
    const Mechanism m = read_adm(kArm + kHinge + "VARIABLE/1, FUNCTION=" + function + "\n");
    return finish(m, options_of("hybrid", 0.01, 0.3)).last["variable_1"];
  };
  const double t = 0.3;
  const std::pair<const char*, double> cases[] = {
      {"2+3*4-6/3", 12},
      {"-2**2", -4},
      {"2**-1", 0.5},
      {"2**3*2", 16},
      {"1.5E1", 15},
      {"1D2", 100},
      {"90D", M_PI / 2},
      {"90D-1", M_PI / 2 - 1},
      {"SIN(90D)*TIME", t},
      {"DTOR*180/PI", 1},
      {"RTOD*PI", 180},
      {"MAX(1,TIME)-MIN(2,TIME)", 1 - t},
      {"MOD(7,3)+MOD(-7,3)", 0},
      {"SIGN(3,-TIME)", -3},
      {"DIM(5,3)+DIM(3,5)", 2},
      {"AINT(-2.7)", -2},
      {"ANINT(-2.7)", -3},
      {"ABS(-TIME)+SQRT(4)+EXP(0)+LOG10(100)+LOG(1)", t + 5},
      {"ATAN2(1,1)+ATAN(1)+ACOS(1)+ASIN(0)", M_PI / 2},
      {"IF(TIME-0.2: 1, 2, 3)", 3},
      {"IF(0.4-TIME: 1, 2, 3)", 3},
      {"IF(TIME-0.4: 1, 2, 3)", 1},
      {"STEP(TIME, 0.2, 1, 0.6, 3)", 1 + 2 * 0.0625 * 2.5},
      {"STEP(TIME, 0, 0, 0.2, 5)", 5},
      {"HAVSIN(TIME, 0.2, 1, 0.4, 3)", 2},
      {"POLY(TIME, 0.1, 1, 2, 3)", 1 + 2 * 0.2 + 3 * 0.04},
      {"SHF(TIME, 0.1, 2, 5, 0.3, 1)", 2 * std::sin(5 * 0.2 - 0.3) + 1},
      {"FORCOS(TIME, 0, 2, 1, 3)", 1 + 3 * std::cos(2 * t)},
      {"FORSIN(TIME, 0, 2, 1, 3)", 1 + 3 * std::sin(2 * t)},
      {"IMPACT(TIME, 2, 0.5, 100, 2, 1, 0.4)", 100 * 0.04 - 1 * 2 * 0.5},
      {"IMPACT(TIME, 20, 0.5, 100, 2, 10, 0.1)", 0},
      {"IMPACT(TIME, 2, 0.2, 100, 2, 10, 0.1)", 0},
      {"BISTOP(TIME, 2, 0.4, 0.6, 100, 1, 0, 0.1)", 10},
      {"BISTOP(TIME, 2, 0, 0.2, 100, 1, 3, 0.1)", -(10 + 6)},
      {"BISTOP(TIME, 2, 0, 0.6, 100, 1, 3, 0.1)", 0},
  };
  int count = 0;
  for (const auto& [function, expected] : cases) {
    EXPECT_NEAR(value(function), expected, 1e-12) << function;
    ++count;
  }
  EXPECT_EQ(count, 35);
}

TEST(Adams, VariablesThatNobodyFollows) {
  const std::string lost =
      "VARIABLE/3, FUNCTION = (DX(4,1)*FX(4,1) +\n, DY(4,1)*FY(4,1))/\n, DM(4,1)\nVARIABLE/4, FUNCTION=2*VARVAL(3)\n"
      "VARIABLE/5, FUNCTION=DM(4,1)\nREQUEST/1, D, I=4, J=1, C=DISPLACEMENT: X Y Z (body)\nREQUEST/2, F, I=4, J=1\n";
  const Mechanism m = read_adm(kArm + kHinge + lost);
  const LastSample last = finish(m, options_of("hybrid", 0.01, 0.01)).last;
  EXPECT_NEAR(last["variable_5"], 400, 1);
  EXPECT_NEAR(last["request_1_x"], 0.4, 1e-3);
  EXPECT_EQ(std::count(last.columns().begin(), last.columns().end(), "variable_3"), 0);
  EXPECT_EQ(std::count(last.columns().begin(), last.columns().end(), "variable_4"), 0);
  const std::string said = adm_refusal(kArm + kHinge + lost + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=VARVAL(4)\n");
  EXPECT_NE(said.find("SFORCE/1: FUNCTION is not understood: VARIABLE/4: FUNCTION is not understood: VARIABLE/3: "
                      "FUNCTION is not understood: no element acts between the markers 4 and 1"),
            std::string::npos)
      << said;
}

TEST(Adams, SplinesOfAkima) {
  const auto value = [](const std::string& argument, const std::string& more) {
    const Mechanism m = read_adm(kArm + kHinge + "VARIABLE/1, FUNCTION=AKISPL(" + argument + ",0,1)*2\nSPLINE/1, " +
                                 more + "X=-1,0,1,2,3,4,5,6, Y=2,0,-1,-1,-1,0,3,5\n");
    return finish(m, options_of("hybrid", 0.01, 0.3)).last["variable_1"] / 2;
  };
  EXPECT_NEAR(value("3.0+0*TIME", ""), -1, 1e-12);
  EXPECT_NEAR(value("TIME+1.2", ""), -1, 1e-9);  // flat between 1 and 3
  // Slopes: -3/2 at 0, between chords of -2 and -1 that bend alike; 0 at 1, where the right side is straight.
  const double left = -1.5, right = 0;
  const double u = 0.3, m = -1;
  const double expected = 0 + left * u + (3 * m - 2 * left - right) * u * u + (left + right - 2 * m) * u * u * u;
  EXPECT_NEAR(value("TIME", ""), expected, 1e-12);
  EXPECT_NEAR(value("TIME", "LINEAR_EXTRAPOLATE, "), expected, 1e-12);
  EXPECT_NEAR(value("TIME-3.3", "LINEAR_EXTRAPOLATE, "), 2 + 2 * 2.5, 1e-12);  // the chords go on with -3 and -4
}

// The cubic of all points where they lie on one, whatever the pieces; where they do not, second derivatives go on.
TEST(Adams, CubicSplines) {
  const auto value = [](const std::string& argument, const std::string& order, const std::function<double(double)>& y,
                        const std::string& more = "") {
    std::string x, f;
    for (const double at : {-1.0, -0.2, 0.5, 0.9, 2.0, 2.5}) {
      x += fmt::format("{}{}", x.empty() ? "" : ",", at);
      f += fmt::format("{}{}", f.empty() ? "" : ",", y(at));
    }
    const Mechanism m = read_adm(kArm + kHinge + "VARIABLE/1, FUNCTION=CUBSPL(" + argument + ",0,1" + order +
                                 ")\nSPLINE/1, " + more + "X=" + x + ", Y=" + f + "\n");
    return finish(m, options_of("hybrid", 0.01, 0.3)).last["variable_1"];
  };
  const auto cubic = [](double x) { return 2 + x * (-1 + x * (0.5 + 0.3 * x)); };
  for (const double at : {-0.7, 0.1, 0.5, 1.7, 2.4, 3.1}) {
    const std::string argument = fmt::format("TIME+({})", at - 0.3);
    EXPECT_NEAR(value(argument, "", cubic), cubic(at), 1e-11) << at;
    EXPECT_NEAR(value(argument, ",1", cubic), -1 + at + 0.9 * at * at, 1e-11) << at;
    EXPECT_NEAR(value(argument, ",2", cubic), 1 + 1.8 * at, 1e-10) << at;
  }
  EXPECT_NEAR(value("TIME+2.7", "", cubic, "LINEAR_EXTRAPOLATE, "), cubic(2.5) + 0.5 * (-1 + 2.5 + 0.9 * 6.25), 1e-11);
  const auto sine = [](double x) { return std::sin(2 * x); };
  for (const double at : {-0.2, 0.5, 0.9, 2.0})
    for (const char* order : {"", ",1", ",2"}) {
      const double left = value(fmt::format("TIME+({})", at - 0.3 - 1e-9), order, sine),
                   right = value(fmt::format("TIME+({})", at - 0.3 + 1e-9), order, sine);
      EXPECT_NEAR(left, right, 1e-6) << at << order;
    }
  EXPECT_NE(adm_refusal(kArm + kHinge + "SFORCE/1, ROTATION, I=5, J=6, FUNCTION=CUBSPL(TIME,0,1,3)\n")
                .find("CUBSPL has no derivative 3"),
            std::string::npos);
}

TEST(Adams, LinesThatGoOn) {
  for (const char* text : {"FUNCTION = 1\n, + 2*(3\n, + 4)", "FUNCTION = 1 + \\\n, 2*(3 + 4)",
                           "FUNCTION = 1 + 2*(3 + 4)\\", "IC=0,\n! \xb0 \xc4\xe3\n FUNC = 1 + 2*(3 + 4)"}) {
    const Mechanism m = read_adm(kArm + kHinge + "VARIABLE/1, " + text + "\n");
    EXPECT_EQ(finish(m, options_of("hybrid", 0.01, 0.01)).last["variable_1"], 15) << text;
  }
}

}  // namespace
}  // namespace cardan
