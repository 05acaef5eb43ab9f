// Linearization about a state, against closed forms and against the modes of every model.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <complex>
#include <filesystem>
#include <map>

#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/registry.hpp"

namespace cardan {
namespace {

constexpr double kCartMass = 2, kRodMass = 0.6, kRodLength = 1.4, kGravityOfRod = 9.81;

/// A rod upright on a cart. With c = L/2 and J = m L^2/3: (M + m) x'' - m c a'' = u,  J a'' - m c x'' = m g c a.
Mechanism cart_with_rod(double turn) {
  const auto at = [&](double x, double y) {
    return Place(x * std::cos(turn) - y * std::sin(turn), x * std::sin(turn) + y * std::cos(turn));
  };
  const Vec2 down(kGravityOfRod * std::sin(turn), -kGravityOfRod * std::cos(turn));
  MechanismBuilder b("cart with rod");
  b.planar().gravity({down.x(), down.y(), 0});
  b.body("cart", kCartMass, at(0, 0), 0.1).rod("rod", at(0, 0), at(0, kRodLength), kRodMass);
  b.prismatic("slide", "ground", "cart", at(0, 0), Direction(std::cos(turn), std::sin(turn)));
  b.revolute("pin", "cart", "rod", at(0, 0));
  b.actuator("motor", "slide", Function::constant(0));
  return b.build();
}

TEST(LinearSystem, OfARodOnACartIsThatOfTheBooks) {
  const double c = kRodLength / 2, J = kRodMass * kRodLength * kRodLength / 3,
               det = (kCartMass + kRodMass) * J - kRodMass * kRodMass * c * c;
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A(2, 1) = kRodMass * c * kRodMass * kGravityOfRod * c / det;
  A(3, 1) = (kCartMass + kRodMass) * kRodMass * kGravityOfRod * c / det;
  const Eigen::Vector4d B(0, 0, J / det, kRodMass * c / det);
  int compared = 0;
  for (double turn : {0.0, 0.7, -2.1}) {
    for (const RegistryEntry& formulation : formulations()) {
      const System system(cart_with_rod(turn), std::string(formulation.name));
      const LinearSystem found = linearize(
          system, system.start(), {},
          {system.signal("pin.q"), system.signal("slide.fx"), system.signal("pin.fx"), system.signal("pin.fy")});
      ASSERT_EQ(found.states, (std::vector<std::string>{"slide.q", "pin.q", "slide.q rate", "pin.q rate"}));
      ASSERT_EQ(found.inputs, std::vector<std::string>{"slide.effort"});
      EXPECT_LT((found.A - A).cwiseAbs().maxCoeff(), 1e-9 * A.cwiseAbs().maxCoeff()) << formulation.name;
      EXPECT_LT((found.B - B).cwiseAbs().maxCoeff(), 1e-9) << formulation.name;
      EXPECT_LT((found.C.row(0) - Eigen::RowVector4d(0, 1, 0, 0)).cwiseAbs().maxCoeff(), 1e-9) << formulation.name;
      // The pin carries what accelerates the rod, m (x'' - c a''), in axes that are inertial as drawn; the guide
      // nothing.
      const double carried = kRodMass * (B[2] - c * B[3]);
      const Eigen::Vector4d D(0, 0, carried * std::cos(turn), carried * std::sin(turn));
      EXPECT_LT((found.D - D).cwiseAbs().maxCoeff(), 1e-9) << formulation.name << found.D.transpose();
      ++compared;
    }
  }
  EXPECT_EQ(compared, 15);
}

/// About a steady rotation, where loads, weight and velocities all count: a rod on a shaft turning at w leaves
/// a'' = w^2 sin a cos a - 3 g sin a / (2 L), whose slope at the angle a is w^2 cos 2a - 3 g cos a / (2 L).
TEST(LinearSystem, OfAMovingStateFeelsTheVelocity) {
  const double w = 7, angle = 0.8;
  for (const RegistryEntry& formulation : formulations()) {
    MechanismBuilder b("governor");
    b.gravity({0, 0, -kGravityOfRod});
    b.body("shaft", 1, Place(0, 0, 0), Mat3(1e6 * Mat3::Identity()));
    b.rod("rod", Place(0, 0, 0), Place(kRodLength * std::sin(angle), 0, -kRodLength * std::cos(angle)), kRodMass);
    b.revolute("spin", "ground", "shaft", Place(0, 0, 0), "z");
    b.revolute("pin", "shaft", "rod", Place(0, 0, 0), Direction(0, -1, 0));
    b.joint_velocity("spin", w).joint_velocity("pin", 0);
    const System system(b.build(), std::string(formulation.name));
    const LinearSystem found = linearize(system, system.start(), {system.coordinate("pin")});
    ASSERT_EQ(found.states.size(), 4u);
    const auto pin = std::find(found.states.begin(), found.states.end(), "pin.q") - found.states.begin();
    EXPECT_NEAR(found.A(2 + pin, pin), w * w * std::cos(2 * angle) - 1.5 * kGravityOfRod * std::cos(angle) / kRodLength,
                1e-4)
        << formulation.name;  // the shaft yields by 1e-6 of it
    EXPECT_NEAR(found.B(2 + pin, 0), 3 / (kRodMass * kRodLength * kRodLength), 1e-5) << formulation.name;
  }
}

/// At rest, as `modes` sees it: nothing moves at the start, drivers stand where they are at t = 0, states are balanced.
Mechanism at_rest(Mechanism mechanism) {
  for (Body& body : mechanism.bodies) body.initial_velocity.reset(), body.initial_angular_velocity.reset();
  for (Joint& joint : mechanism.joints) joint.initial_velocity.reset();
  mechanism.initial_motion.reset();
  for (Driver& driver : mechanism.drivers) {
    if (driver.signal < 0 && !driver.rotation) driver.position = Function::constant(driver.position(0));
  }
  return mechanism;
}

/// What lets models rest that are driven as they are.
std::map<std::string, double> resting_parameters(const std::string& model) {
  if (model == "iltis_driven" || model == "forklift") return {{"speed", 0}};
  return {};
}

/// How far the value of `from` that is farthest from all of `to` is from the nearest.
double farthest(const std::vector<std::complex<double>>& from, const std::vector<std::complex<double>>& to) {
  double worst = 0;
  for (const auto& one : from) {
    double nearest = 1e300;
    for (const auto& other : to) nearest = std::min(nearest, std::abs(one - other));
    worst = std::max(worst, nearest);
  }
  return worst;
}

/// The eigenvalues of A are those of `modes`, with a conjugate for each complex one and a pair of zeros for rigid ones,
/// and no others; of models with states and drivers too.
TEST(LinearSystem, OfEveryModelHasTheEigenvaluesOfItsModes) {
  int compared = 0, with_states = 0, with_drivers = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::string(CARDAN_SOURCE_DIR) + "/models")) {
    if (file.path().extension() != ".yaml") continue;
    const std::string model = file.path().stem().string();
    Mechanism mechanism = at_rest(read_mechanism(file.path().string(), resting_parameters(model)));
    const Equilibrium equilibrium = find_equilibrium(mechanism);
    ASSERT_TRUE(equilibrium.converged) << model << ": " << equilibrium.reason;
    for (std::size_t i = 0; i < mechanism.states.size(); ++i) mechanism.states[i].start = equilibrium.states[i];
    const Linearization rest = linearize(mechanism, equilibrium);
    const System system(mechanism, "hybrid", {.cut = mechanism.simulation.cut, .poses = equilibrium.bodies});
    Eigen::MatrixXd A = linearize(system, system.start()).A;
    // Pa beside rad: eigenvalues are found to rounding of the largest entry, so every state in its own unit.
    for (std::size_t i = 0; i < mechanism.states.size(); ++i) {
      const Eigen::Index at = A.rows() - std::ssize(mechanism.states) + static_cast<Eigen::Index>(i);
      A.row(at) /= mechanism.states[i].scale;
      A.col(at) *= mechanism.states[i].scale;
    }
    const Eigen::VectorXcd found = A.size() > 0 ? Eigen::VectorXcd(A.eigenvalues()) : Eigen::VectorXcd();
    std::vector<std::complex<double>> values(found.begin(), found.end()), moving, rigid{0};
    double fastest = 0;
    for (const auto& value : values) fastest = std::max(fastest, std::abs(value));
    for (const Mode& mode : rest.modes) {
      if (mode.rigid)
        rigid.push_back(mode.eigenvalue);
      else
        moving.push_back(mode.eigenvalue), moving.push_back(std::conj(mode.eigenvalue));
    }
    EXPECT_EQ(values.empty(), rest.modes.empty()) << model;
    // A pair of equal eigenvalues is found to the root of the differences' error.
    EXPECT_LT(farthest(moving, values), 1e-6 * (1 + fastest)) << model;
    if (rigid.size() > 1) EXPECT_LT(farthest(rigid, values), 1e-4 * (1 + fastest)) << model;
    moving.insert(moving.end(), rigid.begin(), rigid.end());
    // The controller of this one rests on its lower limit, a kink: `modes` sees the side within, differences both.
    if (model != "iltis_driven") EXPECT_LT(farthest(values, moving), 1e-4 * (1 + fastest)) << model;
    ++compared;
    with_states += !mechanism.states.empty();
    with_drivers += !mechanism.drivers.empty();
  }
  EXPECT_GE(compared, 23);
  EXPECT_GE(with_states, 4);
  EXPECT_GE(with_drivers, 3);
}

}  // namespace
}  // namespace cardan
