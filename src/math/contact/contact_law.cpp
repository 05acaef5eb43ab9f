#include "math/contact/contact_law.hpp"

#include <algorithm>

namespace cardan {

double restitution_damping(double restitution) {
  const double e = std::max(restitution, kLeastRestitution);
  if (e >= 1) return 0;
  const auto surplus = [&](double s) { return (1 + e) * s - std::log1p(s) + std::log1p(-e * s); };
  // Above 0 up to the root and below from there on; near s = 0 it is s^2 (1 - e^2) / 2.
  double low = 0, high = 1 / e;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (surplus(middle) > 0 ? low : high) = middle;
  }
  return low;
}

double elastic_share(double s) {
  if (s < 1e-4) return 0.5 - s / 3;
  constexpr double kCritical = 2;
  return std::min(s - std::log1p(s), kCritical) / (s * s);
}

}  // namespace cardan
