// The parts of the module `cardan._core`, a function for each, and what they share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cardan/builder.hpp"
#include "cardan/io.hpp"
#include "cardan/simulation.hpp"

namespace cardan::python {

namespace py = pybind11;

/// A mechanism with what it was read from. Constant: simulations and threads share it.
struct Model {
  Mechanism mechanism;
  ModelSources sources;
  std::map<std::string, double> parameters;  // given beside those of the file
};
using ModelPointer = std::shared_ptr<const Model>;

/// A Mechanism as it is; a MechanismBuilder built; a path read; a dict as a model file would have it.
ModelPointer model_of(const py::object& description);

/// Those of the model with the keywords in their place, checked as the command line checks them.
RunOptions options_of(const Mechanism& mechanism, const py::dict& keywords);

void bind_errors(py::module_& module);
void bind_functions(py::module_& module);
void bind_mechanism(py::module_& module);
void bind_builder(py::module_& module);
void bind_elements(py::module_& module);
void bind_motion(py::module_& module);
void bind_options(py::module_& module);
void bind_run(py::module_& module);
void bind_simulation(py::module_& module);
void bind_ensemble(py::module_& module);
void bind_gradients(py::module_& module);
void bind_formats(py::module_& module);
void bind_system(py::module_& module);
void bind_analysis(py::module_& module);

}  // namespace cardan::python
