#include "analysis/driven_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "math/decomposition/decompositions.hpp"

namespace cardan {
namespace {

StartingPoint drivers_may_agree() {
  StartingPoint start;
  start.dependent_drivers = true;
  return start;
}

Mechanism without_initial_velocities(Mechanism mechanism) {
  for (Body& body : mechanism.bodies) body.initial_velocity.reset(), body.initial_angular_velocity.reset();
  for (Joint& joint : mechanism.joints) joint.initial_velocity.reset();
  mechanism.initial_motion.reset();
  return mechanism;
}

/// With few coordinates and constraints for the decompositions, which cost most.
constexpr const char* kFormulation = "hybrid";
constexpr double kAgree = 1e-8;  // of dependent rows, in units of the mechanism

}  // namespace

DrivenMotion::DrivenMotion(const Mechanism& mechanism)
    : system_(without_initial_velocities(mechanism), kFormulation, drivers_may_agree()) {
  if (!system_.close(1)) refuse(0);
  find_joint_basis();
  degrees_of_freedom_ = joints_.freedom();
  refuse_free_motions();
  arrive();
}

void DrivenMotion::arrive() {
  system_.follow_drivers();
  const double h = system_.state().t - last_time_;
  if (system_.states() > 0 && h != 0) follow_rates(h);
  last_time_ = system_.state().t;
  const VecX force = system_.forces();
  const auto n = static_cast<Eigen::Index>(system_.coordinates());
  const VecX a = system_.state().acceleration.head(n).cwiseQuotient(system_.structure().scale.head(n));
  needed_ = system_.mass_times(a) - force;
  z_ = system_.state_values();
  rates_ = system_.rates();
  system_.state().acceleration.tail(system_.states()) = rates_;
  system_.accept();
}

/// Newton's method on the rule; where increments grow the rates are no function that steps of this length can follow.
void DrivenMotion::follow_rates(double h) {
  constexpr int kIterations = 50;
  constexpr double kSmall = 1e-12;
  const auto I = Eigen::MatrixXd::Identity(system_.states(), system_.states());
  system_.state_values() = z_;
  double change = 0;
  for (int i = 0; i < kIterations; ++i) {
    system_.forces();
    const VecX rest = z_ + 0.5 * h * (rates_ + system_.rates()) - system_.state_values();
    const VecX step = solve_square(I + 0.5 * h * system_.rates_by_states(), rest);
    system_.state_values() += step;
    change = step.cwiseAbs().maxCoeff();
    if (change <= kSmall * std::max(1.0, system_.state_values().cwiseAbs().maxCoeff())) return;
  }
  if (change <= 1e-6) return;  // to and fro over a kink
  Eigen::Index worst = 0;
  (system_.rates() - rates_).cwiseAbs().maxCoeff(&worst);
  const StateVariable& state = system_.mechanism().states[static_cast<std::size_t>(worst)];
  throw ModelError(
      error_at(state.where, "state '" + state.name + "'",
               fmt::format("at t = {:.6g} s its rate cannot be followed along the motion", system_.state().t),
               "take a shorter step"));
}

void DrivenMotion::find_joint_basis() {
  const Eigen::MatrixXd& all = system_.jacobian();
  std::vector<bool> driven(all.rows(), false);
  for (std::size_t i = 0; i < system_.mechanism().drivers.size(); ++i) driven[system_.driver_row(i)] = true;
  Eigen::MatrixXd rows(all.rows(), all.cols());
  Eigen::Index count = 0;
  for (Eigen::Index r = 0; r < all.rows(); ++r) {
    if (!driven[r]) rows.row(count++) = all.row(r);
  }
  joints_.compute(rows.topRows(count));
}

Eigen::MatrixXd DrivenMotion::driver_rates() const {
  const int drivers = static_cast<int>(system_.mechanism().drivers.size());
  Eigen::MatrixXd rates(drivers, joints_.freedom());
  for (int i = 0; i < drivers; ++i) {
    const int row = system_.driver_row(i);
    rates.row(i) = system_.row_length(row) * system_.jacobian().row(row) * joints_.free();
  }
  return rates;
}

void DrivenMotion::refuse_free_motions() {
  const int open = system_.basis().freedom();
  if (open == 0) return;
  const std::vector<std::string> names = system_.name_motions(system_.basis().free());
  throw ModelError(
      error_at(SourceLocation{system_.mechanism().file}, "",
               fmt::format("the drivers give {} of {} degrees of freedom; no driver gives {}",
                           degrees_of_freedom_ - open, degrees_of_freedom_, fmt::join(names, ", ")),
               fmt::format("inverse dynamics needs a path for each: add {} driver{}", open, open == 1 ? "" : "s")));
}

const Driver* DrivenMotion::contradiction() {
  const auto& drivers = system_.mechanism().drivers;
  const Driver* worst = nullptr;
  double largest = kAgree;
  for (std::size_t i = 0; i < drivers.size(); ++i) {
    const double off = std::abs(system_.phi()[system_.driver_row(i)]);
    if (off > largest) largest = off, worst = &drivers[i];
  }
  return worst;
}

void DrivenMotion::refuse(double t) {
  system_.position();
  if (const Driver* driver = contradiction()) {
    throw ModelError(
        error_at(driver->where, "driver '" + driver->name + "'",
                 fmt::format("at t = {:.6g} s its path cannot be followed: the joints or the other drivers "
                             "do not let it",
                             t),
                 "keep the path within reach, and away from singular positions"));
  }
  throw ModelError(error_at(SourceLocation{system_.mechanism().file}, "",
                            fmt::format("at t = {:.6g} s the paths of the drivers cannot be followed", t),
                            "keep the paths within reach, and away from singular positions"));
}

bool DrivenMotion::try_step(double t) {
  constexpr double kNear = 0.3;  // a correction larger than this could lead to another branch
  State& state = system_.state();
  const double h = t - state.t;
  state.q += h * state.v + 0.5 * h * h * state.acceleration;
  state.t = t;
  return system_.close(kNear) && system_.largest_violation() <= kAgree;
}

void DrivenMotion::go_to(double t) {
  double h = t - system_.state().t;
  constexpr int kParts = 1 << 14;
  const double shortest = std::abs(h) / kParts;
  while (system_.state().t != t) {
    const State before = system_.state();
    const bool last = std::abs(t - before.t) <= std::abs(h) * (1 + 1e-12);
    if (!try_step(last ? t : before.t + h)) {
      system_.state() = before;
      h *= 0.25;
      if (std::abs(h) < shortest) {
        system_.state().t = t;
        system_.close(1);
        refuse(t);
      }
      continue;
    }
    arrive();
  }
}

/// Phi_q^T lambda = M a - Q: as many drivers as degrees of freedom have unique multipliers, those of joints may be
/// anything. With more, (D Z)^T e = Z^T (M a - Q), the shortest e.
VecX DrivenMotion::efforts() {
  const int drivers = static_cast<int>(system_.mechanism().drivers.size());
  if (drivers == degrees_of_freedom_) {
    const VecX lambda = system_.basis().multipliers(needed_);
    VecX efforts(drivers);
    for (int i = 0; i < drivers; ++i) {
      const int row = system_.driver_row(i);
      efforts[i] = lambda[row] / system_.row_length(row);
    }
    return efforts;
  }
  find_joint_basis();
  const VecX wanted = joints_.free().transpose() * needed_;
  return shortest_solution(driver_rates().transpose(), wanted);
}

/// With R the motions at unit rates of the drivers: R^T M R
Eigen::MatrixXd DrivenMotion::mass_matrix() {
  find_joint_basis();
  system_.forces();
  const Eigen::MatrixXd rates = driver_rates();
  const Eigen::MatrixXd R = joints_.free() * solve_square(rates, Eigen::MatrixXd::Identity(rates.rows(), rates.rows()));
  const Eigen::MatrixXd M = R.transpose() * system_.mass() * R;
  return 0.5 * (M + M.transpose());
}

}  // namespace cardan
