#include "frame_laws.hpp"

#include "arrays.hpp"
#include "callback.hpp"
#include "descriptions.hpp"

namespace cardan::python {

namespace {

/// A force, or a pair of a force and a moment.
Wrench wrench_of(const py::object& answer) {
  if (py::isinstance<py::tuple>(answer) && py::len(answer) == 2) {
    const auto pair = answer.cast<py::tuple>();
    return {vec3_of(pair[0].cast<Numbers>()), vec3_of(pair[1].cast<Numbers>())};
  }
  return {vec3_of(answer.cast<Numbers>()), Vec3::Zero()};
}

}  // namespace

WrenchLaw wrench_law(const py::function& law) {
  return [callback = Callback(law)](const FramePair& at) {
    const Vec3 none = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    return callback.call(Wrench{none, none}, wrench_of, at);
  };
}

FrameScalar frame_scalar(const py::function& value) {
  return [callback = Callback(value)](const FramePair& at) { return callback.number(at); };
}

MechanismBuilder& add_wrench(MechanismBuilder& builder, const std::string& name, const std::string& body2,
                             const py::function& law, const std::string& body1, const py::object& at1,
                             const py::object& at2, const py::object& energy, double length) {
  WrenchSpec spec;
  spec.name = name, spec.body1 = body1, spec.body2 = body2;
  spec.at1 = optional_place_of(at1), spec.at2 = optional_place_of(at2);
  spec.law = wrench_law(law);
  if (!energy.is_none()) spec.energy = frame_scalar(energy.cast<py::function>());
  spec.length = length;
  return builder.add(spec);
}

MechanismBuilder& add_sensor(MechanismBuilder& builder, const std::string& name, const std::string& body2,
                             const py::function& value, const std::string& body1, const py::object& at1,
                             const py::object& at2) {
  SensorSpec spec;
  spec.name = name, spec.body1 = body1, spec.body2 = body2;
  spec.at1 = optional_place_of(at1), spec.at2 = optional_place_of(at2);
  spec.value = frame_scalar(value);
  return builder.add(spec);
}

void bind_frame_laws(py::module_& module) {
  py::class_<FrameMotion>(module, "FrameMotion", "Where a frame is and how it moves, in inertial axes.")
      .def_property_readonly(
          "position", [](const FrameMotion& f) { return array_of(f.position); }, "Of the origin, m.")
      .def_property_readonly(
          "rotation", [](const FrameMotion& f) { return array_of(f.rotation); }, "Columns are its axes.")
      .def_property_readonly(
          "velocity", [](const FrameMotion& f) { return array_of(f.velocity); }, "Of the origin, m/s.")
      .def_property_readonly(
          "angular_velocity", [](const FrameMotion& f) { return array_of(f.angular_velocity); }, "rad/s");
  py::class_<FramePair>(module, "FramePair", "What a law between two frames looks at.")
      .def_readonly("t", &FramePair::t, "s")
      .def_readonly("one", &FramePair::one, "The frame on body 1.")
      .def_readonly("two", &FramePair::two, "The frame on body 2.");
}

}  // namespace cardan::python
