// A spring without free length, drawn where its ends meet, pulls a body to a point: an isotropic oscillator.
#include <gtest/gtest.h>

#include <cmath>

#include "cardan/builder.hpp"
#include "cardan/registry.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

TEST(ZeroLength, SwingsThroughItsPoint) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    const RandomPlace p(7, planar);
    MechanismBuilder b("point spring");
    b.planar(planar).gravity(Vec3::Zero());
    const Vec3 at = p.at(0.3, 0.2), v = p.along(0.5, -0.3, planar ? 0 : 0.4);
    if (planar) {
      b.body("ball", 2, Place(at), 1.0);
    } else {
      b.body("ball", 2, Place(at), Mat3(Mat3::Identity()));
    }
    b.free("flight", "ground", "ball").velocity("ball", v);
    SpringSpec spring{.name = "band", .body1 = "ground", .body2 = "ball"};
    spring.at1 = Place(at), spring.at2 = Place(at), spring.stiffness = Number(50), spring.free_length = Number(0);
    const Mechanism m = b.add(spring).build();
    const double w = 5, until = 2.0;  // more than three times through the point
    for (const RegistryEntry& formulation : formulations()) {
      for (const RegistryEntry& integrator : integrators()) {
        if (!why_not(formulation.name, integrator.name).empty()) continue;
        RunOptions options = options_of(std::string(formulation.name), 1e-3, until, std::string(integrator.name));
        if (chooses_steps(formulation.name, integrator.name))
          options.absolute_tolerance = options.relative_tolerance = 1e-8;
        const FinishedRun run = finish(m, options);
        ASSERT_EQ(run.summary.status, RunStatus::ok) << formulation.name << integrator.name << run.summary.reason;
        const Vec3 place =
            planar ? Vec3(run.last["ball.x"], run.last["ball.y"], 0) : run.last.vector("ball.x", "ball.y", "ball.z");
        const double margin = integrator.name == "newmark" ? 2e-2 : 1e-4;  // of first order
        EXPECT_LT((place - at - v * std::sin(w * until) / w).norm(), margin) << formulation.name << integrator.name;
        ++runs;
      }
    }
  }
  EXPECT_GE(runs, 2 * 36);
}

TEST(ZeroLength, NeedsADirectionForDampingAndFreeLength) {
  const auto refused = [](const std::optional<Number>& damping, const std::optional<Number>& free_length) {
    MechanismBuilder b("point spring");
    b.planar().body("ball", 2, Place(Vec3(1, 2, 0)), 1.0).free("flight", "ground", "ball");
    SpringSpec spring{.name = "band", .body1 = "ground", .body2 = "ball"};
    spring.at1 = spring.at2 = Place(Vec3(1, 2, 0));
    spring.stiffness = Number(50), spring.damping = damping, spring.free_length = free_length;
    try {
      b.add(spring).build();
    } catch (const ModelError&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused({}, {}));
  EXPECT_TRUE(refused({}, Number(0.1)));
  EXPECT_TRUE(refused(Number(1), Number(0)));
  EXPECT_FALSE(refused({}, Number(0)));
}

}  // namespace
}  // namespace cardan
