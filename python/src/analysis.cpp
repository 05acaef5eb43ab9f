// Equilibrium, modes, inverse dynamics along drivers, joint space.
#include "cardan/analysis.hpp"

#include "arrays.hpp"
#include "callback.hpp"

namespace cardan::python {

namespace {

py::array complex_array(const std::vector<std::complex<double>>& values) {
  return py::array_t<std::complex<double>>(static_cast<py::ssize_t>(values.size()), values.data());
}

void bind_equilibrium(py::module_& module) {
  py::class_<LoadValue>(module, "LoadValue", "What a spring or tyre does at rest.")
      .def_readonly("name", &LoadValue::name)
      .def_readonly("length", &LoadValue::length, "m or rad")
      .def_readonly("force", &LoadValue::force, "N or N m");
  py::class_<Equilibrium>(module, "Equilibrium", "A position of rest.")
      .def_readonly("converged", &Equilibrium::converged)
      .def_readonly("reason", &Equilibrium::reason, "Why not.")
      .def_readonly("bodies", &Equilibrium::bodies, "Poses, in the order of the mechanism.")
      .def_readonly("columns", &Equilibrium::columns)
      .def_property_readonly(
          "values", [](const Equilibrium& e) { return array_of(e.values); }, "Of the columns.")
      .def_readonly("loads", &Equilibrium::loads)
      .def_readonly("force", &Equilibrium::force, "Largest unbalanced force on a body, N.")
      .def_readonly("moment", &Equilibrium::moment, "Largest unbalanced moment, N m.")
      .def_readonly("iterations", &Equilibrium::iterations)
      .def_readonly("degrees_of_freedom", &Equilibrium::degrees_of_freedom)
      .def_readonly("unstable", &Equilibrium::unstable, "Directions in which the forces drive away.")
      .def_readonly("neutral", &Equilibrium::neutral, "Motions that nothing resists.")
      .def_readonly("notes", &Equilibrium::notes)
      .def("value", &Equilibrium::value, py::arg("column"), "By the name of a column.")
      .def("__getitem__", &Equilibrium::value, py::arg("column"));
  module.def(
      "find_equilibrium",
      [](const py::object& model, int iterations, double step, double tolerance) {
        EquilibriumOptions options;
        options.iterations = iterations, options.step = step, options.tolerance = tolerance;
        return without_gil(
            [mechanism = model_of(model), &options] { return find_equilibrium(mechanism->mechanism, options); });
      },
      py::arg("model"), py::arg("iterations") = EquilibriumOptions().iterations,
      py::arg("step") = EquilibriumOptions().step, py::arg("tolerance") = EquilibriumOptions().tolerance,
      "The position of rest that the loads lead to.");
}

void bind_modes(py::module_& module) {
  const auto array = [](auto member) { return [member](const Linearization& l) { return array_of(l.*member); }; };
  py::class_<Mode>(module, "Mode", "A pair of conjugate eigenvalues, or a real one, with its shape.")
      .def_readonly("eigenvalue", &Mode::eigenvalue, "1/s")
      .def_readonly("frequency", &Mode::frequency, "Hz")
      .def_readonly("natural_frequency", &Mode::natural_frequency, "Hz")
      .def_readonly("damping_ratio", &Mode::damping_ratio)
      .def_readonly("rigid", &Mode::rigid, "A motion that nothing resists.")
      .def_readonly("unstable", &Mode::unstable, "It grows.")
      .def_property_readonly(
          "shape", [](const Mode& m) { return complex_array(m.shape); }, "By Linearization.columns.");
  py::class_<Linearization>(module, "Linearization",
                            "M x'' + C x' + K x = 0 of the independent motions, and its modes.")
      .def_readonly("columns", &Linearization::columns)
      .def_property_readonly("mass", array(&Linearization::mass))
      .def_property_readonly("damping", array(&Linearization::damping))
      .def_property_readonly("stiffness", array(&Linearization::stiffness))
      .def_property_readonly("motions", array(&Linearization::motions), "What a unit of every independent motion does.")
      .def_property_readonly("state_matrix", array(&Linearization::state_matrix))
      .def_readonly("modes", &Linearization::modes, "Rigid ones first, then by |eigenvalue|.")
      .def_readonly("force", &Linearization::force, "Unbalanced, N: zero at an equilibrium.")
      .def_readonly("moment", &Linearization::moment, "Unbalanced, N m.")
      .def_readonly("notes", &Linearization::notes);
  module.def(
      "linearize",
      [](const py::object& model, const Equilibrium* equilibrium) {
        return without_gil([mechanism = model_of(model), equilibrium] {
          return equilibrium ? linearize(mechanism->mechanism, *equilibrium) : linearize(mechanism->mechanism);
        });
      },
      py::arg("model"), py::arg("equilibrium") = py::none(),
      "Of a model about its equilibrium, or without one as drawn.");
}

void bind_inverse(py::module_& module) {
  const auto array = [](auto member) { return [member](const InverseDynamics& r) { return array_of(r.*member); }; };
  py::class_<InverseDynamics>(module, "InverseDynamics",
                              "Along the paths of all drivers: rows are samples, columns drivers.")
      .def_readonly("names", &InverseDynamics::names)
      .def_property_readonly("time", array(&InverseDynamics::time), "s")
      .def_property_readonly("position", array(&InverseDynamics::position))
      .def_property_readonly("velocity", array(&InverseDynamics::velocity))
      .def_property_readonly("acceleration", array(&InverseDynamics::acceleration))
      .def_property_readonly("effort", array(&InverseDynamics::effort), "N m or N")
      .def_readonly("notes", &InverseDynamics::notes);
  module.def(
      "driven_efforts",
      [](const py::object& model, double step, double until) {
        InverseOptions options;
        options.step = step, options.until = until;
        return without_gil(
            [mechanism = model_of(model), &options] { return inverse_dynamics(mechanism->mechanism, options); });
      },
      py::arg("model"), py::arg("step") = InverseOptions().step, py::arg("until") = InverseOptions().until,
      "Inverse dynamics along the paths of the drivers, which must give every degree of freedom.");
  module.def(
      "with_efforts",
      [](const py::object& model, const InverseDynamics& result) {
        auto driven = std::make_shared<Model>();
        driven->mechanism =
            without_gil([mechanism = model_of(model), &result] { return with_efforts(mechanism->mechanism, result); });
        return driven;
      },
      py::arg("model"), py::arg("result"),
      "The model with these efforts as actuators in place of its drivers, to start on their paths.");
}

void bind_joint_space(py::module_& module) {
  module.def(
      "joint_space", [](const py::object& model) { return joint_space(model_of(model)->mechanism); }, py::arg("model"),
      "Names of the joint coordinates of an open chain, in the order of the next three.");
  module.def(
      "joint_space_mass_matrix",
      [](const py::object& model, const Numbers& q) {
        return array_of(joint_space_mass_matrix(model_of(model)->mechanism, vector_of(q)));
      },
      py::arg("model"), py::arg("q"), "M(q).");
  module.def(
      "inverse_dynamics_at",
      [](const py::object& model, const Numbers& q, const Numbers& v, const Numbers& a) {
        return array_of(inverse_dynamics_at(model_of(model)->mechanism, vector_of(q), vector_of(v), vector_of(a)));
      },
      py::arg("model"), py::arg("q"), py::arg("v"), py::arg("a"), "The efforts on the coordinates at which q'' = a.");
  module.def(
      "gravity_torques",
      [](const py::object& model, const Numbers& q) {
        return array_of(gravity_torques(model_of(model)->mechanism, vector_of(q)));
      },
      py::arg("model"), py::arg("q"), "The efforts that hold the weight alone.");
}

}  // namespace

void bind_analysis(py::module_& module) {
  bind_equilibrium(module);
  bind_modes(module);
  bind_inverse(module);
  bind_joint_space(module);
}

}  // namespace cardan::python
