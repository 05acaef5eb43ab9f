// Hydraulic elements against closed forms: fluid and gas as springs, orifices, relief valves, stops; balances of
// energy.
#include "cardan/specs/hydraulics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include "cardan/cardan.hpp"
#include "every_method.hpp"
#include "follow.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

constexpr double kRam = 800, kRetracted = 0.7, kStroke = 0.6, kDrawn = 1.0;
constexpr double kAreaA = 6e-3, kAreaB = 4e-3, kBulk = 1.5e9, kDead = 2e-4;

/// A mass on a guide, and a cylinder along it, drawn at half its stroke.
struct Press {
  RandomPlace place;
  MechanismBuilder b;
  CylinderSpec jack;
  Press(unsigned seed, bool planar, double weight = 0) : place(seed, planar), b("press") {
    const Vec3 up = place.along(0, 1);
    b.planar(planar).gravity(-weight / kRam * up);
    const Vec3 foot = place.at(0, 0), head = foot + kDrawn * up;
    if (planar) {
      b.body("ram", kRam, Place(head), 1.0);
    } else {
      b.body("ram", kRam, Place(head), Mat3(Mat3::Identity()));
    }
    b.prismatic("guide", "ground", "ram", head, up);
    jack.name = "jack", jack.body1 = "ground", jack.body2 = "ram";
    jack.at1 = Place(foot), jack.at2 = Place(head);
    jack.area_a = Number(kAreaA), jack.area_b = Number(kAreaB);
    jack.retracted = kRetracted, jack.stroke = kStroke, jack.bulk_modulus = kBulk;
    jack.dead_volume_a = Number(kDead);
  }
  void pump(const Varying& flow, double relief, double start = 0, double volume = 1e-3) {
    PumpSpec pump;
    pump.name = "pump", pump.flow = flow, pump.volume = volume, pump.relief = Number(relief), pump.start = start;
    b.add(pump);
  }
  ValveSpec valve(const Varying& command) const {
    ValveSpec valve;
    valve.name = "valve", valve.cylinder = "jack", valve.supply = "pump", valve.command = command;
    valve.rated_flow = 1e-3;
    return valve;
  }
  Mechanism build() { return b.add(jack).build(); }
};

/// What a stiff orifice asks steps of microseconds of.
bool goes_without_tangent(std::string_view method) {
  for (const char* name : {"recursive", "rk4", "dopri5", "abm2"})
    if (method == name) return true;
  return false;
}

/// Every formulation with every integrator that goes with it; tolerances times 10 for the rule of first order.
template <class Check>
int in_every_way(const Mechanism& m, double step, double until, bool explicit_too, const Check& check) {
  int runs = 0;
  with_every_method(step, until, 1e-9, [&](const RunOptions& options) {
    if (!explicit_too && (goes_without_tangent(options.formulation) || goes_without_tangent(options.integrator)))
      return;
    const FinishedRun run = finish(m, options);
    EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    check(run.last, options.integrator == "newmark" ? 10.0 : 1.0);
    ++runs;
  });
  return runs;
}

/// Both chambers closed: k = B (A_a^2/V_a + A_b^2/V_b). A quarter of the last of several periods tells the frequency.
TEST(Cylinder, AMassOnClosedChambersHasTheFrequencyOfTheFluid) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    Press press(3, planar);
    const double v = 1e-4, x = kDrawn - kRetracted;
    const double stiffness =
        kBulk * (kAreaA * kAreaA / (kDead + kAreaA * x) + kAreaB * kAreaB / (kDead + kAreaB * (kStroke - x)));
    const double w = std::sqrt(stiffness / kRam), until = (2 + 0.25) * 2 * std::numbers::pi / w;
    press.b.joint_velocity("guide", v);
    press.jack.start_a = Number(2e5), press.jack.start_b = Number(2e5 * kAreaA / kAreaB);
    const Mechanism m = press.build();
    // At a quarter the displacement is v/w and the velocity is v (w_measured - w) until: 0.1 % of the 14 rad of 2.25
    // periods.
    runs += in_every_way(m, until / 1500, until, true, [&](const LastSample& last, double worse) {
      EXPECT_NEAR(last["guide.v"] / v, 0, worse * 1e-3 * w * until);
      EXPECT_NEAR(last["guide.q"] / (v / w), 1, worse * 1e-2);
      EXPECT_NEAR(last["jack.pa"], 2e5 - kBulk * kAreaA * v / w / (kDead + kAreaA * x), worse * 1e-2 * 2e5);
    });
  }
  EXPECT_GE(runs, 2 * 36);
}

