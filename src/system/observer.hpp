// What a user sees of a mechanism under way: motions of bodies, joint coordinates, reactions, energy; by name, whatever
// the formulation. One implementation for the plane and one for space.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cardan/motion.hpp"
#include "formulation/formulation.hpp"
#include "formulation/table_watch.hpp"
#include "system/assembly.hpp"

namespace cardan {

struct Energy {
  double kinetic, potential;  // J
  double total() const { return kinetic + potential; }
};

/// On a coordinate of a joint, by its place in BodyModel::joint_coordinates().
struct AddedEffort {
  int coordinate;
  double effort;
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
  /// The largest rate among the angles of joints, as the state remembers them.
  virtual double fastest_turn(const State& state) const = 0;
  /// Before a step: what unforeseen_turn() compares with.
  virtual void note_rates(const State& state) = 0;
  /// After a step of length h: the largest turn of a joint beside that which its rate at the beginning foretold, h/2
  /// times the change of the rate, and whose it is (-1: none).
  virtual double unforeseen_turn(const State& state, double h, int& joint) = 0;
  /// Evaluates the state and writes one row of the trajectory.
  /// `efforts` act beside the loads in what it says of reactions.
  virtual void sample(const State& state, Workspace& work, double* row, std::span<const AddedEffort> efforts = {}) = 0;
  /// Evaluates the state and answers the values of all signals; of those that need accelerations or reactions only with
  /// `late`. signal_values() are those of the last evaluation.
  virtual const VecX& signals(const State& state, Workspace& work, bool late) = 0;
  /// The same without `late`, where the workspace holds position and velocity of the state.
  virtual const VecX& signals_here(const State& state, Workspace& work) = 0;
  virtual const VecX& signal_values(Workspace& work) const = 0;
  /// As this phase has it.
  virtual const Mechanism& mechanism() const = 0;
  /// The first signal that was no finite number at the last evaluation, with what it is made of.
  virtual BrokenSignal broken_signal(Workspace& work) const = 0;
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
  /// What a run knows of its energy: the work done since the start, and what cannot be accounted for, J.
  void note_balance(double work, double error) { work_ = work, error_ = error; }
  /// What columns continue from the last sample, as numbers to save and restore: quaternions of the bodies in space.
  virtual std::span<double> continued() = 0;
  /// The first contact that touches where the workspace is, with what the state remembers; empty when none does.
  virtual std::string touching_contact(const State& state, Workspace& work) = 0;

 protected:
  std::vector<std::string> columns_;
  double work_ = 0, error_ = 0;
};

/// `reactions`: see StartingPoint.
template <int D>
std::unique_ptr<Observer> make_observer(std::shared_ptr<const BodyModel<D>> model,
                                        const BodyFormulation<D>& formulation, const Assembly<D>& assembly,
                                        bool reactions);
/// What it was made with.
template <int D>
const Assembly<D>& assembly_of(const Observer& observer);

}  // namespace cardan
