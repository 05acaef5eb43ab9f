// Loads and sensors by Python functions of two frames (cardan/wrench.hpp).
#pragma once

#include "bindings.hpp"

namespace cardan::python {

void bind_frame_laws(py::module_& module);

MechanismBuilder& add_wrench(MechanismBuilder& builder, const std::string& name, const std::string& body2,
                             const py::function& law, const std::string& body1, const py::object& at1,
                             const py::object& at2, const py::object& energy, double length, const py::object& tangent);
MechanismBuilder& add_sensor(MechanismBuilder& builder, const std::string& name, const std::string& body2,
                             const py::function& value, const std::string& body1, const py::object& at1,
                             const py::object& at2);

/// Laws of these, for elements of a program's own.
WrenchLaw wrench_law(const py::function& law);
WrenchTangentLaw wrench_tangent(const py::function& law);
FrameScalar frame_scalar(const py::function& value);

}  // namespace cardan::python
