// Carts on four slip tyres: they roll, drive, brake, park and turn as the textbook says, wherever the ground is and in
// every formulation.
#include "cardan/specs/slip_tyre.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "cardan/cardan.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan::cart_on_tyres {
namespace {

constexpr double kG = 9.81, kRadius = 0.35, kMass = 1000, kWheel = 30, kSpin = 1.8, kStiffness = 4e5;
constexpr double kTotal = kMass + 4 * kWheel;
constexpr double kLoaded = kRadius - kTotal * kG / 4 / kStiffness;

struct Cart {
  double slope = 0;  // uphill ahead
  double speed = 0;
  bool rolls = true;  // at the start
  double friction = 0.8;
  double trail = 0;
  double resistance = 0;
  double steer = 0;  // of the front wheels, as they are drawn
  std::optional<Varying> drive, brake;
  unsigned seed = 1;
  std::optional<HeightMap> grid = {};  // in place of the plane, which then passes the origin, but little tilted
  bool tilted = false;                 // on a plane like that
};

/// z up to 9 degrees off.
Mat3 tilted_axes(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const Vec3 up = Vec3(0.15 * number(random), 0.15 * number(random), 1).normalized();
  return Quat::FromTwoVectors(Vec3::UnitZ(), up).toRotationMatrix() *
         Eigen::AngleAxisd(3 * number(random), Vec3::UnitZ()).toRotationMatrix();
}
/// Of the plane with those axes.
HeightMap sampled_plane(unsigned seed) {
  const Vec3 n = tilted_axes(seed).col(2);
  HeightMap map{.x0 = -20, .y0 = -20, .dx = 0.31, .dy = 0.23, .columns = 131, .rows = 175, .height = {}};
  for (int j = 0; j < map.rows; ++j)
    for (int i = 0; i < map.columns; ++i)
      map.height.push_back(-(n.x() * (map.x0 + i * map.dx) + n.y() * (map.y0 + j * map.dy)) / n.z());
  return map;
}

const char* const kWheels[] = {"front_left", "front_right", "rear_left", "rear_right"};

/// x ahead, y to the left, z up from the ground, all turned and moved.
Mechanism build(const Cart& cart) {
  const RandomPlace place(cart.seed, false);
  const bool moved = !cart.grid && !cart.tilted;
  const Mat3 tilt = tilted_axes(cart.seed);
  const auto along = [&](double x, double y, double z) -> Vec3 {
    return moved ? place.along(x, y, z) : Vec3(tilt * Vec3(x, y, z));
  };
  const auto at = [&](double x, double y, double z) -> Vec3 {
    return (moved ? place.at(0, 0, 0) : Vec3(Vec3::Zero())) + along(x, y, z);
  };
  Mat3 axes;
  axes << along(1, 0, 0), along(0, 1, 0), along(0, 0, 1);
  const auto inertia = [&](double x, double y, double z) -> Mat3 {
    return axes * Vec3(x, y, z).asDiagonal() * axes.transpose();
  };
  const double load = std::cos(cart.slope) * kTotal * kG / 4, height = kRadius - load / kStiffness;
  MechanismBuilder b("cart");
  b.gravity(-kG * along(std::sin(cart.slope), 0, std::cos(cart.slope)));
  if (cart.grid) {
    RoadSpec road;
    road.name = "field", road.grid = Located<HeightMap>(*cart.grid);
    b.add(road);
  }
  b.body("chassis", kMass, at(0, 0, 0.5), inertia(200, 800, 900));
  b.free("ride", "ground", "chassis");
  b.velocity("chassis", cart.speed * along(1, 0, 0)).angular_velocity("chassis", Vec3::Zero());
  for (int i = 0; i < 4; ++i) {
    const std::string name = kWheels[i];
    const double x = i < 2 ? 1.2 : -1.2, y = i % 2 == 0 ? 0.7 : -0.7, turn = i < 2 ? cart.steer : 0;
    const Vec3 axle = along(-std::sin(turn), std::cos(turn), 0);
    const Vec3 hub = at(x, y, height);
    b.body(name, kWheel, hub, inertia(1, 1, 1) + (kSpin - 1) * axle * axle.transpose());
    b.revolute(name + "_bearing", "chassis", name, hub, Direction(axle));
    b.joint_velocity(name + "_bearing", cart.rolls ? cart.speed / height : 0);
    SlipTyreSpec tyre{.name = Name(name + "_tyre"), .body = Name(name)};
    if (cart.grid) {
      tyre.road = "field";
    } else {
      tyre.plane = GroundPlaneSpec{Place(at(0, 0, 0)), Direction(along(0, 0, 1))};
    }
    tyre.axis = Direction(axle);
    tyre.radius = kRadius, tyre.width = 0.2, tyre.stiffness = kStiffness, tyre.damping = 3000.0;
    tyre.linear = LinearTyreSpec{60000.0, 40000.0, cart.friction, cart.trail};
    tyre.rolling_resistance = cart.resistance;
    b.add(tyre);
    if (cart.drive) b.actuator(name + "_motor", name + "_bearing", *cart.drive);
    if (!cart.brake) continue;
    BrakeSpec brake{.name = Name(name + "_brake"), .joint = Name(name + "_bearing")};
    brake.torque = *cart.brake, brake.stiffness = 2e5;
    b.add(brake);
  }
  return b.build();
}

struct Combination {
  std::string formulation, integrator;
};
std::vector<Combination> combinations(const std::vector<const char*>& integrators) {
  std::vector<Combination> list;
  for (const RegistryEntry& formulation : formulations())
    for (const char* integrator : integrators)
      if (why_not(formulation.name, integrator).empty()) list.push_back({std::string(formulation.name), integrator});
  return list;
}

Vec3 place_of(const LastSample& last) { return last.vector("chassis.x", "chassis.y", "chassis.z"); }
Vec3 velocity_of(const LastSample& last) { return last.vector("chassis.vx", "chassis.vy", "chassis.vz"); }

TEST(SlipTyre, KeepsItsSpeedWhereItRollsFreely) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations({"trapezoidal", "generalized-alpha", "sdirk3", "rk4"})) {
    SCOPED_TRACE(formulation + " " + integrator);
    const Mechanism cart = build({.speed = 15, .seed = 3 + static_cast<unsigned>(runs)});
    const FinishedRun run = finish(cart, options_of(formulation, 1e-3, 1, integrator));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    // What is left is the error of the rules over wheels that turn at 43 rad/s.
    EXPECT_NEAR(velocity_of(run.last).norm(), 15, 5e-4);
    EXPECT_NEAR((place_of(run.last) - cart.bodies[0].center).norm(), 15, 5e-4);
    EXPECT_NEAR(run.last["rear_left_tyre.load"], kTotal * kG / 4, 1e-2);
    EXPECT_NEAR(run.last["rear_left_tyre.slip"], 0, 1e-5);
    EXPECT_LE(run.summary.allocations, 0);
    ++runs;
  }
  EXPECT_GE(runs, 14);
}

