// What a user sees of a mechanism under way: motions of bodies, joint coordinates, reactions, energy; by name, whatever
// the formulation. One implementation for the plane and one for space.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cardan/analysis.hpp"
#include "formulation/formulation.hpp"
#include "formulation/table_watch.hpp"

namespace cardan {

struct Energy {
  double kinetic, potential;  // J
  double total() const { return kinetic + potential; }
};

class Observer {
 public:
  virtual ~Observer() = default;
  const std::vector<std::string>& columns() const { return columns_; }

  /// The workspace must hold position and velocity of the state.
  virtual Energy energy(const State& state, Workspace& work) = 0;
  /// Power of everything that is not conservative: dampers, forces over time, drivers. Evaluates accelerations if
  /// needed.
  virtual double power(const State& state, Workspace& work) = 0;
  /// The largest rate among the angles of joints, and whose it is (-1: none).
  virtual double fastest_turn(Workspace& work, int& joint) = 0;
  /// Before a step: what unforeseen_turn() compares with.
  virtual void note_rates(const State& state) = 0;
  /// After a step of length h: the largest turn of a joint beside that which its rate at the beginning foretold, h/2
  /// times the change of the rate, and whose it is (-1: none).
  virtual double unforeseen_turn(const State& state, double h, int& joint) = 0;
  /// Evaluates the state and writes one row of the trajectory.
  virtual void sample(const State& state, Workspace& work, double* row) = 0;
  virtual BodyMotion body(int index, const State& state, Workspace& work) = 0;
  /// As they are in the workspace: see Simulation::poses().
  virtual void poses(Workspace& work, double* numbers) const = 0;
  /// What the bodies' places say of a failed step: a road that ended; empty when nothing.
  virtual std::string complaint(Workspace& work) const = 0;
  /// Looks whether the state is beyond the end of a table; the workspace must hold its position and velocity. False
  /// when such a table ends the run.
  virtual bool look_at_tables(const State& state, Workspace& work) = 0;
  virtual std::vector<LeftTable> left_tables() const = 0;
  /// Joints whose reactions are not unique.
  virtual std::vector<std::string> open_reactions() const = 0;
  /// Takes over what columns continue from another phase of the same mechanism.
  virtual void follow(const Observer& before) = 0;
  /// What columns continue from the last sample, as numbers to save and restore: quaternions of the bodies in space.
  virtual std::span<double> continued() = 0;

 protected:
  std::vector<std::string> columns_;
};

/// The columns of trajectory.csv, whatever the formulation.
std::vector<std::string> trajectory_columns(const Mechanism& mechanism);

/// A mechanism compiled into one formulation, assembled and ready to start.
struct CompiledMechanism {
  std::unique_ptr<Formulation> formulation;
  std::unique_ptr<Observer> observer;
  double length = 1;             // size of the mechanism, m
  std::vector<std::string> cut;  // names of cut joints (relative coordinates)
  std::vector<std::string> warnings;
  VecX attached;  // State::attached at the start
};

/// What a mechanism is assembled from.
struct StartingPoint {
  std::vector<BodyPose> poses;     // empty: as drawn, with the joints' initial positions
  bool dependent_drivers = false;  // see AssemblyOptions
};

/// With events: the phase of the start. Throws ModelError when the mechanism does not assemble; std::invalid_argument
/// for an unknown formulation.
CompiledMechanism compile(const Mechanism& mechanism, const std::string& formulation,
                          const std::vector<std::string>& cut, const StartingPoint& start = {});

/// Another phase of the mechanism that `first` was compiled from (mechanism/phases.hpp), in the same coordinates. How
/// many of its constraints are independent is found in `sample`, a state of Formulation::full().
CompiledMechanism compile_phase(const Mechanism& phase, const std::string& formulation,
                                const std::vector<std::string>& cut, const CompiledMechanism& first,
                                const State& sample);

}  // namespace cardan
