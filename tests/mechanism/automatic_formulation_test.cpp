// Which formulation "auto" becomes, and that nothing else changes by it.
#include "mechanism/automatic_formulation.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cardan/builder.hpp"
#include "mechanism/asked_options.hpp"

namespace cardan {
namespace {

/// `links` in a row, turned and moved at random; with its end tied to the ground where it is closed.
Mechanism chain(int links, bool planar, bool closed = false, bool sprung = false) {
  std::mt19937 random(static_cast<unsigned>(links));
  std::uniform_real_distribution<double> any(-1, 1);
  const Vec3 origin = 10 * Vec3(any(random), any(random), planar ? 0 : any(random));
  Mat3 turn = Eigen::AngleAxisd(any(random), Vec3::UnitZ()).toRotationMatrix();
  if (!planar) turn = turn * Eigen::AngleAxisd(any(random), Vec3::UnitX());
  MechanismBuilder b("chain");
  b.planar(planar).gravity({0, -9.81, 0});
  const auto at = [&](int i) { return Place(origin + turn * Vec3(i, 0.2 * (i % 2), 0)); };
  for (int i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i), parent = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    b.rod(name, at(i), at(i + 1), 1, planar ? 0 : 0.1);
    const std::string pin = "pin" + std::to_string(i);
    if (planar)
      b.revolute(pin, parent, name, at(i));
    else
      b.revolute(pin, parent, name, at(i), Vec3(turn * Vec3(0, 0.3, 1)));
  }
  const std::string last = "link" + std::to_string(links - 1);
  if (closed) b.spherical("end", "ground", last, at(links));
  if (sprung) b.spring("spring", "ground", last, at(0), at(links), 100);
  return b.build();
}

std::string chosen(const Mechanism& mechanism, const std::string& integrator = "trapezoidal") {
  RunOptions options;
  options.integrator = integrator;
  return choose_formulation(mechanism, options).name;
}

TEST(AutomaticFormulation, IsHybridForMachinesAndNotForLongChains) {
  for (const bool planar : {true, false}) {
    EXPECT_EQ(chosen(chain(6, planar)), "hybrid");
    EXPECT_EQ(chosen(chain(12, planar, !planar)), "hybrid");
    EXPECT_EQ(chosen(chain(400, planar)), "recursive");
    EXPECT_EQ(chosen(chain(400, planar), "sdirk3"), "global") << "which articulated bodies have no matrix for";
    EXPECT_EQ(chosen(chain(400, planar, false, true)), "global") << "a spring may be stiff";
  }
  EXPECT_EQ(chosen(chain(400, false, true)), "global") << "a loop";
  EXPECT_EQ(chosen(chain(6, false), "bdf"), "cartesian") << "the only one";
  RunOptions by_error;
  by_error.step_control = "error";
  EXPECT_EQ(choose_formulation(chain(400, true), by_error).name, "global") << "sweeps know constant steps alone";
  RunOptions options;
  options.cut = {"pin200"};
  EXPECT_EQ(choose_formulation(chain(400, false, true), options).name, "hybrid") << "global opens no loop";
}

/// Of six coordinates (three) each, none of them on the path of another: a step of hybrid takes half to two thirds of
/// what one of global does.
TEST(AutomaticFormulation, IsHybridForFreeBodies) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-10, 10);
  for (const bool planar : {true, false}) {
    for (const int count : {1, 4, 30}) {
      MechanismBuilder b("free");
      b.planar(planar);
      for (int i = 0; i < count; ++i) {
        const std::string name = "body" + std::to_string(i);
        const Vec3 center(any(random), any(random), planar ? 0 : any(random));
        if (planar)
          b.body(name, 2, Place(center), 0.3);
        else
          b.body(name, 2, Place(center), Vec3(0.2, 0.3, 0.4).asDiagonal());
        b.free("free" + name, "ground", name);
      }
      EXPECT_EQ(chosen(b.build()), "hybrid") << count << (planar ? " in the plane" : "");
    }
  }
}

struct Chosen {
  RunOptions options;
  MethodReasons because;
};

Chosen chosen_of_asked(const Mechanism& mechanism, const SimulationDefaults& given) {
  Chosen result{asked_options(mechanism, given), {}};
  result.because = resolve_method(result.options, mechanism);
  return result;
}

TEST(AutomaticFormulation, GivesWayToANameAndFollowsTheIntegrator) {
  Mechanism long_chain = chain(400, true);
  EXPECT_EQ(RunOptions::for_mechanism(long_chain).formulation, "recursive");
  SimulationDefaults given;
  EXPECT_EQ(asked_options(long_chain, given).formulation, "auto") << "what is asked for, not what it stands for";
  Chosen chosen = chosen_of_asked(long_chain, given);
  EXPECT_EQ(chosen.options.formulation, "recursive");
  EXPECT_FALSE(chosen.because.formulation.empty());
  given.integrator = "sdirk3";
  EXPECT_EQ(chosen_of_asked(long_chain, given).options.formulation, "global");
  given.formulation = "hybrid";
  chosen = chosen_of_asked(long_chain, given);
  EXPECT_EQ(chosen.options.formulation, "hybrid");
  EXPECT_TRUE(chosen.because.formulation.empty());
  long_chain.simulation.formulation = "topological";
  EXPECT_EQ(RunOptions::for_mechanism(long_chain).formulation, "topological");
  EXPECT_EQ(asked_options(long_chain, {}).formulation, "topological");
  given = {};
  given.formulation = "auto";
  EXPECT_EQ(chosen_of_asked(long_chain, given).options.formulation, "recursive")
      << "auto by name overrides the model too";
}

}  // namespace
}  // namespace cardan
