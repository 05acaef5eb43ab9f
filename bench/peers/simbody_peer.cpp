#include <Simbody.h>

#include <algorithm>
#include <cmath>

#include "peer.hpp"
#include "vehicle.hpp"

namespace peers {
namespace {

using namespace SimTK;

Body::Rigid thin(const Vec3& center, const Inertia& about_origin) {
  return Body::Rigid(MassProperties(1, center, about_origin));
}

/// A pin turns about z of its frames.
Rotation turned(int axis) { return Rotation(UnitVec3(axis == 0, axis == 1, axis == 2), ZAxis); }

Vec3 vector(const Triple& v) { return Vec3(v[0], v[1], v[2]); }

struct SimbodyCorner {
  MobilizedBody arm, leaf, wheel;
};

/// Tyres, leaf springs and shock absorbers.
class VehicleForces final : public Force::Custom::Implementation {
 public:
  VehicleForces(const MobilizedBody& chassis, const std::vector<SimbodyCorner>& corners)
      : chassis_(chassis), corners_(corners) {}

  void calcForce(const State& state, Vector_<SpatialVec>& bodies, Vector_<Vec3>&, Vector&) const override {
    using namespace vehicle;
    const Vec3 down = -(chassis_.getBodyRotation(state) * Vec3(0, 0, 1));
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const Corner& c = kCorners[i];
      const SimbodyCorner& corner = corners_[i];
      const Vec3 center = corner.wheel.findStationLocationInGround(state, vector(c.wheel()) - vector(c.arm_out()));
      const auto [fx, fz] = tyre_force(center[0] + kSpeed * state.getTime(), center[2], c.radius);
      push(state, corner.wheel, center, Vec3(fx, 0, fz), bodies);
      const Vec3 seat = of_chassis(state, c.leaf_top());
      const Vec3 foot = corner.leaf.findStationLocationInGround(state, vector(c.leaf_out()) - vector(c.leaf_in()));
      pull(state, corner.leaf, foot, down, leaf_force(dot(foot - seat, down)), bodies);
      const Vec3 upper = of_chassis(state, c.shock_top()), foot_on_arm = vector(c.shock_foot()) - vector(c.arm_in());
      const Vec3 lower = corner.arm.findStationLocationInGround(state, foot_on_arm);
      const Vec3 along = (lower - upper).normalize();
      const Vec3 velocity = corner.arm.findStationVelocityInGround(state, foot_on_arm) -
                            chassis_.findStationVelocityInGround(state, vector(c.shock_top()) - vector(kChassisCenter));
      pull(state, corner.arm, lower, along, shock_force((lower - upper).norm(), dot(velocity, along)), bodies);
    }
  }
  Real calcPotentialEnergy(const State&) const override { return 0; }

 private:
  Vec3 of_chassis(const State& state, const Triple& point) const {
    return chassis_.findStationLocationInGround(state, vector(point) - vector(vehicle::kChassisCenter));
  }
  static void push(const State& state, const MobilizedBody& body, const Vec3& at, const Vec3& force,
                   Vector_<SpatialVec>& bodies) {
    bodies[body.getMobilizedBodyIndex()] += SpatialVec(cross(at - body.getBodyOriginLocation(state), force), force);
  }
  /// A tension from the chassis to the body, whose line goes through `at`.
  void pull(const State& state, const MobilizedBody& body, const Vec3& at, const Vec3& along, double tension,
            Vector_<SpatialVec>& bodies) const {
    push(state, chassis_, at, tension * along, bodies);
    push(state, body, at, -tension * along, bodies);
  }

  const MobilizedBody chassis_;
  const std::vector<SimbodyCorner> corners_;
};

/// A mechanism with the state that it starts from.
struct World {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  std::vector<MobilizedBody::Pin> rods, couplers;
  MobilizedBody chassis;
  State state;

  World(Problem problem, int size) {
    const Vec3 down =
        problem == Problem::chain || problem == Problem::vehicle ? Vec3(0, 0, -kGravity) : Vec3(0, -kGravity, 0);
    Force::Gravity gravity(forces, matter, down);
    if (problem == Problem::windows) add_windows(size);
    if (problem == Problem::bricard) add_bricard();
    if (problem == Problem::chain) add_chain(size);
    if (problem == Problem::vehicle) add_vehicle();
    state = system.realizeTopology();
    system.realizeModel(state);
    for (int i = 0; problem == Problem::chain && i < size; ++i)
      state.updQ()[i] = hinge_angle(i), state.updU()[i] = hinge_rate(i);
    if (problem != Problem::windows) return;
    for (auto& rod : rods) rod.setRate(state, -1);
    for (auto& coupler : couplers) coupler.setRate(state, 1);
  }

