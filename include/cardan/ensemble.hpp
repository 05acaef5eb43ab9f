// Many instances of one mechanism under way together, with parameters, inputs and states of their own, four at a time in
// the lanes of the processor's vectors: the same steps as Simulation makes, equal to rounding, for a fraction of the time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cardan/context.hpp"
#include "cardan/mechanism.hpp"
#include "cardan/run_options.hpp"
#include "cardan/step_status.hpp"

namespace cardan {

class Ensemble {
 public:
  /// An instance for each mechanism; they differ in numbers alone. `signals`: what sample() tells of; empty: all columns.
  /// Throws std::invalid_argument where refusal() says something or they differ by more than numbers, ModelError when one
  /// does not assemble.
  Ensemble(const std::vector<Mechanism>& instances, const RunOptions& options,
           const std::vector<std::string>& signals = {});
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  /// Why this mechanism cannot go in lanes with these options, in a sentence that names what stands against it; empty when
  /// it can: the formulation hybrid with a structural rule (trapezoidal, newmark, hht, generalized-alpha) of constant step.
  static std::string refusal(const Mechanism& mechanism, const RunOptions& options);
  /// The set of instructions that steps use: "avx2" where the processor has it, else "plain". Both give the same bits.
  static std::string instructions();

  int size() const;
  /// A step of h seconds, that of the options without. Answers ok when all that were under way have made it; one that has
  /// not stays where it was and takes part no more.
  StepStatus step();
  StepStatus step(double h);
  StepStatus status(int instance) const;
  /// Newton iterations of an instance so far.
  long iterations(int instance) const;

  double time(int instance) const;
  const Context& state(int instance) const;
  /// Of a Simulation or an Ensemble of the same mechanism with the same options. Lets one that had failed take part again.
  void restore(int instance, const Context& state);
  /// From now on; accelerations follow at once.
  void set_input(int instance, const std::string& name, double value);

  const std::vector<std::string>& columns() const;
  /// A row of the columns, as Simulation::sample() writes it.
  void sample(int instance, double* row);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cardan
