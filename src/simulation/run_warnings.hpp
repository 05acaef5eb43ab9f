// What makes the result of a run doubtful, each said once.
#pragma once

#include <string>
#include <vector>

#include "cardan/simulation.hpp"
#include "simulation/energy_ledger.hpp"
#include "system/compile.hpp"

namespace cardan {

/// Of the mechanism and of its position before time starts.
std::vector<std::string> setup_warnings(const Mechanism& mechanism, const CompiledMechanism& compiled);

class RunWarnings {
 public:
  /// After a step: the largest turn of a joint beside what its rate foretold, rad, and the largest violation of a
  /// constraint relative to the mechanism's size.
  void see(double turn, int joint, double opening) {
    if (turn > largest_turn_) largest_turn_ = turn, turning_joint_ = joint;
    if (opening > largest_opening_) largest_opening_ = opening;
  }
  /// Adds what is new to the warnings of the summary. `size` of the mechanism, m.
  void write(const Mechanism& mechanism, double size, const EnergyLedger& energy, const std::vector<LeftTable>& tables,
             RunSummary& summary);

  /// What a run that goes on has to know (run_record.hpp).
  template <class Record>
  void visit(Record& record) {
    record.number(largest_turn_);
    record.number(largest_opening_);
    record.integer(turning_joint_);
  }

 private:
  void write_of_energy(const Mechanism& mechanism, double size, const EnergyLedger& energy, RunSummary& summary);

  double largest_turn_ = 0, largest_opening_ = 0;
  int turning_joint_ = -1;
  bool said_turn_ = false, said_energy_ = false, said_opening_ = false, said_jump_ = false;
  std::vector<std::string> said_tables_;
};

}  // namespace cardan
