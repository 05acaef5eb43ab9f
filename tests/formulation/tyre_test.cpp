// Tyres on roads: the published side-force laws, exact derivatives in Cartesian coordinates, the same motion and a
// closed energy balance in every formulation.
#include "formulation/tyre.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cardan/builder.hpp"
#include "formulation/cartesian/cartesian_formulation.hpp"
#include "formulation/differences.hpp"
#include "last_sample.hpp"
#include "system/assembly.hpp"

namespace cardan {
namespace {

// Frik, Leister, Schwartz 1993, the tyre of the IAVSD benchmark vehicle.
CalspanTyre benchmark_tyre() {
  CalspanTyre p;
  p.a0 = 2625, p.a1 = 14.47, p.a2 = 12930, p.a3 = 2.29, p.a4 = 18175;
  p.b1 = -4.64e-5, p.b3 = 1.216, p.b4 = 2.18e-11;
  p.skid = 1.0274, p.m1 = -1.71e-5, p.m2 = 1.71e-5;
  return p;
}

// The benchmark's linear values at the loads of its equilibrium (3831.31 and 3591.91 N).
TEST(Calspan, HasThePublishedSlopes) {
  const struct {
    double load, cornering, camber, trail;
  } published[] = {{3831.31, 41641, 6925, 0.06553}, {3591.91, 40162, 6600, 0.06142}};
  for (const auto& p : published) {
    const double h = 1e-6;
    const CalspanTyre tyre = benchmark_tyre();
    const SideForce<double> slip(tyre, p.load, h, 0), lean(tyre, p.load, 0, h);
    EXPECT_NEAR(-slip.force / h, p.cornering, 5e-4 * p.cornering);
    EXPECT_NEAR(-lean.force / h, p.camber, 2e-3 * p.camber);
    EXPECT_NEAR(-slip.torque / slip.force, p.trail, 2e-3 * p.trail);
    EXPECT_NEAR(slip.cornering, -slip.force / h, 1e-2 * p.cornering);
  }
}

TEST(Calspan, SaturatesAtTheFrictionLimit) {
  const CalspanTyre tyre = benchmark_tyre();
  const double load = 4000, limit = load * 1.0274 * (-4.64e-5 * load + 1.216 + 2.18e-11 * load * load);
  EXPECT_NEAR(SideForce<double>(tyre, load, 1.2, 0).force, -limit, 1e-9);
  EXPECT_NEAR(SideForce<double>(tyre, load, -1.2, 0).force, limit, 1e-9);
}

RoadSpec steps() {
  RoadSpec road;
  road.name = "road";
  road.profile =
      Located<std::vector<Vec2>>(std::vector<Vec2>{{-5, 0}, {0.3, 0}, {0.9, 0.1}, {1.3, 0.1}, {1.3, 0}, {30, 0}});
  return road;
}

TyreSpec wheel_tyre(bool side_forces) {
  TyreSpec tyre;
  tyre.name = "tyre", tyre.body = "wheel", tyre.road = "road";
  tyre.at = Place(0, 0.02, 0.34);
  tyre.axis = Direction(0.02, 1, 0.03);
  tyre.radius = 0.35, tyre.stiffness = 3e4, tyre.damping = 300.0;
  if (side_forces) tyre.lateral = Located<CalspanTyre>(benchmark_tyre());
  return tyre;
}

/// A wheel on an arm under a carriage that is pulled along.
Mechanism trailer(bool side_forces, bool driven = true) {
  MechanismBuilder b("trailer");
  b.body("carriage", 80, Vec3(0.6, 0, 0.7), Mat3(Vec3(3, 8, 9).asDiagonal()));
  b.body("wheel", 20, Vec3(0, 0, 0.34), Mat3(Vec3(0.6, 1, 0.6).asDiagonal()));
  b.free("path", "ground", "carriage").revolute("arm", "carriage", "wheel", Vec3(0.5, 0, 0.5), Vec3(0, 1, 0));
  b.torsion("spring", "arm", 900, 60);
  SpringSpec suspension;
  suspension.name = "hold", suspension.body1 = "ground", suspension.body2 = "carriage";
  suspension.at1 = Place(1.2, 0, 0), suspension.at2 = Place(1.2, 0, 0.7);
  suspension.along = Direction("z");
  suspension.stiffness = 4000.0, suspension.damping = 300.0;
  b.add(suspension).add(steps()).add(wheel_tyre(side_forces));
  if (driven)
    b.add(DriverSpec{.name = "pull",
                     .joint = Name("path"),
                     .coordinate = Located<int>(1),
                     .body1 = {},
                     .body2 = {},
                     .at1 = {},
                     .at2 = {},
                     .position = Located<Function>(Function::polynomial({0, 2}))});
  return b.build();
}

TEST(Tyre, HasExactDerivativesInCartesianCoordinates) {
  for (const bool side_forces : {false, true}) {
    const Mechanism mechanism = trailer(side_forces);
    const auto model = std::make_shared<const BodyModel<3>>(mechanism);
    const Assembly<3> assembly = assemble(*model);
    const CartesianFormulation<3> formulation(model, assembly.bodies, assembly.length);
    const auto work = formulation.make_workspace();
    Context state;
    formulation.start(state, *work);
    const int n = formulation.structure().coordinates, m = formulation.structure().constraints;
    std::mt19937 random(5);
    const auto some = [&](double size) {
      return VecX(VecX::NullaryExpr(n, [&] { return size * std::uniform_real_distribution<double>(-1, 1)(random); }));
    };
    const auto force = [&](const VecX& q, const VecX& v) {
      formulation.position(0.1, q, state, *work);
      formulation.velocity(v, *work);
      formulation.dynamics(*work);
      return VecX(-work->equations.force);
    };
    for (int sample = 0; sample < 4; ++sample) {
      const VecX q = state.q + some(0.002), v = state.v + some(0.3);
      force(q, v);
      MotionDerivatives d(formulation.structure());
      formulation.differentiate(VecX::Zero(n), VecX::Zero(m), *work, d);
      EXPECT_LT(
          relative_deviation(d.stiffness.full(), differences([&](const VecX& x) { return force(x, v); }, q, 2e-4)),
          1e-6);
      EXPECT_LT(relative_deviation(d.damping.full(), differences([&](const VecX& x) { return force(q, x); }, v, 1e-2)),
                1e-6);
    }
  }
}

TEST(Tyre, MovesAlikeInEveryFormulation) {
  for (const bool side_forces : {false, true}) {
    const Mechanism mechanism = trailer(side_forces);
    const FinishedRun reference = finish(mechanism, options_of("hybrid", 2e-4, 0.9));
    ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
    for (const char* formulation : {"global", "topological", "cartesian", "recursive"}) {
      const FinishedRun other = finish(mechanism, options_of(formulation, 2e-4, 0.9));
      ASSERT_EQ(other.summary.status, RunStatus::ok) << formulation << ": " << other.summary.reason;
      EXPECT_LT(LastSample::difference(reference.last, other.last, mechanism), 2e-4) << formulation;
    }
  }
}

TEST(Tyre, KeepsTheEnergyBalance) {
  const Mechanism mechanism = trailer(false);
  const double coarse = std::abs(finish(mechanism, options_of("hybrid", 1e-3, 0.9)).summary.energy_max_error);
  const double fine = std::abs(finish(mechanism, options_of("hybrid", 2.5e-4, 0.9)).summary.energy_max_error);
  EXPECT_LT(coarse, 0.5);
  EXPECT_LT(fine, coarse / 4);
}

TEST(Tyre, SaysWhenItsRoadEnds) {
  RunOptions options = options_of("hybrid", 1e-3, 20);
  LastSample last;
  const RunSummary summary = run(trailer(false), options, &last);
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.reason.find("road 'road' reaches from x = -5 to 30 m"), std::string::npos) << summary.reason;
  EXPECT_GT(last["t"], 13);
}

}  // namespace
}  // namespace cardan
