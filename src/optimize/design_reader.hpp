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

#include "optimize/design_plan.hpp"
#include "sweep/plan_file.hpp"

namespace cardan {

class DesignReader : public PlanFile {
 public:
  DesignReader(std::string kind, DesignPlan& plan);

  /// `own`: sections that are not in all plans, which `rest` reads. Throws ModelError with all that is wrong.
  void read(const std::string& path, std::vector<std::string_view> own, const std::function<void(Fields&)>& rest);

 private:
  void read_parameter(const YamlEntry& entry);
  void read_input(const YamlEntry& entry);
  bool read_range(const YamlEntry& entry, const std::string& element, double own, DesignVariable& variable);
  void read_simulation(Fields& plan);
  void read_derivatives(Fields& plan);
  void read_stop(const YamlNode& node, const SourceLocation& where);

  DesignPlan& plan_;
};

}  // namespace cardan
