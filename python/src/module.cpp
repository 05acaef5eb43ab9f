// The module `cardan._core`.
#include "bindings.hpp"
#include "cardan/version.h"

PYBIND11_MODULE(_core, module) {
  using namespace cardan::python;
  module.doc() = "What the Python package cardan has of the C++ library.";
  module.attr("__version__") = CARDAN_VERSION;
  bind_errors(module);
  bind_functions(module);
  bind_mechanism(module);
  bind_builder(module);
  bind_elements(module);
  bind_motion(module);
  bind_options(module);
  bind_run(module);
  bind_simulation(module);
  bind_ensemble(module);
  bind_gradients(module);
  bind_formats(module);
  bind_system(module);
  bind_analysis(module);
}