/// A wheel with a motor on its shaft, turned and moved; in the plane and in space.
struct Winch {
  static constexpr double kInertia = 4, kDisplacement = 3e-5;
  RandomPlace place;
  MechanismBuilder b;
  HydraulicMotorSpec motor;
  Winch(unsigned seed, bool planar) : place(seed, planar), b("winch") {
    b.planar(planar).gravity({0, 0, 0});
    if (planar) {
      b.body("drum", 50, Place(place.at(0, 0)), kInertia);
      b.revolute("shaft", "ground", "drum", place.at(0, 0));
    } else {
      b.body("drum", 50, Place(place.at(0, 0)), Mat3(kInertia * Mat3::Identity()));
      b.revolute("shaft", "ground", "drum", place.at(0, 0), place.along(0.2, 0.5, 1));
    }
    motor.name = "motor", motor.joint = "shaft", motor.displacement = kDisplacement;
    motor.volume_a = Number(4e-4), motor.volume_b = Number(6e-4), motor.bulk_modulus = kBulk;
  }
  Mechanism build() { return b.add(motor).build(); }
};

/// Both chambers closed: k = B D^2 (1/V_a + 1/V_b); its torque is D (p_a - p_b).
TEST(HydraulicMotor, AWheelOnClosedChambersHasTheFrequencyOfTheFluid) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    Winch winch(6, planar);
    constexpr double D = Winch::kDisplacement, p = 3e6, v = 0.1;
    const double stiffness = kBulk * D * D * (1 / 4e-4 + 1 / 6e-4), w = std::sqrt(stiffness / Winch::kInertia);
    const double until = 2.25 * 2 * std::numbers::pi / w;
    winch.b.joint_velocity("shaft", v);
    winch.motor.start_a = Number(p);
    const Mechanism m = winch.build();
    ASSERT_EQ(m.states.size(), 2u);
    runs += in_every_way(m, until / 1500, until, true, [&](const LastSample& last, double worse) {
      EXPECT_NEAR(last["shaft.v"] / v, 0, worse * 1e-3 * w * until);
      EXPECT_NEAR(last["shaft.q"] / (v / w), 1, worse * 1e-2);
      EXPECT_NEAR(last["motor.pa"], p - kBulk * D * v / w / 4e-4, worse * 1e-3 * p);
      EXPECT_NEAR(last["motor.effort"], D * (last["motor.pa"] - last["motor.pb"]), 1e-9 * D * p);
      EXPECT_NEAR(last["motor.effort"], -stiffness * last["shaft.q"], worse * 1e-4 * stiffness * v / w);
    });
  }
  EXPECT_GE(runs, 2 * 36);
}

