// The order conditions of every tableau, one for each rooted tree with up to five nodes, and the stability that is
// claimed.
#include "integration/butcher_tableau.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <complex>

#include "options/integrators.hpp"

namespace cardan {
namespace {

constexpr double kRounding = 1e-13;

/// The largest defect of the conditions of exactly this order for the weights b.
double defect(const ButcherTableau& t, const VecX& b, int order) {
  const VecX c = t.c, c2 = c.cwiseProduct(c), c3 = c2.cwiseProduct(c), Ac = t.A * c, Ac2 = t.A * c2, AAc = t.A * Ac;
  const auto dot = [&](const VecX& x) { return b.dot(x); };
  std::vector<double> off;
  switch (order) {
    case 1:
      off = {b.sum() - 1};
      break;
    case 2:
      off = {dot(c) - 1.0 / 2};
      break;
    case 3:
      off = {dot(c2) - 1.0 / 3, dot(Ac) - 1.0 / 6};
      break;
    case 4:
      off = {dot(c3) - 1.0 / 4, dot(c.cwiseProduct(Ac)) - 1.0 / 8, dot(Ac2) - 1.0 / 12, dot(AAc) - 1.0 / 24};
      break;
    case 5:
      off = {dot(c2.cwiseProduct(c2)) - 1.0 / 5,
             dot(c2.cwiseProduct(Ac)) - 1.0 / 10,
             dot(c.cwiseProduct(Ac2)) - 1.0 / 15,
             dot(c.cwiseProduct(AAc)) - 1.0 / 30,
             dot(Ac.cwiseProduct(Ac)) - 1.0 / 20,
             dot(t.A * c3) - 1.0 / 20,
             dot(t.A * c.cwiseProduct(Ac)) - 1.0 / 40,
             dot(t.A * Ac2) - 1.0 / 60,
             dot(t.A * AAc) - 1.0 / 120};
      break;
  }
  double worst = 0;
  for (double value : off) worst = std::max(worst, std::abs(value));
  return worst;
}

/// R(z) = 1 + z b^T (I - z A)^-1 1
std::complex<double> stability(const ButcherTableau& t, std::complex<double> z) {
  const int s = t.stages();
  const Eigen::MatrixXcd left = Eigen::MatrixXcd::Identity(s, s) - z * t.A.cast<std::complex<double>>();
  const Eigen::VectorXcd x = left.partialPivLu().solve(Eigen::VectorXcd::Ones(s));
  return 1.0 + z * (t.b.cast<std::complex<double>>().array() * x.array()).sum();
}

TEST(ButcherTableau, HasTheOrderItClaimsAndNoMore) {
  for (const ButcherTableau& t : ButcherTableau::all()) {
    for (int order = 1; order <= t.order; ++order) EXPECT_LT(defect(t, t.b, order), kRounding) << t.name << order;
    if (t.order < 5) {
      EXPECT_GT(defect(t, t.b, t.order + 1), 1e-4) << t.name;
    }
    if (t.embedded_order == 0) continue;
    for (int order = 1; order <= t.embedded_order; ++order) {
      EXPECT_LT(defect(t, t.embedded, order), kRounding) << t.name << order;
    }
    EXPECT_GT(defect(t, t.embedded, t.embedded_order + 1), 1e-5) << t.name;
  }
}

TEST(ButcherTableau, NodesAreTheSumsOfTheRows) {
  for (const ButcherTableau& t : ButcherTableau::all())
    EXPECT_LT((t.A.rowwise().sum() - t.c).norm(), kRounding) << t.name;
}

TEST(ButcherTableau, IsFoundByTheNameOfEveryRungeKuttaIntegratorWithItsOrder) {
  std::size_t found = 0;
  for (const RegistryEntry& integrator : integrators()) {
    const IntegratorEntry& entry = integrator_entry(integrator.name);
    const bool implicit = entry.family == Family::implicit_runge_kutta;
    if (entry.family != Family::explicit_runge_kutta && !implicit) {
      EXPECT_THROW(ButcherTableau::of(integrator.name), std::invalid_argument);
      continue;
    }
    const ButcherTableau& tableau = ButcherTableau::of(integrator.name);
    EXPECT_EQ(tableau.name, integrator.name);
    EXPECT_EQ(tableau.order, entry.order) << tableau.name;
    EXPECT_EQ(tableau.is_explicit(), !implicit) << tableau.name;
    ++found;
  }
  EXPECT_EQ(found, ButcherTableau::all().size());
}

TEST(ButcherTableau, KnowsWhatKindItIs) {
  EXPECT_FALSE(ButcherTableau::of("rk4").first_same_as_last());
  EXPECT_TRUE(ButcherTableau::of("dopri5").first_same_as_last());
  EXPECT_FALSE(ButcherTableau::of("rk4").is_singly_diagonal());
  EXPECT_TRUE(ButcherTableau::of("sdirk3").is_singly_diagonal());
  EXPECT_TRUE(ButcherTableau::of("sdirk4").is_singly_diagonal());
}

TEST(ButcherTableau, ImplicitMethodsAreAStable) {
  for (const ButcherTableau& t : ButcherTableau::all()) {
    if (t.is_explicit()) continue;
    for (double y = 1e-3; y < 1e6; y *= 1.3) EXPECT_LE(std::abs(stability(t, {0, y})), 1 + 1e-9) << t.name << " " << y;
  }
  EXPECT_LT(std::abs(stability(ButcherTableau::of("sdirk4"), {-1e9, 0})), 1e-7);  // L-stable
}

}  // namespace
}  // namespace cardan
