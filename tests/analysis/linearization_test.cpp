// Eigenvalues against closed forms and against the motion of a simulation.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "cardan/analysis.hpp"
#include "cardan/builder.hpp"
#include "sprung_mass.hpp"

namespace cardan {
namespace {

constexpr double kWeight = 9.81;

double omega(const Mode& mode) { return 2 * M_PI * mode.natural_frequency; }
std::complex<double> entry(const Linearization& l, const Mode& mode, const std::string& column) {
  const auto found = std::find(l.columns.begin(), l.columns.end(), column);
  if (found == l.columns.end()) throw std::out_of_range(column);
  return mode.shape[found - l.columns.begin()];
}

TEST(Linearization, OfAPendulum) {
  MechanismBuilder b("pendulum");
  b.planar().gravity({0, -kWeight, 0});
  b.rod("arm", Place(0, 0), Place(0, -0.8), 2).revolute("pin", "ground", "arm", Place(0, 0));
  const Linearization l = linearize(b.build());
  ASSERT_EQ(l.modes.size(), 1U);
  EXPECT_NEAR(omega(l.modes[0]), std::sqrt(1.5 * kWeight / 0.8), 1e-11);
  EXPECT_EQ(l.modes[0].damping_ratio, 0);
  EXPECT_NEAR(std::abs(entry(l, l.modes[0], "pin.q") - 1.0), 0, 1e-12);
  EXPECT_NEAR(entry(l, l.modes[0], "arm.x").real(), 0.4, 1e-12);
  EXPECT_TRUE(l.notes.empty());
}

TEST(Linearization, OfAnInvertedPendulumGrowsAndDecays) {
  MechanismBuilder b("pendulum");
  b.gravity({0, 0, -kWeight});
  b.cylinder("arm", Vec3(0, 0, 0), Vec3(0, 0, 1), 0.1, 2)
      .revolute("pin", "ground", "arm", Vec3(0, 0, 0), Direction(1, 0.3, 0));
  const Linearization l = linearize(b.build());
  ASSERT_EQ(l.modes.size(), 2U);
  const double inertia = 2 * (1.0 / 3 + 0.25 * 0.01), rate = std::sqrt(2 * kWeight * 0.5 / inertia);
  EXPECT_NEAR(std::abs(l.modes[0].eigenvalue), rate, 1e-10);
  EXPECT_NEAR(std::abs(l.modes[1].eigenvalue), rate, 1e-10);
  EXPECT_EQ(l.modes[0].unstable + l.modes[1].unstable, 1);
  EXPECT_EQ(l.modes[0].frequency, 0);
}

TEST(Linearization, OfADoublePendulumOfPointMasses) {
  MechanismBuilder b("double");
  b.planar().gravity({0, -kWeight, 0});
  b.body("one", 1, Place(0, -1)).body("two", 1, Place(0, -2));
  b.revolute("upper", "ground", "one", Place(0, 0)).revolute("lower", "one", "two", Place(0, -1));
  const Linearization l = linearize(b.build());
  ASSERT_EQ(l.modes.size(), 2U);
  EXPECT_NEAR(omega(l.modes[0]), std::sqrt(kWeight * (2 - std::sqrt(2))), 1e-10);
  EXPECT_NEAR(omega(l.modes[1]), std::sqrt(kWeight * (2 + std::sqrt(2))), 1e-10);
  // Angles of the two: 1 to sqrt 2 in the slow mode, against each other in the fast one.
  for (int i = 0; i < 2; ++i) {
    const auto ratio = entry(l, l.modes[i], "two.angle") / entry(l, l.modes[i], "one.angle");
    EXPECT_NEAR(std::abs(ratio - (i == 0 ? 1 : -1) * std::sqrt(2)), 0, 1e-9);
  }
}

TEST(Linearization, OfADampedMassIsTheTextbooks) {
  const double m = 2, k = 50;
  for (const double ratio : {0.05, 0.7, 2.0}) {
    const double w = std::sqrt(k / m), c = 2 * ratio * m * w;
    MechanismBuilder b("mass");
    b.planar().gravity({0, 0, 0});
    b.box("mass", {1, 1, 1}, Place(0, 0), m).prismatic("slide", "ground", "mass", Place(0, 0), Direction(3, 4));
    b.add(JointSpringSpec{
        .name = "spring", .joint = "slide", .torsion = false, .stiffness = Number(k), .damping = Number(c)});
    const Linearization l = linearize(b.build());
    if (ratio < 1) {
      ASSERT_EQ(l.modes.size(), 1U);
      EXPECT_NEAR(l.modes[0].damping_ratio, ratio, 1e-12);
      EXPECT_NEAR(omega(l.modes[0]), w, 1e-11);
      EXPECT_NEAR(2 * M_PI * l.modes[0].frequency, w * std::sqrt(1 - ratio * ratio), 1e-11);
    } else {
      ASSERT_EQ(l.modes.size(), 2U);
      EXPECT_NEAR(l.modes[0].eigenvalue.real(), -w * (ratio - std::sqrt(ratio * ratio - 1)), 1e-11);
      EXPECT_NEAR(l.modes[1].eigenvalue.real(), -w * (ratio + std::sqrt(ratio * ratio - 1)), 1e-11);
      EXPECT_EQ(l.modes[0].frequency, 0);
      EXPECT_FALSE(l.modes[0].unstable);
    }
  }
}

TEST(Linearization, OfABodyOnSpringsHasSixModes) {
  MechanismBuilder b("block");
  b.gravity({0, 0, 0});
  const Vec3 inertia(0.3, 0.5, 0.6);
  const Vec3 center(0.2, -0.1, 0.4);
  b.body("block", 3, center, Mat3(inertia.asDiagonal())).free("base", "ground", "block");
  Eigen::Matrix<double, 6, 6> K = Eigen::Matrix<double, 6, 6>::Zero(), M = K;
  M.diagonal() << 3, 3, 3, inertia;
  int count = 0;
  for (const auto& [at, direction] : {std::pair{Vec3(0.3, 0.2, 0.1), Vec3(1, 0.2, 0)},
                                      {Vec3(-0.3, 0.1, 0.2), Vec3(0.1, 1, 0)},
                                      {Vec3(0.2, -0.3, 0.3), Vec3(0, 0.3, 1)},
                                      {Vec3(0, 0.3, -0.2), Vec3(1, -1, 0.4)},
                                      {Vec3(-0.1, -0.2, -0.3), Vec3(-0.3, 0.5, 1)},
                                      {Vec3(0.3, -0.1, -0.1), Vec3(0.2, 1, -1)}}) {
    const double k = 100 + 30 * ++count;
    b.spring("spring" + std::to_string(count), "ground", "block", Vec3(center + at + direction), Vec3(center + at), k);
    const Vec3 n = direction.normalized();
    Eigen::Matrix<double, 6, 1> w;
    w << n, at.cross(n);
    K += k * w * w.transpose();
  }
  const Linearization l = linearize(b.build());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> expected(K, M);
  ASSERT_EQ(l.modes.size(), 6U);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(omega(l.modes[i]), std::sqrt(expected.eigenvalues()[i]), 1e-9);
    EXPECT_NEAR(l.modes[i].eigenvalue.real(), 0, 1e-11);
    // The shape is the eigenvector up to a factor.
    VecX shape(6);
    int at = 0;
    for (const char* column : {"block.x", "block.y", "block.z", "block.rx", "block.ry", "block.rz"}) {
      EXPECT_NEAR(entry(l, l.modes[i], column).imag(), 0, 1e-9);
      shape[at++] = entry(l, l.modes[i], column).real();
    }
    const VecX should = expected.eigenvectors().col(i);
    EXPECT_NEAR(std::abs(shape.normalized().dot(should.normalized())), 1, 1e-9);
  }
  EXPECT_LT((l.stiffness - l.stiffness.transpose()).norm(), 1e-10 * l.stiffness.norm());
}

TEST(Linearization, FeelsTheTensionOfSprings) {
  // Across a taut string: m w^2 = 2 T / L, with no stiffness of the material.
  MechanismBuilder b("string");
  b.planar().gravity({0, 0, 0});
  b.body("bead", 0.5, Place(0, 0), 0.01).prismatic("slide", "ground", "bead", Place(0, 0), Direction(0, 1));
  for (const double side : {-1.0, 1.0}) {
    b.add(SpringSpec{.name = side < 0 ? "left" : "right",
                     .body1 = "ground",
                     .body2 = "bead",
                     .at1 = Place(2 * side, 0),
                     .at2 = Place(0, 0),
                     .stiffness = Number(40),
                     .free_length = Number(1.5)});
  }
  const Linearization l = linearize(b.build());
  ASSERT_EQ(l.modes.size(), 1U);
  EXPECT_NEAR(omega(l.modes[0]), std::sqrt(2 * 40 * 0.5 / 2 / 0.5), 1e-11);
}

TEST(Linearization, OfAChainOfMassesIsTheSineLaw) {
  const int n = 20;
  const double m = 0.3, k = 700;
  MechanismBuilder b("chain");
  b.planar().gravity({0, 0, 0});
  std::string before = "ground";
  for (int i = 1; i <= n; ++i) {
    const std::string name = "m" + std::to_string(i);
    b.body(name, m, Place(i, 0), 0.1).prismatic("rail" + name, "ground", name, Place(i, 0), Direction(1, 0));
    b.spring("spring" + name, before, name, Place(i - 1, 0), Place(i, 0), k);
    before = name;
  }
  b.spring("last", before, "ground", Place(n, 0), Place(n + 1, 0), k);
  const Linearization l = linearize(b.build());
  ASSERT_EQ(l.modes.size(), static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(omega(l.modes[i]), 2 * std::sqrt(k / m) * std::sin((i + 1) * M_PI / (2 * (n + 1))), 1e-9);
  }
}

TEST(Linearization, OfAHangingChainApproachesTheRope) {
  // A rope of length L swings at (j0 / 2) sqrt(g / L), j0 the first zero of the Bessel function.
  const int n = 30;
  MechanismBuilder b("rope");
  b.planar().gravity({0, -kWeight, 0});
  std::string before = "ground";
  for (int i = 0; i < n; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.rod(name, Place(0, -static_cast<double>(i) / n), Place(0, -(i + 1.0) / n), 1.0 / n);
    b.revolute("pin" + std::to_string(i), before, name, Place(0, -static_cast<double>(i) / n));
    before = name;
  }
  const Linearization l = linearize(b.build());
  EXPECT_NEAR(omega(l.modes[0]), 0.5 * 2.404825557695773 * std::sqrt(kWeight), 0.005);
}

/// A spring of no free length resists all motions of its ends alike, where they meet too: F = k d.
TEST(Linearization, OfASpringWithoutFreeLengthWhoseEndsMeet) {
  for (bool planar : {true, false}) {
    const Vec3 at(0.25, -0.5, planar ? 0 : 0.75);
    SpringSpec spring{.name = "spring", .stiffness = Number(100.0), .free_length = Number(0.0)};
    const Mechanism mechanism = sprung_mass(planar, 10, at, at + Vec3(0.125, 0, 0), spring).build();
    const Equilibrium equilibrium = find_equilibrium(mechanism);
    const Linearization modes = linearize(mechanism, equilibrium);
    const int translations = planar ? 2 : 3, turns = planar ? 1 : 3;
    ASSERT_EQ(static_cast<int>(modes.modes.size()), translations + turns);
    for (int i = 0; i < turns; ++i) EXPECT_TRUE(modes.modes[i].rigid) << planar << i;
    for (int i = turns; i < translations + turns; ++i) {
      EXPECT_NEAR(modes.modes[i].frequency, std::sqrt(100.0 / 10) / (2 * std::numbers::pi), 1e-9) << planar << i;
    }
    EXPECT_TRUE(equilibrium.converged);
    EXPECT_EQ(equilibrium.unstable, 0);
    EXPECT_EQ(static_cast<int>(equilibrium.neutral.size()), turns);
  }
}

TEST(Linearization, ReportsRigidModesAsZero) {
  MechanismBuilder b("pair");
  b.gravity({0, 0, 0});
  b.body("one", 1, Vec3(0, 0, 0), Mat3(Vec3(0.1, 0.2, 0.25).asDiagonal())).free("f1", "ground", "one");
  b.body("two", 2, Vec3(1, 0, 0), Mat3(Vec3(0.2, 0.2, 0.3).asDiagonal()));
  b.prismatic("slide", "one", "two", Vec3(1, 0, 0), Direction("x"));
  b.spring("spring", "one", "two", Vec3(0, 0, 0), Vec3(1, 0, 0), 60);
  const Linearization l = linearize(b.build());
  ASSERT_EQ(l.modes.size(), 7U);
  for (int i = 0; i < 6; ++i) {
    EXPECT_TRUE(l.modes[i].rigid) << i;
    EXPECT_EQ(l.modes[i].natural_frequency, 0);
    EXPECT_FALSE(l.modes[i].unstable);
  }
  EXPECT_FALSE(l.modes[6].rigid);
  EXPECT_NEAR(omega(l.modes[6]), std::sqrt(60 * (1.0 / 1 + 1.0 / 2)), 1e-9);
}

TEST(Linearization, AwayFromRestSaysHowFar) {
  MechanismBuilder b("pendulum");
  b.planar().gravity({0, -kWeight, 0});
  b.rod("arm", Place(0, 0), Place(1, 0), 2).revolute("pin", "ground", "arm", Place(0, 0));
  const Linearization l = linearize(b.build());
  EXPECT_GT(l.force, 1);
  ASSERT_EQ(l.notes.size(), 1U);
  EXPECT_NE(l.notes[0].find("no equilibrium"), std::string::npos);
}

}  // namespace
}  // namespace cardan
