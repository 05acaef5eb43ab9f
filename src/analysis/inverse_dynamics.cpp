#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/driven_motion.hpp"
#include "math/rotation_path.hpp"
#include "math/rotation_vector.hpp"
#include "mechanism/phases.hpp"
#include "text/csv_text.hpp"

namespace cardan {

void InverseOptions::check() const {
  const auto refuse = [](const char* what, double value) {
    throw std::invalid_argument(fmt::format("{} is {} s, but must be a number above 0", what, value));
  };
  if (!(step > 0) || !std::isfinite(step)) refuse("step", step);
  if (!(until > 0) || !std::isfinite(until)) refuse("until", until);
  if (until / step > 1e8) {
    throw std::invalid_argument(fmt::format("step is {} s, which makes too many samples until {} s", step, until));
  }
}

namespace {

[[noreturn]] void refuse_table_end(const DenseSystem& system) {
  for (const LeftTable& left : system.left_tables()) {
    if (left.ends_run) throw ModelError(error_at({system.mechanism().file}, "", left.sentence, "end the path earlier"));
  }
  throw std::logic_error("no table ends the path");
}

}  // namespace

/// Of a turn: that part of the rotation vector, of the angular velocity and of its rate, about axes of frame 2.
static Function::Value path_of(const Driver& driver, double t) {
  if (!driver.rotation) return driver.position.evaluate(t);
  const RotationPath::Motion m = driver.rotation->evaluate(t);
  const Mat3 turn = m.R.transpose() * m.second + m.rate.transpose() * m.rate;  // (R^T R')'
  const Vec3 rate(turn(2, 1), turn(0, 2), turn(1, 0));
  return {vector_from_rotation(m.R)[driver.axis], m.angular_velocity()[driver.axis], rate[driver.axis]};
}

InverseDynamics inverse_dynamics(const Mechanism& given, const InverseOptions& options, Sink* sink) {
  options.check();
  const Mechanism mechanism = initial_phase(given);
  DrivenMotion motion(mechanism);
  InverseDynamics result;
  result.degrees_of_freedom = motion.degrees_of_freedom();
  const auto drivers = static_cast<Eigen::Index>(mechanism.drivers.size());
  for (const Driver& driver : mechanism.drivers) result.names.push_back(driver.name);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    result.start.push_back(motion.system().body(static_cast<int>(b)));
  }
  result.notes = motion.system().warnings();
  for (const Event& event : given.events) {
    if (event.time >= options.until) continue;
    result.notes.push_back(
        fmt::format("event '{}' at t = {:g} s is left out: the whole path is that of the mechanism at the start",
                    event.name, event.time));
  }
  if (drivers > result.degrees_of_freedom) {
    result.notes.push_back(
        fmt::format("{} drivers give {} degrees of freedom: the efforts are not unique, those of least norm are given",
                    drivers, result.degrees_of_freedom));
  }

  // Whole steps, and the end; a rest that is a step but for rounding is one.
  const auto steps = static_cast<Eigen::Index>(std::ceil(options.until / options.step * (1 - 1e-9)));
  result.time.reserve(steps + 1);
  for (Eigen::MatrixXd* table : {&result.position, &result.velocity, &result.acceleration, &result.effort}) {
    table->setZero(steps + 1, drivers);
  }
  std::vector<double> row(motion.system().columns().size());
  if (sink) sink->start(motion.system().columns());
  for (Eigen::Index i = 0; i <= steps; ++i) {
    const double t = i == steps ? options.until : static_cast<double>(i) * options.step;
    motion.go_to(t);
    result.time.push_back(t);
    for (Eigen::Index d = 0; d < drivers; ++d) {
      const Function::Value path = path_of(mechanism.drivers[d], t);
      result.position(i, d) = path.f;
      result.velocity(i, d) = path.d1;
      result.acceleration(i, d) = path.d2;
    }
    result.effort.row(i) = motion.efforts().transpose();
    if (!motion.system().look_at_tables()) refuse_table_end(motion.system());
    if (!sink) continue;
    motion.system().sample(row.data());
    sink->sample(row.data(), row.size());
  }
  if (sink) sink->finish();
  for (const LeftTable& left : motion.system().left_tables()) result.notes.push_back(left.sentence);
  return result;
}

std::string InverseDynamics::csv() const {
  std::string text = "t";
  for (const std::string& name : names) {
    for (const char* field : {".q", ".v", ".a", ".effort"}) text += "," + csv_text(name + field);
  }
  text += '\n';
  for (std::size_t i = 0; i < time.size(); ++i) {
    text += fmt::format("{}", time[i]);
    for (std::size_t d = 0; d < names.size(); ++d) {
      for (const Eigen::MatrixXd* table : {&position, &velocity, &acceleration, &effort}) {
        text += fmt::format(",{}", (*table)(i, d));
      }
    }
    text += '\n';
  }
  return text;
}

Function InverseDynamics::effort_of(int driver) const {
  std::vector<double> values(effort.rows());
  for (Eigen::Index i = 0; i < effort.rows(); ++i) values[i] = effort(i, driver);
  return Function::table(time, std::move(values), Function::Interpolation::cubic);
}

Mechanism with_efforts(const Mechanism& mechanism, const InverseDynamics& result) {
  Mechanism driven = mechanism;
  for (std::size_t i = 0; i < result.names.size(); ++i) {
    const auto found = std::find_if(driven.drivers.begin(), driven.drivers.end(),
                                    [&](const Driver& d) { return d.name == result.names[i]; });
    if (found == driven.drivers.end()) {
      throw std::invalid_argument("the mechanism has no driver '" + result.names[i] + "', whose effort is given");
    }
    const Driver driver = *found;
    if (driver.joint < 0 || driver.rotation) {
      throw ModelError(error_at(driver.where, "driver '" + driver.name + "'",
                                "it drives a distance, along which no actuator acts",
                                "drive the coordinate of a joint instead"));
    }
    Actuator actuator;
    actuator.name = driver.name;
    actuator.where = driver.where;
    actuator.joint = driver.joint;
    actuator.coordinate = driver.coordinate;
    actuator.effort = result.effort_of(static_cast<int>(i));
    driven.actuators.push_back(std::move(actuator));
    driven.drivers.erase(found);
    Joint& joint = driven.joints[driver.joint];
    joint.initial_velocity.reset();
    if (joint_coordinate_count(joint.type, mechanism.planar) == 1) {
      joint.initial_position = result.position(0, static_cast<Eigen::Index>(i));
    }
  }
  for (std::size_t b = 0; b < driven.bodies.size(); ++b) {
    driven.bodies[b].initial_velocity = result.start[b].velocity;
    driven.bodies[b].initial_angular_velocity = result.start[b].angular_velocity;
  }
  return driven;
}

}  // namespace cardan
