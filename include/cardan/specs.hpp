// What a mechanism is described with, before names are resolved: the C++ builder and the model file both fill these, so
// that resolving and checking exist once. SI units, radians, inertial axes, drawn configuration. Each part may carry
// the place where it was written, so that a message can point at it. The elements are in specs/, by kind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cardan/element.hpp"
#include "cardan/mechanism.hpp"
#include "cardan/specs/bodies.hpp"
#include "cardan/specs/contact.hpp"
#include "cardan/specs/custom.hpp"
#include "cardan/specs/joints.hpp"
#include "cardan/specs/loads.hpp"
#include "cardan/specs/places.hpp"
#include "cardan/specs/signals.hpp"
#include "cardan/specs/subsystems.hpp"
#include "cardan/specs/velocity_constraints.hpp"

namespace cardan {

/// How a body or a joint with one coordinate starts. NaN in a component leaves it to the constraints. Under the name
/// kWhole the velocity with which everything else moves along.
struct InitialSpec {
  static constexpr const char* kWhole = "all";
  Name name;
  std::optional<Located<Vec3>> velocity, angular_velocity;  // bodies: m/s, rad/s
  std::optional<Number> joint_position, joint_velocity;     // rad or m; rad/s or m/s
  Provenance provenance = {};
};

/// Something that happens at a time, or whenever a guard becomes positive.
struct EventSpec {
  struct Assignment {
    Name name;  // of a state or input
    Located<Varying> value;
  };
  Name name;
  Number time;
  Event::Action action = Event::Action::attach;
  std::vector<Name> targets;                 // attach, release: one joint; on, off: loads and drivers; drop: one road
  Number by;                                 // drop: m
  std::vector<Assignment> assignments = {};  // set
  Located<Varying> guard = {};  // where given, it happens when this becomes positive, and `time` is of no account
  std::string condition = {};   // what the guard was made of, for messages; may be empty
  Number hysteresis = 0.0;      // in units of the guard
  bool once = false;
  Provenance provenance = {};
};

/// Columns of trajectory.csv to be shown, `*` in them standing for anything.
struct PlotSpec {
  Name title;
  std::vector<Name> columns;
};

template <class T>
using OptionalLocated = std::optional<Located<T>>;
using SimulationSpec = GivenOptions<OptionalLocated, Name>;

struct MechanismSpec {
  std::string name;
  std::string file;
  bool planar = false;
  std::optional<Located<Vec3>> gravity;  // default: 9.81 along -z, planar -y
  std::vector<PointSpec> points;
  std::vector<BodySpec> bodies;
  std::vector<MarkerSpec> markers;
  std::vector<JointSpec> joints;
  std::vector<RoadSpec> roads;
  std::vector<Element> elements;  // loads, couplers, drivers, constraints
  std::vector<InputSpec> inputs;
  std::vector<StateSpec> states;
  std::vector<SignalSpec> signals;
  std::vector<CompanionSpec> companions;
  std::vector<InitialSpec> initial;
  std::vector<EventSpec> events;
  std::vector<GeometrySpec> geometry;
  std::vector<PlotSpec> plots;
  std::vector<Name> outputs;  // columns, `*` in them standing for anything
  SimulationSpec simulation;
  std::vector<ConnectionSpec> connections;       // of a part, open until it is included
  std::vector<ConnectedSpec> connected;          // of the parts that were included
  std::vector<Located<Vec3>> subsystem_gravity;  // what included parts say: must be the gravity of the whole
  Provenance provenance = {};
};

}  // namespace cardan
