// Two chambers of fluid, a and b, with what displaces it between them: what cylinders and hydraulic motors share. With
// V the volume of a chamber and q_d what its displacement takes up,
//     p_a' = B/V_a (q_a - q_l - q_da),   p_b' = B/V_b (q_b + q_l - q_db),   q_l = c_l (p_a - p_b)
#pragma once

#include <array>
#include <string>

#include "cardan/specs/hydraulics.hpp"
#include "math/signal_law.hpp"

namespace cardan {

struct Fluid {
  double bulk, leak;

  /// Of one chamber: flow into its port, its pressure and that of the other.
  template <class T>
  T rate(const T& flow, const T& p, const T& other, const T& displaced, const T& volume) const {
    return bulk * (flow - leak * (p - other) - displaced) / volume;
  }
  template <class T>
  T leakage_loss(const T& pa, const T& pb) const {
    return leak * (pa - pb) * (pa - pb);
  }
  template <class T>
  T stored(const T& Va, const T& pa, const T& Vb, const T& pb) const {
    return (Va * pa * pa + Vb * pb * pb) / (2 * bulk);
  }
};

/// c v + F_c tanh(v/v0)
struct SealFriction {
  double viscous, coulomb, v0;

  template <class T>
  T operator()(const T& v) const {
    using std::tanh;
    return viscous * v + coulomb * tanh(v / v0);
  }
};

/// The pressures as states, and the sums of what valves and accumulators bring into the ports. law.rate(chamber, x), of
/// flow, pressure, that of the other chamber, and the signals of the motion.
template <class Law, std::size_t N>
void add_pressures(Lowering& to, const Name& element, const ChambersSpec& spec, const Law& law, const std::string& text,
                   const std::array<std::string, N>& motion) {
  constexpr double kScale = 1e7;  // Pa
  const char *p[] = {"pa", "pb"}, *q[] = {"qa", "qb"};
  const std::optional<Number>& start_b = spec.start_b ? spec.start_b : spec.start_a;
  const double start[] = {spec.start_a ? spec.start_a->value : 0, start_b ? start_b->value : 0};
  for (const char* flow : q) to.add_sum(flow, "m^3/s");
  for (int i = 0; i < 2; ++i) {
    std::array<std::string, N + 3> arguments{signal_name(element, q[i]), signal_name(element, p[i]),
                                             signal_name(element, p[1 - i])};
    for (std::size_t j = 0; j < N; ++j) arguments[3 + j] = motion[j];
    to.add_state(
        p[i], "Pa", start[i], kScale,
        signal_law(text + (i == 0 ? "a" : "b"), arguments, [law, i](const auto* x) { return law.rate(i, x); }));
  }
}

}  // namespace cardan