/// Through a valve, with leakage and friction: p_a q_a + p_b q_b = power + lost + d stored/dt, and the work is in the
/// wheel. At rest under pressure the torque is D times the difference of pressures less the friction.
TEST(HydraulicMotor, EnergyIsAccountedFor) {
  for (const bool planar : {true, false}) {
    Winch winch(7, planar);
    winch.motor.leakage = 1e-12, winch.motor.viscous = 2.0, winch.motor.coulomb = 10.0,
    winch.motor.friction_speed = 0.05;
    winch.motor.start_a = Number(1e6);
    PumpSpec pump;
    pump.name = "pump", pump.flow = Varying(4e-4), pump.volume = 1e-3, pump.relief = Number(1e7), pump.start = 5e6;
    ValveSpec valve;
    valve.name = "valve", valve.cylinder = "motor", valve.supply = "pump",
    valve.command = Varying(Function::sine(0.8, 4));
    valve.rated_flow = 5e-4, valve.tank = 2e5, valve.makeup = 5e-4;
    winch.b.add(pump).add(valve);
    const Mechanism m = winch.build();
    for (const std::string formulation : {"hybrid", "global", "topological", "cartesian"}) {
      SCOPED_TRACE(formulation);
      Simulation simulation(m, options_of(formulation, 5e-4, 1));
      LastSample last;
      last.start(simulation.columns());
      std::vector<double> row(simulation.columns().size());
      double in = 0, work = 0, lost = 0, before[3] = {}, stored = 0, kinetic = 0, moved = 0;
      for (int i = 0; i <= 2000; ++i) {
        if (i > 0) ASSERT_EQ(simulation.step(), StepStatus::ok);
        simulation.sample(row.data());
        last.sample(row.data(), row.size());
        const double now[] = {last["motor.pa"] * last["motor.qa"] + last["motor.pb"] * last["motor.qb"],
                              last["motor.power"], last["motor.lost"]};
        if (i > 0) {
          in += 2.5e-4 * (before[0] + now[0]), work += 2.5e-4 * (before[1] + now[1]);
          lost += 2.5e-4 * (before[2] + now[2]);
        } else {
          stored = last["motor.stored"];
        }
        std::copy(now, now + 3, before);
        moved = std::max(moved, std::abs(last["shaft.q"]));
      }
      kinetic = 0.5 * Winch::kInertia * last["shaft.v"] * last["shaft.v"];
      EXPECT_GT(moved, 0.5);
      EXPECT_GT(in, 20);
      EXPECT_GT(lost, 1);
      EXPECT_NEAR(work + lost + last["motor.stored"] - stored, in, 1e-3 * in);
      EXPECT_NEAR(work, kinetic, 1e-3 * in);
    }
  }
}

/// In a mirror the angle turns the other way round, and with it the motor.
TEST(HydraulicMotor, IsMirroredWithItsJoint) {
  const std::string part = R"(cardan: 1
name: part
bodies: {drum: {mass: 50, center: [0, 0, 0], inertia: [4, 4, 4]}}
joints: {shaft: {revolute: [ground, drum], at: [0, 0, 0], axis: y}}
loads: {motor: {hydraulic_motor: shaft, displacement: 3e-5, volumes: [4e-4, 6e-4], start: [3e6, 1e6]}}
)";
  const auto folder = std::filesystem::temp_directory_path() / "cardan-motor-in-a-mirror";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "part.yaml") << part;
  std::ofstream(folder / "both.yaml") << R"(cardan: 1
name: both
gravity: [0, 0, 0]
subsystems:
  left: {file: part.yaml}
  right: {file: part.yaml, mirror: z, place: {at: [1, 0, 0]}}
)";
  const FinishedRun run = finish(read_mechanism((folder / "both.yaml").string()), options_of("hybrid", 1e-3, 0.05));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_GT(std::abs(run.last["left/drum.wy"]), 1e-3);
  EXPECT_NEAR(run.last["left/drum.wy"], -run.last["right/drum.wy"], 1e-9);
  EXPECT_NEAR(run.last["left/motor.pa"], run.last["right/motor.pa"], 1e-3);
}

