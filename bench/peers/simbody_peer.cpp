#include <Simbody.h>

#include <algorithm>
#include <cmath>

#include "peer.hpp"

namespace peers {
namespace {

using namespace SimTK;

class Simbody final : public Peer {
 public:
  std::string name() const override { return "Simbody 3.7"; }
  std::vector<Setting> settings() const override {
    std::vector<Setting> settings;
    for (double accuracy : {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8})
      settings.push_back({"Runge-Kutta-Merson, projection every step", 0, accuracy});
    return settings;
  }
  WindowRun windows(int count, const Setting& setting) override {
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::Gravity gravity(forces, matter, Vec3(0, -kGravity, 0));
    const auto thin = [](const Vec3& center, const Inertia& about_origin) {
      return Body::Rigid(MassProperties(1, center, about_origin));
    };
    const Body::Rigid upright = thin(Vec3(0, 0.5, 0), Inertia(1. / 3, 0, 1. / 3));
    const Body::Rigid level = thin(Vec3(0.5, 0, 0), Inertia(0, 1. / 3, 1. / 3));
    std::vector<MobilizedBody::Pin> rods, couplers;
    for (int i = 0; i <= count; ++i)
      rods.emplace_back(matter.Ground(), Transform(Vec3(i, 0, 0)), upright, Transform(Vec3(0)));
    for (int i = 0; i < count; ++i) {
      couplers.emplace_back(rods[static_cast<std::size_t>(i)], Transform(Vec3(0, 1, 0)), level, Transform(Vec3(0)));
      // Its end lies on the pin of the next rod's top: two equations, none redundant.
      Constraint::PointOnLine(rods[static_cast<std::size_t>(i) + 1], UnitVec3(0, 0, 1), Vec3(0, 1, 0), couplers.back(),
                              Vec3(1, 0, 0));
    }
    State state = system.realizeTopology();
    system.realizeModel(state);
    for (auto& rod : rods) rod.setRate(state, -1);
    for (auto& coupler : couplers) coupler.setRate(state, 1);
    RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(setting.accuracy);
    integrator.setProjectEveryStep(true);
    WindowRun run;
    try {
      integrator.setReturnEveryInternalStep(true);
      integrator.initialize(state);
      system.realize(integrator.getState(), Stage::Dynamics);
      const double start = system.calcEnergy(integrator.getState());
      while (integrator.getTime() < kDuration) {
        const double begin = processor_seconds();
        const auto status = integrator.stepTo(kDuration);
        run.seconds += processor_seconds() - begin;
        const State& now = integrator.getState();
        system.realize(now, Stage::Dynamics);
        run.energy_error = std::max(run.energy_error, std::abs(system.calcEnergy(now) - start));
        run.violation = std::max(run.violation, now.getQErr().size() > 0 ? max(abs(now.getQErr())) : 0.);
        if (status == Integrator::EndOfSimulation || run.seconds > 20) break;
        if (!std::isfinite(run.energy_error)) return run;
      }
    } catch (const std::exception&) {
      return run;  // "could not be integrated": lost
    }
    run.on_branch = integrator.getTime() >= kDuration;
    const State& end = integrator.getState();
    for (const auto& rod : rods)
      run.on_branch = run.on_branch && std::abs(std::remainder(rod.getAngle(end) - rods[0].getAngle(end), 2 * Pi)) < 0.05;
    return run;
  }
  double chain(int links) override {
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::Gravity gravity(forces, matter, Vec3(0, 0, -kGravity));
    const Vec3 center(kLinkLength / 2, 0, 0);
    const Body::Rigid link(MassProperties(
        1, center, Inertia(kChainInertia[0], kChainInertia[1], kChainInertia[2]).shiftFromMassCenter(center, 1)));
    MobilizedBody parent = matter.Ground();
    for (int i = 0; i < links; ++i) {
      // A pin turns about z of its frames.
      const Rotation turned(UnitVec3(hinge_axis(i) == 0, hinge_axis(i) == 1, hinge_axis(i) == 2), ZAxis);
      parent = MobilizedBody::Pin(parent, Transform(turned, Vec3(i == 0 ? 0 : kLinkLength, 0, 0)), link,
                                  Transform(turned, Vec3(0)));
    }
    State state = system.realizeTopology();
    system.realizeModel(state);
    for (int i = 0; i < links; ++i) state.updQ()[i] = hinge_angle(i), state.updU()[i] = hinge_rate(i);
    return least_time([&] {
      state.updQ()[0] += 1e-9;
      system.realize(state, Stage::Acceleration);
    });
  }
};

}  // namespace

std::unique_ptr<Peer> make_simbody() { return std::make_unique<Simbody>(); }

}  // namespace peers
