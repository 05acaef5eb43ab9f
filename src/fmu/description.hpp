// What an FMU for co-simulation says of itself: modelDescription.xml of FMI 2.0 and 3.0, as far as running it needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cardan {

struct FmuVariable {
  enum class Type { real, integer, boolean, other };
  std::string name;
  unsigned reference = 0;
  Type type = Type::other;
  std::string causality;  // "input", "output", "parameter", ...
  std::string variability;
  std::string unit;
  std::optional<double> start;
  bool is_array = false;
};

struct FmuDescription {
  int version = 0;  // 2 or 3
  std::string model, token, identifier;
  bool co_simulation = false;
  bool needs_tool = false;  // another program that must be installed
  bool can_save = false, can_serialize = false;
  bool only_once = false;  // in a process
  std::vector<FmuVariable> variables;

  const FmuVariable* find(const std::string& name) const;
  std::vector<std::string> names(const std::string& causality) const;
};

/// Throws std::runtime_error with half a sentence: "line 3 of modelDescription.xml: ...".
FmuDescription read_description(const std::string& xml);

}  // namespace cardan
