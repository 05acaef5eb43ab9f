// Sine and cosine written in their place, against those of the library.
#include "math/sine_cosine.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>
#include <random>

namespace cardan {
namespace {

double in_last_places(double value, long double exact) {
  const double size = static_cast<double>(std::abs(exact));
  return static_cast<double>(std::abs(value - exact)) /
         (std::nextafter(size, std::numeric_limits<double>::infinity()) - size);
}

void expect_close(double x, double places) {
  const auto [sine, cosine] = sine_and_cosine(x);
  EXPECT_LT(in_last_places(sine, std::sin(static_cast<long double>(x))), places) << x;
  EXPECT_LT(in_last_places(cosine, std::cos(static_cast<long double>(x))), places) << x;
}

TEST(SineCosine, AreTheLibrarysToAFewOfTheLastPlaces) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-30, std::log(3e6)), eighth(-0.785, 0.785);
  for (int i = 0; i < 200000; ++i) {
    expect_close((i % 2 == 0 ? 1 : -1) * std::exp(exponent(random)), 2.5);
    expect_close(eighth(random), 1);
  }
}

/// There one of them is all but zero: what is left of x has to keep its digits.
TEST(SineCosine, KeepTheirDigitsAtQuartersOfATurn) {
  for (int k = -300000; k < 300000; k += 7) expect_close(k * std::numbers::pi / 2, 2.5);
}

TEST(SineCosine, OfWhatIsNoAngleAreNoNumbers) {
  for (const double x : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sine_and_cosine(x).sine));
    EXPECT_TRUE(std::isnan(sine_and_cosine(x).cosine));
  }
  EXPECT_EQ(sine_and_cosine(0).sine, 0);
  EXPECT_EQ(sine_and_cosine(0).cosine, 1);
}

}  // namespace
}  // namespace cardan
