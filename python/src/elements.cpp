// Elements of a program's own: their fields and what they become, said in Python once, and from then on known to model
// files and builders (cardan/element.hpp).
#include <fmt/format.h>

#include "arrays.hpp"
#include "callback.hpp"
#include "cardan/element.hpp"
#include "descriptions.hpp"
#include "frame_laws.hpp"
#include "options/unknown_name.hpp"

namespace cardan::python {

namespace {

/// One field, as Python states it.
struct PyField {
  std::string name, sort, unit, meaning;
  std::optional<double> otherwise;  // the number that holds where none is given
  std::string otherwise_text;
  Bound bound = Bound::any;
  bool required = true;
  std::string to_write;
};

Bound bound_of(const std::string& word) {
  const std::pair<const char*, Bound> bounds[] = {{"any", Bound::any},
                                                  {"positive", Bound::positive},
                                                  {"not_negative", Bound::not_negative},
                                                  {"not_zero", Bound::not_zero}};
  std::vector<std::string> known;
  for (const auto& [name, bound] : bounds) {
    if (word == name) return bound;
    known.emplace_back(name);
  }
  throw std::invalid_argument(unknown_name("bound", word, known));
}

PyField make_field(const std::string& name, const std::string& sort, const std::string& unit,
                   const std::optional<double>& otherwise, const std::string& bound, bool required,
                   const std::string& meaning) {
  const std::vector<std::string> sorts{"number",    "body",  "bodies",   "place",  "places",
                                       "direction", "joint", "function", "varying"};
  if (std::find(sorts.begin(), sorts.end(), sort) == sorts.end())
    throw std::invalid_argument(unknown_name("sort of field", sort, sorts));
  PyField field{name, sort, unit, meaning, otherwise, "", bound_of(bound), required && !otherwise, ""};
  if (otherwise) field.otherwise_text = fmt::format("{}", *otherwise);
  field.to_write = unit.empty() ? fmt::format("add '{}'", name) : fmt::format("add '{}', {}", name, unit);
  return field;
}

struct Definition {
  std::string name, called, section;
  std::vector<PyField> fields;
  py::object lower;
};

/// What an element becomes part of, as Python sees it while lower() is called.
class PyLowering {
 public:
  explicit PyLowering(Lowering& to) : to_(to) {}

  void spring(const std::pair<int, int>& bodies, const std::pair<Numbers, Numbers>& points, const py::object& spring,
              const py::object& damper, double free_length) {
    SpringDamper primitive;
    primitive.body1 = bodies.first, primitive.body2 = bodies.second;
    primitive.point1 = vec3_of(points.first), primitive.point2 = vec3_of(points.second);
    if (!spring.is_none()) primitive.spring = function_of(spring);
    if (!damper.is_none()) primitive.damper = function_of(damper);
    primitive.free_length = free_length;
    to_.add(primitive);
  }
  void joint_spring(const std::pair<int, int>& coordinate, const py::object& spring, const py::object& damper,
                    double free_position) {
    JointSpringDamper primitive;
    primitive.joint = coordinate.first, primitive.coordinate = coordinate.second;
    if (!spring.is_none()) primitive.spring = function_of(spring);
    if (!damper.is_none()) primitive.damper = function_of(damper);
    primitive.free_position = free_position;
    to_.add(primitive);
  }
  void wrench(const std::pair<int, int>& bodies, const std::pair<Numbers, Numbers>& points, const py::function& law,
              double length, const py::object& tangent) {
    CustomWrench primitive;
    primitive.body1 = bodies.first, primitive.body2 = bodies.second;
    primitive.frame1.origin = vec3_of(points.first), primitive.frame2.origin = vec3_of(points.second);
    primitive.law = wrench_law(law);
    if (!tangent.is_none()) primitive.tangent = wrench_tangent(tangent.cast<py::function>());
    primitive.length = length;
    to_.add(primitive);
  }
  void error(const std::string& message, const std::string& remedy) { to_.error({}, message, remedy); }

 private:
  Lowering& to_;
};

/// An ElementSpec whose fields are a list.
struct PyElement {
  struct Value {
    Name one, two;
    std::optional<Place> at1, at2;
    std::optional<Number> number;
    std::optional<Located<int>> coordinate;
    std::optional<Direction> direction;
    std::optional<Located<Function>> function;
    Located<Varying> varying;
  };
  Name name;
  std::shared_ptr<const Definition> definition;
  std::vector<Value> values;

  ElementKind kind() const {
    return {definition->name.c_str(), definition->called.c_str(), definition->section.c_str()};
  }

  void fields(FieldVisitor& visit) {
    for (std::size_t i = 0; i < values.size(); ++i) visit_field(visit, definition->fields[i], values[i]);
  }