/// Driven round a curve, over some thirty cells.
TEST(SlipTyre, RollsOnAGridThatSamplesAPlaneAsOnThePlane) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations({"trapezoidal", "sdirk3", "rk4"})) {
    SCOPED_TRACE(formulation + " " + integrator);
    const unsigned seed = 90 + static_cast<unsigned>(runs);
    const Cart on_plane{.speed = 6, .steer = 0.08, .drive = Varying(60.0), .seed = seed, .tilted = true};
    Cart on_grid = on_plane;
    on_grid.grid = sampled_plane(seed);
    const Mechanism one = build(on_plane), two = build(on_grid);
    const RunOptions options = options_of(formulation, 2e-3, 1, integrator);
    const FinishedRun plane = finish(one, options), grid = finish(two, options);
    ASSERT_EQ(grid.summary.status, RunStatus::ok) << grid.summary.reason;
    EXPECT_GT((place_of(grid.last) - two.bodies[0].center).norm(), 5);
    EXPECT_LT(LastSample::difference(plane.last, grid.last, two), 1e-6);
    EXPECT_LE(grid.summary.allocations, 0);
    ++runs;
  }
  EXPECT_GE(runs, 12);
}

/// Wheels that do not turn: after v^2/(2 mu g) it stands, and stays.
TEST(SlipTyre, StopsWithLockedWheelsWhereFrictionSays) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations({"trapezoidal", "sdirk3"})) {
    SCOPED_TRACE(formulation + " " + integrator);
    const double v = 10, mu = 0.8, expected = v * v / (2 * mu * kG);
    const Mechanism cart =
        build({.speed = v, .rolls = false, .brake = Varying(1e5), .seed = 31 + static_cast<unsigned>(runs)});
    const FinishedRun run = finish(cart, options_of(formulation, 1e-3, 3, integrator));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    EXPECT_NEAR((place_of(run.last) - cart.bodies[0].center).norm(), expected, 0.01 * expected);
    EXPECT_LT(velocity_of(run.last).norm(), 1e-3);
    // All that it had is gone into heat.
    EXPECT_LT(std::abs(run.summary.energy_max_error), 2e-3 * 0.5 * kTotal * v * v);
    ++runs;
  }
  EXPECT_GE(runs, 7);
}

