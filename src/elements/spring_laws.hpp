// What springs have in common, whatever they act on: a stiffness or a law, a damping or a law of the rate.
#pragma once

#include <optional>
#include <string>

#include "cardan/element.hpp"

namespace cardan {

struct SpringLaws {
  const std::optional<Number>&stiffness, &damping;
  const std::optional<Located<Function>>&law, &damping_law;
  std::string law_name, damping_law_name;  // of the fields

  /// Reports laws given twice, or none at all, and that have no value at the elongation `start`.
  void check(Lowering& to, double start) const;
  Function spring() const { return chosen(stiffness, law); }
  Function damper() const { return chosen(damping, damping_law); }

 private:
  static Function chosen(const std::optional<Number>& factor, const std::optional<Located<Function>>& law);
};

}  // namespace cardan
