#include "descriptions.hpp"

#include <cmath>

#include "arrays.hpp"
#include "callback.hpp"
#include "io/formats/model_tree.hpp"
#include "io/yaml_fields.hpp"

namespace cardan::python {

namespace {

using Kind = YamlNode::Kind;

bool is_list(const py::handle& value) {
  return py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value) || py::isinstance<py::array>(value);
}

std::shared_ptr<YamlNode> map_of(const py::dict& values) {
  const auto node = map_node({});
  for (const auto& [key, value] : values) node->add({py::str(key), {}, tree_of(value)});
  return node;
}

bool is_number(const py::handle& value) {
  return PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr()) || PyIndex_Check(value.ptr()) ||
         py::hasattr(value, "__float__");
}

}  // namespace

std::shared_ptr<YamlNode> tree_of(const py::handle& value) {
  if (value.is_none()) return std::make_shared<YamlNode>();
  if (PyBool_Check(value.ptr())) return word_node(value.cast<bool>() ? "true" : "false", {});
  if (py::isinstance<py::str>(value)) {
    const auto node = word_node(value.cast<std::string>(), {});
    node->quoted = true;
    return node;
  }
  if (py::isinstance<py::dict>(value)) return map_of(py::reinterpret_borrow<py::dict>(value));
  if (is_list(value)) {
    std::vector<TreeNode> items;
    for (const py::handle item : value) items.push_back(tree_of(item));
    return list_node(std::move(items), {});
  }
  if (PyLong_Check(value.ptr())) return word_node(py::str(value), {});
  if (is_number(value)) return number_node(value.cast<double>(), {});
  throw py::type_error("a model holds numbers, words, lists and dicts, but this is " +
                       py::repr(value).cast<std::string>());
}

Place place_of(const py::handle& value) {
  if (py::isinstance<py::str>(value)) return {value.cast<std::string>()};
  return {vec3_of(value.cast<Numbers>())};
}

std::optional<Place> optional_place_of(const py::object& value) {
  if (value.is_none()) return std::nullopt;
  return place_of(value);
}

Direction direction_of(const py::handle& value) {
  if (py::isinstance<py::str>(value)) return {value.cast<std::string>()};
  const auto items = value.cast<py::sequence>();
  if (items.size() == 2 && !is_number(items[0])) return {place_of(items[0]), place_of(items[1])};
  return {vec3_of(value.cast<Numbers>())};
}

bool is_law(const py::handle& value) { return py::isinstance<Function>(value) || PyCallable_Check(value.ptr()) != 0; }

Function custom_function(const py::function& law, double scale, bool derivatives) {
  const Callback callback(law);
  if (!derivatives) return Function::custom([callback](double x) { return callback.number(x); }, scale);
  return Function::custom([callback](double x) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const auto values = [](const py::object& result) {
      const auto [f, d1, d2] = result.cast<std::tuple<double, double, double>>();
      return Function::Value{f, d1, d2};
    };
    return callback.call(Function::Value{kNone, kNone, kNone}, values, x);
  });
}

Function function_of(const py::handle& value) {
  if (py::isinstance<Function>(value)) return value.cast<Function>();
  return custom_function(value.cast<py::function>(), 1, false);
}

Varying varying_of(const py::handle& value, const std::string& element, const std::string& what) {
  if (is_law(value)) return function_of(value);
  Problems problems;
  Reading reading{.problems = problems, .parameters = {}, .broken_parameters = {}, .places = {}, .file = ""};
  const std::optional<Varying> varying = read_varying(reading, *tree_of(value), element, what);
  problems.throw_errors();
  return varying.value();
}

}  // namespace cardan::python
