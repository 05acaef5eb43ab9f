#include "sweep/sampler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace cardan {
namespace {

/// One word from three, by the finalizer of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}
std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) { return mixed(mixed(mixed(a) ^ b) ^ c); }

/// In the middle of one of 2^52 equal parts: never 0, never 1.
double inside(std::uint64_t digits) { return (static_cast<double>(digits) + 0.5) * 0x1p-52; }

double normal_below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// The x below which the part p of the standard normal distribution lies: Abramowitz and Stegun 26.2.23 to 5e-4, then
/// Halley's iteration, in the lower half, where nothing cancels.
double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);
  const double t = std::sqrt(-2 * std::log(p));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int i = 0; i < 3; ++i) {
    const double u = (normal_below(x) - p) * std::sqrt(2 * std::numbers::pi) * std::exp(0.5 * x * x);
    x -= u / (1 + 0.5 * x * u);
  }
  return x;
}

}  // namespace

std::uint64_t shuffled(std::uint64_t index, std::uint64_t size, std::uint64_t key) {
  // A Feistel network permutes the words of 2k bits; what falls outside goes round again.
  const int half = std::max(1, (static_cast<int>(std::bit_width(size - 1)) + 1) / 2);
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t next = left ^ (mixed(key, round, right) & mask);
      left = right;
      right = next;
    }
    index = left << half | right;
  } while (index >= size);
  return index;
}

Sampler::Sampler(SamplingMethod method, int dimensions, std::uint64_t points, std::uint64_t seed)
    : method_(method), points_(points), seed_(seed) {
  if (method == SamplingMethod::sobol)
    for (int i = 0; i < dimensions; ++i) sobol_.emplace_back(i);
}

double Sampler::operator()(std::uint64_t point, int dimension) const {
  const auto own = static_cast<std::uint64_t>(dimension);
  if (method_ == SamplingMethod::sobol) {
    const std::uint64_t shift = seed_ == 0 ? 0 : mixed(seed_, own, 0) >> 12;
    return inside(sobol_[static_cast<std::size_t>(dimension)].digits(point) ^ shift);
  }
  const double u = inside(mixed(seed_, own, point + 1) >> 12);
  if (method_ == SamplingMethod::random) return u;
  const auto stratum = static_cast<double>(shuffled(point, points_, mixed(seed_, own, 0)));
  // Within its stratum, whatever the rounding.
  const double low = stratum / static_cast<double>(points_), high = (stratum + 1) / static_cast<double>(points_);
  return std::clamp((stratum + u) / static_cast<double>(points_), low == 0 ? 0x1p-53 : low, std::nextafter(high, 0.0));
}

double Distribution::quantile(double u) const {
  if (kind == Kind::uniform) return first + u * (second - first);
  if (kind == Kind::log_uniform) return first * std::pow(second / first, u);
  const double low = std::isfinite(min) ? normal_below((min - first) / second) : 0;
  const double high = std::isfinite(max) ? normal_below((max - first) / second) : 1;
  return std::clamp(first + second * normal_quantile(low + u * (high - low)), min, max);
}

}  // namespace cardan