/// Gas and fluid of one chamber give way one after the other: C = V_g/(n p) + V_a/B, k = A_a^2/C.
TEST(Accumulator, AMassOnGasHasItsFrequency) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    const double p = 5e6, n = 1.3, charge = 3e6, gas_volume = 2e-3, atmosphere = 1e5;
    Press press(4, planar, p * kAreaA);
    press.jack.start_a = Number(p), press.jack.start_b = Number(0);
    press.jack.dead_volume_a = Number(1e-4);
    press.jack.area_b = Number(1e-9);  // a plunger
    press.jack.dead_volume_b = Number(1.0);
    AccumulatorSpec gas;
    gas.name = "gas", gas.line = "jack", gas.volume = gas_volume, gas.precharge = charge, gas.start = Number(p);
    gas.exponent = n, gas.atmosphere = atmosphere, gas.rated_flow = 10.0, gas.rated_drop = 1e5, gas.transition = 1e5;
    press.b.add(gas);
    const double filled = gas_volume * std::pow((charge + atmosphere) / (p + atmosphere), 1 / n);
    const double chamber = 1e-4 + kAreaA * (kDrawn - kRetracted);
    const double give = filled / (n * (p + atmosphere)) + chamber / kBulk;
    const double v = 1e-3, w = std::sqrt(kAreaA * kAreaA / give / kRam), until = 2.25 * 2 * std::numbers::pi / w;
    press.b.joint_velocity("guide", v);
    const Mechanism m = press.build();
    runs += in_every_way(m, until / 1000, until, false, [&](const LastSample& last, double worse) {
      EXPECT_NEAR(last["guide.v"] / v, 0, worse * 1e-3 * w * until);
      EXPECT_NEAR(last["guide.q"] / (v / w), 1, worse * 2e-2);
      EXPECT_NEAR(last["gas.p"], last["jack.pa"], 1e3);
    });
  }
  EXPECT_GE(runs, 2 * 20);
}

/// The spool wide open, the pump at its relief valve: the ram goes at the speed that orifices and areas give.
TEST(Valve, MovesTheRamAtTheSpeedOfItsOrifices) {
  for (const bool planar : {true, false}) {
    for (const double command : {1.0, -1.0}) {
      Press press(5, planar);
      press.pump(5e-3, 1e7, 1e7);
      ValveSpec valve = press.valve(command);
      valve.tank = 2e5;
      press.b.add(valve);
      press.jack.viscous = 2e5;
      const Mechanism m = press.build();
      for (const std::string formulation : {"hybrid", "global", "topological", "cartesian"}) {
        const FinishedRun run = finish(m, options_of(formulation, 0.002, 0.4));
        ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
        const LastSample& last = run.last;
        const double v = last["guide.v"], d = 5e4;
        const auto g = [&](double drop) { return drop / std::pow(drop * drop + d * d, 0.25); };
        const double in = command > 0 ? kAreaA : kAreaB, out = command > 0 ? kAreaB : kAreaA;
        const std::string p_in = command > 0 ? "jack.pa" : "jack.pb", p_out = command > 0 ? "jack.pb" : "jack.pa";
        EXPECT_GT(command * v, 0.02) << formulation;
        EXPECT_NEAR(in * std::abs(v), 1e-3 * g(last["pump.p"] - last[p_in]) / g(5e5), 2e-3 * in * std::abs(v));
        EXPECT_NEAR(out * std::abs(v), 1e-3 * g(last[p_out] - 2e5) / g(5e5), 2e-3 * out * std::abs(v));
        EXPECT_NEAR(kAreaA * last["jack.pa"] - kAreaB * last["jack.pb"], 2e5 * v, 20) << formulation;
        EXPECT_NEAR(last["pump.drawn"], in * std::abs(v), 2e-3 * in * std::abs(v));
        // The rest goes over the relief valve, whose slope is that of its gradient.
        EXPECT_NEAR(last["pump.relief"], 5e-3 - last["pump.drawn"], 1e-8);
        const double above = last["pump.p"] - 1e7;
        EXPECT_NEAR(last["pump.relief"], 1e-8 * above * above / (above + 1e5), 1e-12);
      }
    }
  }
}

TEST(Valve, HoldsTheRamInItsMiddlePosition) {
  Press press(6, false, 3e4);
  press.pump(1e-3, 2e7, 2e7);
  ValveSpec valve = press.valve(0.0);
  valve.check = true, valve.overlap = 0.1, valve.leakage = 1e-6;
  press.b.add(valve);
  press.jack.start_a = Number(3e4 / kAreaA + 1e6 * kAreaB / kAreaA), press.jack.start_b = Number(1e6);
  const FinishedRun run = finish(press.build(), options_of("hybrid", 0.005, 5));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_LT(std::abs(run.last["guide.q"]), 1e-4);
}

