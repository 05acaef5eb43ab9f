// Describing a mechanism in Python: the short calls of MechanismBuilder, and add() with the fields that model files
// have.
#include <fmt/format.h>

#include "arrays.hpp"
#include "callback.hpp"
#include "companions.hpp"
#include "descriptions.hpp"
#include "frame_laws.hpp"
#include "io/formats/model_tree.hpp"
#include "io/yaml_sections.hpp"

namespace cardan::python {

namespace {

using Builder = MechanismBuilder;
using Word = const std::string&;

std::string label(const char* kind, Word name) { return fmt::format("{} '{}'", kind, name); }

/// Puts functions where an element has room for them. The tree that it was read from has a number there.
class FunctionSetter : public FieldVisitor {
 public:
  FunctionSetter(bool planar, std::map<std::string, Function>& laws) : FieldVisitor(planar), laws_(laws) {}
  void function(const Field& f, const char*, std::optional<Located<Function>>& function) override {
    set(f, [&](const Function& law) { function = Located<Function>(law); });
  }
  void varying(const Field& f, Located<Varying>& number) override {
    set(f, [&](const Function& law) { number = Located<Varying>(Varying(law)); });
  }

 private:
  template <class Set>
  void set(const Field& field, const Set& put) {
    const auto law = laws_.find(field.name);
    if (law == laws_.end()) return;
    put(law->second);
    laws_.erase(law);
  }
  std::map<std::string, Function>& laws_;
};

void set_functions(MechanismSpec& spec, Word section, std::size_t elements_before,
                   std::map<std::string, Function>& laws) {
  for (std::size_t i = elements_before; i < spec.elements.size(); ++i) {
    FunctionSetter setter(spec.planar, laws);
    spec.elements[i].fields(setter);
  }
  const auto put = [&laws](const char* field, Located<Varying>& number) {
    if (const auto law = laws.find(field); law != laws.end()) {
      number = Located<Varying>(Varying(law->second));
      laws.erase(law);
    }
  };
  if (section == "states") put("rate", spec.states.back().rate);
  if (section == "signals") put("value", spec.signals.back().value);
}

Builder& add(Builder& builder, Word section, Word name, const py::kwargs& fields) {
  const auto element = map_node({}), group = map_node({}), root = map_node({});
  std::map<std::string, Function> laws;
  for (const auto& [key, value] : fields) {
    if (is_law(value)) laws.emplace(key.cast<std::string>(), function_of(value));
    element->add({key.cast<std::string>(), {}, is_law(value) ? number_node(0, {}) : tree_of(value)});
  }
  group->add({name, {}, element});
  root->add({section, {}, group});
  MechanismSpec spec = read_description(*root, builder.spec());
  set_functions(spec, section, builder.spec().elements.size(), laws);
  if (!laws.empty())
    throw std::invalid_argument(fmt::format("{}, '{}': '{}' cannot be a function", section, name, laws.begin()->first));
  builder = Builder(std::move(spec));
  return builder;
}

Builder& set_sections(Builder& builder, const py::kwargs& sections) {
  builder = Builder(read_description(*tree_of(sections), builder.spec()));
  return builder;
}

/// Takes out what is called so, of whatever sort.
Builder& remove(Builder& builder, Word name) {
  MechanismSpec spec = builder.spec();
  std::size_t removed = 0;
  const auto take_out = [&](auto& list) {
    removed += std::erase_if(list, [&](const auto& s) { return s.name.value == name; });
  };
  take_out(spec.points), take_out(spec.bodies), take_out(spec.markers), take_out(spec.joints), take_out(spec.roads);
  take_out(spec.inputs), take_out(spec.states), take_out(spec.signals), take_out(spec.events),
      take_out(spec.companions);
  removed += std::erase_if(spec.elements, [&](const Element& e) { return e.name().value == name; });
  std::erase_if(spec.initial, [&](const InitialSpec& s) { return s.name.value == name; });
  std::erase_if(spec.geometry, [&](const GeometrySpec& s) { return s.body.value == name; });
  if (removed == 0) throw std::invalid_argument(fmt::format("nothing is called '{}'", name));
  builder = Builder(std::move(spec));
  return builder;
}

Builder& body(Builder& b, Word name, double mass, const py::object& center, const py::object& inertia) {
  const auto numbers = inertia.cast<Numbers>();
  if (numbers.ndim() == 0) return b.body(name, mass, place_of(center), numbers.data()[0]);
  return b.body(name, mass, place_of(center), mat3_of(numbers));
}

/// A builder with what a file describes.
Builder from_file(const py::object& path, const std::map<std::string, double>& parameters) {
  const std::string file = py::str(path);
  Problems problems;
  int subsystems = 0;
  std::vector<std::string> files;
  Reading reading{.problems = problems, .parameters = {}, .broken_parameters = {}, .places = {}, .file = file};
  reading.subsystem_count = &subsystems;
  reading.files = &files;
  std::string why_not;
  const auto text = read_text(file, why_not);
  if (!text) problems.error({file, 0, 0}, "", why_not);
  std::optional<MechanismSpec> spec;
  if (text) spec = read_model(reading, *text, parameters);
  problems.throw_errors();
  return Builder(std::move(*spec));
}

using BuilderClass = py::class_<Builder>;
constexpr auto kSelf = py::return_value_policy::reference_internal;

void bind_bodies(BuilderClass& c) {
  c.def("planar", &Builder::planar, py::arg("is_planar") = true, kSelf, "The mechanism moves in the plane of x and y.");
  c.def(
      "gravity", [](Builder& b, const Numbers& g) -> Builder& { return b.gravity(vec3_of(g)); },
      py::arg("acceleration"), kSelf, "m/s^2; without this call 9.81 along -z, planar -y.");
  c.def(
      "point", [](Builder& b, Word name, const Numbers& at) -> Builder& { return b.point(name, vec3_of(at)); },
      py::arg("name"), py::arg("coordinates"), kSelf, "A named place in the drawing.");
  c.def(
      "rod",
      [](Builder& b, Word name, const py::object& from, const py::object& to, double mass, double radius) -> Builder& {
        return b.rod(name, place_of(from), place_of(to), mass, radius);
      },
      py::arg("name"), py::arg("start"), py::arg("end"), py::arg("mass"), py::arg("radius") = 0.0, kSelf,
      "A rod between two places.");
  c.def(
      "box",
      [](Builder& b, Word name, const Numbers& edges, const py::object& center, double mass) -> Builder& {
        return b.box(name, vec3_of(edges), place_of(center), mass);
      },
      py::arg("name"), py::arg("edges"), py::arg("center"), py::arg("mass"), kSelf, "A box with these edges, m.");
  c.def(
      "cylinder",
      [](Builder& b, Word name, const py::object& from, const py::object& to, double radius, double mass) -> Builder& {
        return b.cylinder(name, place_of(from), place_of(to), radius, mass);
      },
      py::arg("name"), py::arg("start"), py::arg("end"), py::arg("radius"), py::arg("mass"), kSelf,
      "A cylinder between two places.");
  c.def(
      "sphere",
      [](Builder& b, Word name, double radius, const py::object& center, double mass) -> Builder& {
        return b.sphere(name, radius, place_of(center), mass);
      },
      py::arg("name"), py::arg("radius"), py::arg("center"), py::arg("mass"), kSelf, "A ball.");
  c.def("body", &body, py::arg("name"), py::arg("mass"), py::arg("center"), py::arg("inertia") = 0.0, kSelf,
        "By its mass, mass centre and inertia about it: 3 by 3 in inertial axes, or planar a number.");
  c.def(
      "marker",
      [](Builder& b, Word name, Word body, const py::object& at) -> Builder& {
        return b.marker(name, body, place_of(at));
      },
      py::arg("name"), py::arg("body"), py::arg("at"), kSelf, "A named place that moves with a body.");
}

template <class Method>
void joint_about(BuilderClass& c, const char* name, Method method, const char* doc, const char* axis = "axis") {
  c.def(
      name,
      [method](Builder& b, Word joint, Word body1, Word body2, const py::object& at, const py::object& along)
          -> Builder& { return (b.*method)(joint, body1, body2, place_of(at), direction_of(along)); },
      py::arg("name"), py::arg("body1"), py::arg("body2"), py::arg("at"), py::arg(axis), kSelf, doc);
}

void bind_joints(BuilderClass& c) {
  c.def(
      "revolute",
      [](Builder& b, Word name, Word body1, Word body2, const py::object& at, const py::object& axis) -> Builder& {
        if (axis.is_none()) return b.revolute(name, body1, body2, place_of(at));
        return b.revolute(name, body1, body2, place_of(at), direction_of(axis));
      },
      py::arg("name"), py::arg("body1"), py::arg("body2"), py::arg("at"), py::arg("axis") = py::none(), kSelf,
      "A hinge about `axis`; planar mechanisms need none.");
  joint_about(c, "prismatic", &Builder::prismatic, "A slide along `axis`.");
  joint_about(c, "cylindrical", &Builder::cylindrical, "Slides along `axis` and turns about it.");
  joint_about(c, "planar_joint", &Builder::planar_joint, "Slides in the plane across `normal` and turns about it.",
              "normal");
  c.def(
      "universal",
      [](Builder& b, Word name, Word body1, Word body2, const py::object& at, const py::object& axis1,
         const py::object& axis2) -> Builder& {
        return b.universal(name, body1, body2, place_of(at), direction_of(axis1), direction_of(axis2));
      },
      py::arg("name"), py::arg("body1"), py::arg("body2"), py::arg("at"), py::arg("axis1"), py::arg("axis2"), kSelf,
      "Turns about an axis of body 1 and one of body 2.");
  c.def(
      "spherical",
      [](Builder& b, Word name, Word body1, Word body2, const py::object& at) -> Builder& {
        return b.spherical(name, body1, body2, place_of(at));
      },
      py::arg("name"), py::arg("body1"), py::arg("body2"), py::arg("at"), kSelf, "A ball joint.");
  c.def("fixed", &Builder::fixed, py::arg("name"), py::arg("body1"), py::arg("body2"), kSelf,
        "Holds two bodies together.");
  c.def("free", &Builder::free, py::arg("name"), py::arg("body1"), py::arg("body2"), kSelf,
        "Holds nothing; has coordinates.");
  c.def(
      "distance",
      [](Builder& b, Word name, Word body1, Word body2, const py::object& at1, const py::object& at2) -> Builder& {
        return b.distance(name, body1, body2, place_of(at1), place_of(at2));
      },
      py::arg("name"), py::arg("body1"), py::arg("body2"), py::arg("at1"), py::arg("at2"), kSelf,
      "A rigid rod without mass between two points, as long as drawn.");
  c.def("gear", &Builder::gear, py::arg("name"), py::arg("joint1"), py::arg("joint2"), py::arg("ratio"), kSelf,
        "The second joint's coordinate moves by `ratio` times the first's.");
  c.def("rack", &Builder::rack, py::arg("name"), py::arg("pinion"), py::arg("rack"), py::arg("radius"), kSelf,
        "An angle moves a translation by `radius`, m, for every radian.");
}

void bind_loads(BuilderClass& c) {
  c.def(
      "spring",
      [](Builder& b, Word name, Word body1, Word body2, const py::object& at1, const py::object& at2, double stiffness,
         double damping) -> Builder& {
        return b.spring(name, body1, body2, place_of(at1), place_of(at2), stiffness, damping);
      },
      py::arg("name"), py::arg("body1"), py::arg("body2"), py::arg("at1"), py::arg("at2"), py::arg("stiffness"),
      py::arg("damping") = 0.0, kSelf, "Between two points, unloaded as drawn. N/m, N s/m.");
  c.def("torsion", &Builder::torsion, py::arg("name"), py::arg("joint"), py::arg("stiffness"), py::arg("damping") = 0.0,
        py::arg("free_angle") = 0.0, kSelf, "A spring on the angle of a joint. N m/rad, N m s/rad, rad.");
  c.def("friction", &Builder::friction, py::arg("name"), py::arg("joint"), py::arg("viscous"), py::arg("coulomb"),
        kSelf, "At a joint: viscous, and Coulomb's of equal level in both directions.");
  c.def("rotor", &Builder::rotor, py::arg("name"), py::arg("joint"), py::arg("inertia"), py::arg("gear") = 1.0, kSelf,
        "An inertia that turns with a joint, `gear` times as fast.");
  c.def(
      "actuator",
      [](Builder& b, Word name, Word joint, const py::object& effort) -> Builder& {
        return b.actuator(name, joint, varying_of(effort, label("load", name), "'effort'"));
      },
      py::arg("name"), py::arg("joint"), py::arg("effort"), kSelf,
      "An effort on a joint's coordinate: a number, an expression of signals, a Function or a Python function of "
      "time.");
  c.def(
      "driver",
      [](Builder& b, Word name, Word joint, const py::object& position) -> Builder& {
        return b.driver(name, joint, varying_of(position, label("driver", name), "'position'"));
      },
      py::arg("name"), py::arg("joint"), py::arg("position"), kSelf,
      "Moves a joint's coordinate along a function of time.");
  c.def(
      "pull",
      [](Builder& b, Word name, Word body1, Word body2, const py::object& at1, const py::object& at2,
         const py::object& force) -> Builder& {
        return b.pull(name, body1, body2, place_of(at1), place_of(at2),
                      varying_of(force, label("load", name), "'force'"));
      },
      py::arg("name"), py::arg("body1"), py::arg("body2"), py::arg("at1"), py::arg("at2"), py::arg("force"), kSelf,
      "A pull between two points, positive towards each other.");
  c.def(
      "wrench", &add_wrench, py::arg("name"), py::arg("body2"), py::arg("law"), py::arg("body1") = "ground",
      py::arg("at1") = py::none(), py::arg("at2") = py::none(), py::arg("energy") = py::none(), py::arg("length") = 1.0,
      py::arg("tangent") = py::none(), kSelf,
      "A force and a moment by a Python function of a FramePair: law(at) answers with the force on body 2 at the "
      "origin of frame 2,\n"
      "or with (force, moment); body 1 takes the opposite. `energy`: what it stores, of the poses alone. `length`: "
      "m, how far the\n"
      "frames move until the law has another shape. `tangent`: a function that answers with the derivatives of (force, "
      "moment), blocks\n"
      "of 6 by 6 by small motions of frame 1 and of frame 2 (the way of the origin, then the turn about inertial "
      "axes), "
      "and where the law\n"
      "follows velocities by those of frame 1 and of frame 2; without it they are differences.");
  c.def(
      "companion", &add_companion, py::arg("name"), py::arg("make"), py::arg("period"), py::arg("inputs"),
      py::arg("outputs"), kSelf,
      "A Python object that computes beside the mechanism in a step of its own: make() gives one for every run. At 0, "
      "period, 2 period,\n"
      "... its step(t, h, inputs) goes from t over h with the inputs of before, takes these, and answers with its "
      "outputs, which hold\n"
      "until the next instant as signals NAME.OUTPUT; at the start start(t, inputs) where it has one, else step over "
      "0. "
      "`inputs`:\n"
      "{word: expression of signals}, `outputs`: words, or {word: value before it was asked}. With save() and "
      "restore(bytes) it is\n"
      "saved with the run.");
  c.def("sensor", &add_sensor, py::arg("name"), py::arg("body2"), py::arg("value"), py::arg("body1") = "ground",
        py::arg("at1") = py::none(), py::arg("at2") = py::none(), kSelf,
        "A column by a Python function of a FramePair.");
}

void bind_start(BuilderClass& c) {
  c.def("input", &Builder::input, py::arg("name"), py::arg("start") = 0.0, kSelf, "A value from outside.");
  c.def(
      "state",
      [](Builder& b, Word name, double start, const py::object& rate) -> Builder& {
        return b.state(name, start, varying_of(rate, label("state", name), "'rate'"));
      },
      py::arg("name"), py::arg("start"), py::arg("rate"), kSelf, "A scalar with z' = rate.");
  c.def(
      "signal",
      [](Builder& b, Word name, const py::object& value) -> Builder& {
        return b.signal(name, varying_of(value, label("signal", name), "'value'"));
      },
      py::arg("name"), py::arg("value"), kSelf, "A name for an expression, with a column of its own.");
  c.def(
      "velocity", [](Builder& b, Word body, const Numbers& v) -> Builder& { return b.velocity(body, vec3_of(v)); },
      py::arg("body"), py::arg("velocity"), kSelf, "Of the mass centre at the start, m/s.");
  c.def(
      "angular_velocity",
      [](Builder& b, Word body, const Numbers& w) -> Builder& { return b.angular_velocity(body, vec3_of(w)); },
      py::arg("body"), py::arg("angular_velocity"), kSelf, "At the start, rad/s.");
  c.def("joint_position", &Builder::joint_position, py::arg("joint"), py::arg("position"), kSelf,
        "At the start, rad or m.");
  c.def("joint_velocity", &Builder::joint_velocity, py::arg("joint"), py::arg("velocity"), kSelf,
        "At the start, rad/s or m/s.");
  c.def("attach", &Builder::attach, py::arg("name"), py::arg("time"), py::arg("joint"), kSelf,
        "An event: a joint takes hold.");
  c.def("release", &Builder::release, py::arg("name"), py::arg("time"), py::arg("joint"), kSelf,
        "An event: a joint lets go.");
  c.def("switch_on", &Builder::switch_on, py::arg("name"), py::arg("time"), py::arg("elements"), kSelf,
        "An event: loads and drivers are switched on.");
  c.def("switch_off", &Builder::switch_off, py::arg("name"), py::arg("time"), py::arg("elements"), kSelf,
        "An event: loads and drivers are switched off.");
}

}  // namespace

void bind_builder(py::module_& module) {
  bind_frame_laws(module);
  BuilderClass c(module, "MechanismBuilder",
                 "Describes a mechanism element by element. Short calls for the usual case, add() with the fields of "
                 "model files for\n"
                 "everything; each answers with the builder. Places are names of points and markers or coordinates. SI "
                 "units, radians.");
  c.def(py::init<std::string>(), py::arg("name") = "");
  c.def_static("read", &from_file, py::arg("path"), py::arg("parameters") = std::map<std::string, double>(),
               "A builder with what a model file describes, to be changed.");
  c.def(
      "copy", [](const Builder& b) { return Builder(b); }, "Another one like this.");
  bind_bodies(c);
  bind_joints(c);
  bind_loads(c);
  bind_start(c);
  c.def("add", &add, py::arg("section"), py::arg("name"), kSelf,
        "An element of a section of model files ('loads', 'bodies', 'events', ...) with its fields as there; functions "
        "of time and laws\n"
        "may be a Function or a Python function.");
  c.def("sections", &set_sections, kSelf,
        "Sections of a model file as keywords: gravity=[0, 0, 0], simulation={'until': 2}.");
  c.def("remove", &remove, py::arg("name"), kSelf, "Takes out what is called so, with its initial values.");
  c.def(
      "build", [](const py::object& self) { return std::const_pointer_cast<Model>(model_of(self)); },
      "Resolves names, checks everything, and raises ModelError with all problems found.");
  c.def_property_readonly("name", [](const Builder& b) { return b.spec().name; });
}

}  // namespace cardan::python
