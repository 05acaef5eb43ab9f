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
  py::class_<FrameHandle>(module, "FrameHandle",
                          "A point with axes on a body, of one System; without more the inertial one.")
      .def(py::init<>())
      .def_readonly("body", &FrameHandle::body);
  py::class_<JointHandle>(module, "JointHandle", "A joint, of one System.").def_readonly("index", &JointHandle::index);
  py::class_<LoadHandle>(module, "LoadHandle", "A load by its name, with all that it is made of, of one System.")
      .def_readonly("index", &LoadHandle::index);
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

void bind_states(py::module_& module) {
  module.def("relative_motion", &relative_motion, py::arg("system"), py::arg("context"), py::arg("frame"),
             py::arg("seen_from") = FrameHandle(), "The motion of a frame as seen from another, in the axes of that.");
  module.def(
      "with_frame",
      [](const System& s, const Context& c, const FrameHandle& frame, const Numbers& position, const Numbers& rotation,
         const std::optional<Numbers>& velocity, const std::optional<Numbers>& angular, const FrameHandle& from) {
        FrameMotion motion{vec3_of(position), mat3_of(rotation)};
        if (velocity) motion.velocity = vec3_of(*velocity);
        if (angular) motion.angular_velocity = vec3_of(*angular);
        return without_gil([&] { return with_frame(s, c, frame, motion, from); });
      },
      py::arg("system"), py::arg("context"), py::arg("frame"), py::arg("position"), py::arg("rotation"),
      py::arg("velocity") = py::none(), py::arg("angular_velocity") = py::none(), py::arg("seen_from") = FrameHandle(),
      "The nearest state in which a frame is and moves so, seen from another; without velocities it rests.");
  module.def(
      "with_attitude",
      [](const System& s, const Context& c, const FrameHandle& frame, const Numbers& rotation,
         const std::optional<Numbers>& angular, const FrameHandle& from) {
        const Mat3 turn = mat3_of(rotation);
        const Vec3 spin = angular ? vec3_of(*angular) : Vec3(Vec3::Zero());
        return without_gil([&] { return with_attitude(s, c, frame, turn, spin, from); });
      },
      py::arg("system"), py::arg("context"), py::arg("frame"), py::arg("rotation"),
      py::arg("angular_velocity") = py::none(), py::arg("seen_from") = FrameHandle(),
      "The same of attitude and angular velocity alone: the way to set a spherical joint.");
  const auto def = [&module](const char* name, auto function, const char* which, const char* doc) {
    module.def(name, function, py::arg("system"), py::arg("context"), py::arg(which), doc);
  };
  def("input_value", &cardan::input_value, "input", "The value that an input was given last.");
  def("state_value", &cardan::state_value, "state", "Of a state of the model, in its own unit.");
  module.def("with_input", &cardan::with_input, py::arg("system"), py::arg("context"), py::arg("input"),
             py::arg("value"),
             "From now on the input is this, within its limits; signals see it with the input's lag.");
  module.def("with_state", &cardan::with_state, py::arg("system"), py::arg("context"), py::arg("state"),
             py::arg("value"), "A state of the model is this.");
  module.def("carried_over", &carried_over, py::arg("system"), py::arg("context"), py::arg("to"),
             "A context of one system as one of another that was made like it.");
}

void bind_forces(py::module_& module) {
  const auto wrench = [](const Wrench& w) { return py::make_tuple(array_of(w.force), array_of(w.moment)); };
  module.def(
      "gravity_forces", [](const System& s, const Context& c) { return array_of(gravity_forces(s, c)); },
      py::arg("system"), py::arg("context"), "The weight of all bodies on the coordinates.");
  module.def(
      "load_forces",
      [](const System& s, const Context& c, LoadHandle load) { return array_of(load_forces(s, c, load)); },
      py::arg("system"), py::arg("context"), py::arg("load"), "What a load does on the coordinates.");
  module.def(
      "load_wrench",
      [wrench](const System& s, const Context& c, LoadHandle load, int body) {
        return wrench(load_wrench(s, c, load, body));
      },
      py::arg("system"), py::arg("context"), py::arg("load"), py::arg("body"),
      "(force, moment) of a load on a body about its mass centre, inertial axes; N, N m.");
  module.def(
      "load_effort",
      [](const System& s, const Context& c, LoadHandle load) {
        const LoadEffort found = load_effort(s, c, load);
        return py::make_tuple(found.length, found.effort);
      },
      py::arg("system"), py::arg("context"), py::arg("load"),
      "(length, effort) of a load along a line or on a coordinate, as its columns have them.");
  module.def(
      "joint_reaction",
      [wrench](const System& s, const Context& c, JointHandle joint) { return wrench(joint_reaction(s, c, joint)); },
      py::arg("system"), py::arg("context"), py::arg("joint"),
      "(force, moment) on the second body at the joint's point, in the joint's axes on the first; N, N m.");
  py::class_<Momentum>(module, "Momentum", "Of all bodies, inertial axes.")
      .def_readonly("mass", &Momentum::mass, "kg")
      .def_property_readonly(
          "centre", [](const Momentum& m) { return array_of(m.centre); }, "Of mass, m.")
      .def_property_readonly(
          "velocity", [](const Momentum& m) { return array_of(m.velocity); }, "Of the centre, m/s.")
      .def_property_readonly(
          "linear", [](const Momentum& m) { return array_of(m.linear); }, "kg m/s")
      .def_property_readonly(
          "angular", [](const Momentum& m) { return array_of(m.angular); }, "About the centre, kg m^2/s.");
  module.def("momentum", &momentum, py::arg("system"), py::arg("context"), "Mass, its centre, momenta.");
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
  module.def(
      "frame_bias",
      [](const System& s, const Context& c, const FrameHandle& f) { return array_of(frame_bias(s, c, f)); },
      py::arg("system"), py::arg("context"), py::arg("frame"),
      "J' v: acceleration of its point, then angular acceleration, at zero accelerations of the coordinates.");
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
      .def(
          "with_model",
          [](const System& like, const py::object& model) {
            return without_gil(
                [mechanism = model_of(model), &like] { return std::make_unique<System>(like, mechanism->mechanism); });
          },
          py::arg("model"),
          "In the same coordinates with another model, the same but for masses, loads, gravity and expressions;\n"
          "carried_over() takes contexts there.")
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
      .def("centre", &System::centre, py::arg("body"), "The mass centre of a body, with its own axes.")
      .def("joint", &System::joint, py::arg("name"), "A joint, for its reaction.")
      .def("joint_frame", &System::joint_frame, py::arg("joint"), py::arg("number"), "Frame 1 or 2 of a joint.")
      .def("load", &System::load, py::arg("name"), "A load, for its forces.")
      .def("input", &System::input, py::arg("name"), "The index of an input.")
      .def("state", &System::state, py::arg("name"), "The index of a state of the model.")
      .def("signal", &System::signal, py::arg("name"), "The index of a signal.");
  bind_matrices(module);
  bind_dynamics(module);
  bind_kinematics(module);
  bind_states(module);
  bind_forces(module);
  bind_linear_system(module);
}

}  // namespace cardan::python
