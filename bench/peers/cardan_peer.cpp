#include <algorithm>
#include <cmath>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "formulation/recursive/recursive_formulation.hpp"
#include "peer.hpp"
#include "system/assembly.hpp"
#include "vehicle.hpp"

namespace peers {
namespace {

using namespace cardan;

std::string numbered(const char* what, int i) { return what + std::to_string(i); }

Mechanism windows_of(int count) {
  MechanismBuilder b("windows");
  b.planar().gravity({0, -kGravity, 0});
  for (int i = 0; i <= count; ++i) {
    b.rod(numbered("rod", i), Place(i, 0), Place(i, 1), 1);
    b.revolute(numbered("ground", i), "ground", numbered("rod", i), Place(i, 0));
    if (i == 0) continue;
    b.rod(numbered("coupler", i), Place(i - 1, 1), Place(i, 1), 1);
    b.revolute(numbered("right", i - 1), numbered("rod", i - 1), numbered("coupler", i), Place(i - 1, 1));
    b.revolute(numbered("left", i), numbered("coupler", i), numbered("rod", i), Place(i, 1));
  }
  b.angular_velocity("rod0", {0, 0, -1});
  return b.build();
}

Mechanism bricard() {
  MechanismBuilder b("bricard");
  b.gravity({0, -kGravity, 0});
  const auto corner = [](int i) { return Place(kCubeCorner[i][0], kCubeCorner[i][1], kCubeCorner[i][2]); };
  for (int i = 0; i < kRods; ++i) b.rod(numbered("rod", i), corner(i), corner(i + 1), 1);
  for (int i = 0; i <= kRods; ++i)
    b.revolute(numbered("hinge", i), i == 0 ? "ground" : numbered("rod", i - 1),
               i == kRods ? "ground" : numbered("rod", i), corner(i), Direction(Vec3(Vec3::Unit(bricard_axis(i)))));
  return b.build();
}

Mechanism chain_of(int links) {
  MechanismBuilder b("chain");
  b.gravity({0, 0, -kGravity});
  for (int i = 0; i < links; ++i) {
    const Place at(kLinkLength * i, 0, 0), center(kLinkLength * (i + 0.5), 0, 0);
    b.body(numbered("link", i), 1, center, Vec3(kChainInertia[0], kChainInertia[1], kChainInertia[2]).asDiagonal());
    b.revolute(numbered("hinge", i), i == 0 ? "ground" : numbered("link", i - 1), numbered("link", i), at,
               Direction(Vec3(Vec3::Unit(hinge_axis(i)))));
    b.joint_position(numbered("hinge", i), hinge_angle(i)).joint_velocity(numbered("hinge", i), hinge_rate(i));
  }
  return b.build();
}

bool rods_are_parallel(const Simulation& simulation, int windows) {
  const auto direction = [&](int body) { return Vec3(simulation.body(body).rotation.col(0)); };
  const Vec3 first = direction(0);
  for (int i = 1; i <= windows; ++i) {
    // Bodies are rod0, rod1, coupler1, rod2, coupler2, ...
    if ((direction(2 * i - 1) - first).norm() >= 0.05) return false;
  }
  return true;
}

Mechanism iltis() { return read_mechanism(CARDAN_SOURCE_DIR "/models/iltis.yaml"); }

int chassis_of(const Mechanism& mechanism) {
  const auto found = std::find_if(mechanism.bodies.begin(), mechanism.bodies.end(),
                                  [](const Body& body) { return body.name == "chassis"; });
  return static_cast<int>(found - mechanism.bodies.begin());
}

Mechanism mechanism_of(Problem problem, int size) {
  switch (problem) {
    case Problem::windows:
      return windows_of(size);
    case Problem::bricard:
      return bricard();
    case Problem::vehicle:
      return iltis();
    case Problem::chain:
      return chain_of(size);
  }
  return {};
}

RunOptions options_of(const Setting& setting) {
  RunOptions options;
  const std::size_t space = setting.name.find(' ');
  options.formulation = setting.name.substr(0, space);
  options.integrator = setting.name.substr(space + 1);
  if (setting.accuracy > 0) options.absolute_tolerance = options.relative_tolerance = setting.accuracy;
  if (setting.accuracy > 0 && options.integrator == "trapezoidal") options.step_control = "error";
  if (setting.step > 0) options.step = setting.step;
  return options;
}

class Cardan final : public Peer {
 public:
  std::string name() const override { return "Cardan"; }
  std::vector<std::vector<Setting>> settings(Problem problem) const override {
    std::vector<Setting> by_tolerance, by_step;
    for (double accuracy = 1e-2; accuracy > 1e-8; accuracy /= 2) by_tolerance.push_back({"hybrid dopri5", 0, accuracy});
    if (problem == Problem::vehicle) {
      std::vector<Setting> controlled;
      for (double accuracy = 1e-2; accuracy > 1e-7; accuracy /= 2)
        controlled.push_back({"hybrid trapezoidal", 0, accuracy});
      for (double step = 0.05; step > 5e-4; step /= 1.25)
        by_step.push_back({"hybrid trapezoidal", vehicle::kEnd / std::ceil(vehicle::kEnd / step)});
      return {by_step, controlled, by_tolerance};
    }
    if (problem != Problem::chain) return {by_tolerance};
    for (double step = 0.1; step > 1e-4; step /= 1.5) by_step.push_back({"recursive rk4", 1 / std::ceil(1 / step)});
    return {by_step, by_tolerance};
  }
  ProblemRun run(Problem problem, int size, const Setting& setting) override {
    if (problem == Problem::chain && setting.accuracy > 0 && size > 100) return {};  // its matrix is full
    const Mechanism mechanism = mechanism_of(problem, size);
    RunOptions options = options_of(setting);
    const double end = options.until = duration(problem);
    Simulation simulation(mechanism, options);
    const int chassis = problem == Problem::vehicle ? chassis_of(mechanism) : 0;
    vehicle::HeightError height;
    ProblemRun run;
    while (simulation.time() < end - 1e-9) {
      const double h = setting.step > 0 ? std::min(setting.step, end - simulation.time()) : end - simulation.time();
      if (simulation.step(h) != StepStatus::ok) return run;
      if (problem == Problem::vehicle) height.see(simulation.time(), simulation.body(chassis).position.z());
    }
    const RunSummary& summary = simulation.summary();
    run.seconds = summary.cpu_seconds;
    run.error = problem == Problem::vehicle ? height.value() : std::abs(summary.energy_max_error);
    run.violation = summary.position.value;
    run.is_right = problem != Problem::windows || rods_are_parallel(simulation, size);
    return run;
  }
  double chain(int links) override {
    const Mechanism mechanism = chain_of(links);
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

const vehicle::Motion& vehicle::reference() {
  static const Motion motion = [] {
    const Mechanism mechanism = iltis();
    Simulation simulation(mechanism, options_of({"hybrid dopri5", 0, 1e-9}));
    const int chassis = chassis_of(mechanism);
    constexpr double kApart = 1e-3;  // s
    Motion made;
    for (int i = 0; i <= static_cast<int>(kEnd / kApart); ++i) {
      const double end = i * kApart;
      while (end - simulation.time() > 1e-12 && simulation.step(end - simulation.time()) == StepStatus::ok) {
      }
      made.t.push_back(end);
      made.height.push_back(simulation.body(chassis).position.z());
    }
    return made;
  }();
  return motion;
}

std::unique_ptr<Peer> make_cardan() { return std::make_unique<Cardan>(); }

}  // namespace peers
