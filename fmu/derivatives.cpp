// Directional derivatives of outputs by inputs, at a communication point: what changes at once, before a step is taken.
// In the initialization parameters would be knowns too, but the model is made anew with them, and derivatives of that
// are none that are exact.
#include <cmath>

#include "instance.hpp"

namespace cardan_fmu {

template <class Add>
bool Instance::visit_derivatives(const unsigned* unknowns, std::size_t unknown_count, const unsigned* knowns,
                                 std::size_t known_count, const Add& add) {
  if ((unknown_count > 0 && unknowns == nullptr) || (known_count > 0 && knowns == nullptr))
    return fail("value references are NULL");
  if (mode_ != kError && !prepare()) return false;
  const std::size_t inputs = inputs_.value.size();
  for (std::size_t i = 0; i < unknown_count; ++i)
    if (unknowns[i] <= inputs || unknowns[i] > inputs + output_count_)
      return fail("derivatives are of outputs; the value reference " + std::to_string(unknowns[i]) + " is none");
  std::vector<double> slopes(output_count_);
  for (std::size_t j = 0; j < known_count; ++j) {
    if (knowns[j] == 0 || knowns[j] > inputs)
      return fail("derivatives are by inputs; the value reference " + std::to_string(knowns[j]) + " is none");
    if (cardan_get_derivatives(simulation_, knowns[j] - 1, slopes.data(), slopes.size()) != CARDAN_OK)
      return fail(cardan_message(simulation_));
    for (std::size_t i = 0; i < unknown_count; ++i) {
      const double slope = slopes[unknowns[i] - 1 - inputs];
      cardan_variable variable;
      if (std::isnan(slope) &&
          cardan_describe(simulation_, CARDAN_OUTPUT, unknowns[i] - 1 - inputs, &variable) == CARDAN_OK)
        return fail("no exact derivative of '" + std::string(variable.name) +
                    "' is known: it is an acceleration or a force, or made of such");
      add(i, j, slope);
    }
  }
  return true;
}

bool Instance::differentiate(const unsigned* unknowns, std::size_t unknown_count, const unsigned* knowns,
                             std::size_t known_count, const double* along, double* result) {
  if ((unknown_count > 0 && result == nullptr) || (known_count > 0 && along == nullptr))
    return fail("the direction or the place for derivatives is NULL");
  for (std::size_t i = 0; i < unknown_count; ++i) result[i] = 0;
  return visit_derivatives(unknowns, unknown_count, knowns, known_count,
                           [&](std::size_t i, std::size_t j, double slope) { result[i] += slope * along[j]; });
}

bool Instance::differentiate_back(const unsigned* unknowns, std::size_t unknown_count, const unsigned* knowns,
                                  std::size_t known_count, const double* along, double* result) {
  if ((known_count > 0 && result == nullptr) || (unknown_count > 0 && along == nullptr))
    return fail("the direction or the place for derivatives is NULL");
  for (std::size_t j = 0; j < known_count; ++j) result[j] = 0;
  return visit_derivatives(unknowns, unknown_count, knowns, known_count,
                           [&](std::size_t i, std::size_t j, double slope) { result[j] += slope * along[i]; });
}

}  // namespace cardan_fmu
