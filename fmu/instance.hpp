// An instance of an exported model, whatever the version of FMI: its mode, its variables by value reference, its saved
// states. Over the C interface; the functions of the standard (fmi2_functions.cpp, fmi3_functions.cpp) translate.
//
// Value references: 0 is the time; then come inputs, outputs and parameters, in the order of the C interface.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cardan/cardan.h"
#include "resources.hpp"

namespace cardan_fmu {

/// Of the standard's state machines; what a function may be called in is a sum of these.
enum Mode : unsigned {
  kInstantiated = 1,
  kInitialization = 2,
  kStepping = 4,   // FMI 2: stepComplete, FMI 3: Step Mode
  kDiscarded = 8,  // a step was not taken to its end: FMI 2 stepFailed
  kTerminated = 16,
  kError = 32
};

enum class Severity { note, warning, error };

enum class Answer { ok, discard, error };

class Instance {
 public:
  using Log = std::function<void(Severity, const char* category, const char* message)>;
  struct State {
    std::vector<unsigned char> bytes;
  };

  /// Null, with the reason in the log, when it cannot be.
  static std::unique_ptr<Instance> create(const char* name, const char* token, const std::string& resources, Log log);
  ~Instance();

  Mode mode() const { return mode_; }
  /// Whether the function may be called now; if not, that is logged, and the instance is in error.
  bool allows(unsigned modes, const char* function);
  /// Logs, and puts the instance in error.
  bool fail(const std::string& message);
  void note(const std::string& message);
  void log_events(bool on) { notes_are_logged_ = on; }

  bool set(const unsigned* references, std::size_t count, const double* values);
  bool get(const unsigned* references, std::size_t count, double* values);

  /// `along`: of every known a number; `result` of every unknown the sum of its derivatives times these. Unknowns are
  /// outputs, knowns inputs.
  bool differentiate(const unsigned* unknowns, std::size_t unknown_count, const unsigned* knowns,
                     std::size_t known_count, const double* along, double* result);
  /// The other way round: of every unknown a number, of every known the sum.
  bool differentiate_back(const unsigned* unknowns, std::size_t unknown_count, const unsigned* knowns,
                          std::size_t known_count, const double* along, double* result);

  bool set_up(double start, bool stop_defined, double stop);
  bool is_set_up() const { return set_up_; }
  bool enter_initialization();
  bool exit_initialization();
  /// From `time`, where it must be, over `length`. With `early` (may be null) it returns at events and says so there.
  Answer step(double time, double length, bool* early);
  double time() const;
  bool terminated_by_model() const;
  void discard() { mode_ = kDiscarded; }
  bool terminate();
  bool reset();

  /// A new one, or into `state` where that is one of this instance. Null when it fails.
  State* save(State* state);
  bool owns(const State* state) const;
  bool restore(const State& state);
  bool free(State* state);
  State* take(const unsigned char* bytes, std::size_t size);

 private:
  Instance(Resources resources, Log log);
  /// What stands in `values` where `is_set`; else what the model has.
  struct Wish {
    std::vector<char> is_set;
    std::vector<double> value;
    bool operator==(const Wish&) const = default;
  };
  /// With the parameters that are set beside those of the export; null after a failure.
  cardan_simulation* opened_with(const Wish& parameters);
  bool open(const Wish& parameters);
  /// The parameters of now from here on, on the way.
  bool tune();
  bool apply_inputs();
  bool prepare();  // for values: the simulation is that of the parameters
  bool is_tunable(const char* name) const;
  bool set_one(unsigned reference, double value);
  bool get_one(unsigned reference, double& value);
  /// Calls `add` with every pair of an unknown and a known, by their places in the lists, and the derivative.
  template <class Add>
  bool visit_derivatives(const unsigned* unknowns, std::size_t unknown_count, const unsigned* knowns,
                         std::size_t known_count, const Add& add);
  template <class Archive>
  bool visit(Archive& archive);

  Resources resources_;
  Log log_;
  bool notes_are_logged_ = false;
  Mode mode_ = kInstantiated;
  cardan_simulation* simulation_ = nullptr;
  bool parameters_changed_ = false;  // since it was opened
  bool set_up_ = false, stop_defined_ = false;
  double stop_ = 0;
  Wish inputs_, parameters_;
  Wish initial_;  // parameters, as they were when the initialization ended
  std::size_t output_count_ = 0;
  std::vector<std::unique_ptr<State>> states_;
  std::vector<unsigned char> saved_;  // kept, so that a state that is saved again takes no memory
};

}  // namespace cardan_fmu
