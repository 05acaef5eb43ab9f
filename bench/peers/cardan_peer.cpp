#include <algorithm>
#include <cmath>

#include "cardan/builder.hpp"
#include "cardan/simulation.hpp"
#include "formulation/recursive/recursive_formulation.hpp"
#include "peer.hpp"
#include "system/assembly.hpp"

namespace peers {
namespace {

using namespace cardan;

Mechanism windows_of(int count) {
  MechanismBuilder b("windows");
  b.planar().gravity({0, -kGravity, 0});
  const auto name = [](const char* what, int i) { return what + std::to_string(i); };
  for (int i = 0; i <= count; ++i) {
    b.rod(name("rod", i), Place(i, 0), Place(i, 1), 1);
    b.revolute(name("ground", i), "ground", name("rod", i), Place(i, 0));
    if (i == 0) continue;
    b.rod(name("coupler", i), Place(i - 1, 1), Place(i, 1), 1);
    b.revolute(name("right", i - 1), name("rod", i - 1), name("coupler", i), Place(i - 1, 1));
    b.revolute(name("left", i), name("coupler", i), name("rod", i), Place(i, 1));
  }
  b.angular_velocity("rod0", {0, 0, -1});
  return b.build();
}

class Cardan final : public Peer {
 public:
  std::string name() const override { return "Cardan"; }
  std::vector<Setting> settings() const override {
    std::vector<Setting> settings;
    for (double accuracy = 1e-2; accuracy > 1e-8; accuracy /= 2) settings.push_back({"hybrid dopri5", 0, accuracy});
    return settings;
  }
  WindowRun windows(int count, const Setting& setting) override {
    const Mechanism mechanism = windows_of(count);
    RunOptions options;
    options.formulation = "hybrid";
    options.integrator = "dopri5";
    options.absolute_tolerance = options.relative_tolerance = setting.accuracy;
    options.until = kDuration;
    Simulation simulation(mechanism, options);
    WindowRun run;
    while (simulation.time() < kDuration - 1e-9) {
      if (simulation.step(kDuration - simulation.time()) != StepStatus::ok) return run;
    }
    const RunSummary& summary = simulation.summary();
    run.seconds = summary.cpu_seconds;
    run.energy_error = std::abs(summary.energy_max_error);
    run.violation = summary.position.value;
    const auto direction = [&](int body) { return Vec3(simulation.body(body).rotation.col(0)); };
    run.on_branch = true;
    const Vec3 first = direction(0);
    for (int i = 1; i <= count; ++i) {
      // Bodies are rod0, rod1, coupler1, rod2, coupler2, ...
      run.on_branch = run.on_branch && (direction(2 * i - 1) - first).norm() < 0.05;
    }
    return run;
  }
  double chain(int links) override {
    MechanismBuilder b("chain");
    b.gravity({0, 0, -kGravity});
    for (int i = 0; i < links; ++i) {
      const std::string name = "link" + std::to_string(i);
      const Place at(kLinkLength * i, 0, 0), center(kLinkLength * (i + 0.5), 0, 0);
      b.body(name, 1, center, Vec3(kChainInertia[0], kChainInertia[1], kChainInertia[2]).asDiagonal());
      b.revolute("hinge" + std::to_string(i), i == 0 ? "ground" : "link" + std::to_string(i - 1), name, at,
                 Direction(Vec3(Vec3::Unit(hinge_axis(i)))));
    }
    const Mechanism mechanism = b.build();
    const auto model = std::make_shared<const BodyModel<3>>(mechanism);
    const RecursiveFormulation<3> formulation(model, model->drawn(), make_spanning_tree(mechanism, {}), links);
    const auto work = formulation.make_workspace();
    Context state;
    formulation.start(state, *work);
    for (int i = 0; i < links; ++i) state.q[i] = hinge_angle(i), state.v[i] = hinge_rate(i);
    VecX a = state.q;
    const VecX lambda;
    return least_time([&] {
      state.q[0] += 1e-9;
      formulation.position(0, state.q, state, *work);
      formulation.velocity(state.v, *work);
      formulation.accelerate(lambda, *work, a);
    });
  }
};

}  // namespace

std::unique_ptr<Peer> make_cardan() { return std::make_unique<Cardan>(); }

}  // namespace peers
