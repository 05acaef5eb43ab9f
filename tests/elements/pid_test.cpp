// The controller against closed forms of linear loops, and at its limits.
#include "cardan/specs/pid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cardan/cardan.hpp"
#include "follow.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

constexpr double kCart = 4;

/// A cart on a rail, pushed by a controller towards `goal`.
Mechanism cart(unsigned seed, bool planar, const PidSpec& pid, double drag = 0) {
  const RandomPlace p(seed, planar);
  MechanismBuilder b("cart");
  b.planar(planar).gravity(Vec3::Zero());
  if (planar) {
    b.body("cart", kCart, Place(p.at(0, 0)), 1.0);
  } else {
    b.body("cart", kCart, Place(p.at(0, 0)), Mat3(Mat3::Identity()));
  }
  b.prismatic("rail", "ground", "cart", p.at(0, 0), p.along(1, 0));
  b.add(pid).actuator("motor", "rail", follow("control - " + std::to_string(drag) + "*rail.v"));
  return b.build();
}

PidSpec controller(const std::string& error, double kp, double ki, double kd) {
  PidSpec pid;
  pid.name = "control", pid.error = follow(error), pid.kp = kp, pid.ki = ki, pid.kd = kd;
  return pid;
}

/// y of y' = A y + b at t, from y0, by a series of small exact steps (scaling and squaring of the exponential).
VecX linear_motion(const Eigen::MatrixXd& A, const VecX& b, const VecX& y0, double t) {
  const Eigen::Index n = A.rows();
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + 1, n + 1);
  whole.topLeftCorner(n, n) = A * t / 1024;
  whole.topRightCorner(n, 1) = b * t / 1024;
  Eigen::MatrixXd term = Eigen::MatrixXd::Identity(n + 1, n + 1), sum = term;
  for (int k = 1; k < 20; ++k) sum += term = term * whole / k;
  for (int k = 0; k < 10; ++k) sum = Eigen::MatrixXd(sum * sum);
  VecX y(n + 1);
  y << y0, 1;
  return (sum * y).head(n);
}

/// m x'' = kp e + i + kd (e - f)/T, e = 1 - x, i' = ki e, T f' = e - f.
TEST(Pid, StepResponseIsThatOfTheLinearLoop) {
  const double kp = 200, ki = 300, kd = 40, T = 0.05, until = 0.8;
  PidSpec pid = controller("1 - rail.q", kp, ki, kd);
  pid.filter = T, pid.start = 1.0;
  Eigen::MatrixXd A(4, 4);  // x, v, i, f
  A << 0, 1, 0, 0, -(kp + kd / T) / kCart, 0, 1 / kCart, -kd / T / kCart, -ki, 0, 0, 0, -1 / T, 0, 0, -1 / T;
  const VecX b{{0, (kp + kd / T) / kCart, ki, 1 / T}}, y0{{0, 0, 0, 1}};
  const VecX y = linear_motion(A, b, y0, until);
  int runs = 0;
  for (const bool planar : {true, false}) {
    const Mechanism m = cart(3, planar, pid);
    for (const RegistryEntry& formulation : formulations()) {
      for (const RegistryEntry& integrator : integrators()) {
        if (!why_not(formulation.name, integrator.name).empty()) continue;
        RunOptions options = options_of(std::string(formulation.name), 5e-4, until, std::string(integrator.name));
        if (chooses_steps(formulation.name, integrator.name))
          options.absolute_tolerance = options.relative_tolerance = 1e-9;
        const FinishedRun run = finish(m, options);
        ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation.name << integrator.name << run.summary.reason;
        const double near = integrator.name == "newmark" ? 2e-2 : 2e-4;
        EXPECT_NEAR(run.last["rail.q"], y[0], near) << formulation.name << integrator.name;
        EXPECT_NEAR(run.last["control.integral"], y[2], near * ki) << formulation.name << integrator.name;
        EXPECT_NEAR(run.last["control"], kp * (1 - y[0]) + y[2] + kd / T * (1 - y[0] - y[3]), near * (kp + kd / T))
            << formulation.name << integrator.name;
        ++runs;
      }
    }
  }
  EXPECT_GE(runs, 2 * 36);
}

/// At its limit the integral does not run away: the cart comes to the goal with little overshoot, and holds there.
TEST(Pid, DoesNotWindUp) {
  double overshoot[2];
  for (const bool back : {true, false}) {
    PidSpec pid = controller("2 - rail.q", 100, 60, 60);
    pid.min = Number(-10), pid.max = Number(10), pid.start = 2.0;
    pid.windup = Number(back ? 0.3 : 1e6);
    const Mechanism m = cart(5, false, pid, 1);
    RunOptions options = options_of("hybrid", 0.002, 30);
    Simulation simulation(m, options);
    double most = 0;
    std::vector<double> row(simulation.columns().size());
    const auto column = [&](const char* name) {
      return std::find(simulation.columns().begin(), simulation.columns().end(), name) - simulation.columns().begin();
    };
    const auto place = column("rail.q"), output = column("control");
    for (int i = 0; i < 15000; ++i) {
      ASSERT_EQ(simulation.step(), StepStatus::ok);
      simulation.sample(row.data());
      most = std::max(most, row[place]);
      ASSERT_LE(std::abs(row[output]), 10) << simulation.time();
    }
    overshoot[back] = most - 2;
    if (back) EXPECT_NEAR(row[place], 2, 1e-3);
  }
  EXPECT_LT(overshoot[1], 0.25 * overshoot[0]);
  EXPECT_GT(overshoot[0], 0.1);
}

TEST(Pid, BadDataIsRefusedByName) {
  const auto complaint = [](const PidSpec& pid) {
    try {
      cart(1, true, pid);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint(controller("rail.q", 0, 0, 0)).find("load 'control': it does nothing; give 'kp', 'ki' or 'kd'"),
            std::string::npos);
  PidSpec pid = controller("rail.q", 1, 0, 0);
  pid.min = Number(2), pid.max = Number(1);
  EXPECT_NE(complaint(pid).find("load 'control': its least output is 2, not below its largest, 1"), std::string::npos);
  EXPECT_NE(complaint(controller("rail.x", 1, 0, 0)).find("no parameter or signal is called 'rail.x'"),
            std::string::npos);
  EXPECT_NE(complaint(controller("control", 1, 0, 0)).find("signals depend on each other in a circle"),
            std::string::npos);
  EXPECT_NE(complaint(controller("rail.q", 1, 0, -1)).find("load 'control': the kd is -1"), std::string::npos);
}

}  // namespace
}  // namespace cardan
