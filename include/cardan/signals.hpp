// Signals: scalars that a state of the mechanism determines, by name. The names are those
// of the columns of trajectory.csv (`hinge.q`, `boom.vx`, `jack.length`), of inputs, states and signals of the model,
// and `t`. docs/signals.md is the reference.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "cardan/bodies.hpp"
#include "cardan/diagnostic.hpp"
#include "cardan/function.hpp"
#include "cardan/math.hpp"
#include "cardan/signal_expression.hpp"

namespace cardan {

/// What a Varying is in a Mechanism: function(t), and the value of Mechanism::signals[signal] where that is one.
struct Law {
  Function function;
  int signal = -1;

  Law() = default;
  Law(Function of_time, int follows = -1) : function(std::move(of_time)), signal(follows) {}
  bool is_zero() const { return signal < 0 && function.is_zero(); }
};

/// What an input is over time: at t[i] it becomes value[i], and until the next one it stays so or goes there straight.
struct InputTrack {
  std::vector<double> t, value;  // t rising
  bool held = true;
};

/// A value from outside, or one that a sampled controller holds: set while a simulation runs (Simulation::set_input),
/// from a file, or `start` all along.
struct Input {
  std::string name;
  SourceLocation where;
  double start = 0;
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  double lag = 0;  // s: what signals see follows the value by lag y' = value - y; 0: at once
  std::string unit;
  InputTrack track = {};  // empty: only what is set
  int source = -1;        // of a sampled signal: the signal whose value it takes every `period`, and holds
  double period = 0;      // s
  int companion = -1;     // of Mechanism::companions, which gives the value every `period`; or -1

  bool is_given() const { return source < 0 && companion < 0; }  // from outside
};

/// A scalar with an equation of first order of its own, z' = rate, integrated with the mechanism.
struct StateVariable {
  std::string name;
  SourceLocation where;
  double start = 0;
  double scale = 1;  // its usual size, which tolerances go by
  int rate = -1;     // a signal
  std::string unit;
};

/// When a signal is known. `sampled` ones need accelerations or reactions: they can be outputs, not part of a law.
enum class SignalLevel { given, position, velocity, sampled };

/// One scalar. Leaves look at time, inputs, states or bodies; others are made of `arguments`.
struct Signal {
  enum class Kind {
    time,
    input,         // Mechanism::inputs[index]
    state,         // Mechanism::states[index]
    coordinate,    // of Mechanism::joints[index], `component` counted from 0
    distance,      // of point1 on body1 and point2 on body2, drawn
    place,         // of point2 on body2 from point1, along `direction`, which moves with body1
    cosine,        // of `direction` on body1 and `direction2` on body2
    plane_angle,   // of body2 (planar mechanisms), over full turns
    velocity,      // of point2 on body2 in space, along `direction` on body1
    spin,          // angular velocity of body2 in space, likewise
    tension,       // of Mechanism::springs[index]
    joint_pull,    // of Mechanism::joint_springs[index]: spring and damper, against the coordinate
    bushing_pull,  // of Mechanism::bushings[index], along (0 to 2) or about (3 to 5) its axis `component`, likewise
    tyre,          // of Mechanism::tyres[index]: load, or a component (from 1) of the force; of centre, axle, velocity
    contact,       // of Mechanism::contacts[index]: load, depth, or a component (from 2) of the force on its first body
    // sampled:
    acceleration,             // of point2 on body2 in space, along `direction` on body1
    angular_acceleration,     // of body2 in space, likewise
    coordinate_acceleration,  // of Mechanism::joints[index], as coordinate
    reaction,                 // of Mechanism::joints[index] in inertial axes: force, then moment
    rotor,                    // effort of Mechanism::rotors[index]
    energy,                   // `component` counted as energy_quantities() (mechanism/quantities.hpp)
    column,                   // of trajectory.csv, `name`
    // made of others:
    expression,
    function,  // `of` the one argument
    rate       // of the one argument
  };
  std::string name;  // empty for those that laws are made of
  SourceLocation where;
  std::string unit;
  std::string owner;  // a load or driver: while an event has switched it off, this is 0
  Kind kind = Kind::time;
  bool rate = false;  // coordinate, distance, place, plane_angle: its time derivative
  int index = -1, component = 0;
  int body1 = kGround, body2 = kGround;
  Vec3 point1 = Vec3::Zero(), point2 = Vec3::Zero();
  Vec3 direction = Vec3::Zero(), direction2 = Vec3::Zero();
  SignalExpression expression;
  Function of;
  std::vector<int> arguments;  // signals
  SignalLevel level = SignalLevel::given;
  bool shown = false;  // has a column of its own
};

}  // namespace cardan