  static void visit_field(FieldVisitor& visit, const PyField& field, Value& value) {
    Field f(field.name.c_str(), field.meaning.c_str(), field.unit.c_str(), field.otherwise_text.c_str());
    if (field.required) f.required(field.to_write.c_str());
    f.bounded(field.bound);
    if (field.sort == "number") visit.number(f, value.number);
    if (field.sort == "body") visit.body(f, value.one);
    if (field.sort == "bodies") visit.two_bodies(f.like("[ground, BODY]"), value.one, value.two);
    if (field.sort == "place") visit.place(f, value.at1);
    if (field.sort == "places") visit.two_places(f, value.at1, value.at2);
    if (field.sort == "direction") visit.direction(f, value.direction, Parity::polar);
    if (field.sort == "joint") visit.joint(f, value.one, value.coordinate);
    if (field.sort == "function") visit.function(f, "x", value.function);
    if (field.sort == "varying") visit.varying(f, value.varying);
  }

  /// What lower() gets: indices of bodies, coordinates of joints, points, numbers, functions.
  static py::object lowered(Lowering& to, const PyField& field, const Value& value) {
    if (field.sort == "number") {
      if (value.number) return py::float_(value.number->value);
      return field.otherwise ? py::object(py::float_(*field.otherwise)) : py::none();
    }
    if (field.sort == "body") return py::int_(to.body(value.one));
    if (field.sort == "bodies") return py::make_tuple(to.body(value.one), to.body(value.two));
    if (field.sort == "place") return value.at1 ? py::object(array_of(to.place(*value.at1))) : py::none();
    if (field.sort == "places")
      return value.at1 ? py::object(py::make_tuple(array_of(to.place(*value.at1)), array_of(to.place(*value.at2))))
                       : py::none();
    if (field.sort == "direction")
      return value.direction ? py::object(array_of(to.direction(*value.direction))) : py::none();
    if (field.sort == "joint") {
      const auto coordinate = to.coordinate(value.one, value.coordinate);
      return coordinate ? py::object(py::make_tuple(coordinate->joint, coordinate->index)) : py::none();
    }
    if (field.sort == "function") return value.function ? py::cast(value.function->value) : py::none();
    return py::cast(value.varying.value.function);
  }

  void lower(Lowering& to) const {
    const py::gil_scoped_acquire gil;
    PyLowering lowering(to);
    py::dict arguments;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const py::object value = lowered(to, definition->fields[i], values[i]);
      if (value.is_none() && definition->fields[i].sort == "joint") return;  // which was reported
      arguments[py::str(definition->fields[i].name)] = value;
    }
    definition->lower(&lowering, **arguments);
  }
};

void register_python_element(const std::string& name, const std::vector<PyField>& fields, const py::function& lower,
                             const std::string& called, const std::string& section) {
  PyElement element;
  element.definition = std::shared_ptr<const Definition>(
      new Definition{name, called.empty() ? "a " + name : called, section, fields, lower},
      [](const Definition* definition) {
        if (Py_IsInitialized() == 0) return;  // the interpreter has taken its objects with it
        const py::gil_scoped_acquire gil;
        delete definition;
      });
  element.values.resize(fields.size());
  register_element(element);
}

}  // namespace

void bind_elements(py::module_& module) {
  py::class_<PyField>(module, "Field", "A field of an element of a program's own.")
      .def(py::init(&make_field), py::arg("name"), py::arg("sort") = "number", py::arg("unit") = "",
           py::arg("default") = py::none(), py::arg("bound") = "any", py::arg("required") = true,
           py::arg("meaning") = "",
           "`sort`: number, body, bodies (two), place, places (two), direction, joint, function (of x) or varying (of "
           "t).\n"
           "`bound` of numbers: any, positive, not_negative, not_zero. One with a default need not be given.")
      .def_readonly("name", &PyField::name)
      .def_readonly("sort", &PyField::sort)
      .def_readonly("unit", &PyField::unit);
  py::class_<PyLowering>(module, "Lowering",
                         "What an element of a program's own becomes part of; valid while lower() is called.")
      .def("spring", &PyLowering::spring, py::arg("bodies"), py::arg("points"), py::arg("spring") = py::none(),
           py::arg("damper") = py::none(), py::arg("free_length") = 0.0,
           "Along the line between two points: spring(s - free_length) + damper(s'), positive pulls.")
      .def("joint_spring", &PyLowering::joint_spring, py::arg("coordinate"), py::arg("spring") = py::none(),
           py::arg("damper") = py::none(), py::arg("free_position") = 0.0,
           "On a coordinate of a joint: -spring(q - free_position) - damper(q').")
      .def("wrench", &PyLowering::wrench, py::arg("bodies"), py::arg("points"), py::arg("law"), py::arg("length") = 1.0,
           py::arg("tangent") = py::none(),
           "A force and a moment by a function of a FramePair: see MechanismBuilder.wrench.")
      .def("error", &PyLowering::error, py::arg("message"), py::arg("remedy") = "",
           "Refuses the element, with its name and line.");
  module.def("register_element", &register_python_element, py::arg("name"), py::arg("fields"), py::arg("lower"),
             py::arg("called") = "", py::arg("section") = "load",
             "Makes an element known to model files and builders. lower(to, **values) says what it becomes: each field "
             "by its\n"
             "name, bodies as indices, places as arrays.");
}

}  // namespace cardan::python
