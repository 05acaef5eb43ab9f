// From a mechanism to a formulation of it, assembled and ready to start: the one place where the names of formulations
// become formulations.
#pragma once

#include "cardan/motion.hpp"
#include "system/observer.hpp"

namespace cardan {

/// A mechanism compiled into one formulation, assembled and ready to start.
struct CompiledMechanism {
  std::unique_ptr<Formulation> formulation;
  std::unique_ptr<Observer> observer;
  double length = 1;             // size of the mechanism, m
  std::vector<std::string> cut;  // names of cut joints (relative coordinates)
  std::vector<std::string> warnings;
  VecX attached;            // Context::attached at the start
  std::int64_t system = 0;  // Context::system of its states
};

/// What a mechanism is assembled from.
struct StartingPoint {
  std::vector<BodyPose> poses;     // empty: as drawn, with the joints' initial positions
  bool dependent_drivers = false;  // see AssemblyOptions
  bool reactions = true;           // samples tell of them; without, Observer::sample() must not be called
  /// For samples alone: nothing is looked for that would only be warned of, and states have no fingerprint until
  /// identify() gives them one, so that they must not be saved before.
  bool bare = false;
  /// In the coordinates of this one, whose places, joints and drivers are the same (standing_parts()).
  const CompiledMechanism* same = nullptr;
};

/// With events: the phase of the start. Throws ModelError when the mechanism does not assemble; std::invalid_argument
/// for an unknown formulation.
CompiledMechanism compile(const Mechanism& mechanism, const std::string& formulation,
                          const std::vector<std::string>& cut, const StartingPoint& start = {});

/// Of the mechanism that it was compiled from: Context::system of its states.
void identify(const Mechanism& mechanism, const std::string& formulation, CompiledMechanism& compiled);

/// Another phase of the mechanism that `first` was compiled from (mechanism/phases.hpp), in the same coordinates. How
/// many of its constraints are independent is found in `sample`, a state of Formulation::full().
CompiledMechanism compile_phase(const Mechanism& phase, const std::string& formulation,
                                const std::vector<std::string>& cut, const CompiledMechanism& first,
                                const State& sample);

}  // namespace cardan
