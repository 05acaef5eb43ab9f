// Short models for tests of the reader.
#pragma once

#include <map>
#include <string>

#include "cardan/io.hpp"

namespace cardan {

inline constexpr double kRounding = 1e-14;

inline Mechanism read(const std::string& text, const std::map<std::string, double>& parameters = {}) {
  return read_mechanism_text("cardan: 1\n" + text, "model.yaml", parameters);
}

inline std::string error_of(const std::string& text, const std::map<std::string, double>& parameters = {}) {
  try {
    read(text, parameters);
    return "";
  } catch (const ModelError& e) {
    return e.what();
  }
}

inline const char* const kPendulum = R"(
planar: true
parameters: {L: 2.0, m: 3*rho, rho: L/4}
points: {O: [0, 0], A: [L, 0]}
bodies: {arm: {rod: [O, A], mass: m}}
joints: {pin: {revolute: [ground, arm], at: O}}
)";

inline const char* const kTwoBodies = R"(
parameters: {c: 0.6, s: 0.8}
points: {O: [0, 0, 0], A: [1, 0, 0], B: [1, 3, 4]}
bodies: {a: {rod: [O, A], mass: 1, radius: 0.1}, b: {rod: [A, B], mass: 1, radius: 0.1}}
markers: {tip: {body: a, at: A, axes: {x: y, z: z}}}
)";

}  // namespace cardan
