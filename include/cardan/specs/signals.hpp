// What a model takes from outside, states of its own, and signals that it names. Part of specs.hpp.
#pragma once

#include <optional>

#include "cardan/companion.hpp"
#include "cardan/signals.hpp"
#include "cardan/specs/places.hpp"

namespace cardan {

/// A value from outside.
struct InputSpec {
  Name name;
  std::optional<Number> start;     // default: 0, or the bound next to it
  std::optional<Number> min, max;  // in the unit of the input, as `start`
  std::optional<Number> lag;       // s
  std::string unit;
  Provenance provenance = {};
};

/// A scalar with z' = rate.
struct StateSpec {
  Name name;
  std::optional<Number> start;
  std::optional<Number> scale;  // default: that of `start`, or 1
  Located<Varying> rate;
  std::string unit;
  Provenance provenance = {};
};

/// A named signal: an expression, or a quantity of the motion. With `period` it is sampled: it takes the value that the
/// expression has at 0, period, 2 period, ..., and holds it; the expression may then name the signal itself, which is
/// the value before.
struct SignalSpec {
  enum class Kind { value, angle, distance, position, velocity, acceleration, angular_velocity };
  Name name;
  Kind kind = Kind::value;
  Located<Varying> value;
  Name body1 = "ground", body2;    // distance: both; angle: of body2 from body1; else body2
  std::optional<Place> at1, at2;   // distance: both; else at2, default: the mass centre
  std::optional<Direction> about;  // angle
  Name axes = "ground";            // position, velocity, ...: the body in whose axes it is told
  std::optional<Number> period;    // s; value only
  std::optional<Number> start;     // sampled: what it is before the first sample; default: 0
  std::string unit;
  Provenance provenance = {};
};

/// What another program computes in steps of `period`; its outputs are signals NAME.OUTPUT.
struct CompanionSpec {
  struct InputOf {
    Name variable;  // of the companion
    Located<Varying> value;
  };
  struct Output {
    Name variable;
    double start = 0;  // before it has been asked
    std::string unit;
  };
  Name name;
  Number period;
  std::vector<InputOf> inputs;  // in the order of the model's
  std::vector<Output> outputs;
  std::shared_ptr<const CompanionModel> model;
  Provenance provenance = {};
};

}  // namespace cardan
