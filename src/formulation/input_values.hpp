// What Context::inputs holds of every input, four numbers: the value u0 that was given last, what signals saw of it
// when it was given, y0, when that was, t0, and its slope s. Between two values a signal with a lag L goes by
//     L y' = u - y,   u = u0 + s (t - t0),   y = u - L s + (y0 - u0 + L s) exp(-(t - t0) / L)
// exactly, so that its rates are known at any time and drivers may follow it.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cardan/mechanism.hpp"

namespace cardan {

namespace input_values {

constexpr int kNumbers = 4;

inline VecX at_start(const Mechanism& mechanism, double t = 0) {
  VecX inputs(kNumbers * static_cast<Eigen::Index>(mechanism.inputs.size()));
  for (std::size_t i = 0; i < mechanism.inputs.size(); ++i) {
    const Input& input = mechanism.inputs[i];  // those that are sampled have not been yet
    inputs.segment<kNumbers>(kNumbers * static_cast<Eigen::Index>(i)) << input.start, input.start, t - input.period, 0;
  }
  return inputs;
}

/// What signals see of an input at time t, with its rates.
inline Function::Value seen(const Input& input, const VecX& inputs, std::size_t index, double t) {
  const double* numbers = inputs.data() + kNumbers * index;
  const double u0 = numbers[0], y0 = numbers[1], elapsed = t - numbers[2], slope = numbers[3], L = input.lag;
  const double u = slope == 0 ? u0 : u0 + slope * elapsed;
  if (!(L > 0)) return {u, slope, 0};
  const double rest = (y0 - u0 + L * slope) * std::exp(-elapsed / L);
  return {u - L * slope + rest, slope - rest / L, rest / (L * L)};
}

/// What an input takes of a value that somebody gives it: within its limits. Throws std::invalid_argument.
inline double admitted(const Mechanism& mechanism, int index, double value) {
  if (index < 0 || index >= std::ssize(mechanism.inputs)) throw std::invalid_argument("there is no such input");
  const Input& input = mechanism.inputs[static_cast<std::size_t>(index)];
  if (!input.is_given())
    throw std::invalid_argument("'" + input.name + "' is sampled by the model itself and takes no value");
  if (std::isnan(value)) throw std::invalid_argument("input '" + input.name + "' is not a number");
  return std::clamp(value, input.min, input.max);
}

/// From time t on it is `value` and goes on with `slope`. True when that makes a jump of what signals see, or of its
/// rate.
inline bool set(const Input& input, VecX& inputs, std::size_t index, double t, double value, double slope = 0) {
  const double* numbers = inputs.data() + kNumbers * index;
  if (numbers[0] == value && numbers[3] == 0 && slope == 0) return false;
  const Function::Value before = seen(input, inputs, index, t);
  const double u = numbers[0] + numbers[3] * (t - numbers[2]);
  inputs.segment<kNumbers>(static_cast<Eigen::Index>(kNumbers * index)) << value, before.f, t, slope;
  return std::abs(u - value) > 1e-12 * std::abs(value);
}

}  // namespace input_values
}  // namespace cardan
