#include "studies/forklift/rollover.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

#include "cardan/io.hpp"
#include "studies/model_file.hpp"

namespace cardan {
namespace {

constexpr double kHalfLoad = 0.5;             // m, half an edge of the load
constexpr double kSteering = 1.0;             // s, when it begins
constexpr double kPublishedSpeed = 10 / 3.6;  // m/s
constexpr const char* kWheels[] = {"front_wheel_left", "front_wheel_right", "rear_wheel_left", "rear_wheel_right"};

/// Looks at the machine after every step.
class Witness {
 public:
  Witness(const Mechanism& machine, const std::vector<std::string>& columns, RolloverRun& run)
      : machine_(machine), run_(run), row_(columns.size()) {
    for (std::size_t i = 0; i < columns.size(); ++i) column_[columns[i]] = i;
  }
  double* row() { return row_.data(); }

  void look(double t, double energy) {
    const double corner = lowest_corner();
    if (!first_) {
      run_.step_t.push_back(t);
      run_.step.push_back(t - t_);
      work_ += 0.5 * (t - t_) * (power_ + driver_power());
    }
    power_ = driver_power();
    const double free_energy = energy - work_;
    lowest_energy_ = std::min(lowest_energy_, free_energy);
    run_.created = std::max(run_.created, free_energy - lowest_energy_);
    if (run_.lift_off < 0 && t > kSteering && at("front_tyre_right.load") == 0) run_.lift_off = t;
    if (run_.impact < 0 && corner <= 0) run_.impact = corner_ > 0 ? t_ + (t - t_) * corner_ / (corner_ - corner) : t;
    const Mat3 chassis = rotation("chassis");
    run_.largest_roll = std::max(run_.largest_roll, std::acos(std::clamp(chassis(2, 2), -1.0, 1.0)));
    speeds_.push_back({t, fastest_body()});
    if (t >= static_cast<double>(run_.t.size()) * kRolloverSampling - 1e-9) keep(t);
    t_ = t, corner_ = corner, first_ = false;
  }

  void end() {
    run_.rest = Vec3(at("load.x"), at("load.y"), at("load.z"));
    for (const auto& [t, speed] : speeds_)
      if (t >= t_ - 1) run_.last_speed = std::max(run_.last_speed, speed);
  }

 private:
  double at(const std::string& name) const { return row_[column_.at(name)]; }
  Mat3 rotation(const std::string& body) const {
    return Quat(at(body + ".qw"), at(body + ".qx"), at(body + ".qy"), at(body + ".qz")).toRotationMatrix();
  }
  double lowest_corner() const { return at("load.z") - kHalfLoad * rotation("load").row(2).cwiseAbs().sum(); }
  /// What steers and what drives; the mast and its lifts stand still.
  double driver_power() const {
    return at("left_wheel.effort") * at("left_steer.v1") + at("right_wheel.effort") * at("right_steer.v1") +
           at("left_motor.effort") * at("left_hub.v") + at("right_motor.effort") * at("right_hub.v");
  }
  double fastest_body() const {
    double fastest = 0;
    for (const Body& body : machine_.bodies)
      fastest = std::max(fastest, Vec3(at(body.name + ".vx"), at(body.name + ".vy"), at(body.name + ".vz")).norm());
    return fastest;
  }
  void keep(double t) {
    run_.t.push_back(t);
    std::vector<double>* heights[] = {&run_.front_left, &run_.front_right, &run_.rear_left, &run_.rear_right};
    for (int i = 0; i < 4; ++i) {
      const std::string wheel = kWheels[i];
      run_.wheel[i].emplace_back(at(wheel + ".x"), at(wheel + ".y"), at(wheel + ".z"));
      heights[i]->push_back(at(wheel + ".z"));
    }
    run_.load.push_back(at("load.z"));
    run_.steering.push_back(at("right_steer.q1"));
  }

  const Mechanism& machine_;
  RolloverRun& run_;
  std::vector<double> row_;
  std::map<std::string, std::size_t> column_;
  std::vector<std::pair<double, double>> speeds_;  // t, m/s
  double t_ = 0, corner_ = 0, power_ = 0, work_ = 0;
  double lowest_energy_ = std::numeric_limits<double>::infinity();
  bool first_ = true;
};

/// What it can lose: its kinetic energy, and what its load gains by falling.
double energy_at_start(const Mechanism& machine) {
  double energy = 0;
  for (const Body& body : machine.bodies) {
    if (body.name == "load") energy += body.mass * 9.81 * (body.center.z() - kHalfLoad);
    energy += 0.5 * body.mass * kPublishedSpeed * kPublishedSpeed;
  }
  return energy;
}

}  // namespace

std::string rollover_file() { return model_file("forklift.yaml").string(); }

Mechanism rollover_machine(double speed) {
  return read_mechanism(rollover_file(), {{"speed", -speed * kPublishedSpeed}});
}

Mechanism rollover_machine_with_second_joints() {
  std::stringstream text;
  text << std::ifstream(rollover_file()).rdbuf();
  std::string model = text.str();
  const std::string joints = "\njoints:\n";
  const std::size_t at = model.find(joints);
  if (at == std::string::npos) throw std::runtime_error(rollover_file() + " has no joints");
  model.insert(at + joints.size(),
               "  second_hinge: {revolute: [chassis, lower_mast], at: [0.05, 0.3, 0.3], axis: y}\n"
               "  second_rail: {prismatic: [lower_mast, upper_mast], at: [0.3, 0.3, 2.475], axis: z}\n"
               "  second_bearing: {revolute: [chassis, front_wheel_left], at: [0, 0.4, 0.355], axis: y}\n");
  return read_mechanism_text(model, rollover_file());
}

RolloverRun roll_over(const Mechanism& machine, RunOptions options) {
  options.until = kRolloverTime;
  RolloverRun run;
  run.energy = energy_at_start(machine);
  Simulation simulation(machine, options);
  Witness witness(machine, simulation.columns(), run);
  const auto look = [&] {
    simulation.sample(witness.row());
    witness.look(simulation.time(), simulation.energy());
  };
  look();
  StepStatus status = StepStatus::ok;
  for (double rest; status == StepStatus::ok && (rest = kRolloverTime - simulation.time()) > 1e-9 * options.step;) {
    status = simulation.step(simulation.chooses_steps() ? rest : std::min(options.step, rest));
    if (status == StepStatus::ok) look();
  }
  witness.end();
  run.summary = simulation.summary();
  return run;
}

}  // namespace cardan
