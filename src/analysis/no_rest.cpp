#include "analysis/no_rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/load_values.hpp"

namespace cardan {

std::string beyond_numbers(CartesianSystem& system, const VecX& force) {
  const Mechanism& mechanism = system.mechanism();
  std::string largest_of;
  double largest = -1;
  const auto compare = [&](const std::string& what, double size) {
    if (std::isnan(size)) size = std::numeric_limits<double>::infinity();
    if (std::abs(size) > largest) largest = std::abs(size), largest_of = what;
  };
  for (const Body& body : mechanism.bodies)
    compare(fmt::format("the weight of body '{}'", body.name), body.mass * mechanism.gravity.norm());
  for (const LoadValue& load : load_values(mechanism, system.poses(), system.state().memory))
    compare(fmt::format("the force of '{}'", load.name), load.force);
  const Eigen::Index size =
      force.size() / std::max<Eigen::Index>(1, static_cast<Eigen::Index>(mechanism.bodies.size()));
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    // The same force again, seen on the body, is not to displace its cause.
    const auto part = force.segment(static_cast<Eigen::Index>(b) * size, size);
    compare(fmt::format("the sum of the loads on body '{}'", mechanism.bodies[b].name),
            part.allFinite() ? 0.1 * part.cwiseAbs().maxCoeff() / system.length() : part.sum());
  }
  return fmt::format("the numbers of the search ran over: {} is {}; check its size and units", largest_of,
                     std::isfinite(largest) ? fmt::format("{:.3g} N", largest) : "no finite number");
}

std::string driving_actuators(CartesianSystem& system, const Eigen::MatrixXd& motions) {
  constexpr double kMoves = 1e-6;  // rad, or of the mechanism's size, where the motion has length 1
  constexpr int kNamed = 4;
  const Mechanism& mechanism = system.mechanism();
  const std::vector<std::string>& columns = system.columns();
  std::vector<double> row(columns.size());
  system.sample(row.data());
  const auto& coordinates = system.motion_columns();
  std::vector<double> moves(coordinates.size(), 0);
  for (Eigen::Index i = 0; i < motions.cols(); ++i) {
    const VecX rates = system.motion(motions.col(i));
    for (std::size_t c = 0; c < moves.size(); ++c)
      moves[c] = std::max(
          moves[c], std::abs(rates[static_cast<Eigen::Index>(c)]) / (coordinates[c].is_length ? system.length() : 1));
  }
  std::string names;
  int found = 0;
  for (const Actuator& actuator : mechanism.actuators) {
    const auto effort = std::find(columns.begin(), columns.end(), actuator.name + ".effort");
    const std::string joint = mechanism.joints[static_cast<std::size_t>(actuator.joint)].name;
    const std::string one = joint + ".q", several = fmt::format("{}.q{}", joint, actuator.coordinate + 1);
    const auto moved = std::find_if(coordinates.begin(), coordinates.end(),
                                    [&](const auto& c) { return c.name == one || c.name == several; });
    if (effort == columns.end() || moved == coordinates.end()) continue;
    const double value = row[static_cast<std::size_t>(effort - columns.begin())];
    if (value == 0 || moves[static_cast<std::size_t>(moved - coordinates.begin())] < kMoves) continue;
    if (++found <= kNamed)
      names += fmt::format("{}'{}' ({:.3g} {})", found > 1 ? ", " : "", actuator.name, value,
                           moved->is_length ? "N" : "N m");
  }
  return found > kNamed ? names + fmt::format(" and {} more", found - kNamed) : names;
}

}  // namespace cardan
