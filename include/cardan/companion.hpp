// What another program computes beside the mechanism in a step of its own, an FMU say: at its instants it takes values
// of signals and gives numbers, which hold until the next one. How one is read from a file is not known here: src/fmu/.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cardan/diagnostic.hpp"

namespace cardan {

/// One under way; t and h in s. Nothing throws: an answer of false ends the run, and complaint() says why.
class CompanionRun {
 public:
  virtual ~CompanionRun() = default;
  /// At time t, with its first inputs: outputs are those that go with them.
  virtual bool start(double t, const double* inputs, double* outputs) = 0;
  /// From t to t + h with the inputs as they were; then takes the new ones, and outputs are those that go with them.
  virtual bool step(double t, double h, const double* inputs, double* outputs) = 0;
  /// As before start().
  virtual bool reset() = 0;
  /// All that the next step depends on, as bytes; of those that cannot, save() and restore() are false.
  virtual bool can_save() const = 0;
  virtual bool save(std::vector<std::uint8_t>& bytes) = 0;
  virtual bool restore(const std::vector<std::uint8_t>& bytes) = 0;
  virtual const std::string& complaint() const = 0;
};

/// What it is, with its parameters: as many runs as wanted. Threads may share it.
class CompanionModel {
 public:
  virtual ~CompanionModel() = default;
  /// Throws ModelError when it cannot be.
  virtual std::unique_ptr<CompanionRun> instantiate(const std::string& name, const SourceLocation& where) const = 0;
  /// Of what it is: name of the file, a fingerprint, parameters.
  virtual const std::string& identity() const = 0;
};

/// Of a Mechanism.
struct Companion {
  std::string name;
  SourceLocation where;
  double period = 0;         // s
  std::vector<int> inputs;   // Mechanism::signals
  std::vector<int> outputs;  // Mechanism::inputs
  std::shared_ptr<const CompanionModel> model;
};

}  // namespace cardan
