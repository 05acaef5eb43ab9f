// A simulation as Python has it: with the row of its columns, which is computed when somebody asks for it.
#pragma once

#include <unordered_map>

#include "bindings.hpp"

namespace cardan::python {

class PySimulation {
 public:
  PySimulation(ModelPointer model, const RunOptions& options);
  /// One that somebody else steps, until leave().
  PySimulation(ModelPointer model, Simulation& other);

  Simulation& get() const {
    if (simulation_ == nullptr) throw std::runtime_error("the run that this simulation belonged to has ended");
    return *simulation_;
  }
  const Mechanism& mechanism() const { return model_->mechanism; }
  void leave() { simulation_ = nullptr; }
  /// The motion went on: the row is that of another moment.
  void moved() { row_is_known_ = false; }

  int signal(const std::string& name);
  double value(int signal);
  std::vector<double>& row();

 private:
  ModelPointer model_;
  std::unique_ptr<Simulation> own_;
  Simulation* simulation_;
  std::vector<double> row_;
  std::unordered_map<std::string, int> indices_;  // of the columns
  bool row_is_known_ = false;
};

}  // namespace cardan::python