TEST(SlipTyre, DrivesByTheTorqueOfItsWheels) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations({"trapezoidal", "hht", "rk4"})) {
    SCOPED_TRACE(formulation + " " + integrator);
    const double torque = 200;
    const Mechanism cart = build({.drive = Varying(torque), .seed = 51 + static_cast<unsigned>(runs)});
    const FinishedRun run = finish(cart, options_of(formulation, 1e-3, 2, integrator));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    // sum of torques = R (m + J/R^2) a, a little less for the slip that grows with the speed
    const double a = 4 * torque / kLoaded / (kTotal + 4 * kSpin / (kLoaded * kLoaded));
    EXPECT_NEAR(velocity_of(run.last).norm(), 2 * a, 0.01 * 2 * a);
    EXPECT_NEAR(run.last["rear_left_tyre.longitudinal"] + run.last["front_left_tyre.longitudinal"], kTotal * a / 2,
                0.01 * kTotal * a);
    EXPECT_GT(run.last["rear_left_tyre.load"], run.last["front_left_tyre.load"]);
    ++runs;
  }
  EXPECT_GE(runs, 10);
}

/// Braked on a slope of half the friction angle it comes to rest and does not creep.
TEST(SlipTyre, StaysWhereItIsParked) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations({"trapezoidal", "generalized-alpha", "sdirk3"})) {
    SCOPED_TRACE(formulation + " " + integrator);
    const double slope = 0.5 * std::atan(0.8), h = formulation == "recursive" ? 1e-3 : 1e-2;
    const Mechanism cart = build({.slope = slope, .brake = Varying(5000), .seed = 71 + static_cast<unsigned>(runs)});
    Simulation simulation(cart, options_of(formulation, h, 20, integrator));
    const auto advance = [&](double until) {
      while (simulation.time() < until - 1e-9) ASSERT_EQ(simulation.step(), StepStatus::ok);
    };
    advance(4);
    const Vec3 early = simulation.body(0).position;
    EXPECT_LT((early - cart.bodies[0].center).norm(), 0.05);
    advance(14);
    EXPECT_LT((simulation.body(0).position - early).norm(), 1e-6);
    EXPECT_LT(simulation.body(0).velocity.norm(), 1e-7);
    ++runs;
  }
  EXPECT_GE(runs, 11);
}

/// Above the friction angle it slides, with the acceleration of a block.
TEST(SlipTyre, SlidesOnASlopeThatIsTooSteep) {
  const double slope = 1.2 * std::atan(0.8);
  const Mechanism cart = build({.slope = slope, .brake = Varying(2e4), .seed = 91});
  for (const char* formulation : {"hybrid", "global"}) {
    const FinishedRun begun = finish(cart, options_of(formulation, 1e-3, 1));  // by then its treads are bent
    const FinishedRun run = finish(cart, options_of(formulation, 1e-3, 2));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const double a = kG * (std::sin(slope) - 0.8 * std::cos(slope));
    EXPECT_NEAR(velocity_of(run.last).norm() - velocity_of(begun.last).norm(), a, 0.01 * a);
  }
}

TEST(SlipTyre, LosesSpeedToRollingResistance) {
  const double f = 0.02;
  const Mechanism cart = build({.speed = 20, .resistance = f, .seed = 95});
  for (const char* formulation : {"hybrid", "global", "cartesian", "topological"}) {
    const FinishedRun run = finish(cart, options_of(formulation, 2e-3, 3));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const double effective = kTotal + 4 * kSpin / (kLoaded * kLoaded);
    const double lost = 3 * f * kTotal * kG * kRadius / kLoaded / effective;
    EXPECT_NEAR(20 - velocity_of(run.last).norm(), lost, 0.01 * lost);
  }
}

/// Steered wheels take it around a circle of their radius at small speed.
TEST(SlipTyre, GoesAroundTheCircleThatItsWheelsAreSteeredTo) {
  const double steer = 0.05, v = 1.5;
  const Mechanism cart = build({.speed = v, .steer = steer, .seed = 97});
  for (const char* formulation : {"hybrid", "global"}) {
    const FinishedRun run = finish(cart, options_of(formulation, 2e-3, 4));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const double yaw = run.last.vector("chassis.wx", "chassis.wy", "chassis.wz").norm();
    EXPECT_NEAR(yaw, velocity_of(run.last).norm() * std::tan(steer) / 2.4, 0.01 * yaw);
  }
}