/// T^2 x'' + 2 D T x' + x = 1 from rest.
TEST(Valve, HasASpoolOfFirstOrSecondOrder) {
  const double T = 0.05, D = 0.6, until = 0.1;
  for (const bool second : {false, true}) {
    Press press(7, true);
    press.pump(0.0, 1e7);
    ValveSpec valve = press.valve(2.0);  // held at 1
    valve.time_constant = T;
    if (second) valve.damping_ratio = Number(D);
    press.b.add(valve);
    const double r = std::sqrt(1 - D * D), phase = r * until / T;
    const double exact =
        second ? 1 - std::exp(-D * until / T) * (std::cos(phase) + D / r * std::sin(phase)) : 1 - std::exp(-until / T);
    const int runs = in_every_way(press.build(), 1e-3, until, true, [&](const LastSample& last, double worse) {
      EXPECT_NEAR(last["valve.spool"], exact, worse * 1e-3);
    });
    EXPECT_GE(runs, 30);
  }
}

/// Against either end of the stroke: it comes to rest in the stop, at the depth that bears what is left.
TEST(Cylinder, StaysWithinItsStroke) {
  for (const double command : {1.0, -1.0}) {
    Press press(8, false);
    press.pump(2e-3, 1e7, 1e6);
    press.b.add(press.valve(command));
    const Mechanism m = press.build();
    for (const std::string formulation : {"hybrid", "global", "topological", "cartesian"}) {
      const FinishedRun run = finish(m, options_of(formulation, 0.002, 2.5));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
      const double force = kAreaA * run.last["jack.pa"] - kAreaB * run.last["jack.pb"];
      const double end = command > 0 ? kRetracted + kStroke : kRetracted;
      const double depth = command * (run.last["jack.length"] - end);
      EXPECT_GT(depth, 1e-4) << formulation;
      EXPECT_NEAR(1e8 * depth * depth / (depth + 1e-3), command * force, 1e-3 * std::abs(force)) << formulation;
      EXPECT_NEAR(run.last["guide.v"], 0, 1e-5) << formulation;
    }
  }
}

/// What the pump gives is work, losses and what is stored: over a stroke out and in with friction, leakage, an
/// accumulator and a load.
TEST(Hydraulics, EnergyIsAccountedFor) {
  class Balance final : public Sink {
   public:
    void start(const std::vector<std::string>& columns) override { columns_ = columns; }
    void sample(const double* row, std::size_t size) override {
      const auto at = [&](const std::string& name) {
        return row[std::find(columns_.begin(), columns_.end(), name) - columns_.begin()];
      };
      ASSERT_EQ(size, columns_.size());
      const double out = at("jack.power") + at("jack.lost") - at("jack.carried") + at("valve.lost") +
                         at("valve.returned") + at("pump.lost") + at("gas.lost");
      const double store = at("jack.stored") + at("pump.stored") + at("gas.stored");
      const double t = at("t"), power = at("pump.power");
      if (samples_++ == 0) first_ = store;
      if (samples_ > 1) {
        given += 0.5 * (t - t_) * (power + power_);
        left += 0.5 * (t - t_) * (out + out_);
        work += 0.5 * (t - t_) * (at("jack.power") + work_power_);
      }
      stored = store - first_;
      t_ = t, power_ = power, out_ = out, work_power_ = at("jack.power");
    }
    double given = 0, left = 0, stored = 0, work = 0;

   private:
    std::vector<std::string> columns_;
    double first_ = 0, t_ = 0, power_ = 0, out_ = 0, work_power_ = 0;
    int samples_ = 0;
  };
  Press press(9, false, 2e4);
  press.pump(follow("1e-3*(1 - exp(-t/0.1))"), 1.2e7, 3e6, 2e-3);
  ValveSpec valve = press.valve(follow("sin(3*t)"));
  valve.tank = 2e5, valve.makeup = 1e-3, valve.port_relief_a = Number(1.5e7), valve.check = true;
  press.b.add(valve);
  AccumulatorSpec gas;
  gas.name = "gas", gas.line = "pump", gas.volume = 1e-3, gas.precharge = 2e6, gas.start = Number(3e6);
  gas.rated_flow = 5e-3;
  press.b.add(gas);
  press.jack.start_a = Number(2e4 / kAreaA + 1e6 * kAreaB / kAreaA), press.jack.start_b = Number(1e6);
  press.jack.viscous = 3e3, press.jack.coulomb = 1e3, press.jack.leakage = 1e-11;
  const Mechanism m = press.build();
  for (const std::string formulation : {"hybrid", "global"}) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      RunOptions options = options_of(formulation, 0.001 / (1 << i), 2);
      options.every = 1;
      Balance balance;
      const RunSummary summary = run(m, options, &balance);
      ASSERT_EQ(summary.status, RunStatus::ok) << summary.reason;
      EXPECT_GT(std::abs(balance.given), 2e3);
      error[i] = std::abs(balance.given - balance.left - balance.stored) / balance.given;
    }
    EXPECT_LT(error[1], 1e-3) << formulation;
  }
}

