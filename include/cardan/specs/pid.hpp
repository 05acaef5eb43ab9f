// A controller whose output is a signal. Its equations and fields are in src/elements/pid.cpp.
#pragma once

#include "cardan/element.hpp"

namespace cardan {

struct PidSpec {
  Name name;
  Located<Varying> error;
  Number kp = 0.0, ki = 0.0, kd = 0.0;  // output per error, per error times s, per error over s
  Number filter = 0.01;                 // s
  Number start = 0.0;                   // of the filter
  std::optional<Number> min, max;       // of the output
  std::optional<Number> windup;         // s

  ElementKind kind() const;
  void fields(FieldVisitor& visit);
  void lower(Lowering& to) const;
};

}  // namespace cardan
