#include "studies/iltis_cornering/iltis_cornering.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "studies/iltis_cornering/cornering_run.hpp"

namespace cardan {
namespace {

constexpr double kDegree = 180 / std::numbers::pi;
constexpr double kRollTorque = 800;  // N m

void show_linear_range(const StudyContext& context, const BicycleModel& bicycle, const RollTest& roll) {
  ResultTable table(context.out / "cornering.csv", {{"speed", "v [m/s]", decimals(1)},
                                                    {"acceleration", "to the centre [m/s^2]", decimals(3)},
                                                    {"steer", "front wheels [deg]", decimals(3, kDegree)},
                                                    {"yaw_rate", "yaw rate [deg/s]", decimals(3, kDegree)},
                                                    {"yaw_rate_off", "off bicycle [%]", decimals(2, 1e2)},
                                                    {"front_force_off", "front side force off [%]", decimals(2, 1e2)},
                                                    {"rear_force_off", "rear side force off [%]", decimals(2, 1e2)},
                                                    {"curve_off", "tyres off their curve [%]", powers(1, 1e2)},
                                                    {"roll", "roll [deg]", decimals(4, kDegree)},
                                                    {"roll_off", "off virtual work [%]", decimals(2, 1e2)}});
  for (const double speed : {5.0, 10.0, 15.0, 20.0}) {
    const SteadyCornering c = corner(speed, linear_steer(speed));
    const auto m =
        bicycle.steady(c.speed, {c.mean(c.steer, 0), c.mean(c.steer, 1)}, {c.mean(c.camber, 0), c.mean(c.camber, 1)});
    double curve = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const double expected = published_side_force(c.load[i], c.slip[i], c.camber[i]);
      curve = std::max(curve, std::abs(c.side_force[i] / expected - 1));
    }
    table.add(c.speed, c.acceleration(), c.mean(c.steer, 0), c.yaw_rate, c.yaw_rate / m.yaw_rate - 1,
              c.axle_force(0) / m.force[0] - 1, c.axle_force(1) / m.force[1] - 1, curve, c.roll,
              c.roll / roll.roll(c) - 1);
  }
  context.show(table, "In the linear range",
               "Left-hand circles, steered for about 0.4 m/s^2. The bicycle model has the wheels' mean angles of steer "
               "and camber, cornering and camber stiffness of the published formulas at the static loads, and their "
               "trail. Roll: virtual work of side forces, inertia and spinning wheels, with stiffness and levers from "
               "a test with a "
               "torque on the standing vehicle.",
               "Bars: 3 % for yaw rate, side force and roll.");
}

/// Steer over acceleration at one radius, as the test ISO 4138 does it.
void show_understeer(const StudyContext& context, const BicycleModel& bicycle) {
  ResultTable table(context.out / "understeer.csv", {{"speed", "v [m/s]", decimals(1)},
                                                     {"acceleration", "to the centre [m/s^2]", decimals(3)},
                                                     {"steer", "front wheels less L/R [deg]", decimals(4, kDegree)},
                                                     {"gradient", "gradient [deg per g]", decimals(3)},
                                                     {"side_slip", "side slip [deg]", decimals(3, kDegree)},
                                                     {"roll", "roll [deg]", decimals(3, kDegree)}});
  for (const double speed : {8.0, 12.0, 16.0, 20.0}) {
    constexpr double kRadius = 100;  // m
    const double g = 9.81, wanted = bicycle.wheelbase() / kRadius;
    const SteadyCornering c = corner(speed, wanted / kLock);
    const double more = c.mean(c.steer, 0) - bicycle.wheelbase() * c.yaw_rate / c.speed;
    table.add(c.speed, c.acceleration(), more, more / c.acceleration() * g * kDegree, c.side_slip, c.roll);
  }
  context.show(table, "Understeer",
               fmt::format("About 100 m of radius. The bicycle model without camber and roll steer has a gradient of "
                           "{:.3f} deg per g.",
                           bicycle.understeer() * 9.81 * kDegree));
  context.report.plots.push_back(measurements("Understeer", "acceleration to the centre, m/s^2", "steer less L/R, rad",
                                              table.curves("acceleration", "steer", "")));
}

}  // namespace

void run_iltis_cornering_study(StudyContext& context) {
  const Mechanism iltis = cornering_iltis(10);
  const BicycleModel bicycle(iltis);
  const RollTest roll(kRollTorque);
  context.say(fmt::format(
      "Mass {:.1f} kg, {:.3f} m and {:.3f} m from the axles; cornering stiffness of the axles {:.0f} "
      "and {:.0f} N/rad; roll stiffness {:.0f} N m/rad.",
      bicycle.mass, bicycle.front, bicycle.rear, bicycle.cornering[0], bicycle.cornering[1], roll.stiffness));
  show_linear_range(context, bicycle, roll);
  show_understeer(context, bicycle);
  context.give_models(iltis);
  RunOptions options = RunOptions::for_mechanism(iltis);
  options.until = 14;
  options.step = 0.002;
  context.animate("hybrid at 0.002 s", "cardan study iltis-cornering", steered_iltis(10, 0.1), options);
  context.plot_histories();
}

}  // namespace cardan