TEST(SlipTyre, IsRestoredBitForBit) {
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations({"trapezoidal", "sdirk3", "rk4"})) {
    SCOPED_TRACE(formulation + " " + integrator);
    const Mechanism cart = build({.speed = 5, .steer = 0.1, .drive = Varying(300), .seed = 101});
    Simulation one(cart, options_of(formulation, 1e-3, 1, integrator)),
        two(cart, options_of(formulation, 1e-3, 1, integrator));
    for (int i = 0; i < 100; ++i) ASSERT_EQ(one.step(), StepStatus::ok);
    two.restore(one.state());
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(one.step(), StepStatus::ok);
      ASSERT_EQ(two.step(), StepStatus::ok);
    }
    EXPECT_TRUE(one.body(0).position == two.body(0).position);
    EXPECT_TRUE(one.state().memory == two.state().memory);
    ++runs;
  }
  EXPECT_GE(runs, 10);
}

/// The same turn, taken at speed, in every formulation; halved steps come four times nearer.
TEST(SlipTyre, MovesTheSameInEveryFormulationToSecondOrder) {
  const Mechanism cart = build({.speed = 8, .trail = 0.03, .steer = 0.08, .drive = Varying(300), .seed = 103});
  const LastSample exact = finish(cart, options_of("hybrid", 1.25e-4, 1)).last;
  int runs = 0;
  for (const auto& [formulation, integrator] : combinations({"trapezoidal", "hht", "sdirk3"})) {
    SCOPED_TRACE(formulation + " " + integrator);
    const auto error = [&](double h) {
      const FinishedRun run = finish(cart, options_of(formulation, h, 1, integrator));
      EXPECT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      return (place_of(run.last) - place_of(exact)).norm();
    };
    const double coarse = error(4e-3), fine = error(2e-3);
    EXPECT_LT(fine, 5e-4);
    EXPECT_LT(fine, 0.35 * coarse + 1e-6);
    ++runs;
  }
  EXPECT_GE(runs, 10);
}

/// Turned over from upright through its shoulder onto its side: force, load and place of the contact change evenly.
TEST(SlipTyre, StandsOnItsShoulderWhenTilted) {
  const double radius = 0.35, width = 0.2;
  const auto wheel = [&](double camber, double height) {
    MechanismBuilder b("tilted");
    b.body("wheel", 20, Place(0, 0, height), Mat3(Mat3::Identity())).free("ride", "ground", "wheel");
    SlipTyreSpec tyre{.name = Name("tyre"), .body = Name("wheel"), .plane = GroundPlaneSpec{}};
    tyre.axis = Direction(Vec3(0, std::cos(camber), std::sin(camber)));
    tyre.radius = radius, tyre.width = width, tyre.stiffness = 1e5;
    tyre.linear = LinearTyreSpec{4e4, 3e4, 0.9, 0.0};
    b.add(tyre);
    const Mechanism mechanism = b.build();
    Simulation simulation(mechanism, options_of("hybrid", 1e-3, 1));
    LastSample sample;
    sample.start(simulation.columns());
    std::vector<double> row(simulation.columns().size());
    simulation.sample(row.data());
    sample.sample(row.data(), row.size());
    return sample;
  };
  double before = 0;
  for (int i = 0; i <= 1100; ++i) {  // to 110 degrees
    const double camber = i * std::numbers::pi / 1800;
    // So high that a disc with sharp edges would just touch; rounded ones are shorter.
    const double height = 0.95 * (radius * std::abs(std::cos(camber)) + 0.5 * width * std::sin(camber)) - 0.02;
    const LastSample at = wheel(camber, std::max(height, 0.05));
    const double load = at["tyre.load"];
    EXPECT_GT(load, 0) << camber;
    EXPECT_NEAR(at["tyre.fz"], load, 1e-9 * load);
    if (i > 0) EXPECT_LT(std::abs(load - before), 250) << camber;
    before = load;
    // The force goes through the contact: on the side that is down, a shoulder away from the plane of the wheel.
    const double beside = at["tyre.mx"] / at["tyre.fz"];
    if (i == 0) EXPECT_NEAR(beside, 0, 1e-12);
    if (i == 450) EXPECT_NEAR(beside, (radius - 0.5 * width) / std::sqrt(2.0), 0.03);
  }
}

