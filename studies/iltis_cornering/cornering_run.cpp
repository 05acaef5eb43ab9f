#include "studies/iltis_cornering/cornering_run.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "cardan/io.hpp"
#include "studies/model_file.hpp"

namespace cardan {
namespace {

constexpr const char* kCorners[] = {"front_left", "front_right", "rear_left", "rear_right"};
constexpr double kG = 9.81;

// Calspan, of the IAVSD benchmark: see models/parts/iltis_driven_corner.yaml.
constexpr double kA0 = 2625, kA1 = 14.47, kA2 = 12930, kA3 = 2.29, kA4 = 18175, kB1 = -4.64e-5, kB3 = 1.216,
                 kB4 = 2.18e-11, kSkid = 1.0274, kTrail = 1.71e-5;

double by_slip(double load) { return kA0 + kA1 * load - kA1 / kA2 * load * load; }
double by_camber(double load) { return kA3 * load - kA3 / kA4 * load * load; }

int body_named(const Mechanism& mechanism, const std::string& name) {
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i)
    if (mechanism.bodies[i].name == name) return static_cast<int>(i);
  throw std::runtime_error("no body '" + name + "'");
}

Input& input_named(Mechanism& mechanism, const std::string& name) {
  for (Input& input : mechanism.inputs)
    if (input.name == name) return input;
  throw std::runtime_error("no input '" + name + "'");
}

/// The last sample by name.
class Columns {
 public:
  explicit Columns(Simulation& simulation) : names_(simulation.columns()), row_(names_.size()) {
    simulation.sample(row_.data());
  }
  double operator[](const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) throw std::runtime_error("no column '" + name + "'");
    return row_[static_cast<std::size_t>(found - names_.begin())];
  }

 private:
  std::vector<std::string> names_;
  std::vector<double> row_;
};

/// The axle of a wheel that is drawn along y.
Vec3 axle_of(const Mechanism& mechanism, const Simulation& simulation, int wheel) {
  return simulation.body(wheel).rotation * mechanism.bodies[static_cast<std::size_t>(wheel)].axes.transpose() *
         Vec3::UnitY();
}

double heading(const Vec3& left) { return std::atan2(-left.x(), left.y()); }

/// Where all bodies and the contacts of the wheels are to the side of the chassis, and its roll.
struct Leaning {
  double roll = 0;
  std::vector<double> bodies;
  std::array<double, 4> contacts{}, tilts{};

  Leaning(const Mechanism& mechanism, const Simulation& simulation) {
    const int chassis = body_named(mechanism, "chassis");
    const BodyMotion own = simulation.body(chassis);
    const Vec3 ahead = own.rotation.col(0), level = Vec3(ahead.x(), ahead.y(), 0).normalized();
    const Vec3 left = Vec3::UnitZ().cross(level);
    roll = std::asin(own.rotation.col(1).z());
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i)
      bodies.push_back(left.dot(simulation.body(static_cast<int>(i)).position - own.position));
    // The point of the tyre that is at the ground goes with its wheel, wherever it touches next.
    for (std::size_t i = 0; i < 4; ++i) {
      const int wheel = body_named(mechanism, std::string(kCorners[i]) + "/wheel");
      tilts[i] = axle_of(mechanism, simulation, wheel).z();
      contacts[i] = bodies[static_cast<std::size_t>(wheel)] + simulation.body(wheel).position.z() * tilts[i];
    }
  }
};

void advance(Simulation& simulation, double until) {
  while (simulation.time() < until - 1e-9)
    if (simulation.step() != StepStatus::ok)
      throw std::runtime_error("the vehicle failed at " + std::to_string(simulation.time()) + " s");
}

}  // namespace

Mechanism cornering_iltis(double speed, double skid) {
  Mechanism iltis = read_mechanism(model_file("iltis_driven.yaml").string(),
                                   {{"hills", 0}, {"speed", speed}, {"skid", skid}, {"resistance", 0}});
  input_named(iltis, "cruise").start = speed;
  return iltis;
}

Mechanism steered_iltis(double speed, double steer) {
  Mechanism iltis = cornering_iltis(speed);
  input_named(iltis, "steer").track = {{0, 0.5, 2, 100}, {0, 0, steer, steer}, false};
  return iltis;
}

double linear_steer(double speed) { return 0.4 * 2.017 / (speed * speed) / kLock; }

