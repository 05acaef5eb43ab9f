// Every integrator has its theoretical order on every formulation, or is refused by name: on the mechanism with stiff
// loads. The study `orders` shows all six, with longer ladders.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cardan/registry.hpp"
#include "studies/orders/next_term.hpp"
#include "studies/orders/order_run.hpp"

namespace cardan {
namespace {

constexpr int kRungs = 3;

class Orders : public testing::TestWithParam<int> {};

TEST_P(Orders, AreTheTheoreticalOnes) {
  const OrderCase mechanism = order_cases().at(GetParam());
  const OrderReference reference = order_reference(mechanism);
  EXPECT_LT(reference.uncertainty, 1e-7);
  int combinations = 0, refused = 0, refused_by_name = 0;
  for (const RegistryEntry& formulation : formulations()) {
    for (const RegistryEntry& integrator : integrators()) {
      const OrderResult result =
          measure_order(mechanism, reference, std::string(formulation.name), std::string(integrator.name), kRungs);
      ++combinations;
      refused += !result.refused.empty();
      refused_by_name += !why_not(formulation.name, integrator.name).empty();
      if (!result.refused.empty() || result.good() || result.above()) continue;
      ADD_FAILURE() << mechanism.name << ", " << result.formulation << ", " << result.integrator << ": order "
                    << result.order << ", theory " << result.theoretical << " " << result.failure;
    }
  }
  EXPECT_GE(combinations - refused_by_name, 39);
  EXPECT_LT(refused - refused_by_name, 6);  // recursive: massless bodies that only a loop holds
}

/// An order above theory is one whose leading term is small beside the next. Of two errors with their signs
///     E(h) = C h^5 + D h^6 ,   r^6 E(h/r) - E(h) = (r - 1) C h^5
/// is without the second, and falls with the fifth power though the errors themselves fall faster.
TEST(LeadingTerm, OfDopri5IsOfOrderFiveWhereItsErrorsFallFaster) {
  const OrderCase mechanism = order_cases().at(3);  // massless body
  const OrderReference reference = order_reference(mechanism);
  const auto without_next = [](const OrderSamples& longer, const OrderSamples& shorter, const OrderSamples& exact) {
    double largest = 0;
    const auto see = [&](const auto& a, const auto& b, const auto& c) {
      for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < a[i].size(); ++k)
          largest = std::max(largest, std::abs(64 * (b[i][k] - c[i][k]) - (a[i][k] - c[i][k])));
    };
    see(longer.position, shorter.position, exact.position);
    see(longer.velocity, shorter.velocity, exact.velocity);
    return largest;
  };
  for (const char* formulation : {"topological", "hybrid", "global", "cartesian"}) {
    OrderSamples runs[3];
    for (int i = 0; i < 3; ++i)
      runs[i] = run_with_step(mechanism, formulation, "dopri5", mechanism.longest_step / std::pow(2, i));
    const auto error = [&](int i) { return difference(runs[i], reference.samples); };
    EXPECT_GT(std::log2(error(0) / error(1)), 5.2) << formulation;
    EXPECT_NEAR(std::log2(without_next(runs[0], runs[1], reference.samples) /
                          without_next(runs[1], runs[2], reference.samples)),
                5, 0.2)
        << formulation;
  }
}

/// Errors made of two terms: the fit finds both, and the step at which the slope comes within 0.2 of the first.
TEST(LeadingTerm, AndTheNextAreFoundFromErrors) {
  for (const int power : {1, 2}) {
    const double a = 184, b = power == 1 ? 9e4 : 4e7;
    const auto error = [&](double h) { return a * std::pow(h, 5) + b * std::pow(h, 5 + power); };
    OrderResult result;
    result.theoretical = 5;
    for (double h = 5e-3; h > 1e-3; h /= std::sqrt(2)) {
      result.steps.push_back(h);
      result.errors.push_back(error(h));
    }
    result.told = result.steps.size();
    const NextTerm next = fit_next_term(result);
    EXPECT_EQ(next.power, power);
    EXPECT_NEAR(next.leading, a, 1e-6 * a);
    EXPECT_NEAR(next.next, b, 1e-6 * b);
    EXPECT_LT(next.largest_misfit, 1e-9);
    const double slope = std::log(error(1.001 * next.step) / error(next.step / 1.001)) / std::log(1.001 * 1.001);
    EXPECT_NEAR(slope, 5 + kOrderMargin, 1e-4);
    EXPECT_NEAR(next.error, error(next.step), 1e-6 * next.error);
  }
}

/// What Newton's iteration leaves of a stage is judged by velocities: over short steps it would add up in them.
TEST(ShortSteps, KeepTheOrderOfImplicitStages) {
  constexpr double rounding = 3e-12;
  int measured = 0;
  for (int index : {0, 2}) {
    const OrderCase mechanism = order_cases().at(index);
    const OrderReference reference = order_reference(mechanism);
    const double step = mechanism.longest_step / 4;
    for (const char* formulation : {"topological", "hybrid", "global", "cartesian"}) {
      for (const char* integrator : {"sdirk4", "gauss4"}) {
        double before = 0;
        for (const double h : {step, step / 4, step / 16}) {
          const double error = difference(run_with_step(mechanism, formulation, integrator, h), reference.samples);
          if (before > 0)
            EXPECT_LT(error, std::max(before / 128, rounding)) << mechanism.name << formulation << integrator << h;
          before = error;
          ++measured;
        }
      }
    }
  }
  EXPECT_EQ(measured, 2 * 4 * 2 * 3);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Orders, testing::Values(4));

}  // namespace
}  // namespace cardan
