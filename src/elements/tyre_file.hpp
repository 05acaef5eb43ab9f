// Tyre files (.tir): sections in brackets, KEY = VALUE, comments behind $ or in lines that begin with !. Units of the
// section UNITS hold for lengths, forces, times and angles; the coefficients of the Magic Formula are numbers without
// units and radians, whatever it says.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "math/tyre/magic_formula.hpp"

namespace cardan {

struct TyreFile {
  MagicFormula formula;
  std::optional<double> width, stiffness, damping;  // m, N/m, N s/m
};

/// `refuse(line, message, remedy)` is called for everything that is wrong, with line 0 for the file as a whole.
std::optional<TyreFile> read_tyre_file(
    const std::string& text,
    const std::function<void(int line, const std::string& message, const std::string& remedy)>& refuse);

}  // namespace cardan
