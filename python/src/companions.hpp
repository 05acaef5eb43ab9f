// Python objects that compute beside the mechanism in a step of their own (cardan/companion.hpp).
#pragma once

#include "bindings.hpp"

namespace cardan::python {

MechanismBuilder& add_companion(MechanismBuilder& builder, const std::string& name, const py::function& make,
                                double period, const py::dict& inputs, const py::object& outputs);

}  // namespace cardan::python