/// Gradients of all laws against differences, at random pressures, lengths, spools.
TEST(Hydraulics, LawsHaveTheGradientsOfDifferences) {
  Press press(12, false, 2e4);
  press.pump(follow("1e-3 - 1e-11*pump.p"), 1.2e7, 3e6);
  ValveSpec valve = press.valve(follow("sin(3*t)"));
  valve.tank = 2e5, valve.makeup = 1e-3, valve.port_relief_a = Number(1.5e7), valve.check = true, valve.overlap = 0.1;
  press.b.add(valve);
  AccumulatorSpec gas;
  gas.name = "gas", gas.line = "jack", gas.port = 1, gas.volume = 1e-3, gas.precharge = 2e6, gas.rated_flow = 5e-3;
  press.b.add(gas);
  press.jack.viscous = 3e3, press.jack.coulomb = 1e3, press.jack.leakage = 1e-11;
  const Mechanism m = press.build();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> part(0, 1);
  // The range of an argument, wider than what the elements reach: stops, relief and make-up valves included.
  const auto between = [&](double low, double high) { return low + (high - low) * part(random); };
  const auto value = [&](const std::string& name) {
    const std::string field = name.substr(name.rfind('.') + 1);
    if (field == "length") return between(kRetracted - 0.01, kRetracted + kStroke + 0.01);
    if (field == "volume") return between(2e-4, 1.005e-3);
    if (field == "pa" || field == "pb" || field == "p") return between(-1e5, 2e7);
    return between(-1, 1);
  };
  const auto scale = [](const std::string& name) { return name.ends_with(".volume") ? 1e-3 : 1.0; };
  int compared = 0;
  for (const Signal& s : m.signals) {
    const std::vector<std::string>& names = s.expression.names();
    if (s.kind != Signal::Kind::expression || names.empty()) continue;
    for (int round = 0; round < 20; ++round) {
      std::vector<double> x, gradient(names.size());
      for (const std::string& name : names) x.push_back(value(name));
      EXPECT_EQ(s.expression.evaluate(x.data(), gradient.data()), s.expression.evaluate(x.data()));
      for (std::size_t i = 0; i < names.size(); ++i) {
        const double step = 1e-6 * std::max(std::abs(x[i]), scale(names[i]));
        std::vector<double> up = x, down = x;
        up[i] += step, down[i] -= step;
        const double above = s.expression.evaluate(up.data()), below = s.expression.evaluate(down.data());
        const double rounding = 1e-15 * (std::abs(above) + std::abs(below)) / step;
        EXPECT_NEAR((above - below) / (2 * step), gradient[i], 1e-4 * std::abs(gradient[i]) + 10 * rounding)
            << s.name << " " << s.expression.text() << " " << names[i] << " at " << x[i];
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 20 * 50);
}

/// The error of the trapezoidal rule falls with the square of the step, pressures and spool included.
TEST(Hydraulics, KeepTheOrderOfTheRule) {
  Press press(10, false, 2e4);
  press.pump(follow("8e-4*(1 - exp(-t/0.1))"), 2e7, 6e6, 3e-3);
  ValveSpec valve = press.valve(follow("0.6*sin(4*t)"));
  valve.damping_ratio = Number(0.8), valve.time_constant = 0.03, valve.tank = 3e5;
  press.b.add(valve);
  press.jack.start_a = Number(2e4 / kAreaA + 2e6 * kAreaB / kAreaA), press.jack.start_b = Number(2e6);
  press.jack.viscous = 1e4;
  const Mechanism m = press.build();
  const FinishedRun exact = finish(m, options_of("hybrid", 5e-5, 0.6, "rk4"));
  ASSERT_EQ(exact.summary.status, RunStatus::ok) << exact.summary.reason;
  for (const std::string formulation : {"hybrid", "global", "topological", "cartesian"}) {
    double error[2];
    for (int i = 0; i < 2; ++i) {
      const FinishedRun run = finish(m, options_of(formulation, 0.002 / (1 << i), 0.6));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
      error[i] =
          std::hypot((run.last["jack.pa"] - exact.last["jack.pa"]) / 1e7, run.last["guide.q"] - exact.last["guide.q"]);
    }
    EXPECT_GT(std::log2(error[0] / error[1]), 1.8) << formulation << " " << error[0];
  }
}

/// 0.1 l of stiff fluid in each chamber and in the line, at 0.005 and 0.01 s.
TEST(Hydraulics, StiffFluidNeedsFewIterations) {
  for (const double step : {0.005, 0.01}) {
    Press press(11, false, 2e3);
    press.jack.area_a = Number(3e-4), press.jack.area_b = Number(2e-4), press.jack.dead_volume_a = Number(1e-5);
    press.pump(5e-5, 2e7, 1e7, 1e-4);
    ValveSpec valve = press.valve(follow("0.5*sin(3*t)"));
    valve.rated_flow = 5e-5;
    press.b.add(valve);
    press.jack.start_a = Number((2e3 + 2e6 * 2e-4) / 3e-4), press.jack.start_b = Number(2e6);
    const Mechanism m = press.build();
    // Not on cartesian: there the iteration over kinks takes 11 a step, and may not converge at 0.01 s.
    for (const std::string formulation : {"hybrid", "global", "topological"}) {
      const FinishedRun run = finish(m, options_of(formulation, step, 2));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation << run.summary.reason;
      EXPECT_LE(run.summary.iterations, 4 * run.summary.steps) << formulation << " " << step;
      EXPECT_EQ(run.summary.allocations, 0) << formulation;
    }
  }
}

/// The mirror image of a part with a cylinder and its valve does what the part does, on a pump outside.
TEST(Hydraulics, GoWithAPart) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cardan_hydraulic_part";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "arm.yaml") << R"(
cardan: 1
name: arm
connections: {source: load, frame: body}
bodies: {arm: {rod: [[0, 1, 0], [1, 1.2, 0]], mass: 20, radius: 0.05}}
joints: {pin: {revolute: [frame, arm], at: [0, 1, 0], axis: [0.1, 0, 1]}}
inputs: {lever: 0.5}
loads:
  jack: {cylinder: [frame, arm], at: [[0.3, 0.2, 0.1], [0.7, 1.14, 0]], bore: 0.05, rod: 0.03, retracted: 0.8, stroke: 0.5,
         viscous: 5e3}
  valve: {valve: jack, supply: source, command: lever - 0.2*pin.v, rated_flow: 1e-4}
)";
  std::ofstream(folder / "whole.yaml") << R"(
cardan: 1
name: two arms
gravity: [0, 0, 0]
bodies: {base: {box: [1, 1, 1], at: [0, 0, 0], mass: 1e3}}
joints: {hold: {fixed: [ground, base]}}
loads: {pump: {pump: 2e-4, volume: 1e-3, relief: 1e7, start: 5e6}}
subsystems:
  left: {file: arm.yaml, connect: {source: pump, frame: base}}
  right: {file: arm.yaml, connect: {source: pump, frame: base}, mirror: y}
)";
  const Mechanism m = read_mechanism((folder / "whole.yaml").string());
  std::filesystem::remove_all(folder);
  ASSERT_EQ(m.states.size(), 7u);
  const FinishedRun run = finish(m, options_of("hybrid", 0.002, 0.5));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_GT(std::abs(run.last["left/jack.length"] - std::hypot(0.4, 0.94, 0.1)), 0.02);
  for (const std::string column : {"jack.length", "jack.pa", "jack.pb", "valve.spool", "jack.qa"}) {
    const double left = run.last["left/" + column], right = run.last["right/" + column];
    EXPECT_NEAR(left, right, 1e-8 * std::abs(left)) << column;
  }
  EXPECT_NEAR(run.last["pump.drawn"], run.last["left/jack.qa"] + run.last["right/jack.qa"], 1e-6);
}

