// What exists: mechanisms as they were built or read.
#include "arrays.hpp"
#include "callback.hpp"
#include "cardan/registry.hpp"
#include "descriptions.hpp"
#include "io/columns.hpp"
#include "io/yaml_sections.hpp"
#include "mechanism/trajectory_columns.hpp"

namespace cardan::python {

namespace {

using Parameters = std::map<std::string, double>;

ModelPointer checked(const MechanismBuilder& builder) {
  auto model = std::make_shared<Model>();
  model->mechanism = without_gil([&] { return builder.build(); });  // which looks at laws where the motion starts
  Problems problems;
  find_plotted_columns(model->mechanism, problems);
  problems.throw_errors();
  return model;
}

ModelPointer read(const std::string& path, const Parameters& parameters) {
  auto model = std::make_shared<Model>();
  model->parameters = parameters;
  model->mechanism = without_gil([&] { return read_mechanism(path, parameters, model->sources); });
  return model;
}

ModelPointer read_text(const std::string& text, const std::string& name, const Parameters& parameters) {
  auto model = std::make_shared<Model>();
  model->parameters = parameters;
  model->mechanism = without_gil([&] { return read_mechanism_text(text, name, parameters, model->sources); });
  return model;
}

ModelPointer from_dict(const py::dict& description, const Parameters& parameters) {
  return checked(MechanismBuilder(read_description(*tree_of(description), {}, parameters)));
}

py::dict parameters_of(const Model& model) {
  py::dict values;
  for (const ModelParameter& parameter : model.sources.parameters) values[py::str(parameter.name)] = parameter.value;
  return values;
}

template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

std::string repr(const Model& model) {
  const Mechanism& m = model.mechanism;
  return fmt::format("<Mechanism '{}': {} bodies, {} joints>", m.name, m.bodies.size(), m.joints.size());
}

py::dict registry(std::span<const RegistryEntry> entries) {
  py::dict names;
  for (const RegistryEntry& entry : entries) names[py::str(std::string(entry.name))] = std::string(entry.summary);
  return names;
}

void bind_parts(py::module_& module) {
  py::class_<Body>(module, "Body", "A rigid body as drawn, in inertial axes.")
      .def_readonly("name", &Body::name)
      .def_readonly("mass", &Body::mass, "kg")
      .def_property_readonly(
          "center", [](const Body& b) { return array_of(b.center); }, "The mass centre, m.")
      .def_property_readonly(
          "inertia", [](const Body& b) { return array_of(b.inertia); }, "About the mass centre, kg m^2.")
      .def_property_readonly(
          "axes", [](const Body& b) { return array_of(b.axes); }, "The body's own axes, as columns.")
      .def("__repr__", [](const Body& b) { return fmt::format("<Body '{}': {:.6g} kg>", b.name, b.mass); });
  py::class_<Joint>(module, "Joint", "A joint between two bodies, by their indices; -1 is ground.")
      .def_readonly("name", &Joint::name)
      .def_property_readonly(
          "type", [](const Joint& j) { return joint_type_name(j.type); }, "As in model files: 'revolute'.")
      .def_readonly("body1", &Joint::body1)
      .def_readonly("body2", &Joint::body2)
      .def_property_readonly(
          "origin", [](const Joint& j) { return array_of(j.frame1.origin); }, "Of its frame on body 1, m.")
      .def_property_readonly(
          "axes", [](const Joint& j) { return array_of(j.frame1.axes); }, "Of that frame, as columns.")
      .def("__repr__", [](const Joint& j) { return fmt::format("<Joint '{}': {}>", j.name, joint_type_name(j.type)); });
  py::class_<Input>(module, "Input", "A value from outside.")
      .def_readonly("name", &Input::name)
      .def_readonly("start", &Input::start)
      .def_readonly("min", &Input::min)
      .def_readonly("max", &Input::max)
      .def_readonly("lag", &Input::lag, "s")
      .def_readonly("unit", &Input::unit)
      .def("__repr__", [](const Input& i) { return fmt::format("<Input '{}'>", i.name); });
}

void bind_reading(py::module_& module) {
  module.def(
      "read_mechanism",
      [](const py::object& path, const Parameters& parameters) { return read(py::str(path), parameters); },
      py::arg("path"), py::arg("parameters") = Parameters(),
      "Reads and checks a model file, URDF or ADAMS file. `parameters` replace those of the file by name.");
  module.def("read_mechanism_text", &read_text, py::arg("text"), py::arg("name") = "model",
             py::arg("parameters") = Parameters(), "The same from text; `name` is what messages call it.");
  module.def("mechanism", &from_dict, py::arg("description"), py::arg("parameters") = Parameters(),
             "From a dict with the sections of a model file.");
  module.def("json_schema", &json_schema, "The JSON Schema of model files, registered elements included.");
  module.def(
      "formulations", [] { return registry(formulations()); }, "Names of formulations, and what they are.");
  module.def(
      "integrators", [] { return registry(integrators()); }, "Names of integrators, and what they are.");
  module.def(
      "why_not", [](const std::string& f, const std::string& i) { return std::string(why_not(f, i)); },
      py::arg("formulation"), py::arg("integrator"),
      "Empty when the integrator works on that formulation, otherwise why it does not.");
}

}  // namespace

ModelPointer model_of(const py::object& description) {
  if (py::isinstance<Model>(description)) return description.cast<ModelPointer>();
  if (py::isinstance<MechanismBuilder>(description)) return checked(description.cast<const MechanismBuilder&>());
  if (py::isinstance<py::dict>(description)) return from_dict(description, {});
  if (py::isinstance<py::str>(description) || py::hasattr(description, "__fspath__"))
    return read(py::str(description), {});
  throw py::type_error("a model is a Mechanism, a MechanismBuilder, a path or a dict, but this is " +
                       py::repr(description).cast<std::string>());
}

void bind_mechanism(py::module_& module) {
  bind_parts(module);
  py::class_<Model, std::shared_ptr<Model>>(module, "Mechanism",
                                            "What exists: checked, constant, shared by any number of threads.")
      .def_property_readonly("name", [](const Model& m) { return m.mechanism.name; })
      .def_property_readonly(
          "file", [](const Model& m) { return m.mechanism.file; }, "Empty when it was built in Python.")
      .def_property_readonly(
          "files", [](const Model& m) { return m.sources.files; }, "All that was read: the model first.")
      .def_property_readonly("parameters", &parameters_of, "Of the model file, with their values.")
      .def_property_readonly("planar", [](const Model& m) { return m.mechanism.planar; })
      .def_property_readonly(
          "gravity", [](const Model& m) { return array_of(m.mechanism.gravity); }, "m/s^2")
      .def_property_readonly("bodies", [](const Model& m) { return m.mechanism.bodies; })
      .def_property_readonly("joints", [](const Model& m) { return m.mechanism.joints; })
      .def_property_readonly("inputs", [](const Model& m) { return m.mechanism.inputs; })
      .def_property_readonly(
          "markers", [](const Model& m) { return names_of(m.mechanism.markers); }, "Their names.")
      .def_property_readonly(
          "drivers", [](const Model& m) { return names_of(m.mechanism.drivers); }, "Their names.")
      .def_property_readonly(
          "events", [](const Model& m) { return names_of(m.mechanism.events); }, "Their names.")
      .def_property_readonly(
          "columns", [](const Model& m) { return trajectory_columns(m.mechanism); },
          "Names of the signals of a run, as in trajectory.csv.")
      .def_property_readonly(
          "units", [](const Model& m) { return column_units(m.mechanism); }, "Of the columns.")
      .def_property_readonly(
          "plots",
          [](const Model& m) {
            std::vector<std::pair<std::string, std::vector<std::string>>> plots;
            for (const Plot& plot : m.mechanism.plots) plots.emplace_back(plot.title, plot.columns);
            return plots;
          },
          "What the model asks to be shown: (title, columns).")
      .def_property_readonly(
          "warnings", [](const Model& m) { return m.mechanism.warnings; }, "What was let through.")
      .def("__repr__", &repr);
  bind_reading(module);
}

}  // namespace cardan::python