SteadyCornering corner(double speed, double steer, const std::string& formulation, double step) {
  constexpr double kUntil = 14;  // s
  const Mechanism iltis = steered_iltis(speed, steer);
  RunOptions options = RunOptions::for_mechanism(iltis);
  options.formulation = formulation;
  options.step = step;
  options.until = kUntil;
  Simulation simulation(iltis, options);
  advance(simulation, kUntil);
  SteadyCornering result;
  result.summary = simulation.summary();
  const BodyMotion chassis = simulation.body(body_named(iltis, "chassis"));
  const Columns now(simulation);
  const Vec3 ahead = Vec3(chassis.rotation(0, 0), chassis.rotation(1, 0), 0).normalized();
  result.yaw_rate = chassis.angular_velocity.z();
  result.speed = chassis.velocity.norm();
  result.side_slip = std::atan2(ahead.cross(chassis.velocity).z(), ahead.dot(chassis.velocity));
  result.roll = std::asin(chassis.rotation(2, 1));
  const double own = heading(Vec3::UnitZ().cross(ahead));
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string tyre = std::string(kCorners[i]) + "/tyre.";
    const Vec3 axle = axle_of(iltis, simulation, body_named(iltis, std::string(kCorners[i]) + "/wheel"));
    result.steer[i] = std::remainder(heading(axle) - own, 2 * M_PI);
    result.slip[i] = now[tyre + "slip_angle"];
    result.camber[i] = now[tyre + "camber"];
    result.load[i] = now[tyre + "load"];
    result.side_force[i] = now[tyre + "lateral"];
    result.spin[i] = now[std::string(kCorners[i]) + "/bearing.v"];
  }
  return result;
}

double published_side_force(double load, double slip, double camber) {
  const double most = (kB1 * load + kB3 + kB4 * load * load) * kSkid * load;
  const double s = -(by_slip(load) * slip + by_camber(load) * camber) / most;
  return most * (s - s * std::abs(s) / 3 + s * s * s / 27);
}

BicycleModel::BicycleModel(const Mechanism& iltis) {
  double moment = 0;
  for (const Body& body : iltis.bodies) mass += body.mass, moment += body.mass * body.center.x();
  const double center = moment / mass;
  front = 0.97 - center, rear = center + 1.047;
  for (int axle = 0; axle < 2; ++axle) {
    const double load = 0.5 * mass * kG * (axle == 0 ? rear : front) / wheelbase();
    const auto i = static_cast<std::size_t>(axle);
    cornering[i] = 2 * by_slip(load), by_camber[i] = 2 * cardan::by_camber(load), trail[i] = kTrail * load;
  }
}

/// m v r = F_f + F_r,  0 = (a - t_f) F_f - (b + t_r) F_r,  F = -C (slip) - C_gamma gamma,  slip_f = beta + a r/v -
/// steer
BicycleModel::Motion BicycleModel::steady(double v, const std::array<double, 2>& steer,
                                          const std::array<double, 2>& camber) const {
  const double place[2] = {front, -rear}, arm[2] = {front - trail[0], -rear - trail[1]};
  Eigen::Matrix2d A;  // of beta and r
  Eigen::Vector2d b = Eigen::Vector2d::Zero();
  A << 0, -mass * v, 0, 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const Eigen::RowVector2d by(-cornering[i], -cornering[i] * place[i] / v);
    const double given = cornering[i] * steer[i] - by_camber[i] * camber[i];
    A.row(0) += by, A.row(1) += arm[i] * by;
    b[0] -= given, b[1] -= arm[i] * given;
  }
  const Eigen::Vector2d x = A.partialPivLu().solve(b);
  Motion motion{x[1], x[0], {}};
  for (std::size_t i = 0; i < 2; ++i)
    motion.force[i] = -cornering[i] * (x[0] + place[i] * x[1] / v - steer[i]) - by_camber[i] * camber[i];
  return motion;
}

double BicycleModel::understeer() const {
  // Loads of the axles against a unit of acceleration, and the slip that they need.
  const double a = front - trail[0], b = rear + trail[1];
  return mass / (a + b) * (b / cornering[0] - a / cornering[1]);
}

RollTest::RollTest(double torque) {
  const auto lean = [&](double given) {
    Mechanism iltis = cornering_iltis(0, 1e-3);
    Torque about;
    about.name = "roll_test", about.body2 = body_named(iltis, "chassis");
    about.components[0] = Law(Function::constant(given));
    iltis.torques.push_back(about);
    RunOptions options = RunOptions::for_mechanism(iltis);
    options.step = 0.005;
    options.until = 8;
    Simulation simulation(iltis, options);
    advance(simulation, options.until);
    return Leaning(iltis, simulation);
  };
  const Leaning one = lean(torque), other = lean(-torque);
  const double turn = one.roll - other.roll;
  stiffness = 2 * torque / turn;
  for (std::size_t i = 0; i < 4; ++i) {
    lever[i] = (one.contacts[i] - other.contacts[i]) / turn;
    tilt[i] = (one.tilts[i] - other.tilts[i]) / turn;
  }
  const Mechanism iltis = cornering_iltis(0);
  spin_inertia = iltis.bodies[static_cast<std::size_t>(body_named(iltis, "front_left/wheel"))].inertia(1, 1);
  for (std::size_t i = 0; i < iltis.bodies.size(); ++i)
    mass_lever += iltis.bodies[i].mass * (one.bodies[i] - other.bodies[i]) / turn;
}

/// Virtual work in a roll: of the side forces, of the inertia of all bodies, and of the moments J w r with which wheels
/// that spin resist being turned.
double RollTest::roll(const SteadyCornering& cornering) const {
  double work = -mass_lever * cornering.acceleration();
  for (std::size_t i = 0; i < 4; ++i)
    work += lever[i] * cornering.side_force[i] + tilt[i] * spin_inertia * cornering.spin[i] * cornering.yaw_rate;
  return work / stiffness;
}

}  // namespace cardan
