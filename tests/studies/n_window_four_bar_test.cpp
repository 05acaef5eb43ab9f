#include "studies/double_four_bar/n_window_four_bar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "studies/parallel.hpp"

namespace cardan {
namespace {

TEST(NWindowFourBar, HasTheLinksAndJointsOfNWindows) {
  for (int n : {1, 2, 40}) {
    const Mechanism linkage = n_window_four_bar(n);
    EXPECT_TRUE(linkage.planar);
    EXPECT_EQ(linkage.bodies.size(), 2U * n + 1);
    EXPECT_EQ(linkage.joints.size(), 3U * n + 1);
    const double mass = std::accumulate(linkage.bodies.begin(), linkage.bodies.end(), 0.0,
                                        [](double sum, const Body& body) { return sum + body.mass; });
    EXPECT_DOUBLE_EQ(mass, 2 * n + 1);
  }
}

/// Energy is the first integral of phi'' = k sin phi:
/// phi'^2 = 1 + 2 k (1 - cos phi).
TEST(NWindowFourBar, ClosedFormKeepsItsEnergy) {
  for (int n : {1, 2, 10}) {
    const double k = 9.81 * ((n + 1) / 2.0 + n) / ((n + 1) / 3.0 + n);
    for (double t : {0.3, 1.0, 2.0, 7.7, 9.9}) {
      const double d = 1e-3;  // fourth-order central difference
      const double rate = (8 * (n_window_closed_form(n, t + d) - n_window_closed_form(n, t - d)) -
                           (n_window_closed_form(n, t + 2 * d) - n_window_closed_form(n, t - 2 * d))) /
                          (12 * d);
      const double phi = n_window_closed_form(n, t);
      EXPECT_NEAR(rate * rate, 1 + 2 * k * (1 - std::cos(phi)), 1e-7) << n << " windows, t = " << t;
    }
  }
}

TEST(NWindowFourBar, ClosedFormStartsUprightAtOneRadianPerSecond) {
  EXPECT_EQ(n_window_closed_form(2, 0), 0);
  EXPECT_NEAR(n_window_closed_form(2, 1e-3), 1e-3, 1e-8);
}

TEST(ForEachIndex, DoesEveryJobOnceOnAnyNumberOfThreads) {
  for (unsigned threads : {1U, 2U, 7U}) {
    std::vector<int> done(1000, 0);
    for_each_index(done.size(), threads, [&done](std::size_t i) { ++done[i]; });
    EXPECT_EQ(std::count(done.begin(), done.end(), 1), 1000);
  }
  for_each_index(0, 2, [](std::size_t) { FAIL(); });
}

TEST(ForEachIndex, AnExceptionComesBackToTheCaller) {
  EXPECT_THROW(for_each_index(100, 2,
                              [](std::size_t i) {
                                if (i == 17) throw std::runtime_error("17");
                              }),
               std::runtime_error);
}

}  // namespace
}  // namespace cardan
