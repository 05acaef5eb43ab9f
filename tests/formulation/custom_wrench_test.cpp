// Loads written as C++ functions of two frames: the motion of the library's own springs and bushings, in every
// formulation; derivatives against differences; energy; columns; sensors.
#include "formulation/custom_wrench.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cardan/cardan.hpp"
#include "last_sample.hpp"
#include "random_place.hpp"

namespace cardan {
namespace {

Vec3 vector_of(const Mat3& skew) {
  return 0.5 * Vec3(skew(2, 1) - skew(1, 2), skew(0, 2) - skew(2, 0), skew(1, 0) - skew(0, 1));
}

/// Pulls the origins together with k (s - free) + c s'.
struct SpringLaw {
  double k, c, free;
  Wrench operator()(const FramePair& at) const {
    const Vec3 d = at.two.position - at.one.position, e = d.normalized();
    return {-(k * (d.norm() - free) + c * e.dot(at.two.velocity - at.one.velocity)) * e, Vec3::Zero()};
  }
  WrenchTangent tangent(const FramePair& at) const {
    const Vec3 d = at.two.position - at.one.position, e = d.normalized(), v = at.two.velocity - at.one.velocity;
    const double s = d.norm(), pull = k * (s - free) + c * e.dot(v);
    const Mat3 e_d = (Mat3::Identity() - e * e.transpose()) / s;
    WrenchTangent result;
    result.position2.topLeftCorner<3, 3>() = -k * e * e.transpose() - c * e * v.transpose() * e_d - pull * e_d;
    result.velocity2.topLeftCorner<3, 3>() = -c * e * e.transpose();
    result.position1 = -result.position2, result.velocity1 = -result.velocity2;
    return result;
  }
  double energy(const FramePair& at) const {
    const double s = (at.two.position - at.one.position).norm() - free;
    return 0.5 * k * s * s;
  }
};

/// Along the axes of frame 1 the force -k u - c u', about them -k s - c s', s the sines of the turn: see Bushing. The
/// force acts at the origin of frame 2.
struct BushingLaw {
  Vec3 k, c, turn_k, turn_c;
  bool planar;
  Wrench operator()(const FramePair& at) const {
    const Mat3& A = at.one.rotation;
    const Vec3 d = at.two.position - at.one.position, w1 = at.one.angular_velocity, w2 = at.two.angular_velocity;
    const Vec3 u = A.transpose() * d;
    const Vec3 rate = A.transpose() * (at.two.velocity - at.one.velocity - w1.cross(d));
    const Mat3 R = A.transpose() * at.two.rotation;
    const Vec3 w = A.transpose() * (w2 - w1);
    const Vec3 s = planar ? Vec3(0, 0, std::atan2(R(1, 0), R(0, 0))) : vector_of(R);
    // s' = G w, since 2 s~ = R - R^T and R' = w~ R; what acts on s is the moment G^T of it.
    const Mat3 G = planar ? Mat3(Mat3::Identity()) : Mat3(0.5 * (R.trace() * Mat3::Identity() - R));
    const Vec3 f = -k.cwiseProduct(u) - c.cwiseProduct(rate);
    const Vec3 n = G.transpose() * (-turn_k.cwiseProduct(s) - turn_c.cwiseProduct(G * w));
    return {A * f, A * n};
  }
  double energy(const FramePair& at) const {
    const Mat3 R = at.one.rotation.transpose() * at.two.rotation;
    const Vec3 u = at.one.rotation.transpose() * (at.two.position - at.one.position);
    const Vec3 s = planar ? Vec3(0, 0, std::atan2(R(1, 0), R(0, 0))) : vector_of(R);
    return 0.5 * (u.dot(k.cwiseProduct(u)) + s.dot(turn_k.cwiseProduct(s)));
  }
};

/// Two bodies on a chain and beside it, tied by three loads: as elements of the library, or as functions.
Mechanism tied(bool planar, bool functions, bool exact, double stiffness) {
  const RandomPlace place(planar ? 7u : 8u, planar);
  MechanismBuilder b(planar ? "tied in the plane" : "tied in space");
  if (planar) b.planar();
  const auto body = [&](const char* name, double x, double y, double z) {
    if (planar) {
      b.body(name, 1.3, place.at(x, y), 0.2);
    } else {
      b.body(name, 1.3, place.at(x, y, z), Mat3(Vec3(0.2, 0.3, 0.25).asDiagonal()));
    }
  };
  body("arm", 0.5, 0, 0), body("end", 1.4, 0.3, 0.2), body("raft", 0.6, 1.2, -0.3);
  if (planar) {
    b.revolute("pin", "ground", "arm", place.at(0, 0)).revolute("knee", "arm", "end", place.at(1, 0.1));
  } else {
    b.revolute("pin", "ground", "arm", place.at(0, 0, 0), place.along(0.2, 0.1, 1));
    b.spherical("knee", "arm", "end", place.at(1, 0.1, 0.1));
  }
  b.free("float", "ground", "raft");
  if (planar) {
    b.velocity("raft", 0.4 * place.along(1, -1)).angular_velocity("raft", {0, 0, 0.8});
  } else {
    b.velocity("raft", 0.4 * place.along(1, -1, 0.5)).angular_velocity("raft", Vec3(0.3, -0.5, 0.8));
  }
  b.joint_velocity("pin", 0.9);
  const Vec3 rope1 = place.at(0, 1), rope2 = place.at(1.6, 0.4), bush1 = place.at(0.55, 0.6), drag = place.at(0.7, 1.3);
  const double free = 0.9 * (rope2 - rope1).norm();
  const Vec3 k = Vec3(1, 0.6, 0.8) * stiffness, c = 0.01 * k, tk = 0.05 * k, tc = 0.001 * k;
  const SpringLaw rope{30, 0.7, free};
  const BushingLaw bush{k, c, tk, tc, planar};
  const double viscous = 0.35;
  if (functions) {
    WrenchSpec spec{
        .name = "rope", .body1 = Name("ground"), .body2 = Name("end"), .at1 = Place(rope1), .at2 = Place(rope2)};
    spec.law = rope;
    if (exact) spec.tangent = [rope](const FramePair& at) { return rope.tangent(at); };
    spec.energy = [rope](const FramePair& at) { return rope.energy(at); };
    b.add(spec);
    WrenchSpec other{.name = "bush", .body1 = Name("arm"), .body2 = Name("raft"), .at1 = Place(bush1)};
    other.law = bush;
    other.energy = [bush](const FramePair& at) { return bush.energy(at); };
    b.add(other);
    WrenchSpec water{.name = "water", .body2 = Name("raft"), .at1 = Place(drag)};
    water.law = [viscous](const FramePair& at) { return Wrench{-viscous * at.two.velocity, Vec3::Zero()}; };
    b.add(water);
  } else {
    SpringSpec spring{
        .name = "rope", .body1 = Name("ground"), .body2 = Name("end"), .at1 = Place(rope1), .at2 = Place(rope2)};
    spring.stiffness = 30.0, spring.damping = 0.7, spring.free_length = free;
    b.add(spring);
    BushingSpec bushing{.name = "bush", .body1 = Name("arm"), .body2 = Name("raft"), .at1 = Place(bush1)};
    bushing.stiffness = k, bushing.damping = c;
    bushing.rotational_stiffness = planar ? Vec3(0, 0, tk.z()) : tk;
    bushing.rotational_damping = planar ? Vec3(0, 0, tc.z()) : tc;
    b.add(bushing);
    BushingSpec water{.name = "water", .body1 = Name("ground"), .body2 = Name("raft"), .at1 = Place(drag)};
    water.damping = planar ? Vec3(viscous, viscous, 0) : Vec3(Vec3::Constant(viscous));
    b.add(water);
  }
  return b.build();
}

std::string own_name(bool planar, bool exact) {
  return std::string(planar ? "plane " : "space ") + (exact ? "exact " : "by differences ");
}

TEST(CustomWrench, MovesAsTheLibrarysOwnInEveryFormulation) {
  int runs = 0;
  for (const bool planar : {true, false}) {
    for (const RegistryEntry& formulation : formulations()) {
      for (const char* integrator : {"trapezoidal", "generalized-alpha", "sdirk3", "rk4", "bdf"}) {
        if (!why_not(formulation.name, integrator).empty()) continue;
        RunOptions options = options_of(std::string(formulation.name), 2e-3, 0.1, integrator);
        const bool is_bdf = integrator == std::string("bdf");
        if (integrator == std::string("generalized-alpha")) {
          options.tolerance = 1e-11;
          // Forces along Euler parameters, which the multiplier of |p| = 1 takes, are others: they are weighed at
          // another time than it is, which leaves a difference of third order in the step (1e-8 at 2e-3 s).
          if (formulation.name == "cartesian") options.step = 5e-4;
        }
        const FinishedRun reference = finish(tied(planar, false, false, 40), options);
        ASSERT_EQ(reference.summary.status, RunStatus::ok) << reference.summary.reason;
        for (const bool exact : {true, false}) {
          SCOPED_TRACE(own_name(planar, exact) + std::string(formulation.name) + " " + integrator);
          const Mechanism own = tied(planar, true, exact, 40);
          const FinishedRun run = finish(own, options);
          ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
          // Iterations end within their tolerance; bdf chooses other steps, within its own.
          EXPECT_LT(LastSample::difference(run.last, reference.last, own), is_bdf ? 1e-5 : 1e-9);
          EXPECT_NEAR(run.last.vector("rope.fx", "rope.fy", planar ? "rope.mz" : "rope.fz").norm(),
                      std::abs(reference.last["rope.force"]), 1e-5);
          if (!is_bdf) EXPECT_LE(run.summary.allocations, 0);  // -1: not counted
          if (!is_bdf) EXPECT_NEAR(run.summary.energy_max_error, reference.summary.energy_max_error, 1e-8);
          ++runs;
        }
      }
    }
  }
  EXPECT_GE(runs, 60);
}

/// A stiff bushing by differences converges as the library's own.
TEST(CustomWrench, TakesHardlyMoreIterationsWhereItIsStiff) {
  int compared = 0;
  for (const bool planar : {true, false}) {
    for (const RegistryEntry& formulation : formulations()) {
      for (const char* integrator : {"trapezoidal", "hht", "sdirk3"}) {
        if (formulation.name == "recursive" || !why_not(formulation.name, integrator).empty()) continue;
        const RunOptions options = options_of(std::string(formulation.name), 2e-3, 0.1, integrator);
        const RunSummary built_in = run(tied(planar, false, false, 1e5), options);
        const RunSummary own = run(tied(planar, true, false, 1e5), options);
        ASSERT_EQ(built_in.status, RunStatus::ok) << built_in.reason;
        ASSERT_EQ(own.status, RunStatus::ok) << own.reason;
        EXPECT_LE(static_cast<double>(own.iterations), static_cast<double>(built_in.iterations + built_in.steps))
            << formulation.name << " " << integrator << " " << planar << " " << built_in.iterations;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 18);
}

/// Derivatives by differences are those that the program could have given, and rows with their couplings add up to
/// them.
TEST(CustomWrench, HasTheTangentsOfItsLaw) {
  const SpringLaw law{30, 0.7, 1.2};
  Mechanism mechanism = tied(false, true, false, 40);
  CustomWrench& rope = mechanism.custom_wrenches[0];
  rope.law = law;
  const Eigen::Vector3d origin = Vec3::Zero();
  const MeasureFactory<3> measures(mechanism, origin);
  const FramesOnBodies<3> frames(0, rope.frame1, 2, rope.frame2, mechanism, measures);
  const int ground = static_cast<int>(mechanism.bodies.size());
  const WrenchModel<3> by_differences(rope, frames, ground);
  rope.tangent = [law](const FramePair& at) { return law.tangent(at); };
  const WrenchModel<3> exact(rope, frames, ground);
  FramePair at;
  at.two.position = Vec3(0.7, -1.1, 0.9), at.two.velocity = Vec3(0.3, 0.2, -0.5),
  at.one.velocity = Vec3(0.1, -0.4, 0.2);
  const auto one = by_differences.tangent(at), two = exact.tangent(at);
  EXPECT_LT((one.position1 - two.position1).norm(), 1e-7);
  EXPECT_LT((one.position2 - two.position2).norm(), 1e-7);
  EXPECT_LT((one.velocity1 - two.velocity1).norm(), 1e-7);
  EXPECT_LT((one.velocity2 - two.velocity2).norm(), 1e-7);
  using Resistance = WrenchModel<3>::Resistance;
  const Resistance resistance = exact.resistance(at);
  for (int i = 0; i < 6; ++i) {
    EXPECT_GE(Resistance::on_row(resistance.stiffness, i), 0);
    for (int j = 0; j < 6; ++j) {
      const auto whole = [&](const WrenchTangent::Block& block) {
        return (i == j ? Resistance::on_row(block, i) : 0) + Resistance::beside_row(block, i, j);
      };
      EXPECT_EQ(whole(resistance.stiffness), -two.position2(i, j));
      EXPECT_EQ(whole(resistance.damping), -two.velocity2(i, j));
    }
  }
}

TEST(CustomWrench, IsInEquilibriumModesAndForwardDynamics) {
  for (const bool planar : {true, false}) {
    const Equilibrium built_in = find_equilibrium(tied(planar, false, false, 400));
    const Equilibrium own = find_equilibrium(tied(planar, true, false, 400));
    ASSERT_TRUE(built_in.converged) << built_in.reason;
    ASSERT_TRUE(own.converged) << own.reason;
    for (std::size_t b = 0; b < own.bodies.size(); ++b) {
      EXPECT_LT((own.bodies[b].position - built_in.bodies[b].position).norm(), 1e-8);
      EXPECT_LT((own.bodies[b].rotation - built_in.bodies[b].rotation).norm(), 1e-8);
    }
    const Linearization modes = linearize(tied(planar, false, false, 400), built_in);
    const Linearization own_modes = linearize(tied(planar, true, false, 400), own);
    ASSERT_EQ(own_modes.modes.size(), modes.modes.size());
    for (std::size_t i = 0; i < modes.modes.size(); ++i) {
      EXPECT_LT(std::abs(own_modes.modes[i].eigenvalue - modes.modes[i].eigenvalue),
                1e-6 * (1 + std::abs(modes.modes[i].eigenvalue)))
          << i;
    }
    for (const RegistryEntry& formulation : formulations()) {
      const System one(tied(planar, false, false, 40), std::string(formulation.name));
      const System two(tied(planar, true, false, 40), std::string(formulation.name));
      const VecX expected = forward_dynamics(one, one.start()).acceleration;
      EXPECT_LT((forward_dynamics(two, two.start()).acceleration - expected).norm(), 1e-9 * expected.norm())
          << formulation.name;
    }
  }
}

TEST(CustomWrench, IsSwitchedByEvents) {
  MechanismBuilder b("pushed");
  b.planar().gravity({0, 0, 0}).body("mass", 2, {0, 0}, 1).prismatic("rail", "ground", "mass", {0, 0}, {1, 0});
  WrenchSpec push{.name = "push", .body2 = Name("mass"), .at1 = Place(0, 0)};
  push.law = [](const FramePair& at) { return Wrench{Vec3(3 * at.t, 0, 0), Vec3::Zero()}; };
  b.add(push).switch_off("enough", 0.5, {"push"});
  const FinishedRun run = finish(b.build(), options_of("hybrid", 0.01, 1));
  ASSERT_EQ(run.summary.status, RunStatus::ok) << run.summary.reason;
  EXPECT_NEAR(run.last["rail.v"], 3.0 / 2 * 0.5 * 0.5 / 2, 1e-9);
  EXPECT_EQ(run.last["push.fx"], 0);
  EXPECT_NEAR(run.summary.energy_final, 0.5 * 2 * std::pow(run.last["rail.v"], 2), 1e-9);
  EXPECT_LT(std::abs(run.summary.energy_max_error), 1e-4);
}

TEST(CustomWrench, WithoutALawIsRefused) {
  MechanismBuilder b("lawless");
  b.planar().rod("arm", {0, 0}, {1, 0}, 1).revolute("pin", "ground", "arm", {0, 0});
  b.add(WrenchSpec{.name = "none", .body2 = Name("arm"), .at1 = Place(1, 0)});
  b.add(SensorSpec{.name = "blind", .body2 = Name("arm"), .at1 = Place(1, 0)});
  try {
    b.build();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2u) << error.what();
    EXPECT_EQ(error.diagnostics()[0].text(), "error: load 'none': it has no law; give it the C++ function");
  }
}

TEST(Sensor, IsAColumn) {
  MechanismBuilder b("seen");
  b.planar().rod("arm", {0, 0}, {1, 0}, 1).revolute("pin", "ground", "arm", {0, 0}).joint_velocity("pin", 2);
  SensorSpec height{.name = "height", .body2 = Name("arm"), .at1 = Place(0.3, -1), .at2 = Place(1, 0)};
  height.value = [](const FramePair& at) {
    return at.two.position.y() - at.one.position.y() + 10 * at.two.velocity.y();
  };
  b.add(height);
  const FinishedRun run = finish(b.build(), options_of("hybrid", 1e-3, 0.2));
  const double angle = run.last["pin.q"], rate = run.last["pin.v"];
  EXPECT_NEAR(run.last["height"], std::sin(angle) + 1 + 10 * std::cos(angle) * rate, 1e-12);
}

}  // namespace
}  // namespace cardan
