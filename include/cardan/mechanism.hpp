// What exists: bodies, joints, loads, drivers, events. Plain data in the drawn reference configuration, inertial axes,
// SI units and radians; immutable once built (MechanismBuilder, read_mechanism). No coordinates, no time steps; what
// the description asks of a run (SimulationDefaults) and where it was written are carried along for who runs it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardan/bodies.hpp"
#include "cardan/companion.hpp"
#include "cardan/diagnostic.hpp"
#include "cardan/function.hpp"
#include "cardan/height_map.hpp"
#include "cardan/joints.hpp"
#include "cardan/loads.hpp"
#include "cardan/math.hpp"
#include "cardan/run_options.hpp"
#include "cardan/signals.hpp"
#include "cardan/velocity_constraints.hpp"

namespace cardan {

/// The inertia of what turns with a joint coordinate behind a gear: kinetic energy 1/2 inertia (gear q')^2.
struct Rotor {
  std::string name;
  SourceLocation where;
  int joint = 0;
  int coordinate = 0;
  double inertia = 0;  // kg m^2, of the rotor
  double gear = 1;     // its speed, rad/s, for a unit of q'
};

/// What stands under wheels and shapes: a line of height over x, the same all along y (planar mechanisms: in the
/// plane), in which x never falls and two points at the same x make a vertical face; a plane of any orientation, which
/// may belong to a body; or heights on a grid (space). What is below is solid.
struct Road {
  enum class Sort { profile, plane, grid };
  std::string name;
  SourceLocation where;
  Sort sort = Sort::profile;
  std::vector<Vec2> profile;      // x and height, m
  Vec3 origin = Vec3::Zero();     // plane: a point of it, drawn configuration
  Vec3 normal = Vec3::UnitZ();    // plane: out of the solid, unit vector
  int body = kGround;             // plane
  std::optional<HeightMap> grid;  // grid
};

/// A column: a scalar of the motion of two frames. Nothing depends on it.
struct Sensor {
  std::string name;
  SourceLocation where;
  int body1 = kGround;
  int body2 = kGround;
  Frame frame1;
  Frame frame2;
  FrameScalar value;
};

/// Ties two joint coordinates: q2 - q2_0 = ratio (q1 - q1_0), q_0 being those of the drawing.
struct Coupler {
  std::string name;
  SourceLocation where;
  int joint1 = 0, joint2 = 0;
  int coordinate1 = 0, coordinate2 = 0;
  double ratio = 1;  // 1, m/rad or rad/m
};

class RotationPath;  // math/rotation_path.hpp

/// A joint coordinate, or the distance of two points, given as a function of time and inputs; or the turn of a free or
/// spherical joint about one axis of frame 2, as a path gives it with two others.
struct Driver {
  std::string name;
  std::string element = {};  // of which it is part, where that has several; else empty
  SourceLocation where;
  int joint = -1;  // index of the joint, or -1 for a distance
  int coordinate = 0;
  int body1 = kGround;  // distance drivers only
  int body2 = kGround;
  Vec3 point1 = Vec3::Zero();
  Vec3 point2 = Vec3::Zero();
  Function position;  // rad or m, over s; where it follows a signal: with all inputs as they start
  int signal = -1;    // of level `given`
  std::shared_ptr<const RotationPath> rotation = nullptr;  // of frame 2 in frame 1; `position` is then part of it
  int axis = 0;                                            // of the rotation
};

/// What happens to the mechanism at a given time, or whenever a condition comes to hold. The motion stops for none of
/// it: positions stay, velocities take the jump that the new constraints ask for.
struct Event {
  /// `note` changes nothing and is told; `end` ends the run.
  enum class Action { attach, release, on, off, drop, set, end, note };
  /// A state or input takes the value of a signal.
  struct Assignment {
    bool is_state = true;
    int index = 0;   // of Mechanism::states or inputs
    int signal = 0;  // of Mechanism::signals
  };
  std::string name;
  SourceLocation where;
  double time = 0;  // s; infinity where a condition says when
  Action action = Action::attach;
  std::vector<std::string> targets;     // attach, release: a joint; on, off: loads and drivers; drop: a road
  double by = 0;                        // drop: how much lower the road is from then on, m
  std::vector<Assignment> assignments;  // set: at once, each from the values before
  std::string condition;                // as it is written
  int guard = -1;                       // the signal that is above 0 where the condition holds, or -1
  double hysteresis = 0;                // how far below 0 the guard must have been before it counts again
  bool once = false;                    // the first time only
  bool is_conditional() const { return guard >= 0; }
};

/// Columns of trajectory.csv that somebody asked to see: reports and the viewer show them first, one plot for each
/// unit.
struct Plot {
  std::string title;  // empty: the columns say it
  SourceLocation where;
  std::vector<std::string> columns;
};

struct Mechanism {
  std::string name;
  std::string file;  // empty when built in C++
  bool planar = false;
  Vec3 gravity = Vec3::Zero();  // m/s^2
  std::vector<Body> bodies;
  std::vector<Marker> markers;
  std::vector<Joint> joints;
  std::vector<SpringDamper> springs;
  std::vector<JointSpringDamper> joint_springs;
  std::vector<Bushing> bushings;
  std::vector<CustomWrench> custom_wrenches;
  int load_memory = 0;  // numbers that loads keep from step to step, those that events have switched off too
  std::vector<Rotor> rotors;
  std::vector<PointForce> forces;
  std::vector<Torque> torques;
  std::vector<Actuator> actuators;
  std::vector<LineForce> line_forces;
  std::vector<Road> roads;
  std::vector<Tyre> tyres;
  std::vector<Contact> contacts;
  std::vector<Coupler> couplers;
  std::vector<Driver> drivers;
  std::vector<KnifeEdge> knife_edges;
  std::vector<RollingDisc> rolling_discs;
  std::vector<Sensor> sensors;
  std::vector<Input> inputs;
  std::vector<Companion> companions;
  std::vector<StateVariable> states;
  std::vector<Signal> signals;  // in any order; none depends on itself
  std::vector<Event> events;    // those at given times in the order in which they happen, then those with conditions
  std::vector<Geometry> geometry;
  std::vector<Plot> plots;
  std::vector<std::string> outputs;  // columns that results have, `*` standing for anything; empty: all
  /// How the whole moves at the start where nothing more is said, m/s: bodies stand still against those that joints tie
  /// them to, and what joints to ground let move goes with this velocity.
  std::optional<Vec3> initial_motion;
  SimulationDefaults simulation;
  std::vector<Diagnostic> warnings;

  /// The name of a body by index, "ground" for kGround.
  const std::string& body_name(int body) const;
};

}  // namespace cardan
