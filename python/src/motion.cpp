// Where bodies are and how they move, and the value that a motion is.
#include "cardan/motion.hpp"

#include "arrays.hpp"
#include "cardan/context.hpp"

namespace cardan::python {

namespace {

template <class Class, class Member>
void vector(Class& c, const char* name, Member member, const char* doc) {
  c.def_property(
      name,
      [member](const py::object& self) {
        VecX& values = self.cast<Context&>().*member;
        return view_of(values.data(), {values.size()}, self);
      },
      [member](Context& context, const Numbers& numbers) { context.*member = vector_of(numbers); }, doc);
}

}  // namespace

void bind_motion(py::module_& module) {
  py::class_<BodyPose>(module, "BodyPose", "Where a body is.")
      .def_property_readonly(
          "position", [](const BodyPose& p) { return array_of(p.position); }, "Of its mass centre, m.")
      .def_property_readonly(
          "rotation", [](const BodyPose& p) { return array_of(p.rotation); }, "Columns are its axes.");
  py::class_<BodyMotion>(module, "BodyMotion", "The pose and motion of a body or frame, inertial axes.")
      .def_property_readonly(
          "position", [](const BodyMotion& m) { return array_of(m.position); }, "m")
      .def_property_readonly(
          "rotation", [](const BodyMotion& m) { return array_of(m.rotation); }, "Columns are its axes.")
      .def_property_readonly(
          "velocity", [](const BodyMotion& m) { return array_of(m.velocity); }, "m/s")
      .def_property_readonly(
          "acceleration", [](const BodyMotion& m) { return array_of(m.acceleration); }, "m/s^2")
      .def_property_readonly(
          "angular_velocity", [](const BodyMotion& m) { return array_of(m.angular_velocity); }, "rad/s")
      .def_property_readonly(
          "angular_acceleration", [](const BodyMotion& m) { return array_of(m.angular_acceleration); }, "rad/s^2");
  py::class_<Context> context(
      module, "Context",
      "The one value that a motion is: time, coordinates, velocities, and what a stepper remembers. From\n"
      "System.start(), with_joints() or Simulation.state(). Arrays share its memory.");
  context.def_readwrite("t", &Context::t, "s");
  vector(context, "q", &Context::q, "Coordinates of the formulation.");
  vector(context, "v", &Context::v, "Their velocities.");
  vector(context, "acceleration", &Context::acceleration, "Their accelerations.");
  vector(context, "multipliers", &Context::lambda, "Of the constraints.");
  context.def(
      "copy", [](const Context& c) { return Context(c); }, "Another one like this.");
}

}  // namespace cardan::python