  void add_windows(int count) {
    const Body::Rigid upright = thin(Vec3(0, 0.5, 0), Inertia(1. / 3, 0, 1. / 3));
    const Body::Rigid level = thin(Vec3(0.5, 0, 0), Inertia(0, 1. / 3, 1. / 3));
    for (int i = 0; i <= count; ++i)
      rods.emplace_back(matter.Ground(), Transform(Vec3(i, 0, 0)), upright, Transform(Vec3(0)));
    for (int i = 0; i < count; ++i) {
      couplers.emplace_back(rods[static_cast<std::size_t>(i)], Transform(Vec3(0, 1, 0)), level, Transform(Vec3(0)));
      // Its end lies on the pin of the next rod's top: two equations, none redundant.
      Constraint::PointOnLine(rods[static_cast<std::size_t>(i) + 1], UnitVec3(0, 0, 1), Vec3(0, 1, 0), couplers.back(),
                              Vec3(1, 0, 0));
    }
  }
  /// The last rod's end is a point of the ground, and its hinge's axis, x, is at right angles to y there: four
  /// equations for the one freedom that is left, since the fifth depends on them.
  void add_bricard() {
    MobilizedBody parent = matter.Ground();
    Vec3 before(0);
    for (int i = 0; i < kRods; ++i) {
      const Vec3 from(kCubeCorner[i][0], kCubeCorner[i][1], kCubeCorner[i][2]);
      const Vec3 along = Vec3(kCubeCorner[i + 1][0], kCubeCorner[i + 1][1], kCubeCorner[i + 1][2]) - from;
      const Inertia about(along[0] != 0 ? 0 : 1. / 3, along[1] != 0 ? 0 : 1. / 3, along[2] != 0 ? 0 : 1. / 3);
      rods.emplace_back(parent, Transform(turned(bricard_axis(i)), from - before), thin(along / 2, about),
                        Transform(turned(bricard_axis(i)), Vec3(0)));
      parent = rods.back();
      before = from;
    }
    Constraint::Ball(matter.Ground(), Vec3(0, 0, 1), parent, Vec3(0, 1, 0));
    Constraint::ConstantAngle(matter.Ground(), UnitVec3(0, 0, 1), parent, UnitVec3(1, 0, 0));
  }
  /// Chassis, held along x; at each corner an arm that carries the wheel, a leaf that is tied to it, and a tie rod.
  void add_vehicle() {
    using namespace vehicle;
    const Vec3 center = vector(kChassisCenter);
    const auto inertia = [](const Triple& v) { return Inertia(v[0], v[1], v[2]); };
    chassis = MobilizedBody::Free(matter.Ground(), Transform(center),
                                  Body::Rigid(MassProperties(kChassisMass, Vec3(0), inertia(kChassisInertia))),
                                  Transform(Vec3(0)));
    Constraint::PointInPlane(matter.Ground(), UnitVec3(1, 0, 0), 0, chassis, Vec3(0));
    std::vector<SimbodyCorner> corners;
    for (const Corner& c : kCorners) {
      const Vec3 arm_in = vector(c.arm_in()), leaf_in = vector(c.leaf_in()), arm_out = vector(c.arm_out());
      const Vec3 arm = arm_out - arm_in, leaf = vector(c.leaf_out()) - leaf_in, wheel = vector(c.wheel()) - arm_out;
      const Vec3 arm_center = vector(c.arm_center()) - arm_in;
      const Rotation along_arm(std::atan2(arm[2], arm[1]), XAxis);
      const Inertia of_arm = inertia(kArmInertia).reexpress(~along_arm).shiftFromMassCenter(arm_center, kArmMass);
      const Inertia of_leaf = Inertia::pointMassAt(leaf, kLeafMass / 3);
      const auto hinge = [&](const Vec3& at, const Body::Rigid& body) {
        return MobilizedBody::Pin(chassis, Transform(turned(0), at - center), body, Transform(turned(0), Vec3(0)));
      };
      SimbodyCorner corner;
      corner.arm = hinge(arm_in, Body::Rigid(MassProperties(kArmMass, arm_center, of_arm)));
      corner.leaf = hinge(leaf_in, Body::Rigid(MassProperties(kLeafMass, leaf / 2, of_leaf)));
      corner.wheel = MobilizedBody::Ball(
          corner.arm, Transform(arm),
          Body::Rigid(MassProperties(kWheelMass, wheel, inertia(kWheelInertia).shiftFromMassCenter(wheel, kWheelMass))),
          Transform(Vec3(0)));
      Constraint::Ball(corner.leaf, leaf, corner.wheel, vector(c.leaf_out()) - arm_out);
      const Vec3 tie_in = vector(c.tie_in()), tie_out = vector(c.tie_out());
      Constraint::Rod(chassis, tie_in - center, corner.wheel, tie_out - arm_out, (tie_out - tie_in).norm());
      corners.push_back(corner);
    }
    Force::Custom(forces, new VehicleForces(chassis, corners));
  }
  void add_chain(int links) {
    const Vec3 center(kLinkLength / 2, 0, 0);
    const Body::Rigid link(MassProperties(
        1, center, Inertia(kChainInertia[0], kChainInertia[1], kChainInertia[2]).shiftFromMassCenter(center, 1)));
    MobilizedBody parent = matter.Ground();
    for (int i = 0; i < links; ++i)
      parent = MobilizedBody::Pin(parent, Transform(turned(hinge_axis(i)), Vec3(i == 0 ? 0 : kLinkLength, 0, 0)), link,
                                  Transform(turned(hinge_axis(i)), Vec3(0)));
  }
};

std::unique_ptr<Integrator> integrator_named(const std::string& name, const System& system) {
  if (name == "RungeKutta3") return std::make_unique<RungeKutta3Integrator>(system);
  if (name == "RungeKuttaFeldberg") return std::make_unique<RungeKuttaFeldbergIntegrator>(system);
  if (name == "Verlet") return std::make_unique<VerletIntegrator>(system);
  return std::make_unique<RungeKuttaMersonIntegrator>(system);
}

class Simbody final : public Peer {
 public:
  std::string name() const override { return "Simbody 3.7"; }
  std::vector<std::vector<Setting>> settings(Problem) const override {
    std::vector<std::vector<Setting>> families;
    for (const char* rule : {"RungeKuttaMerson", "RungeKuttaFeldberg", "RungeKutta3", "Verlet"}) {
      families.emplace_back();
      for (double accuracy : {1e-1, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8})
        families.back().push_back({rule, 0, accuracy});
    }
    return families;
  }
  ProblemRun run(Problem problem, int size, const Setting& setting) override {
    World world(problem, size);
    const auto integrator = integrator_named(setting.name, world.system);
    integrator->setAccuracy(setting.accuracy);
    integrator->setProjectEveryStep(true);
    integrator->setReturnEveryInternalStep(true);
    ProblemRun run;
    vehicle::HeightError height;
    const double end = duration(problem);
    try {
      integrator->initialize(world.state);
      world.system.realize(integrator->getState(), Stage::Dynamics);
      const double start = world.system.calcEnergy(integrator->getState());
      while (integrator->getTime() < end) {
        const double begin = processor_seconds();
        const auto status = integrator->stepTo(end);
        run.seconds += processor_seconds() - begin;
        const State& now = integrator->getState();
        world.system.realize(now, Stage::Dynamics);
        if (problem == Problem::vehicle) {
          height.see(now.getTime(), world.chassis.getBodyOriginLocation(now)[2]);
          run.error = height.value();
        } else {
          run.error = std::max(run.error, std::abs(world.system.calcEnergy(now) - start));
        }
        run.violation = std::max(run.violation, now.getQErr().size() > 0 ? max(abs(now.getQErr())) : 0.);
        if (status == Integrator::EndOfSimulation || run.seconds > kMostSeconds) break;
        if (!std::isfinite(run.error)) return run;
      }
    } catch (const std::exception&) {
      return run;  // "could not be integrated": lost
    }
    run.is_right = integrator->getTime() >= end;
    const State& last = integrator->getState();
    for (const auto& rod : world.rods)
      run.is_right =
          run.is_right && (problem != Problem::windows ||
                           std::abs(std::remainder(rod.getAngle(last) - world.rods[0].getAngle(last), 2 * Pi)) < 0.05);
    return run;
  }
  double chain(int links) override {
    World world(Problem::chain, links);
    return least_time([&] {
      world.state.updQ()[0] += 1e-9;
      world.system.realize(world.state, Stage::Acceleration);
    });
  }
};

}  // namespace

std::unique_ptr<Peer> make_simbody() { return std::make_unique<Simbody>(); }

}  // namespace peers
