// What a cardan_simulation of the C interface is: a model that was read, the simulation of it, and its variables by
// kind. Members throw; the functions of cardan.h turn that into codes.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cardan/cardan.h"
#include "cardan/io.hpp"
#include "cardan/simulation.hpp"
#include "system/input_derivatives.hpp"

struct cardan_simulation {
 public:
  using Parameters = std::map<std::string, double>;
  struct Variable {
    std::string name, unit;
    double start = 0, min, max;
    bool follows = false;
    int index = 0;  // inputs: of the mechanism; signals and outputs: of the columns
  };

  cardan_simulation(cardan::Mechanism mechanism, std::vector<cardan::ModelParameter> parameters,
                    const cardan::RunOptions& options);

  const std::string& name() const { return mechanism_.name; }
  const std::vector<Variable>& variables(cardan_kind kind) const;
  const Variable& variable(cardan_kind kind, std::size_t index) const;
  std::size_t find(cardan_kind kind, const std::string& name) const;

  /// The inputs, by their place among those of the C interface, that the output changes with at once, before a step is
  /// taken. None are told where it may be any: accelerations, forces, and what is made of these.
  std::optional<std::set<std::size_t>> inputs_of(const Variable& output);

  void set_input(std::size_t index, double value);
  /// How the outputs change at once with an input; NaN where that is not known.
  void derivatives(std::size_t input, double* of_outputs);
  /// Whether that is known of all outputs and inputs.
  bool knows_derivatives();
  double value(cardan_kind kind, const Variable& variable);

  double time() const { return simulation_.time(); }
  double step_size() const { return options_.step; }
  bool chooses_steps() const { return simulation_.chooses_steps(); }
  double end() const { return end_; }
  void set_end(double time) { end_ = time; }
  bool ended() const { return simulation_.ended(); }
  /// Instants so near to each other are one, s: a millionth of a step, and what rounding has made of the times that
  /// were asked for and of the sum of the steps.
  double slack() const;
  /// Up to `target`; false with why() when the motion fails. With `stop_at_events` it may end earlier.
  bool advance(double target, bool stop_at_events, bool& stopped);
  /// To the end of the step that is under way, or of a new one.
  bool step();

  /// As bytes.
  std::size_t state_size();
  std::size_t save(void* bytes);
  /// False, with nothing changed, when they are of another model or other options.
  bool restore(const void* bytes, std::size_t size);
  void reset();

  /// Goes on where `other` stands, with the parameters that this one was opened with.
  void take_over(const cardan_simulation& other);

  std::string summary() const { return simulation_.summary().json(); }
  std::string why() const { return simulation_.summary().reason; }

  mutable std::string message, text;  // of the last call

 private:
  void list_variables(const std::vector<cardan::ModelParameter>& parameters);
  std::vector<std::string> output_columns() const;
  double next_length(double target) const;
  void note_drift(double target);
  void find_row();

  cardan::Mechanism mechanism_;
  cardan::RunOptions options_;
  cardan::Simulation simulation_;
  std::array<std::vector<Variable>, 4> variables_;  // by cardan_kind
  std::vector<double> row_, record_, slopes_;
  std::unique_ptr<cardan::InputDerivatives> input_derivatives_;
  std::vector<unsigned char> start_;  // the state at the start
  bool row_is_known_ = false;
  double options_sum_ = 0;
  double step_end_ = 0;  // of the step under way, which an event may have divided, s
  double drift_ = 0;     // of the time that was asked for last from that of the steps up to there, s: rounding
  double end_ = 0;       // of the run, s
};
