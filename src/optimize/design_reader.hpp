// Reads what plans of `cardan optimize` and `cardan fit` have in common; docs/optimize.md is the reference.
//
//   optimize: 1 | fit: 1
//   model: PATH                               beside the plan
//   parameters: P: {start: a, min: b, max: c} | [b, c]; a number: held at that value
//   inputs:     I: the same, held all along
//   simulation: OPTION: value                 those of the model's `simulation:`
//   derivatives: steps | alternate | differences
//   stop:       {iterations: N, tolerance: E}
// optimize:
//   measures:   as of a sweep
//   minimize:   EXPRESSION of measures and parameters | [EXPRESSION, EXPRESSION] with front: N
//   constraints: C: EXPRESSION > EXPRESSION
// fit:
//   data: FILE.csv                            a column t, others by name
//   compare:    COLUMN: EXPRESSION | {with: EXPRESSION, deviation: s}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/yaml_fields.hpp"
#include "optimize/design_plan.hpp"

namespace cardan {

class DesignReader {
 public:
  /// `kind`: the key that a plan begins with.
  DesignReader(const std::string& path, std::string kind, DesignPlan& plan);

  /// `own`: sections that are not in all plans, which `rest` reads. Throws ModelError with all that is wrong.
  void read(std::vector<std::string_view> own, const std::function<void(Fields&)>& rest);

  Problems& problems() { return problems_; }
  Reading& reading() { return reading_; }

  /// The entries of a section that is a block of names.
  void each(Fields& plan, const char* key, const std::function<void(const YamlEntry&)>& read);

 private:
  void check_version(Fields& plan);
  void read_model(Fields& plan);
  void read_parameter(const YamlEntry& entry);
  void read_input(const YamlEntry& entry);
  bool read_range(const YamlEntry& entry, const std::string& element, double own, DesignVariable& variable);
  void read_simulation(Fields& plan);
  void read_derivatives(Fields& plan);
  void read_stop(const YamlNode& node, const SourceLocation& where);

  std::string kind_;
  DesignPlan& plan_;
  Problems problems_;
  Reading reading_;
  YamlPointer document_;
  Mechanism mechanism_;
};

}  // namespace cardan
