// Exceptions: what the library throws, with the same text and everything that it knows.
#include <system_error>

#include "bindings.hpp"
#include "cardan/diagnostic.hpp"

namespace cardan::python {

namespace {

// Held for as long as the interpreter lives: translators have no place of their own.
PyObject* model_error = nullptr;

void raise_model_error(const ModelError& error) {
  py::object instance = py::reinterpret_borrow<py::object>(model_error)(error.what());
  instance.attr("diagnostics") = error.diagnostics();
  PyErr_SetObject(model_error, instance.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  py::class_<Diagnostic>(module, "Diagnostic",
                         "One thing that is wrong with a model, or doubtful: where, what, and what would be right.")
      .def_readonly("element", &Diagnostic::element, "\"joint 'pinA0'\", or empty when it concerns the whole model.")
      .def_readonly("message", &Diagnostic::message, "What is wrong.")
      .def_readonly("remedy", &Diagnostic::remedy, "What would be right; may be empty.")
      .def_property_readonly(
          "file", [](const Diagnostic& d) { return d.where.file; }, "Empty when it was built in Python.")
      .def_property_readonly(
          "line", [](const Diagnostic& d) { return d.where.line; }, "From 1; 0 when there is none.")
      .def_property_readonly(
          "column", [](const Diagnostic& d) { return d.where.column; }, "From 1; 0 when there is none.")
      .def_property_readonly(
          "text", [](const Diagnostic& d) { return d.text(); }, "As the command line prints it.")
      .def("__str__", [](const Diagnostic& d) { return d.text(); })
      .def("__repr__", [](const Diagnostic& d) { return "<Diagnostic: " + d.text() + ">"; });

  module.def("_set_model_error", [](const py::object& type) { model_error = type.inc_ref().ptr(); });
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const ModelError& error) {
      raise_model_error(error);
    } catch (const std::system_error& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
}

}  // namespace cardan::python
