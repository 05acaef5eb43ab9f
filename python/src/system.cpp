// What can be asked of a mechanism at a state.
#include "cardan/system.hpp"

#include "arrays.hpp"
#include "callback.hpp"
#include "cardan/analysis.hpp"

namespace cardan::python {

namespace {

using Coordinates = std::vector<CoordinateHandle>;

void bind_handles(py::module_& module) {
  py::class_<CoordinateHandle>(module, "CoordinateHandle", "One coordinate of a joint, of one System.")
      .def_readonly("index", &CoordinateHandle::index);
  py::class_<FrameHandle>(module, "FrameHandle", "A point with axes on a body, of one System.")
      .def_readonly("body", &FrameHandle::body);
  py::class_<FormulationCounts>(module, "FormulationCounts", "How large a formulation is.")
      .def_readonly("formulation", &FormulationCounts::formulation)
      .def_readonly("coordinates", &FormulationCounts::coordinates)
      .def_readonly("constraints", &FormulationCounts::constraints)
      .def_readonly("degrees_of_freedom", &FormulationCounts::degrees_of_freedom)
      .def_readonly("driven", &FormulationCounts::driven)
      .def_readonly("redundant", &FormulationCounts::redundant, "Names of redundant constraints.")
      .def_readonly("cut", &FormulationCounts::cut, "Joints opened, of relative coordinates.")
      .def_readonly("warnings", &FormulationCounts::warnings);
  module.def(
      "count_coordinates",
      [](const py::object& model, const std::string& formulation) {
        return without_gil([mechanism = model_of(model), &formulation] {
          return count_coordinates(mechanism->mechanism, formulation);
        });
      },
      py::arg("model"), py::arg("formulation") = "hybrid",
      "Coordinates, constraints and degrees of freedom in a formulation.");
}

void bind_matrices(py::module_& module) {
  const auto def = [&module](const char* name, auto function, const char* doc) {
    module.def(
        name,
        [function](const System& s, const Context& c) { return array_of(without_gil([&] { return function(s, c); })); },
        py::arg("system"), py::arg("context"), doc);
  };
  def("mass_matrix", &mass_matrix, "M, n by n.");
  def("bias_forces", &bias_forces, "h: what velocities, weight and loads do, in M a + h + Phi_q^T lambda = tau.");
  def("constraint_values", &constraint_values, "Phi.");
  def("constraint_jacobian", &constraint_jacobian, "Phi_q, m by n.");
  def("constraint_bias", &constraint_bias, "gamma in Phi_q a = gamma.");
  def("signals", &signals, "Every column of trajectory.csv, reactions included.");
  module.def(
      "energy",
      [](const System& s, const Context& c) {
        const EnergyParts parts = energy(s, c);
        return py::make_tuple(parts.kinetic, parts.potential);
      },
      py::arg("system"), py::arg("context"), "(kinetic, potential), J.");
}

void bind_dynamics(py::module_& module) {
  module.def(
      "forward_dynamics",
      [](const System& s, const Context& c, const py::object& tau) {
        const VecX efforts = tau.is_none() ? VecX() : vector_of(tau.cast<Numbers>());
        const Accelerations result = without_gil([&] { return forward_dynamics(s, c, efforts); });
        return py::make_tuple(array_of(result.acceleration), array_of(result.multipliers));
      },
      py::arg("system"), py::arg("context"), py::arg("tau") = py::none(),
      "(accelerations, multipliers) for efforts tau.");
  module.def(
      "inverse_dynamics",
      [](const System& s, const Context& c, const Numbers& a, const std::optional<Coordinates>& actuated) {
        const VecX acceleration = vector_of(a);
        return array_of(without_gil([&]() -> VecX {
          return actuated ? inverse_dynamics(s, c, acceleration, *actuated) : inverse_dynamics(s, c, acceleration);
        }));
      },
      py::arg("system"), py::arg("context"), py::arg("acceleration"), py::arg("actuated") = py::none(),
      "M a + h; with `actuated` the efforts on these coordinates that bring the acceleration about, loops included.");
  module.def(
      "effort_direction",
      [](const System& s, const Context& c, CoordinateHandle h) { return array_of(effort_direction(s, c, h)); },
      py::arg("system"), py::arg("context"), py::arg("coordinate"), "What a unit effort on a coordinate is in tau.");
}

void bind_kinematics(py::module_& module) {
  module.def("joint_position", &joint_position, py::arg("system"), py::arg("context"), py::arg("coordinate"),
             "rad or m");
  module.def("joint_velocity", &joint_velocity, py::arg("system"), py::arg("context"), py::arg("coordinate"),
             "rad/s or m/s");
  module.def(
      "with_joints",
      [](const System& s, const Context& c, const Coordinates& coordinates, const Numbers& positions,
         const Numbers& velocities) {
        const VecX q = vector_of(positions), v = vector_of(velocities);
        return without_gil([&] { return with_joints(s, c, coordinates, q, v); });
      },
      py::arg("system"), py::arg("context"), py::arg("coordinates"), py::arg("positions"), py::arg("velocities"),
      "The nearest state that closes the loops with these coordinates and rates.");
  module.def("frame_motion", &frame_motion, py::arg("system"), py::arg("context"), py::arg("frame"),
             "Pose, velocity and the acceleration that follows from the state.");
  module.def(
      "frame_jacobian",
      [](const System& s, const Context& c, const FrameHandle& f) { return array_of(frame_jacobian(s, c, f)); },
      py::arg("system"), py::arg("context"), py::arg("frame"),
      "6 by n: velocity of its point, then angular velocity; inertial axes.");
}

void bind_linear_system(py::module_& module) {
  const auto array = [](auto member) { return [member](const LinearSystem& s) { return array_of(s.*member); }; };
  py::class_<LinearSystem>(module, "LinearSystem", "x' = A x + B u, y = C x + D u about a state.")
      .def_readonly("states", &LinearSystem::states)
      .def_readonly("inputs", &LinearSystem::inputs)
      .def_readonly("outputs", &LinearSystem::outputs)
      .def_property_readonly("A", array(&LinearSystem::A))
      .def_property_readonly("B", array(&LinearSystem::B))
      .def_property_readonly("C", array(&LinearSystem::C))
      .def_property_readonly("D", array(&LinearSystem::D));
  module.def(
      "linearize",
      [](const System& s, const Context& c, const Coordinates& inputs, const std::vector<int>& outputs) {
        return without_gil([&] { return linearize(s, c, inputs, outputs); });
      },
      py::arg("system"), py::arg("context"), py::arg("inputs") = Coordinates(), py::arg("outputs") = std::vector<int>(),
      "Of a System about any state. `inputs`: coordinates that efforts act on, without any those of the actuators.");
}

}  // namespace

void bind_system(py::module_& module) {
  bind_handles(module);
  py::class_<System>(module, "System",
                     "A mechanism compiled for a formulation: constant, shared by any number of threads.")
      .def(py::init([](const py::object& model, const std::string& formulation, const std::vector<std::string>& cut) {
             SystemOptions options;
             options.cut = cut;
             return without_gil([mechanism = model_of(model), &formulation, &options] {
               return std::make_unique<System>(mechanism->mechanism, formulation, options);
             });
           }),
           py::arg("model"), py::arg("formulation") = "hybrid", py::arg("cut") = std::vector<std::string>())
      .def_property_readonly("formulation", &System::formulation)
      .def_property_readonly("coordinates", &System::coordinates, "n")
      .def_property_readonly("constraints", &System::constraints, "m, redundant ones included")
      .def_property_readonly("coordinate_names", &System::coordinate_names)
      .def_property_readonly("constraint_names", &System::constraint_names)
      .def_property_readonly("signal_names", &System::signal_names)
      .def_property_readonly("length", &System::length, "The size of the mechanism, m.")
      .def("start", &System::start, "As assembled, with the initial velocities of the mechanism.")
      .def("body", &System::body, py::arg("name"), "Its index.")
      .def("coordinate", &System::coordinate, py::arg("joint"), py::arg("number") = 1,
           "Of a joint; its coordinates count from 1.")
      .def("marker", &System::marker, py::arg("name"), "The frame of a marker.")
      .def(
          "frame",
          [](const System& s, const std::string& body, const Numbers& point) { return s.frame(body, vec3_of(point)); },
          py::arg("body"), py::arg("drawn_point"), "A point of a body by its drawn place.")
      .def("signal", &System::signal, py::arg("name"), "The index of a signal.");
  bind_matrices(module);
  bind_dynamics(module);
  bind_kinematics(module);
  bind_linear_system(module);
}

}  // namespace cardan::python
