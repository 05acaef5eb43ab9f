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

WrenchTangent::Block block_of(const Numbers& numbers) {
  if (numbers.ndim() != 2 || numbers.shape(0) != 6 || numbers.shape(1) != 6)
    throw std::invalid_argument("a block of a tangent has 6 by 6 numbers");
  return Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(numbers.data());
}

/// By the motion of frame 1, of frame 2, and where it follows velocities by theirs.
WrenchTangent tangent_of(const py::object& answer) {
  const auto blocks = answer.cast<py::tuple>();
  if (py::len(blocks) != 2 && py::len(blocks) != 4)
    throw std::invalid_argument("a tangent is a tuple of two blocks, or of four");
  WrenchTangent tangent;
  tangent.position1 = block_of(blocks[0].cast<Numbers>()), tangent.position2 = block_of(blocks[1].cast<Numbers>());
  if (py::len(blocks) == 4)
    tangent.velocity1 = block_of(blocks[2].cast<Numbers>()), tangent.velocity2 = block_of(blocks[3].cast<Numbers>());
  return tangent;
}

}  // namespace

WrenchTangentLaw wrench_tangent(const py::function& law) {
  return [callback = Callback(law)](const FramePair& at) {
    WrenchTangent none;
    none.position1.setConstant(std::numeric_limits<double>::quiet_NaN());
    return callback.call(none, tangent_of, at);
  };
}

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
                             const py::object& at2, const py::object& energy, double length,
                             const py::object& tangent) {
  WrenchSpec spec;
  spec.name = name, spec.body1 = body1, spec.body2 = body2;
  spec.at1 = optional_place_of(at1), spec.at2 = optional_place_of(at2);
  spec.law = wrench_law(law);
  if (!energy.is_none()) spec.energy = frame_scalar(energy.cast<py::function>());
  if (!tangent.is_none()) spec.tangent = wrench_tangent(tangent.cast<py::function>());
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