void expect_refused(const std::string& loads, const std::string& message) {
  const std::string model = R"(
cardan: 1
planar: true
bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}}
joints: {pin: {revolute: [ground, a], at: [0, 0]}}
loads:
)" + loads;
  try {
    read_mechanism_text(model, "m.yaml");
    ADD_FAILURE() << "not refused: " << message;
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1u) << error.what();
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(Hydraulics, BadDataIsRefusedByName) {
  const std::string jack = "  jack: {cylinder: [ground, a], at: [[1, 1], [1, 0]], bore: 0.1, rod: 0.05, ";
  const std::string whole = jack + "retracted: 0.8, stroke: 0.4}\n", pump = "  pump: {pump: 1e-3, volume: 1e-3}\n";
  expect_refused(jack + "retracted: 1.1, stroke: 0.4}\n",
                 "load 'jack': its points are drawn 1 m apart, but it reaches from 1.1 to 1.5 m");
  expect_refused(jack + "retracted: 0.8, stroke: 0.4, areas: 1e-3}\n", "load 'jack': its areas are not told");
  expect_refused(
      "  jack: {cylinder: [ground, a], at: [[1, 1], [1, 0]], bore: 0.1, rod: 0.2, retracted: 0.8, stroke: 1}\n",
      "load 'jack': the rod, 0.2 m, is no thinner than the bore, 0.1 m");
  expect_refused(whole + pump + "  v: {valve: jak, supply: pump, command: 1, rated_flow: 1e-3}\n",
                 "load 'v': no cylinder or hydraulic_motor is called 'jak'; did you mean 'jack'?");
  expect_refused(whole + pump + "  v: {valve: jack, supply: jack, command: 1, rated_flow: 1e-3}\n",
                 "load 'v': 'jack' is a cylinder, no pump");
  expect_refused(whole + pump + "  v: {valve: jack, supply: pump, command: 1, rated_flow: 0}\n",
                 "load 'v': the rated flow is 0");
  expect_refused(whole + pump + "  v: {valve: jack, supply: pump, command: 1, rated_flow: 1e-3, overlap: 1}\n",
                 "load 'v': the overlap is 1");
  expect_refused("  pump: {pump: 1e-3, volume: 1e-3, efficiency: 1.2}\n", "load 'pump': the efficiency is 1.2");
  expect_refused(pump + "  g: {accumulator: pump, volume: 1e-3, precharge: 2e6, start: 1e6, rated_flow: 1e-3}\n",
                 "load 'g': it starts at 1000000 Pa, below its precharge");
  // What is wrong with a cylinder is not said again of its valve.
  expect_refused(jack + "retracted: 1.1, stroke: 0.4}\n" + pump +
                     "  v: {valve: jack, supply: pump, command: 1, rated_flow: 1e-3}\n",
                 "load 'jack': its points are drawn 1 m apart");
}

}  // namespace
}  // namespace cardan