/// A road that drops away takes its wheels along.
TEST(SlipTyre, FallsWithItsRoad) {
  for (const bool planar : {false, true}) {
    MechanismBuilder b("kerb");
    if (planar) b.planar();
    const auto at = [&](double up) { return planar ? Place(0, up) : Place(0, 0, up); };
    if (planar) {
      b.body("wheel", 20, at(0.349), 1.0);
    } else {
      b.body("wheel", 20, at(0.349), Mat3(Mat3::Identity()));
    }
    b.prismatic("guide", "ground", "wheel", at(0.349), planar ? Direction(0, 1) : Direction("z"));
    RoadSpec road{.name = Name("street")};
    road.profile = std::vector<Vec2>{{-1, 0}, {1, 0}};
    b.add(road);
    SlipTyreSpec tyre{.name = Name("tyre"), .body = Name("wheel"), .road = Name("street")};
    tyre.radius = 0.35, tyre.width = 0.2, tyre.stiffness = 1e5, tyre.damping = 2000.0;
    tyre.linear = LinearTyreSpec{4e4, 3e4, 0.9, 0.0};
    b.add(tyre).drop("kerb", 0.5, "street", 0.1);
    const Mechanism mechanism = b.build();
    for (const char* formulation : {"hybrid", "global", "cartesian"}) {
      const FinishedRun run = finish(mechanism, options_of(formulation, 1e-3, 2));
      ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
      EXPECT_NEAR(run.last[planar ? "wheel.y" : "wheel.z"], 0.25 - 20 * kG / 1e5, 1e-4) << formulation;
    }
  }
}

/// In the plane as in space: the wheel of a cart that cannot leave the plane.
TEST(SlipTyre, DrivesInThePlane) {
  MechanismBuilder b("unicycle");
  b.planar().body("cart", 200, Place(0, 0.8), 20.0).body("wheel", 20, Place(0, 0.34), 1.2);
  b.prismatic("rail", "ground", "cart", Place(0, 0.8), Direction(1, 0));
  b.prismatic("fork", "cart", "hub", Place(0, 0.34), Direction(0, 1)).body("hub", 5, Place(0, 0.34), 0.1);
  b.revolute("axle", "hub", "wheel", Place(0, 0.34));
  b.spring("strut", "cart", "hub", Place(0, 0.8), Place(0, 0.34), 3e4, 2e3);
  SlipTyreSpec tyre{.name = Name("tyre"), .body = Name("wheel"), .plane = GroundPlaneSpec{}};
  tyre.radius = 0.35, tyre.width = 0.2, tyre.stiffness = 1e5, tyre.damping = 1000.0;
  tyre.linear = LinearTyreSpec{4e4, 3e4, 0.9, 0.0};
  b.add(tyre).actuator("motor", "axle", Varying(-50));  // about -z it rolls along x
  const Mechanism mechanism = b.build();
  for (const char* formulation : {"hybrid", "global", "topological", "cartesian", "recursive"}) {
    const FinishedRun run = finish(mechanism, options_of(formulation, 1e-3, 2));
    ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
    const double loaded = 0.35 - run.last["tyre.load"] / 1e5, a = 50 / loaded / (225 + 1.2 / (loaded * loaded));
    EXPECT_NEAR(run.last["cart.vx"], 2 * a, 0.02 * 2 * a) << formulation;
  }
}

TEST(SlipTyre, RefusesWhatDoesNotFitItsFile) {
  const auto complaint = [](const std::string& more) -> std::string {
    const std::string model =
        "cardan: 1\nbodies: {wheel: {cylinder: [[0, -0.1, 0.31], [0, 0.1, 0.31]], radius: 0.3, mass: 20}}\n"
        "joints: {ride: {free: [ground, wheel]}}\n"
        "loads: {tyre: {slip_tyre: wheel, plane: {}, " +
        more + "}}\n";
    try {
      read_mechanism_text(model, CARDAN_SOURCE_DIR "/models/x.yaml");
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).message;
    }
    return "";
  };
  EXPECT_EQ(complaint("magic_formula: parts/touring.tir"), "");
  EXPECT_EQ(complaint("magic_formula: parts/touring.tir, relaxation_y: 0.3"),
            "the tyre file has its relaxation lengths");
  EXPECT_TRUE(complaint("magic_formula: parts/iltis_corner.yaml").starts_with("'" CARDAN_SOURCE_DIR));
}

}  // namespace
}  // namespace cardan::cart_on_tyres
