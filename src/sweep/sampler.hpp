// Points of the unit cube by their number: what a run draws depends on the seed, its number and the dimension alone, so
// that any worker can make any run, and nothing is kept for all of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sweep/sobol.hpp"

namespace cardan {

/// `random`: independent and even. `latin_hypercube`: of N points one in each Nth of every coordinate. `sobol`: the
/// sequence (sobol.hpp), its digits turned over by the seed where that is not 0.
enum class SamplingMethod { random, latin_hypercube, sobol };

inline constexpr std::string_view kSamplingMethods[] = {"random", "latin_hypercube", "sobol"};

class Sampler {
 public:
  Sampler(SamplingMethod method, int dimensions, std::uint64_t points, std::uint64_t seed);
  /// Above 0 and below 1.
  double operator()(std::uint64_t point, int dimension) const;

 private:
  SamplingMethod method_;
  std::uint64_t points_, seed_;
  std::vector<SobolDimension> sobol_;
};

/// The place of `index` in a shuffled order of 0 to size - 1, another one for every key.
std::uint64_t shuffled(std::uint64_t index, std::uint64_t size, std::uint64_t key);

/// A law that numbers are drawn from.
struct Distribution {
  enum class Kind { uniform, log_uniform, normal };
  Kind kind = Kind::uniform;
  double first = 0, second = 1;  // lowest and highest; of a normal one mean and standard deviation
  double min = 0, max = 0;       // of a normal one, beyond which nothing is drawn; infinite where there is none

  /// The value below which the part `u` lies.
  double quantile(double u) const;
};

}  // namespace cardan
