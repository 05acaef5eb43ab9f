// What a sweep does: which model, what varies and how, what is measured of every run. docs/sweep.md is the reference of
// the file that it is read from. A plan is constant; runs are made from it by their number (run_maker.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cardan/io.hpp"
#include "cardan/run_options.hpp"
#include "io/yaml_tree.hpp"
#include "sweep/sampler.hpp"

namespace cardan {

/// One thing that varies. A grid has `values`, a `range` or `words`; what is drawn has a distribution.
struct SweepAxis {
  enum class Kind { parameter, input, input_file, option };
  struct Range {
    double from = 0, to = 0;
    std::uint64_t count = 0;
    bool log = false;
  };
  Kind kind = Kind::parameter;
  std::string name;
  SourceLocation where;
  std::vector<double> values;
  std::vector<std::string> words;  // of options that are names or flags, files of inputs
  std::optional<Range> range;
  std::optional<Distribution> drawn;
  bool held = true;  // input_file: each value until the next one, else straight lines

  /// Of the grid; 1 of what is drawn.
  std::uint64_t size() const;
  bool is_number() const { return words.empty(); }
  double number(std::uint64_t choice) const;
};

/// A number that a run comes to. Samples are those of the run, in between straight lines are drawn.
struct SweepMeasure {
  enum class Kind { max, min, mean, rms, at, first, end };
  std::string name;
  SourceLocation where;
  Kind kind = Kind::end;
  YamlPointer expression;   // of signals; of `first` what is 0 where the condition comes to hold
  double time = 0;          // at
  double from = 0, to = 0;  // of max, min, mean, rms: between these times; `to` may be infinite
};

/// What must hold of measures and of what varies for a run to be feasible.
struct SweepConstraint {
  std::string name;
  SourceLocation where;
  std::string text;
};

/// What every plan has.
struct PlanSource {
  std::string file, name, model;           // the model's path as it is opened
  std::vector<std::string> files;          // that decide what comes out: plan, model and its parts, inputs
  std::vector<ModelParameter> parameters;  // of the model
};

struct SweepPlan : PlanSource {
  std::uint64_t seed = 1;
  SamplingMethod method = SamplingMethod::random;
  std::uint64_t samples = 1;  // points that are drawn; 1 where nothing is
  std::vector<SweepAxis> axes;
  SimulationDefaults options;  // those that do not vary
  std::vector<SweepMeasure> measures;
  std::vector<SweepConstraint> constraints;
  std::optional<std::uint64_t> most_failures;
  YamlPointer stop_guard;      // ends a run where it becomes positive; or null
  std::string stop_condition;  // as it is written
  bool in_lanes = false;       // runs may be made together: RunMaker::not_in_lanes()
  enum class Trajectories { none, all, failed, worst } trajectories = Trajectories::none;
  std::uint64_t worst = 0;  // so many
  std::string worst_by;     // an expression of measures: the largest are the worst

  /// Of all runs; infinite is possible, so that it can be told.
  double counted_runs() const;
  std::uint64_t runs() const { return cells() * samples; }
  /// Of the grid.
  std::uint64_t cells() const;
  int drawn_axes() const;
};

/// Reads and checks a plan and the model that it names. Throws ModelError with all that is wrong.
SweepPlan read_plan(const std::string& path);

/// What is chosen for one run: of every axis the number, or which of the words.
struct RunPoint {
  std::vector<double> numbers;
  std::vector<std::uint64_t> choices;
};

/// Runs by their number, from 0: the last axis of the grid changes fastest, and every cell comes with the first point
/// that is drawn before any with the second.
class RunPoints {
 public:
  explicit RunPoints(const SweepPlan& plan);
  void find(std::uint64_t run, RunPoint& point) const;

 private:
  const SweepPlan& plan_;
  Sampler sampler_;
};

}  // namespace cardan
